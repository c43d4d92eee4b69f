"""What becomes of the validator where it cannot or must not run."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import pytest

from goldlens.server.lsp.server import GoldlensServer
from goldlens.server.shared import Shared
from goldlens.server.validation import process
from goldlens.server.validation.process import Run

TEXT = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n"
ON = {"validate": "onSave"}


class Editor:
    def __init__(self, options: dict[str, Any]) -> None:
        self.sent: list[Any] = []
        self.server = GoldlensServer(
            lambda data: self.sent.append(json.loads(data.partition(b"\r\n\r\n")[2])),
            lambda status: None,
            Shared(),
        )
        self.say("initialize", {"capabilities": {}, "initializationOptions": options}, id=1)

    def say(self, method: str, params: Any, **more: Any) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        self.server.receive(json.dumps(message).encode())

    def open(self, name: str) -> None:
        document = {"uri": f"file:///nowhere/{name}.conllu", "version": 1, "text": TEXT}
        self.say("textDocument/didOpen", {"textDocument": document})

    @property
    def shown(self) -> list[str]:
        return [
            message["params"]["message"]
            for message in self.sent
            if message.get("method") == "window/showMessage"
        ]


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """The runs that were begun, of a validator that never ends."""
    begun: list[Run] = []

    class Endless(Run):
        def __init__(self, command: Any, *more: Any) -> None:
            endless = [sys.executable, "-c", "import time\nwhile True: time.sleep(1)"]
            super().__init__(endless, *more)
            begun.append(self)

    monkeypatch.setattr("goldlens.server.lsp.validating.Run", Endless)
    return begun


async def until_it_runs(run: Run) -> None:
    while run.process is None:
        await asyncio.sleep(0.01)


async def until_it_ends(run: Run) -> None:
    while run.process is not None and run.process.poll() is None:
        await asyncio.sleep(0.01)


async def test_not_installed_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "is_installed", lambda: False)
    editor = Editor(ON)
    editor.open("a")
    editor.open("b")
    [said] = editor.shown
    assert "pip install 'goldlens[validate]'" in said
    editor.server.leave()
    off = Editor({})
    off.open("a")
    assert off.shown == []
    off.server.leave()


async def test_what_is_too_large_is_not_validated(
    monkeypatch: pytest.MonkeyPatch, runs: list[Run]
) -> None:
    monkeypatch.setattr(process, "LARGEST", 10)
    editor = Editor(ON)
    editor.open("a")
    [said] = editor.shown
    assert "a.conllu is too large" in said and runs == []
    editor.server.leave()


async def test_what_fails_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        process, "command", lambda *_: [sys.executable, "-c", "raise SystemExit(3)"]
    )
    editor = Editor(ON)
    editor.open("a")
    async with asyncio.timeout(30):
        while not editor.shown:
            await asyncio.sleep(0.01)
    assert "a.conllu could not be validated: it ended with status 3" in editor.shown[0]
    editor.server.leave()


@pytest.mark.parametrize("how", ["closed", "shutdown", "left", "turned off"])
async def test_a_run_that_nobody_wants_any_more_is_killed(runs: list[Run], how: str) -> None:
    editor = Editor(ON)
    editor.open("a")
    [run] = runs
    async with asyncio.timeout(30):
        await until_it_runs(run)
        match how:
            case "closed":
                document = {"uri": "file:///nowhere/a.conllu"}
                editor.say("textDocument/didClose", {"textDocument": document})
            case "shutdown":
                editor.say("shutdown", None, id=2)
            case "left":
                editor.server.leave()
            case _:
                settings = {"goldlens": {"validate": "off"}}
                editor.say("workspace/didChangeConfiguration", {"settings": settings})
        await until_it_ends(run)
    editor.server.leave()


async def test_of_saves_while_it_runs_the_last_one_counts(runs: list[Run]) -> None:
    editor = Editor(ON)
    editor.open("a")
    named = {"textDocument": {"uri": "file:///nowhere/a.conllu"}}
    for _ in range(3):
        editor.say("textDocument/didSave", named)
    assert len(runs) == 1
    async with asyncio.timeout(30):
        await until_it_runs(runs[0])
        # As if the system had ended it: what was saved meanwhile is still to be validated.
        assert runs[0].process is not None
        runs[0].process.kill()
        while len(runs) == 1:
            await asyncio.sleep(0.01)
    assert len(runs) == 2
    editor.server.leave()
    async with asyncio.timeout(30):
        await until_it_ends(runs[1])
