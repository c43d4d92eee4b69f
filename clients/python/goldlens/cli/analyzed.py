"""The tables of an analysis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from goldlens.cli.lines import counted, one_line
from goldlens.cli.table import UNDEFINED, Grid, points
from goldlens.scoring.analysis.analysis import OVERVIEW

if TYPE_CHECKING:
    from goldlens.scoring.analysis.analysis import Analysis, Question, Section
    from goldlens.scoring.analysis.breakdown import Breakdown, Group
    from goldlens.scoring.analysis.confusion import Confusion
    from goldlens.scoring.analysis.matrix import Matrix
    from goldlens.scoring.signature import Signature

_FEW: Final = 3
"""How many confusions of each column an overview shows."""

_ROWS: Final = 10
"""How many groups of a table an overview shows."""

_COLUMNS: Final = {
    "upos": "UPOS",
    "xpos": "XPOS",
    "feats": "FEATS",
    "lemma": "LEMMA",
    "deprel": "DEPREL",
    "deprel-full": "DEPREL",
    "heads": "HEAD",
    "class": "",
    "label": "",
}
"""What a column is called in a row."""

_GROUPS: Final = {
    "upos": "UPOS",
    "relation": "Relation",
    "length": "Length",
    "distance": "Distance of head",
    "depth": "Depth",
    "document": "Document",
    "genre": "Genre",
    "form": "Form",
    "feature": "Feature",
    "label": "Label",
}
"""What a table of groups is headed with."""

_LABELS: Final = 16
"""How many labels a matrix shows."""

_TOO_MANY: Final = frozenset(("feature",))
"""Groups that an overview leaves to those who ask for them."""


def grids_of(found: Analysis, question: Question) -> list[Grid]:
    """The tables, in order."""
    overview = question.what == OVERVIEW
    grids = []
    if overview:
        grids += _confused("Costliest (gold → predicted)", found.costliest, found.metric)
        frequent = [
            (section.what, confusion)
            for section in found.sections
            if section.confusions
            for confusion in section.confusions.listed[:_FEW]
        ]
        grids += _confused("Most frequent", frequent, found.metric)
    for section in found.sections:
        if section.confusions and not overview:
            listed = [(section.what, each) for each in section.confusions.listed]
            grids += _confused("Gold → predicted", listed, found.metric)
        wanted = section.groups and not (overview and section.groups.by in _TOO_MANY)
        if section.groups and section.groups.groups and wanted:
            grids.append(_grouped(section.groups, _ROWS if overview else None))
        if section.matrix and section.matrix.labels and not overview:
            grids.append(_crossed(section.matrix.cut(_LABELS)))
    return grids


def below(
    found: Analysis,
    question: Question,
    signature: Signature,
    covered: Mapping[str, Any],
    size: int,
) -> list[str]:
    """The lines below the tables: the score, how many errors there are, what is left out."""
    lines = [f"Signature: {signature}", f"{found.metric}: {points(found.score)}"]
    lines += [said for section in found.sections for said in _errors(section)]
    if found.unaligned is not None and any(found.unaligned):
        gold, pred = found.unaligned
        lines.append(f"Words that face none: {gold:,} of gold, {pred:,} of the prediction")
    if question.what == OVERVIEW and (more := _more(found)):
        lines.append(f"Not shown: {', '.join(more)}; --what shows all")
    for names, why in _by_reason(found.left_out):
        lines.append(f"Left out: {', '.join(names)}, since {why}")
    if covered["compared"] != size:
        lines.append(f"Compared: {covered['compared']:,} of {size:,} of gold")
    return lines


def _errors(section: Section) -> list[str]:
    found = section.confusions
    if found is None:
        return []
    said = f"Errors in {section.what}: {found.errors:,}, of {counted(found.distinct, 'kind')}"
    if found.gain is not None and found.errors:
        said += f"; without them {found.metric} {_signed(found.gain)}"
    if found.lasting:
        said += f"; of {found.lasting:,} gold's head faces no word"
    return [said]


def _more(found: Analysis) -> list[str]:
    """What an overview has no room for."""
    cut = [
        (section.what, len(section.groups.groups) - _ROWS)
        for section in found.sections
        if section.groups and section.groups.by not in _TOO_MANY
    ]
    return [f"{counted(number, 'group')} of {what}" for what, number in cut if number > 0]


def _by_reason(left_out: Iterable[tuple[str, str]]) -> list[tuple[list[str], str]]:
    reasons: dict[str, list[str]] = {}
    for name, why in left_out:
        reasons.setdefault(why, []).append(name)
    return [(names, why) for why, names in reasons.items()]


def _confused(title: str, listed: Sequence[tuple[str, Confusion]], metric: str) -> list[Grid]:
    """A table of confusions, if there are any."""
    if not listed:
        return []
    bounded = any(each.bound is not None for _, each in listed)
    header = (title, "Count", "Share", f"{metric} gain", *(("At best",) if bounded else ()), "Line")
    rows = []
    for column, each in listed:
        best = (_signed(each.bound),) if bounded else ()
        row = (_named(column, each), str(each.count), points(each.share), _signed(each.gain))
        rows.append((*row, *best, _line(each)))
    return [Grid(header, tuple(rows))]


def _signed(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:+.2f}"


def _line(each: Confusion) -> str:
    """The first place, in the prediction or, where only gold has it, in gold."""
    if not each.places:
        return UNDEFINED
    first = each.places[0]
    return f"gold {first.gold_line}" if first.line is None else str(first.line)


def _named(column: str, each: Confusion) -> str:
    """A confusion in words."""
    what = [_COLUMNS.get(column, column), one_line(each.of or "")]
    if column != "class":
        what.append(f"{_value(each.gold)} → {_value(each.pred)}")
    return " ".join(part for part in what if part)


def _value(value: str | None) -> str:
    return "–" if value is None else one_line(value) or "(empty)"


def _grouped(found: Breakdown, most: int | None) -> Grid:
    """A table of groups: recall by metric, and precision and F1 of the one that has both."""
    sided = any(group.predicted is not None for group in found.groups)
    header = [_GROUPS[found.by], "Gold", *(["Predicted"] if sided else [])]
    header += [metric if len(found.metrics) > 1 else "Recall" for metric in found.metrics]
    if found.both is not None:
        named = f"{found.both} " if len(found.metrics) > 1 else ""
        header += [f"{named}prec.".capitalize() if not named else f"{named}prec.", f"{named}F1"]
    rows = [_row(found, group, sided) for group in found.groups[:most]]
    return Grid(tuple(header), tuple(rows))


def _row(found: Breakdown, group: Group, sided: bool) -> tuple[str, ...]:
    name = "(none)" if group.name is None else one_line(group.name)
    cells = [name or "(empty)", str(group.gold)]
    if sided:
        cells.append(UNDEFINED if group.predicted is None else str(group.predicted))
    cells += [points(group.recall(metric)) if group.gold else UNDEFINED for metric in found.metrics]
    if found.both is not None:
        count = group.count(found.both)
        cells += [points(count.precision) if group.predicted else UNDEFINED, points(count.f1)]
    return tuple(cells)


def _crossed(found: Matrix) -> Grid:
    """A matrix: a row for each label of gold, a column for each predicted one."""
    names = [_value(label) for label in found.labels]
    rows = tuple(
        (name, *map(str, counts)) for name, counts in zip(names, found.counts, strict=True)
    )
    return Grid(("Gold \\ predicted", *names), rows)
