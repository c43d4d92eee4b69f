"""What UD's validator writes, read: one finding a line, and explanations that are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from goldlens.scoring.conllu.rows import DEPREL, DEPS, FEATS, FORM, HEAD, LEMMA, MISC, UPOS, XPOS

WHOLE_FILE: Final = (
    "non-unique-sent-id",
    "non-unique-parallel-id",
    "parallel-id-alt",
    "parallel-id-part",
    "edeps-only-sometimes",
    "edeps-identical-to-basic-trees",
    "empty-node-after-eorphan",
    "eorphan-after-empty-node",
    "spaceafter-newdocpar",
)
"""Tests of a sentence that depend on others; they make sense where the whole file is tested."""

_LINE: Final = re.compile(r"\[(?:File .+? )?Line (\d+) Sent .*?\]: \[L(\d) (\w+) ([\w-]+)\] (.*)")

_END: Final = re.compile(r"^\*\*\* (?:PASSED|FAILED) \*\*\*", re.M)

# The first that is part of a test's name tells the column. Of most tests nothing does.
_COLUMNS: Final = (
    ("edeprel", DEPS),
    ("edeps", DEPS),
    ("deps", DEPS),
    ("ehead", DEPS),
    ("egraph", DEPS),
    ("enhanced", DEPS),
    ("deprel", DEPREL),
    ("rel-upos", DEPREL),
    ("upos-rel", DEPREL),
    ("fixed-without-extpos", FEATS),
    ("feature", FEATS),
    ("prontype", FEATS),
    ("verbform", FEATS),
    ("feats", FEATS),
    ("head", HEAD),
    ("lemma", LEMMA),
    ("upos", UPOS),
    ("xpos", XPOS),
    ("misc", MISC),
    ("spaceafter", MISC),
    ("word-with-space", FORM),
)


class Finding(NamedTuple):
    """What the validator says of a line (from 0) of what it was given.

    `test` is the name of the test, `level` that of the validator, from 1 to 5.
    """

    line: int
    warning: bool
    level: int
    test: str
    message: str

    @property
    def column(self) -> int | None:
        """The column that it is about; None where the name of the test does not tell."""
        return next((column for name, column in _COLUMNS if name in self.test), None)


def is_complete(output: str) -> bool:
    """Whether the validator came to its end."""
    return _END.search(output) is not None


def read(output: str) -> Iterator[Finding]:
    """The findings in what the validator has written."""
    for line in output.split("\n"):
        match = _LINE.match(line)
        if match:
            number, level, kind, test, message = match.groups()
            at = max(0, int(number) - 1)
            yield Finding(at, kind == "WARNING", int(level), test, message.rstrip("\r"))
