"""`python -m goldlens.server.daemon`: the daemon, in the foreground.

Whoever starts it says where its files go; `goldlens daemon start` does.
"""

import argparse
import faulthandler
import sys
from pathlib import Path

from goldlens.server.daemon.lifetime import Plan, run
from goldlens.server.lsp import logs

IDLE = 1800.0
"""Seconds without a client after which a daemon ends."""


def main() -> int:
    """Runs the daemon; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m goldlens.server.daemon")
    parser.add_argument("--root", type=Path, required=True, help="the workspace's folder")
    parser.add_argument("--runtime", type=Path, required=True, help="where socket and state go")
    parser.add_argument("--name", required=True, help="what they are called there")
    parser.add_argument("--log", type=Path, required=True, help="the log, which is rotated")
    parser.add_argument(
        "--idle",
        type=float,
        default=IDLE,
        help="end after so many seconds without clients; 0: never",
    )
    parser.add_argument("--tcp", action="store_true", help="loopback TCP, not a Unix socket")
    parser.add_argument("--level", default="info", help="debug, info, warning or error")
    options = parser.parse_args()
    faulthandler.enable()
    log = logs.start_file(options.log, options.level)
    try:
        return run(
            Plan(options.root, options.runtime, options.name, options.idle or None, options.tcp)
        )
    finally:
        log.stop()


if __name__ == "__main__":
    sys.exit(main())
