"""An editor: it speaks LSP, has buffers that it edits, and keeps what it was told last."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

from goldlens.client.dialing import dial_and_greet
from goldlens.client.place import State
from goldlens.server.engine.positions import Encoding
from goldlens.server.sources import uri_of

WAIT: Final = 60.0
"""Seconds after which an answer counts as missing."""

_HEAD: Final = b"Content-Length: "


class Wire:
    """Bytes to and from a server. `read` gives none when there is nothing more to come."""

    def __init__(
        self,
        read: Callable[[], bytes],
        write: Callable[[bytes], object],
        close: Callable[[], object],
    ) -> None:
        self.read, self.write, self.close = read, write, close


def through_daemon(state: State) -> Wire:
    """The daemon's own socket, on which LSP is spoken from now on. Raises ClientError."""
    line = dial_and_greet(state, WAIT)
    line.ask("lsp", {}, WAIT)
    sock = line.socket
    sock.settimeout(None)

    def close() -> None:
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)
        sock.close()

    return Wire(lambda: sock.recv(1 << 16), sock.sendall, close)


def through_process(command: Sequence[str], cwd: Path) -> Wire:
    """A process that speaks LSP on its standard input and output."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=cwd,
    )
    assert process.stdin is not None and process.stdout is not None
    into, out = process.stdin, process.stdout

    def write(data: bytes) -> None:
        into.write(data)
        into.flush()

    def close() -> None:
        with contextlib.suppress(OSError):
            into.close()
        try:
            process.wait(WAIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        out.close()

    return Wire(lambda: os.read(out.fileno(), 1 << 16), write, close)


@dataclass(slots=True)
class Buffer:
    """An open document, as its editor has it."""

    path: Path
    text: str
    version: int = 1
    opened: str = ""
    """What it was when it was opened."""

    def __post_init__(self) -> None:
        self.opened = self.text

    def faulty(self) -> list[int]:
        """The lines that are not what they were when it was opened."""
        lines = zip(self.text.split("\n"), self.opened.split("\n"), strict=False)
        return [k for k, (now, then) in enumerate(lines) if now != then]


class Editor:
    """A client; to be driven from one thread. `pulls`: it asks for diagnostics."""

    def __init__(self, wire: Wire, folder: Path, encoding: Encoding, *, pulls: bool) -> None:
        """Says who it is. Raises OSError, TimeoutError."""
        self.encoding, self.pulls = encoding, pulls
        self.buffers: dict[Path, Buffer] = {}
        self.pushed: dict[str, tuple[int | None, list[Any]]] = {}
        self.scores: dict[str, dict[str, Any]] = {}
        self.failures: list[str] = []
        self.over = threading.Event()
        self._wire = wire
        self._numbers = count(1)
        self._answers: dict[int, Any] = {}
        self._wake = threading.Condition()
        self._sending = threading.Lock()
        self._reader = threading.Thread(target=self._read, name="editor", daemon=True)
        self._reader.start()
        capabilities: dict[str, Any] = {
            "general": {"positionEncodings": [encoding.value]},
            "textDocument": {"publishDiagnostics": {"relatedInformation": True}},
        }
        if pulls:
            capabilities["textDocument"]["diagnostic"] = {}
            capabilities["workspace"] = {"diagnostics": {"refreshSupport": True}}
        said = self.ask(
            "initialize",
            {"processId": None, "rootUri": uri_of(folder), "capabilities": capabilities},
        )
        if said["capabilities"]["positionEncoding"] != encoding.value:
            self.failures.append(f"asked for {encoding.value}, got another encoding")
        self.tell("initialized", {})

    # Saying

    def tell(self, method: str, params: object) -> None:
        """Sends a notification. Raises OSError."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: object) -> Any:
        """The result of a request. Raises OSError, TimeoutError, RuntimeError with an error."""
        number = next(self._numbers)
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        until = time.monotonic() + WAIT
        with self._wake:
            while number not in self._answers:
                if self.over.is_set():
                    raise ConnectionError(f"{method}: the server is gone")
                if not self._wake.wait(until - time.monotonic()):
                    raise TimeoutError(f"{method} was not answered within {WAIT:.0f} s")
            answer = self._answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def score(self, path: Path) -> Any:
        """The scoreboard of a document."""
        arguments = {"command": "goldlens.score", "arguments": [{"uri": uri_of(path)}]}
        return self.ask("workspace/executeCommand", arguments)

    def diagnostics(self, path: Path) -> list[Any]:
        """The diagnostics of a document: those asked for, or pushed last."""
        uri = uri_of(path)
        if self.pulls:
            found: list[Any] = self.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})[
                "items"
            ]
            return found
        return self.pushed.get(uri, (None, []))[1]

    def open(self, path: Path, text: str) -> None:
        """Opens a buffer."""
        self.buffers[path] = Buffer(path, text)
        document = {"uri": uri_of(path), "languageId": "plaintext", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})

    def edit(self, path: Path, line: int, start: int, end: int, new: str) -> None:
        """Replaces part of a line of a buffer; `start` and `end` count code points."""
        buffer = self.buffers[path]
        lines = buffer.text.split("\n")
        old = lines[line]
        lines[line] = old[:start] + new + old[end:]
        where = {
            "start": {"line": line, "character": self._units(old[:start])},
            "end": {"line": line, "character": self._units(old[:end])},
        }
        self._change(buffer, "\n".join(lines), {"range": where, "text": new})

    def delete(self, path: Path, line: int) -> None:
        """Takes a whole line out of a buffer; not the last one."""
        buffer = self.buffers[path]
        lines = buffer.text.split("\n")
        del lines[line]
        where = {
            "start": {"line": line, "character": 0},
            "end": {"line": line + 1, "character": 0},
        }
        self._change(buffer, "\n".join(lines), {"range": where, "text": ""})

    def replace(self, path: Path, text: str) -> None:
        """Gives a buffer another text."""
        self._change(self.buffers[path], text, {"text": text})

    def saved(self, path: Path) -> None:
        """Says that a buffer is on disk now."""
        self.tell("textDocument/didSave", {"textDocument": {"uri": uri_of(path)}})

    def close(self, path: Path) -> None:
        """Closes a buffer."""
        del self.buffers[path]
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri_of(path)}})

    def leave(self) -> None:
        """Ends the conversation as one should."""
        with contextlib.suppress(OSError, RuntimeError):
            self.ask("shutdown", None)
            self.tell("exit", None)
        self._wire.close()
        self._reader.join(WAIT)

    def _change(self, buffer: Buffer, text: str, change: dict[str, Any]) -> None:
        buffer.text, buffer.version = text, buffer.version + 1
        document = {"uri": uri_of(buffer.path), "version": buffer.version}
        params = {"textDocument": document, "contentChanges": [change]}
        self.tell("textDocument/didChange", params)

    def _units(self, text: str) -> int:
        match self.encoding:
            case Encoding.UTF8:
                return len(text.encode())
            case Encoding.UTF16:
                return len(text.encode("utf-16-le")) // 2
            case _:
                return len(text)

    def _send(self, message: object) -> None:
        body = json.dumps(message, ensure_ascii=False).encode()
        with self._sending:
            self._wire.write(b"%b%d\r\n\r\n%b" % (_HEAD, len(body), body))

    # Hearing

    def _read(self) -> None:
        buffer = bytearray()
        try:
            while data := self._wire.read():
                buffer += data
                while (head := buffer.find(b"\r\n\r\n")) >= 0:
                    stop = head + 4 + int(buffer[len(_HEAD) : head])
                    if len(buffer) < stop:
                        break
                    body = bytes(buffer[head + 4 : stop])
                    del buffer[:stop]
                    self._take(json.loads(body))
        except OSError:
            pass  # a server that is killed may reset the connection
        except Exception as error:
            self.failures.append(f"what came is no message: {error!r}")
        with self._wake:
            self.over.set()
            self._wake.notify_all()

    def _take(self, message: dict[str, Any]) -> None:
        method: str | None = message.get("method")
        params: Any = message.get("params")
        if method is None:
            with self._wake:
                self._answers[message["id"]] = message
                self._wake.notify_all()
        elif "id" in message:
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": None})
        elif method == "textDocument/publishDiagnostics":
            self.pushed[params["uri"]] = params.get("version"), params["diagnostics"]
        elif method == "goldlens/scores":
            self.scores[params["uri"]] = params
