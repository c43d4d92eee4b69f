"""The language server: one client on stdio, or any number over TCP."""

from goldlens.server.lsp.serving import serve_stdio, serve_tcp

__all__ = ["serve_stdio", "serve_tcp"]
