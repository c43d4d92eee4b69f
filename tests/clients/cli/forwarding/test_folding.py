"""Changes made on lines are those that the server's own documents make, byte for byte."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldlens.cli.forwarding.folding import folded
from goldlens.server.engine.document import Document, Edit
from goldlens.server.engine.positions import Encoding
from goldlens.server.plain import PLAIN

# What lines may end in, what does not end them though some take it so, and wide characters.
TEXTS = st.text(st.sampled_from("ab\t\n\r\u2028\x0c\x85é€😀\ufeff"), max_size=12)
POSITIONS = st.fixed_dictionaries({"line": st.integers(0, 6), "character": st.integers(0, 9)})
RANGES = st.fixed_dictionaries({"start": POSITIONS, "end": POSITIONS})
CHANGE = st.fixed_dictionaries({"text": TEXTS, "range": RANGES})
WHOLE = st.fixed_dictionaries({"text": TEXTS}, optional={"range": st.none()})
CHANGES = st.lists(CHANGE | CHANGE | CHANGE | WHOLE, max_size=6)


def as_the_server_has_it(text: str, changes: list[Any], encoding: Encoding) -> bytes:
    document = Document(PLAIN, text.encode())
    for change in changes:
        new = change["text"].encode()
        if (where := change.get("range")) is None:
            document.replace(new)
        else:
            start, end = where["start"], where["end"]
            numbers = start["line"], start["character"], end["line"], end["character"]
            document.edit(Edit(*numbers, new), encoding)
    return document.text()


@settings(max_examples=500)
@given(TEXTS, CHANGES, st.sampled_from(Encoding))
def test_any_changes_of_any_text(text: str, changes: list[Any], encoding: Encoding) -> None:
    expected = as_the_server_has_it(text, changes, encoding)
    assert folded(text.encode(), changes, encoding) == expected


def change(line: int, start: int, end: int, text: str) -> dict[str, Any]:
    where = {
        "start": {"line": line, "character": start},
        "end": {"line": line, "character": end},
    }
    return {"range": where, "text": text}


@pytest.mark.parametrize(
    ("text", "edit", "expected"),
    [
        ("a\nb\n", change(1, 0, 1, "c"), "a\nc\n"),
        ("a\nb\n", change(2, 0, 0, "c"), "a\nb\nc"),
        ("a\nb", change(9, 9, 9, "c"), "a\nbc"),
        ("a\rb", change(1, 0, 0, "\n"), "a\r\nb"),
        ("😀x\n", change(0, 2, 3, "y"), "😀y\n"),
        ("", change(0, 0, 0, "a"), "a"),
    ],
)
def test_by_hand(text: str, edit: Any, expected: str) -> None:
    assert folded(text.encode(), [edit], Encoding.UTF16) == expected.encode()


def test_lines_that_run_together_are_one() -> None:
    edits = [change(1, 0, 0, "\n"), change(1, 0, 0, "c")]
    assert folded(b"a\rb", edits, Encoding.UTF8) == b"a\r\ncb"


def test_what_no_line_end_is_is_none() -> None:
    """Rows end in LF: a form may hold what other programs break lines at."""
    text = "a\u2028b\x0cc\x85d\n"
    assert (
        folded(text.encode(), [change(0, 6, 7, "D")], Encoding.UTF32)
        == text.replace("d", "D").encode()
    )
