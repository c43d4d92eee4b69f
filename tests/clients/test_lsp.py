"""`goldlens lsp`: what it is told goes on to the server, and its status comes back."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest


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


def test_the_real_server_ends_without_shutdown_with_one(process: Any) -> None:
    body = b'{"jsonrpc":"2.0","method":"exit"}'
    done = process("lsp", "--stdio", stdin=b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    assert (done.returncode, done.stdout) == (1, b"")
