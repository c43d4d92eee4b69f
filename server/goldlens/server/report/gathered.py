"""What a report says of a pair, gathered from its scores, its analysis and its worst sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from goldlens.scoring.analysis.analysis import Analysis, Question, Section, analysis
from goldlens.scoring.analysis.breakdown import Breakdown
from goldlens.scoring.analysis.calibration import Calibration, calibration
from goldlens.scoring.analysis.confusion import Confusion, Confusions
from goldlens.scoring.bootstrap import Resampling, Told, nobody
from goldlens.scoring.counts import Count, Figure
from goldlens.scoring.results.systems import Estimates, System
from goldlens.scoring.ud.aligned import Aligned, aligned
from goldlens.scoring.ud.task import is_tagging
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.scoreboard import Scoreboard
from goldlens.server.report.plots import Bar, Bars, Curve, Matrix
from goldlens.server.report.values import Part, Report, Score, Sentence, Table
from goldlens.server.trees import tree_at

_WORST: Final = 10
_CONFUSIONS: Final = 20
_BARS: Final = 40
_LABELS: Final = 25
_DRAWN: Final = 400
"""Words of a sentence that is drawn; more are too many to be looked at."""

_TITLES: Final = {
    "upos": "Parts of speech (UPOS)",
    "xpos": "Language-specific tags (XPOS)",
    "feats": "Features",
    "lemma": "Lemmas",
    "deprel": "Relations",
    "deprel-full": "Relations with their subtypes",
    "heads": "Heads",
    "length": "By length",
    "distance": "By distance from the head",
    "depth": "By depth in the tree",
    "genre": "By genre",
    "document": "By document",
    "form": "Seen and unseen forms",
    "class": "Kinds of errors",
    "label": "Labels",
}


def report(
    board: Scoreboard,
    facts: Mapping[str, str],
    resampling: Resampling,
    title: str,
    told: Told = nobody,
) -> Report:
    """The report of a scored pair. `facts`: what else its head says, by name.

    Raises WrongQuestion for stems (see `scoring.analysis`).
    """
    pair = board.pair
    units = (pair.gold.units, pair.pred.units)
    found = analysis(pair.task.name, *units, list(pair.pairing), Question(top=_CONFUSIONS))
    parts = [_costliest(found), *(_part(section, found) for section in found.sections)]
    sentences: list[Sentence] = []
    if pair.task.name == "ud":
        words = aligned(*units, list(pair.pairing))
        parts += _confidence(pair, words)
        sentences = list(_worst(pair, words))
    said = {**facts, "Signature": str(board.signature())}
    # A report knows no training files, and need not say so.
    if left_out := [f"{what} ({why})" for what, why in found.left_out if what != "form"]:
        said["Left out"] = "; ".join(left_out)
    scores = list(_scores(board, resampling, told))
    return Report(title, tuple(said.items()), resampling.level, scores, parts, sentences)


def _scores(board: Scoreboard, resampling: Resampling, told: Told) -> Iterator[Score]:
    figures = board.figures()
    system = System(figures, board.pair.sample(), board.pair.task.name)
    estimates = Estimates([system], resampling, told)
    for name, figure in figures.items():
        ci = estimates.ci(0, name)
        score = None if figure is None else figure.score
        yield Score(name, score, None if ci is None else (ci.low, ci.high), *_counted(figure))


def _counted(figure: Figure | None) -> tuple[int | None, int | None, int | None]:
    if not isinstance(figure, Count):
        return None, None, None
    return figure.correct, figure.gold, figure.predicted


def _costliest(found: Analysis) -> Part:
    """What single kinds of errors cost, and above them all errors of each column."""
    metric = found.metric
    whole = [
        (_TITLES[each.column], f"{each.errors:,}", f"{each.distinct:,}", _points(each.gain))
        for section in found.sections
        if (each := section.confusions) is not None and each.gain is not None
    ]
    bounded = any(one.bound is not None for _, one in found.costliest)
    rows = [
        (
            _TITLES[column],
            *_confused(one),
            _points(one.gain),
            *((_points(one.bound),) if bounded else ()),
        )
        for column, one in found.costliest
    ]
    head = ("Column", "Gold", "Predicted", "Times", "Share", "Gain")
    tables = [Table((*head, *(("At best",) if bounded else ())), rows, frozenset((0, 1, 2)))]
    if whole:
        tables.insert(0, Table(("All of", "Errors", "Kinds", "Gain"), whole))
    said = [f"The errors whose end would be worth most, in points of {metric}."]
    if found.unaligned is not None and any(found.unaligned):
        gold, pred = found.unaligned
        which = f"{gold:,} of gold and {pred:,} of the prediction"
        said.append(f"Words that face none, {which}, are in no column.")
    return Part("What errors cost", said, (), tables)


def _part(section: Section, found: Analysis) -> Part:
    drawings: list[tuple[str, Any]] = []
    tables: list[Table] = []
    if matrix := _matrix(section):
        drawings.append(
            (
                "Gold’s labels in rows, predicted ones in columns. The stronger a colour, the "
                "larger the share: of gold’s label on the diagonal, of its errors elsewhere",
                matrix,
            )
        )
    if section.confusions is not None and section.confusions.listed:
        tables.append(_confusions(section.confusions))
    if section.groups is not None:
        drawings += _bars(section.groups, found.metric)
        tables.append(_groups(section.groups))
    return Part(_TITLES.get(section.what, section.what), (), drawings, tables)


def _matrix(section: Section) -> Matrix | None:
    """A matrix small enough to be read; of features there would be one for each."""
    if section.matrix is None or len(section.matrix.labels) < 2:
        return None
    found = section.matrix.cut(_LABELS)
    return Matrix([_name(name) for name in found.labels], found.counts)


def _confusions(found: Confusions) -> Table:
    head = ("Gold", "Predicted", "Times", "Share", f"Gain, {found.metric}", "At best")
    rows = [(*_confused(one), _points(one.gain), _points(one.bound)) for one in found.listed]
    kinds = f"{found.distinct} {'kind' if found.distinct == 1 else 'kinds'}"
    title = f"{found.errors:,} errors of {kinds}: the most frequent"
    return Table(head, rows, frozenset((0, 1)), title)


def _confused(one: Confusion) -> tuple[str, str, str, str]:
    of = "" if one.of is None else f"{one.of}: "
    return (
        of + ("–" if one.gold is None else one.gold),
        "–" if one.pred is None else one.pred,
        f"{one.count:,}",
        f"{one.share:.1f} %",
    )


def _bars(found: Breakdown, metric: str) -> list[tuple[str, Bars]]:
    """One drawing: F1 where there is one, else the metric that is told of, else the last."""
    shown = found.groups[:_BARS]
    if not shown:
        return []
    if found.both is not None:
        said = f"F1 of {found.both}"
        values = [group.count(found.both).f1 for group in shown]
    else:
        name = metric if metric in found.metrics else found.metrics[-1]
        said, values = f"{name}, points of gold’s items", [group.recall(name) for group in shown]
    groups = [
        Bar(_name(group.name), value, group.gold)
        for group, value in zip(shown, values, strict=True)
    ]
    return [("In brackets how many items of gold a group has", Bars(said, groups))]


def _groups(found: Breakdown) -> Table:
    """All the figures of all groups."""
    both = ("Predicted", "Precision", "F1") if found.both is not None else ()
    rows = []
    for group in found.groups:
        row = [_name(group.name), f"{group.gold:,}"]
        row += [f"{group.recall(metric):.2f}" for metric in found.metrics]
        if found.both is not None:
            count = group.count(found.both)
            row += [f"{count.predicted:,}", f"{count.precision:.2f}", f"{count.f1:.2f}"]
        rows.append(row)
    return Table(("Group", "Gold", *found.metrics, *both), rows, fold="All figures")


def _name(name: str | None) -> str:
    return "(none)" if name is None else name


def _points(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _confidence(pair: Pair, words: Aligned) -> list[Part]:
    """The section on confidences, where the prediction has some."""
    facts = (pair.gold.facts.tolist(), pair.pred.facts.tolist())
    found = calibration(words, tagging=any(map(is_tagging, facts)))
    return [_calibrated(found)] if found.pooled.cells else []


def _calibrated(found: Calibration) -> Part:
    bins = [
        (b.confidence, b.accuracy, b.cells)
        for b in found.bins
        if b.confidence is not None and b.accuracy is not None
    ]
    rows = [
        (f"{b.low:g} – {b.high:g}", f"{b.cells:,}", _points(b.confidence), _points(b.accuracy))
        for b in found.bins
    ]
    kept = [(f"{t.at:g}", _points(t.kept), _points(t.accuracy)) for t in found.thresholds]
    said = f"Expected calibration error: {_points(found.error)} points over all cells."
    return Part(
        "Calibration",
        (said,),
        (("Each dot is a bin of cells, with how many there are", Curve(bins)),),
        (
            Table(("Confidence", "Cells", "Mean", "Accuracy"), rows),
            Table(("Threshold", "Cells kept, %", "Accuracy"), kept, fold="What a threshold keeps"),
        ),
    )


def _worst(pair: Pair, found: Aligned) -> Iterator[Sentence]:
    """The predicted sentences with most words that are wrong or have no counterpart."""
    wrong = np.ones(len(found.pred), bool)
    wrong[found.pred_word[found.correct["LAS"]]] = False
    size = len(pair.pred.units)
    many = np.bincount(found.pred.unit[wrong], minlength=size)
    words = np.bincount(found.pred.unit, minlength=size)
    order: Sequence[int] = np.lexsort((np.arange(size), words, -many))[:_WORST].tolist()
    starts = pair.pred.line_starts
    for unit in order:
        if not many[unit]:
            return
        line = int(starts[unit])
        tree: Any = tree_at(pair.pred, pair, line) if words[unit] <= _DRAWN else None
        name = pair.pred.format.title(pair.pred.units[unit]) or "a sentence without sent_id"
        drawn = () if tree is None else tree["words"]
        yield Sentence(name, line + 1, int(many[unit]), int(words[unit]), drawn)
