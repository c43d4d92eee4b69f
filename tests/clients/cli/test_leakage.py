"""`goldlens leakage`: what is found in training, and training files without it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from goldlens.cli import inputs, leakage
from goldlens.cli.leaking import origin
from goldlens.cli.leaking.origin import commit_of, release_of
from goldlens.scoring.analysis import leakage as search
from tests.clients.conftest import Process, Run


def sentence(name: str, *forms: str) -> str:
    rows = "".join("\t".join([str(k), form, *["_"] * 8]) + "\n" for k, form in enumerate(forms, 1))
    return f"# sent_id = {name}\n{rows}\n"


TEST = sentence("t1", "A", "cat") + sentence("t2", "Run", "!") + sentence("t3", "So", "it", "is")
OTHER = sentence("n1", "A", "dog"), sentence("n2", "A", "cat", "!")
TRAIN = OTHER[0] + sentence("t1", "A", "cat") + sentence("x", "Run", "!") + OTHER[1]
CLEAN = OTHER[0] + OTHER[1]


@pytest.fixture(autouse=True)
def _here(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    Path("test.conllu").write_text(TEST, "utf-8")
    Path("train.conllu").write_text(TRAIN, "utf-8")


def files() -> list[str]:
    return sorted(str(path) for path in Path().rglob("*") if path.is_file())


def test_what_was_found_and_where(run: Run) -> None:
    result = run("leakage", "--eval", "test.conllu", "train.conllu")
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout == (
        "Evaluation   Sentences  Found      %  By id  By forms  Other forms\n"
        "test.conllu          3      2  66.67      1         2            0\n"
        "\n"
        "Training      Sentences  Found\n"
        "train.conllu          4      2\n"
        "\n"
        "Same id: 1 pair of sentences, 1 with the same forms.\n"
        "\n"
        "train.conllu:5: t1 is test.conllu:1: t1 (same id and forms)\n"
        "train.conllu:9: x is test.conllu:5: t2 (same forms)\n"
    )


def test_nothing_found_is_right(run: Run) -> None:
    Path("train.conllu").write_text(CLEAN, "utf-8")
    result = run("leakage", "--eval", "test.conllu", "train.conllu")
    assert result.exit_code == 0
    assert result.stdout.endswith("\nNo sentence of the evaluation is in training.\n")


def test_an_id_with_other_forms_is_said_as_such(run: Run) -> None:
    Path("train.conllu").write_text(sentence("t1", "Something", "else"), "utf-8")
    result = run("leakage", "--eval", "test.conllu", "train.conllu")
    assert result.exit_code == 1
    assert "Same id: 1 pair of sentences, 0 with the same forms.\n" in result.stdout
    assert "--by forms leaves ids aside" in result.stdout
    assert "train.conllu:1: t1 is test.conllu:1: t1 (same id, other forms)\n" in result.stdout
    assert run("leakage", "--eval", "test.conllu", "train.conllu", "--by", "forms").exit_code == 0


def test_the_manifest(run: Run) -> None:
    result = run("leakage", "--eval", "test.conllu", "train.conllu", "--json")
    assert (result.exit_code, result.stderr) == (1, "")
    found = json.loads(result.stdout)
    assert found["versions"].pop("goldlens")
    numbers = {"sentences": 3, "found": 2, "by_id": 1, "by_forms": 2, "other_forms": 0}
    assert found == {
        "n_sentences": 2,
        "splits": {"test.conllu": {**numbers, "too_short": 0, "ids": ["t1", "t2"]}},
        "files": {"train.conllu": ["t1", "x"]},
        "verified": {"checked": 1, "form_identical": 1},
        "commits": {"train.conllu": None, "test.conllu": None},
        "versions": {"treebanks": {"train.conllu": None, "test.conllu": None}},
    }
    written = run("leakage", "--eval", "test.conllu", "train.conllu", "--json", "-o", "m.json")
    assert written.output == ""
    assert Path("m.json").read_text("utf-8") == result.stdout


def test_globs_and_several_files(run: Run) -> None:
    Path("more").mkdir()
    Path("more/dev.conllu").write_text(sentence("d1", "New"), "utf-8")
    Path("more/train.conllu").write_text(sentence("m", "New") + CLEAN, "utf-8")
    call = ("leakage", "**/train.conllu", "train.conllu", "--eval", "test.conllu")
    found = json.loads(run(*call, "--eval", "more/d*", "--json").stdout)
    assert found["files"] == {"more/train.conllu": ["m"], "train.conllu": ["t1", "x"]}
    assert {fold: s["found"] for fold, s in found["splits"].items()} == {
        "test.conllu": 2,
        "more/dev.conllu": 1,
    }


def test_a_file_by_two_names_counts_once(run: Run) -> None:
    Path("also.conllu").symlink_to("train.conllu")
    Path("fold.conllu").hardlink_to("test.conllu")
    call = ("leakage", "train.conllu", "also.conllu", "--eval", "test.conllu")
    found = json.loads(run(*call, "--eval", "fold.conllu", "--json").stdout)
    assert list(found["files"]) == ["train.conllu"]
    assert list(found["splits"]) == ["test.conllu"]


def test_a_name_that_looks_like_a_glob_is_a_name_first(run: Run) -> None:
    Path("[a].conllu").write_text(CLEAN, "utf-8")
    found = run("leakage", "[a].conllu", "--eval", "test.conllu", "--json")
    assert list(json.loads(found.stdout)["files"]) == ["[a].conllu"]


def test_a_data_set_is_named_as_everywhere(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        inputs, "located", lambda path: "test.conllu" if path == "data:mine" else path
    )
    found = run("leakage", "train.conllu", "--eval", "data:mine", "--json")
    assert list(json.loads(found.stdout)["splits"]) == ["test.conllu"]


def test_standard_input_on_either_side(run: Run) -> None:
    one = run("leakage", "-", "--eval", "test.conllu", "--json", stdin=TRAIN.encode())
    assert json.loads(one.stdout)["files"] == {"<stdin>": ["t1", "x"]}
    other = run("leakage", "train.conllu", "--eval", "-", "--json", stdin=TEST.encode())
    assert json.loads(other.stdout)["n_sentences"] == 2
    assert json.loads(other.stdout)["commits"]["<stdin>"] is None


def test_a_file_of_spans_against_trees(run: Run) -> None:
    Path("train.iob2").write_text("A O\ncat O\n\nA O\ndog O\n\n", "utf-8")
    found = json.loads(run("leakage", "train.iob2", "--eval", "test.conllu", "--json").stdout)
    assert found["files"] == {"train.iob2": ["#1"]}
    Path("train.iob2").write_text("1\tA\tO\t-\n2\tcat\tO\t-\n\n", "utf-8")
    columns = ("--token-column", "2", "--tag-column", "3")
    call = ("leakage", "train.iob2", "--eval", "test.conllu", "--json")
    assert json.loads(run(*call, *columns).stdout)["files"] == {"train.iob2": ["#1"]}


@pytest.mark.parametrize("side", ["training", "fold"])
def test_numbers_are_not_taken_for_tokens(run: Run, side: str) -> None:
    """A file whose tags are not where they are looked for has its tokens elsewhere, too."""
    Path("odd.iob2").write_text("1\tA\tO\t-\n2\tcat\tB-X\t-\n\n", "utf-8")
    Path("even.iob2").write_text("A O\ncat B-X\n\n", "utf-8")
    files = ("odd.iob2", "--eval", "even.iob2")
    found = run("leakage", *(files if side == "training" else (files[2], "--eval", files[0])))
    assert found.exit_code == 2
    assert found.stderr.startswith("odd.iob2:1:1: error[columns]: no row has a tag of IOB2")
    assert "--tag-column" in found.stderr


def test_the_cleaned_file_keeps_every_other_byte_and_is_clean(run: Run) -> None:
    crlf = b"\xef\xbb\xbf" + TRAIN.replace("\n", "\r\n").encode() + b"3\t\xff\r\n# end"
    Path("train.conllu").write_bytes(crlf)
    result = run("leakage", "--eval", "test.conllu", "train.conllu", "--clean", "new/clean")
    assert result.exit_code == 1
    cleaned = Path("new/clean/train.conllu")
    assert result.stderr == f"{cleaned}: written without 2 of 5 sentences\n"
    wanted = b"\xef\xbb\xbf" + CLEAN.replace("\n", "\r\n").encode() + b"3\t\xff\r\n# end"
    assert cleaned.read_bytes() == wanted
    assert Path("train.conllu").read_bytes() == crlf
    assert run("leakage", "--eval", "test.conllu", cleaned).exit_code == 0
    assert files() == ["new/clean/train.conllu", "test.conllu", "train.conllu"]


def test_files_of_several_folders_keep_their_places(run: Run) -> None:
    for name in ("de", "fr"):
        Path("tb", name).mkdir(parents=True)
        Path("tb", name, "train.conllu").write_text(TRAIN, "utf-8")
    Path("tb/fr/train.conllu").write_text(CLEAN, "utf-8")
    assert run("leakage", "tb/*/*", "--eval", "test.conllu", "--clean", "out").exit_code == 1
    for name in ("de", "fr"):
        assert Path("out", name, "train.conllu").read_text("utf-8") == CLEAN


def test_in_place(run: Run) -> None:
    Path("other.conllu").write_text(CLEAN, "utf-8")
    os.utime("other.conllu", (1, 1))
    Path("train.conllu").chmod(0o640)
    call = ("leakage", "train.conllu", "other.conllu", "--eval", "test.conllu", "--in-place")
    result = run(*call)
    assert (result.exit_code, result.stderr) == (
        1,
        "train.conllu: written without 2 of 4 sentences\n",
    )
    assert Path("train.conllu").read_text("utf-8") == CLEAN
    assert Path("train.conllu").stat().st_mode & 0o777 == 0o640
    assert Path("other.conllu").stat().st_mtime == 1
    assert run(*call).exit_code == 0


def test_a_link_stays_a_link(run: Run) -> None:
    Path("link.conllu").symlink_to("train.conllu")
    assert run("leakage", "link.conllu", "--eval", "test.conllu", "--in-place").exit_code == 1
    assert Path("link.conllu").is_symlink()
    assert Path("train.conllu").read_text("utf-8") == CLEAN


def test_a_training_file_that_is_the_fold_is_an_error(run: Run) -> None:
    Path("copy.conllu").write_text(TEST, "utf-8")
    Path("hard.conllu").hardlink_to("test.conllu")
    Path("link.conllu").symlink_to("test.conllu")
    before = files()
    for name, what in (
        ("test.conllu", "is the evaluation fold test.conllu"),
        ("hard.conllu", "is the evaluation fold test.conllu"),
        ("link.conllu", "is the evaluation fold test.conllu"),
        ("copy.conllu", "has the same bytes as the evaluation fold test.conllu"),
    ):
        call = ("leakage", name, "train.conllu", "--eval", "test.conllu", "--clean", "out")
        result = run(*call, "-o", "m.json")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == (
            f"{name}:1:1: error[same-file]: this training file {what}; name another\n"
        )
    assert files() == before


def test_the_same_size_is_not_the_same_file(run: Run) -> None:
    Path("copy.conllu").write_text(TEST.replace("So", "No"), "utf-8")
    assert run("leakage", "copy.conllu", "--eval", "test.conllu").exit_code == 1


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (["nowhere"], "nowhere:1:1: error[file]"),
        (["*.none"], "*.none:1:1: error[file]: no file matches"),
        (["*" * 300 + ".none"], "*.none:1:1: error[file]: no file matches"),
        (["zero"], "zero:1:1: error[file]: the file has no sentence that can be read"),
        (["prose.txt"], "prose.txt:1:1: error[file]: the file has no sentence that can be read"),
        (["utf16.conllu"], "utf16.conllu:1:1: error[encoding]: the file is UTF-16"),
        (["c.tsv"], "c.tsv:1:1: error[file]: this is a file of classification"),
        (["train.conllu", "--eval", "zero"], "zero:1:1: error[file]: the file has no sentence"),
        (["train.conllu", "--eval", "nowhere"], "nowhere:1:1: error[file]"),
        (["train.conllu", "--clean", "."], "--clean would overwrite a training file"),
        (["deep/test.conllu", "--clean", "."], "--clean would overwrite an evaluation fold"),
        (["train.conllu", "--clean", "zero"], "no file can be made below"),
        (["train.conllu", "--clean", "out", "-o", "out/train.conllu"], "there is no folder"),
        (["train.conllu", "-o", "test.conllu"], "-o would overwrite an evaluation fold"),
        (["train.conllu", "-o", "train.conllu"], "-o would overwrite a training file"),
        (["train.conllu", "--clean", "a", "--in-place"], "give one of them"),
        (["train.conllu", "--token-column", "0"], "columns count from 1"),
        (["train.conllu", "--min-words", "0"], "--min-words"),
        (["-", "--eval", "-"], "only one of the files can be standard input"),
        (["-", "--in-place"], "has no name to clean it under"),
        ([], "Missing argument"),
    ],
)
def test_bad_calls_are_refused_in_one_line_and_nothing_is_written(
    run: Run, call: list[str], what: str
) -> None:
    Path("zero").write_bytes(b"")
    Path("prose.txt").write_text("Once upon\na time.\n", "utf-8")
    Path("utf16.conllu").write_bytes(TEST.encode("utf-16"))
    Path("c.tsv").write_text("id\tlabel\na\tx\n", "utf-8")
    Path("deep").mkdir()
    Path("deep/test.conllu").write_text(TRAIN, "utf-8")
    before = {name: Path(name).read_bytes() for name in files()}
    result = run("leakage", *call, "--eval", "test.conllu", stdin=TRAIN.encode())
    assert (result.exit_code, result.stdout) == (2, "")
    assert what in result.stderr and result.stderr.count("\n") == 1
    assert {name: Path(name).read_bytes() for name in files()} == before


def test_an_error_in_a_later_file_leaves_nothing_half_written(run: Run) -> None:
    Path("z.conllu").write_text("# no sentence\n\n", "utf-8")
    before = {name: Path(name).read_bytes() for name in files()}
    for where in (["--in-place"], ["--clean", "out"]):
        result = run("leakage", "train.conllu", "z.conllu", "--eval", "test.conllu", *where)
        assert result.exit_code == 2
        assert result.stderr.startswith("z.conllu:1:1: error[file]: the file has no sentence")
    assert {name: Path(name).read_bytes() for name in files()} == before
    assert not Path("out").exists()


def test_a_file_that_cannot_be_put_in_place_is_a_line(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    result = run("leakage", "train.conllu", "--eval", "test.conllu", "--in-place")
    assert result.exit_code == 2
    assert "train.conllu:1:1: error[file]: the file cannot be written: No space" in result.stderr
    assert Path("train.conllu").read_text("utf-8") == TRAIN
    assert files() == ["test.conllu", "train.conllu"]


def test_a_disk_that_is_full_midway_leaves_nothing_behind(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = Path("/dev/full")
    if not full.is_char_device():
        pytest.skip("the system has no /dev/full")
    to_disk = Path.open

    def opened(self: Path, mode: str = "r", **how: Any) -> Any:
        if mode == "xb":
            self.touch()
            return to_disk(full, "wb")
        return to_disk(self, mode, **how)

    monkeypatch.setattr(Path, "open", opened)
    result = run("leakage", "train.conllu", "--eval", "test.conllu", "--clean", "out")
    assert result.exit_code == 2
    assert "out/train.conllu:1:1: error[file]: the file cannot be written: No sp" in result.stderr
    assert files() == ["test.conllu", "train.conllu"]


def test_a_training_file_that_may_not_be_written_is_said_before_the_work(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    result = run("leakage", "train.conllu", "--eval", "test.conllu", "--in-place")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "train.conllu:1:1: error[file]: no permission to write this file" in result.stderr


def test_the_ways_are_those_of_the_search() -> None:
    assert leakage.WAYS == search.WAYS


def test_a_limit_of_what_is_listed(run: Run) -> None:
    call = ("leakage", "train.conllu", "--eval", "test.conllu", "--limit")
    assert run(*call, "1").stdout.endswith(
        "(same id and forms)\n\n… and 1 more training sentence; --limit lists more.\n"
    )
    assert run(*call, "0").stdout.endswith("with the same forms.\n")


def test_few_words(run: Run) -> None:
    result = run("leakage", "train.conllu", "--eval", "test.conllu", "--min-words", "3")
    assert "Other forms  Too short\n" in result.stdout
    assert result.stdout.splitlines()[1].split() == (
        ["test.conllu", "3", "1", "33.33", "1", "1", "0", "1"]
    )


def git(*arguments: str) -> str:
    settings = ("-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *settings, *arguments], capture_output=True, check=True)
    return done.stdout.decode().strip()


def test_the_commit_of_a_file_and_whether_it_is_as_it_is_there(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    assert commit_of("train.conllu") is None
    git("init", "-q", ".")
    assert commit_of("train.conllu") is None
    git("add", "train.conllu")
    git("commit", "-q", "-m", "train")
    commit = git("rev-parse", "HEAD")
    found = json.loads(run("leakage", "train.conllu", "--eval", "test.conllu", "--json").stdout)
    assert found["commits"] == {"train.conllu": commit, "test.conllu": f"{commit}-dirty"}
    Path("train.conllu").write_text(CLEAN, "utf-8")
    assert commit_of("train.conllu") == f"{commit}-dirty"


def test_git_that_is_not_there_or_does_not_answer_has_no_commit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    git("init", "-q", ".")
    git("add", "train.conllu")
    git("commit", "-q", "-m", "train")
    assert commit_of("train.conllu") is not None
    slow = Path("bin/git").absolute()
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 60\n", "utf-8")
    slow.chmod(0o755)
    monkeypatch.setattr(origin, "PATIENCE", 0.1)
    monkeypatch.setenv("PATH", str(slow.parent), prepend=os.pathsep)
    assert commit_of("train.conllu") is None
    monkeypatch.setenv("PATH", "")
    assert commit_of("train.conllu") is None


@pytest.mark.parametrize(
    ("path", "beginning", "release"),
    [
        ("gold/la_perseus-ud-test.r2.13.conllu", "", "r2.13"),
        ("ud-treebanks-v2.15/UD_Latin-Perseus/la.conllu", "", "r2.15"),
        ("ud-treebanks-v2.15/copy-r2.9/la.conllu", "", "r2.9"),
        ("UD_2.14/la.conllu", "", "r2.14"),
        ("la.conllu", "# UD release 2.12\n1\ta", "r2.12"),
        ("la.conllu", "\ufeff# from ud-treebanks-v2.12\n1\ta", "r2.12"),
        ("la.conllu", "# text = See UD 2.12\n# sent_id = r2.3\n1\ta", None),
        ("la.conllu", "1\tr2.12\n# UD 2.12\n", None),
        ("parser-v2.1/train.conllu", "", None),
        ("corr2.1/train2.15.conllu", "", None),
        ("train.conllu", "", None),
    ],
)
def test_the_release_that_a_path_or_a_comment_names(
    path: str, beginning: str, release: str | None
) -> None:
    assert release_of(path, beginning.encode()) == release


def test_as_a_process_of_its_own(process: Process) -> None:
    done = process("leakage", "--eval", "test.conllu", "train.conllu", "--json")
    assert (done.returncode, done.stderr) == (1, b"")
    assert json.loads(done.stdout)["n_sentences"] == 2
