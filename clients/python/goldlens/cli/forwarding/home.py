"""The daemon of an editor's workspace: found at first, and found or started again after it died."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from goldlens.cli.forwarding.upstream import Below, Daemon, Upstream
from goldlens.client.conversation import own_version
from goldlens.client.errors import ClientError, Disconnected, NoDaemon, OtherVersion
from goldlens.client.place import State, place_of, running
from goldlens.client.starting import current, launch
from goldlens.client.streams import lsp_streams

T = TypeVar("T")

GRACE: Final = 3.0
"""A daemon that was ended in order has this many seconds for a successor to appear."""

OURS: Final = 1 / 3
"""Whoever starts the successor waits this part of it only: others wait for what it starts."""

LONGER: Final = 3
"""One that is there already, but does not listen yet, is waited for so many times as long."""

EVERY: Final = 0.1
"""Seconds between two looks for it."""

TRIES: Final = 3
"""So many daemons are started, if each is gone before it is joined."""

BUFFER: Final = 1 << 18
"""About so many bytes of a daemon are read ahead of the editor."""


@dataclass(frozen=True, slots=True)
class Home:
    """A folder that a daemon serves or is to serve.

    `path` is a folder of the workspace, `root` the daemon's. `start`: one is started if there is
    none.
    """

    path: Path
    root: Path
    start: bool

    async def join(self, below: Below) -> Upstream:
        """The daemon, for the first time. One of another version is replaced by ours.

        Raises ClientError.
        """
        state = await _in_thread(lambda: current(self.path, start=self.start))
        if state is None:
            raise NoDaemon(f"the daemon of {self.root} has ended")
        with suppress(Disconnected):
            return await _connected(below, state)
        return await self.rejoin(below)

    async def rejoin(self, below: Below) -> Upstream:
        """The daemon after one has died: another that is there, or a new one.

        One that was ended in order is not started again, unless `start` says so. One of another
        version is left alone: two editors would replace each other's daemon for ever. Raises
        ClientError.
        """
        began = time.monotonic()
        while not (killed := self._killed()) and self._may_come(time.monotonic() - began):
            if (state := running(self.path)) is not None:
                if state.version != own_version():
                    raise OtherVersion(f"the daemon of {self.root} is Goldlens {state.version} now")
                # It may be the one that is ending.
                with suppress(Disconnected):
                    return await _connected(below, state)
            await asyncio.sleep(EVERY)
        if not self.start and not killed:
            raise NoDaemon(f"the daemon of {self.root} was told to end")
        for _ in range(TRIES):
            # It may be killed before it is joined, as the one before it was.
            with suppress(Disconnected):
                return await _connected(below, await _in_thread(lambda: launch(self.root)))
        raise NoDaemon(f"no daemon of {self.root} lives long enough to be joined")

    def _may_come(self, waited: float) -> bool:
        """Whether a successor may yet appear that others have started, after so many seconds."""
        if self.start:
            return waited < GRACE * OURS
        return waited < GRACE or (waited < GRACE * LONGER and place_of(self.root).locked())

    def _killed(self) -> bool:
        """Whether the daemon has died without taking its state away."""
        place = place_of(self.root)
        return place.read() is not None and not place.locked()


def home_of(folders: Sequence[Path], *, start: bool) -> Home | None:
    """Where the daemon of a workspace with these folders is; None if there is none for all.

    Raises UnsafePlace.
    """
    states = [running(folder) for folder in folders]
    roots = {None if state is None else state.root for state in states}
    if len(roots) != 1:
        return None
    [root] = roots
    if root is not None:
        return Home(folders[0], Path(root), start)
    top = min(folders, key=lambda folder: len(folder.parts))
    if start and all(folder.is_relative_to(top) for folder in folders):
        return Home(top, top, start)
    return None


async def _connected(below: Below, state: State) -> Upstream:
    return Daemon(below, *await lsp_streams(state, limit=BUFFER))


async def _in_thread(job: Callable[[], T]) -> T:
    """What a job returns or raises that waits. Whoever leaves does not wait for it."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: ClientError | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def work() -> None:
        result, error = None, None
        try:
            result = job()
        except ClientError as raised:
            error = raised
        except Exception as raised:
            error = ClientError(f"{type(raised).__name__}: {raised}")
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=work, name="goldlens-daemon", daemon=True).start()
    return await future
