"""A small daemon that speaks the protocol and does what a test says.

In a test it lives in a thread of the test's own process. Run as a program it takes the arguments
of the real one, and `--behaviour` says how it is ill.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import fcntl
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgpack

HELD = object()
"""What a reply gives that does not answer yet."""

VERSION = version("goldlens")


class Fault(Exception):
    """A reply that is an error: its kind and its message."""


class Connection:
    """One client, as the daemon sees it."""

    def __init__(self, daemon: FakeDaemon, writer: asyncio.StreamWriter) -> None:
        self.daemon, self.writer = daemon, writer

    def write(self, data: bytes) -> None:
        """Sends any bytes, from any thread."""
        self.daemon.loop.call_soon_threadsafe(self.writer.write, data)

    def answer(self, number: int, result: Any) -> None:
        self.write(msgpack.packb([1, number, None, result]))

    def notify(self, method: str, params: dict[str, Any]) -> None:
        self.write(msgpack.packb([2, method, [params]]))

    def drop(self) -> None:
        """Is gone, without a word."""
        self.daemon.loop.call_soon_threadsafe(self.writer.transport.abort)


Reply = Callable[[dict[str, Any]], Any]


class FakeDaemon:
    """Listens for one root, says what it is in the runtime folder, and answers.

    What is asked lands in `asked`, as (method, parameters, number); a notification's number is
    None. `replies` has a function a method; a method that is not there is echoed.
    """

    def __init__(self, runtime: Path, root: str, name: str, **changes: Any) -> None:
        self.lock, self.file, self.socket = (
            runtime / f"{name}.{kind}" for kind in ("lock", "json", "sock")
        )
        self.token: str | None = changes.pop("token", None)
        self.tcp: bool = changes.pop("tcp", False)
        self.version: str = changes.pop("version", VERSION)
        self.root = root
        self.replies: dict[str, Reply] = {"hello": self._hello, "end": self._end, **changes}
        self.asked: list[tuple[str, dict[str, Any], int | None]] = []
        self.connections: list[Connection] = []
        self.loop = asyncio.new_event_loop()
        self._news = threading.Condition()
        self._over = asyncio.Event()

    # What tests do

    def __enter__(self) -> FakeDaemon:
        ready = threading.Event()
        self._thread = threading.Thread(target=self.run, args=(ready.set,), name="fake-daemon")
        self._thread.start()
        assert ready.wait(10)
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends in order. A second time: nothing."""
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self._over.set)
        self._thread.join(10)
        assert not self._thread.is_alive()

    @property
    def last(self) -> Connection:
        return self.connections[-1]

    def wait_for(self, method: str, times: int = 1) -> list[tuple[dict[str, Any], int | None]]:
        """The requests of a method, once there are so many: parameters and number of each."""

        def found() -> list[tuple[dict[str, Any], int | None]]:
            return [(params, number) for name, params, number in self.asked if name == method]

        with self._news:
            assert self._news.wait_for(lambda: len(found()) >= times, 10), f"no {method} came"
            return found()

    # How it works

    def run(self, ready: Callable[[], None]) -> None:
        """Serves until it is told to end. Raises BlockingIOError where another one does."""
        lock = os.open(self.lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self._take(lock)
            self.loop.run_until_complete(self._serve(ready))
        finally:
            self.loop.close()
            os.close(lock)

    def _take(self, lock: int) -> None:
        # Whoever looks whether a daemon lives has the lock for a moment too.
        for _ in range(50):
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            time.sleep(0.002)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    async def _serve(self, ready: Callable[[], None]) -> None:
        if self.tcp:
            server = await asyncio.start_server(self._talk, "127.0.0.1", 0)
            address = f"tcp:127.0.0.1:{server.sockets[0].getsockname()[1]}"
        else:
            self.socket.unlink(missing_ok=True)
            server = await asyncio.start_unix_server(self._talk, self.socket)
            address = f"unix:{self.socket}"
        self.file.write_text(json.dumps(self.state(address)), "utf-8")
        ready()
        await self._over.wait()
        self.file.unlink(missing_ok=True)
        server.close()
        for connection in self.connections:
            connection.writer.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await task

    def state(self, address: str) -> dict[str, Any]:
        return {
            "pid": os.getpid(),
            "version": self.version,
            "root": self.root,
            "started": "2026-01-01T00:00:00+00:00",
            "address": address,
            "token": self.token,
        }

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(self, writer)
        self.connections.append(connection)
        unpacker = msgpack.Unpacker()
        with contextlib.suppress(OSError, asyncio.CancelledError):
            while data := await reader.read(1 << 16):
                unpacker.feed(data)
                for message in unpacker:
                    if not self._take_message(connection, message):
                        writer.close()
                        return
                    if message[:1] == [0] and message[2] == "lsp":
                        while data := await reader.read(1 << 16):
                            writer.write(data)
                        return

    def _take_message(self, connection: Connection, message: list[Any]) -> bool:
        kind, number, method, params = message if message[0] == 0 else [2, None, *message[1:]]
        try:
            result = self.replies.get(method, self._echo(method))(*params)
            error = None
        except Fault as fault:
            result, error = None, list(fault.args)
        with self._news:
            self.asked.append((method, *params, number))
            self._news.notify_all()
        if kind == 0 and result is not HELD:
            connection.writer.write(msgpack.packb([1, number, error, result]))
        return not (method == "hello" and error)

    def _echo(self, method: str) -> Reply:
        return lambda params: {"method": method, "params": params}

    def _hello(self, params: dict[str, Any]) -> Any:
        if params.get("token") != self.token:
            raise Fault(1, "wrong token")
        return {"version": self.version, "pid": os.getpid(), "root": self.root, "protocol": 1}

    def _end(self, params: dict[str, Any]) -> None:
        self.loop.call_soon(self._over.set)


@contextlib.contextmanager
def occupied(lock: Path) -> Iterator[None]:
    """A lock that somebody has."""
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("--root", "--name", "--log", "--idle", "--level"):
        parser.add_argument(name)
    parser.add_argument("--runtime", type=Path)
    parser.add_argument("--tcp", action="store_true")
    parser.add_argument("--behaviour", default="well")
    given = parser.parse_args()
    behaviour: str = given.behaviour
    changes: dict[str, Any] = {}
    if behaviour == "crashes":
        print("Traceback (most recent call last):\nOSError: no space", file=sys.stderr)
        return 1
    if behaviour == "crashes-silently":
        return 1
    if behaviour == "never-listens":
        signal.pause()
    if behaviour == "never-greets":
        changes["hello"] = lambda params: HELD
    if behaviour in ("does-not-end", "ignores-signals"):
        changes["end"] = lambda params: None
    if behaviour == "ignores-signals":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if given.tcp:
        changes |= {"tcp": True, "token": "73616c74"}
    daemon = FakeDaemon(given.runtime, given.root, given.name, **changes)
    try:
        daemon.run(lambda: None)
    except BlockingIOError:
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
