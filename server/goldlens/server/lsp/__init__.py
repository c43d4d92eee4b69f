"""The language server: one client on stdio, or any number over TCP.

Importing this imports nothing else: what a thin relay needs of it has to come without the rest.
"""

from __future__ import annotations


def serve_stdio(level: str | None = None) -> int:
    """See `serving.serve_stdio`."""
    from goldlens.server.lsp import serving

    return serving.serve_stdio(level)


def serve_tcp(host: str, port: int, level: str | None = None) -> int:
    """See `serving.serve_tcp`."""
    from goldlens.server.lsp import serving

    return serving.serve_tcp(host, port, level)
