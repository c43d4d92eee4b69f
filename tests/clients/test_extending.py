"""Files that rows go into, while others write there too or somebody ends the program."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from goldlens.cli import extending
from goldlens.cli.extending import extend
from goldlens.cli.lines import Trouble
from goldlens.scoring.results.files import merged
from goldlens.scoring.results.formats import FORMATS
from tests.clients.conftest import Process, Run
from tests.scoring.results.rowmaking import row

NAMES = [f"system{k:02}" for k in range(12)]


@pytest.fixture(autouse=True)
def _here(folder: Path) -> None:
    pass


def held(folder: str = ".") -> int:
    """A folder, held as another program would hold it; closing it lets go."""
    descriptor = os.open(folder, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


@pytest.mark.parametrize("form", FORMATS)
def test_of_many_that_extend_one_file_at_once_no_row_is_lost(form: str) -> None:
    with ThreadPoolExecutor(len(NAMES)) as pool:
        list(pool.map(lambda name: extend([row(component=name)], {form: "rows"}), NAMES))
    text = Path("rows").read_text("utf-8")
    assert [name for name in NAMES if name not in text] == []
    assert {path.name for path in Path().iterdir()} == {"g.conllu", "p.conllu", "rows"}


def test_processes_wait_for_each_other(process: Process) -> None:
    call = ("rows", "ud", "--gold", "g.conllu", "--pred", "p.conllu", "--metrics", "LAS")
    with ThreadPoolExecutor(4) as pool:
        ended = pool.map(lambda name: process(*call, "--component", name, "--json", "r"), NAMES[:4])
        assert [each.returncode for each in ended] == [0] * 4
    found = json.loads(Path("r").read_text("utf-8"))
    assert sorted(each["component"] for each in found) == NAMES[:4]


def test_what_somebody_who_holds_the_folder_writes_stays() -> None:
    descriptor = held()
    waiting = threading.Thread(target=extend, args=([row(component="ours")], {"markdown": "r.md"}))
    waiting.start()
    time.sleep(0.1)
    assert not Path("r.md").exists()
    Path("r.md").write_text(FORMATS["markdown"]([row(component="theirs")]), "utf-8")
    os.close(descriptor)
    waiting.join()
    expected = FORMATS["markdown"]([row(component="theirs"), row(component="ours")])
    assert Path("r.md").read_text("utf-8") == expected


def test_what_somebody_writes_who_holds_nothing_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor saves the file between our reading and our writing it."""
    saved: list[int] = []

    def slow(form: str, old: str, table: object, **flags: object) -> str:
        found = merged(form, old, table, **flags)  # type: ignore[arg-type]
        if not saved:
            saved.append(Path("r.md").write_text("saved\n", "utf-8"))
        return found

    monkeypatch.setattr(extending, "merged", slow)
    extend([row()], {"markdown": "r.md"})
    assert Path("r.md").read_text("utf-8") == f"saved\n\n{FORMATS['markdown']([row()])}"


def test_who_waits_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extending, "PATIENCE", 0.05)
    descriptor = held()
    with pytest.raises(Trouble, match="another program writes in this folder"):
        extend([row()], {"json": "r.json"})
    os.close(descriptor)
    assert not Path("r.json").exists()


def test_one_folder_by_two_names_is_held_once() -> None:
    Path("other").symlink_to(".")
    Path("sub").mkdir()
    files = {"json": "r.json", "csv": "other/r.csv", "markdown": "sub/../r.md", "latex": "sub/r"}
    extend([row()], files)
    assert all(Path(file).is_file() for file in files.values())


def test_where_there_are_no_locks_it_goes_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(descriptor: int, how: int) -> None:
        raise OSError("no locks available")

    monkeypatch.setattr(fcntl, "flock", refused)
    extend([row()], {"json": "r.json"})
    assert len(json.loads(Path("r.json").read_text("utf-8"))) == 1


def test_a_program_that_is_killed_leaves_the_old_file_or_the_new_one() -> None:
    code = (
        "import sys\n"
        "from goldlens.cli.extending import extend\n"
        "from tests.scoring.results.rowmaking import row\n"
        "big = [row(component=f'c{k}') for k in range(400)]\n"
        "print('ready', flush=True)\n"
        "for k in range(10**6):\n"
        "    extend([*big, row(component='last', dataset=str(k))], {'json': 'r.json'})\n"
    )
    root = Path(__file__).parents[2]
    for wait in (0.05, 0.11, 0.17, 0.23):
        running = subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(root)},
        )
        assert running.stdout is not None and running.stdout.readline()
        time.sleep(wait)
        running.send_signal(signal.SIGKILL)
        running.wait()
        running.stdout.close()
        if Path("r.json").exists():
            found = json.loads(Path("r.json").read_text("utf-8"))
            assert [each["component"] for each in found[:400]] == [f"c{k}" for k in range(400)]
            assert found[400:] and {each["component"] for each in found[400:]} == {"last"}
    # Nor does one that was killed hold anything.
    extend([row(component="after")], {"json": "r.json"})
    assert json.loads(Path("r.json").read_text("utf-8"))[-1]["component"] == "after"


def test_who_reads_the_old_file_reads_it_to_its_end() -> None:
    """It is not written over, but another one takes its place."""
    Path("r.md").write_text("old\n", "utf-8")
    with Path("r.md").open(encoding="utf-8") as reading:
        extend([row()], {"markdown": "r.md"})
        assert reading.read() == "old\n"
    assert Path("r.md").read_text("utf-8").startswith("old\n\n|")


def test_what_one_that_was_killed_left_lying_is_in_nobodys_way(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In containers every process has the same number."""
    theirs = Path(f".goldlens-{os.getpid()}.tmp")
    theirs.write_text("half", "utf-8")
    call = ("rows", "ud", "--gold", "g.conllu", "--pred", "p.conllu", "--csv", "r.csv")
    assert run(*call).exit_code == 0
    assert theirs.read_text("utf-8") == "half"


def test_a_link_stays_and_what_it_names_is_extended() -> None:
    Path("there").mkdir()
    Path("there/r.md").write_text("theirs\n", "utf-8")
    Path("there/r.md").chmod(0o640)
    Path("r.md").symlink_to("there/r.md")
    extend([row()], {"markdown": "r.md"})
    assert Path("r.md").is_symlink()
    assert Path("there/r.md").read_text("utf-8").startswith("theirs\n\n|")
    assert Path("there/r.md").stat().st_mode & 0o777 == 0o640


def test_a_file_that_may_not_be_written_stays(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("r.md").write_text("theirs\n", "utf-8")
    may = os.access
    monkeypatch.setattr(
        os, "access", lambda path, how: Path(path).name != "r.md" and may(path, how)
    )
    result = run("rows", "ud", "--gold", "g.conllu", "--pred", "p.conllu", "--markdown", "r.md")
    assert result.exit_code == 2
    assert result.stderr == (
        "r.md:1:1: error[file]: no permission to write this file; name another file\n"
    )
    assert Path("r.md").read_text("utf-8") == "theirs\n"
