"""The editor's first message, and the folders it names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from goldlens.cli.forwarding.first import first_message, folders
from goldlens.server.lsp.wire import frame
from tests.clients.cli.forwarding.model import initialize, note


@pytest.mark.parametrize(
    ("said", "first"),
    [
        (frame(initialize()) + frame(note("x")) + b"Cont", initialize()),
        (b"Content-Length: 5\r\n\r\nab", None),
        (b"garbage\r\n\r\n", None),
        (b"", None),
    ],
)
def test_all_that_was_read_is_given_back(said: bytes, first: bytes | None) -> None:
    read, write = os.pipe()
    os.write(write, said)
    os.close(write)
    assert first_message(read) == (said, first)
    os.close(read)


def named(*uris: Any) -> list[Any]:
    return [{"uri": uri, "name": "n"} for uri in uris]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"rootUri": "file:///a%20b"}, ["/a b"]),
        ({"rootPath": "/p"}, ["/p"]),
        ({"rootPath": "/p", "rootUri": "file:///r"}, ["/r"]),
        ({"workspaceFolders": named("file:///a", "file:///b"), "rootUri": "x:y"}, ["/a", "/b"]),
        ({"workspaceFolders": [], "rootUri": "file:///r"}, ["/r"]),
        ({"workspaceFolders": None, "rootUri": None}, []),
        ({"workspaceFolders": named("file:///a", "vsls:/b")}, []),
        ({"workspaceFolders": named(None)}, []),
        ({"workspaceFolders": ["file:///a"]}, []),
        ({"rootPath": "relative"}, []),
        ({}, []),
    ],
)
def test_the_folders(params: Any, expected: list[str]) -> None:
    assert folders(initialize(**params)) == [Path(path) for path in expected]


@pytest.mark.parametrize("body", [note("exit"), b"[]", b"{", note("initialize", [])])
def test_other_messages_name_none(body: bytes) -> None:
    assert folders(body) == []


def test_a_relay_is_thin() -> None:
    """What a server is made of takes long to import, and much memory."""
    code = (
        "import sys, goldlens.cli.forwarding.serving\n"
        "print(sorted({'numpy', 'pygls', 'lsprotocol', 'watchdog', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"
