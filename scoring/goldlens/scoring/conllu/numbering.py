"""The IDs of a sentence: which words it has, which of them form multiword tokens.

Words are counted anew, 1 to n, whatever their IDs say; what the IDs say is checked against it.
One slip is one problem: counting goes on from a wrong ID, or as if it had not been wrong,
whichever the next ID bears out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from goldlens.scoring.conllu.rows import ID, Kind, Row, quote
from goldlens.scoring.problems import Problem, Severity, problem


@dataclass(slots=True)
class Numbering:
    """The words and multiword tokens of a sentence.

    `words`: the word rows in order. `rows` and `names`: the same with the ranges before their
    words, and the ID each should have; empty nodes and ranges inside other ranges are left out.
    `covered`: the lines of the words inside multiword tokens. `in_order`: every word has the ID
    that was due. `ranges_fit`: no range has a problem.
    """

    words: list[Row] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    covered: set[int] = field(default_factory=set)
    in_order: bool = True
    ranges_fit: bool = True
    problems: list[Problem] = field(default_factory=list)

    @property
    def shift(self) -> int:
        """What the IDs are too high by, if by the same number for all words, else 0."""
        words = self.words
        if not words or words[0].first == 1:
            return 0
        shift = words[0].first - 1
        return shift if all(word.first - i == shift for i, word in enumerate(words, 1)) else 0


def number_rows(rows: Sequence[Row]) -> Numbering:
    """Count the words of a sentence and check its IDs. `rows` includes the unreadable ones."""
    if all(row.kind is Kind.WORD and row.first == i for i, row in enumerate(rows, 1)):
        words = list(rows)
        return Numbering(words, words, [str(i) for i in range(1, len(words) + 1)])
    return _Count(rows).numbering


@dataclass(slots=True)
class _Due:
    """The ID that is due: `number`, or `instead` if the wrong ID before it was a mere slip.

    After an unreadable row `number` is None, and any ID will do.
    """

    number: int | None = 1
    instead: int | None = None

    def fits(self, found: int) -> bool:
        return self.number is None or found in (self.number, self.instead)

    def settle(self, found: int) -> None:
        """A range or an empty node has confirmed that `found` is due."""
        self.number, self.instead = found, None

    def count(self, found: int) -> None:
        """A word has the ID `found`, right or wrong."""
        if self.fits(found) or self.number is None:
            self.instead = None
        else:
            self.instead = (self.number if self.instead is None else self.instead) + 1
        self.number = found + 1

    def forget(self) -> None:
        self.number, self.instead = None, None


@dataclass(slots=True)
class _OpenRange:
    """A range whose words are being met: `left` are still to come."""

    row: Row
    slot: int
    left: int
    misplaced: str
    words: int = 0
    interrupted: bool = False


@dataclass(slots=True)
class _Slip:
    """A wrong word ID, and whether the official scorer trips over it.

    It compares the IDs of words outside multiword tokens with their place in the sentence, so what
    counts is this word and those that go on counting from it.
    """

    row: Row
    due: int | None
    script: bool = False


class _Count:
    """One walk over the rows of a sentence."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.numbering = Numbering()
        self.due = _Due()
        self.node: tuple[int, int] | None = None
        self.nodes = 0
        self.open: _OpenRange | None = None
        self.slips: list[_Slip] = []
        for i, row in enumerate(rows):
            match row.kind:
                case Kind.WORD:
                    self._word(row)
                case Kind.RANGE:
                    self._range(row, i)
                case Kind.EMPTY_NODE:
                    self._empty_node(row)
                case Kind.UNREADABLE:
                    self._unreadable()
        self._close()
        self._report_slips()

    def _word(self, row: Row) -> None:
        counted = self.numbering
        if not self.due.fits(row.first):
            self.slips.append(_Slip(row, self.due.number))
        self.due.count(row.first)
        self.node, self.nodes = None, 0
        counted.words.append(row)
        counted.rows.append(row)
        counted.names.append(str(len(counted.words)))
        if self.open:
            counted.covered.add(row.line)
            self.open.words += 1
            self._use_up(self.open)
        elif self.slips and row.first != len(counted.words):
            self.slips[-1].script = True

    def _unreadable(self) -> None:
        self.due.forget()
        self.node, self.nodes = None, 0
        if self.open:
            self.open.interrupted = True
            self._use_up(self.open)

    def _empty_node(self, row: Row) -> None:
        due, found = self.due, (row.first, row.second)
        self.nodes += 1
        if self.open:
            self._report_script(row)
        if row.first < 0:
            self._report_empty_node(row)
            return
        if self.node and found == (self.node[0], self.node[1] + 1):
            pass  # the next one after its neighbour, whose own problem has been told
        elif due.number is None or (due.fits(row.first + 1) and row.second == self.nodes):
            due.settle(row.first + 1)
        else:
            self._report_empty_node(row)
        self.node = found

    def _report_script(self, row: Row) -> None:
        """The official scorer takes an empty node for a word of the token it stands in."""
        message = "The official scorer cannot read an empty node inside a multiword token"
        found = problem("id-sequence", row.place(ID), message, refuses=False, script=True)
        self.numbering.problems.append(replace(found, severity=Severity.HINT, shown=False))

    def _report_empty_node(self, row: Row) -> None:
        due = self.due.number
        expected = "" if due is None else f" where {due - 1}.{self.nodes} is due"
        self.numbering.problems.append(
            problem(
                "id-sequence",
                row.place(ID),
                f"The empty node has ID {quote(row.cells[ID])}{expected}; number empty nodes after "
                "the word before them, such as 3.1, 3.2 after word 3",
                refuses=False,
            )
        )

    def _range(self, row: Row, index: int) -> None:
        if self.open and self.open.interrupted:
            self._close()  # the unreadable row hides how far that range really reaches
        if self.open:
            outer = quote(self.open.row.cells[ID])
            self._report_range(
                row, f"starts inside the range {outer}; let each word belong to one range", True
            )
            return
        misplaced = ""
        if row.second < row.first:
            self._report_range(row, "holds no word; write the lower ID first", False)
        elif self.due.fits(row.first):
            self.due.settle(row.first)
        elif not self._next_word_is(row.first, index):
            misplaced = f"stands where ID {self.due.number} is due; put it before its first word"
        counted = self.numbering
        counted.rows.append(row)
        counted.names.append("")
        self.open = _OpenRange(
            row, len(counted.names) - 1, max(0, row.second - row.first + 1), misplaced
        )
        if not self.open.left:
            self._close()

    def _next_word_is(self, number: int, index: int) -> bool:
        """Whether the range agrees with its word: then the word's ID is what is wrong."""
        for i in range(index + 1, len(self.rows)):
            if self.rows[i].kind is Kind.WORD:
                return self.rows[i].first == number
        return False

    def _use_up(self, open_range: _OpenRange) -> None:
        open_range.left -= 1
        if not open_range.left:
            self._close()

    def _close(self) -> None:
        if not (closing := self.open):
            return
        self.open = None
        counted = self.numbering
        last = len(counted.words)
        counted.names[closing.slot] = f"{last - closing.words + 1}-{last}"
        # In a sentence without any word, it is the words that are missing.
        short = closing.left > 0 and not closing.interrupted and last > 0
        if closing.misplaced:
            self._report_range(closing.row, closing.misplaced, short)
        elif short:
            self._report_range(
                closing.row, "reaches past the end of the sentence; end it at the last word", True
            )

    def _report_range(self, row: Row, what: str, script: bool) -> None:
        self.numbering.ranges_fit = False
        message = f"The range {quote(row.cells[ID])} {what}"
        self.numbering.problems.append(problem("id-range", row.place(ID), message, script=script))

    def _report_slips(self) -> None:
        for slip in self.slips:
            self.numbering.problems.append(
                problem(
                    "id-sequence",
                    slip.row.place(ID),
                    f"ID {quote(slip.row.cells[ID])} stands where {slip.due} is due; number the "
                    "words of a sentence 1, 2, 3 and so on",
                    script=slip.script,
                )
            )
        self.numbering.in_order = not self.slips
