"""From tags to spans; the schemes told apart and converted."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.spans.reading import read
from goldlens.scoring.spans.schemes import (
    Span,
    convert,
    lenient_spans,
    scheme_of,
    signs,
    strict_spans,
)


def tags(text: str) -> list[bytes]:
    return text.encode().split()


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("", []),
        ("O O", []),
        ("B-P I-P I-P", [(0, 3, b"P")]),
        ("O B-P O", [(1, 2, b"P")]),
        ("B-P B-P", [(0, 1, b"P"), (1, 2, b"P")]),
        ("B-P I-L", [(0, 1, b"P")]),
        ("B-P I-L I-P", [(0, 1, b"P")]),
        ("B-P O I-P", [(0, 1, b"P")]),
        ("I-P I-P", []),
        ("I-P B-P I-P", [(1, 3, b"P")]),
        ("B I I O B", [(0, 3, b"_"), (4, 5, b"_")]),
        ("B-a-b I-a-b", [(0, 2, b"a-b")]),
        ("B I-_", [(0, 2, b"_")]),
    ],
)
def test_the_strict_reading(text: str, spans: list[Span]) -> None:
    assert strict_spans(tags(text)) == spans


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("B-P I-P", [(0, 2, b"P")]),
        ("O I-P I-P", [(1, 3, b"P")]),
        ("B-P I-L", [(0, 1, b"P"), (1, 2, b"L")]),
        ("I-P I-L I-P", [(0, 1, b"P"), (1, 2, b"L"), (2, 3, b"P")]),
        ("I-P B-P", [(0, 1, b"P"), (1, 2, b"P")]),
    ],
)
def test_the_reading_of_conlleval(text: str, spans: list[Span]) -> None:
    assert lenient_spans(tags(text)) == spans


def total(sentences: Sequence[str]) -> list[int]:
    return [sum(column) for column in zip(*[signs(tags(s)) for s in sentences], strict=True)]


@pytest.mark.parametrize(
    ("sentences", "scheme"),
    [
        (["B-P I-P O B-L", "O B-P B-P"], "IOB2"),
        (["O O", ""], "IOB2"),
        (["B-P I-P O I-P", "B-L O"], "IOB2"),
        (["I-P", "B-L I-L"], "IOB2"),
        (["I-P"], "IOB2"),
        (["B I O B"], "IOB2"),
        (["I-P I-P O I-L", "I-P B-P"], "IOB1"),
        (["I-P O", "O I-L"], "IOB2"),
        (["I-P O", "O I-L", "I-P"], "IOB1"),
        (["I-P E-P I-P O I-L"], "IOE1"),
        (["I-P I-P E-P O E-L", "I-P E-P"], "IOE2"),
        (["B-L I-L E-L O S-P", "B-L E-L"], "IOBES"),
        (["S-P O S-L"], "IOBES"),
        (["B-L M-L E-L O S-P"], "BMES"),
        (["B-L I-L L-L O U-P", "B-L L-L"], "BILOU"),
        (["B-L I-L O B-P O S-P", "B-L O B-L"], "IOB2"),
    ],
)
def test_a_scheme_is_recognised(sentences: list[str], scheme: str) -> None:
    assert scheme_of(total(sentences)) == scheme


LABELS = st.sampled_from([b"P", b"L", b"a-b", b"_"])


@st.composite
def spans_of_a_sentence(draw: st.DrawFn) -> tuple[int, list[Span]]:
    spans, at = [], 0
    for _ in range(draw(st.integers(0, 6))):
        start = at + draw(st.integers(0, 2))
        at = start + draw(st.integers(1, 3))
        spans.append((start, at, draw(LABELS)))
    return at + draw(st.integers(0, 2)), spans


def written(size: int, spans: Sequence[Span], scheme: str) -> list[bytes]:
    """The tags of a sentence in a scheme, as its definition has it."""
    found = [b"O"] * size
    for start, end, label in spans:
        follows = any(b == start and other == label for _, b, other in spans)
        precedes = any(a == end and other == label for a, _, other in spans)
        letters = ["I"] * (end - start)
        if scheme == "IOB2" or (scheme == "IOB1" and follows):
            letters[0] = "B"
        if scheme == "IOE2" or (scheme == "IOE1" and precedes):
            letters[-1] = "E"
        if scheme in ("IOBES", "BMES", "BILOU"):
            last, one = {"BILOU": ("L", "U")}.get(scheme, ("E", "S"))
            letters = ["M" if scheme == "BMES" else "I"] * len(letters)
            letters[0], letters[-1] = "B", last
            if len(letters) == 1:
                letters = [one]
        found[start:end] = [letter.encode() + b"-" + label for letter in letters]
    return found


SCHEMES = ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BMES", "BILOU")


@pytest.mark.parametrize("scheme", SCHEMES)
@given(sentence=spans_of_a_sentence())
def test_every_scheme_says_the_same_once_converted(
    scheme: str, sentence: tuple[int, list[Span]]
) -> None:
    size, spans = sentence
    converted = convert(written(size, spans, scheme), scheme)
    assert converted == written(size, spans, "IOB2")
    assert strict_spans(converted) == spans


@pytest.mark.parametrize("scheme", SCHEMES)
@given(sentences=st.lists(spans_of_a_sentence(), min_size=1, max_size=6))
def test_a_file_is_never_named_a_scheme_that_would_convert_it_wrongly(
    scheme: str, sentences: list[tuple[int, list[Span]]]
) -> None:
    every = [written(size, spans, scheme) for size, spans in sentences]
    counts = [sum(column) for column in zip(*[signs(one) for one in every], strict=True)]
    named = scheme_of(counts)
    if named == "IOB2" and scheme != "IOB2":
        return  # Too little to tell by.
    for one, (_, spans) in zip(every, sentences, strict=True):
        assert strict_spans(convert(one, named)) == spans


def test_what_a_scheme_does_not_know_is_left_alone() -> None:
    assert convert(tags("X-P O b-P E-P"), "IOBES") == tags("X-P O b-P B-P")
    with pytest.raises(KeyError):
        convert([], "IOB9")


TAGS = st.lists(
    st.sampled_from(tags("O O B-P I-P B-L I-L B I E-P S-P b-P BPER 0 X-P L-L U-L M-P")), max_size=9
)


@given(TAGS)
def test_no_tag_is_at_fault_twice_and_every_ignored_one_is_accounted_for(
    sentence: list[bytes],
) -> None:
    reading = read(sentence)
    covered = [k for f in reading.faults for k in range(f.token, f.token + f.tags)]
    assert covered == sorted(set(covered))
    inside = {k for start, end, _ in reading.spans for k in range(start, end)}
    for k, tag in enumerate(sentence):
        if tag[:2] == b"I-" and k not in inside:
            # Ignored: because of itself, or of a wrong tag right before its run.
            before = k
            while before and sentence[before] == tag:
                before -= 1
            assert k in covered or before in covered
