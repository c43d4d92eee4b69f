"""The table of `goldlens stem`: an index a line, a column for each policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from goldlens.cli.lines import one_line
from goldlens.scoring.stemming.indices import INDICES
from goldlens.scoring.stemming.report import counts, figure
from goldlens.scoring.stemming.study import Row


def plain(rows: Sequence[Row], worst: Sequence[dict[str, Any]]) -> str:
    """A table for each mode, a column a policy; below it the worst groups of each policy."""
    modes = dict.fromkeys(row.key.mode for row in rows)
    return "\n".join(
        _mode([row for row in rows if row.key.mode == mode])
        + _worst([each for each in worst if each["mode"] == mode])
        for mode in modes
    )


def _mode(rows: Sequence[Row]) -> str:
    lines = [
        [rows[0].key.mode, *(row.key.policy for row in rows)],
        ["Forms", *(f"{row.pairs.forms:,}" for row in rows)],
        ["Under-stemmed pairs", *(counts(row.pairs)[0] for row in rows)],
        ["Over-stemmed pairs", *(counts(row.pairs)[1] for row in rows)],
    ]
    lines += [[name, *(figure(row.indices[key]) for row in rows)] for key, name in INDICES.items()]
    return _aligned(lines)


def _worst(worst: Sequence[dict[str, Any]]) -> str:
    if not worst:
        return ""
    lines = [
        [
            *(one_line(each["lemma"]), each["policy"], str(each["line"])),
            f"{each['under_error']:,} / {each['under_possible']:,}",
            f"{each['over_error']:,}",
        ]
        for each in worst
    ]
    return "\n" + _aligned([["Worst groups", "Policy", "Line", "Under", "Over"], *lines], left=2)


def _aligned(lines: Sequence[Sequence[str]], left: int = 1) -> str:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "".join(
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        + "\n"
        for line in lines
    )
