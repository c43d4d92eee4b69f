"""What a file evidently is, and what is not certain enough to be said."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest

from goldlens.cli.seeming import LOOKED_AT, has_column, seems, without_rows
from tests.clients.conftest import GOLD

TREES = GOLD
SPANS = "# sent_id = one\nAda\tB-PER\nsleeps\tO\n\nParis\tB-LOC\n\n"
LABELS = '{"id": "a", "labels": ["x"]}\n{"id": "b", "labels": []}\n'
TABLE = "id\tlabel\na\tx\nb\ty\n"
STEMS = "gardens\tgarden\nroses\trose\n"

TEXTS = {"ud": TREES, "span": SPANS, "classification": LABELS}


@pytest.mark.parametrize("wanted", ["ud", "span", "classification", "stemming"])
@pytest.mark.parametrize("task", TEXTS)
def test_a_sound_file_is_of_its_task_whatever_is_wanted(task: str, wanted: str) -> None:
    assert seems(TEXTS[task].encode(), wanted) == task
    windows = "\ufeff" + TEXTS[task].replace("\n", "\r\n")
    assert seems(windows.encode(), wanted) == task


@pytest.mark.parametrize("wanted", ["ud", "span", "classification", "stemming"])
@pytest.mark.parametrize(
    "text", ["", "\n\n", "# nothing\n", TABLE, STEMS, "\xff\n", "plain words\n"]
)
def test_what_has_no_sign_of_a_task_is_left_alone(text: str, wanted: str) -> None:
    assert seems(text.encode("latin-1"), wanted) == ""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (TREES.replace("\t", " "), "ud"),
        (TREES.replace("\t_\t_\n", "\n"), "ud"),
        (TREES.replace("\t_\n", "\t_\tB-PER\n"), "ud"),
        (TREES.replace("\n\n", "\n"), "ud"),
        (TREES + SPANS, "ud"),
        ("1\tAda\tAda\tPROPN\t_\t_\t0\troot\t_\tO\n\n", "ud"),
        (SPANS.replace("sleeps\tO", "sleeps"), "ud"),
        (SPANS.replace("sleeps\tO", "sleeps"), "span"),
        (SPANS.replace("\t", " "), "span"),
        (SPANS + TREES, "span"),
        ("1\tAda\tAda\tPROPN\t_\t_\t0\troot\t_\tB-PER\n\n", "span"),
        ("1\tAda\tB-PER\tO\n\n", "span"),
        ("{\tO\n}\tO\n\n", "span"),
        ("a\tO\nb\tB\nc\tI\n", "classification"),
        ("a\tB-1\nb\tO\n", "classification"),
        ("a\tO\n\nb\tB\n\n", "classification"),
        ("o\tO\nb\tB\n", "stemming"),
        (LABELS.replace("}", ""), "classification"),
    ],
)
def test_a_broken_file_is_never_taken_for_one_of_another_task(text: str, wanted: str) -> None:
    assert seems(text.encode(), wanted) in ("", wanted)


def test_tags_are_looked_for_where_they_should_be() -> None:
    tagged = b"1\tAda\tAda\tB-PER\t_\t_\t0\troot\t_\t_\n\n"
    assert [seems(tagged, "span", column) for column in (4, -7, -1)] == ["span", "span", "ud"]


def test_a_file_is_known_by_its_beginning_and_what_is_cut_off_does_not_matter() -> None:
    row = b"w" * 300 + b"\tO\n"
    text = row * (LOOKED_AT // len(row)) + b"a row that is cut off and has no tag\n" * 100
    assert len(text) > LOOKED_AT
    assert seems(text, "ud") == seems(text[:LOOKED_AT], "ud") == "span"


def test_every_case_and_corpus_is_of_its_own_task(shared: Path) -> None:
    """However broken: a wrong guess would keep a file from being scored."""
    tasks = {".conllu": "ud", ".iob2": "span", ".bio": "span"}
    looked = 0
    for path in sorted(shared.rglob("*")):
        if wanted := tasks.get(path.suffix):
            assert seems(path.read_bytes()[:LOOKED_AT], wanted) in ("", wanted), path
            looked += 1
    assert looked > 50


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "the file is empty"),
        (b"\xef\xbb\xbf", "the file has nothing but blank lines"),
        (b"\n \r\n\t\n", "the file has nothing but blank lines"),
        (b"# a\n\n# b = c\r", "the file has nothing but comments"),
        (b"# a\r# b\r", "the file has nothing but comments"),
        (b"# a\r1 w\r", ""),
        (b"\n\n1", ""),
        (b"#\tO\n", ""),
        (b"# O\n", ""),
        (json.dumps({"id": 1}).encode(), ""),
    ],
)
def test_what_a_file_has_instead_of_rows(text: bytes, why: str) -> None:
    assert without_rows(BytesIO(text)) == why


def test_whether_there_is_a_column() -> None:
    assert has_column(b"a b\nc\n", 2) and has_column(b"a b\n", -2)
    assert not has_column(b"a b\nc\n", 3)
