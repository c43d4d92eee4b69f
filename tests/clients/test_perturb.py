"""`goldlens perturb`: seeded errors from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.clients.conftest import GOLD, Run

IOB = "Ada\tx\tB-PER\nran\ty\tO\n\nRome\tz\tB-LOC\n\n"


@pytest.fixture(autouse=True)
def _here(folder: Path) -> None:
    Path("g.iob2").write_text(IOB, "utf-8")


def test_the_same_seed_gives_the_same_bytes(run: Run) -> None:
    call = ("perturb", "g.conllu", "--rate", "upos=0.5,lemma=0.5", "--seed", "3")
    once = run(*call)
    assert once.exit_code == 0 and once.stderr == ""
    assert once.stdout_bytes == run(*call).stdout_bytes != GOLD.encode()
    assert run(*call[:-1], "4").stdout_bytes != once.stdout_bytes


def test_no_rate_gives_the_text_back_byte_for_byte(run: Run) -> None:
    crlf = GOLD.replace("\n", "\r\n").encode() + "# \u2028é\n".encode()
    Path("g.conllu").write_bytes(crlf)
    assert run("perturb", "g.conllu", "--rate", "all=0").stdout_bytes == crlf


def test_one_kind_after_all_has_its_own_rate(run: Run) -> None:
    result = run("perturb", "g.iob2", "--rate", "all=0", "--rate", "drop=1")
    assert result.stdout == IOB.replace("B-PER", "O").replace("B-LOC", "O")


def test_columns_of_spans(run: Run) -> None:
    Path("g.iob2").write_text("1\tAda\tB-PER\tx\n2\tran\tO\tx\n\n", "utf-8")
    result = run("perturb", "g.iob2", "--rate", "drop=1", "--tag-column", "3")
    assert result.stdout == "1\tAda\tO\tx\n2\tran\tO\tx\n\n"


def test_to_a_file(run: Run) -> None:
    result = run("perturb", "g.conllu", "--rate", "upos=1", "-o", "x.conllu")
    assert (result.exit_code, result.output) == (0, "")
    scores = json.loads(run("score", "g.conllu", "x.conllu", "--json").stdout)["metrics"]
    assert (scores["UPOS"]["f1"], scores["LAS"]["f1"]) == (0.0, 100.0)


def test_from_standard_input(run: Run) -> None:
    result = run("perturb", "-", "--rate", "all=0", stdin=GOLD.encode())
    assert result.stdout == GOLD


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (["g.conllu", "--rate", "heads=0.1"], "unknown kind of error 'heads'; this task has head"),
        (["g.conllu", "--rate", "head=2"], "the rate of head is 2.0; give one from 0 to 1"),
        (["g.conllu", "--rate", "head"], "--rate has 'head'; give KIND=RATE, as head=0.1"),
        (["g.iob2", "--rate", "head=1"], "this task has label, boundary, drop, add"),
        (["g.iob2", "--tag-column", "0"], "columns count from 1"),
        (["g.conllu", "-o", "g.conllu"], "-o would overwrite the input"),
        (["nowhere"], "nowhere:1:1: error[file]"),
        (["bad.conllu"], "bad.conllu:1:1: error[encoding]"),
        (["c.tsv"], "there are no errors for classification"),
    ],
)
def test_bad_calls_are_refused_in_one_line(run: Run, call: list[str], what: str) -> None:
    Path("bad.conllu").write_bytes(b"1\t\xff\n\n")
    Path("c.tsv").write_text("id\tlabel\na\tx\n", "utf-8")
    result = run("perturb", *call)
    assert (result.exit_code, result.stdout) == (2, "")
    assert what in result.stderr and result.stderr.count("\n") == 1
