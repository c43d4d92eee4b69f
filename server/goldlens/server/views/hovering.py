"""What is said of a word, a cell or a sentence under the cursor, as Markdown."""

from __future__ import annotations

import re
from typing import Final

from goldlens.scoring.conllu.rows import COLUMN_NAMES, DEPREL, DEPS, FEATS, FORM, HEAD, UPOS, Kind
from goldlens.scoring.conllu.sentence import Row, Sentence
from goldlens.scoring.task import PRED
from goldlens.server.engine.pair import Pair
from goldlens.server.facing import facing
from goldlens.server.spot import Spot, sentence_of
from goldlens.server.views import meanings
from goldlens.server.views.figures import figures_of

_LONGEST: Final = 12
"""Words of a chain that are named; of a longer one the last is."""

_SPECIAL: Final = str.maketrans({c: f"\\{c}" for c in "\\`*_{}[]<>|#&~"})
_LEADING: Final = re.compile(r"(\s*)(?:([-+=:])|(\d{1,9})(?=[.)]))")


def hover(spot: Spot, pair: Pair | None) -> str | None:
    """What is said at a spot; None if there is nothing to say."""
    row = spot.row
    if row is None:
        return _sentence(spot, pair)
    if row.kind is Kind.UNREADABLE:
        return None
    parts = [f"**{escaped(row.cell(FORM) or '_')}** · {_what(row)}"]
    if row.kind is Kind.WORD:
        parts += [_against_gold(spot, row, pair), _chain(spot.sentence, row)]
    parts.append(_meaning(row, spot))
    return "\n\n".join(part for part in parts if part)


def _what(row: Row) -> str:
    match row.kind:
        case Kind.RANGE:
            return f"multiword token {row.first}–{row.second}"
        case Kind.EMPTY_NODE:
            return f"empty node {row.first}.{row.second}"
        case _:
            return f"word {row.first}"


def _sentence(spot: Spot, pair: Pair | None) -> str | None:
    """The name of a sentence, its text and its figures."""
    if not spot.sentence.rows:
        return None
    name = spot.sentence.comments.get("sent_id", (0, ""))[1]
    parts = [f"**{escaped(name)}**" if name else "A sentence without `sent_id`"]
    if pair is not None:
        figures = figures_of(pair, spot.unit)
        said = " · ".join(f"{figure.name} {figure.correct}/{figure.total}" for figure in figures)
        parts.append(said or "Not compared with gold: the texts differ here")
    parts.append(escaped(spot.sentence.text))
    return "\n\n".join(parts)


def _against_gold(spot: Spot, row: Row, pair: Pair | None) -> str:
    """A word and its counterpart, cell by cell; what differs is in bold."""
    if pair is None:
        return ""
    found = facing(pair, PRED, spot.unit)
    if not found.compared:
        return "Not compared with gold: the texts differ here"
    counterpart = found.words.get(row.first)
    if counterpart is None:
        return "Gold has no such word"
    theirs = sentence_of(pair.gold, counterpart.unit)
    gold = theirs.words[counterpart.number]
    heads = {word.number: number for number, word in found.words.items()}
    lines = ["| | here | gold |", "|---|---|---|"]
    for column, name in enumerate(COLUMN_NAMES[1:], 1):
        here, there = row.cell(column), gold.cell(column)
        same = here == there
        if column == HEAD:
            here, there = _head(spot.sentence, row), _head(theirs, gold)
            head = theirs.head(gold)
            same = spot.sentence.head(row) == (heads.get(head) if head else head)
        if same and here in ("_", ""):
            continue
        cells = (escaped(here), escaped(there))
        lines.append(
            f"| {name} | {cells[0]} | {cells[1]} |"
            if same
            else f"| **{name}** | **{cells[0]}** | **{cells[1]}** |"
        )
    return "\n".join(lines)


def _head(sentence: Sentence, row: Row) -> str:
    head = sentence.head(row)
    if head is None:
        return row.cell(HEAD)
    return "0" if head == 0 else f"{head} {sentence.words[head].cell(FORM)}"


def _chain(sentence: Sentence, row: Row) -> str:
    """The way from a word up to the root."""
    rows = sentence.chain(row.first)
    links = [
        f"{escaped(each.cell(FORM))} —{escaped(each.cell(DEPREL))}→" for each in rows[:_LONGEST]
    ]
    if len(rows) > _LONGEST:
        links.append("… →")
    last = sentence.head(rows[-1]) if rows else None
    if last == 0:
        links.append("root")
    elif last is None:
        links.append("?")
    else:
        links.append(f"{escaped(sentence.words[last].cell(FORM))}: a ring")
    return " ".join(links)


def _meaning(row: Row, spot: Spot) -> str:
    """What the cell under the cursor means."""
    column = spot.column
    if column == UPOS:
        return meanings.tag(row.cell(UPOS)) or ""
    if column in (HEAD, DEPREL):
        return meanings.relation(row.cell(DEPREL)) or ""
    if column == FEATS:
        return meanings.feature(part_at(spot, row).partition("=")[0]) or ""
    if column == DEPS and (meaning := meanings.relation(part_at(spot, row).partition(":")[2])):
        return meaning
    if column < len(COLUMN_NAMES):
        name = COLUMN_NAMES[column]
        return f"{name}: {meanings.COLUMNS[name]}"
    return ""


def part_at(spot: Spot, row: Row) -> str:
    """The part, between pipes, of the cell under the cursor."""
    start, _ = row.span(spot.column)
    before = row.text[start : max(start, spot.offset)].count(b"|")
    return row.cell(spot.column).split("|")[before]


def escaped(text: str) -> str:
    """A text that Markdown shows as it stands, at the beginning of a paragraph too."""
    text = text.translate(_SPECIAL)
    if (found := _LEADING.match(text)) is None:
        return text
    # What would make a list of it, a rule or a heading.
    at = found.end()
    return f"{text[:at]}\\{text[at:]}" if found[3] else f"{text[: at - 1]}\\{text[at - 1 :]}"
