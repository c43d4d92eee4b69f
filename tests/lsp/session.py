"""Plays the client of a real server, over stdio or a socket, and holds it to the wire format.

Whatever the server sends is taken apart strictly: one `Content-Length` header, then so many bytes
of UTF-8 JSON. A single byte beside that fails the test.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.daemon.session import turned_to_lsp

WAIT = 20.0
"""Seconds after which something that should come counts as missing."""

BEGUN = (
    rb"(?:Content-Length: \d+\r\n\r\n|"
    + rb"|".join(rb"%b$" % re.escape(b"Content-Length: "[:n]) for n in range(16))
    + rb"|Content-Length: \d*\r?\n?\r?$)"
)
"""What a message that is not here yet may begin with."""

COMMAND = [sys.executable, "-m", "goldlens.server.lsp"]

Message = dict[str, Any]


class RpcError(Exception):
    """The server answered with an error."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]


class Session:
    """A client's end of a conversation. `log` has all messages of the server, in order."""

    def __init__(self, read: Callable[[], bytes], write: Callable[[bytes], object]) -> None:
        self.log: list[Message] = []
        self._read, self._write = read, write
        self._wake = threading.Condition()
        self._taken: set[int] = set()
        self._over = False
        self._broken: str | None = None
        self._number = 1000  # above those that recorded sessions use
        self.reading = threading.Event()
        self.reading.set()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    # Receiving

    def _listen(self) -> None:
        buffer = b""
        try:
            while data := self._read():
                self.reading.wait()
                buffer += data
                while match := re.match(rb"Content-Length: (\d+)\r\n\r\n", buffer):
                    stop = match.end() + int(match[1])
                    if len(buffer) < stop:
                        break
                    message = json.loads(buffer[match.end() : stop].decode("utf-8"))
                    buffer = buffer[stop:]
                    with self._wake:
                        self.log.append(message)
                        self._wake.notify_all()
                else:
                    if not re.match(BEGUN, buffer[:40]):
                        raise ValueError(f"no frame: {buffer[:80]!r}")
            if buffer:
                raise ValueError(f"bytes after the last frame: {buffer[:80]!r}")
        except ValueError as error:
            self._broken = str(error)
        except OSError:
            pass  # a connection that is torn down may lose its last bytes
        with self._wake:
            self._over = True
            self._wake.notify_all()

    def expect(self, wanted: Callable[[Message], bool], what: str, wait: float = WAIT) -> Message:
        """The first message not yet taken that is wanted; waits for it."""
        until = time.monotonic() + wait
        with self._wake:
            looked = 0
            while True:
                for k in range(looked, len(self.log)):
                    if k not in self._taken and wanted(self.log[k]):
                        self._taken.add(k)
                        return self.log[k]
                looked = len(self.log)
                left = until - time.monotonic()
                if self._over or left <= 0:
                    heard = [m.get("method") or m.get("id") for m in self.log][-20:]
                    raise AssertionError(f"{what} did not come; {self._broken or heard}")
                self._wake.wait(left)

    def notification(self, method: str, wait: float = WAIT) -> Any:
        """The parameters of the next notification (or request) of that name."""
        return self.expect(lambda m: m.get("method") == method, method, wait)["params"]

    def problems(self, uri: str, version: int | None = None, wait: float = WAIT) -> list[Any]:
        """The diagnostics pushed for a document (at a version)."""

        def wanted(message: Message) -> bool:
            params = message.get("params")
            return (
                message.get("method") == "textDocument/publishDiagnostics"
                and params["uri"] == uri
                and (version is None or params["version"] == version)
            )

        found = self.expect(wanted, f"diagnostics of {uri} at {version}", wait)
        listed: list[Any] = found["params"]["diagnostics"]
        return listed

    def pushed(self, uri: str) -> list[Message]:
        """All pushes for a document so far."""
        return [
            m["params"]
            for m in self.log
            if m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri
        ]

    def has(self, method: str) -> bool:
        """Whether a message of that name has come."""
        return any(m.get("method") == method for m in self.log)

    # Sending

    def raw(self, data: bytes) -> None:
        self._write(data)

    def put(self, *messages: object) -> None:
        """Sends messages, in one piece."""
        self.raw(b"".join(framed(message) for message in messages))

    def send(self, method: str, params: Any = None) -> None:
        self.put(note(method, params))

    def ask(self, method: str, params: Any = None) -> int:
        """Sends a request; its id."""
        self._number += 1
        self.put({**note(method, params), "id": self._number})
        return self._number

    def answer(self, number: int | str | None, wait: float = WAIT) -> Any:
        """The result of a request. Raises RpcError."""
        message = self.expect(
            lambda m: "method" not in m and m.get("id") == number, f"the answer to {number}", wait
        )
        if "error" in message:
            raise RpcError(message["error"])
        assert "result" in message
        return message["result"]

    def call(self, method: str, params: Any = None) -> Any:
        """Asks and waits. Raises RpcError."""
        return self.answer(self.ask(method, params))

    def command(self, name: str, arguments: object) -> Any:
        """Runs a command of the server. Raises RpcError."""
        params = {"command": name, "arguments": [arguments]}
        return self.call("workspace/executeCommand", params)

    def settle(self) -> None:
        """Waits until the server has dealt with all that was sent, and has said what it had to."""
        # What the first makes due is sent before the second is read.
        for _ in range(2):
            self.command("goldlens.pairs", {})

    # What editors do

    def initialize(
        self,
        capabilities: object = None,
        folder: Path | None = None,
        options: object = None,
        **more: object,
    ) -> Any:
        params: Message = {"processId": None, "capabilities": capabilities or {}, **more}
        if folder is not None:
            params["rootUri"] = folder.as_uri()
        if options is not None:
            params["initializationOptions"] = options
        result = self.call("initialize", params)
        self.send("initialized", {})
        return result

    def open(self, uri: str, text: str, version: int = 1) -> None:
        self.put(opened(uri, text, version))

    def edit(self, uri: str, version: int, *changes: object) -> None:
        self.put(edited(uri, version, *changes))

    def close(self, uri: str) -> None:
        self.send("textDocument/didClose", {"textDocument": {"uri": uri}})

    def save(self, uri: str) -> None:
        self.send("textDocument/didSave", {"textDocument": {"uri": uri}})

    def pull(self, uri: str, previous: str | None = None) -> Any:
        params: Message = {"textDocument": {"uri": uri}}
        if previous is not None:
            params["previousResultId"] = previous
        return self.call("textDocument/diagnostic", params)

    def las(self, uri: str) -> float:
        """The LAS that the server has for a document, in points."""
        board = self.command("goldlens.score", {"uri": uri})
        value: float = board["metrics"]["LAS"]["f1"]
        return round(value, 4)

    def check(self) -> None:
        """Fails if anything but frames has come."""
        assert self._broken is None, self._broken


