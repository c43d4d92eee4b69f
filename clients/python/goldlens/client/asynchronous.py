"""The asynchronous client: the same calls as coroutines, and events as an asynchronous iterator."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Generator
from types import TracebackType
from typing import Any, Final, Self, Unpack

from goldlens.client import requests
from goldlens.client.conversation import Answer, Conversation
from goldlens.client.dialing import PIECE, too_late
from goldlens.client.errors import Disconnected
from goldlens.client.events import Event, Mailbox
from goldlens.client.place import State
from goldlens.client.requests import (
    AnalyzeOptions,
    CompareOptions,
    DrawOptions,
    Format,
    ReceiptOptions,
    Request,
    RowsOptions,
    Status,
    Where,
    Which,
)
from goldlens.client.starting import current
from goldlens.client.streams import dial_async, hang_up
from goldlens.client.sync import PAUSE, TIMEOUT, TRIES, no_daemon


def connect_async(
    path: Where = ".", *, start: bool = False, timeout: float | None = TIMEOUT
) -> Connecting:
    """A client of the daemon that serves a path, as `connect` gives it.

    It is awaited, or entered: `async with connect_async() as client`.
    """
    return Connecting(path, start, timeout)


class Connecting:
    """A client that is to be connected."""

    def __init__(self, path: Where, start: bool, timeout: float | None) -> None:
        self._wanted = path, start, timeout
        self._client: AsyncClient | None = None

    def __await__(self) -> Generator[Any, None, AsyncClient]:
        return self._connect().__await__()

    async def __aenter__(self) -> AsyncClient:
        self._client = await self._connect()
        return self._client

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if self._client is not None:
            await self._client.close()

    async def _connect(self) -> AsyncClient:
        path, start, timeout = self._wanted
        tries = TRIES
        while True:
            state = await asyncio.to_thread(current, path, start=start)
            if state is None:
                raise no_daemon(path)
            try:
                return await AsyncClient.to(state, timeout=timeout)
            except Disconnected:
                # It may just have ended; the next look shows.
                tries -= 1
                if not tries:
                    raise
            await asyncio.sleep(PAUSE)


class AsyncClient:
    """A connection to a daemon, for one event loop. Its coroutines raise ClientError, as those of
    `Client` do; one that is cancelled is cancelled at the daemon.
    """

    def __init__(
        self,
        state: State,
        timeout: float | None,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        talk: Conversation,
    ) -> None:
        """Takes a connection that has been greeted; `to` makes one."""
        self.state: Final = state
        self.timeout: Final = timeout
        self._streams, self._talk = (reader, writer), talk
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._subscription: AsyncSubscription | None = None
        self._over: Disconnected | None = None
        self._reader = asyncio.create_task(self._read(), name="goldlens-client")

    @classmethod
    async def to(cls, state: State, *, timeout: float | None = TIMEOUT) -> Self:
        """Connects to a daemon that has been found (see `connect_async`). Raises ClientError."""
        return cls(state, timeout, *await dial_async(state, timeout))

    async def score(self, path: Where) -> dict[str, Any] | None:
        """The scoreboard of a prediction, as in `goldlens score --json`; None without gold."""
        found: dict[str, Any] | None = await self._call(requests.score(path))
        return found

    async def rows(
        self, path: Where, format: Format = "markdown", **options: Unpack[RowsOptions]
    ) -> str:
        """Results rows of a prediction, as text."""
        return str(await self._call(requests.rows(path, format, options)))

    async def compare(
        self, path: Where, other: Where, **options: Unpack[CompareOptions]
    ) -> list[dict[str, Any]]:
        """A prediction beside another one of the same gold, as in `goldlens compare --json`."""
        found: list[dict[str, Any]] = await self._call(requests.compare(path, other, options))
        return found

    async def analyze(
        self, path: Where, what: str = "overview", **options: Unpack[AnalyzeOptions]
    ) -> dict[str, Any]:
        """Where the errors of a prediction come from, as in `goldlens analyze --json`."""
        found: dict[str, Any] = await self._call(requests.analyze(path, what, options))
        return found

    async def report(self, path: Where, **options: Unpack[DrawOptions]) -> str:
        """A page of HTML on a prediction, as `goldlens report` writes it."""
        return str(await self._call(requests.report(path, options)))

    async def receipt(self, path: Where, **options: Unpack[ReceiptOptions]) -> dict[str, Any]:
        """The receipt of a prediction's evaluation."""
        found: dict[str, Any] = await self._call(requests.receipt(path, options))
        return found

    async def set_gold(self, path: Where, gold: Where) -> None:
        """Names the gold of a prediction, for this connection."""
        await self._call(requests.set_gold(path, gold))

    async def pairs(self) -> list[dict[str, Any]]:
        """All predictions that the daemon knows, and their golds."""
        found: list[dict[str, Any]] = await self._call(requests.pairs())
        return found

    async def tree(self, path: Where, line: int) -> dict[str, Any] | None:
        """The sentence at a line (0-based) with its arcs and errors; None where there is none."""
        found: dict[str, Any] | None = await self._call(requests.tree(path, line))
        return found

    async def seek(
        self, path: Where, which: Which, line: int | None = None
    ) -> dict[str, Any] | None:
        """The sentence with most problems, or the next or previous one with any from a line.

        Lines count from 0; from no line at all, the next is the first. None where no sentence
        has any.
        """
        found: dict[str, Any] | None = await self._call(requests.seek(path, which, line))
        return found

    async def status(self) -> Status:
        """What the daemon is, and has to do."""
        return requests.status_of(await self._call(("status", {})))

    async def end(self) -> None:
        """Tells the daemon to end, and closes. Others are cut off too."""
        await self._call(("end", {}))
        await self.close()

    def subscribe(self, *, scores: bool = True, problems: bool = False) -> AsyncSubscription:
        """The present state of every watched prediction as events, then every change.

        It begins when it is entered, or first asked for an event; an earlier subscription of this
        client ends then.
        """
        return AsyncSubscription(self, requests.subscribe(scores, problems))

    async def close(self) -> None:
        """Hangs up: subscriptions end, and calls that wait get Disconnected. Again: nothing."""
        self._replace(None)
        self._end(Disconnected("this client was closed; connect again"))
        await asyncio.wait([self._reader])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        await self.close()

    async def _call(self, request: Request) -> Any:
        method, params = request
        if self._over is not None:
            raise Disconnected(str(self._over))
        number, data = self._talk.request(method, params)
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        _, writer = self._streams
        try:
            async with asyncio.timeout(self.timeout):
                writer.write(data)
                answer = await future
        except TimeoutError as error:
            raise too_late(method, self.timeout) from error
        finally:
            if self._waiting.pop(number, None) is not None and self._over is None:
                # Out of time, or cancelled: the daemon need not work on it.
                writer.write(self._talk.cancel(number))
        return answer.get()

    async def _read(self) -> None:
        reader, writer = self._streams
        why: Disconnected | None = None
        try:
            while data := await reader.read(PIECE):
                for received in self._talk.receive(data):
                    self._take(received)
        except OSError as error:
            why = Disconnected(f"the daemon is gone ({error}); connect again")
        except Disconnected as error:
            why = error
        finally:
            self._end(why or self._talk.ended())
            await hang_up(writer)

    def _take(self, received: Answer | Event) -> None:
        if isinstance(received, Answer):
            # None: nobody waits for it any more.
            future = self._waiting.pop(received.number, None)
            if future is not None and not future.done():
                future.set_result(received)
        elif self._subscription is not None:
            self._subscription._put(received)

    def _end(self, why: Disconnected) -> None:
        if self._over is not None:
            return
        self._over = why
        self._streams[1].transport.abort()
        waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if not future.done():
                future.set_exception(Disconnected(str(why)))
        if self._subscription is not None:
            self._subscription._finish(why)

    def _replace(self, subscription: AsyncSubscription | None) -> None:
        before, self._subscription = self._subscription, subscription
        if before is not None:
            before._finish(None)

    async def _subscribe(self, made: AsyncSubscription, request: Request) -> int:
        self._replace(made)
        try:
            return requests.watched_of(await self._call(request))
        except BaseException:
            if self._subscription is made:
                self._subscription = None
            raise

    async def _unsubscribe(self, subscription: AsyncSubscription) -> None:
        if self._subscription is subscription and self._over is None:
            self._replace(None)
            with contextlib.suppress(Disconnected):
                await self._call(("unsubscribe", {}))


