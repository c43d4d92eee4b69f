"""Units: blocks parsed, as light as they can be kept by the hundred thousand.

`parse` reads many blocks at once: well-formed ones as columns, a few dozen array operations for
all of them, the rest with care (`conllu.reader`), one by one. What a unit says does not depend on
which blocks it was parsed with, nor on how it was read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from goldlens.scoring.conllu.blocks import count_lines, is_closed, lines, with_lf
from goldlens.scoring.conllu.reader import read
from goldlens.scoring.conllu.reading import Reading
from goldlens.scoring.problems import Place, Problem
from goldlens.scoring.ud.cells import increments
from goldlens.scoring.ud.screen import Screen
from goldlens.scoring.ud.table import Table, table_of

PIECE: Final = 1 << 20
"""How many bytes are read as columns at once: enough for speed, few enough for memory."""

_SENT_ID: Final = re.compile(rb"^#[ \t]*sent_id[ \t]*=[ \t]*(.*?)[ \t]*$", re.M)


@dataclass(frozen=True, slots=True)
class Unit:
    """One block, parsed.

    `canonical` is what tables are made of: LF line ends, and nothing in it that a `Table` would
    call faulty; it is empty where there is no sentence. `stream` is the sentence's characters.
    `opens_multi` says that its first word belongs to a multiword token, `tail` how far before
    the end of the stream its last word's token starts and ends; both decide what is a cut.
    `readable` sentences can be held against gold. `unheaded` counts words with HEAD `_`, `lines`
    the line ends of the block.
    """

    text: bytes
    canonical: bytes
    stream: bytes
    sent_id: bytes | None
    words: int
    unheaded: int
    opens_multi: bool
    tail: tuple[int, int]
    readable: bool
    glued: bool
    last: bool
    problems: tuple[Problem, ...]
    lines: int

    @property
    def first(self) -> bool:
        """Never: what a sentence says holds wherever it stands."""
        return False

    @property
    def sentence(self) -> bool:
        """Whether the block holds a sentence at all."""
        return bool(self.canonical) or not self.readable

    def same_face(self, other: Unit) -> bool:
        """Whether the two pair up with gold in the same way, whatever else they hold."""
        return (
            self.stream == other.stream
            and self.sent_id == other.sent_id
            and self.opens_multi == other.opens_multi
            and self.tail == other.tail
            and self.readable == other.readable
            and self.sentence == other.sentence
        )


def parse(
    blocks: Sequence[bytes],
    *,
    after_closed: bool = True,
    at_end: bool = True,
    checks: bool = True,
    extra: Collection[str] = (),
) -> list[Unit]:
    """The units of consecutive blocks.

    `after_closed`: the block before the first one is closed, or there is none. `at_end`: the
    last block is the file's last. Without `checks` problems that do not touch the score are not
    looked for. `extra` names codes to be reported that are off by default.
    """
    wanted = frozenset(extra)
    units: list[Unit | None] = []
    glued = not after_closed
    size = 0
    begin = 0
    for k, block in enumerate(blocks):
        size += len(block)
        if size >= PIECE:
            units += _piece(blocks[begin : k + 1], checks, wanted)
            begin, size = k + 1, 0
    units += _piece(blocks[begin:], checks, wanted)
    final = len(blocks) - 1 if at_end else -1
    done: list[Unit] = []
    for k, (block, unit) in enumerate(zip(blocks, units, strict=True)):
        last = k == final and not is_closed(block)
        if unit is None or glued:
            unit = _with_care(block, glued, last, wanted)
        done.append(unit)
        glued = unit.canonical is not block and not is_closed(block)
    return done


def reading(unit: Unit, extra: frozenset[str] = frozenset()) -> Reading:
    """The unit's block read with care: all its problems, and where its rows are."""
    return _read(unit.text, unit.glued, unit.last, extra)


_read = lru_cache(maxsize=64)(
    lambda block, glued, last, extra: read(block, glued=glued, last=last, extra=extra)
)


