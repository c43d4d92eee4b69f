"""JSON-RPC as this server needs it: what pygls must not do, done here instead.

pygls keeps the register of handlers, the requests that run, and those sent to the client. Taken
from it are

- reading: parameters stay raw, past the converter, whose cost and strictness an edit or a
  diagnostic of another program must not meet; and pygls keeps no copy of any document;
- errors: each request gets an answer with the right code, whatever was wrong with it;
- writing: messages that are JSON already go out as they are.

Invariant: `receive` never raises.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import JsonRPCProtocol

from goldlens.server.arguments import WrongCall
from goldlens.server.asked import BadArgument, WorkspaceError
from goldlens.server.lsp.wire import frame

if TYPE_CHECKING:
    from cattrs import Converter
    from pygls.server import JsonRPCServer

log = logging.getLogger(__name__)

MessageId: TypeAlias = int | str

REQUEST_FAILED: Final = -32803
"""LSP's code for a request that was right but cannot be met."""

_FINE = json.JSONEncoder(separators=(",", ":")).encode


class Stage(Enum):
    """How far the conversation is."""

    BEFORE = auto()
    """No `initialize` yet."""
    RUNNING = auto()
    DOWN = auto()
    """After `shutdown`: only `exit` is awaited."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A result that is JSON already."""

    json: str


