"""The blocking client: calls from any thread, and events as an iterator."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Final, Self, Unpack

from goldlens.client import requests
from goldlens.client.conversation import Answer
from goldlens.client.dialing import PIECE, dial_and_greet, too_late
from goldlens.client.errors import Disconnected, NoDaemon
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

TIMEOUT: Final = 60.0

TRIES: Final = 3
"""How often a daemon is tried that lives, as it seems, and cannot be reached."""

PAUSE: Final = 0.1
"""Seconds between."""

_SENDING: Final = 30.0
"""So many seconds a daemon may take nothing of what it is sent."""


def connect(path: Where = ".", *, start: bool = False, timeout: float | None = TIMEOUT) -> Client:
    """A client of the daemon that serves a path; one of another version is replaced first.

    `start`: one is started if there is none. `timeout`: so many seconds the connection, and later
    each call, may take; None: any time. Raises ClientError; NoDaemon if there is none.
    """
    tries = TRIES
    while True:
        state = current(path, start=start)
        if state is None:
            raise no_daemon(path)
        try:
            return Client(state, timeout=timeout)
        except Disconnected:
            # It may just have ended; the next look shows.
            tries -= 1
            if not tries:
                raise
        time.sleep(PAUSE)


def no_daemon(path: Where) -> NoDaemon:
    """The error of a path that no daemon serves."""
    return NoDaemon(f"no daemon serves {path}; start one with “goldlens daemon start”")


class Client:
    """A connection to a daemon. Every method may be called from any thread, and raises ClientError:
    CallFailed and CallWrong where the daemon says so, Disconnected once it is gone, TimedOut.

    Files are given as paths, relative ones to the current folder, or as URIs.
    """

    def __init__(self, state: State, *, timeout: float | None = TIMEOUT) -> None:
        """Connects to a daemon that has been found (see `connect`)."""
        self.state: Final = state
        self.timeout: Final = timeout
        line = dial_and_greet(state, timeout)
        line.socket.settimeout(_SENDING)
        self._socket, self._talk = line.socket, line.talk
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._waiting: dict[int, Future[Any]] = {}
        self._subscription: Subscription | None = None
        self._over: Disconnected | None = None
        self._reader = threading.Thread(target=self._read, name="goldlens-client", daemon=True)
        self._reader.start()

    def score(self, path: Where) -> dict[str, Any] | None:
        """The scoreboard of a prediction, as in `goldlens score --json`; None without gold."""
        found: dict[str, Any] | None = self._call(requests.score(path))
        return found

    def rows(self, path: Where, format: Format = "markdown", **options: Unpack[RowsOptions]) -> str:
        """Results rows of a prediction, as text."""
        return str(self._call(requests.rows(path, format, options)))

    def compare(
        self, path: Where, other: Where, **options: Unpack[CompareOptions]
    ) -> list[dict[str, Any]]:
        """A prediction beside another one of the same gold, as in `goldlens compare --json`."""
        found: list[dict[str, Any]] = self._call(requests.compare(path, other, options))
        return found

    def analyze(
        self, path: Where, what: str = "overview", **options: Unpack[AnalyzeOptions]
    ) -> dict[str, Any]:
        """Where the errors of a prediction come from, as in `goldlens analyze --json`."""
        found: dict[str, Any] = self._call(requests.analyze(path, what, options))
        return found

    def report(self, path: Where, **options: Unpack[DrawOptions]) -> str:
        """A page of HTML on a prediction, as `goldlens report` writes it."""
        return str(self._call(requests.report(path, options)))

    def receipt(self, path: Where, **options: Unpack[ReceiptOptions]) -> dict[str, Any]:
        """The receipt of a prediction's evaluation."""
        found: dict[str, Any] = self._call(requests.receipt(path, options))
        return found

    def set_gold(self, path: Where, gold: Where) -> None:
        """Names the gold of a prediction, for this connection."""
        self._call(requests.set_gold(path, gold))

    def pairs(self) -> list[dict[str, Any]]:
        """All predictions that the daemon knows, and their golds."""
        found: list[dict[str, Any]] = self._call(requests.pairs())
        return found

    def tree(self, path: Where, line: int) -> dict[str, Any] | None:
        """The sentence at a line (0-based) with its arcs and errors; None where there is none."""
        found: dict[str, Any] | None = self._call(requests.tree(path, line))
        return found

    def seek(self, path: Where, which: Which, line: int | None = None) -> dict[str, Any] | None:
        """The sentence with most problems, or the next or previous one with any from a line.

        Lines count from 0; from no line at all, the next is the first. None where no sentence
        has any.
        """
        found: dict[str, Any] | None = self._call(requests.seek(path, which, line))
        return found

    def status(self) -> Status:
        """What the daemon is, and has to do."""
        return requests.status_of(self._call(("status", {})))

    def end(self) -> None:
        """Tells the daemon to end, and closes. Others are cut off too."""
        self._call(("end", {}))
        self.close()

    def subscribe(self, *, scores: bool = True, problems: bool = False) -> Subscription:
        """The present state of every watched prediction as events, then every change.

        Ends an earlier subscription of this client.
        """
        made = Subscription(self)
        self._replace(made)
        made.watched = requests.watched_of(self._call(requests.subscribe(scores, problems)))
        return made

    def close(self) -> None:
        """Hangs up: subscriptions end, and calls that wait get Disconnected. Again: nothing."""
        self._replace(None)
        self._end(Disconnected("this client was closed; connect again"))
        if threading.current_thread() is not self._reader:
            self._reader.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.close()

    def _call(self, request: Request) -> Any:
        method, params = request
        future: Future[Any] = Future()
        with self._sending:
            # Numbers go out in order; nobody is answered before he waits.
            number, data = self._talk.request(method, params)
            with self._lock:
                if self._over is not None:
                    raise Disconnected(str(self._over))
                self._waiting[number] = future
            self._send(data)
        try:
            answer = future.result(self.timeout)
        except TimeoutError as error:
            raise too_late(method, self.timeout) from error
        finally:
            with self._lock:
                given_up = self._waiting.pop(number, None) is not None and self._over is None
            if given_up:
                # Out of time, or interrupted: the daemon need not work on it.
                with self._sending, contextlib.suppress(Disconnected):
                    self._send(self._talk.cancel(number))
        assert isinstance(answer, Answer)
        return answer.get()

    def _send(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except OSError as error:
            # Perhaps a part of it went out: nothing can be said after it.
            gone = Disconnected(f"the daemon takes nothing any more ({error}); connect again")
            self._end(gone)
            raise gone from error

    def _read(self) -> None:
        try:
            while True:
                try:
                    data = self._socket.recv(PIECE)
                except TimeoutError:
                    continue
                for received in self._talk.receive(data):
                    self._take(received)
                if not data:
                    self._end(self._talk.ended())
                    return
        except OSError as error:
            self._end(Disconnected(f"the daemon is gone ({error}); connect again"))
        except Disconnected as error:
            self._end(error)
        finally:
            self._socket.close()

    def _take(self, received: Answer | Event) -> None:
        if isinstance(received, Answer):
            with self._lock:
                # None: nobody waits for it any more.
                future = self._waiting.pop(received.number, None)
            if future is not None:
                future.set_result(received)
        elif (subscription := self._subscription) is not None:
            subscription._put(received)

    def _end(self, why: Disconnected) -> None:
        with self._lock:
            if self._over is not None:
                return
            self._over = why
            waiting, self._waiting = self._waiting, {}
            subscription, self._subscription = self._subscription, None
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        for future in waiting.values():
            future.set_exception(Disconnected(str(why)))
        if subscription is not None:
            subscription._finish(why)

    def _replace(self, subscription: Subscription | None) -> None:
        with self._lock:
            before, self._subscription = self._subscription, subscription
        if before is not None:
            before._finish(None)

    def _unsubscribe(self, subscription: Subscription) -> None:
        if self._subscription is subscription:
            self._replace(None)
            with contextlib.suppress(Disconnected):
                self._call(("unsubscribe", {}))


class Subscription:
    """Events as they come: an iterator, which waits, and a context manager, which unsubscribes.

    Who reads slowly gets the last state of each prediction, not all between. The iterator ends
    when the subscription does, and raises Disconnected when the daemon is gone.
    """

    def __init__(self, client: Client) -> None:
        self.watched = 0
        """How many predictions were watched when it began."""
        self._client = client
        self._mailbox = Mailbox()
        self._changed = threading.Condition()
        self._finished = False
        self._why: Disconnected | None = None

    def get(self, timeout: float | None = None) -> Event | None:
        """The next event; None when the subscription has ended, or none comes within `timeout`
        seconds. Raises Disconnected.
        """
        end = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            while (event := self._mailbox.take()) is None and not self._finished:
                left = None if end is None else end - time.monotonic()
                if left is not None and left <= 0:
                    break
                self._changed.wait(left)
        if event is None and self._why is not None:
            raise Disconnected(str(self._why))
        return event

    def close(self) -> None:
        """Unsubscribes. A second time: nothing."""
        self._client._unsubscribe(self)

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        event = self.get()
        if event is None:
            raise StopIteration
        return event

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.close()

    def _put(self, event: Event) -> None:
        with self._changed:
            self._mailbox.put(event)
            self._changed.notify_all()

    def _finish(self, why: Disconnected | None) -> None:
        with self._changed:
            self._finished, self._why = True, why
            self._changed.notify_all()
