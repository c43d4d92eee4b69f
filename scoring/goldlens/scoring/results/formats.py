"""Results rows as text: Markdown, CSV, JSON, LaTeX, and the metadata of a model card.

What is undefined is n/a in a printed table, empty in CSV and null in JSON and YAML.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from goldlens.scoring.bootstrap import Interval
from goldlens.scoring.results.rows import Row

UNDEFINED: Final = "n/a"

Key: TypeAlias = tuple[str, ...]
"""What names a row in a file: component, language, dataset, metric; a table has no dataset."""

_LINE_ENDS: Final = re.compile("[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")


class RowsFileError(ValueError):
    """A file that rows should go into cannot be read as one. `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def header(level: float) -> tuple[str, ...]:
    """The head of the printed table, for intervals of that level."""
    ci = f"{level * 100:.10g}% CI"
    return ("Component", "Language", "Metric", "Score", ci, "Reference", "Within noise")


def cells(row: Row) -> tuple[str, ...]:
    """The cells of a row of the printed table, not escaped: points to two decimals."""
    noise = row.within_noise
    return (
        row.labels.component,
        row.labels.language,
        row.metric,
        points_cell(row.score),
        interval_cell(row.ci),
        "" if row.reference is None else points_cell(row.reference),
        "" if noise is None else ("yes" if noise else "no"),
    )


def points_cell(value: float | None) -> str:
    """Points to two decimals; what is next to nothing is 0.00, on either side of it."""
    # Adding 0.0 makes 0.0 of -0.0.
    return UNDEFINED if value is None else f"{round(value, 2) + 0.0:.2f}"


def interval_cell(ci: Interval | None) -> str:
    """The bounds of an interval to two decimals."""
    return UNDEFINED if ci is None else f"[{points_cell(ci.low)}, {points_cell(ci.high)}]"


def one_line(text: str) -> str:
    """A text without line ends, as a cell has to be."""
    return _LINE_ENDS.sub(" ", text).strip()


_MARKDOWN: Final = str.maketrans({c: f"\\{c}" for c in "\\|<`*"})


def markdown_line(texts: Iterable[str]) -> str:
    """A line of a Markdown table, of cells that are not escaped yet."""
    return f"| {' | '.join(one_line(text).translate(_MARKDOWN) for text in texts)} |"


def markdown(rows: Sequence[Row]) -> str:
    """A Markdown table."""
    head = header(_level(rows))
    lines = [markdown_line(head), f"| {' | '.join(['---'] * len(head))} |"]
    return "\n".join([*lines, *(markdown_line(cells(row)) for row in rows)]) + "\n"


def as_json(rows: Sequence[Row]) -> str:
    """A list of objects with all fields, full precision."""
    return json_text([row.as_dict() for row in rows])


def json_text(objects: Sequence[Mapping[str, Any]]) -> str:
    """Objects as a row file has them."""
    return json.dumps(objects, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def flat(row: Row) -> dict[str, str]:
    """All fields as CSV has them: an interval is two, versions are `NAME=VERSION ...`."""
    found: dict[str, str] = {}
    for name, value in row.as_dict().items():
        if name.endswith("ci"):
            low, high = value or ("", "")
            found |= {f"{name}_low": str(low), f"{name}_high": str(high)}
        elif isinstance(value, dict):
            found[name] = " ".join(f"{key}={text}" for key, text in value.items())
        elif isinstance(value, bool):
            found[name] = "true" if value else "false"
        else:
            # The csv module reads a CR by itself as the end of a line, and does not quote it.
            text = "" if value is None else str(value)
            found[name] = text.replace("\r\n", "\n").replace("\r", "\n")
    return found


def as_csv(rows: Sequence[Row]) -> str:
    """Comma-separated values (RFC 4180, lines ending at LF), full precision."""
    return csv_text(list(FIELDS), [flat(row) for row in rows])


def csv_text(
    fields: Sequence[str], records: Sequence[Mapping[str, str]], line_end: str = "\n"
) -> str:
    """Records as comma-separated values under a header."""
    out = io.StringIO()
    writer = csv.DictWriter(out, fields, restval="", lineterminator=line_end)
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue()


FIELDS: Final = (
    "component", "language", "dataset", "metric", "score", "ci_low", "ci_high", "reference",
    "reference_ci_low", "reference_ci_high", "reference_source", "within_noise", "resamples",
    "level", "seed", "units", "precision", "recall", "correct", "gold", "predicted", "difference",
    "difference_ci_low", "difference_ci_high", "differ", "signature", "versions", "gold_sha256",
    "pred_sha256",
)  # fmt: skip
"""The columns of the CSV form."""

_TEX: Final = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
    }
)


def latex_line(texts: Iterable[str]) -> str:
    r"""A line of a tabular, of cells that are not escaped yet, with the `\\` that ends it."""
    line = " & ".join(one_line(text).translate(_TEX) for text in texts) + r" \\"
    # After the \\ or \midrule of the line before, this would be an argument of that.
    return "{}" + line if line.startswith(("[", "*")) else line


def latex(rows: Sequence[Row]) -> str:
    """A LaTeX tabular, ruled by the package booktabs."""
    lines = [r"\begin{tabular}{lllrrrl}", r"\toprule", latex_line(header(_level(rows)))]
    lines += [r"\midrule", *(latex_line(cells(row)) for row in rows)]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _level(rows: Sequence[Row]) -> float:
    return rows[0].resampling.level if rows else 0.95


def _model_index(rows: Sequence[Row]) -> str:
    # Not sooner: only this form needs YAML.
    from goldlens.scoring.results.card import model_index

    return model_index(rows)


FORMATS: Final[Mapping[str, Callable[[Sequence[Row]], str]]] = {
    "markdown": markdown,
    "json": as_json,
    "csv": as_csv,
    "latex": latex,
    "hf": _model_index,
}
"""How rows can be written, by the name of the format."""