class Protocol(JsonRPCProtocol):
    """One conversation. `send` takes whole frames; `on_exit` is told the exit status."""

    def __init__(self, server: JsonRPCServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self.stage = Stage.BEFORE
        self.send: Callable[[bytes], None] = lambda data: None
        self.on_exit: Callable[[int], None] = lambda status: None
        self.on_answered: Callable[[], None] = lambda: None
        self.waiting = 0
        """How many requests have not been answered yet."""

    # Reading

    def receive(self, body: bytes) -> None:
        """Takes one message, and answers it or has it answered."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._fail(None, JsonRpcParseError(message=f"Parse error: {error}"))
            return
        try:
            self._take(message)
        except JsonRpcException as error:
            self._fail(_id_of(message), error)
        except Exception:
            log.exception("a message could not be dealt with")

    def _take(self, message: Any) -> None:
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            raise JsonRpcInvalidRequest(message='expected an object with "jsonrpc": "2.0"')
        method = message.get("method")
        if method is None and ("result" in message or "error" in message):
            self._answered(message)
            return
        if not isinstance(method, str):
            raise JsonRpcInvalidRequest(message="expected a method's name")
        if "id" not in message:
            self._notified(method, message.get("params"))
        elif (number := _id_of(message)) is None:
            raise JsonRpcInvalidRequest(message="expected an id that is a number or a string")
        else:
            self._requested(number, method, message.get("params"))

    def _requested(self, number: MessageId, method: str, params: Any) -> None:
        try:
            answer = self._handler(method)(params)
        except Exception as error:
            self._fail_with(number, method, error)
            return
        if not isinstance(answer, asyncio.Future):
            self._send_response(number, answer)
        elif answer.done():
            # Answered now: answers keep the order of their requests where they can.
            self._finished(answer, number=number, method=method)
        else:
            self._request_futures[number] = answer  # type: ignore[assignment]
            self.waiting += 1
            answer.add_done_callback(self._no_more_waiting)
            answer.add_done_callback(partial(self._finished, number=number, method=method))

    def _handler(self, method: str) -> Callable[[Any], Any]:
        if self.stage is Stage.DOWN:
            raise JsonRpcInvalidRequest(message="the server is shut down; only exit may follow")
        if self.stage is Stage.BEFORE and method != types.INITIALIZE:
            raise JsonRpcServerNotInitialized(message="the first request must be initialize")
        if self.stage is Stage.RUNNING and method == types.INITIALIZE:
            raise JsonRpcInvalidRequest(message="the server is initialized already")
        handler: Callable[[Any], Any] | None = self.fm.features.get(method)
        if handler is None:
            raise JsonRpcMethodNotFound.of(method)
        return handler

    def _no_more_waiting(self, answer: asyncio.Future[Any]) -> None:
        self.waiting -= 1
        self.on_answered()

    def _finished(self, answer: asyncio.Future[Any], *, number: MessageId, method: str) -> None:
        self._request_futures.pop(number, None)
        if answer.cancelled():
            self._fail(number, JsonRpcRequestCancelled(message="the request was cancelled"))
            return
        error = answer.exception()
        if error is None:
            self._send_response(number, answer.result())
        else:
            self._fail_with(number, method, error)

    def _notified(self, method: str, params: Any) -> None:
        if method == types.EXIT:
            self.on_exit(0 if self.stage is Stage.DOWN else 1)
            return
        if self.stage is not Stage.RUNNING:
            log.info("ignored %s: the server is not running", method)
            return
        if method == types.CANCEL_REQUEST:
            self._cancel(params)
            return
        handler = self.fm.features.get(method)
        if handler is None:
            log.info("ignored %s: unknown", method)
            return
        try:
            handler(params)
        except (JsonRpcException, WrongCall) as error:
            log.error("ignored %s: %s", method, error)
        except Exception:
            log.exception("%s failed", method)

    def _cancel(self, params: Any) -> None:
        number = params.get("id") if isinstance(params, dict) else None
        running = self._request_futures.get(number) if isinstance(number, int | str) else None
        # What the server itself asked is in the same register, and not the client's to cancel.
        if isinstance(running, asyncio.Future):
            running.cancel()
        else:
            log.info("nothing to cancel under %r", number)

    def abandon(self) -> None:
        """Cancels whatever runs: nobody waits for an answer any more."""
        for running in list(self._request_futures.values()):
            running.cancel()

    def _answered(self, message: dict[str, Any]) -> None:
        number = _id_of(message)
        if not isinstance(number, str) or not isinstance(
            asked := self._request_futures.get(number), Future
        ):
            log.info("an answer to nothing that was asked: %r", number)
            return
        del self._request_futures[number]
        self._result_types.pop(number, None)
        error = message.get("error")
        if error is None:
            asked.set_result(message.get("result"))
            return
        text = error.get("message") if isinstance(error, dict) else error
        asked.set_exception(JsonRpcException(message=str(text)))

    # Writing

    def _fail(self, number: MessageId | None, error: JsonRpcException) -> None:
        self._send_data(
            {
                "jsonrpc": self.VERSION,
                "id": number,
                "error": {"code": error.code, "message": error.message},
            }
        )

    def _fail_with(self, number: MessageId, method: str, error: BaseException) -> None:
        """Answers a request with what its handler raised."""
        match error:
            case JsonRpcException():
                self._fail(number, error)
            case WrongCall() | BadArgument():
                self._fail(number, JsonRpcInvalidParams(message=f"Invalid params: {error}"))
            case WorkspaceError():
                self._fail(number, JsonRpcException(message=str(error), code=REQUEST_FAILED))
            case _:
                log.error("%s failed", method, exc_info=error)
                said = f"internal error in {method}: {type(error).__name__}: {error}"
                self._fail(number, JsonRpcInternalError(message=said))

    def _send_response(self, msg_id: MessageId, result: Any = None, error: Any = None) -> None:
        if isinstance(result, Ready):
            self.send_ready(f'{{"jsonrpc":"2.0","id":{_FINE(msg_id)},"result":{result.json}}}')
        else:
            self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "result": result})

    def notify(self, method: str, params: Any = None) -> None:
        """Sends a notification."""
        self._send_data({"jsonrpc": self.VERSION, "method": method, "params": params})

    def send_ready(self, body: str) -> None:
        """Sends a message that is JSON already, in ASCII."""
        self.send(frame(body.encode("ascii")))

    def _send_data(self, data: Any) -> None:
        # Escapes make it ASCII, so that neither locale nor a lone surrogate can spoil it.
        body = json.dumps(
            data, default=self._serialize_message, separators=(",", ":"), allow_nan=False
        )
        self.send_ready(body)


def _id_of(message: Any) -> MessageId | None:
    number = message.get("id") if isinstance(message, dict) else None
    return number if isinstance(number, int | str) and not isinstance(number, bool) else None
