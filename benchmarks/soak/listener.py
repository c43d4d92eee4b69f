"""Programs that listen: each keeps what it was told last of every prediction."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from goldlens.client import Client, ClientError, Gone, Problems, Scores, connect_async
from goldlens.client.asynchronous import AsyncSubscription
from goldlens.client.dialing import dial_and_greet
from goldlens.client.events import Event
from goldlens.client.place import State
from goldlens.client.sync import Subscription

_PIECE: Final = 1 << 16


class Picture:
    """Boards and problems by path, as they were told of last."""

    def __init__(self) -> None:
        self.boards: dict[Path, dict[str, Any]] = {}
        self.problems: dict[Path, list[dict[str, Any]]] = {}
        self.heard = 0

    def take(self, event: Event) -> None:
        """Something was told."""
        self.heard += 1
        match event:
            case Scores():
                self.boards[event.path] = dict(event.raw)
            case Problems():
                self.problems[event.path] = [dict(one) for one in event.problems]
            case Gone():
                self.boards.pop(event.path, None)
                self.problems.pop(event.path, None)


class Listener:
    """A thread that listens until it is told to stop. `error` says what ended it before."""

    problems = False

    def __init__(self) -> None:
        self.picture = Picture()
        self.error: str | None = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Hangs up."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            self._listen()
        except Exception as error:
            if not self._stopped.is_set():
                self.error = repr(error)

    def _listen(self) -> None:
        raise NotImplementedError


class Subscriber(Listener):
    """Listens with the blocking client."""

    def __init__(self, client: Client, *, problems: bool = False) -> None:
        self.client, self.problems = client, problems
        super().__init__()

    def _listen(self) -> None:
        with self.client, self.client.subscribe(problems=self.problems) as events:
            while not self._stopped.is_set():
                if (event := events.get(0.1)) is not None:
                    self.picture.take(event)


class Asynchronous(Listener):
    """Listens with the asyncio client."""

    def __init__(self, folder: Path, *, problems: bool = False) -> None:
        self.problems, self._folder = problems, folder
        super().__init__()

    def _listen(self) -> None:
        asyncio.run(self._follow())

    async def _follow(self) -> None:
        async with await connect_async(self._folder) as client:
            async with client.subscribe(problems=self.problems) as events:
                hearing = asyncio.create_task(self._hear(events))
                while not self._stopped.is_set() and not hearing.done():
                    await asyncio.sleep(0.1)
            await hearing

    async def _hear(self, events: AsyncSubscription) -> None:
        async for event in events:
            self.picture.take(event)


class Slow(Listener):
    """Reads a little now and then, so that most of what happens passes it by; until `hurry`."""

    def __init__(self, state: State, pause: float) -> None:
        self.hurry = threading.Event()
        self._state, self._pause = state, pause
        super().__init__()

    def _listen(self) -> None:
        line = dial_and_greet(self._state, 30.0)
        try:
            line.ask("subscribe", {"scores": True}, 30.0)
            line.socket.settimeout(0.2)
            while not self._stopped.is_set():
                self.hurry.wait(self._pause)
                try:
                    piece = line.socket.recv(_PIECE)
                except TimeoutError:
                    continue
                for received in line.talk.receive(piece):
                    if isinstance(received, (Scores, Problems, Gone)):
                        self.picture.take(received)
                if not piece:
                    raise line.talk.ended()
        finally:
            line.close()


class Returning(Listener):
    """Comes back, and starts a daemon if it has to, whenever the one it listens to is gone.

    `served`: it listens now. `returns` counts how often it came, `longest` is how many seconds it
    was without a daemon at most.
    """

    def __init__(self, connect: Callable[[], Client], *, problems: bool = False) -> None:
        self.returns, self.longest, self.served = 0, 0.0, False
        self.problems, self._connect = problems, connect
        self._alone = time.monotonic()
        super().__init__()

    def _listen(self) -> None:
        while not self._stopped.is_set():
            try:
                with self._connect() as client, client.subscribe(problems=self.problems) as events:
                    self._follow(events)
            except ClientError:
                # The daemon was killed: while it was listened to, or as it started.
                time.sleep(0.02)

    def _follow(self, events: Subscription) -> None:
        # What it is told now is all there is; what went away meanwhile is not told.
        self.picture, self.served = Picture(), True
        self.returns += 1
        self.longest = max(self.longest, time.monotonic() - self._alone)
        try:
            while not self._stopped.is_set():
                if (event := events.get(0.1)) is not None:
                    self.picture.take(event)
        finally:
            self._alone, self.served = time.monotonic(), False
