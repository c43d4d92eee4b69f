"""`python -m goldlens.server.lsp`: stdio, or `--tcp HOST:PORT`."""

import argparse
import sys

from goldlens.server.lsp import serve_stdio, serve_tcp


def main() -> int:
    """Runs the server; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m goldlens.server.lsp")
    parser.add_argument("--stdio", action="store_true", help="the default; editors like to say it")
    parser.add_argument("--tcp", metavar="HOST:PORT", help="listen there instead")
    parser.add_argument("--log", metavar="LEVEL", help="debug, info, warning or error")
    options = parser.parse_args()
    if options.tcp is None:
        return serve_stdio(options.log)
    host, _, port = options.tcp.rpartition(":")
    if not port.isdecimal():
        parser.error(f"expected HOST:PORT, not {options.tcp!r}")
    return serve_tcp(host.strip("[]") or "127.0.0.1", int(port), options.log)


if __name__ == "__main__":
    sys.exit(main())
