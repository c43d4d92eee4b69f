"""`goldlens watch`: lines, JSON, the table on a terminal, and its keys."""

from __future__ import annotations

import errno
import json
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest
from rich.live import Live

from goldlens.cli.watching.board import Board, spark
from goldlens.cli.watching.screen import Screen
from goldlens.server.history import History
from goldlens.server.noted import note
from goldlens.server.systems import Change, Event, Systems
from tests.clients.conftest import GOLD, PRED, Run

WAIT = 20.0
CONFIG = '[[pair]]\ngold = "gold/a.conllu"\npred = "runs/*/a.conllu"\ndataset = "Cats"\n'
BETTER = PRED.replace("obj", "nsubj")
COMMAND = [sys.executable, "-m", "goldlens.cli", "watch"]


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A gold, one run, and a configuration, in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Path("goldlens.toml").write_text(CONFIG, "utf-8")
    Path("gold").mkdir()
    Path("gold/a.conllu").write_text(GOLD, "utf-8")
    Path("runs/one").mkdir(parents=True)
    Path("runs/one/a.conllu").write_text(PRED, "utf-8")
    return tmp_path


# Once


def test_once_prints_each_system_and_ends(corpus: Path, run: Run) -> None:
    result = run("watch", "--once", "--metrics", "LAS,UPOS.recall")
    assert result.exit_code == 0
    assert re.fullmatch(
        r"\d\d:\d\d:\d\d  new      one \[Cats\]  LAS 80\.00  UPOS\.recall 80\.00  "
        r"0 errors, 1 warning\n",
        result.output,
    )


def test_once_as_json_says_all_there_is_to_say(corpus: Path, run: Run) -> None:
    [line] = run("watch", "goldlens.toml", "--once", "--json").output.splitlines()
    found = json.loads(line)
    assert list(found) == [
        *("time", "event", "system", "pred", "gold", "task", "metrics", "since_start"),
        *("since_last", "problems", "refused", "final", "trouble", "pred_sha256", "gold_sha256"),
    ]
    assert found["metrics"]["LAS"] == 80
    assert found["metrics"]["UAS"] == 100
    assert (found["since_start"]["LAS"], found["since_last"]["LAS"]) == (0, None)
    assert found["problems"] == {"errors": 0, "warnings": 1}
    assert (found["event"], found["system"], found["final"]) == ("new", "one", True)
    assert found["pred"] == str(corpus / "runs/one/a.conllu")


def test_a_file_that_cannot_be_scored_is_not_final(corpus: Path, run: Run) -> None:
    Path("gold/a.conllu").unlink()
    found = json.loads(run("watch", "--once", "--json").output)
    assert (found["metrics"], found["final"]) == (None, False)
    assert "no gold at" in found["trouble"]


def test_nothing_to_watch_is_said(tmp_path: Path, run: Run) -> None:
    result = run("watch", tmp_path, "--once", "--no-history")
    assert result.exit_code == 0
    assert "warning[no-system]" in result.output


def test_a_wrong_configuration_is_said_and_what_it_names_all_the_same(
    corpus: Path, run: Run
) -> None:
    config = corpus / "goldlens.toml"
    config.write_text(config.read_text("utf-8") + 'langauge = "en"\n', "utf-8")
    result = run("watch", "--once", "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["system"] == "one"
    [line] = result.stderr.splitlines()
    assert line.startswith(f"{config}:") and ": error[config-key]: " in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "nowhere:1:1: error[file]: "),
        (["--history", "h", "--no-history"], "exclude each other"),
        (["--once", "--metrics", "LSA"], "LSA"),
        (["--once", "--sort", "colour"], "colour"),
    ],
)
def test_a_wrong_call(corpus: Path, run: Run, arguments: list[str], said: str) -> None:
    result = run("watch", *arguments)
    assert result.exit_code == 2
    assert said in result.output
    assert len(result.output.splitlines()) == 1


def test_scores_are_kept_unless_they_are_not_to_be(corpus: Path, run: Run) -> None:
    run("watch", "--once", "--no-history")
    assert not Path("state").exists()
    run("watch", "--once", "--history", "kept")
    assert [len(p.read_text("utf-8").splitlines()) for p in Path("kept").iterdir()] == [1]
    run("watch", "--once")
    assert len(list(Path("state/goldlens/history").iterdir())) == 1


# Live


