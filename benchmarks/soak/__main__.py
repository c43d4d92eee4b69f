"""Runs the soaks: `python -m benchmarks.soak [clients|kills|latency …]`."""

from __future__ import annotations

import argparse
import secrets
import sys
import time

from benchmarks.soak import clients, kills, latency
from benchmarks.soak.place import Failed


def main() -> int:
    """Runs those that are named, or all; the exit status is 1 if a demand is not met."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak")
    names = ("latency", "clients", "kills")
    parser.add_argument("what", nargs="*", metavar="|".join(names), help="default: all")
    parser.add_argument("--seconds", type=float, default=300.0, help="how long “clients” lasts")
    parser.add_argument("--files", type=int, default=200, help="how many are watched")
    parser.add_argument("--kills", type=int, default=100, help="how often a daemon is killed")
    parser.add_argument("--renames", type=int, default=120, help="how many “latency” measures")
    parser.add_argument("--seed", type=int, help="to play a run again")
    options = parser.parse_args()
    wanted = options.what or names
    if unknown := set(wanted) - set(names):
        parser.error(f"no such soak: {', '.join(sorted(unknown))}")
    seed = secrets.randbelow(1 << 31) if options.seed is None else options.seed
    status = 0
    for name in wanted:
        began = time.monotonic()
        print(f"{name}: seed {seed}", flush=True)
        try:
            match name:
                case "clients":
                    lines = clients.measure(seed, options.seconds, options.files)
                case "kills":
                    lines = kills.measure(seed, options.kills, min(options.files, 40))
                case _:
                    lines = latency.measure(seed, options.renames)
            for line in lines:
                print(f"{name}: {line} [{time.monotonic() - began:.0f} s]", flush=True)
        except Failed as failure:
            status = 1
            print(f"{name}: FAILED with seed {seed}: {failure}", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
