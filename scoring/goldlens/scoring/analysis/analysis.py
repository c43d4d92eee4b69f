"""All that an analysis says of a pair, of whatever task: sections, each with a name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from goldlens.scoring.analysis import grouping
from goldlens.scoring.analysis.agreement import NEEDS, Agreement, metrics_of
from goldlens.scoring.analysis.breakdown import Breakdown
from goldlens.scoring.analysis.classes import ClassPair
from goldlens.scoring.analysis.confusion import Confusion, Confusions
from goldlens.scoring.analysis.differences import COLUMNS
from goldlens.scoring.analysis.matrix import Matrix, tree_matrix
from goldlens.scoring.analysis.spans import SpanPair
from goldlens.scoring.analysis.tallies import by_label
from goldlens.scoring.analysis.trees import TreePair
from goldlens.scoring.analysis.whatif import EXAMPLES, Priced, costliest
from goldlens.scoring.bootstrap import Told, nobody
from goldlens.scoring.segment import Segment

OVERVIEW: Final = "overview"

WHATS: Final = {
    "ud": (
        "upos", "xpos", "feats", "lemma", "deprel", "deprel-full", "heads",
        "length", "distance", "depth", "genre", "document", "form",
    ),
    "span": ("class", "label", "length"),
    "classification": ("label",),
}  # fmt: skip
"""What can be asked of each task, besides the overview."""

EVERY: Final = (OVERVIEW, *dict.fromkeys(name for names in WHATS.values() for name in names))
"""All that can be asked."""

_ATTACHMENT: Final = ("deprel", "deprel-full", "heads")
_SHAPES: Final = ("distance", "depth")
_HEADLESS: Final = "no word of {} has a HEAD"
_NOT_IN_OVERVIEW: Final = frozenset(("deprel-full", "document"))
_GROUPED: Final = {"upos": "upos", "deprel": "relation"}
_MATRICES: Final = frozenset(("upos", "deprel"))
_LABELS: Final = 40
"""So many labels a matrix has at most."""


class WrongQuestion(ValueError):
    """What was asked cannot be answered. `str` says why, and what can be asked."""


@dataclass(frozen=True, slots=True)
class Question:
    """What an analysis should say.

    what      a name of `EVERY`
    metric    the metric whose points are told; None: the task's usual one
    top       how many confusions of a column are listed
    forms     the forms of training files, in NFC; None where none are named
    examples  how many places of each confusion are given
    """

    what: str = OVERVIEW
    metric: str | None = None
    top: int = 10
    forms: Collection[str] | None = None
    examples: int = EXAMPLES


@dataclass(frozen=True, slots=True)
class Section:
    """One thing that an analysis says: confusions, figures by group, matrices, as far as there are.

    `what` is a name of `WHATS`.
    """

    what: str
    confusions: Confusions | None = None
    groups: Breakdown | None = None
    matrices: tuple[Matrix, ...] = ()

    @property
    def matrix(self) -> Matrix | None:
        """The only matrix; None where there is none, or one for each feature."""
        return self.matrices[0] if len(self.matrices) == 1 and self.what != "feats" else None

    def as_dict(self) -> dict[str, object]:
        """The section as JSON has it."""
        return {
            "what": self.what,
            "confusions": self.confusions and self.confusions.as_dict(),
            "groups": self.groups and self.groups.as_dict(),
            "matrices": [matrix.as_dict() for matrix in self.matrices],
        }


@dataclass(frozen=True, slots=True)
class Analysis:
    """What was found out.

    metric     the metric whose points are told
    score      its points
    costliest  the confusions of all sections that cost most, each with its column
    left_out   what is not said that could have been, and why
    unaligned  of trees, the words of gold and those of the prediction that face no word: no
               column has an error there, and none of them is right
    """

    task: str
    metric: str
    score: float
    sections: tuple[Section, ...]
    costliest: tuple[tuple[str, Confusion], ...]
    left_out: tuple[tuple[str, str], ...] = ()
    unaligned: tuple[int, int] | None = None

    def as_dict(self) -> dict[str, object]:
        """The analysis as JSON has it."""
        return {
            "task": self.task,
            "metric": self.metric,
            "score": self.score,
            "costliest": [
                {"column": column, **confusion.as_dict()} for column, confusion in self.costliest
            ],
            "sections": [section.as_dict() for section in self.sections],
            "left_out": [{"what": what, "why": why} for what, why in self.left_out],
            "unaligned": self.unaligned
            and {"gold": self.unaligned[0], "predicted": self.unaligned[1]},
        }


def analysis(
    task: str,
    gold: Sequence[Any],
    pred: Sequence[Any],
    segments: Sequence[Segment],
    question: Question,
    told: Told = nobody,
) -> Analysis:
    """The analysis of a pair: units of `task` that face each other by segments.

    `told` is told how many sections of how many are done; what it raises ends the analysis.
    Raises WrongQuestion; for trees GroupTooLarge (see `ud.alignment`).
    """
    if task not in WHATS:
        raise WrongQuestion(
            "stems are right or wrong in pairs, which an analysis does not know; "
            "“goldlens stem --audit” lists the groups with the most errors"
        )
    _check("what", question.what, (OVERVIEW, *WHATS[task]))
    match task:
        case "ud":
            return _trees(TreePair(gold, pred, segments), question, told)
        case "span":
            return _spans(SpanPair(gold, pred, segments), question)
        case _:
            return _classes(ClassPair(gold, pred, segments), question)


def _trees(pair: TreePair, question: Question, told: Told) -> Analysis:
    metric = question.metric or ("UPOS" if pair.tagging else "LAS")
    if metric in NEEDS and metric not in metrics_of(pair):
        raise WrongQuestion(f"{metric} is undefined: {_headless(pair)}")
    _check("metric", metric, metrics_of(pair))
    left_out = _left_out(pair, question)
    if question.what in left_out:
        raise WrongQuestion(f"nothing is said of {question.what}: {left_out[question.what]}")
    wanted = [question.what]
    if question.what == OVERVIEW:
        wanted = [w for w in WHATS["ud"] if w not in _NOT_IN_OVERVIEW and w not in left_out]
    agreement = Agreement.of(pair)
    sections, priced = [], []
    for done, what in enumerate(wanted):
        told(done, len(wanted))
        listed = None
        if what in COLUMNS:
            priced.append(Priced(agreement, what, metric))
            listed = priced[-1].listed(question.top, question.examples)
        groups = _groups(pair, what, metric, question)
        sections.append(Section(what, listed, groups, _matrices(pair, what, groups)))
    words = agreement.pair.aligned.count("Words")
    return Analysis(
        "ud",
        metric,
        agreement.count(metric).f1,
        tuple(sections),
        costliest(priced, question.top, question.examples),
        tuple(left_out.items()) if question.what == OVERVIEW else (),
        (words.gold - words.correct, words.predicted - words.correct),
    )


def _left_out(pair: TreePair, question: Question) -> dict[str, str]:
    """What cannot be said of a pair of trees, and why."""
    found: dict[str, str] = {}
    if pair.tagging:
        found |= dict.fromkeys(_ATTACHMENT, _headless(pair))
    if pair.untreed:
        found |= dict.fromkeys(_SHAPES, _HEADLESS.format("gold"))
    if not any(map(grouping.genre, {unit.sent_id for unit in pair.gold_units})):
        found["genre"] = "no sent_id of gold begins with letters"
    if not any(grouping.documents(pair.gold_units)):
        found["document"] = "gold has no “# newdoc”"
    if question.forms is None:
        found["form"] = "no training file is named (--train)"
    return found


def _headless(pair: TreePair) -> str:
    return _HEADLESS.format("gold" if pair.untreed else "the prediction")


def _groups(pair: TreePair, what: str, metric: str, question: Question) -> Breakdown | None:
    if what == "feats":
        return grouping.by_feature(pair)
    if what == "form":
        return grouping.by_form(pair, metric, question.forms or ())
    by = grouping.GROUPINGS.get(_GROUPED.get(what, what))
    return by(pair, metric) if by else None


def _matrices(pair: TreePair, what: str, groups: Breakdown | None) -> tuple[Matrix, ...]:
    """Of all aligned words, right and wrong ones; of FEATS one for each feature."""
    if what == "feats" and groups is not None:
        names = [group.name or "" for group in groups.groups]
        return tuple(tree_matrix(pair, name, _LABELS) for name in names)
    return (tree_matrix(pair, what, _LABELS),) if what in _MATRICES else ()


def _spans(pair: SpanPair, question: Question) -> Analysis:
    metric = question.metric or "Micro"
    _check("metric", metric, ("Micro", "Macro"))
    sections = []
    for what in WHATS["span"] if question.what == OVERVIEW else (question.what,):
        if what == "length":
            sections.append(Section(what, None, pair.by_length()))
            continue
        listed = pair.confusions(what, metric, question.top, question.examples)
        if what == "label":
            sections.append(Section(what, listed, by_label(pair.tally), (pair.matrix(_LABELS),)))
        else:
            sections.append(Section(what, listed))
    every = pair.confusions("label", metric, None, question.examples)
    return Analysis(
        "span", metric, pair.tally.score(metric), tuple(sections), _costly(every, question)
    )


def _classes(pair: ClassPair, question: Question) -> Analysis:
    metric = question.metric or ("Accuracy" if pair.single else "Micro")
    _check("metric", metric, (*(("Accuracy",) if pair.single else ()), "Micro", "Macro"))
    every = pair.confusions(metric, None, question.examples)
    listed = pair.confusions(metric, question.top, question.examples)
    section = Section("label", listed, by_label(pair.tally), (pair.matrix(_LABELS),))
    score = pair.tally.score(metric)
    return Analysis("classification", metric, score, (section,), _costly(every, question))


def _costly(every: Confusions, question: Question) -> tuple[tuple[str, Confusion], ...]:
    ranked = sorted(every.listed, key=lambda one: (-(one.gain or 0.0), -one.count))
    return tuple((every.column, one) for one in ranked[: question.top])


def _check(what: str, name: str, known: Collection[str]) -> None:
    """Raises WrongQuestion for a name that is not known."""
    if name not in known:
        raise WrongQuestion(f"unknown {what} {name[:60]!r}; expected one of {', '.join(known)}")
