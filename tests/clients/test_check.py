"""`goldlens check`: what is found, against which gold, and what the exit status says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from goldlens.cli import check
from goldlens.cli.formats import WITHOUT_GOLD
from goldlens.scoring.ud.alignment import GroupTooLarge
from tests.clients.rows import row, write

pytestmark = pytest.mark.usefixtures("folder")

LINE = re.compile(r"(?P<path>[^:]+):(\d+):(\d+): (error|warning|information|hint)\[([a-z-]+)\]: \S")


def codes(result: Any) -> list[str]:
    """The codes of the text form, in order."""
    found = [LINE.match(line) for line in result.stdout.splitlines()]
    assert all(found), result.stdout
    return [match[5] for match in found if match]


# The text form, and the exit status


def test_a_file_without_problems(run: Any) -> None:
    result = run("check", "g.conllu")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"no problems in 1 file, {WITHOUT_GOLD}\n"


def test_warnings_do_not_fail_a_check_and_errors_do(run: Any) -> None:
    write("warn.conllu", row(1, 0, upos="FOO") + "\n")
    write("err.conllu", row(1, 7) + "\n" + row(1, 0, upos="FOO") + "\n")
    warned = run("check", "warn.conllu")
    assert warned.exit_code == 0
    assert warned.stdout.startswith("warn.conllu:1:7: warning[upos-unknown]: ")
    assert warned.stderr == f"1 warning in 1 file, {WITHOUT_GOLD}\n"
    both = run("check", "warn.conllu", "err.conllu")
    assert both.exit_code == 1
    assert codes(both) == ["upos-unknown", "head-out-of-range", "upos-unknown"]
    assert both.stdout.splitlines()[1].startswith("err.conllu:1:16: error[head-out-of-range]: ")
    assert both.stderr == f"1 error, 2 warnings in 2 files, {WITHOUT_GOLD}\n"


def test_a_file_that_cannot_be_read_does_not_hide_the_others(run: Any) -> None:
    write("err.conllu", row(1, 7) + "\n")
    result = run("check", "none.conllu", "err.conllu", ".")
    assert result.exit_code == 2
    assert codes(result) == ["head-out-of-range"]
    first, second, summary = result.stderr.splitlines()
    assert first.startswith("none.conllu:1:1: error[file]: ")
    assert second.startswith(".:1:1: error[file]: ")
    assert summary == f"1 error in 1 file, {WITHOUT_GOLD}"


def test_what_is_no_text_is_one_error_at_its_start(run: Any) -> None:
    write("u16.conllu", row(1, 0).encode("utf-16"))
    result = run("check", "u16.conllu")
    assert result.exit_code == 1
    assert result.stdout.startswith("u16.conllu:1:1: error[encoding]: the file is UTF-16")
    assert len(result.stdout.splitlines()) == 1


def test_bytes_that_are_no_utf8_are_an_error_in_their_place(run: Any) -> None:
    write("latin.conllu", row(1, 0, form="café").encode("latin-1") + b"\n")
    result = run("check", "latin.conllu")
    assert result.exit_code == 1
    assert result.stdout.startswith("latin.conllu:1:3: error[encoding]: ")


def test_standard_input_has_a_name(run: Any) -> None:
    result = run("check", "-", stdin=row(1, 7).encode() + b"\n")
    assert result.exit_code == 1
    assert result.stdout.startswith("<stdin>:1:16: error[head-out-of-range]: ")


def test_columns_count_characters_not_bytes_nor_marks(run: Any) -> None:
    write("wide.conllu", "\ufeff" + row(1, 0, form="é🍅ש", upos="FOO") + "\n")
    lines = run("check", "wide.conllu").stdout.splitlines()
    assert [line.partition("]")[0] for line in lines] == [
        "wide.conllu:1:1: hint[bom",
        "wide.conllu:1:11: warning[upos-unknown",
    ]


def test_columns_are_right_where_one_problem_lies_inside_another(run: Any) -> None:
    gold = row(1, 0, form="é") + "\n"
    write("x.gold.conllu", gold)
    write("x.pred.conllu", gold.replace("NOUN\t_\t_", "NOUN\t_\tNumber=Sing|Number=Sing"))
    lines = run("check", "x.pred.conllu").stdout.splitlines()
    assert [line.partition(" ")[0] for line in lines if "feats-error" in line] == [
        "x.pred.conllu:1:14:"
    ]
    assert [line.partition(" ")[0] for line in lines if "feats-duplicate" in line] == [
        "x.pred.conllu:1:26:"
    ]


def test_lines_end_as_they_may(run: Any) -> None:
    text = (row(1, 0) + "\n" + row(1, 7) + "\n").replace("\n", "\r\n")
    write("crlf.conllu", text)
    result = run("check", "crlf.conllu")
    assert codes(result) == ["line-ending", "head-out-of-range"]
    assert result.stdout.splitlines()[1].startswith("crlf.conllu:3:16: ")


def test_a_tagging_prediction_says_so_once(run: Any) -> None:
    write("tags.conllu", (row(1, "_") + "\n").replace("dep", "_") * 3)
    result = run("check", "tags.conllu")
    assert (result.exit_code, codes(result)) == (0, ["head-missing"])
    assert ": information[head-missing]: " in result.stdout


# Against gold


def test_gold_can_be_named(run: Any) -> None:
    result = run("check", "--gold", "g.conllu", "p.conllu")
    assert result.exit_code == 0
    assert codes(result) == ["las-error", "tag-error"]
    assert result.stdout.startswith("p.conllu:3:22: warning[las-error]: ")
    assert codes(run("check", "p.conllu")) == []


def test_gold_may_be_standard_input(run: Any) -> None:
    result = run("check", "--gold", "-", "p.conllu", stdin=Path("g.conllu").read_bytes())
    assert codes(result) == ["las-error", "tag-error"]


def test_a_prediction_may_be_standard_input(run: Any) -> None:
    result = run("check", "--gold", "g.conllu", "-", stdin=Path("p.conllu").read_bytes())
    assert codes(result) == ["las-error", "tag-error"]


def test_gold_is_found_by_name(run: Any) -> None:
    write("x.gold.conllu", Path("g.conllu").read_bytes())
    write("x.pred.conllu", Path("p.conllu").read_bytes())
    assert codes(run("check", "x.pred.conllu")) == ["las-error", "tag-error"]
    assert codes(run("check", "x.gold.conllu")) == []
    assert codes(run("check", "--no-gold", "x.pred.conllu")) == []


def test_gold_is_found_by_the_configuration_above_the_file(run: Any) -> None:
    write("top/goldlens.toml", '[[pair]]\ngold = "g.conllu"\npred = "runs/*/p.conllu"\n')
    write("top/g.conllu", Path("g.conllu").read_bytes())
    write("top/runs/a/p.conllu", Path("p.conllu").read_bytes())
    assert codes(run("check", "top/runs/a/p.conllu")) == ["las-error", "tag-error"]


def test_the_pairs_way_of_matching_counts(run: Any) -> None:
    gold = Path("g.conllu").read_text("utf-8")
    first, second = gold.split("\n\n")[:2]
    write("turned.conllu", f"{second}\n\n{first}\n\n")
    pair = '[[pair]]\ngold = "g.conllu"\npred = "turned.conllu"\nmatch = "{}"\n'
    write("goldlens.toml", pair.format("sent_id"))
    assert codes(run("check", "turned.conllu")) == []
    write("goldlens.toml", pair.format("stream"))
    assert "stream-mismatch" in codes(run("check", "turned.conllu"))


def test_gold_that_is_not_there_is_said_once(run: Any) -> None:
    write("x.pred.conllu", Path("p.conllu").read_bytes())
    result = run("check", "x.pred.conllu")
    assert (result.exit_code, codes(result)) == (0, ["gold-not-found"])
    write("x.gold.conllu", b"\0\1\2")
    assert "gold cannot be read" in run("check", "x.pred.conllu").stdout


def test_a_profile_that_cannot_be_followed_fails_and_says_where_it_is_wrong(run: Any) -> None:
    pair = '[[pair]]\ngold = "g.conllu"\npred = "p.conllu"\nprofile = "mine.toml"\n'
    write("goldlens.toml", pair)
    write("mine.toml", "[upos]\nNOUN = 'NOUM'\n")
    write("p.conllu", row(1, 0) + "\n")
    result = run("check", "p.conllu")
    assert (result.exit_code, codes(result)) == (1, ["config-value"])
    assert "mine.toml:2:8: unknown class “NOUM”" in result.stdout
    write("mine.toml", "")
    assert "config-value" not in codes(run("check", "p.conllu"))


@pytest.mark.parametrize(
    ("gold", "line"),
    [
        ("none.conllu", "none.conllu:1:1: error[file]: there is no such file"),
        ("odd.conllu", "odd.conllu:1:1: error[encoding]: the file is binary"),
    ],
)
def test_a_named_gold_that_cannot_be_read_ends_the_check(run: Any, gold: str, line: str) -> None:
    write("odd.conllu", b"\0\1\2")
    result = run("check", "--gold", gold, "p.conllu")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(line)


def test_a_file_is_not_its_own_gold(run: Any) -> None:
    result = run("check", "--gold", "g.conllu", "g.conllu", "p.conllu")
    assert result.exit_code == 2
    assert result.stderr.startswith("g.conllu:1:1: error[same-file]: ")
    assert codes(result) == ["las-error", "tag-error"]


def test_what_cannot_be_aligned_still_gets_the_checks_of_its_format(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("x.gold.conllu", row(1, 0))
    write("x.pred.conllu", row(1, 0, upos="FOO") + "\n")

    class TooLarge:
        def __init__(self, *_: object) -> None:
            raise GroupTooLarge(10_000, 10_000)

    monkeypatch.setattr("goldlens.cli.findings.Pair", TooLarge)
    result = run("check", "x.pred.conllu")
    assert codes(result) == ["word-alignment", "upos-unknown"]
    assert result.exit_code == 1
    assert "overlapping multiword tokens" in result.stdout


def test_a_gold_file_is_read_once_for_many(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    write("goldlens.toml", '[[pair]]\ngold = "g.conllu"\npred = "p*.conllu"\n')
    for n in range(3):
        write(f"p{n}.conllu", Path("p.conllu").read_bytes())
    read: list[str] = []
    really = check.read

    def counted(path: Path, **how: Any) -> bytes:
        read.append(path.name)
        return really(path, **how)

    monkeypatch.setattr(check, "read", counted)
    assert len(codes(run("check", "p0.conllu", "p1.conllu", "p2.conllu"))) == 6
    assert read.count("g.conllu") == 1


# Settings and configurations


def test_settings_change_what_is_shown(run: Any) -> None:
    write("goldlens.toml", '[severity]\nupos-unknown = "error"\nhead-out-of-range = "off"\n')
    write("x.conllu", row(1, 7, upos="FOO") + "\n")
    result = run("check", "x.conllu")
    assert (result.exit_code, codes(result)) == (1, ["upos-unknown"])


def test_settings_ask_for_what_is_off(run: Any) -> None:
    write("pyproject.toml", '[tool.goldlens.severity]\nsent-id-missing = "hint"\n')
    write("x.conllu", row(1, 0) + "\n")
    assert codes(run("check", "x.conllu")) == ["sent-id-missing"]
    assert ": hint[sent-id-missing]" in run("check", "-", stdin=row(1, 0).encode() + b"\n").stdout


@pytest.mark.parametrize("name", ["goldlens.toml", "pyproject.toml"])
def test_configurations_are_checked_as_such(run: Any, name: str) -> None:
    section = "" if name == "goldlens.toml" else "[tool.goldlens]\n"
    write(name, f'{section}run = "never"\nmaxProblem = 3\n')
    result = run("check", name)
    assert result.exit_code == 1
    assert codes(result) == ["config-value", "config-key"]
    first = section.count("\n") + 1
    assert result.stdout.startswith(f"{name}:{first}:7: error[config-value]: ")


def test_a_configuration_with_windows_line_ends_is_well(run: Any) -> None:
    write("goldlens.toml", '[[pair]]\r\ngold = "g.conllu"\r\npred = "p.conllu"\r\n')
    assert codes(run("check", "goldlens.toml")) == []


def test_a_broken_configuration_is_mentioned_where_it_would_have_counted(run: Any) -> None:
    write("goldlens.toml", "[[pair]\n")
    result = run("check", "p.conllu", "g.conllu")
    assert result.exit_code == 0
    warnings = [line for line in result.stderr.splitlines() if "warning[config]" in line]
    assert len(warnings) == 1
    assert warnings[0].startswith("goldlens.toml:1:1: warning[config]: the configuration has 1 ")
    assert "warning[config]" not in run("check", "goldlens.toml").stderr
