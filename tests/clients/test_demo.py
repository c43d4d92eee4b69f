"""`goldlens demo`: it shows what it says, in time, and leaves everything as it was."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from goldlens.cli.demo_edits import edits
from goldlens.cli.editor import Editor, EditorError
from tests.clients.conftest import on_terminal

REPOSITORY = Path(__file__).parents[2]
EXAMPLES = REPOSITORY / "examples"


def digests(folder: Path) -> dict[Path, str]:
    return {
        path: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The output of a demonstration, piped, of a copy of the examples."""
    folder = tmp_path_factory.mktemp("demo")
    shutil.copytree(EXAMPLES, folder / "examples")
    before = digests(folder)
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "goldlens.cli", "demo"],
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert time.perf_counter() - started < 20
    assert (done.returncode, done.stderr) == (0, b"")
    assert digests(folder) == before
    return done.stdout.decode()


def test_it_is_plain_text_when_piped(shown: str) -> None:
    assert "\x1b" not in shown


def test_it_scores_alpha(shown: str, run: Any) -> None:
    table = run(
        "score", EXAMPLES / "gold/garden.conllu", EXAMPLES / "runs/alpha/garden.conllu"
    ).stdout.split("\n\n")[0]
    assert table in shown
    assert "$ goldlens score examples/gold/garden.conllu examples/runs/alpha/garden.conllu" in shown


def test_it_underlines_what_check_finds_in_beta(shown: str, run: Any) -> None:
    checked = run("check", EXAMPLES / "runs/beta/garden.conllu")
    part = shown[shown.index("\n2. ") : shown.index("\n3. ")]
    messages = [line.partition(": ")[2] for line in checked.stdout.splitlines()]
    for message in messages[:8]:
        assert f"      │ {message}\n" in part
    assert part.count("^\n") == 8
    assert f"… and {len(messages) - 8} more.\n{checked.stderr}" in part


def test_the_underline_is_below_the_cell(shown: str) -> None:
    lines = shown.split("\n")
    at = next(k for k, line in enumerate(lines) if "warning[upos-unknown]" in line) - 2
    row, underline = lines[at], lines[at + 1]
    # Two tomatoes stand before it, each two columns wide and one character long.
    start = underline.index("^") - 2
    assert row[start : start + len(underline.strip("│ "))] == "EMOJI"


def test_the_edits_change_the_score_there_and_back(shown: str) -> None:
    part = shown[shown.index("\n3. ") :]
    las = [float(figure) for figure in re.findall(r"LAS (\d+\.\d\d)", part)]
    compared = re.findall(r"(\d+) sentences compared", part)
    problems = [int(number) for number in re.findall(r"(\d+) problems", part)]
    opened, repaired, slipped, undone = las
    assert opened < repaired and slipped < repaired and undone == repaired
    assert compared == ["13", "13", "12", "13"]
    assert problems[1] == problems[0] - 1
    assert problems[3] == problems[1]
    assert "gone: head-cycle 1\n" in part
    assert "new: stream-mismatch 1" in part
    assert re.search(rf"LAS {repaired:.2f} \(\+{repaired - opened:.2f} since open\)", part)
    assert len(re.findall(r"from didChange to publishDiagnostics \d+\.\d ms", part)) == 3
    assert "The server has ended, with status 0. No file was changed." in part


def test_no_edit_leaves_the_editor_out(process: Any) -> None:
    done = process("demo", "--no-edit", "--folder", EXAMPLES)
    assert done.returncode == 0
    assert b"\n2. " in done.stdout and b"\n3. " not in done.stdout


def test_the_examples_of_the_sources_are_found_from_anywhere(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # Somebody else's folder of that name is not it.
    (tmp_path / "examples").mkdir()
    assert f"The corpus: {EXAMPLES}," in run("demo", "--no-edit").stdout


def test_a_folder_without_the_corpus_is_a_line(run: Any, tmp_path: Path) -> None:
    result = run("demo", "--folder", tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"{tmp_path}:1:1: error[file]: the folder has not all of ")


def test_a_server_that_does_not_start_is_a_line(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "goldlens.cli.demo.Editor", lambda: Editor([sys.executable, "-c", "import sys"])
    )
    result = run("demo", "--folder", EXAMPLES)
    assert result.exit_code == 2
    assert re.search(r"garden.conllu:1:1: error\[lsp\]: the server (has )?ended", result.stderr)


# The small editor


def test_an_editor_never_leaves_a_server_behind() -> None:
    with Editor([sys.executable, "-c", "import time; time.sleep(600)"]) as editor:
        process = editor._process
    assert process.poll() is not None


def test_an_editor_says_what_the_server_refused() -> None:
    body = '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'
    code = f"input(); print('Content-Length: {len(body)}\\r\\n\\r\\n', end='{body}')"
    with (
        Editor([sys.executable, "-c", code]) as editor,
        pytest.raises(EditorError, match=r"refused initialize: no$"),
    ):
        editor.start(EXAMPLES)


def test_a_document_without_a_ring_gets_no_repair() -> None:
    text = (EXAMPLES / "runs/alpha/garden.conllu").read_text("utf-8")
    titles = [edit.title for edit in edits(text, text, [])]
    assert len(titles) == 2 and titles[0].startswith("A slip") and titles[1] == "Undone"


def test_a_stream_that_lacks_a_character_gets_an_escape(process: Any) -> None:
    done = process("demo", "--no-edit", "--folder", EXAMPLES, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"\U0001f345" in done.stdout


def test_a_terminal_gets_colours() -> None:
    shown = on_terminal(["demo", "--no-edit", "--folder", str(EXAMPLES)])
    assert "\x1b[1;31m" in shown
