"""`python -m goldlens.server.daemon`: the daemon, in the foreground.

Whoever starts it says where its files go; `goldlens daemon start` does.
"""

import argparse
import faulthandler
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from goldlens.server.cache.usual import usual
from goldlens.server.daemon.lifetime import CANNOT, Plan, run
from goldlens.server.daemon.listening import make_room
from goldlens.server.lsp import logs

IDLE = 1800.0
"""Seconds without a client after which a daemon ends."""

PATIENCE = 60.0
"""Seconds after which a client is cut off that reads nothing of what waits for it."""


_PLACE = frozenset(("--root", "--runtime", "--name", "--log"))


def _but_place(arguments: list[str]) -> Iterator[str]:
    """The arguments but those that say where its files go."""
    given = iter(arguments)
    for argument in given:
        if argument in _PLACE:
            next(given, None)
        else:
            yield argument


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
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE,
        help="cut off clients that read nothing for so many seconds",
    )
    parser.add_argument("--tcp", action="store_true", help="loopback TCP, not a Unix socket")
    parser.add_argument("--level", default="info", help="debug, info, warning or error")
    options = parser.parse_args()
    faulthandler.enable()
    make_room()
    try:
        log = logs.start_file(options.log, options.level)
    except OSError as error:
        print(f"goldlens: cannot write the log {options.log}: {error.strerror}", file=sys.stderr)
        return CANNOT
    plan = Plan(
        options.root,
        options.runtime,
        options.name,
        options.idle or None,
        options.patience,
        options.tcp,
        tuple(_but_place(sys.argv[1:])),
    )
    try:
        return run(plan)
    finally:
        log.stop()


if __name__ == "__main__":
    status = main()
    usual().finish()
    sys.stderr.flush()
    # Nothing else stops a thread that still works for somebody, and a Python that ends while one
    # runs may crash.
    os._exit(status)
