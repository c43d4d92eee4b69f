"""Plays the client of a real daemon on a raw socket, and holds it to MessagePack-RPC.

Whatever the daemon sends must be messages of the three forms, one after the other: anything else
fails the test.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack

WAIT = 20.0
"""Seconds after which something that should come counts as missing."""

COMMAND = [sys.executable, "-m", "goldlens.server.daemon"]
NAME = "test"

FAILED, WRONG = 0, 1

HELLO = msgpack.packb([0, 1, "hello", []])


class RpcError(Exception):
    """The daemon answered with an error."""

    def __init__(self, kind: int, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Daemon:
    """A daemon's process, and where it says it is."""

    def __init__(
        self,
        root: Path,
        folder: Path,
        *arguments: str,
        name: str = NAME,
        umask: int = -1,
        runtime: Path | None = None,
        **environment: str,
    ) -> None:
        """`folder`: what it writes comes below it."""
        self.root, self.name = root, name
        self.runtime = runtime or folder / "runtime"
        self.log = folder / "logs" / f"{name}.log"
        self.environment = {
            **os.environ,
            "GOLDLENS_RUNTIME_DIR": str(self.runtime),
            "GOLDLENS_LOG_DIR": str(folder / "logs"),
            "XDG_STATE_HOME": str(folder / "state"),
            "GOLDLENS_CACHE_DIR": str(folder / "cache"),
            **environment,
        }
        self.runtime.mkdir(mode=0o700, exist_ok=True)
        self.err = folder / "err"
        with self.err.open("ab") as err:
            self.process = subprocess.Popen(
                [
                    *(*COMMAND, "--root", str(root), "--runtime", str(self.runtime)),
                    *("--name", name, "--log", str(self.log), *arguments),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=err,
                env=self.environment,
                umask=umask,
            )

    def file(self, suffix: str) -> Path:
        """One of its files."""
        return self.runtime / f"{self.name}.{suffix}"

    def wait_for_state(self) -> dict[str, Any]:
        """What it says of itself, once it does."""
        until(lambda: self.file("json").exists() or self.process.poll() is not None)
        assert self.process.poll() is None, self.said()
        return self.state

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.file("json").read_text("utf-8"))
        return found

    def dial(self) -> socket.socket:
        """A socket on which nothing has been said."""
        kind, _, where = self.state["address"].partition(":")
        if kind == "tcp":
            host, _, port = where.rpartition(":")
            return socket.create_connection((host, int(port)), WAIT)
        sock = socket.socket(socket.AF_UNIX)
        try:
            sock.connect(where)
        except BaseException:
            sock.close()
            raise
        return sock

    def said(self) -> str:
        """What it has logged and written on standard error."""
        logs = [self.log, self.err]
        return "".join(log.read_text("utf-8") for log in logs if log.exists())

    def resident(self) -> int:
        """Its resident memory in bytes."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def end(self, number: int = signal.SIGTERM) -> int:
        """Sends a signal; the exit status."""
        self.process.send_signal(number)
        return self.process.wait(WAIT)

    def kill(self) -> None:
        """Whatever it does, it does no more."""
        self.process.kill()
        self.process.wait()


class Rpc:
    """A connection. `log` has all messages of the daemon, in order."""

    def __init__(self, sock: socket.socket, *, greet: str | bool = True) -> None:
        """`greet`: whether hello is said, or the token with which."""
        self.socket = sock
        self.log: list[list[Any]] = []
        self.bytes = 0
        self._wake = threading.Condition()
        self._taken = self._number = 0
        self._over = False
        self._broken: str | None = None
        self.reading = threading.Event()
        self.reading.set()
        sock.settimeout(None)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        if greet:
            self.greeted = self.call("hello", **({"token": greet} if greet is not True else {}))

    # Receiving

    def _listen(self) -> None:
        unpacker = msgpack.Unpacker(max_buffer_size=1 << 30)
        try:
            while self.reading.wait() and (data := self.socket.recv(1 << 16)):
                unpacker.feed(data)
                self.bytes += len(data)
                for message in unpacker:
                    check(message)
                    with self._wake:
                        self.log.append(message)
                        self._wake.notify_all()
        except ValueError as error:
            self._broken = str(error)
        except OSError:
            pass  # a connection that is torn down may lose its last bytes
        with self._wake:
            self._over = True
            self._wake.notify_all()

    def expect(self, wanted: Callable[[list[Any]], bool], what: str, wait: float = WAIT) -> Any:
        """The first message that is wanted, also of those that have come; waits for it."""
        deadline = time.monotonic() + wait
        looked = 0
        with self._wake:
            while True:
                for message in self.log[looked:]:
                    if wanted(message):
                        self.log.remove(message)
                        return message
                looked = len(self.log)
                left = deadline - time.monotonic()
                if self._over or left <= 0:
                    raise AssertionError(f"{what} did not come; {self._broken or self.log[-20:]}")
                self._wake.wait(left)

    def notification(self, method: str, wait: float = WAIT) -> Any:
        """The parameters of the next notification of that name."""
        return self.expect(lambda m: m[0] == 2 and m[1] == method, method, wait)[2][0]

    def about(self, method: str, uri: str, **members: object) -> Any:
        """The next notification of that name about a file, with such members."""

        def wanted(message: list[Any]) -> bool:
            if message[:2] != [2, method] or message[2][0]["uri"] != uri:
                return False
            return all(message[2][0][name] == value for name, value in members.items())

        return self.expect(wanted, f"{method} of {uri}")[2][0]

    def answer(self, number: int, wait: float = WAIT) -> Any:
        """The result of a request. Raises RpcError."""
        _, _, error, result = self.expect(
            lambda m: m[0] == 1 and m[1] == number, f"the answer to {number}", wait
        )
        if error is not None:
            raise RpcError(*error)
        return result

    def ended(self, wait: float = WAIT) -> list[list[Any]]:
        """Waits until the daemon has closed the connection; what it said and nobody has taken."""
        self._thread.join(wait)
        assert self._over, "the connection goes on"
        return self.log

    # Sending

    def raw(self, data: bytes) -> None:
        self.socket.sendall(data)

    def send(self, *messages: object) -> None:
        """Sends messages, in one piece."""
        self.raw(b"".join(msgpack.packb(message) for message in messages))

    def ask(self, method: str, /, **params: object) -> int:
        """Sends a request; its number."""
        self._number += 1
        self.send([0, self._number, method, [params] if params else []])
        return self._number

    def call(self, method: str, /, **params: object) -> Any:
        """Asks and waits. Raises RpcError."""
        return self.answer(self.ask(method, **params))

    def say_no_more(self) -> None:
        self.socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self.reading.set()
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(WAIT)
        self.socket.close()

    def check(self) -> None:
        """Fails if anything but messages has come."""
        assert self._broken is None, self._broken


def as_editor(daemon: Daemon) -> socket.socket:
    """A socket on which LSP may be spoken."""
    return turned_to_lsp(daemon.dial())


def turned_to_lsp(sock: socket.socket) -> socket.socket:
    """A socket of a daemon, after the two calls behind which LSP may be spoken on it."""
    sock.settimeout(WAIT)
    sock.sendall(HELLO + msgpack.packb([0, 2, "lsp", []]))
    unpacker = msgpack.Unpacker()
    answers: list[Any] = []
    while len(answers) < 2:
        unpacker.feed(sock.recv(4096))
        answers += unpacker
    assert [answer[:3] for answer in answers] == [[1, 1, None], [1, 2, None]]
    return sock


class Unheard(asyncio.Transport):
    """The other end of a connection, in this process, where nobody reads. It is told of what it
    closes, and waits for what was written before to go out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.closed = False
        self.aborted = asyncio.Event()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 1

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.aborted.set()


def check(message: object) -> None:
    """Raises ValueError if it is none that a daemon may send."""
    match message:
        case [1, int(), None, _] | [1, int(), [0 | 1, str()], None]:
            return
        case [2, str(), [dict() as params]] if all(isinstance(key, str) for key in params):
            return
    raise ValueError(f"no message: {message!r:.200}")


def until(condition: Callable[[], object], wait: float = WAIT) -> None:
    """Waits until something is so that nobody tells of."""
    deadline = time.monotonic() + wait
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.01)
