"""What a reconciliation profile changes: whether two sides differ by convention or by error.

Of each column there are the pairs of cells that differ, gold's and the prediction's, by how often
they do, over aligned words. `top_share` is the share of the most common pair: where it is high,
the sides follow two conventions; a long flat tail is made of real errors. (But a convention on how
cells are spelt, or on one feature of many, has a long tail as well.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from goldlens.scoring.counts import Figure
from goldlens.scoring.ud.aligned import Aligned
from goldlens.scoring.ud.cells import Bools, Ints
from goldlens.scoring.ud.features import normal_forms
from goldlens.scoring.ud.profile import Profile
from goldlens.scoring.ud.table import DEPREL, FEATS, FORM, LEMMA, UPOS, XPOS

COLUMNS: Final = {"UPOS": UPOS, "XPOS": XPOS, "LEMMA": LEMMA, "FEATS": FEATS, "DEPREL": DEPREL}
"""The columns whose cells are held against each other."""

_METRICS: Final = {"UPOS": "UPOS", "XPOS": "XPOS", "LEMMA": "Lemmas", "FEATS": "UFeats"}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Where gold has one cell and the prediction another, and how often.

    `share`: points of all errors of the column.
    """

    gold: str
    pred: str
    count: int
    share: float

    def as_dict(self) -> dict[str, str | int | float]:
        """The pair of cells as JSON has it."""
        return {"gold": self.gold, "pred": self.pred, "count": self.count, "share": self.share}


@dataclass(frozen=True, slots=True)
class Disagreements:
    """All that differs in a column, the most common first, ties by the cells; of `words` words."""

    words: int
    pairs: tuple[Disagreement, ...]

    @property
    def errors(self) -> int:
        """How many cells differ."""
        return sum(each.count for each in self.pairs)

    @property
    def top_share(self) -> float | None:
        """Points of all errors that are of the most common pair; None without errors."""
        return self.pairs[0].share if self.pairs else None

    def as_dict(self) -> dict[str, object]:
        """The disagreements as JSON has them."""
        return {
            "words": self.words,
            "errors": self.errors,
            "top_share": self.top_share,
            "confusions": [each.as_dict() for each in self.pairs],
        }


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Two aligned words whose lemmas differ under the profile; the cells are as they are written.

    The numbers are those of words in `Aligned.gold` and `Aligned.pred`.
    """

    form: str
    gold: str
    pred: str
    gold_word: int
    pred_word: int


@dataclass(frozen=True, slots=True)
class Drift:
    """Figures and disagreements of a pair, as the texts are written and under a profile.

    `written`, `same_words` and `reconciled` are figures by metric: of the texts as they are, of the
    words alone that the profile does not leave out, and of these under the profile. `columns` has
    disagreements by column, as written and reconciled; DEPREL is not among them if no word of a
    side has a HEAD. `dropped` are the metrics that the profile says cannot be compared. `left_out`:
    how many words of gold and of the prediction the profile leaves out. `lemmas`: some of all
    lemmas that differ under the profile.
    """

    profile: Profile
    written: Mapping[str, Figure | None]
    same_words: Mapping[str, Figure | None]
    reconciled: Mapping[str, Figure | None]
    columns: Mapping[str, tuple[Disagreements, Disagreements]]
    left_out: tuple[int, int]
    lemmas: tuple[Mismatch, ...]

    @property
    def dropped(self) -> tuple[str, ...]:
        """The metrics there are whose figures the profile takes away."""
        return tuple(name for name in self.written if name in self.profile.incomparable)

    def as_dict(self) -> dict[str, object]:
        """The drift as JSON has it, but for the places of lemmas."""
        return {
            "profile": self.profile.name,
            "metrics": {
                name: {
                    "written": _figure(figure),
                    "same_words": _figure(self.same_words[name]),
                    "reconciled": _figure(self.reconciled[name]),
                }
                for name, figure in self.written.items()
            },
            "dropped": list(self.dropped),
            "left_out": {"gold": self.left_out[0], "pred": self.left_out[1]},
            "columns": {
                name: {"written": before.as_dict(), "reconciled": after.as_dict()}
                for name, (before, after) in self.columns.items()
            },
        }


def drift(
    profile: Profile,
    written: tuple[Aligned, Mapping[str, Figure | None]],
    reconciled: tuple[Aligned, Mapping[str, Figure | None]],
    same_words: Mapping[str, Figure | None],
    sample: int = 20,
) -> Drift:
    """What a profile changes.

    `written` and `reconciled`: the words of a pair and its figures, as they are and as rewritten
    (see `reconciled.reconciled`). `same_words`: its figures under `Profile.only_leaving_out`.
    `sample`: how many lemmas are shown at most; they are spread evenly over the text, so that the
    same files show the same ones.
    """
    before, after = written[0], reconciled[0]
    every = np.ones(len(before.gold_word), bool)
    kept = _kept(profile, after)
    # Where no word of a side has a HEAD, it says nothing of relations either.
    names = [name for name in COLUMNS if name != "DEPREL" or written[1]["UAS"] is not None]
    columns = {
        name: (_disagreements(before, name, every), _disagreements(after, name, kept))
        for name in names
    }
    # Not those of `reconciled`, which the profile may say cannot be compared.
    words = [figures["Words"] for figures in (written[1], same_words)]
    counts = [(getattr(w, "gold", 0), getattr(w, "predicted", 0)) for w in words]
    left_out = (counts[0][0] - counts[1][0], counts[0][1] - counts[1][1])
    wrong = (kept & ~after.correct["Lemmas"]).nonzero()[0]
    lemmas = tuple(_mismatch(before, k) for k in _spread(wrong, sample))
    return Drift(profile, written[1], same_words, reconciled[1], columns, left_out, lemmas)


def _kept(profile: Profile, found: Aligned) -> Bools:
    """Over aligned words: which the profile does not leave out, by gold's class."""
    tags, _ = found.facing(UPOS)
    return np.array([tag not in profile.exclude for tag in tags], bool)


