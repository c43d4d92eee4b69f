"""The pages under docs/, and the examples on them.

An example is a fence whose first word says what it is: `faulty`, `repaired`, `gold`, or for a
configuration `goldlens`. Its text is a whole file, byte for byte; with the word `escapes`,
`\\r`, `\\xE9` and `\\u200B` in it stand for what cannot be seen. The words `stems` and `groups`
tell the two files of a stemmer apart from other tables.

A fence with `file=NAME` is a file that the commands on its page use, and a fence of the language
`console` is what they print (see `test_commands`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = DOCS / "codes"

CONFIG = frozenset({"config-key", "config-value", "gold-not-found"})
NO_EXAMPLE = frozenset({"problems-cut"})
CLASSES = frozenset(
    {"id-missing", "id-duplicate", "id-extra", "class-error", "label-unknown", "score-range"}
)
SPANS = frozenset({"iob2-tag", "iob2-malformed", "iob2-scheme", "token-text", "span-error"})
STEMS = frozenset({"form-missing", "form-duplicate", "form-extra"})
OTHER_TASKS = CLASSES | SPANS | STEMS | {"row-format"}
"""Codes that no CoNLL-U file has."""

KINDS = ("faulty", "repaired", "gold")

EXTENSIONS = {"conllu": ".conllu", "iob2": ".iob2", "jsonl": ".jsonl", "tsv": ".tsv"}
"""The languages of examples that are annotation, and the ends of their files' names."""

_FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.M | re.S)
_ESCAPE = re.compile(rb"\\(?:x([0-9A-F]{2})|u([0-9A-F]{4})|r)")
_FRONT = re.compile(
    r"^\| Default severity \| Official policy \| CoNLL 2018 script \|( Shown \|)?\n"
    r"(?:\|---)+\|\n"
    r"\| (.+) \|$",
    re.M,
)


class Fence(NamedTuple):
    language: str
    words: tuple[str, ...]
    data: bytes

    @property
    def file(self) -> str | None:
        """The name of the file that the fence is, if it has one."""
        return next((w.removeprefix("file=") for w in self.words if w.startswith("file=")), None)


class Front(NamedTuple):
    """The table at the head of a code's page.

    Where the severity varies it is that of the page's example first, as in "error or warning".
    `shown` is what the fourth column says, which only codes have that are off by default.
    """

    severity: str
    official: str
    script: str
    shown: str | None = None

    @property
    def label(self) -> str:
        """The severity of the page's example."""
        return self.severity.partition(" or ")[0]

    @property
    def refuses(self) -> bool:
        """Whether the official policy refuses the page's example."""
        return self.official in ("refuses", "depends")


def fences(page: Path) -> list[Fence]:
    """The fences of a page, in order."""
    found = []
    for language, words, text in _FENCE.findall(page.read_text("utf-8")):
        data = text.encode()
        if "escapes" in words.split():
            data = _ESCAPE.sub(_unescaped, data)
        found.append(Fence(language, tuple(words.split()), data))
    return found


def _unescaped(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return bytes([int(match[1], 16)])
    return chr(int(match[2], 16)).encode() if match[2] else b"\r"


def languages(code: str) -> list[str]:
    """The languages of the examples on a code's page, in order."""
    return list(dict.fromkeys(fence.language for fence in _examples(code)))


def examples(code: str, language: str) -> dict[str, Fence]:
    """The examples of a language on a code's page, by what they are: faulty, repaired or gold."""
    found = [fence for fence in _examples(code) if fence.language == language]
    by_kind = {f.words[0]: f for f in found}
    assert len(by_kind) == len(found), "one example of a kind"
    return by_kind


def _examples(code: str) -> list[Fence]:
    return [f for f in fences(PAGES / f"{code}.md") if f.words and f.words[0] in KINDS]


def texts(code: str, language: str) -> dict[str, bytes]:
    """The bytes of the examples."""
    return {kind: fence.data for kind, fence in examples(code, language).items()}


def front(code: str) -> Front:
    """The table at the head of a code's page."""
    found = _FRONT.search((PAGES / f"{code}.md").read_text("utf-8"))
    assert found, f"{code}.md has no table at its head"
    cells = found[2].split(" | ")
    assert len(cells) == (4 if found[1] else 3)
    return Front(*cells)
