"""A search for leaks as people read it: tables of folds and files, and where each leak is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from goldlens.cli.lines import counted, one_line
from goldlens.cli.table import Grid, points
from goldlens.scoring.analysis.leakage import Leak, Search, Split, title


def tables(
    splits: Mapping[str, Split], sizes: Mapping[str, int], leaks: Mapping[str, Sequence[Leak]]
) -> list[Grid]:
    """A row for each fold, and one for each training file; `sizes` in sentences."""
    short = any(split.too_short for split in splits.values())
    header = ("Evaluation", "Sentences", "Found", "%", "By id", "By forms", "Other forms")
    folds = tuple(_row(fold, split)[: len(header) + short] for fold, split in splits.items())
    files = tuple((one_line(f), str(sizes[f]), str(len(found))) for f, found in leaks.items())
    return [
        Grid(header + ("Too short",) * short, folds),
        Grid(("Training", "Sentences", "Found"), files),
    ]


def _row(fold: str, split: Split) -> tuple[str, ...]:
    share = 100 * split.found / split.sentences
    numbers = (split.by_id, split.by_forms, split.other_forms, split.too_short)
    return (
        one_line(fold),
        *(str(split.sentences), str(split.found), points(share)),
        *map(str, numbers),
    )


def below(search: Search, leaks: Mapping[str, Sequence[Leak]], limit: int) -> Iterator[str]:
    """What stands below the tables: what was verified, and the first `limit` leaks."""
    number = sum(map(len, leaks.values()))
    if not number:
        yield "No sentence of the evaluation is in training."
        return
    if search.checked:
        pairs = counted(search.checked, "pair")
        yield f"Same id: {pairs} of sentences, {search.form_identical:,} with the same forms."
        if search.form_identical < search.checked:
            yield (
                "The others are versions of one text, or ids that each file counts anew; "
                "--by forms leaves ids aside."
            )
    lines = [_place(file, leak) for file, found in leaks.items() for leak in found]
    if limit and search.checked:
        yield ""
    yield from lines[:limit]
    if limit and number > limit:
        yield ""
        left = counted(number - limit, "more training sentence")
        yield f"… and {left}; --limit lists more."


def _place(file: str, leak: Leak) -> str:
    how = "same forms"
    if leak.by_id:
        how = "same id and forms" if leak.same_forms else "same id, other forms"
    sides = (file, leak.training), (leak.fold, leak.evaluation)
    mine, other = (one_line(f"{path}:{each.line}: {title(each)}") for path, each in sides)
    return f"{mine} is {other} ({how})"
