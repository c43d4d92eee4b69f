"""Runs the benchmarks: `python -m benchmarks [cold|engine|roundtrip] [--large]`."""

from __future__ import annotations

import argparse
import json

from benchmarks import cold, engine, roundtrip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("what", nargs="*", metavar="cold|engine|roundtrip", help="default: all")
    parser.add_argument("--large", action="store_true", help="up to a million words (minutes)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    wanted = options.what or ["cold", "engine", "roundtrip"]
    if unknown := set(wanted) - {"cold", "engine", "roundtrip"}:
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    found: list[dict[str, object]] = []
    if "cold" in wanted:
        for times, rounds in [(1, 7), (11, 3)] + ([(40, 1)] if options.large else []):
            found.append({"benchmark": "cold score", **cold.measure(times, rounds)})
    sizes = [1, 40] if options.large else [1, 11]
    if "engine" in wanted:
        found += [{"benchmark": "engine", **engine.measure(times)} for times in sizes]
    if "roundtrip" in wanted:
        words = [25_000 * times for times in sizes]
        found += [{"benchmark": "stdio round trip", **roundtrip.measure(n)} for n in words]
    if options.json:
        print(json.dumps(found, indent=1))
        return
    for row in found:
        print("  ".join(f"{name}: {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
