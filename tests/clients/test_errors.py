"""Input that is wrong, and ways to end: one line each, the right status, and never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from goldlens.cli import score
from goldlens.cli.lines import one_line
from goldlens.cli.main import VERBS, main
from tests.clients.rows import write

pytestmark = pytest.mark.usefixtures("folder")


def test_a_missing_file_and_a_folder_are_a_line_each(run: Any) -> None:
    Path("sub").mkdir()
    result = run("score", "none.conllu", "sub")
    assert (result.exit_code, result.stdout) == (2, "")
    first, second = result.stderr.splitlines()
    assert first == "none.conllu:1:1: error[file]: there is no such file; check the path"
    assert second == "sub:1:1: error[file]: this is a folder, not a file; name a file in it"


def test_a_file_that_may_not_be_read_is_a_line(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # Tests may run as root, who may read everything.
    opened = Path.open

    def denied(self: Path, *args: Any, **kwargs: Any) -> Any:
        if self.name == "p.conllu":
            raise PermissionError(13, "Permission denied", str(self))
        return opened(self, *args, **kwargs)

    monkeypatch.setattr(Path, "open", denied)
    for arguments in (["score", "g.conllu", "p.conllu"], ["check", "p.conllu"]):
        result = run(*arguments)
        assert result.exit_code == 2
        line = result.stderr.splitlines()[0]
        assert line.startswith("p.conllu:1:1: error[file]: no permission to read the file; ")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0", "binary"),
        ("1\tA\n".encode("utf-16"), "UTF-16"),
        ("1\tA\n".encode("utf-32"), "UTF-32"),
        ("1\tA\n".encode("utf-16-le"), "UTF-16"),
    ],
)
def test_what_is_no_text_is_a_line(run: Any, data: bytes, what: str) -> None:
    write("odd.conllu", data)
    for arguments in (["g.conllu", "odd.conllu"], ["odd.conllu", "p.conllu"]):
        result = run("score", *arguments, "-o", "out")
        assert (result.exit_code, result.stdout) == (2, "")
        [line] = result.stderr.splitlines()
        assert line.startswith("odd.conllu:1:1: error[encoding]: ") and what in line
        assert not Path("out").exists()


def test_one_file_by_two_names_is_no_pair(run: Any) -> None:
    Path("link.conllu").symlink_to("g.conllu")
    for pred in ("g.conllu", "./g.conllu", "link.conllu"):
        result = run("score", "g.conllu", pred)
        assert result.exit_code == 2
        assert result.stderr.splitlines() == [
            f"{pred}:1:1: error[same-file]: gold and prediction are the same file (g.conllu); "
            "give two files"
        ]


def test_standard_input_may_be_the_same_file_too() -> None:
    with Path("g.conllu").open("rb") as file:
        done = subprocess.run(
            [sys.executable, "-m", "goldlens.cli", "score", "g.conllu", "-"],
            stdin=file,
            capture_output=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"<stdin>:1:1: error[same-file]: ")


@pytest.mark.parametrize(
    ("gold", "pred", "swapped"),
    [
        ("x.pred.conllu", "x.gold.conllu", True),
        ("predictions/x.conllu", "gold/x.conllu", True),
        ("x.gold.conllu", "x.pred.conllu", False),
        ("gold/x.conllu", "pred/x.conllu", False),
        ("x.pred.conllu", "y.conllu", False),
        ("golden.conllu", "predator.conllu", False),
        ("gold-pred/a.gold.conllu", "gold-pred/a.pred.conllu", False),
    ],
)
def test_names_that_look_swapped_are_a_warning(
    run: Any, gold: str, pred: str, swapped: bool
) -> None:
    write(gold, Path("g.conllu").read_bytes())
    write(pred, Path("p.conllu").read_bytes())
    result = run("score", gold, pred)
    assert result.exit_code == 0
    assert "LAS" in result.stdout
    warning = f"{gold}:1:1: warning[swapped]: gold and prediction look swapped; "
    assert result.stderr.startswith(warning) if swapped else result.stderr == ""


@pytest.mark.parametrize(
    ("out", "code", "what"),
    [
        ("none/out", "file", "there is no folder"),
        (".", "file", "-o names a folder"),
        ("g.conllu", "same-file", "-o would overwrite gold"),
        ("./p.conllu", "same-file", "-o would overwrite the prediction"),
    ],
)
def test_where_o_cannot_write_is_said_before_the_work(
    run: Any, monkeypatch: pytest.MonkeyPatch, out: str, code: str, what: str
) -> None:
    monkeypatch.setattr(score, "evaluation", lambda *_: pytest.fail("it was evaluated"))
    before = {path: path.read_bytes() for path in Path().iterdir()}
    result = run("score", "-o", out, "g.conllu", "p.conllu")
    assert result.exit_code == 2
    [line] = result.stderr.splitlines()
    assert line.startswith(f"{out}:1:1: error[{code}]: ") and what in line
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_a_folder_without_permission_to_write_is_a_line(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    result = run("score", "-o", "out", "g.conllu", "p.conllu")
    assert result.exit_code == 2
    assert result.stderr.startswith("out:1:1: error[file]: no permission to write in ")


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["score", "g.conllu"], "Missing argument 'PRED'"),
        (["score", "-", "-"], "only one of GOLD and PRED can be standard input"),
        (["score", "--match", "foo", "g.conllu", "p.conllu"], "'--match'"),
        (["score", "--task", "trees", "g.conllu", "p.conllu"], "'--task'"),
        (["score", "--wrong", "g.conllu", "p.conllu"], "--wrong"),
        (["wrong"], "'wrong'"),
        (["scor"], "there is no command 'scor'; did you mean “score”?"),
        (["rows", "udd", "--gold", "g.conllu", "--pred", "p.conllu"], "'TASK': 'udd' is not one"),
        (["receipt", "make", "-", "p.conllu", "--data-manifest", "-"], "can be standard input"),
        (["compare", "-", "p.conllu", "-"], "only one of the files can be standard input"),
        (["check", "-", "-"], "only one file can be standard input"),
        (["--wrong"], "--wrong"),
        (["check"], "FILE"),
        (["check", "--gold", "g.conllu", "--no-gold", "p.conllu"], "exclude each other"),
        (["check", "--gold", "-", "-"], "only one file can be standard input"),
        (["lsp", "--tcp", "here"], "HOST:PORT"),
        (["lsp", "--tcp", "localhost:99999"], "HOST:PORT"),
    ],
)
def test_a_wrong_call_is_a_line(run: Any, arguments: list[str], what: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert line.startswith("error[usage]: ") and what in line
    assert line.endswith("--help” says what there is")


def test_a_name_cannot_break_the_line_or_command_the_terminal(run: Any) -> None:
    result = run("score", "a\nb\x1b[2J.conllu", "p.conllu")
    assert result.stderr.splitlines()[0].startswith(r"a\nb\x1b[2J.conllu:1:1: error[file]: ")
    assert one_line("a\tb\u2028c\x85é") == r"a\tb\u2028c\x85é"


def test_a_name_that_is_no_text_is_shown_as_an_escape(process: Any) -> None:
    done = process("check", os.fsdecode(b"n\xe9.conllu"))
    assert done.returncode == 2
    assert done.stderr.startswith(rb"n\udce9.conllu:1:1: error[file]: ")


# What nobody expected


def explode(*_: object) -> None:
    raise RuntimeError("the\nsky fell")


def test_the_unexpected_is_a_line(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score, "evaluation", explode)
    result = run("score", "g.conllu", "p.conllu")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "error[internal]: RuntimeError: the\\nsky fell, please report it\n"


def test_the_unexpected_is_let_through_for_those_who_look_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(score, "evaluation", explode)
    monkeypatch.setenv("GOLDLENS_DEBUG", "1")
    monkeypatch.setattr(sys, "argv", ["goldlens", "score", "g.conllu", "p.conllu"])
    with pytest.raises(RuntimeError, match="sky fell"):
        main()


def test_an_interruption_is_quiet() -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "goldlens.cli", "score", "g.conllu", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell's background jobs ignore the signal, and so would their children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert child.stdin is not None
    # What it reads for ever: it is in the midst of its work once it has taken so much.
    child.stdin.write(b"\n" * 1_000_000)
    child.stdin.flush()
    time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (130, b"", b"")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_is_no_error(unbuffered: str) -> None:
    row = "1\tA\ta\tFOO\t_\t_\t0\troot\t_\t_\n\n"
    Path("many.conllu").write_text(row * 20_000, "utf-8")
    child = subprocess.Popen(
        [sys.executable, "-m", "goldlens.cli", "check", "many.conllu"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    assert child.stdout is not None and child.stderr is not None
    with child.stdout, child.stderr:
        assert child.stdout.readline().startswith(b"many.conllu:1:7: warning[upos-unknown]: ")
        child.stdout.close()
        assert (child.wait(60), child.stderr.read()) == (141, b"")


PRINTING = ["score g.conllu p.conllu", "analyze g.conllu p.conllu", "demo --no-edit", "data list"]
"""Calls that print by every way there is."""


@pytest.mark.parametrize("call", [*PRINTING, "--help", "--version", "score --help"])
def test_a_reader_that_has_gone_before_anything_is_said_is_no_error(call: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as nobody:
        done = subprocess.run(
            [sys.executable, "-m", "goldlens.cli", *call.split()],
            stdout=nobody,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": ""},
            check=False,
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("verb", [["score", "g.conllu"], ["check", "--gold", "g.conllu"]])
def test_a_full_disk_is_a_line(verb: list[str], unbuffered: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "goldlens.cli", *verb, "p.conllu"],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert line.startswith(b"<stdout>:1:1: error[file]: standard output cannot be written: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("call", [*PRINTING, "--help", "--version", "receipt verify r.json"])
def test_whatever_prints_says_that_nothing_can_be_written(run: Any, call: str) -> None:
    assert run("receipt", "make", "g.conllu", "p.conllu", "-o", "r.json").exit_code == 0
    line = f"{sys.executable} -m goldlens.cli {call} >/dev/full"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, b"")
    [said] = done.stderr.splitlines()
    assert said.startswith(b"<stdout>:1:1: error[file]: standard output cannot be written: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("call", "status"),
    [
        ("score g.conllu none.conllu", 2),
        ("score", 2),
        ("check none.conllu", 2),
        ("check p.conllu", 0),
        ("score --policy lenient g.conllu empty.conllu", 0),
    ],
)
def test_where_nobody_can_be_told_the_status_says_it(call: str, status: int) -> None:
    write("empty.conllu", "")
    line = f"{sys.executable} -m goldlens.cli {call} 2>/dev/full"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=False, timeout=60)
    assert done.returncode == status


@pytest.mark.parametrize("call", [*PRINTING, "leakage p.conllu --eval e.conllu", "data verify"])
def test_closed_streams_are_survived(call: str) -> None:
    write("e.conllu", "1\tx\tx\tX\t_\t_\t0\troot\t_\t_\n\n")
    for closing in (">&-", "2>&-", "<&-", "<&- >&- 2>&-"):
        line = f"{sys.executable} -m goldlens.cli {call} {closing}"
        done = subprocess.run(["sh", "-c", line], capture_output=True, check=False, timeout=60)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "verb",
    ["score g.conllu -", "data fetch en_ewt-test-r2.15 --from -", "leakage - --eval g.conllu"],
)
def test_standard_input_that_is_closed_is_a_line(verb: str) -> None:
    line = f"{sys.executable} -m goldlens.cli {verb} <&-"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr.startswith(b"<stdin>:1:1: error[file]: standard input is closed; ")


# The command itself


def test_help_names_the_verbs_without_importing_them(process: Any) -> None:
    code = (
        "import sys; from goldlens.cli.main import goldlens\n"
        "try: goldlens.main(['--help'])\n"
        "except SystemExit as end: assert end.code == 0\n"
        "print(*[name for name in sys.modules if name.startswith(('goldlens.', 'numpy'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    *help_text, modules = done.stdout.splitlines()
    assert [line.split()[0] for line in help_text[-len(VERBS) :]] == list(VERBS)
    assert set(modules.split()) == {
        "goldlens.cli",
        "goldlens.cli.lines",
        "goldlens.cli.main",
        "goldlens.cli.outputs",
    }


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(run: Any, verb: str) -> None:
    result = run(verb, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: goldlens {verb} ")


def test_nothing_but_the_name_gives_help(run: Any) -> None:
    assert run().stdout == run("-h").stdout


def test_version(process: Any) -> None:
    from importlib.metadata import version

    done = process("--version")
    assert (done.returncode, done.stdout.decode()) == (0, f"goldlens {version('goldlens')}\n")


def test_score_imports_no_more_than_it_needs() -> None:
    code = (
        "import sys; from goldlens.cli.main import goldlens\n"
        "try: goldlens.main(['score', 'g.conllu', 'p.conllu'])\n"
        "except SystemExit: pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    modules = set(done.stderr.split())
    assert "goldlens.scoring.ud.evaluate" in modules
    heavy = {"rich", "lsprotocol", "pygls", "asyncio", "goldlens.server", "json", "tempfile"}
    assert not modules & heavy
