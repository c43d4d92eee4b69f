"""Which tags are valid, and what the others evidently stand for."""

from __future__ import annotations

import pytest

from goldlens.scoring.spans.tags import is_valid, label_of, repaired


@pytest.mark.parametrize("tag", [b"O", b"B-PER", b"I-PER", b"B", b"I", b"B-creative-work", b"B--"])
def test_valid_tags(tag: bytes) -> None:
    assert is_valid(tag)


@pytest.mark.parametrize(
    "tag",
    [b"", b"o", b"0", b"B-", b"I-", b"b-PER", b"BPER", b"B_PER", b"S-PER", b"E-PER", b"U-PER"]
    + [b"L-PER", b"M-PER", b"X-PER", b"PER", b"-", b"_", b"OO", b"O-PER", b" O"],
)
def test_all_else_is_no_tag(tag: bytes) -> None:
    assert not is_valid(tag)


def test_a_label_may_contain_a_hyphen_and_a_bare_tag_has_an_underscore() -> None:
    assert label_of(b"B-creative-work") == b"creative-work"
    assert label_of(b"B") == label_of(b"I") == b"_"


@pytest.mark.parametrize(
    ("tag", "goes_on", "new"),
    [
        (b"b-PER", None, b"B-PER"),
        (b"i-PER", None, b"I-PER"),
        (b"BPER", None, b"B-PER"),
        (b"B_PER", None, b"B-PER"),
        (b"B PER", None, b"B-PER"),
        (b" B-PER", None, b"B-PER"),
        (b"o", None, b"O"),
        (b"0", None, b"O"),
        (b"S-PER", None, b"B-PER"),
        (b"U-PER", None, b"B-PER"),
        (b"E-PER", b"PER", b"I-PER"),
        (b"L-PER", b"PER", b"I-PER"),
        (b"M-PER", b"PER", b"I-PER"),
        (b"E-PER", None, b"B-PER"),
        (b"E-PER", b"LOC", b"B-PER"),
        (b"B-", None, None),
        (b"I-", None, None),
        (b"X-PER", None, None),
        (b"PER", None, None),
        (b"IN", None, None),
        (b"", None, None),
        (b"-", None, None),
    ],
)
def test_repairs_are_offered_where_they_are_evident(
    tag: bytes, goes_on: bytes | None, new: bytes | None
) -> None:
    assert repaired(tag, goes_on) == new
    assert new is None or is_valid(new)
