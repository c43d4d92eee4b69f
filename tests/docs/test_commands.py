"""What pages show of commands is what the commands print.

The fences of a page are played in their order, in an empty folder with a copy of examples/. One
with `file=NAME` is written to that file. In a `console` fence a line that begins with `$` is a
command, and the lines below it are what it prints, errors where they come; a line `…` stands for
any number of lines. `$ cat FILE` shows a file, `$ echo $?` the last exit status. What depends on
the installation or the moment (versions, processes, times) is not compared. A `python` fence with
the word `run` is run, and a `text` fence with the word `printed` is what it prints.

Daemons that a page starts are real ones, and end with the page.
"""

from __future__ import annotations

import io
import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from click.testing import CliRunner

from goldlens.cli.main import goldlens
from goldlens.client import connect
from tests.docs.pages import DOCS, ROOT, Fence, fences

OMITTED = "…"
PLAYED = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if any(f.language == "console" or f.words == ("run",) for f in fences(page))
]
_DEPENDS = re.compile(
    r"(?<=version:)[^|\s\"]+|(?<=version )[^\s,]+|(?<=process )\d+|(?<=since )[^\s,]+"
    r"|[\d,]+ MiB|/\S*(?=/examples\b)"
)
"""What is not compared."""


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
    """Whether the lines shown are those printed, but for what a line `…` leaves out, and for what
    is not compared.
    """
    lines = (_DEPENDS.sub("", line) for line in shown)
    pattern = "\n".join(r".+" if line == OMITTED else re.escape(line) for line in lines)
    return re.fullmatch(pattern, _DEPENDS.sub("", "\n".join(printed)), re.S) is not None


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
        if arguments[:2] == ["daemon", "start"]:
            _wait_until_read(arguments[2])
        return _lines(result.output)


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _wait_until_read(folder: str) -> None:
    """A reader does not type so fast that the daemon has not read all of the folder."""
    with connect(folder) as client, client.subscribe() as events:
        waited_for = set(Path(folder, "runs").absolute().glob("*/*"))
        while waited_for:
            event = events.get(20)
            assert event is not None, f"never read: {waited_for}"
            waited_for.discard(event.path)


@pytest.fixture
def daemons(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Daemons have folders of the test's own, and none is left in the end."""
    folder = tmp_path_factory.mktemp("daemons")
    for variable in ("GOLDLENS_RUNTIME_DIR", "GOLDLENS_LOG_DIR", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(folder / variable))
    yield
    assert CliRunner().invoke(goldlens, ["daemon", "stop", "--all"]).exit_code == 0


@pytest.mark.usefixtures("daemons")
@pytest.mark.parametrize("page", PLAYED, ids=lambda page: page.stem)
def test_a_page_shows_what_its_commands_print(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOLDLENS_DATA_DIR", str(tmp_path / ".data"))
    shutil.copytree(ROOT / "examples", "examples")
    shell, said = Shell(), io.StringIO()
    for fence in fences(page):
        if fence.file:
            Path(fence.file).parent.mkdir(parents=True, exist_ok=True)
            Path(fence.file).write_bytes(fence.data)
        elif fence.language == "python" and "run" in fence.words:
            with redirect_stdout(said := io.StringIO()):
                exec(compile(fence.data, page.name, "exec"), {})
        elif "printed" in fence.words:
            assert agrees(_lines(fence.data.decode()), _lines(said.getvalue().rstrip())), (
                said.getvalue()
            )
        elif fence.language == "console":
            for command, shown in commands(fence):
                printed = shell.run(command)
                assert agrees(shown, printed), "\n".join([f"$ {command}", *printed])


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a"], ["a", "b"], False),
        (["a", OMITTED], ["a", "b", "c"], True),
        (["a", OMITTED, "c"], ["a", "c"], False),
        ([OMITTED, "d"], ["a", "c"], False),
        ([], [], True),
        (["of /home/you/examples (process 1)"], ["of /tmp/a/examples (process 23)"], True),
        (["of /home/you/examples (process 1)"], ["of /tmp/a/example (process 23)"], False),
        (["version 0.1.0, since 2026-03-01, 8 x"], ["version 2, since 1999-01-01, 8 x"], True),
        (["version 0.1.0, since 2026-03-01, 8 x"], ["version 2, since 1999-01-01, 9 x"], False),
    ],
)
def test_only_what_is_said_to_be_left_out_may_be_missing(
    shown: list[str], printed: list[str], same: bool
) -> None:
    assert agrees(shown, printed) is same


def test_the_guide_has_pages_with_commands() -> None:
    guide = {"spans", "classification", "stemming", "intervals-and-rows", "receipts", "comparing"}
    assert guide | {"daemon", "rpc", "python-client"} <= {page.stem for page in PLAYED}