class AsyncSubscription:
    """Events as they come: an asynchronous iterator, and a context manager, which unsubscribes.

    Who reads slowly gets the last state of each prediction, not all between. The iterator ends
    when the subscription does, and raises Disconnected when the daemon is gone.
    """

    def __init__(self, client: AsyncClient, request: Request) -> None:
        self.watched = 0
        """How many predictions were watched when it began."""
        self._client, self._request = client, request
        self._mailbox = Mailbox()
        self._changed = asyncio.Event()
        self._begun = self._finished = False
        self._why: Disconnected | None = None

    async def get(self) -> Event | None:
        """The next event; None when the subscription has ended. Raises ClientError."""
        await self._begin()
        while (event := self._mailbox.take()) is None and not self._finished:
            self._changed.clear()
            await self._changed.wait()
        if event is None and self._why is not None:
            raise Disconnected(str(self._why))
        return event

    async def close(self) -> None:
        """Unsubscribes. A second time: nothing."""
        await self._client._unsubscribe(self)

    def __aiter__(self) -> AsyncIterator[Event]:
        return self

    async def __anext__(self) -> Event:
        event = await self.get()
        if event is None:
            raise StopAsyncIteration
        return event

    async def __aenter__(self) -> Self:
        await self._begin()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        await self.close()

    async def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            try:
                self.watched = await self._client._subscribe(self, self._request)
            except BaseException:
                self._begun = False
                raise

    def _put(self, event: Event) -> None:
        self._mailbox.put(event)
        self._changed.set()

    def _finish(self, why: Disconnected | None) -> None:
        self._finished, self._why = True, why
        self._changed.set()
