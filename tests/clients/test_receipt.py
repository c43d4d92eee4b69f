"""`goldlens receipt`: made twice the same, and found out when changed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from goldlens.server.results import scorer_digest
from tests.clients.conftest import Run

pytestmark = pytest.mark.usefixtures("folder")

MAKE = ("receipt", "make", "g.conllu", "p.conllu")
OFFLINE = ("--package-version", "9.9", "--scorer-sha256", "0" * 64)


def made(run: Run, *flags: str) -> dict[str, Any]:
    result = run(*MAKE, *flags)
    assert result.exit_code == 0
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def digest(name: str) -> str:
    return hashlib.sha256(Path(name).read_bytes()).hexdigest()


def test_what_it_records(run: Run) -> None:
    Path("data.txt").write_text("manifest", "utf-8")
    found = made(
        run, "--model-id", "m", "--treebank", "t", "--split", "test", "--protocol", "raw",
        "--data-manifest", "data.txt", "--extra", "seeds=[1, 2]", "--extra", "note=by hand",
    )  # fmt: skip
    assert found["scores"]["LAS"]["f1"] == 80.0
    assert found["signature"].startswith("goldlens|task:ud|")
    assert found["gold_sha256"] == digest("g.conllu")
    assert found["pred_sha256"] == digest("p.conllu")
    assert found["data_manifest_sha256"] == digest("data.txt")
    assert found["scorer_sha256"] == scorer_digest()
    texts = [found[name] for name in ("model_id", "treebank", "split", "protocol")]
    assert texts == ["m", "t", "test", "raw"]
    assert found["extra"] == {"seeds": [1, 2], "note": "by hand"}


def test_the_same_inputs_give_the_same_bytes(run: Run) -> None:
    assert run(*MAKE).stdout_bytes == run(*MAKE).stdout_bytes


def test_an_offline_receipt_is_the_same_everywhere(run: Run) -> None:
    """Nothing in it depends on this installation: its id is fixed."""
    found = made(run, *OFFLINE)
    assert found["version"] == "9.9" and found["signature"].endswith("|version:9.9")
    assert found["scorer_sha256"] == "0" * 64
    assert found["id"] == "dc63d84037e0815b"


def test_another_prediction_another_id(run: Run) -> None:
    before = made(run, *OFFLINE)["id"]
    text = Path("p.conllu").read_text("utf-8")
    Path("p.conllu").write_text(text.replace("one", "uno"), "utf-8")
    assert made(run, *OFFLINE)["id"] != before


def test_spans_have_receipts_too(run: Run) -> None:
    Path("g.iob2").write_text("Ada\tB-PER\n\n", "utf-8")
    Path("p.iob2").write_text("Ada\tB-LOC\n\n", "utf-8")
    found = json.loads(run("receipt", "make", "g.iob2", "p.iob2").stdout)
    assert found["scores"]["Micro"]["f1"] == 0.0


class TestVerify:
    @pytest.fixture(autouse=True)
    def _receipt(self, run: Run, folder: Path) -> None:
        run(*MAKE, "-o", "r.json")

    def change(self, name: str, value: object) -> None:
        found = json.loads(Path("r.json").read_text("utf-8"))
        Path("s.json").write_text(json.dumps({**found, name: value}), "utf-8")

    def test_one_that_is_right(self, run: Run) -> None:
        result = run("receipt", "verify", "r.json")
        ident = json.loads(Path("r.json").read_text("utf-8"))["id"]
        assert (result.exit_code, result.stdout) == (0, f"r.json: {ident} is right\n")

    def test_one_that_was_changed(self, run: Run) -> None:
        self.change("model_id", "other")
        result = run("receipt", "verify", "s.json")
        assert result.exit_code == 1
        assert "is not that of the fields" in result.stdout

    def test_two_of_the_same_evaluation(self, run: Run) -> None:
        run(*MAKE, "-o", "s.json")
        assert run("receipt", "verify", "r.json", "s.json").exit_code == 0

    def test_two_of_different_evaluations(self, run: Run) -> None:
        run(*MAKE, "--split", "dev", "-o", "s.json")
        result = run("receipt", "verify", "r.json", "s.json")
        assert result.exit_code == 1
        assert result.stdout == "s.json: another evaluation; it differs in split\n"

    def test_the_files_it_is_about(self, run: Run) -> None:
        call = ("receipt", "verify", "r.json", "--gold", "g.conllu", "--pred")
        assert run(*call, "p.conllu").exit_code == 0
        result = run(*call, "g.conllu")
        assert result.exit_code == 1
        assert result.stdout.startswith("g.conllu: this is not the prediction of the receipt")

    def test_only_one_of_them_is_standard_input(self, run: Run) -> None:
        data = Path("r.json").read_bytes()
        assert run("receipt", "verify", "-", "r.json", stdin=data).exit_code == 0
        for call in (("-", "-"), ("-", "--gold", "-"), ("r.json", "--gold", "-", "--pred", "-")):
            result = run("receipt", "verify", *call, stdin=data)
            assert (result.exit_code, result.stdout) == (2, "")
            assert "only one of the files can be standard input" in result.stderr

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("signature", "x"), ("gold_sha256", "0" * 64), ("pred_sha256", "unsaved buffer"),
            ("scorer_sha256", ""), ("data_manifest_sha256", "1" * 64), ("treebank", "x"),
            ("split", "x"), ("protocol", "x"), ("extra", {"x": 1}), ("version", "x"),
            ("scores", {}), ("id", "0" * 16),
        ],
    )  # fmt: skip
    def test_any_field_that_was_changed(self, run: Run, name: str, value: object) -> None:
        self.change(name, value)
        for call in (("s.json",), ("r.json", "s.json"), ("s.json", "r.json")):
            assert run("receipt", "verify", *call).exit_code == 1

    def test_what_is_no_receipt(self, run: Run) -> None:
        for data, what in [(b"[]", "no JSON object"), (b"\xff", "no UTF-8"), (b"{}", "no scores")]:
            Path("s.json").write_bytes(data)
            result = run("receipt", "verify", "s.json")
            assert (result.exit_code, result.stdout) == (2, "")
            assert result.stderr.startswith("s.json:1:1: error[receipt]: ")
            assert what in result.stderr and result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("flags", "what"),
    [
        (["--extra", "note"], "--extra has 'note'; give NAME=VALUE"),
        (["--extra", "x=NaN"], "--extra x has a number that is not finite"),
        (["--extra", "x=1", "--extra", "x =1"], "--extra has x twice; give one value for it"),
        (["--extra", "x=" + "[" * 5000], "--extra x is nested too deeply"),
        (["--extra", "x=[1e999]"], "--extra x has a number that is not finite"),
        (["--scorer-sha256", "abc"], "give the 64 hex digits"),
        (["--data-manifest", "nowhere"], "nowhere:1:1: error[file]"),
        (["-o", "g.conllu"], "-o would overwrite gold"),
    ],
)
def test_bad_calls_are_refused_in_one_line(run: Run, flags: list[str], what: str) -> None:
    result = run(*MAKE, *flags)
    assert (result.exit_code, result.stdout) == (2, "")
    assert what in result.stderr and result.stderr.count("\n") == 1


def test_a_call_without_a_verb(run: Run) -> None:
    result = run("receipt")
    assert result.exit_code == 2
