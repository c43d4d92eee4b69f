"""From a word to its head, its dependents and its counterpart in gold."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.scoring.conllu.rows import DEPS, FORM, Kind
from goldlens.scoring.conllu.sentence import Row, Sentence
from goldlens.scoring.task import PRED
from goldlens.server.arguments import table
from goldlens.server.facing import facing
from goldlens.server.lsp.asking import Asked, Location, at
from goldlens.server.spot import Spot, sentence_of

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

_EDGE: Final = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?:")


def definition(ls: GoldlensServer, params: Any) -> asyncio.Future[Location | None]:
    """The head of a word; in DEPS, the head of the edge under the cursor. Raises WrongCall."""
    return at(ls, params, _definition)


def _definition(asked: Asked, spot: Spot) -> Location | None:
    row = spot.row
    if row is None:
        return None
    head: Row | None = None
    if spot.column == DEPS:
        head = _edge_at(spot.sentence, row, spot.offset)
    elif row.kind is Kind.WORD:
        head = spot.sentence.words.get(spot.sentence.head(row) or 0)
    elif row.kind is Kind.RANGE:
        head = spot.sentence.words.get(row.first)
    elif row.kind is Kind.EMPTY_NODE:
        head = _edge_at(spot.sentence, row, 0)
    return None if head is None else _word(asked, spot, head)


def _edge_at(sentence: Sentence, row: Row, offset: int) -> Row | None:
    """The head of the edge of DEPS that an offset is in, which may be an empty node."""
    start, _ = row.span(DEPS)
    before = row.text[start : max(start, offset)].count(b"|")
    return _head_of(sentence, row.cell(DEPS).split("|")[before])


def _head_of(sentence: Sentence, edge: str) -> Row | None:
    match = _EDGE.match(edge)
    if match is None:
        return None
    if match[2] is None:
        return sentence.words.get(int(match[1]))
    wanted = int(match[1]), int(match[2])
    nodes = (each for each in sentence.rows if each.kind is Kind.EMPTY_NODE)
    return next((each for each in nodes if (each.first, each.second) == wanted), None)


def _below(sentence: Sentence, row: Row) -> list[Row] | None:
    """The dependents of a word; of an empty node, those of the enhanced graph. Others have none."""
    if row.kind is Kind.WORD:
        return sentence.dependents(row.first)
    if row.kind is not Kind.EMPTY_NODE:
        return None
    return [
        each
        for each in sentence.rows
        if any(_head_of(sentence, edge) is row for edge in each.cell(DEPS).split("|"))
    ]


def declaration(ls: GoldlensServer, params: Any) -> asyncio.Future[Location | None]:
    """The line of gold that a line faces. Raises WrongCall."""
    return at(ls, params, _declaration)


def _declaration(asked: Asked, spot: Spot) -> Location | None:
    if asked.pair is None or asked.gold_uri is None:
        return None
    gold = asked.pair.gold
    found = facing(asked.pair, PRED, spot.unit)
    word = found.words.get(spot.row.first) if spot.row and spot.row.kind is Kind.WORD else None
    if word is not None:
        row = sentence_of(gold, word.unit).words[word.number]
        line = int(gold.line_starts[word.unit]) + row.line
        return asked.location(line, *row.span(min(spot.column, len(row.cells) - 1)), gold=True)
    # A comment, a token or a word that gold lacks: the sentence that some word of it is in.
    units = [each.unit for each in found.words.values()] or list(found.units)
    if not units:
        return None
    line = int(gold.line_starts[min(units)])
    return asked.location(line, 0, len(gold.line(line)), gold=True)


def references(ls: GoldlensServer, params: Any) -> asyncio.Future[list[Location] | None]:
    """The dependents of a word, and the word itself if that is asked for. Raises WrongCall."""
    context = table(params, "params").get("context")
    itself = isinstance(context, dict) and context.get("includeDeclaration") is True

    def answer(asked: Asked, spot: Spot) -> list[Location] | None:
        row = spot.row
        below = None if row is None else _below(spot.sentence, row)
        if row is None or below is None:
            return None
        rows = [*([row] if itself else []), *below]
        return [_word(asked, spot, each) for each in rows]

    return at(ls, params, answer)


def highlight(ls: GoldlensServer, params: Any) -> asyncio.Future[list[dict[str, Any]] | None]:
    """A word, its head and its dependents. Raises WrongCall."""
    return at(ls, params, _highlight)


def _highlight(asked: Asked, spot: Spot) -> list[dict[str, Any]] | None:
    row = spot.row
    below = None if row is None else _below(spot.sentence, row)
    if row is None or below is None:
        return None
    head = spot.sentence.words.get(spot.sentence.head(row) or 0)
    if row.kind is Kind.EMPTY_NODE:
        head = _edge_at(spot.sentence, row, 0)
    shown = [(row, types.DocumentHighlightKind.Write)]
    if head is not None and head is not row:
        shown.append((head, types.DocumentHighlightKind.Read))
    shown += [
        (each, types.DocumentHighlightKind.Text)
        for each in below
        if each is not row and each is not head
    ]
    return [
        {"range": asked.range(spot.base + each.line, *each.span(FORM)), "kind": int(kind)}
        for each, kind in shown
    ]


def _word(asked: Asked, spot: Spot, row: Row) -> Location:
    return asked.location(spot.base + row.line, *row.span(FORM))


FEATURES: Final = {
    types.TEXT_DOCUMENT_DEFINITION: definition,
    types.TEXT_DOCUMENT_DECLARATION: declaration,
    types.TEXT_DOCUMENT_REFERENCES: references,
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: highlight,
}
"""Each method and what handles it."""
