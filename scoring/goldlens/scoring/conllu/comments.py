"""The comments of a sentence: its sent_id, and its text against the forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from goldlens.scoring.conllu.rows import FORM, MISC, Row, byte_length, quote
from goldlens.scoring.problems import Place, Problem, problem

_SHOWN = 16


@dataclass(frozen=True, slots=True)
class Comment:
    """`# key = value`. `start`: where the value begins, in characters; both ends stripped."""

    line: int
    text: str
    value: str
    start: int

    @property
    def place(self) -> Place:
        """The place of the value; the end of the line if there is none."""
        before = byte_length(self.text[: self.start])
        return Place(0, self.line, before, before + byte_length(self.value))


def find(key: str, comments: Sequence[tuple[int, str]]) -> Comment | None:
    """The first comment with that key, or None. `comments` are lines with their numbers."""
    for line, text in comments:
        if key not in text:
            continue
        name, _, rest = text[1:].partition("=")
        if name.strip() == key:
            value = rest.strip()
            start = len(text) - len(rest.lstrip()) if value else len(text.rstrip())
            return Comment(line, text, value, start)
    return None


def text_mismatch(comment: Comment, tokens: Sequence[Row]) -> list[Problem]:
    """Hold `# text` against the forms of the tokens; runs of white space count as one space."""
    if not comment.value:
        message = "The text comment has no value; write the sentence after it"
        return [problem("text-mismatch", comment.place, message)]
    said = " ".join(comment.value.split())
    formed = " ".join("".join(_spaced(tokens)).split())
    if said == formed:
        return []
    at = next(
        (i for i, (a, b) in enumerate(zip(said, formed, strict=False)) if a != b),
        min(len(said), len(formed)),
    )
    message = (
        f"The text differs from the forms at its character {at + 1}: it has {_shown(said, at)}, "
        f"the forms give {_shown(formed, at)}; correct the text, the forms or SpaceAfter=No"
    )
    return [problem("text-mismatch", comment.place, message)]


def _spaced(tokens: Sequence[Row]) -> list[str]:
    pieces = []
    for token in tokens:
        pieces.append(token.cells[FORM])
        misc = token.cells[MISC]
        # The quick test first: most tokens have a space after them.
        if not ("SpaceAfter=No" in misc and "SpaceAfter=No" in misc.split("|")):
            pieces.append(" ")
    return pieces


def _shown(text: str, at: int) -> str:
    if at == len(text):
        return "nothing more"
    rest = text[at : at + _SHOWN] + ("…" if len(text) > at + _SHOWN else "")
    return f"{quote(rest)} (U+{ord(text[at]):04X})"
