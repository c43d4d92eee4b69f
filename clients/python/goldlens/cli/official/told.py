"""What is said of the official script beside ours: a table, the lines below it, and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from goldlens.cli.lines import counted, line
from goldlens.cli.official.beside import DECIMALS, FIGURES, Beside, Figures, equal
from goldlens.cli.official.run import Official
from goldlens.cli.table import UNDEFINED, Grid
from goldlens.scoring.ud.evaluate import Evaluation
from goldlens.scoring.ud.official.handing import Repair

_TITLES: Final = {
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "aligned_accuracy": "Aligned acc.",
}
_MARK: Final = "≠"
_REPAIR: Final = ("side", "sent_id", "line", "code", "repair", "tree")
"""What JSON has of a repair."""


@dataclass(frozen=True, slots=True)
class Told:
    """What came of the script, as it is told."""

    official: Official

    @property
    def status(self) -> int:
        """The exit status: 1 if a figure differs, or the script has none."""
        both = self.official.beside
        return 0 if both and not both.differences else 1

    def grids(self) -> list[Grid]:
        """A table of every figure of both, ours first; none if the script has none."""
        both = self.official.beside
        if both is None:
            return []
        header = ("Metric", *(text for name in FIGURES for text in (_TITLES[name], "official")))
        rows = [(name, *_cells(ours, both.official[name])) for name, ours in both.ours.items()]
        return [Grid(header, tuple(rows))]

    def lines(self) -> list[str]:
        """The lines below it: on which texts both were run, and whether they agree."""
        script, both = self.official.script, self.official.beside
        if both is None:
            return []
        said = [f"Official beside ours: both run on {_texts(self.official)}"]
        if not script.pinned:
            said.append(f"Script: another than the pinned one, its SHA-256 is {script.sha256}")
        if both.lacking:
            said.append(f"Not compared: the script does not tell {', '.join(both.lacking)}")
        if changed := _changed(self.official.found, both):
            said.append(f"As the files stand, in the first table, F1 is another: {changed}")
        number, differences = both.compared, both.differences
        if not differences:
            return [*said, f"Difference: none in {number} figures, to four decimals"]
        named = ", ".join(
            f"{each.metric} {_TITLES[each.figure]} {_points(each.ours)} {_MARK} "
            f"{_points(each.official)}"
            for each in differences
        )
        return [*said, f"Difference: {len(differences)} of {number} figures: {named}"]

    def notices(self, gold: str, pred: str) -> list[str]:
        """A line for each thing that the script would have refused, and for its failure, if any.

        `gold` and `pred` are the names of the files.
        """
        names = {"gold": gold, "pred": pred}
        said = [
            line(names[r.side], r.line, r.column, "warning", r.code, f"{_named(r)}{r.repair}")
            for r in self.official.handed.repairs
        ]
        if said:
            number = counted(len(said), "cause")
            said.append(
                f"warning[official]: the official script would refuse this pair, for {number}; "
                "what is said above was done for its run only"
            )
        if self.official.failed:
            message = f"the official script has no figures: {self.official.failed}"
            said.append(line(self.official.script.path, 1, 1, "error", "official", message))
        return said

    def as_dict(self) -> dict[str, object]:
        """What JSON has under `official`."""
        script, both = self.official.script, self.official.beside
        gold, pred = self.official.handed.sentences
        return {
            "script": {"path": script.path, "sha256": script.sha256, "pinned": script.pinned},
            "compared": {"gold": len(gold), "pred": len(pred)},
            "repaired": [
                {name: getattr(each, name) for name in _REPAIR}
                for each in self.official.handed.repairs
            ],
            "ours": dict(both.ours) if both else None,
            "metrics": dict(both.official) if both else None,
            "differences": [each._asdict() for each in both.differences] if both else None,
            "failed": self.official.failed or None,
        }


def _cells(ours: Figures | None, official: Figures | None) -> list[str]:
    cells = []
    for name in FIGURES:
        a, b = (None if side is None else side[name] for side in (ours, official))
        cells += [_points(a), _points(b) if equal(a, b) else f"{_MARK} {_points(b)}"]
    return cells


def _points(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.{DECIMALS}f}"


def _texts(official: Official) -> str:
    """Which texts the two scorers were given."""
    sentences, of = len(official.handed.sentences[0]), official.found.sentences
    which = f"all {of:,}" if sentences == of else f"{sentences:,} of {of:,}"
    noun = "sentence" if of == 1 else "sentences"
    which += f" {noun} of gold and those that face them"
    sides = zip(official.handed.mended, ("gold", "the prediction"), strict=True)
    trees = [f"{counted(number, 'tree')} of {side}" for number, side in sides if number]
    return f"{which}; repaired: {', '.join(trees) or 'no tree'}"


def _changed(found: Evaluation, both: Beside) -> str:
    """The metrics whose F1 the files as they stand have otherwise, and both values."""
    said = []
    for name, count in found.figures().items():
        here = both.ours.get(name)
        if count and here and not equal(count.f1, here["f1"]):
            said.append(f"{name} {_points(count.f1)} ({_points(here['f1'])} here)")
    return ", ".join(said)


def _named(repair: Repair) -> str:
    return f"sentence {repair.sent_id}: " if repair.sent_id else ""
