"""Changes as clients take them: in their positions, whatever the text."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.conllu.editing.replacing import Replacement, applied, line_offsets
from goldlens.scoring.conllu.editing.words import Impossible, inserted
from goldlens.scoring.text import BOM
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.lsp.asking import Asked
from goldlens.server.lsp.edits import text_edits
from goldlens.server.spot import spot_at
from goldlens.server.views import offers
from goldlens.server.views.completing import proposals
from goldlens.server.views.repairing import all_of, fixes
from goldlens.server.views.trying import Change
from goldlens.server.views.whole import CODES, MARK, of_file
from tests.strategies import fragments, texts

ENCODINGS = st.sampled_from(list(Encoding))
PLACES = st.tuples(st.integers(0, 30), st.integers(0, 40))


def asked(document: Document, encoding: Encoding) -> Asked:
    return Asked("file:///a", document, None, None, encoding)


def edited(document: Document, edits: list[Any], encoding: Encoding) -> bytes:
    """What an editor makes of edits, whose positions are all of the text as it was."""
    text = document.text()
    offsets, found = line_offsets(text), [*lines(text), b""]

    def offset(place: Any) -> int:
        line = found[place["line"]].rstrip(b"\r\n")
        return offsets[place["line"]] + encoding.to_byte(line, place["character"])

    return applied(
        text,
        [
            Replacement(
                offset(each["range"]["start"]),
                offset(each["range"]["end"]),
                each["newText"].encode(),
            )
            for each in edits
        ],
    )


def expected(document: Document, change: Change) -> bytes:
    units = [unit.text for unit in document.units]
    text = b"".join(units)
    before = sum(map(len, units[: change.first]))
    moved = [Replacement(e.start + before, e.end + before, e.new) for e in change.edits]
    mark = BOM if document.bom and change is not MARK else b""
    return mark + applied(text, moved)


@given(texts(), fragments(), ENCODINGS)
@settings(max_examples=80)
def test_an_editor_makes_of_it_what_was_meant(text: str, more: str, encoding: Encoding) -> None:
    document = Document(UD, (text + more).encode())
    changes = [fix.change for code in CODES for fix in of_file(document, code)]
    for number, unit in enumerate(document.units[:4]):
        changes += [f.change for p in unit.problems for f in fixes(document, None, number, p)]
        changes += all_of(document, None, number, None)
        spot = spot_at(document, int(document.line_starts[number]), 0, encoding)
        if spot is not None and spot.sentence.rows:
            try:
                edits = inserted(spot.sentence, spot.sentence.rows[0].line, "🧀")
            except Impossible:
                continue
            changes.append(Change(number, number + 1, edits))
    for change in changes:
        made = list(text_edits(asked(document, encoding), change))
        assert edited(document, made, encoding) == expected(document, change)


@given(texts(), texts(), fragments(), PLACES, PLACES, ENCODINGS)
@settings(max_examples=80)
def test_any_place_will_do(
    gold: str,
    pred: str,
    more: str,
    start: tuple[int, int],
    end: tuple[int, int],
    encoding: Encoding,
) -> None:
    """Also one that is not there."""
    document = Document(UD, (pred + more).encode())
    pair = Pair(UD, Document(UD, gold.encode()), document)
    stretch = offers.stretch(document, pair, start, end)
    for found in offers.problems(document, pair, stretch):
        touched = offers.touches(found, stretch, encoding, document)
        assert touched in (True, False)
    spot = spot_at(document, *start, encoding)
    if spot is not None and (found_here := proposals(spot, start[0], pair)) is not None:
        line = document.line(start[0])
        part = line[found_here.start : found_here.end].decode("utf-8", "replace")
        assert part == found_here.old
        assert all(each.text for each in found_here.proposals)
