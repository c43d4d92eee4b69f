"""The table of repairs has every code, and the examples on its page have a repair if it says so.

Of each example all that is offered is tried: it takes its problem away and adds none.
"""

from __future__ import annotations

import re

import pytest

from goldlens.scoring.problems import CODES
from tests.docs.pages import CONFIG, DOCS, EXTENSIONS, NO_EXAMPLE, examples, languages
from tests.server.views.test_repairing import ASKED, Held, check
from tests.server.views.test_repairing import task_of as task_of_file

PAGE = (DOCS / "reference" / "lsp.md").read_text("utf-8")
ROWS = re.findall(r"^\| ((?:`[a-z0-9-]+`(?:, )?)+) \| (.+) \|$", PAGE, re.M)
TOLD = {
    code: not repair.startswith("none: ")
    for codes, repair in ROWS
    for code in re.findall(r"`([a-z0-9-]+)`", codes)
    if code in CODES
}
UNTOLD = frozenset(("label-unknown",))
"""Codes of a pair as a whole, which are not listed with the problems of a file."""

NOBODY_CAN_TELL = frozenset(
    (
        ("empty-cell", "conllu"),
        ("feats-format", "conllu"),
        ("deps-format", "conllu"),
        ("form-duplicate", "tsv"),
        ("row-format", "jsonl"),
    )
)
"""Examples of what only its writer knows: a form, a value, an edge, a stem, a score."""

ANOTHER = {"sentence-missing": "stream-mismatch", "sentence-extra": "stream-mismatch"}
"""What a sentence too few or too many is called where nothing says how to match by names."""

EXAMPLES = [
    (code, language)
    for code in CODES
    if code not in CONFIG | NO_EXAMPLE | UNTOLD
    for language in languages(code)
    if language in EXTENSIONS
]


def test_every_code_is_in_the_table_once() -> None:
    every = [code for codes, _ in ROWS for code in re.findall(r"`([a-z0-9-]+)`", codes)]
    assert sorted(code for code in every if code in CODES) == sorted(CODES)


def held(code: str, language: str) -> Held:
    files = examples(code, language)
    faulty, gold = files["faulty"], files.get("gold")
    kind = ".stems" if "stems" in faulty.words else ""
    task = task_of_file(DOCS / f"pred{kind}{EXTENSIONS[language]}")
    return Held(task, None if gold is None else gold.data, faulty.data, ASKED & {code})


@pytest.mark.parametrize(("code", "language"), EXAMPLES)
def test_the_example_of_a_page_has_the_repair_that_is_told(code: str, language: str) -> None:
    offered = check(held(code, language))
    expected = TOLD[code] and (code, language) not in NOBODY_CAN_TELL
    assert bool(offered[ANOTHER.get(code, code)]) == expected
