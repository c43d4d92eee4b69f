"""`goldlens check --against REV`: only what is new since a revision, in repositories of git's."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from goldlens.cli.formats import WITHOUT_GOLD
from goldlens.cli.past.against import new_findings
from goldlens.scoring.problems import Severity
from goldlens.server.findings import Finding
from goldlens.server.texts import Stretch
from tests.clients.conftest import Process, Run
from tests.clients.rows import row, write
from tests.docs.pages import DOCS, fences

Git = Callable[..., str]

BAD = row(1, 7, form="bad") + "\n"
"""A sentence with one error: its head is outside."""
GOOD = row(1, 0, form="good") + "\n"


def words(*forms: str) -> str:
    """A sentence of words that hang on the first."""
    rows = [row(k, 0 if k == 1 else 1, form=form) for k, form in enumerate(forms, 1)]
    return "".join(rows) + "\n"


@pytest.fixture
def git(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Runs git in the current folder, which is an empty repository, under no other settings."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("HOME", str(folder))

    def git(*arguments: str) -> str:
        named = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
        done = subprocess.run(
            ["git", "--literal-pathspecs", *named, *arguments],
            capture_output=True,
            check=True,
            cwd=folder,
        )
        return os.fsdecode(done.stdout).strip()

    git("init", "-q", "-b", "main")
    return git


@pytest.fixture
def commit(git: Git) -> Callable[..., str]:
    """Commits files with these texts; gives the commit."""

    def commit(files: dict[str, str | bytes]) -> str:
        for name, text in files.items():
            write(name, text)
        git("add", "--force", "--", *files)
        git("commit", "-q", "--allow-empty", "-m", "a change")
        return git("rev-parse", "HEAD")

    return commit


Commit = Callable[[dict[str, str | bytes]], str]


def lines(run: Run, *arguments: str) -> list[str]:
    """Path, line and code of each problem."""
    result = run("check", "--format", "json", *arguments)
    assert result.exit_code in (0, 1), result.output
    return [f"{f['path']}:{f['line']} {f['code']}" for f in json.loads(result.stdout)]


# What is new


def test_what_was_there_before_does_not_fail_a_check(run: Run, commit: Commit) -> None:
    commit({"a.conllu": BAD})
    write("a.conllu", BAD + GOOD)
    assert run("check", "a.conllu").exit_code == 1
    result = run("check", "--against", "HEAD", "a.conllu")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"no problems new since HEAD in 1 file, {WITHOUT_GOLD}\n"


def test_only_new_errors_are_shown_and_fail(run: Run, commit: Commit) -> None:
    commit({"a.conllu": BAD})
    write("a.conllu", BAD + row(1, 9, form="worse") + "\n" + row(1, 0, upos="FOO") + "\n")
    result = run("check", "--against", "HEAD", "a.conllu")
    assert result.exit_code == 1
    said = result.stdout.splitlines()
    assert [line.partition("]")[0] for line in said] == [
        "a.conllu:3:24: error[head-out-of-range",
        "a.conllu:5:7: warning[upos-unknown",
    ]
    assert result.stderr == f"1 error, 1 warning new since HEAD in 1 file, {WITHOUT_GOLD}\n"


def test_a_new_warning_alone_does_not_fail(run: Run, commit: Commit) -> None:
    commit({"a.conllu": BAD})
    write("a.conllu", BAD + row(1, 0, upos="FOO") + "\n")
    assert run("check", "--against", "HEAD", "a.conllu").exit_code == 0


def test_lines_that_have_moved_are_not_new(run: Run, commit: Commit) -> None:
    commit({"a.conllu": BAD + GOOD})
    write("a.conllu", words("a", "b", "c") + GOOD + BAD)
    assert lines(run, "--against", "HEAD", "a.conllu") == []


def test_two_where_one_was_are_one_new(run: Run, commit: Commit) -> None:
    commit({"a.conllu": BAD})
    write("a.conllu", BAD + GOOD + BAD)
    assert lines(run, "--against", "HEAD", "a.conllu") == ["a.conllu:5 head-out-of-range"]


def test_another_text_of_the_line_makes_a_problem_new(run: Run, commit: Commit) -> None:
    commit({"a.conllu": BAD})
    write("a.conllu", BAD.replace("bad", "BAD"))
    assert lines(run, "--against", "HEAD", "a.conllu") == ["a.conllu:1 head-out-of-range"]


def test_another_message_makes_a_problem_new(run: Run, commit: Commit) -> None:
    # The line is the same, and of another sentence, with other bounds.
    commit({"a.conllu": BAD})
    write("a.conllu", BAD.removesuffix("\n") + row(2, 0) + "\n")
    assert lines(run, "--against", "HEAD", "a.conllu") == ["a.conllu:1 head-out-of-range"]


def test_the_end_of_a_line_is_not_its_text(run: Run, commit: Commit) -> None:
    commit({"a.conllu": BAD})
    write("a.conllu", BAD.replace("\n", "\r\n"))
    assert lines(run, "--against", "HEAD", "a.conllu") == ["a.conllu:1 line-ending"]


def test_a_file_that_was_not_there_has_all_its_problems(run: Run, commit: Commit) -> None:
    commit({"a.conllu": BAD})
    write("b.conllu", BAD)
    assert lines(run, "--against", "HEAD", "a.conllu", "b.conllu") == [
        "b.conllu:1 head-out-of-range"
    ]


def test_what_is_about_the_whole_file_does_not_hang_on_its_first_line(
    run: Run, commit: Commit
) -> None:
    commit({"a.conllu": "\ufeff" + GOOD.replace("\n", "\r\n")})
    write("a.conllu", "\ufeff# sent_id = 1\r\n" + GOOD.replace("\n", "\r\n"))
    assert lines(run, "a.conllu") == ["a.conllu:1 bom", "a.conllu:1 line-ending"]
    assert lines(run, "--against", "HEAD", "a.conllu") == []


def test_what_is_missing_does_not_hang_on_the_line_it_is_missed_at(
    run: Run, commit: Commit
) -> None:
    gold = "id\tlabel\na\tx\nb\ty\nc\tz\n"
    commit({"d.gold.tsv": gold, "d.pred.tsv": "id\tlabel\na\tx\nc\tz\n"})
    write("d.pred.tsv", "id\tlabel\na\ty\nc\tx\n")
    wrong = ["d.pred.tsv:2 class-error", "d.pred.tsv:3 class-error"]
    assert lines(run, "d.pred.tsv") == [*wrong, "d.pred.tsv:3 id-missing"]
    assert lines(run, "--against", "HEAD", "d.pred.tsv") == wrong


def test_how_far_into_the_text_a_problem_is_does_not_make_it_new(run: Run, commit: Commit) -> None:
    def sentence(name: str, *forms: str) -> str:
        return f"# sent_id = {name}\n{words(*forms)}"

    end = sentence("z", "one", "two")
    commit(
        {
            "x.gold.conllu": sentence("a", "ab", "c") + sentence("m", "here", "now") + end,
            "x.pred.conllu": sentence("a", "ab", "c") + sentence("m", "here", "then") + end,
        }
    )
    more = sentence("b", "some", "more")
    write("x.gold.conllu", more + Path("x.gold.conllu").read_text("utf-8"))
    write("x.pred.conllu", more + Path("x.pred.conllu").read_text("utf-8"))
    assert [each.partition(" ")[2] for each in lines(run, "x.pred.conllu")] == ["stream-mismatch"]
    assert lines(run, "--against", "HEAD", "x.pred.conllu") == []


def finding(code: str, line: int, message: str = "said", *, width: int = 1) -> Finding:
    return Finding(Stretch("p", line, 2, line, 2 + width), Severity.ERROR, code, message)


def test_the_figure_of_the_sentence_does_not_make_a_problem_new(run: Run, commit: Commit) -> None:
    """A word that is corrected leaves the others of its sentence as wrong as they were."""
    commit({"a.gold.conllu": words("a", "b", "c"), "a.pred.conllu": _relations("obj", "nsubj")})
    write("a.pred.conllu", _relations("dep", "nsubj"))
    assert lines(run, "a.pred.conllu") == ["a.pred.conllu:3 las-error"]
    assert lines(run, "--against", "HEAD", "a.pred.conllu") == []
    write("a.pred.conllu", _relations("obj", "det"))
    assert lines(run, "--against", "HEAD", "a.pred.conllu") == ["a.pred.conllu:3 las-error"]


def _relations(*names: str) -> str:
    """The sentence of `words("a", "b", "c")`, in which the last two have other relations."""
    first, *others = words("a", "b", "c").splitlines(keepends=True)
    changed = [
        line.replace("\tdep\t", f"\t{name}\t") for line, name in zip(others, names, strict=False)
    ]
    return "".join([first, *changed, "\n"])


def test_as_many_are_old_as_there_were() -> None:
    text = b"same\nsame\nother\n"
    now = [finding("a", 1), finding("a", 2), finding("b", 2), finding("a", 3)]
    then = [finding("a", 1), finding("a", 3), finding("c", 2)]
    assert list(new_findings(now, text, then, text)) == [now[1], now[2]]
    assert list(new_findings(now, text, now, text)) == []
    assert list(new_findings(now, text, [], b"")) == now


def test_a_line_feed_alone_and_its_like_end_lines() -> None:
    text = "a\u2028b\x0cc\x85d\nlast\n".encode()
    now = [finding("a", 2)]
    assert list(new_findings(now, text, [finding("a", 1)], b"last\n")) == []
    assert list(new_findings(now, text, [finding("a", 1)], b"d\n")) == now


def test_a_mark_at_the_start_is_not_text_of_the_first_line(run: Run, commit: Commit) -> None:
    commit({"a.conllu": BAD})
    write("a.conllu", f"\ufeff{BAD}")
    assert lines(run, "--against", "HEAD", "a.conllu") == ["a.conllu:1 bom"]


# Gold and configuration, as they were


def test_gold_is_that_of_the_revision(run: Run, commit: Commit) -> None:
    gold, pred = words("a", "b"), words("a", "b").replace("NOUN", "VERB", 1)
    commit({"x.gold.conllu": pred, "x.pred.conllu": pred})
    write("x.gold.conllu", gold)
    # The prediction is what it was; gold has been corrected, and so an error has come about.
    assert lines(run, "--against", "HEAD", "x.pred.conllu") == ["x.pred.conllu:1 tag-error"]
    commit({"x.gold.conllu": gold})
    assert lines(run, "--against", "HEAD", "x.pred.conllu") == []


def test_so_is_a_gold_that_was_named(run: Run, commit: Commit) -> None:
    gold, pred = words("a", "b"), words("a", "b").replace("NOUN", "VERB", 1)
    commit({"g.conllu": pred, "p.conllu": pred})
    write("g.conllu", gold)
    arguments = ("--against", "HEAD", "--gold", "g.conllu", "p.conllu")
    assert lines(run, *arguments) == ["p.conllu:1 tag-error"]
    commit({"g.conllu": gold})
    assert lines(run, *arguments) == []


def test_without_gold_then_all_that_gold_shows_now_is_new(run: Run, commit: Commit) -> None:
    gold, pred = words("a", "b"), words("a", "b").replace("NOUN", "VERB", 1)
    commit({"x.pred.conllu": pred})
    write("x.gold.conllu", gold)
    assert lines(run, "--against", "HEAD", "x.pred.conllu") == ["x.pred.conllu:1 tag-error"]
    named = ("--against", "HEAD", "--gold", "x.gold.conllu", "x.pred.conllu")
    assert lines(run, *named) == ["x.pred.conllu:1 tag-error"]


def test_gold_that_git_ignores_or_that_is_elsewhere_is_as_it_is(
    run: Run, commit: Commit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    gold, pred = words("a", "b"), words("a", "b").replace("NOUN", "VERB", 1)
    commit({".gitignore": "*.gold.conllu\n", "x.pred.conllu": pred})
    write("x.gold.conllu", gold)
    assert lines(run, "x.pred.conllu") == ["x.pred.conllu:1 tag-error"]
    assert lines(run, "--against", "HEAD", "x.pred.conllu") == []
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "gold.conllu"
    elsewhere.write_text(gold, "utf-8")
    assert lines(run, "--against", "HEAD", "--gold", str(elsewhere), "x.pred.conllu") == []


def test_the_configuration_is_that_of_the_revision(run: Run, commit: Commit) -> None:
    pair = '[[pair]]\ngold = "{}.conllu"\npred = "p.conllu"\n'
    gold, pred = words("a", "b"), words("a", "b").replace("NOUN", "VERB", 1)
    commit({"one.conllu": pred, "two.conllu": gold, "p.conllu": pred})
    commit({"goldlens.toml": pair.format("one")})
    assert lines(run, "--against", "HEAD", "p.conllu") == []
    write("goldlens.toml", pair.format("two"))
    assert lines(run, "--against", "HEAD", "p.conllu") == ["p.conllu:1 tag-error"]
    commit({"goldlens.toml": pair.format("two")})
    assert lines(run, "--against", "HEAD", "p.conllu") == []
    Path("goldlens.toml").unlink()
    write("pyproject.toml", pair.format("two").replace("[pair]", "[tool.goldlens.pair]"))
    assert lines(run, "--against", "HEAD", "p.conllu") == []


def test_a_section_of_pyproject_is_found_as_it_was(run: Run, commit: Commit) -> None:
    pair = '[[tool.goldlens.pair]]\ngold = "gold.conllu"\npred = "sub/p.conllu"\n'
    gold, pred = words("a", "b"), words("a", "b").replace("NOUN", "VERB", 1)
    commit({"pyproject.toml": pair, "gold.conllu": gold, "sub/p.conllu": pred})
    commit({"sub/pyproject.toml": "[project]\nname = 'x'\n"})
    assert lines(run, "sub/p.conllu") == ["sub/p.conllu:1 tag-error"]
    assert lines(run, "--against", "HEAD", "sub/p.conllu") == []


def test_a_configuration_that_was_wrong_is_not_told_of(run: Run, commit: Commit) -> None:
    commit({"goldlens.toml": "scpoe = 1\n", "a.conllu": BAD})
    write("goldlens.toml", "")
    result = run("check", "--against", "HEAD", "a.conllu")
    assert result.stderr == f"no problems new since HEAD in 1 file, {WITHOUT_GOLD}\n"


def test_configurations_are_checked_against_what_they_were(run: Run, commit: Commit) -> None:
    commit({"goldlens.toml": "scpoe = 1\n"})
    write("goldlens.toml", "\nscpoe = 1\nrnu = 2\n")
    assert lines(run, "--against", "HEAD", "goldlens.toml") == ["goldlens.toml:3 config-key"]


# Revisions


def test_any_name_of_a_commit_will_do(run: Run, git: Git, commit: Commit) -> None:
    first = commit({"a.conllu": GOOD})
    git("tag", "clean")
    commit({"a.conllu": BAD})
    for name in (first, first[:10], "HEAD~1", "clean", "main^", "HEAD^{/a change}~1"):
        found = lines(run, "--against", name, "a.conllu")
        assert found == ["a.conllu:1 head-out-of-range"], name
    assert lines(run, "--against", "main", "a.conllu") == []


def test_three_dots_are_the_last_common_commit(run: Run, git: Git, commit: Commit) -> None:
    commit({"a.conllu": GOOD + BAD})
    git("checkout", "-q", "-b", "work")
    commit({"a.conllu": GOOD + BAD + row(1, 8, form="mine") + "\n"})
    git("checkout", "-q", "main")
    commit({"a.conllu": GOOD})  # repaired there, in the meantime
    git("checkout", "-q", "work")
    mine = "a.conllu:5 head-out-of-range"
    assert lines(run, "--against", "main", "a.conllu") == ["a.conllu:3 head-out-of-range", mine]
    for name in ("main...", "main...HEAD", "main...work", "...main"):
        assert lines(run, "--against", name, "a.conllu") == [mine], name


@pytest.mark.parametrize(
    "name", ["nowhere", "", "--all", "-h", "HEAD:a.conllu", "a..b", "HEAD...nowhere", "HEAD\nHEAD"]
)
def test_an_unknown_revision_is_one_clear_error(run: Run, commit: Commit, name: str) -> None:
    commit({"a.conllu": BAD, "b.conllu": BAD})
    result = run("check", f"--against={name}", "a.conllu", "b.conllu")
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert line.startswith("a.conllu:1:1: error[git]: git knows no revision ")


def test_histories_without_a_common_commit(run: Run, git: Git, commit: Commit) -> None:
    commit({"a.conllu": BAD})
    git("checkout", "-q", "--orphan", "other")
    commit({"a.conllu": GOOD})
    result = run("check", "--against", "main...", "a.conllu")
    assert result.exit_code == 2
    assert "error[git]: main... has no merge base; " in result.stderr


def test_a_repository_without_commits(run: Run, git: Git) -> None:
    result = run("check", "--against", "HEAD", "p.conllu")
    assert result.exit_code == 2
    assert "error[git]: git knows no revision 'HEAD' here; " in result.stderr


def test_outside_of_a_repository(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    result = run("check", "--against", "HEAD", "g.conllu", "p.conllu")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"g.conllu:1:1: error[git]: {folder} is in no git repository; leave out --against\n"
    )


def test_without_git(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A program in the current folder is nobody's git.
    Path("git").write_text("#!/bin/sh\ntouch started\n", "utf-8")
    Path("git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{os.pathsep}.")
    result = run("check", "--against", "HEAD", "p.conllu")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "error[git]: git is not installed, or not on the PATH; " in result.stderr
    assert not Path("started").exists()


def test_standard_input_was_not_there(run: Run, commit: Commit) -> None:
    commit({"a.conllu": BAD})
    result = run("check", "--against", "HEAD", "-", stdin=BAD.encode())
    assert result.exit_code == 2
    assert result.stderr.startswith("error[usage]: --against needs files; ") or (
        "--against needs files" in result.output
    )


def test_a_file_that_is_not_there_does_not_hide_the_others(run: Run, commit: Commit) -> None:
    commit({"a.conllu": GOOD})
    write("a.conllu", BAD)
    result = run("check", "--against", "HEAD", "none.conllu", "no/where.conllu", "a.conllu")
    assert result.exit_code == 2
    assert "a.conllu:1:20: error[head-out-of-range]" in result.stdout
    assert "none.conllu:1:1: error[file]" in result.stderr
    assert "no/where.conllu:1:1: error[file]" in result.stderr


# Where files are


ODD = ["sp ace.conllu", "-x.conllu", ":(top)a.conllu", "*.conllu", "é\u0301.conllu", "a\nb.conllu",
       'q"uo\\te.conllu', "sub/HEAD:x.conllu", "\t.conllu"]  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_names_may_be_odd(run: Run, commit: Commit, name: str) -> None:
    commit({name: BAD, "plain.conllu": GOOD})
    write(name, BAD + row(1, 9) + "\n")
    found = json.loads(run("check", "--format", "json", "--against", "HEAD", "--", name).stdout)
    assert [(each["path"], each["line"]) for each in found] == [(name, 3)]


def test_names_need_not_be_text(process: Process, git: Git) -> None:
    name = os.fsdecode(b"\xff\xfe.conllu")
    write(name, BAD)
    git("add", "-A")
    git("commit", "-q", "-m", "odd")
    done = process("check", "--against", "HEAD", name)
    assert (done.returncode, done.stdout) == (0, b"")


def test_the_current_folder_may_be_anywhere(
    run: Run, commit: Commit, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit({"sub/a.conllu": BAD, "b.conllu": BAD})
    monkeypatch.chdir(folder / "sub")
    assert lines(run, "--against", "HEAD", "a.conllu", "../b.conllu") == []
    monkeypatch.chdir(folder.parent)
    assert lines(run, "--against", "HEAD", str(folder / "sub" / ".." / "b.conllu")) == []


def test_links_are_followed_then_and_now(run: Run, commit: Commit, git: Git, folder: Path) -> None:
    write("runs/1.conllu", BAD)
    write("runs/2.conllu", BAD + row(1, 9, form="two") + "\n")
    Path("last.conllu").symlink_to("runs/1.conllu")
    Path("now").symlink_to("runs")
    git("add", "-A")
    git("commit", "-q", "-m", "links")
    Path("last.conllu").unlink()
    Path("last.conllu").symlink_to("runs/2.conllu")
    assert lines(run, "--against", "HEAD", "last.conllu") == ["last.conllu:3 head-out-of-range"]
    assert lines(run, "--against", "HEAD", "now/2.conllu") == []


def test_files_of_two_repositories(run: Run, git: Git, commit: Commit, folder: Path) -> None:
    git("init", "-q", "-b", "main", "inner")
    inner = ("-C", "inner")
    write("inner/a.conllu", BAD)
    git(*inner, "add", "-A")
    git(*inner, "commit", "-q", "-m", "inner")
    commit({"a.conllu": GOOD})
    write("a.conllu", BAD)
    assert lines(run, "--against", "HEAD", "a.conllu", "inner/a.conllu") == [
        "a.conllu:1 head-out-of-range"
    ]


def test_what_a_hook_is_told_of_its_repository_is_not_ours(
    run: Run, commit: Commit, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit({"sub/a.conllu": BAD})
    for name, value in {"GIT_DIR": ".git", "GIT_INDEX_FILE": "x", "GIT_PREFIX": "sub/"}.items():
        monkeypatch.setenv(name, value)
    assert lines(run, "--against", "HEAD", "sub/a.conllu") == []


def test_a_pointer_of_git_lfs_is_not_taken_for_the_file(run: Run, commit: Commit) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
    commit({"a.conllu": pointer})
    write("a.conllu", BAD)
    result = run("check", "--against", "HEAD", "a.conllu")
    assert result.exit_code == 2
    assert "a.conllu:1:1: error[git]: " in result.stderr
    assert "Git LFS" in result.stderr


# Forms, and what is never done


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_every_format_has_what_is_new(run: Run, commit: Commit, form: str) -> None:
    commit({"a.conllu": BAD})
    write("a.conllu", BAD + row(1, 9, form="new") + "\n")
    result = run("check", "--format", form, "--against", "HEAD", "a.conllu")
    assert result.exit_code == 1
    assert result.stdout.count("head-out-of-range") >= 1
    if form == "sarif":
        [found] = json.loads(result.stdout)["runs"][0]["results"]
        assert found["locations"][0]["physicalLocation"]["region"]["startLine"] == 3
    else:
        assert len(result.stdout.replace("[\n", "").replace("]\n", "").splitlines()) == 1


def test_nothing_of_the_repository_is_started(
    run: Run, git: Git, commit: Commit, folder: Path
) -> None:
    commit({"a.conllu": BAD, "x.gold.conllu": GOOD, "x.pred.conllu": GOOD})
    trap = folder / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch '{folder}/started'\nexit 1\n", "utf-8")
    trap.chmod(0o755)
    hooks = folder / "hooks"
    hooks.mkdir()
    for name in ("post-checkout", "post-index-change", "reference-transaction", "fsmonitor"):
        (hooks / name).write_bytes(trap.read_bytes())
        (hooks / name).chmod(0o755)
    settings = {
        "core.hooksPath": str(hooks), "core.fsmonitor": str(trap), "core.pager": str(trap),
        "pager.ls-tree": str(trap), "diff.external": str(trap), "diff.t.textconv": str(trap),
        "filter.t.smudge": str(trap), "filter.t.clean": str(trap), "core.sshCommand": str(trap),
        "alias.cat-file": f"!{trap}", "alias.ls-tree": f"!{trap}", "core.askPass": str(trap),
        "credential.helper": f"!{trap}", "protocol.ext.allow": "always",
        "remote.origin.url": f"ext::{trap}", "remote.origin.promisor": "true",
        "extensions.partialClone": "origin", "core.repositoryFormatVersion": "1",
    }  # fmt: skip
    for name, value in settings.items():
        git("config", name, value)
    (folder / ".git" / "info" / "attributes").write_text("* diff=t filter=t\n", "utf-8")
    write("a.conllu", BAD + GOOD)
    assert lines(run, "--against", "main...", "a.conllu", "x.pred.conllu") == []
    # A partial clone lacks contents, and would ask its remote for them.
    name = git("rev-parse", "HEAD:a.conllu")
    (folder / ".git" / "objects" / name[:2] / name[2:]).unlink()
    result = run("check", "--against", "HEAD", "a.conllu")
    assert result.exit_code == 2
    assert "error[git]: git does not have the contents of a.conllu" in result.stderr
    assert not (folder / "started").exists()


def test_the_repository_is_left_as_it_is(run: Run, git: Git, commit: Commit, folder: Path) -> None:
    commit({"a.conllu": BAD})
    write("a.conllu", BAD + GOOD)

    def state() -> dict[Path, tuple[int, int]]:
        files = (path for path in folder.rglob("*") if path.is_file())
        return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in files}

    before = state()
    assert lines(run, "--against", "HEAD", "a.conllu") == []
    assert state() == before


def test_the_guide_shows_what_is_printed(run: Run, commit: Commit) -> None:
    [fence] = [f for f in fences(DOCS / "guide" / "ci.md") if f.words == ("against",)]
    command, *printed = fence.data.decode().splitlines()
    named = "# sent_id = 1\n"
    commit({"parser.pred.conllu": named + words("a", "b") + BAD})
    write("parser.pred.conllu", named + words("a", "b").replace("\t1\tdep", "\t9\tdep") + BAD)
    assert command.startswith("$ goldlens check ")
    result = run(*command.split()[2:])
    assert result.output.splitlines() == printed
