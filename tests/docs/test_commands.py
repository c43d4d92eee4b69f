"""What pages show of commands is what the commands print.

The fences of a page are played in their order, in an empty folder with a copy of examples/. One
with `file=NAME` is written to that file. In a `console` fence a line that begins with `$` is a
command, and the lines below it are what it prints, errors where they come; a line `…` stands for
any number of lines. `$ cat FILE` shows a file, `$ echo $?` the last exit status. What depends on
the installation (versions) is not compared. A `python` fence with the word `run` is run.
"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from goldlens.cli.main import goldlens
from tests.docs.pages import DOCS, ROOT, Fence, fences

OMITTED = "…"
PLAYED = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if any(f.language == "console" for f in fences(page))
]
_VERSION = re.compile(r"version:[^|\s\"]+")


def commands(fence: Fence) -> list[tuple[str, list[str]]]:
    """Each command of a fence and the lines shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in fence.data.decode().removesuffix("\n").split("\n"):
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def agrees(shown: list[str], printed: list[str]) -> bool:
    """Whether the lines shown are those printed, but for what a line `…` leaves out."""
    pattern = "\n".join(r".+" if line == OMITTED else re.escape(line) for line in shown)
    return re.fullmatch(pattern, "\n".join(printed), re.S) is not None


class Shell:
    """As much of a shell as pages need."""

    def __init__(self) -> None:
        self.status = 0

    def run(self, command: str) -> list[str]:
        """The lines that a command prints."""
        name, *arguments = shlex.split(command)
        if name == "echo":
            assert arguments == ["$?"]
            return [str(self.status)]
        if name == "cat":
            return _lines("".join(Path(file).read_text("utf-8") for file in arguments))
        assert name == "goldlens", command
        result = CliRunner().invoke(goldlens, arguments)
        assert isinstance(result.exception, SystemExit | None)
        self.status = result.exit_code
        return _lines(result.output)


def _lines(text: str) -> list[str]:
    text = _VERSION.sub("version:", text)
    return text.removesuffix("\n").split("\n") if text else []


@pytest.mark.parametrize("page", PLAYED, ids=lambda page: page.stem)
def test_a_page_shows_what_its_commands_print(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", "examples")
    shell = Shell()
    for fence in fences(page):
        if fence.file:
            Path(fence.file).parent.mkdir(parents=True, exist_ok=True)
            Path(fence.file).write_bytes(fence.data)
        elif fence.language == "python" and "run" in fence.words:
            exec(compile(fence.data, page.name, "exec"), {})
        elif fence.language == "console":
            for command, shown in commands(fence):
                printed = shell.run(command)
                expected = [_VERSION.sub("version:", line) for line in shown]
                assert agrees(expected, printed), "\n".join([f"$ {command}", *printed])


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a"], ["a", "b"], False),
        (["a", OMITTED], ["a", "b", "c"], True),
        (["a", OMITTED, "c"], ["a", "c"], False),
        ([OMITTED, "d"], ["a", "c"], False),
        ([], [], True),
    ],
)
def test_only_what_is_said_to_be_left_out_may_be_missing(
    shown: list[str], printed: list[str], same: bool
) -> None:
    assert agrees(shown, printed) is same


def test_the_guide_has_pages_with_commands() -> None:
    guide = {"spans", "classification", "stemming", "intervals-and-rows", "receipts", "comparing"}
    assert guide <= {page.stem for page in PLAYED}
