"""Results of a study as text: Markdown to read, CSV to compute with.

In Markdown figures have two decimals and an undefined one is `n/a`; in CSV they are unrounded and
an undefined one is an empty cell.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

from goldlens.scoring.stemming.correlation import Correlation
from goldlens.scoring.stemming.indices import INDICES, metrics
from goldlens.scoring.stemming.policies import Pairs
from goldlens.scoring.stemming.study import Row
from goldlens.scoring.stemming.summaries import Comparison, Mean, Ranking, Summary

UNDEFINED: Final = "n/a"
_COUNTS: Final = ("under_error", "under_possible", "over_error", "over_possible")


def rows_csv(rows: Iterable[Row]) -> str:
    """The rows, a line each."""
    return _csv([row.as_dict() for row in rows], tuple(_ROW))


_ROW: Final = (
    "stemmer", "language", "mode", "policy", "forms", *_COUNTS, *INDICES,
    "dictionary", "version", "sha256", "default",
)  # fmt: skip


def correlations_csv(correlations: Iterable[Correlation], which: str) -> str:
    """One kind of correlation, `pearson` or `spearman`, a line for each two indices."""
    columns = ("mode", "policy", "a", "b", "observations", which, "missing")
    return _csv([each.as_dict() for each in correlations], columns)


def audit_csv(audit: Iterable[dict[str, object]]) -> str:
    """The worst groups, the forms of each as `form=stem|stem` with blanks between."""
    lines = []
    for each in audit:
        stems = each["stems"]
        assert isinstance(stems, dict)
        shown = " ".join(f"{form}={'|'.join(its)}" for form, its in stems.items())
        lines.append({**each, "stems": shown})
    columns = (
        "stemmer", "language", "dictionary", "mode", "policy", "rank", "line", "lemma",
        "under_error", "under_possible", "over_error", "stems",
    )  # fmt: skip
    return _csv(lines, columns)


def markdown(
    rows: Sequence[Row],
    summaries: Sequence[Summary],
    comparisons: Sequence[Comparison],
    rankings: Sequence[Ranking],
    correlations: Sequence[Correlation],
    audit: Sequence[dict[str, object]],
    metric: str,
) -> str:
    """The results in sections. Of the correlations only those with `metric` are shown."""
    parts = ["# Stemming quality\n", _rows(rows)]
    parts += [_summaries(summaries)] if summaries else []
    parts += [_rankings(rankings)] if rankings else []
    parts += [_comparisons(comparisons)] if comparisons else []
    parts += [_correlations(correlations, metric)] if correlations else []
    parts += [_audit(audit)] if audit else []
    return "\n".join(parts)


def figure(value: float | None) -> str:
    """A figure to two decimals; n/a if undefined."""
    return UNDEFINED if value is None else f"{value:.2f}"


def counts(pairs: Pairs) -> tuple[str, str]:
    """Wrong pairs of possible ones, under and over."""
    return (
        f"{pairs.under_error:,} / {pairs.under_possible:,}",
        f"{pairs.over_error:,} / {pairs.over_possible:,}",
    )


def table(header: Sequence[str], lines: Iterable[Sequence[object]], left: int = 1) -> str:
    """A Markdown table, the first `left` columns to the left, the others to the right."""
    marks = ["---" if k < left else "---:" for k in range(len(header))]
    every = [header, marks, *([_cell(cell) for cell in line] for line in lines)]
    return "".join(f"| {' | '.join(line)} |\n" for line in every)


def _cell(cell: object) -> str:
    text = figure(cell) if isinstance(cell, float) or cell is None else str(cell)
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def _rows(rows: Sequence[Row]) -> str:
    header = (
        "Stemmer", "Language", "Dictionary", "Mode", "Policy", "Forms", "Under", "Over",
        *INDICES.values(),
    )  # fmt: skip
    lines = [
        (
            *(row.key.stemmer, row.key.language, _dictionary(row), row.key.mode, row.key.policy),
            f"{row.pairs.forms:,}",
            *counts(row.pairs),
            *row.indices.values(),
        )
        for row in rows
    ]
    versions = {
        (row.key.dictionary, row.key.language, row.version, row.sha256): None for row in rows
    }
    text = "## Rows\n\n" + table(header, lines, 5)
    text += "\nWrong pairs stand before the possible ones. Figures are points.\n\n"
    return text + table(("Dictionary", "Language", "Version", "SHA-256"), versions, 4)


def _dictionary(row: Row) -> str:
    return row.key.dictionary if row.default else f"{row.key.dictionary} (not the default)"


def _summaries(summaries: Sequence[Summary]) -> str:
    header = ("Stemmer", "Mode", "Policy", "Languages", "", *INDICES.values())
    lines: list[Sequence[object]] = []
    for each in summaries:
        name = (each.stemmer, each.mode, each.policy, len(each.languages))
        lines.append((*name, "micro", *each.micro.values()))
        lines.append((*name, "macro", *map(_mean, each.macro.values())))
    note = (
        "\nMicro adds the counts of the default dictionaries; macro is the mean of the defined "
        "values, and in brackets how many there were.\n"
    )
    return "## Summaries\n\n" + table(header, lines, 3) + note


def _mean(mean: Mean) -> str:
    return UNDEFINED if mean.value is None else f"{mean.value:.2f} ({mean.defined})"


def _rankings(rankings: Sequence[Ranking]) -> str:
    text = "## Rankings\n"
    for each in rankings:
        languages = ", ".join(each.languages) or "none"
        text += f"\n{INDICES[each.metric]}, {each.mode}, {each.policy}; macro over the languages "
        text += f"that all have: {languages}\n\n"
        lines = [
            (UNDEFINED if rank is None else rank, stemmer, _mean(mean))
            for rank, stemmer, mean in each.places
        ]
        text += table(("Rank", "Stemmer", INDICES[each.metric]), lines, 2)
    return text


def _comparisons(comparisons: Sequence[Comparison]) -> str:
    header = (
        "A", "B", "Mode", "Policy", "Metric", "Common languages",
        "A micro", "B micro", "A − B", "A macro", "B macro", "A − B",
    )  # fmt: skip
    lines = []
    for each in comparisons:
        told = each.as_dict()
        name = (each.a, each.b, each.mode, each.policy, INDICES[each.metric])
        lines.append(
            (
                *name,
                ", ".join(each.languages),
                *(each.micro[0], each.micro[1], told["micro_difference"]),
                *(_mean(each.macro[0]), _mean(each.macro[1]), told["macro_difference"]),
            )
        )
    return "## Comparisons\n\n" + table(header, lines, 6)


def _correlations(correlations: Sequence[Correlation], metric: str) -> str:
    header = ("Mode", "Policy", "A", "B", "Rows", "Pearson", "Spearman")
    lines: list[Sequence[object]] = []
    for each in correlations:
        if metric in metrics(each.policy) and metric not in (each.a, each.b):
            continue
        values = [
            each.missing if value is None else f"{value:.4f}"
            for value in (each.pearson, each.spearman)
        ]
        names = (each.mode, each.policy, INDICES[each.a], INDICES[each.b])
        lines.append((*names, each.observations, *values))
    note = f"\nThose with {INDICES[metric]}, where there is one; the CSV files have all.\n"
    return "## Correlations\n\n" + table(header, lines, 4) + note


def _audit(audit: Sequence[dict[str, object]]) -> str:
    header = (
        "Stemmer", "Language", "Mode", "Policy", "Lemma", "Line", "Under", "Over", "Stems",
    )  # fmt: skip
    lines: list[Sequence[object]] = []
    for each in audit:
        stems = each["stems"]
        assert isinstance(stems, dict)
        shown = ", ".join(f"{form} → {'/'.join(its)}" for form, its in stems.items())
        names = [each[name] for name in ("stemmer", "language", "mode", "policy", "lemma", "line")]
        under = f"{each['under_error']} / {each['under_possible']}"
        lines.append((*names, under, each["over_error"], shown))
    return "## Worst groups\n\n" + table(header, lines, len(header))


def _csv(lines: Iterable[dict[str, object]], columns: Sequence[str]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    for line in lines:
        # repr of a float has all its digits; None comes out as an empty cell.
        writer.writerow({name: _plain(line[name]) for name in columns})
    return file.getvalue()


def _plain(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value
