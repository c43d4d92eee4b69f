"""One program that speaks MessagePack-RPC with the daemon, from its hello to its end."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from goldlens.server import commands
from goldlens.server.arguments import WrongCall, shown, table
from goldlens.server.asked import BadArgument, WorkspaceError
from goldlens.server.memory import came_in
from goldlens.server.patience import Patience
from goldlens.server.rpc.host import Caller, Host
from goldlens.server.rpc.subscription import Subscription
from goldlens.server.rpc.wire import (
    FrameError,
    Message,
    Messages,
    Notification,
    Request,
    notification,
    response,
)
from goldlens.server.sources import path_of
from goldlens.server.system import System
from goldlens.server.telling import board_of
from goldlens.server.watching.interest import Interest
from goldlens.server.workspace import Workspace

log = logging.getLogger(__name__)

HELLO: Final = 10.0
"""Seconds within which a hello has to come."""

AT_ONCE: Final = 64
"""So many calls of one client may wait; with more, nothing is read from it."""

FAILED: Final = 0
WRONG: Final = 1
"""The kinds of errors: what could not be done, and what is wrong in itself."""


class Peer(asyncio.Protocol):
    """A client's end of a socket."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._messages = Messages()
        self._transport: asyncio.Transport | None = None
        self._known = self._over = self._unread = self._heard_all = False
        self._caller = Caller(Workspace(host.root, host.shared.library), host.shared.turns)
        self._running: dict[int, asyncio.Future[Any]] = {}
        self._subscription: Subscription | None = None
        self._hello_due: asyncio.TimerHandle | None = None
        self._patience = Patience(host.patience)

    # The socket

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The client is there."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._hello_due = asyncio.get_running_loop().call_later(HELLO, self._silent)
        self._host.shared.join(self)

    def data_received(self, data: bytes) -> None:
        """Bytes have come in."""
        came_in(len(data))
        try:
            self._messages.feed(data)
        except FrameError as error:
            self._broken(error)
        else:
            self._go_on()

    def eof_received(self) -> bool:
        """The client says nothing more; what it asked for is still answered."""
        self._heard_all = True
        if not self._running:
            self._end()
        return not self._over

    def pause_writing(self) -> None:
        """The client does not read as fast as it is written to."""
        self._unread = True
        if not self._over and self._transport is not None:
            self._patience.begin(self._transport, self._cut_off)

    def resume_writing(self) -> None:
        """It has been read."""
        self._unread = False
        if not self._over:
            self._patience.end()
            self._go_on()
            self.rested()

    def connection_lost(self, error: Exception | None) -> None:
        """The client is gone."""
        self._over = True
        self._leave()

    def _go_on(self) -> None:
        """Takes what has come in, as long as the client reads its answers and not too many calls
        wait; else it stays where it is, and what comes after it is not read.
        """
        try:
            while self._takes and (message := self._messages.take()) is not None:
                self._take(message)
        except FrameError as error:
            self._broken(error)
        if self._over or self._heard_all or self._transport is None:
            return
        if self._takes:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()

    @property
    def _takes(self) -> bool:
        return not self._over and not self._unread and len(self._running) < AT_ONCE

    def _broken(self, error: FrameError) -> None:
        log.warning("a connection ends: %s", error)
        self._end(f"the connection ends: {error}")

    def _silent(self) -> None:
        self._end(f"no hello within {HELLO:.0f} seconds")

    def _cut_off(self) -> None:
        assert self._transport is not None
        self._over = True
        self._transport.abort()

    def _greeted(self) -> None:
        """No hello is waited for any more."""
        if self._hello_due is not None:
            self._hello_due.cancel()
            self._hello_due = None

    def close(self) -> None:
        """Ends the connection; what was sent still goes out."""
        self._end()

    def _end(self, why: str | None = None) -> None:
        if self._over or self._transport is None:
            return
        if why is not None:
            self._send(notification("goldlens/error", {"message": why}))
        self._over = True
        self._transport.close()
        self._leave()
        self._patience.outlast(self._transport)

    def _leave(self) -> None:
        self._greeted()
        self._patience.end()
        if self._subscription is not None:
            self._subscription.end()
            self._subscription = None
        for future in list(self._running.values()):
            future.cancel()
        self._caller.workspace.leave()
        self._host.shared.leave(self)
        if self._known:
            self._known = False
            self._host.went(self)

    def _send(self, data: bytes) -> None:
        if not self._over and self._transport is not None:
            self._patience.wrote(len(data))
            self._transport.write(data)

    # A member of what is shared

    @property
    def generation(self) -> int:
        """Nothing is open."""
        return 0

    def interest(self) -> Interest:
        """Nothing is open."""
        return Interest()

    def changed(self, paths: list[Path]) -> None:
        """Nothing is open."""

    def rested(self) -> None:
        """Nothing runs on the workspaces any more."""
        if self._subscription is not None:
            self._subscription.wake()

    # Messages

    def _take(self, message: Message) -> None:
        if isinstance(message, Notification):
            if message.method == "cancel" and self._known:
                self._cancel(message.params)
            else:
                log.info("ignored %s: unknown", shown(message.method))
            return
        if message.number in self._running:
            self._fail(message.number, WRONG, f"{message.number} is in use for another call")
            return
        try:
            answer = self._called(message)
        except Exception as error:
            self._fail_with(message, error)
            return
        if not isinstance(answer, asyncio.Future):
            self._answer(message, answer)
            if message.method == "lsp":
                self._become_editor()
            return
        self._running[message.number] = answer
        answer.add_done_callback(lambda done: self._finished(message, done))

    def _finished(self, message: Request, answer: asyncio.Future[Any]) -> None:
        self._running.pop(message.number, None)
        if answer.cancelled():
            self._fail(message.number, FAILED, "cancelled")
        elif (error := answer.exception()) is not None:
            self._fail_with(message, error)
        else:
            self._answer(message, answer.result())
        if self._heard_all and not self._running:
            self._end()
        self._go_on()

    def _answer(self, message: Request, result: object) -> None:
        try:
            data = response(message.number, None, result)
        except Exception as error:
            self._fail_with(message, error)
        else:
            self._send(data)

    def _fail_with(self, message: Request, error: BaseException) -> None:
        match error:
            case WrongCall() | BadArgument():
                self._fail(message.number, WRONG, str(error))
            case WorkspaceError():
                self._fail(message.number, FAILED, str(error))
            case _:
                log.error("%s failed", message.method, exc_info=error)
                said = f"internal error in {message.method}: {type(error).__name__}: {error}"
                self._fail(message.number, FAILED, said)
        if not self._known:
            self._end()

    def _fail(self, number: int, kind: int, said: str) -> None:
        self._send(response(number, [kind, said], None))

    def _cancel(self, params: list[Any]) -> None:
        number = params[0].get("msgid") if params and isinstance(params[0], dict) else None
        running = self._running.get(number) if type(number) is int else None
        if running is None:
            log.info("nothing to cancel under %r", number)
        else:
            running.cancel()

    # Methods

    def _called(self, message: Request) -> Any:
        """What a method gives, or a future of it. Raises WrongCall, WorkspaceError."""
        if not self._known and message.method != "hello":
            raise WrongCall("the first call must be hello")
        if len(message.params) > 1:
            raise WrongCall(f"expected one object in params, not {len(message.params)}")
        given = table(message.params[0], "params[0]") if message.params else {}
        method = _METHODS.get(message.method)
        if method is not None:
            return method(self, given)
        if message.method not in commands.COMMANDS:
            known = ", ".join((*_METHODS, *commands.COMMANDS))
            raise WrongCall(f"unknown method {shown(message.method)}; expected one of {known}")
        return self._command(message.method, given)

    def _command(self, name: str, given: Mapping[str, Any]) -> asyncio.Future[Any]:
        uri = given.get("uri")
        path = path_of(uri) if isinstance(uri, str) else None
        if name == "goldlens.setGold" and path is not None:
            self._caller.by_hand.add(str(path))
        elif name == "goldlens.score" and path is not None and given.keys() == {"uri"}:
            system = self._host.watched.systems.at(path)
            if system is not None and str(path) not in self._caller.by_hand and system.is_current:
                return self._caller.turns.take(lambda: self._score_of(system, str(uri)))
        return commands.execute(self._caller, name, [dict(given)], commands.COMMANDS)

    def _score_of(self, system: System, uri: str) -> object:
        # Something may have been said of it by those who had their turns before.
        if not system.is_current:
            return self._caller.workspace.scores(uri)
        return {key: value for key, value in board_of(system).items() if key not in _TOLD_BESIDES}

    def _hello(self, given: Mapping[str, Any]) -> Mapping[str, object]:
        token = self._host.token
        said = given.get("token")
        if token is not None and not (
            isinstance(said, str) and hmac.compare_digest(said.encode(), token.encode())
        ):
            raise WrongCall("the token is missing or wrong; it is in the daemon's state file")
        if not self._known:
            self._known = True
            self._greeted()
            self._host.came(self)
        return self._host.hello()

    def _subscribe(self, given: Mapping[str, Any]) -> dict[str, object]:
        self._unsubscribe({})
        chosen = {name: given.get(name, default) for name, default in _TOLD.items()}
        for name, value in chosen.items():
            if not isinstance(value, bool):
                raise WrongCall(f"expected {name} to be true or false, not {shown(value)}")
        watched = self._host.watched
        self._subscription = Subscription(
            watched, self._caller.turns, self._send, lambda: self._unread, **chosen
        )
        return {"watched": len(watched.systems.all)}

    def _unsubscribe(self, given: Mapping[str, Any]) -> None:
        if self._subscription is not None:
            self._subscription.end()
            self._subscription = None

    def _status(self, given: Mapping[str, Any]) -> Mapping[str, object]:
        return self._host.status()

    def _end_daemon(self, given: Mapping[str, Any]) -> None:
        self._host.end("it was told to")

    def _lsp(self, given: Mapping[str, Any]) -> None:
        if self._running or self._subscription is not None:
            raise WrongCall("the connection is in use; speak LSP on one of its own")
        if self._messages.rest:
            raise WrongCall("something was sent behind lsp; its answer has to be awaited")

    def _become_editor(self) -> None:
        transport = self._transport
        if transport is None:
            return
        # What is left of this peer is nothing that could close the socket.
        self._transport, self._over = None, True
        self._leave()
        self._host.speak_lsp(transport)


_TOLD_BESIDES: Final = ("system", "trouble")
"""What subscribers are told of a score besides, and who asks for one is not."""

_TOLD: Final = {"scores": True, "problems": False}

_METHODS: Final[Mapping[str, Callable[[Peer, Mapping[str, Any]], Any]]] = {
    "hello": Peer._hello,
    "subscribe": Peer._subscribe,
    "unsubscribe": Peer._unsubscribe,
    "status": Peer._status,
    "end": Peer._end_daemon,
    "lsp": Peer._lsp,
}
"""Every method besides the commands."""