class StdioSession(Session):
    """The client of a server that it has started."""

    def __init__(
        self,
        *arguments: str,
        env: Mapping[str, str] | None = None,
        command: Sequence[str] = COMMAND,
        **more: Any,
    ) -> None:
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})},
            **more,
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.stderr = b""
        self._errors = threading.Thread(target=self._listen_to_errors, daemon=True)
        self._errors.start()
        out = self.process.stdout.fileno()
        self._in = self.process.stdin
        super().__init__(lambda: os.read(out, 1 << 16), self._put)

    def _put(self, data: bytes) -> None:
        self._in.write(data)
        self._in.flush()

    def _listen_to_errors(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.stderr += line

    def end_input(self) -> None:
        self._in.close()

    def status(self, wait: float = WAIT) -> int:
        """The exit status, when the process has ended; then all that it said is in `log`."""
        status = self.process.wait(wait)
        self._thread.join(WAIT)
        self._errors.join(WAIT)
        return status

    def leave(self) -> int:
        """Ends the conversation as one should; the exit status."""
        assert self.call("shutdown") is None
        self.send("exit")
        return self.status()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.reading.set()
        self._thread.join(WAIT)
        self._errors.join(WAIT)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


class SocketSession(Session):
    """The client of a server that listens."""

    def __init__(self, port: int) -> None:
        self._speak(socket.create_connection(("127.0.0.1", port), WAIT))

    def _speak(self, connected: socket.socket) -> None:
        self.socket = connected
        self.socket.settimeout(None)
        super().__init__(lambda: self.socket.recv(1 << 16), self.socket.sendall)

    def kill(self) -> None:
        self.reading.set()
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(WAIT)
        self.socket.close()

    def ended(self) -> None:
        """Waits until the server has closed the connection."""
        self._thread.join(WAIT)
        assert self._over


class DaemonSession(SocketSession):
    """The client of a daemon, over its Unix socket: a few words of RPC, and then LSP."""

    def __init__(self, path: Path) -> None:
        connected = socket.socket(socket.AF_UNIX)
        connected.connect(str(path))
        self._speak(turned_to_lsp(connected))


def note(method: str, params: Any = None) -> Message:
    message = {"jsonrpc": "2.0", "method": method}
    return message if params is None else {**message, "params": params}


def framed(message: object) -> bytes:
    """A message as raw UTF-8, not escaped."""
    body = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def opened(uri: str, text: str, version: int = 1) -> Message:
    document = {"uri": uri, "languageId": "conllu", "version": version, "text": text}
    return note("textDocument/didOpen", {"textDocument": document})


def edited(uri: str, version: int | None, *changes: object) -> Message:
    params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)}
    return note("textDocument/didChange", params)


def replace(line: int, start: int, end: int, text: str) -> Message:
    """A change within a line."""
    where = {
        "start": {"line": line, "character": start},
        "end": {"line": line, "character": end},
    }
    return {"range": where, "text": text}
