"""`goldlens lsp`: what it is told goes on to the server, and its status comes back."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A runtime folder of its own, in which no daemon has ever been."""
    monkeypatch.setenv("GOLDLENS_RUNTIME_DIR", str(tmp_path / "run"))
    return tmp_path / "run"


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Puts a server in place that notes how it is called, and returns 1 or 3."""
    calls: list[tuple[Any, ...]] = []
    module = ModuleType("goldlens.server.lsp")
    module.serve_stdio = lambda *a: calls.append(("stdio", *a)) or 1  # type: ignore[attr-defined]
    module.serve_tcp = lambda *a: calls.append(("tcp", *a)) or 3  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "goldlens.server.lsp", module)
    return calls


@pytest.mark.parametrize("options", [[], ["--stdio"]])
def test_stdio_is_what_is_meant(run: Any, served: list[Any], options: list[str]) -> None:
    assert run("lsp", *options).exit_code == 1
    assert served == [("stdio", None)]


@pytest.mark.parametrize(
    ("given", "host", "port"),
    [
        ("127.0.0.1:2087", "127.0.0.1", 2087),
        ("[::1]:0", "::1", 0),
        (":2087", "127.0.0.1", 2087),
        ("localhost:65535", "localhost", 65535),
    ],
)
def test_tcp(run: Any, served: list[Any], given: str, host: str, port: int) -> None:
    assert run("lsp", "--tcp", given).exit_code == 3
    assert served == [("tcp", host, port, None)]


def test_the_log_level_is_passed_on(run: Any, served: list[Any]) -> None:
    run("lsp", "--log", "debug")
    assert served == [("stdio", "debug")]


@pytest.fixture
def relayed(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Puts a relay in place that notes how it is called, and returns 4."""
    calls: list[dict[str, Any]] = []
    module = ModuleType("goldlens.cli.forwarding.serving")
    module.serve = lambda **more: calls.append(more) or 4  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "goldlens.cli.forwarding.serving", module)
    return calls


def test_a_daemon_that_may_be_there_is_looked_for(
    run: Any, served: list[Any], relayed: list[Any], runtime: Path
) -> None:
    run("lsp")
    assert (len(served), len(relayed)) == (1, 0)
    runtime.mkdir()
    (runtime / "0123456789abcdef.json").touch()
    assert run("lsp", "--log", "info").exit_code == 4
    assert relayed == [{"start": False, "level": "info"}]
    run("lsp", "--no-daemon")
    assert (len(served), len(relayed)) == (2, 1)


def test_one_that_is_wanted_is_started(run: Any, served: list[Any], relayed: list[Any]) -> None:
    assert run("lsp", "--daemon").exit_code == 4
    assert relayed == [{"start": True, "level": None}]


def test_not_for_tcp(run: Any, served: list[Any]) -> None:
    result = run("lsp", "--daemon", "--tcp", ":0")
    assert result.exit_code == 2
    assert "--daemon" in result.output
    assert served == []


def test_the_real_server_ends_without_shutdown_with_one(process: Any) -> None:
    body = b'{"jsonrpc":"2.0","method":"exit"}'
    done = process("lsp", "--stdio", stdin=b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    assert (done.returncode, done.stdout) == (1, b"")
