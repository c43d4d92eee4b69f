"""Runs the benchmarks: `python -m benchmarks [NAME…] [--large]`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks import asking, bootstrap, cold, engine, report, roundtrip, spans, stems, warm

Found = Iterator[dict[str, Any]]


def _cold(large: bool) -> Found:
    for times, rounds in [(1, 7), (11, 3)] + ([(40, 1)] if large else []):
        yield {"benchmark": "cold score", **cold.measure(times, rounds)}


def _engine(large: bool) -> Found:
    for times in _sizes(large):
        yield {"benchmark": "engine", **engine.measure(times)}


def _roundtrip(large: bool) -> Found:
    for times in _sizes(large):
        yield {"benchmark": "stdio round trip", **roundtrip.measure(25_000 * times)}


def _warm(large: bool) -> Found:
    for times in [11, 40] if large else [11]:
        for how in ("editor", "watch"):
            yield {"benchmark": "warm start", **warm.measure(times, how, 3)}


def _asking(large: bool) -> Found:
    for times in _sizes(large):
        for row in asking.measure(25_000 * times):
            yield {"benchmark": "asking", **row}


def _spans(large: bool) -> Found:
    for distinct in (False, True):
        yield {"benchmark": "spans", **spans.measure(3, distinct=distinct)}


def _stems(large: bool) -> Found:
    forms = 1_000_000 if large else 100_000
    for candidates in (1, 3):
        yield {"benchmark": "stems", **stems.measure(forms, candidates)}


def _bootstrap(large: bool) -> Found:
    for units, rounds in [(2_077, 5)] + ([(61_000, 3)] if large else []):
        yield {"benchmark": "bootstrap", **bootstrap.alone(units, rounds)}
    yield {"benchmark": "rows", **bootstrap.rows(3)}


def _report(large: bool) -> Found:
    yield {"benchmark": "report", **report.measure(3)}


def _sizes(large: bool) -> list[int]:
    return [1, 40] if large else [1, 11]


BENCHMARKS: dict[str, Callable[[bool], Found]] = {
    "cold": _cold,
    "engine": _engine,
    "roundtrip": _roundtrip,
    "asking": _asking,
    "warm": _warm,
    "spans": _spans,
    "stems": _stems,
    "bootstrap": _bootstrap,
    "report": _report,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("what", nargs="*", metavar="|".join(BENCHMARKS), help="default: all")
    parser.add_argument("--large", action="store_true", help="up to a million words (minutes)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    wanted = options.what or list(BENCHMARKS)
    if unknown := set(wanted) - set(BENCHMARKS):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    found: list[dict[str, Any]] = []
    for name in wanted:
        for row in BENCHMARKS[name](options.large):
            found.append(row)
            if not options.json:
                print("  ".join(f"{key}: {value}" for key, value in row.items()), flush=True)
    if options.json:
        print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
