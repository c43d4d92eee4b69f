"""The table of `goldlens stem`: an index a line, a column for each mode and policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from goldlens.scoring.stemming.indices import INDICES
from goldlens.scoring.stemming.report import counts, figure
from goldlens.scoring.stemming.study import Row


def plain(rows: Sequence[Row], worst: Sequence[dict[str, Any]]) -> str:
    """The table as text, two spaces between columns, and the worst groups below."""
    lines = [
        ["Mode", *(row.key.mode for row in rows)],
        ["Policy", *(row.key.policy for row in rows)],
        ["Forms", *(f"{row.pairs.forms:,}" for row in rows)],
        ["Under-stemmed pairs", *(counts(row.pairs)[0] for row in rows)],
        ["Over-stemmed pairs", *(counts(row.pairs)[1] for row in rows)],
    ]
    lines += [
        [name, *(figure(row.indices[key]) for row in rows)]
        for key, name in INDICES.items()
        if any(row.indices[key] is not None for row in rows) or key in ("UI", "OI", "F1")
    ]
    text = _aligned(lines)
    if worst:
        text += "\n" + _aligned(
            [
                ["Worst groups", "Mode", "Policy", "Line", "Under", "Over"],
                *(
                    [
                        *(each["lemma"], each["mode"], each["policy"], str(each["line"])),
                        f"{each['under_error']} / {each['under_possible']}",
                        str(each["over_error"]),
                    ]
                    for each in worst
                ),
            ],
            left=3,
        )
    return text


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
