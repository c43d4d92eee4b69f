"""Results rows: what goes into the table of a paper."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from goldlens.scoring.counts import Count
from goldlens.scoring.signature import goldlens_version

NOISE: Final = 0.5
"""Points within which a published number without an interval is not told apart from ours."""

HEADER: Final = (
    "Component", "Language", "Metric", "Score", "95% CI", "Reference", "Within noise",
)  # fmt: skip


class UnknownMetric(ValueError):
    """A metric was asked for that the task does not have."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(f"unknown metric {name!r}; this task has {', '.join(known)}")


@dataclass(frozen=True, slots=True)
class Labels:
    """What a row says besides its numbers."""

    component: str = ""
    language: str = ""
    dataset: str = ""
    reference_source: str = ""
    references: Mapping[str, float] = field(default_factory=dict)
    signature: str = ""
    gold_sha256: str = ""
    pred_sha256: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One metric of one system. `score` and the rest are points; None is undefined."""

    labels: Labels
    metric: str
    score: float | None
    count: Count | None
    reference: float | None
    units: int

    @property
    def within_noise(self) -> bool | None:
        """Whether the reference is within 0.5 points of the score; None without a reference."""
        if self.reference is None or self.score is None:
            return None
        return abs(self.reference - self.score) <= NOISE

    def as_dict(self) -> dict[str, object]:
        """All fields, as the JSON form has them. Intervals are not computed yet: null."""
        labels, count = self.labels, self.count
        return {
            "component": labels.component,
            "language": labels.language,
            "dataset": labels.dataset,
            "metric": self.metric,
            "score": self.score,
            "ci": None,
            "reference": self.reference,
            "reference_ci": None,
            "reference_source": labels.reference_source,
            "within_noise": self.within_noise,
            "resamples": None,
            "level": None,
            "seed": None,
            "units": self.units,
            "precision": None if count is None else count.precision,
            "recall": None if count is None else count.recall,
            "correct": None if count is None else count.correct,
            "gold": None if count is None else count.gold,
            "predicted": None if count is None else count.predicted,
            "difference": None,
            "difference_ci": None,
            "differ": None,
            "signature": labels.signature,
            "versions": {"goldlens": goldlens_version()},
            "gold_sha256": labels.gold_sha256,
            "pred_sha256": labels.pred_sha256,
        }

    def cells(self) -> tuple[str, ...]:
        """The cells of the printed table."""
        noise = self.within_noise
        return (
            self.labels.component,
            self.labels.language,
            self.metric,
            _points(self.score),
            "n/a",
            _points(self.reference) if self.reference is not None else "",
            "" if noise is None else ("yes" if noise else "no"),
        )


def rows(
    figures: Mapping[str, Count | None], names: Sequence[str], labels: Labels, units: int
) -> list[Row]:
    """The rows of the metrics `names` (all of `figures`, if empty).

    `NAME.precision` and `NAME.recall` give those instead of F1. Raises UnknownMetric for a name,
    or a reference's name, that is not among the figures.
    """
    for name in [*names, *labels.references]:
        base, _, part = name.partition(".")
        if base not in figures or part not in ("", "precision", "recall"):
            raise UnknownMetric(name, figures)
    found = []
    for name in names or list(figures):
        base, _, part = name.partition(".")
        count = figures[base]
        score = None if count is None else float(getattr(count, part or "f1"))
        found.append(Row(labels, name, score, count, labels.references.get(name), units))
    return found


def _points(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.2f}"


def markdown(table: Sequence[Row]) -> str:
    """A Markdown table."""
    lines = [_piped(HEADER), _piped(["---"] * len(HEADER))]
    lines += [_piped([cell.replace("|", "\\|") for cell in row.cells()]) for row in table]
    return "\n".join(lines) + "\n"


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def as_json(table: Sequence[Row]) -> str:
    """A list of objects with all fields."""
    return json.dumps([row.as_dict() for row in table], ensure_ascii=False, indent=2) + "\n"


def as_csv(table: Sequence[Row]) -> str:
    """Comma-separated values, with the fields of the JSON form that are plain."""
    out = io.StringIO()
    plain = [name for name in (table[0].as_dict() if table else {}) if name != "versions"]
    writer = csv.DictWriter(out, plain, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(row.as_dict() for row in table)
    return out.getvalue()


_TEX: Final = {c: f"\\{c}" for c in "&%$#_{}"} | {"~": r"\textasciitilde{}", "^": r"\^{}"}


def latex(table: Sequence[Row]) -> str:
    """A LaTeX table for the booktabs package."""
    lines = [r"\begin{tabular}{lllrrrl}", r"\toprule", _tex(HEADER), r"\midrule"]
    lines += [_tex(row.cells()) for row in table]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _tex(cells: Iterable[str]) -> str:
    escaped = ("".join(_TEX.get(c, c) for c in cell.replace("\\", "/")) for cell in cells)
    return " & ".join(escaped) + r" \\"


FORMATS: Final[Mapping[str, Callable[[Sequence[Row]], str]]] = {
    "markdown": markdown,
    "json": as_json,
    "csv": as_csv,
    "latex": latex,
}
"""How rows can be written, by the name of the format."""
