"""Reading one block of CoNLL-U: its lines, what is wrong with them, and its canonical form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from goldlens.scoring.conllu import comments
from goldlens.scoring.conllu.cells import check_cells, has_text
from goldlens.scoring.conllu.heads import Attachment, attach
from goldlens.scoring.conllu.numbering import Numbering, number_rows
from goldlens.scoring.conllu.reading import Reading
from goldlens.scoring.conllu.rows import (
    HEAD,
    ID,
    NUMBERS,
    Kind,
    Row,
    encoding_problem,
    read_row,
    whole_line,
)
from goldlens.scoring.problems import Place, Problem, Severity, problem


def read(
    block: bytes,
    *,
    glued: bool = False,
    last: bool = False,
    extra: frozenset[str] = frozenset(),
) -> Reading:
    """Read one block. Never raises on bad text.

    `block`: the comments, the rows and the blank line of one sentence, without a byte order mark;
    lines end in LF, CR LF or CR. `glued`: the block before it does not end with a blank line.
    `last`: the block ends the file. `extra`: the codes to report that are off by default,
    `sent-id-missing` and `text-missing`.
    """
    lines, damaged = _lines(block)
    layout = _lay_out(lines, damaged)
    problems = layout.problems
    problems += _borders(lines, layout, glued, last)
    rows = layout.rows
    sent_id = comments.find("sent_id", layout.comments)
    name = sent_id.value.encode(errors="surrogateescape") if sent_id else b""
    if not rows:
        return Reading(b"", (), False, True, name or None, 0, 0, _in_order(problems))

    numbering = number_rows(rows)
    attachment = attach(numbering.words, numbering.shift)
    legible = [row for row in rows if row.kind is not Kind.UNREADABLE]
    problems += numbering.problems
    problems += check_cells(legible, numbering.covered)
    if numbering.in_order and len(legible) == len(rows):
        problems += attachment.problems
        if not numbering.words:
            problems.append(_no_root(rows[0]))
    tokens = [row for row in numbering.rows if row.line not in numbering.covered]
    readable = len(legible) == len(rows) and all(map(has_text, tokens))
    text = comments.find("text", layout.comments)
    if text and tokens and readable and numbering.ranges_fit and not _damaged(text):
        problems += comments.text_mismatch(text, tokens)
    problems += _asked_for(extra, bool(name), bool(text))
    return Reading(
        _canonical(numbering, attachment),
        tuple([row.line for row in numbering.rows]),
        True,
        readable,
        name or None,
        len(numbering.words),
        sum([word.cells[HEAD] == "_" for word in numbering.words]),
        _in_order(problems),
    )


@dataclass(slots=True)
class _Layout:
    """The lines of a block by what they are. `blank`: the line that ends the block, if any."""

    rows: list[Row] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)
    blank: int | None = None
    problems: list[Problem] = field(default_factory=list)


def _lines(block: bytes) -> tuple[list[str], bool]:
    """The lines of a block without their ends, and whether some bytes are not UTF-8.

    Such bytes become lone surrogates, so that nothing is lost and columns stay true.
    """
    damaged = False
    try:
        text = block.decode()
    except UnicodeDecodeError:
        text, damaged = block.decode(errors="surrogateescape"), True
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines, damaged


def _lay_out(lines: Sequence[str], damaged: bool) -> _Layout:
    layout = _Layout()
    rows, problems = layout.rows, layout.problems
    for number, line in enumerate(lines):
        cells = line.split("\t")
        if not damaged and len(cells) == 10 and (usual := NUMBERS.get(cells[ID])) is not None:
            rows.append(Row(number, cells, Kind.WORD, usual))
        elif line.startswith("#"):
            layout.comments.append((number, line))
            if damaged and (wrong := encoding_problem(number, line)):
                problems.append(wrong)
            elif rows:
                problems.append(_comment_inside(number, line))
        elif not line.strip(" \t"):
            problems += _blank(number, line, layout)
            layout.blank = number
        else:
            row = read_row(number, line)
            if isinstance(row, Problem):
                problems.append(row)
                row = Row(number, [], Kind.UNREADABLE, 0)
            rows.append(row)
    return layout


def _blank(number: int, line: str, layout: _Layout) -> list[Problem]:
    if not layout.rows and layout.comments:
        message = "The comments before this blank line have no sentence; take one of the two out"
    elif not layout.rows or layout.blank is not None:
        message = "This blank line is superfluous; one blank line ends a sentence"
    elif line:
        message = "This blank line holds white space; leave it empty"
    else:
        return []
    return [problem("blank-line", whole_line(number, line), message, script=True)]


def _comment_inside(number: int, line: str) -> Problem:
    message = "This comment stands inside a sentence; move it before the first word"
    return problem("comment-position", whole_line(number, line), message, script=True)


def _borders(lines: Sequence[str], layout: _Layout, glued: bool, last: bool) -> list[Problem]:
    """What is wrong where the block meets its neighbours or the end of the file."""
    found = []
    if glued and lines:
        message = "No blank line separates this sentence from the one before; put one in"
        found.append(problem("missing-blank-line", whole_line(0, lines[0]), message))
    if last and layout.blank is None:
        end = len(lines) - 1
        if layout.rows:
            found.append(
                problem(
                    "missing-blank-line",
                    whole_line(end, lines[end]),
                    "The last sentence does not end with a blank line; add one",
                    severity=Severity.WARNING,
                    refuses=False,
                    script=True,
                )
            )
        elif layout.comments:
            number, line = layout.comments[0]
            message = "No sentence follows these comments; take them out, or add the sentence"
            found.append(problem("comment-position", whole_line(number, line), message))
    return found


def _no_root(row: Row) -> Problem:
    message = "This sentence has no word, so no root; add its words, or take it out"
    return problem("no-root", row.place(ID), message)


def _damaged(comment: comments.Comment) -> bool:
    return encoding_problem(comment.line, comment.text) is not None


def _asked_for(extra: frozenset[str], has_sent_id: bool, has_text: bool) -> list[Problem]:
    found = []
    start = Place(0, 0, 0, 0)
    if "sent-id-missing" in extra and not has_sent_id:
        message = "This sentence has no sent_id; add a comment such as # sent_id = s1"
        found.append(problem("sent-id-missing", start, message))
    if "text-missing" in extra and not has_text:
        message = "This sentence has no text comment; add a comment such as # text = Dogs bark."
        found.append(problem("text-missing", start, message))
    return found


def _canonical(numbering: Numbering, attachment: Attachment) -> bytes:
    """The rows as `Reading.canonical` has them. A range has no head, whatever its row says."""
    if not numbering.rows:
        return b""
    heads = iter(attachment.heads)
    written = []
    for row, name in zip(numbering.rows, numbering.names, strict=True):
        cells = row.cells.copy()
        cells[ID] = name
        cells[HEAD] = next(heads) if row.kind is Kind.WORD else "_"
        written.append("\t".join(cells))
    written.append("\n")
    return "\n".join(written).encode()


def _in_order(problems: list[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda found: (found.place.line, found.place.start)))
