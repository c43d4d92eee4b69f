"""The smallest editor that can talk to a language server: it opens, types, and reads what comes.

For the demonstration. Positions are code points (the encoding "utf-32").
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

_PATIENCE: Final = 20.0
"""Seconds to wait for any answer."""

_PUBLISH: Final = "textDocument/publishDiagnostics"
_SCORES: Final = "goldlens/scores"


class EditorError(Exception):
    """The server did not do what a server does. `str` says what."""


class Editor:
    """A process `goldlens lsp` and one document open in it."""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        """Starts the server, `goldlens lsp` unless another command is given."""
        self._process = subprocess.Popen(
            command or [sys.executable, "-m", "goldlens.cli", "lsp", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._out: IO[bytes] = self._process.stdin
        self._messages: queue.Queue[tuple[float, dict[str, Any] | None]] = queue.Queue()
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()
        self._id = 0
        self._uri, self._version = "", 0
        self.problems: list[dict[str, Any]] = []
        self.scores: dict[str, Any] = {}

    def __enter__(self) -> Editor:
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the server, by force if it has not ended."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def start(self, folder: Path) -> None:
        """Introduces itself, with a workspace folder. Raises EditorError."""
        self._request(
            "initialize",
            {
                "processId": os.getpid(),
                "clientInfo": {"name": "goldlens demo"},
                "rootUri": folder.as_uri(),
                "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name}],
                "capabilities": {
                    "general": {"positionEncodings": ["utf-32"]},
                    "textDocument": {
                        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True}
                    },
                },
            },
        )
        self._notify("initialized", {})

    def open(self, path: Path, text: str) -> float:
        """Opens a document; returns the seconds until its problems came. Raises EditorError."""
        self._uri, self._version = path.as_uri(), 1
        item = {"uri": self._uri, "languageId": "conllu", "version": 1, "text": text}
        return self._shown("textDocument/didOpen", {"textDocument": item})

    def type(self, line: int, start: int, end: int, text: str) -> float:
        """Replaces a stretch of a line (all from 0); returns the seconds until the problems came.

        Raises EditorError.
        """
        self._version += 1
        stretch = {
            "start": {"line": line, "character": start},
            "end": {"line": line, "character": end},
        }
        params = {
            "textDocument": {"uri": self._uri, "version": self._version},
            "contentChanges": [{"range": stretch, "text": text}],
        }
        return self._shown("textDocument/didChange", params)

    def stop(self) -> int:
        """Ends the server as editors do; returns its exit status. Raises EditorError."""
        self._request("shutdown", None)
        self._notify("exit", None)
        self._out.close()
        try:
            return self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            raise EditorError("the server did not end") from None

    def _shown(self, method: str, params: Mapping[str, Any]) -> float:
        started = time.perf_counter()
        self._notify(method, params)

        def is_answer(message: Mapping[str, Any]) -> bool:
            told = message.get("params") or {}
            if message.get("method") != _PUBLISH or told.get("uri") != self._uri:
                return False
            return bool(told.get("version", self._version) == self._version)

        arrived = self._wait(is_answer, method)
        # The scores, if they have changed, are told apart from the problems, in either order: an
        # answer to any request comes behind both.
        board = self._request(
            "workspace/executeCommand",
            {"command": "goldlens.score", "arguments": [{"uri": self._uri}]},
        )
        self.scores = board or self.scores
        return arrived - started

    def _request(self, method: str, params: Any) -> Any:
        self._id += 1
        number = self._id
        call = {"id": number, "method": method}
        self._send(call if params is None else {**call, "params": params})
        found: dict[str, Any] = {}

        def is_answer(message: Mapping[str, Any]) -> bool:
            if message.get("id") != number or "method" in message:
                return False
            found.update(message)
            return True

        self._wait(is_answer, method)
        if "error" in found:
            raise EditorError(f"the server refused {method}: {found['error'].get('message')}")
        return found.get("result")

    def _notify(self, method: str, params: Any) -> None:
        self._send({"method": method} if params is None else {"method": method, "params": params})

    def _answer(self, number: Any, result: Any) -> None:
        self._send({"id": number, "result": result})

    def _send(self, message: Mapping[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            self._out.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
            self._out.flush()
        except OSError as error:
            raise EditorError("the server has ended") from error

    def _wait(self, is_wanted: Callable[[Mapping[str, Any]], bool], what: str) -> float:
        """Takes in what comes until the message wanted is there; returns when it came."""
        limit = time.monotonic() + _PATIENCE
        while True:
            try:
                arrived, message = self._messages.get(timeout=max(0, limit - time.monotonic()))
            except queue.Empty:
                raise EditorError(f"the server did not answer {what}") from None
            if message is None:
                raise EditorError(f"the server ended instead of answering {what}")
            self._take(message)
            if is_wanted(message):
                return arrived

    def _take(self, message: Mapping[str, Any]) -> None:
        method, params = message.get("method"), message.get("params") or {}
        if method == _PUBLISH and params.get("uri") == self._uri:
            self.problems = params["diagnostics"]
        elif method == _SCORES and params.get("uri") == self._uri:
            self.scores = params
        elif method is not None and "id" in message:
            # What a server asks (settings, progress, registrations): nothing to say to any of it.
            items = params.get("items") if isinstance(params, dict) else None
            result = [None] * len(items) if method == "workspace/configuration" and items else None
            self._answer(message["id"], result)

    def _read(self, stream: IO[bytes]) -> None:
        """Puts every message that comes into the queue, and None at the end."""
        with contextlib.suppress(OSError, ValueError):
            while (size := _size(stream)) is not None:
                body = stream.read(size)
                self._messages.put((time.perf_counter(), json.loads(body)))
        self._messages.put((time.perf_counter(), None))


def _size(stream: IO[bytes]) -> int | None:
    """The Content-Length of the next message; None at the end."""
    size = None
    while line := stream.readline():
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            size = int(value)
        if not line.strip():
            return size
    return None