def _disagreements(found: Aligned, name: str, words: Bools) -> Disagreements:
    """What differs in a column, over some of the aligned words."""
    right = found.relation if name == "DEPREL" else found.correct[_METRICS[name]]
    wrong = (words & ~right).nonzero()[0].tolist()
    gold, pred = found.facing(COLUMNS[name])
    pairs = Counter((_cell(name, gold[k]), _cell(name, pred[k])) for k in wrong)
    ordered = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
    counted = tuple(
        Disagreement(*pair, count, 100.0 * count / len(wrong)) for pair, count in ordered
    )
    return Disagreements(int(words.sum()), counted)


def _cell(column: str, cell: str) -> str:
    """As much of a cell as is compared."""
    if column == "DEPREL":
        return cell.partition(":")[0]
    if column == "FEATS":
        universal, _ = normal_forms(cell.encode())
        return b"|".join(universal).decode("utf-8", "replace") or "_"
    return cell


def _mismatch(found: Aligned, k: int) -> Mismatch:
    theirs, ours = int(found.gold_word[k]), int(found.pred_word[k])
    return Mismatch(
        found.gold.column(FORM)[theirs],
        found.gold.column(LEMMA)[theirs],
        found.pred.column(LEMMA)[ours],
        theirs,
        ours,
    )


def _spread(numbers: Ints, most: int) -> Sequence[int]:
    """At most so many of some numbers, from the first on and as far apart as can be."""
    size = len(numbers)
    if size <= most:
        return [int(k) for k in numbers]
    chosen: Iterable[int] = (at * size // most for at in range(most))
    return [int(numbers[at]) for at in chosen]


def _figure(figure: Figure | None) -> dict[str, int | float | None] | None:
    return None if figure is None else figure.as_dict()
