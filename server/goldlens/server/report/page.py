"""A report as one page of HTML that holds all it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Final

from goldlens.server.report import plots, trees
from goldlens.server.report.values import Drawing, Part, Report, Score, Sentence, Table

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What the page may load: nothing; its style stands in it."""


def page(report: Report) -> str:
    """The page. Raises NoPlots if matplotlib is not installed."""
    sections = list(_sections(report))
    links = "".join(f'<a href="#{name}">{escape(title)}</a>' for name, title, _ in sections)
    body = "".join(
        f'<section id="{name}"><h2>{escape(title)}</h2>{html}</section>'
        for name, title, html in sections
    )
    style = files("goldlens.server.report").joinpath("style.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(report.title)}</title><style>{style}</style></head><body>"
        f"<header><h1>{escape(report.title)}</h1>{_facts(report.facts)}</header>"
        f'<nav aria-label="Sections">{links}</nav><main>{body}</main></body></html>\n'
    )


def _sections(report: Report) -> Iterator[tuple[str, str, str]]:
    """Each section's name, title and content; what there is nothing to say of is left out."""
    yield "scores", "Scores", _scores(report.scores, report.level)
    for number, part in enumerate(report.parts):
        yield f"part-{number}", part.title, _part(part, f"part-{number}")
    if report.sentences:
        yield "worst", "The worst sentences", _worst(report.sentences)


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts)
    return f"<dl>{rows}</dl>"


def _scores(scores: Sequence[Score], level: float) -> str:
    drawn = [
        plots.Point(each.name, each.score, *each.ci)
        for each in scores
        if each.score is not None and each.ci is not None
    ]
    caption = "Dots are scores, lines their intervals"
    figure = _figure(plots.intervals(drawn), caption) if drawn else ""
    rows = [
        (
            each.name,
            "–" if each.score is None else f"{each.score:.2f}",
            "–" if each.ci is None else f"{each.ci[0]:.2f} – {each.ci[1]:.2f}",
            *("–" if n is None else f"{n:,}" for n in (each.correct, each.gold, each.predicted)),
        )
        for each in scores
    ]
    head = ("Metric", "Score", f"{100 * level:g}% interval", "Correct", "Gold", "Predicted")
    return figure + _table(Table(head, rows))


def _part(part: Part, name: str) -> str:
    said = "".join(f'<p class="aside">{escape(line)}</p>' for line in part.said)
    figures = "".join(
        _figure(_drawn(drawing, f"{name}-{number}"), caption)
        for number, (caption, drawing) in enumerate(part.drawings)
    )
    return said + figures + "".join(map(_table, part.tables))


def _drawn(drawing: Drawing, name: str) -> str:
    if isinstance(drawing, plots.Matrix):
        return plots.matrix(drawing, name)
    if isinstance(drawing, plots.Curve):
        return plots.curve(drawing, name)
    return plots.bars(drawing, name)


def _worst(sentences: Sequence[Sentence]) -> str:
    html = (
        '<p class="aside">Those that lose most attachments. Gold’s arcs stand above the words, the '
        "prediction’s below; wrong ones are dashed below and heavy above. A word that only gold "
        "has is not drawn.</p>"
    )
    for sentence in sentences:
        name = escape(f"{sentence.name}, line {sentence.line}")
        html += f"<h3>{name}: {sentence.wrong:,} of {sentence.words:,} wrong</h3>"
        if not sentence.tree:
            html += '<p class="aside">Too long to be drawn.</p>'
            continue
        # So that it is seen from its beginning.
        side = ' dir="rtl"' if trees.from_the_right(sentence.tree) else ""
        html += (
            f'<div class="sentence" tabindex="0" role="region" aria-label="{name}"{side}>'
            f"{trees.drawn(sentence.tree)}</div>"
        )
    return html


def _figure(svg: str, caption: str) -> str:
    said = escape(caption)
    return f'<figure role="img" aria-label="{said}">{svg}<figcaption>{said}</figcaption></figure>'


def _table(table: Table) -> str:
    def cells(values: Sequence[str], tag: str, scope: str = "") -> str:
        return "".join(
            f"<{tag}{scope}{' class=text' if k in table.left else ''}>{escape(value)}</{tag}>"
            for k, value in enumerate(values)
        )

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in table.rows)
    titles = cells(table.head, "th", ' scope="col"')
    html = f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"
    if not table.fold:
        return html
    return f"<details><summary>{escape(table.fold)}</summary>{html}</details>"
