"""textDocument/documentSymbol: the sentences of a document, and their trees."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.scoring.conllu.rows import DEPREL, FORM, UPOS
from goldlens.scoring.conllu.sentence import Row, Sentence, sentence
from goldlens.server.lsp.asking import Asked, Range, position
from goldlens.server.lsp.protocol import Ready
from goldlens.server.lsp.slices import listed

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

MOST_WORDS: Final = 20_000
"""In a document of more words the sentences are listed without their trees."""

_SAID: Final = re.compile(rb"(?:\A|[\r\n])# text = ([^\r\n]*)")
_DEPTH: Final = 100
_TEXT: Final = 120


def outline(ls: GoldlensServer, params: Any) -> asyncio.Future[Ready | None]:
    """The sentences of a document. Raises WrongCall."""
    nested = ls.client.nested

    def make(asked: Asked) -> Iterator[str]:
        document = asked.document
        if document.format.name != "ud":
            return
        words = sum(unit.words for unit in document.units)
        trees = nested and words <= MOST_WORDS
        uri = json.dumps(asked.uri)
        for number, unit in enumerate(document.units):
            if not unit.sentence:
                continue
            base = int(document.line_starts[number])
            name = json.dumps(_name(unit, number))
            where = _range((base, 0), _end(asked, unit, base))
            if not nested:
                yield (
                    f'{{"name":{name},"kind":{_NAMESPACE},'
                    f'"location":{{"uri":{uri},"range":{where}}}}}'
                )
                continue
            children = ""
            if trees:
                children = f',"children":{json.dumps(_tree(asked, base, sentence(unit.text)))}'
            detail = json.dumps(_detail(unit.text))
            yield (
                f'{{"name":{name},"detail":{detail},"kind":{_NAMESPACE},"range":{where},'
                f'"selectionRange":{_range((base, 0), (base, 0))}{children}}}'
            )

    return listed(ls, params, make)


_NAMESPACE: Final = int(types.SymbolKind.Namespace)
_WORD: Final = int(types.SymbolKind.Function)


def _name(unit: Any, number: int) -> str:
    if unit.sent_id:
        return str(unit.sent_id.decode("utf-8", "replace")) or "_"
    return f"sentence {number + 1}"


def _detail(block: bytes) -> str:
    """The beginning of a sentence's text."""
    if said := _SAID.search(block):
        return said[1].decode("utf-8", "replace")[:_TEXT]
    # Its words: a sentence is not taken apart for as little.
    forms, size = [], 0
    for line in block.replace(b"\r", b"\n").split(b"\n"):
        number, tab, rest = line.partition(b"\t")
        if tab and number.isdigit():
            forms.append(form := rest.partition(b"\t")[0])
            # A character may take four bytes.
            if (size := size + len(form)) > 4 * _TEXT:
                break
    return b" ".join(forms).decode("utf-8", "replace")[:_TEXT]


def _end(asked: Asked, unit: Any, base: int) -> tuple[int, int]:
    """Where a sentence ends: before the blank line behind it is over, or with its last row."""
    ended = unit.text.endswith((b"\n", b"\r"))
    last = base + unit.lines - ended
    if asked.document.format.is_closed(unit.text):
        return last, 0
    length = len(asked.document.line(last))
    return last, position(asked.document, last, length, asked.encoding)["character"]


def _range(start: tuple[int, int], end: tuple[int, int]) -> str:
    return (
        f'{{"start":{{"line":{start[0]},"character":{start[1]}}},'
        f'"end":{{"line":{end[0]},"character":{end[1]}}}}}'
    )


def _tree(asked: Asked, base: int, found: Sentence) -> list[dict[str, Any]]:
    """The words of a sentence below their heads; those of rings and without a head at the top.

    The range of a word holds all that is below it: by that, editors find the word at a cursor.
    """
    told: set[int] = set()

    def symbol(row: Row, depth: int) -> dict[str, Any]:
        told.add(row.first)
        line = base + row.line
        below = [
            symbol(each, depth + 1)
            for each in found.dependents(row.first)
            if each.first not in told and depth < _DEPTH
        ]
        return {
            "name": row.cell(FORM) or "_",
            "detail": f"{row.cell(UPOS)} {row.cell(DEPREL)}".strip(),
            "kind": _WORD,
            "range": _around(asked.range(line, 0, len(row.text)), below),
            "selectionRange": asked.range(line, *row.span(FORM)),
            **({"children": below} if below else {}),
        }

    tops = [symbol(row, 0) for row in found.dependents(0)]
    return tops + [symbol(row, 0) for n, row in found.words.items() if n not in told]


def _around(own: Range, below: list[dict[str, Any]]) -> Range:
    """A range that holds a word and the symbols below it."""
    ranges = [own, *(each["range"] for each in below)]
    return {
        "start": min((each["start"] for each in ranges), key=_place),
        "end": max((each["end"] for each in ranges), key=_place),
    }


def _place(position: dict[str, int]) -> tuple[int, int]:
    return position["line"], position["character"]


FEATURES: Final = {types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: outline}
"""The method and what handles it."""
