"""Confidences in MISC: what is read, and what is wrong where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.analysis.confidence import COLUMNS, confidences, faults


def block(misc: str) -> bytes:
    return f"# text = é\n1\té\t_\t_\t_\t_\t0\troot\t_\t{misc}\n\n".encode()


def marked(misc: str) -> tuple[str, list[str]]:
    """The parts of a MISC cell that problems are at, and their messages."""
    line = block(misc).split(b"\n")[1]
    found = faults(block(misc))
    assert all(each.place.line == 1 for each in found)
    return "/".join(line[f.place.start : f.place.end].decode() for f in found), [
        f.message for f in found
    ]


@pytest.mark.parametrize(
    "text", ["0", "1", "0.5", ".5", "1.", "1.0", "5e-1", "1E-3", "+0.25", "0.000"]
)
def test_a_decimal_number_from_0_to_1_is_a_confidence(text: str) -> None:
    assert confidences(f"Conf={text}") == (float(text),) * 6
    assert faults(block(f"Conf={text}")) == []


def test_single_columns_have_confidences_of_their_own() -> None:
    found = confidences("SpaceAfter=No|Conf=UPOS:0.97,HEAD:0.8|X=Conf=3")
    assert found == (0.97, None, None, None, 0.8, None)


@pytest.mark.parametrize("misc", ["_", "conf=3", "Confidence=3", "Conf", "X=Conf=3"])
def test_what_is_not_named_conf_is_none(misc: str) -> None:
    assert confidences(misc) == (None,) * 6
    assert faults(block(misc)) == []


@pytest.mark.parametrize(
    ("misc", "at", "says"),
    [
        ("Conf=1.2", "1.2", "outside 0 to 1"),
        ("Conf=-0.1", "-0.1", "outside 0 to 1"),
        ("Conf=1e9", "1e9", "outside 0 to 1"),
        ("Conf=nan", "nan", "no number"),
        ("Conf=inf", "inf", "no number"),
        ("Conf=", "", "no number"),
        ("Conf=½", "½", "no number"),
        ("Conf=٠", "٠", "no number"),
        ("Conf=0_1", "0_1", "no number"),
        ("Conf= 1", " 1", "no number"),
        ("é=é|Conf=high", "high", "write Conf=0.93"),
        ("Conf=UPOS:0.9,HEAD:7", "7", "outside 0 to 1"),
        ("Conf=UPOS:", "", "no number"),
        ("Conf=UPSO:0.9", "UPSO", "did you mean UPOS?"),
        ("Conf=upos:0.9", "upos", "did you mean UPOS?"),
        ("Conf=DEPS:0.9,X:1", "DEPS/X", "column"),
        ("Conf=UPOS:0.9,0.3", "0.3", "names no column"),
        ("Conf=UPOS:0.9,UPOS:0.9", "UPOS:0.9", "two confidences"),
        ("Conf=UPOS:2,UPOS:0.9", "2/UPOS:0.9", "UPOS has two confidences"),
        ("Conf=0.9|Conf=0.9", "Conf=0.9", "stands twice"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(misc: str, at: str, says: str) -> None:
    places, messages = marked(misc)
    assert places == at
    assert says in " ".join(messages)


def test_whatever_is_written_the_message_is_a_line_to_be_read() -> None:
    for written in ("9" * 500, "x" * 500, "UPOS:" + "9" * 500, "U" * 500 + ":1"):
        [fault] = faults(block(f"Conf={written}"))
        assert len(fault.message) < 200


def test_only_words_have_confidences() -> None:
    rows = "1-2\tab\t_\t_\t_\t_\t_\t_\t_\tConf=9\n1.1\tx\t_\t_\t_\t_\t_\t_\t_\tConf=9\n"
    assert faults(f"# Conf=9\n{rows}1\ta\tConf=9\t_\t_\t_\t0\troot\t_\t_\n\n".encode()) == []


@given(st.text("Conf=UPSXHEAD:,.|019-+enai é", max_size=30))
def test_what_is_read_is_a_confidence_whatever_stands_there(misc: str) -> None:
    found = confidences(misc)
    assert len(found) == len(COLUMNS)
    assert all(value is None or 0 <= value <= 1 for value in found)
    for each in faults(block(misc)):
        assert 0 <= each.place.start <= each.place.end