class Watch:
    """A watch as a process, and the objects that it prints."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "--json", "--no-history", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._lines: Queue[dict[str, Any]] = Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(json.loads(line))

    def next(self, seconds: float = WAIT) -> dict[str, Any]:
        return self._lines.get(timeout=seconds)

    def scored(self) -> dict[str, Any]:
        """The next object that is no word of a file being written."""
        while (found := self.next())["event"] == "trouble":
            assert not found["final"] and "unfinished" in found["trouble"]
        return found

    def quiet(self, seconds: float) -> bool:
        try:
            self._lines.get(timeout=seconds)
        except Empty:
            return True
        return False

    def end(self, number: int = signal.SIGTERM) -> tuple[int, bytes]:
        self.process.send_signal(number)
        status = self.process.wait(WAIT)
        self._reader.join(WAIT)
        assert self.process.stdout is not None and self.process.stderr is not None
        said = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        return status, said


@pytest.fixture
def watch(corpus: Path) -> Iterator[Callable[..., Watch]]:
    begun: list[Watch] = []

    def begin(*arguments: str) -> Watch:
        begun.append(Watch(*arguments))
        return begun[-1]

    yield begin
    for each in begun:
        if each.process.poll() is None:
            each.end()


def replaced(path: Path, text: str) -> None:
    """A file put in place at once."""
    other = path.with_suffix(".tmp")
    other.write_text(text, "utf-8")
    other.replace(path)


def in_pieces(path: Path, text: str) -> None:
    """A file written in place, as a slow program does."""
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, len(text), 60):
            file.write(text[start : start + 60])
            file.flush()
            time.sleep(0.03)


@pytest.mark.parametrize("write", [replaced, in_pieces])
@pytest.mark.parametrize("how", [(), ("--poll",)], ids=["events", "poll"])
def test_each_epoch_of_a_trainer_is_one_line(
    watch: Callable[..., Watch], write: Callable[[Path, str], None], how: tuple[str, ...]
) -> None:
    live = watch(*how)
    first = live.next()
    assert (first["event"], first["metrics"]["LAS"]) == ("new", 80)
    for text, las, start, last in (
        (BETTER, 100, 20, 20),
        (PRED, 80, 0, -20),
        (GOLD, 100, 20, 20),
    ):
        write(Path("runs/one/a.conllu"), text)
        found = live.scored()
        assert (found["event"], found["final"], found["metrics"]["LAS"]) == ("score", True, las)
        assert (found["since_start"]["LAS"], found["since_last"]["LAS"]) == (start, last)
    assert live.quiet(1.5)


def test_runs_golds_and_configurations_come_and_go(watch: Callable[..., Watch]) -> None:
    live = watch()
    live.next()
    Path("runs/two").mkdir()
    Path("runs/two/a.conllu").write_text(GOLD, "utf-8")
    began = time.monotonic()
    found = live.next()
    assert (found["event"], found["system"], found["metrics"]["LAS"]) == ("new", "two", 100)
    assert time.monotonic() - began < 4
    Path("gold/a.conllu").unlink()
    assert {(e["event"], e["system"]) for e in (live.next(), live.next())} == {
        ("trouble", "one"),
        ("trouble", "two"),
    }
    replaced(Path("gold/a.conllu"), PRED)
    assert {(e["system"], e["metrics"]["LAS"]) for e in (live.next(), live.next())} == {
        ("one", 100),
        ("two", 80),
    }
    Path("goldlens.toml").write_text(CONFIG.replace("*", "two"), "utf-8")
    found = live.next()
    assert (found["event"], found["system"], found["final"]) == ("gone", "one", False)


def test_half_a_file_is_never_final(watch: Callable[..., Watch]) -> None:
    live = watch()
    live.next()
    path = Path("runs/one/a.conllu")
    half = GOLD[: GOLD.index("\n\n") + 2]
    path.write_text(half, "utf-8")
    found = live.next()
    assert (found["event"], found["final"], found["metrics"]["LAS"]) == ("trouble", False, 80)
    assert "unfinished" in found["trouble"]
    path.write_text(GOLD, "utf-8")
    found = live.scored()
    assert (found["event"], found["final"], found["metrics"]["LAS"]) == ("score", True, 100)


def test_half_a_file_that_is_left_alone_is_what_it_is(watch: Callable[..., Watch]) -> None:
    live = watch()
    live.next()
    Path("runs/one/a.conllu").write_text(GOLD[: GOLD.index("\n\n") + 2], "utf-8")
    found = live.next()
    assert (found["event"], found["final"], found["metrics"]["LAS"]) == ("trouble", False, 80)
    found = live.next()
    assert (found["event"], found["final"], found["metrics"]["LAS"]) == ("score", True, 75)


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_signals_end_it_without_a_word(
    watch: Callable[..., Watch], number: int, status: int
) -> None:
    live = watch()
    live.next()
    assert live.end(number) == (status, b"")


def test_a_reader_that_has_gone_ends_it(corpus: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "--no-history"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        Path("runs/one/a.conllu").write_text(GOLD, "utf-8")
        assert process.wait(WAIT) == 141
        assert process.stderr.read() == b""


# On a terminal


class Terminal:
    """A watch on a terminal of its own: what it draws, and keys for it."""

    def __init__(self, *arguments: str) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.master, self.slave = pty.openpty()
        size = struct.pack("HHHH", 30, 110, 0, 0)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, size)
        self.before = termios.tcgetattr(self.slave)
        environment = {**os.environ, "TERM": "xterm-256color"}
        for name in ("NO_COLOR", "COLUMNS", "LINES"):
            environment.pop(name, None)
        # A session of its own, whose terminal this becomes; that is what a shell does.
        begin = (
            "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
            "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", begin, *COMMAND[1:], *arguments],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env=environment,
            start_new_session=True,
        )
        self.drawn = ""

    def until(self, *texts: str) -> str:
        """Waits until the texts have been drawn, one after the other; what was drawn since."""
        end = time.monotonic() + WAIT
        pattern = re.compile(".*?".join(map(re.escape, texts)), re.S)
        while not (found := pattern.search(self.drawn)):
            assert time.monotonic() < end, self.drawn[-3000:]
            if select.select([self.master], [], [], 0.1)[0]:
                data = os.read(self.master, 1 << 16).decode("utf-8", "replace")
                self.drawn += re.sub(r"\x1b\[[0-9;]*m", "", data)
        drawn, self.drawn = self.drawn[: found.end()], self.drawn[found.end() :]
        return drawn

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def end(self) -> int:
        end = time.monotonic() + WAIT
        while self.process.poll() is None:
            assert time.monotonic() < end
            if select.select([self.master], [], [], 0.05)[0]:
                os.read(self.master, 1 << 16)
        return self.process.returncode

    @property
    def is_as_before(self) -> bool:
        import termios

        return termios.tcgetattr(self.slave) == self.before

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(WAIT)
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def terminal(corpus: Path) -> Iterator[Terminal]:
    pytest.importorskip("termios")
    Path("runs/two").mkdir()
    Path("runs/two/a.conllu").write_text(GOLD, "utf-8")
    found = Terminal("--metrics", "LAS", "--history", "kept")
    yield found
    found.close()


def test_keys_sort_reverse_and_quit(terminal: Terminal) -> None:
    terminal.until("sorted by file")
    terminal.until("LAS", "one", "80.00", "two", "100.00", "sorted by file; s next column")
    assert not terminal.is_as_before
    terminal.press("sss")
    terminal.until("two", "100.00", "one", "80.00", "sorted by LAS;")
    terminal.press("r")
    terminal.until("one", "80.00", "two", "100.00", "sorted by LAS, reversed")
    Path("runs/one/a.conllu").write_text(BETTER, "utf-8")
    terminal.until("▲+20.00", "▲+20.00", "▁█")
    terminal.press("q")
    terminal.until("\x1b[?25h", "2 systems")
    assert terminal.end() == 0
    assert terminal.is_as_before


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_the_terminal_is_put_back_whatever_ends_it(
    terminal: Terminal, number: int, status: int
) -> None:
    terminal.until("2 systems", "sorted by file; s next column")
    terminal.process.send_signal(number)
    terminal.until("\x1b[?25h", "2 systems")
    assert terminal.end() == status
    assert terminal.is_as_before


def test_a_terminal_that_is_closed_ends_it(terminal: Terminal) -> None:
    terminal.until("2 systems", "sorted by file; s next column")
    os.close(terminal.slave)
    os.close(terminal.master)
    assert terminal.process.wait(WAIT) == 129
    terminal.master, terminal.slave = os.pipe()


class Closed(Live):
    """A terminal that nothing can be written to any more."""

    def start(self, refresh: bool = False) -> None: ...

    def stop(self) -> None: ...

    def update(self, renderable: object, *, refresh: bool = False) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))


def test_a_terminal_that_is_closed_as_it_is_drawn_on_ends_it(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("goldlens.cli.watching.screen.Live", Closed)
    screen = Screen(Systems(corpus), History(None), "file", lambda: None)
    assert screen.watch(poll=True) == 129


def test_it_can_be_suspended_and_goes_on(terminal: Terminal) -> None:
    terminal.until("sorted by file; s next column")
    terminal.process.send_signal(signal.SIGTSTP)
    terminal.until("\x1b[?25h")
    end = time.monotonic() + WAIT
    while not (found := os.waitpid(terminal.process.pid, os.WUNTRACED | os.WNOHANG))[0]:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert os.WIFSTOPPED(found[1])
    assert terminal.is_as_before
    terminal.process.send_signal(signal.SIGCONT)
    terminal.until("sorted by file; s next column")
    terminal.press("q")
    assert terminal.end() == 0
    assert terminal.is_as_before


# The table


@pytest.mark.parametrize(
    ("values", "bars"),
    [
        ([], ""),
        ([None], ""),
        ([1.0], "▄"),
        ([1.0, 1.0], "▄▄"),
        ([0.0, None, 7.0], "▁ █"),
        ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], "▁▂▃▄▅▆▇█"),
    ],
)
def test_a_trend_goes_from_the_least_to_the_greatest(values: list[float | None], bars: str) -> None:
    assert spark(values) == bars


@pytest.fixture
def board(corpus: Path) -> Board:
    for name, text in (("two", GOLD), ("three", BETTER)):
        path = Path("runs", name, "a.conllu")
        path.parent.mkdir()
        path.write_text(text, "utf-8")
    systems, history = Systems(corpus), History(None)
    for change in systems.open():
        note(history, change)
    return Board(systems, history)


@pytest.mark.parametrize(
    ("sort", "reverse", "names"),
    [
        ("file", False, ["one", "three", "two"]),
        ("file", True, ["two", "three", "one"]),
        ("system", False, ["one", "three", "two"]),
        ("UPOS", False, ["two", "one", "three"]),
        ("UPOS", True, ["one", "three", "two"]),
        ("LAS", False, ["three", "two", "one"]),
        ("warnings", False, ["one", "three", "two"]),
    ],
)
def test_the_best_or_the_worst_off_come_first(
    board: Board, sort: str, reverse: bool, names: list[str]
) -> None:
    board.sort, board.reverse = sort, reverse
    assert [system.name for system in board.sorted()] == names


def test_what_has_no_score_comes_last(board: Board) -> None:
    board.sort = "LAS"
    board.systems.all[0].score = None
    for reverse in (False, True):
        board.reverse = reverse
        assert board.sorted()[-1].name == "one"


def test_every_column_can_be_sorted_by(board: Board) -> None:
    seen = []
    for _ in board.columns:
        board.next_sort()
        seen.append(board.sort)
        assert len(board.sorted()) == 3
    assert sorted(seen) == sorted(board.columns)


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_the_table_fits_the_terminal(board: Board, width: int) -> None:
    from io import StringIO

    from rich.console import Console

    console = Console(
        file=StringIO(), width=width, height=12, force_terminal=True, color_system=None
    )
    with console.capture() as captured:
        console.print(board.render(console, keys=True))
    lines = captured.get().splitlines()
    assert len(lines) <= 12
    assert all(len(line) <= width for line in lines)
    assert any("80.00" in line and line.startswith("one") for line in lines)
    assert any("errors" in line for line in lines)


def test_more_systems_than_lines_are_said(board: Board) -> None:
    from io import StringIO

    from rich.console import Console

    console = Console(file=StringIO(), width=100, height=7)
    with console.capture() as captured:
        console.print(board.render(console, keys=True))
    assert "1 more system below" in captured.get()


def test_a_trouble_is_told_at_length_and_its_score_is_stale(board: Board) -> None:
    from io import StringIO

    from rich.console import Console

    system = board.systems.all[1]
    system.trouble = "it cannot be read: no permission"
    console = Console(file=StringIO(), width=100, height=20)
    with console.capture() as captured:
        console.print(board.render(console, keys=False))
    lines = captured.get().splitlines()
    assert any(line.startswith("! three") and "100.00" in line for line in lines)
    assert "! three [Cats]: stale, it cannot be read: no permission" in map(str.rstrip, lines)
    assert Change(Event.TROUBLE, system).event == "trouble"
