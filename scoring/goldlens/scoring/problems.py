"""What can be wrong with an annotated file: codes, severities and places.

A `Problem` is a value: it says what is wrong, where, and how to mend it. Its place is relative to
the block (the sentence, the document, the row) it was found in, so that it stays true when lines
are added or taken away above that block.

Columns are *byte* offsets in the UTF-8 text of a line. The edges of the program (the language
server, the command line) turn them into UTF-16 units or code points, since only they know which
are wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final


class Severity(IntEnum):
    """How bad a problem is; the numbers are those of the Language Server Protocol."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4

    @property
    def label(self) -> str:
        """The lower-case name, as the command line and settings spell it."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Code:
    """A stable diagnostic code.

    `severity` is the default one. `refuses` says whether a file that has this problem is refused
    under the official policy. `on` is False for codes that show only when asked for.
    """

    name: str
    severity: Severity
    refuses: bool
    title: str
    on: bool = True


def _codes() -> dict[str, Code]:
    error, warning, info, hint = Severity
    table: list[tuple[Severity, bool, dict[str, str]]] = [
        (
            error,
            True,
            {
                "encoding": "The bytes are not UTF-8 text",
                "column-count": "A row has another number of columns than ten",
                "id-sequence": "An ID is not the next one due",
                "empty-cell": "A cell is empty",
                "missing-blank-line": "A sentence does not end with a blank line",
                "head-missing": "A word has no HEAD",
                "head-not-a-number": "A HEAD is not a whole number",
                "head-out-of-range": "A HEAD points outside its sentence",
                "head-cycle": "Words are each other's heads in a ring",
                "no-root": "No word of the sentence is its root",
                "multiple-roots": "More than one word of the sentence has HEAD 0",
                "stream-mismatch": "The text differs from that of gold",
                "id-missing": "A document of gold is missing",
                "id-duplicate": "An id stands twice",
                "form-missing": "A form of the dictionary has no prediction",
                "form-duplicate": "A form has two different predictions",
                "row-format": "A row cannot be read",
            },
        ),
        (
            error,
            False,
            {
                "id-range": "A range does not fit its place",
                "feats-format": "A feature is not Name=Value",
                "feats-duplicate": "A feature stands twice",
                "deps-format": "An enhanced dependency is not head:relation",
                "comment-position": "A comment stands inside or after a sentence",
                "iob2-tag": "A tag is not one of IOB2",
                "iob2-malformed": "An I- tag continues no span",
                "config-key": "A key of the configuration is unknown",
                "config-value": "A value of the configuration is wrong",
            },
        ),
        (
            warning,
            False,
            {
                "blank-line": "A blank line is superfluous or holds white space",
                "root-relation": "HEAD 0 and the relation root do not go together",
                "upos-unknown": "A UPOS tag is not one of the 17 universal ones",
                "deprel-unknown": "A relation is not one of the universal ones",
                "misc-format": "MISC has an empty or doubled part",
                "form-whitespace": "A FORM or LEMMA has white space at its edge, or none but it",
                "sent-id-duplicate": "Two sentences have one sent_id",
                "text-mismatch": "The text comment is not the text of the forms",
                "iob2-scheme": "The tags follow another scheme than IOB2",
                "token-text": "A token's text differs from that of gold",
                "score-range": "A score lies outside 0 to 1",
                "id-extra": "A document is not in gold",
                "las-error": "Head or relation differ from gold",
                "word-alignment": "No word of gold corresponds to this word",
                "token-boundary": "Gold has no token with these boundaries",
                "sentence-boundary": "Gold has no sentence boundary here, or another one",
                "sentence-missing": "A sentence of gold is missing",
                "sentence-extra": "A sentence is not in gold",
                "span-error": "A span differs from gold",
                "class-error": "A document's labels differ from gold",
            },
        ),
        (
            info,
            False,
            {
                "tag-error": "UPOS or XPOS differ from gold",
                "lemma-error": "The lemma differs from gold",
                "feats-error": "The features differ from gold",
                "gold-not-found": "No gold was found for this file",
            },
        ),
        (
            hint,
            False,
            {
                "bom": "The file begins with a byte order mark",
                "line-ending": "Lines end in CR LF or CR",
                "feats-order": "Features are not in alphabetical order",
                "label-unknown": "A label does not occur in gold",
                "form-extra": "A form is not in the dictionary",
                "problems-cut": "More problems than are shown",
            },
        ),
    ]
    off = {
        "sent-id-missing": "A sentence has no sent_id",
        "text-missing": "A sentence has no text comment",
    }
    codes = {
        name: Code(name, severity, refuses, title)
        for severity, refuses, group in table
        for name, title in group.items()
    }
    codes.update({name: Code(name, warning, False, title, on=False) for name, title in off.items()})
    return codes


CODES: Final[dict[str, Code]] = _codes()
"""Every code, by name."""


class Side(IntEnum):
    """Which file a place is in, seen from the file that has the problem."""

    HERE = 0
    THERE = 1


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of one line: `unit` counts blocks from the start of the region looked at.

    `line` counts lines from the start of that block; `start` and `end` are byte offsets in the
    line, `end` exclusive. All start from 0.
    """

    unit: int
    line: int
    start: int
    end: int
    side: Side = Side.HERE


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that has to do with a problem, and what is to be seen there."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Repair:
    """The one right repair of a problem: its place gets the text `new`. `title` says so."""

    title: str
    new: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, at one place.

    `refuses`: under the official policy this problem refuses the file. `script`: the official
    scorer would refuse the file because of it (it is stricter about layout than the policy is,
    and laxer about IDs). What is not `shown` is right, and only the official scorer trips over it.
    """

    code: str
    place: Place
    message: str
    severity: Severity
    refuses: bool = False
    script: bool = False
    related: tuple[Related, ...] = ()
    shown: bool = True
    repair: Repair | None = None


def problem(
    code: str,
    place: Place,
    message: str,
    *,
    severity: Severity | None = None,
    refuses: bool | None = None,
    script: bool | None = None,
    related: tuple[Related, ...] = (),
    repair: Repair | None = None,
) -> Problem:
    """A `Problem` with the severity and the consequences its code has by default.

    Unless told otherwise the official scorer is taken to refuse what the policy refuses.
    Raises KeyError for an unknown code.
    """
    known = CODES[code]
    refusing = known.refuses if refuses is None else refuses
    return Problem(
        code,
        place,
        message,
        known.severity if severity is None else severity,
        refusing,
        refusing if script is None else script,
        related,
        repair=repair,
    )
