"""How a refusal is said: every kind of cause, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from goldlens.cli.lines import counted
from goldlens.cli.outputs import complain

SHOWN: Final = 20
"""Causes of one code that are listed; JSON has them all."""


def say_refused(causes: Iterable[tuple[str, str]]) -> None:
    """Lists causes, each its code and its line, and says what to do, on standard error."""
    seen: Counter[str] = Counter()
    said = []
    for code, text in causes:
        seen[code] += 1
        if seen[code] <= SHOWN:
            said.append(text)
    for code, number in seen.items():
        if number > SHOWN:
            said.append(f"… and {number - SHOWN:,} more {code}; --json lists them all")
    total = sum(seen.values())
    what = "repair it" if total == 1 else "repair them"
    said.append(
        f"error[refused]: the official policy refuses this pair for {counted(total, 'cause')}; "
        f"{what}, or add “--policy lenient”, which scores all the same"
    )
    complain("\n".join([*said, ""]))
