"""What can be done about tags, labels and forms: it makes the text better, and is what it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.classification.task import CLASSIFICATION, Classification
from goldlens.scoring.spans.schemes import convert
from goldlens.scoring.spans.task import Spans
from goldlens.scoring.stemming.task import STEMMING
from goldlens.scoring.task import Task
from goldlens.server.views.whole import of_file
from tests.server.views.test_repairing import Held, check

IOB2 = b"""\
EU B-ORG
of B-LOC
New I-LOC
York I-LOC
O O

Ann B-PER
Bo B-PER
Cy B-ORG
"""


def after(held: Held, code: str, which: int = 0) -> tuple[str, bytes]:
    """The title of what is offered first for a code, and the text after it."""
    check(held)
    found = next(found for found in held.problems() if found.problem.code == code)
    fix = held.fixes(found)[which]
    return fix.title, held.after(fix.change).document.text()


def in_scheme(scheme: str) -> bytes:
    """The same spans in another scheme."""
    said = {
        "IOBES": "S-ORG B-LOC I-LOC E-LOC O  S-PER S-PER S-ORG",
        "BMES": "S-ORG B-LOC M-LOC E-LOC O  S-PER S-PER S-ORG",
        "BILOU": "U-ORG B-LOC I-LOC L-LOC O  U-PER U-PER U-ORG",
        "IOE2": "E-ORG I-LOC I-LOC E-LOC O  E-PER E-PER E-ORG",
        "IOB1": "I-ORG I-LOC I-LOC I-LOC O  I-PER B-PER I-ORG",
        "IOE1": "I-ORG I-LOC I-LOC I-LOC O  E-PER I-PER I-ORG",
    }[scheme]
    tags = iter(said.split(" "))
    lines = [line.split(b" ")[0] for line in IOB2.splitlines()]
    return (
        b"\n".join([b"%b %b" % (w, t) if (t := next(tags).encode()) else w for w in lines]) + b"\n"
    )


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
@pytest.mark.parametrize("against", ["nothing", "gold"])
@pytest.mark.parametrize("scheme", ["IOBES", "BMES", "BILOU", "IOE2", "IOB1", "IOE1"])
def test_a_file_of_another_scheme_becomes_one_of_iob2(
    scheme: str, against: str, ending: bytes
) -> None:
    gold = IOB2 if against == "gold" else None
    held = Held(Spans(), gold, in_scheme(scheme).replace(b"\n", ending))
    title, now = after(held, "iob2-scheme")
    assert title == f"Convert the tags of the file from {scheme} to IOB2"
    assert now == IOB2.replace(b"\n", ending)


def test_comments_and_columns_stay_what_they_are() -> None:
    text = b"# one\nEU x\tS-ORG\n# two\nNew y \tB-LOC \nYork\tE-LOC\n\n-DOCSTART-\tO\n\nA\tS-PER"
    _, now = after(Held(Spans(), None, text), "iob2-scheme")
    assert now == text.replace(b"S-", b"B-").replace(b"E-", b"I-")


TAGS = st.sampled_from(
    ["O", "B-X", "I-X", "E-X", "S-X", "L-X", "U-X", "M-X", "B-Y", "I-Y", "E-Y", "S-Y", "?-X", "B"]
)


@given(st.lists(st.lists(TAGS, max_size=6), max_size=6))
def test_whatever_the_tags_no_other_scheme_is_left(sentences: list[list[str]]) -> None:
    text = "".join("".join(f"w {tag}\n" for tag in tags) + "\n" for tags in sentences)
    held = Held(Spans(), None, text.encode())
    for fix in of_file(held.document, "iob2-scheme"):
        now, was = held.after(fix.change).codes(), held.codes()
        assert now["iob2-scheme"] == 0 and now <= was


def test_tags_that_no_scheme_knows_stay() -> None:
    held = Held(Spans(), None, in_scheme("IOBES") + b"x ?-Y\ny E-LOC\nalone\n")
    _, now = after(held, "iob2-scheme")
    assert now == IOB2 + b"x ?-Y\ny B-LOC\nalone\n"
    assert convert([b"?-Y", b"E-LOC"], "IOBES") == [b"?-Y", b"B-LOC"]


def test_a_tag_without_a_label_as_it_is_read() -> None:
    held = Held(Spans(), None, b"a B\nb I\n")
    assert after(held, "iob2-tag") == ("Write B-_, as which it is read", b"a B-_\nb I\n")
    tagged = Held(Spans(), None, b"a B-_\nb I-_\n")
    assert [unit.reading.spans for unit in tagged.document.units] == [
        unit.reading.spans for unit in held.document.units
    ]


def test_sentences_of_other_tokens_are_golds() -> None:
    gold = b"a B-X\nb O\n\nc O\n\nd O\ne O\n\n"
    title, now = after(Held(Spans(), gold, b"a B-X\n\nc O\n\nd O\ne O\n\n"), "stream-mismatch")
    assert (title, now) == ("Take gold's sentence", gold)
    for pred in (b"a B-X\nb O\n\nc O\n\n", b"a B-X\nb O\n\nc O\n", b"a B-X\nb O\n\nc O"):
        title, now = after(Held(Spans(), gold, pred), "stream-mismatch")
        assert (title, now) == ("Put gold's sentence in", gold)
    title, now = after(Held(Spans(), gold, gold + b"more O\n\n"), "stream-mismatch")
    assert (title, now) == ("Take the sentence out", gold)


@pytest.mark.parametrize(
    ("gold", "pred", "title", "now"),
    [
        (
            b'{"id": "d", "label": "x"}\n',
            b'{"id": "d", "scores": {"x": 0.2, "y": 0.9}}\n',
            "Set the scores to gold's labels: x 1, y 0",
            b'{"id": "d", "scores": {"x": 1, "y": 0}}\n',
        ),
        (
            '{"id": "d", "labels": ["é", "z"]}\n'.encode(),
            b'{"id": "d", "scores": {"z": 0.9}}\n',
            "Set the scores to gold's labels: é 1",
            '{"id": "d", "scores": {"z": 0.9, "é": 1}}\n'.encode(),
        ),
        (
            b'{"id": "d", "label": "x"}\n',
            b'{"id": "d", "scores": {}}\n',
            "Set the scores to gold's labels: x 1",
            b'{"id": "d", "scores": {"x": 1}}\n',
        ),
        (
            b"d\tx\n",
            b"d\t\ty=0.7|x=0.1\n",
            "Set the scores to gold's labels: y 0, x 1",
            b"d\t\ty=0|x=1\n",
        ),
        (b"d\tx|z\n", b"d\tx=0.7\n", "Set the scores to gold's labels: z 1", b"d\tx=0.7|z=1\n"),
        (
            b'{"id": "d", "labels": ["a", "b"]}\n',
            b'{"label": "c", "id": "d"}\n',
            "Take gold's labels",
            b'{"labels": ["a", "b"], "id": "d"}\n',
        ),
        (
            b'{"id": "d", "label": "a"}\n',
            b'{"id": "d", "labels": ["c", "b"], "scores": {"a": 0.3}}\n',
            "Take gold's labels",
            b'{"id": "d", "labels": ["a"], "scores": {"a": 0.3}}\n',
        ),
        (
            b'{"id": "d", "labels": ["a", "b"]}\n',
            b"d\tc\n",
            "Take gold's labels",
            b"d\ta|b\n",
        ),
    ],
)
def test_labels_are_golds_whatever_they_stand_in(
    gold: bytes, pred: bytes, title: str, now: bytes
) -> None:
    assert after(Held(CLASSIFICATION, gold, pred), "class-error") == (title, now)


@pytest.mark.parametrize(("threshold", "scores"), [(5.0, b"x=5|y=0"), (0.0, b"x=1|y=-1")])
def test_scores_go_by_the_threshold(threshold: float, scores: bytes) -> None:
    task: Task = Classification(threshold)
    held = Held(task, b"d\tx\n", b"d\t\tx=-2|y=7\n")
    _, now = after(held, "class-error")
    assert now == b"d\t\t" + scores + b"\n"


def test_a_row_that_cannot_be_read_becomes_golds() -> None:
    gold = b'{"id": "a", "label": "x"}\n{"id": "b", "label": "y"}\n'
    held = Held(CLASSIFICATION, gold, b'{"id": "a", "label": x}\r\n{"id": "b", "label": "y"}\r\n')
    title, now = after(held, "row-format")
    assert (title, now) == ("Take gold's row", gold.replace(b"\n", b"\r\n"))


def test_the_second_of_two_rows_goes_also_beside_gold() -> None:
    gold, pred = b"a\tx\nb\ty\nc\tx\nd\ty\n", b"a\tx\nc\tx\nc\ty\nd\ty\n"
    title, now = after(Held(CLASSIFICATION, gold, pred), "id-duplicate")
    assert (title, now) == ("Take the row out", b"a\tx\nc\tx\nd\ty\n")


def test_a_form_that_is_missing_is_its_own_stem() -> None:
    gold = b"garden\tgardens\tgardening\nrose\troses\n"
    pred = b"garden\tgarden\ngardens\tgarden\nrose\trose\nroses\trose"
    title, now = after(Held(STEMMING, gold, pred), "form-missing")
    assert title == "Add a row that has gardening as its own stem"
    assert now == pred + b"\ngardening\tgardening"
    title, now = after(Held(STEMMING, b"a\tb\n", b""), "form-missing")
    assert now == b"a\ta\n"
