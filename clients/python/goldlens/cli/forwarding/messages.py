"""JSON-RPC messages as the relay looks at them, and those that it makes itself."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

MessageId: TypeAlias = int | str

INVALID_REQUEST: Final = -32600
CANCELLED: Final = -32800
REQUEST_FAILED: Final = -32803

_WARNING: Final = 2
"""How much a message to the user matters, as the protocol numbers it."""

_PROBLEMS: Final = re.compile(
    rb'\{"jsonrpc":"2\.0","method":"textDocument/publishDiagnostics","params":'
    rb'\{"uri":("(?:[^"\\]|\\.)*"),(?:"version":-?\d+,)?"diagnostics":\[(.)'
)
_SCORES: Final = re.compile(rb'\{"jsonrpc":"2\.0","method":"goldlens/scores",')
_RESULT: Final = re.compile(rb'\{"jsonrpc":"2\.0","id":(-?\d+|"[^"\\]*"),"result":')


@dataclass(frozen=True, slots=True)
class Message:
    """What a message is. A notification has no `number`, an answer no `method`.

    `whole` is all of it; None where a glance was enough, of a result.
    """

    method: str | None
    number: MessageId | None
    whole: Mapping[str, Any] | None

    @property
    def params(self) -> Mapping[str, Any]:
        """The parameters; none if they are no object."""
        found = None if self.whole is None else self.whole.get("params")
        return found if isinstance(found, dict) else {}

    @property
    def failed(self) -> bool:
        """Whether an answer is an error."""
        return self.whole is not None and "error" in self.whole


def read(body: bytes) -> Message | None:
    """What a message is; None if it is none, which is for the other end to say."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    method, number = value.get("method"), value.get("id")
    if not isinstance(number, int | str) or isinstance(number, bool):
        number = None
    return Message(method if isinstance(method, str) else None, number, value)


def glance(body: bytes) -> Message | None:
    """What a message of the server is, without reading long results.

    None for those which nothing depends on.
    """
    if _SCORES.match(body):
        return None
    if found := _RESULT.match(body):
        return Message(None, json.loads(found[1]), None)
    return read(body)


def problems(body: bytes) -> tuple[str, bool] | None:
    """The document whose problems a message of the server tells, and whether it has any."""
    found = _PROBLEMS.match(body)
    return (json.loads(found[1]), found[2] != b"]") if found is not None else None


def no_problems(uri: str) -> bytes:
    """Takes a document's problems off the screen."""
    return notification("textDocument/publishDiagnostics", {"uri": uri, "diagnostics": []})


def request(number: MessageId, method: str, params: Any = None) -> bytes:
    """A request."""
    return _message(id=number, method=method, **({} if params is None else {"params": params}))


def notification(method: str, params: Any = None) -> bytes:
    """A notification."""
    return _message(method=method, **({} if params is None else {"params": params}))


def result(number: MessageId, value: Any = None) -> bytes:
    """An answer."""
    return _message(id=number, result=value)


def error(number: MessageId, code: int, message: str) -> bytes:
    """An answer that is an error."""
    return _message(id=number, error={"code": code, "message": message})


def logged(text: str) -> bytes:
    """A warning for the editor's log."""
    return notification("window/logMessage", {"type": _WARNING, "message": f"goldlens: {text}"})


def shown(text: str) -> bytes:
    """A warning for the user."""
    return notification("window/showMessage", {"type": _WARNING, "message": f"goldlens: {text}"})


def _message(**members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}, separators=(",", ":")).encode("ascii")
