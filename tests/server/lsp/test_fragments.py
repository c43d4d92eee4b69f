"""Ready-made pieces say the same as diagnostics built one by one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from goldlens.scoring.problems import Place, Problem, Related, Severity, Side, problem
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.engine.listing import Located
from goldlens.server.engine.positions import Encoding
from goldlens.server.lsp.fragments import Fragments

HERE, GOLD = "file:///p%20red", "file:///g%d"

SENTENCE = "# sent_id = {}\n1\tWé\U0001f600x\twe\tX\t_\t_\t0\troot\t_\t_\n\n"


@dataclass(frozen=True)
class Shown:
    shown: Sequence[Located]
    document: Document
    gold: Document | None = None
    gold_uri: str | None = None
    more: int = 0


def text(*ids: str) -> bytes:
    return "".join(SENTENCE.format(each) for each in ids).encode()


def plain(listing: Shown, encoding: Encoding, related: bool) -> list[dict[str, Any]]:
    """The same, with nothing kept and nothing clever."""

    def where(place: Place, found: Located) -> dict[str, Any]:
        document = listing.document if place.side is Side.HERE else listing.gold
        assert document is not None
        line = int(document.line_starts[found.unit(place)]) + place.line
        raw = document.line(line)
        shift = 0
        if line == 0 and document is listing.document and document.bom:
            shift = 3 if encoding is Encoding.UTF8 else 1
        columns = [encoding.from_byte(raw, at) + shift for at in (place.start, place.end)]
        start, end = ({"line": line, "character": column} for column in columns)
        return {"start": start, "end": end}

    found = []
    for each in listing.shown:
        p = each.problem
        href = f"https://goldlens.readthedocs.io/en/latest/codes/{p.code}/"
        made: dict[str, Any] = {
            "range": where(p.place, each),
            "severity": int(each.severity),
            "code": p.code,
            "codeDescription": {"href": href},
            "source": "goldlens",
            "message": p.message,
        }
        if related and p.related:
            made["relatedInformation"] = [
                {
                    "location": {
                        "uri": HERE if r.place.side is Side.HERE else listing.gold_uri,
                        "range": where(r.place, each),
                    },
                    "message": r.message,
                }
                for r in p.related
            ]
        found.append(made)
    return found


def located(listing: Document, p: Problem, here: int = 0, there: int = 0) -> Located:
    line = int(listing.line_starts[here + p.place.unit]) + p.place.line
    return Located(p, p.severity, line, here, there, order=line)


ODD = problem("las-error", Place(0, 1, 2, 9), "100 % of %d “ü” \ud83d\u2028\U0001f600")
LINKED = problem(
    "head-cycle",
    Place(0, 1, 2, 9),
    "a ring",
    related=(
        Related(Place(1, 1, 2, 9), "100 %s here"),
        Related(Place(1, 1, 5, 9, Side.THERE), "there"),
    ),
)


@pytest.mark.parametrize("encoding", list(Encoding))
@pytest.mark.parametrize("related", [True, False])
def test_the_same_as_built_one_by_one(encoding: Encoding, related: bool) -> None:
    document, gold = Document(UD, text("a", "b", "c")), Document(UD, text("x", "a", "b", "c"))
    pieces = Fragments(HERE, encoding, related=related)
    for first, second in ((0, 1), (1, 3)):
        found = [
            located(document, ODD, first),
            located(document, LINKED, first, second),
            located(document, ODD, first + 1),
            located(document, LINKED, first + 1, second + 1),
        ]
        listing = Shown(found, document, gold, GOLD)
        rendered = pieces.render(listing, 250)
        assert rendered.isascii()
        assert json.loads(rendered) == plain(listing, encoding, related)
        # The second time everything lies lower, here and in gold by different amounts.
        document = Document(UD, text("new", "a", "b", "c"))
        gold = Document(UD, text("new", "newer", "x", "a", "b", "c"))


def test_a_severity_that_changes_is_seen() -> None:
    document = Document(UD, text("a"))
    pieces = Fragments(HERE, Encoding.UTF16, related=True)
    found = located(document, ODD)
    for severity in (Severity.ERROR, Severity.HINT):
        listing = Shown([replace(found, severity=severity)], document)
        assert json.loads(pieces.render(listing, 250))[0]["severity"] == int(severity)


def test_a_gold_that_changes_is_seen() -> None:
    document, gold = Document(UD, text("a", "b")), Document(UD, text("a", "b"))
    pieces = Fragments(HERE, Encoding.UTF16, related=True)
    for uri in (GOLD, "file:///other", None):
        known = gold if uri else None
        listing = Shown([located(document, LINKED)], document, known, uri)
        [found] = json.loads(pieces.render(listing, 250))
        uris = [r["location"]["uri"] for r in found["relatedInformation"]]
        assert uris == [HERE, *([uri] if uri else [])]


@pytest.mark.parametrize("encoding", list(Encoding))
def test_the_first_line_behind_a_byte_order_mark(encoding: Encoding) -> None:
    document = Document(UD, b"\xef\xbb\xbf" + text("a"))
    first = problem("blank-line", Place(0, 0, 2, 4), "first line")
    other = problem("las-error", Place(0, 1, 2, 4), "second line")
    mark = problem("bom", Place(0, 0, 0, 0), "the mark")
    pieces = Fragments(HERE, encoding, related=True)
    listing = Shown([located(document, p) for p in (first, other)], document)
    assert json.loads(pieces.render(listing, 250)) == plain(listing, encoding, True)
    listing = Shown([located(document, mark)], document)
    [found] = json.loads(pieces.render(listing, 250))
    assert found["range"]["start"] == found["range"]["end"] == {"line": 0, "character": 0}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (1, "1 more problem is not shown (maxProblems is 7)"),
        (2751, "2751 more problems are not shown (maxProblems is 7)"),
    ],
)
def test_what_is_cut_is_said(more: int, said: str) -> None:
    listing = Shown([], Document(UD, text("a")), more=more)
    [found] = json.loads(Fragments(HERE, Encoding.UTF16, related=True).render(listing, 7))
    assert (found["code"], found["severity"], found["message"]) == ("problems-cut", 4, said)
    assert found["range"]["end"] == {"line": 0, "character": 0}


def test_nothing_to_show() -> None:
    listing = Shown([], Document(UD, b""))
    assert Fragments(HERE, Encoding.UTF8, related=True).render(listing, 250) == "[]"


def test_only_what_is_shown_is_kept() -> None:
    document = Document(UD, text("a"))
    pieces = Fragments(HERE, Encoding.UTF8, related=True)
    for k in range(50):
        passing = problem("las-error", Place(0, 1, 2, 9), f"number {k}")
        pieces.render(Shown([located(document, passing)], document), 250)
    assert len(pieces._pieces) == 1
