"""The official script as a process: what it is given, what ends it, how its failures are said."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from goldlens.cli.official.process import LARGEST, Failed, run
from tests.clients.cli.official.scripts import hangs, script
from tests.clients.conftest import GOLD, PRED

SECONDS = 60.0


def ended(pid: int) -> bool:
    """Whether a process is no more, or nothing but a number that nobody has asked for yet."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_until_ended(*pids: int) -> None:
    limit = time.monotonic() + 30
    while not all(map(ended, pids)):
        assert time.monotonic() < limit, [pid for pid in pids if not ended(pid)]
        time.sleep(0.02)


def failure(text: bytes, seconds: float = SECONDS) -> str:
    with pytest.raises(Failed) as caught:
        run(text, b"gold", b"pred", seconds)
    return str(caught.value)


def told(body: str) -> dict[str, Any]:
    """What a script finds where it runs: `body` puts it into `found`."""
    finding = (
        f"import os, sys\nfound = {{}}\n{body}\nimport json\nraise SystemExit(json.dumps(found))"
    )
    said = failure(script(finding))
    result: dict[str, Any] = json.loads(said.partition(": ")[2])
    return result


def test_it_prints_the_figures_of_the_script() -> None:
    printed = json.loads(run(script(), b"", b"", SECONDS))
    assert set(printed["UPOS"]) == {
        *("correct", "gold", "predicted", "aligned"),
        *("precision", "recall", "f1", "aligned_accuracy"),
    }


def test_it_is_given_the_two_texts_gold_first() -> None:
    assert told("found.update(gold=gold, pred=pred)") == {"gold": "gold", "pred": "pred"}


def test_it_has_an_empty_folder_and_no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "x")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    body = "found.update(files=os.listdir(), names=sorted(os.environ))\n"
    found = told(body + "found.update(isolated=sys.flags.isolated, path='/nowhere' in sys.path)")
    assert found["files"] == []
    assert "SECRET" not in found["names"] and "PYTHONPATH" not in found["names"]
    assert found["isolated"] == 1
    assert not found["path"]


def test_its_folder_is_gone_afterwards() -> None:
    assert not Path(told("found['here'] = os.getcwd()")["here"]).parent.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (script("raise ValueError('two\\nlines')"), "status 1: ValueError: two lines"),
        (script("raise ValueError"), "status 1: ValueError"),
        (script("import sys\nsys.exit(7)"), "status 7: it says nothing"),
        (script("raise ValueError('x' * 1000)"), "x" * 100),
        (b"def (", "SyntaxError"),
        (b"", "has no attribute 'evaluate'"),
        (script("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"), "signal 9"),
    ],
)
def test_a_failure_is_said_in_one_line(text: bytes, said: str) -> None:
    message = failure(text)
    assert said in message
    assert "\n" not in message and len(message) < 400


def test_recursion_is_told_apart() -> None:
    with pytest.raises(Failed) as caught:
        run(script("return evaluate(gold, pred)"), b"", b"", SECONDS)
    assert caught.value.recursion


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_it_may_not_print_without_end(stream: str) -> None:
    text = script(f"import sys\nwhile True: sys.{stream}.write('x' * 65536)")
    assert failure(text) == f"it printed more than {LARGEST:,} bytes and was ended"


def test_much_output_that_is_within_bounds_blocks_nobody() -> None:
    said = failure(script("import sys\nsys.stderr.write('x' * 500_000)\nsys.exit(3)"))
    assert said.startswith("it ended with status 3: xxx")


def test_it_is_ended_with_its_children_when_its_time_is_over(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    said = failure(hangs(file), 5)
    assert said.startswith("it took more than 5 seconds and was ended")
    wait_until_ended(*map(int, file.read_text().split()))


def test_a_child_that_it_leaves_behind_is_ended_and_not_waited_for() -> None:
    body = "import subprocess, sys\nchild = subprocess.Popen([sys.executable, '-c', "
    body += "'import time; time.sleep(100)'])\nraise SystemExit(str(child.pid))"
    start = time.monotonic()
    said = failure(script(body), 300)
    assert time.monotonic() - start < 90
    wait_until_ended(int(said.rpartition(" ")[2]))


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGKILL, -9)]
)
def test_whatever_ends_the_command_ends_the_script(
    number: signal.Signals, status: int, tmp_path: Path
) -> None:
    (tmp_path / "g.conllu").write_text(GOLD, "utf-8")
    (tmp_path / "p.conllu").write_text(PRED, "utf-8")
    file = tmp_path / "pids"
    (tmp_path / "hangs.py").write_bytes(hangs(file))
    call = [sys.executable, "-m", "goldlens.cli", "score", "g.conllu", "p.conllu"]
    call += ["--official", "hangs.py", "--official-any-hash"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(call, cwd=tmp_path, stdout=quiet, stderr=quiet) as command:
        try:
            limit = time.monotonic() + 60
            while not file.exists():
                assert time.monotonic() < limit and command.poll() is None
                time.sleep(0.02)
            command.send_signal(number)
            assert command.wait(60) == status
            wait_until_ended(*map(int, file.read_text().split()))
        finally:
            command.kill()
            for pid in map(int, file.read_text().split()) if file.exists() else ():
                if not ended(pid):
                    os.kill(pid, signal.SIGKILL)