def _piece(blocks: Sequence[bytes], checks: bool, extra: frozenset[str]) -> list[Unit | None]:
    """Units of those blocks that are well-formed and, if `checks`, above suspicion."""
    units: list[Unit | None] = [None] * len(blocks)
    joined = b"".join(blocks)
    plain = [with_lf(block) for block in blocks] if b"\r" in joined else blocks
    regular = [
        k for k, block in enumerate(plain) if block[-2:] == b"\n\n" and block[0] not in b"\n \t"
    ]
    if not regular:
        return units
    if len(regular) < len(blocks) or plain is not blocks:
        joined = b"".join([plain[k] for k in regular])
    table = table_of(joined, canonical=False)
    bad = set(table.faulty.tolist())
    wordless = set(table.block[increments(table.sentence_word) == 0].tolist())
    if wordless:
        # Nothing can be said of sentences without words as columns: without them, then.
        regular = [k for block, k in enumerate(regular) if block not in wordless]
        if not regular:
            return units
        table = table_of(b"".join([plain[k] for k in regular]), canonical=False)
        bad = set(table.faulty.tolist())
    raws = [blocks[k] for k in regular]
    problems = {}
    if checks:
        for block in Screen(table).suspects(extra):
            if block not in bad:
                problems[block] = read(raws[block], extra=extra).problems
    found = of_table(table, [plain[k] for k in regular], raws, problems)
    for block, unit in zip(table.block.tolist(), found, strict=True):
        if block not in bad:
            units[regular[block]] = unit
    return units


def of_table(
    table: Table,
    texts: Sequence[bytes],
    raws: Sequence[bytes],
    problems: Mapping[int, tuple[Problem, ...]],
) -> list[Unit]:
    """A unit for each sentence of a table; those of faulty blocks are good for nothing.

    `texts` has the blocks with LF line ends, `raws` as they stand, `problems` what is wrong with
    some of them.
    """
    stream = table.stream.tobytes()
    ends = table.sentence_end
    stops = ends.tolist()
    first_token = table.word_token[table.sentence_word[:-1]]
    last_token = table.word_token[table.sentence_word[1:] - 1]
    tails = zip(
        (ends - table.token_start[last_token]).tolist(),
        (ends - table.token_end[last_token]).tolist(),
        strict=True,
    )
    columns = zip(
        table.block.tolist(),
        [0, *stops][: len(stops)],
        stops,
        increments(table.sentence_word).tolist(),
        table.multiword[first_token].tolist(),
        tails,
        table.block_lines[table.block].tolist(),
        strict=True,
    )
    named, none = problems.get, ()
    # By position and in one go, since this runs once a sentence when a file is opened.
    return [
        Unit(
            raws[block],
            text := texts[block],
            stream[start:stop],
            sent_id(text),
            words,
            0,
            opens,
            tail,
            True,
            False,
            False,
            named(block, none),
            size,
        )
        for block, start, stop, words, opens, tail, size in columns
    ]


def sent_id(text: bytes) -> bytes | None:
    """The value of the first `# sent_id` comment of a block with LF line ends."""
    if text[:12] == b"# sent_id = ":
        end = text.find(b"\n")
        return text[12 : end if end >= 0 else None].strip(b" \t") or None
    if b"sent_id" not in text:
        return None
    match = _SENT_ID.search(text)
    return (match[1] or None) if match else None


@lru_cache(maxsize=1024)
def sent_id_place(block: bytes) -> Place:
    """Where the sent_id of a block stands (its start, if it has none); the place's unit is 0."""
    if block[:12] == b"# sent_id = " and b"\r" not in block:
        end = block.find(b"\n")
        return Place(0, 0, 12, 12 + len(block[12:end].rstrip(b" \t")))
    for k, line in enumerate(lines(block)):
        if match := _SENT_ID.match(line.rstrip(b"\r\n")):
            return Place(0, k, match.start(1), match.end(1))
    return Place(0, 0, 0, 0)


def _with_care(block: bytes, glued: bool, last: bool, extra: frozenset[str]) -> Unit:
    found: Reading = _read(block, glued, last, extra)
    stream, opens, tail, words = b"", False, (0, 0), 0
    if found.canonical:
        table = table_of(found.canonical, canonical=True)
        stream = table.stream.tobytes()
        words = found.words
        if words:
            size = len(stream)
            opens = bool(table.multiword[table.word_token[0]])
            token = int(table.word_token[-1])
            tail = (size - int(table.token_start[token]), size - int(table.token_end[token]))
    return Unit(
        text=block,
        canonical=found.canonical,
        stream=stream,
        sent_id=sent_id(with_lf(block)),
        words=words,
        unheaded=found.unheaded,
        opens_multi=opens,
        tail=tail,
        readable=not found.sentence or (found.readable and words > 0),
        glued=glued,
        last=last,
        problems=found.problems,
        lines=count_lines(block),
    )


def row_lines(unit: Unit) -> list[int]:
    """For each row of the canonical text, words and multiword tokens, its line in the block."""
    if unit.canonical != with_lf(unit.text):
        return list(reading(unit).row_lines)
    return [
        k
        for k, line in enumerate(lines(unit.text))
        if line.strip() and not line.startswith(b"#") and b"." not in line.partition(b"\t")[0]
    ]
