"""What an editor and its server have said to each other, as far as another server must know it.

Messages go through here on their way. When the server is gone, the session says what the editor
has to be told, and when there is another, what this has to be told so that it is where the first
one was: nothing is lost, and nothing is answered twice. Nothing here reads or writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from goldlens.cli.forwarding import messages
from goldlens.cli.forwarding.documents import Documents
from goldlens.cli.forwarding.messages import Message, MessageId
from goldlens.server.engine.positions import Encoding
from goldlens.server.lsp.client import Client
from goldlens.server.sources import key_of

MOST_DEATHS: Final = 2
"""A request during which so many servers have died is not sent to another one."""

_OWN: Final = "goldlens-relay-"
"""What the numbers of the relay's own requests begin with."""


@dataclass(frozen=True, slots=True)
class Post:
    """Messages that are due: `up` to the server, `down` to the editor."""

    up: tuple[bytes, ...] = ()
    down: tuple[bytes, ...] = ()


@dataclass(slots=True)
class _Waiting:
    """A request of the editor that has no answer yet."""

    body: bytes
    method: str | None
    params: Mapping[str, Any]
    deaths: int = 0
    cancelled: bool = False


@dataclass(slots=True)
class _Told:
    """What a server is told before anything else."""

    initialize: Message
    answered: bool = False
    initialized: bytes | None = None
    settings: bytes | None = None
    folders: list[bytes] = field(default_factory=list)
    documents: Documents = field(default_factory=Documents)
    golds: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    encoding: Encoding | None = None

    @property
    def client(self) -> Client:
        """What the editor can do."""
        return Client.of(self.initialize.params.get("capabilities"))


class Session:
    """The memory of a session. Bodies of messages go in and come out, whole and unchanged."""

    def __init__(self) -> None:
        self.connected = False
        """Whether there is a server."""
        self.down = False
        """Whether the editor has shut the server down, and has been told that it is."""
        self.left = False
        """Whether the editor has said exit."""
        self.kept_size = 0
        """How many bytes wait for a server."""
        self._told: _Told | None = None
        self._kept: list[bytes] = []
        self._waiting: dict[MessageId, _Waiting] = {}
        self._asked: set[MessageId] = set()
        self._registered: set[str] = set()
        self._shown: dict[MessageId, None] = {}
        self._flawed: dict[str, None] = {}
        self._owed: set[str] = set()
        self._own: set[MessageId] = set()
        self._numbers = count(1)

    @property
    def process(self) -> int | None:
        """The editor's process, where it has named it."""
        number = self._told.initialize.params.get("processId") if self._told else None
        return number if type(number) is int and number > 0 else None

    # The editor speaks

    def said(self, body: bytes) -> Post:
        """A message of the editor."""
        message = messages.read(body)
        if message is not None and message.method == "exit" and message.number is None:
            self.left = True
            return Post(up=(body,)) if self.connected else Post(down=tuple(self._given_up()))
        if self.connected:
            return Post(up=tuple(self._passed(body, message)))
        number = message.number if message is not None and message.method is not None else None
        if self.down:
            refused = "the server is shut down; only exit may follow"
            return _answer(number, messages.INVALID_REQUEST, refused)
        if message is not None and message.method == "shutdown" and number is not None:
            self.down = True
            return Post(down=(*self._given_up(), messages.result(number)))
        self._kept.append(body)
        self.kept_size += len(body)
        return Post()

    def _passed(self, body: bytes, message: Message | None) -> Iterator[bytes]:
        """What a server gets of a message of the editor."""
        if message is None:
            yield body
        elif message.method is None:
            if message.number in self._asked:
                self._asked.discard(message.number)
                yield body
            # Any other answers a server that is gone, or the relay itself.
        elif message.number is not None:
            if message.method == "initialize" and self._told is None:
                self._told = _Told(message)
            waiting = _Waiting(body, message.method, message.params)
            self._waiting[message.number] = waiting
            yield body
        else:
            yield body
            yield from self._noted(body, message)

    def _noted(self, body: bytes, message: Message) -> Iterator[bytes]:
        """Remembers a notification; what a server is to be told besides."""
        told, params = self._told, message.params
        if told is None:
            return
        match message.method:
            case "initialized":
                told.initialized = body
            case "textDocument/didOpen":
                document = told.documents.opened(params)
                if document is not None and key_of(document.uri) in self._owed:
                    yield self._set_gold(told, key_of(document.uri))
            case "textDocument/didChange":
                told.documents.changed(body, params, told.encoding)
            case "textDocument/didClose":
                told.documents.closed(params)
            case "workspace/didChangeConfiguration":
                if isinstance(params.get("settings"), dict):
                    told.settings = body
            case "workspace/didChangeWorkspaceFolders":
                told.folders.append(body)
            case "$/cancelRequest":
                number = params.get("id")
                if isinstance(number, int | str) and number in self._waiting:
                    self._waiting[number].cancelled = True

    # The server speaks

    def heard(self, body: bytes) -> Post:
        """A message of the server."""
        if (listed := messages.problems(body)) is not None:
            uri, some = listed
            self._flawed.pop(uri, None)
            if some:
                self._flawed[uri] = None
            return Post(down=(body,))
        message = messages.glance(body)
        if message is None:
            return Post(down=(body,))
        if message.method is None:
            if message.number in self._own:
                self._own.discard(message.number)
                return Post()
            if message.number is not None:
                self._answered(body, message)
        elif message.number is not None:
            if self._has_registered(message):
                return Post(up=(messages.result(message.number),))
            self._asked.add(message.number)
        elif message.method == "$/progress":
            self._progressed(message.params)
        return Post(down=(body,))

    def _answered(self, body: bytes, message: Message) -> None:
        assert message.number is not None
        waiting = self._waiting.pop(message.number, None)
        if waiting is None:
            return
        told = self._told
        if told is not None and not told.answered and waiting.method == "initialize":
            if message.failed:
                self._told = None
                return
            told.answered, told.encoding = True, _encoding(json.loads(body))
        elif message.failed:
            return
        elif waiting.method == "shutdown":
            self.down = True
        elif told is not None and (gold := _gold(waiting)) is not None:
            told.golds[key_of(gold["uri"])] = gold

    def _has_registered(self, message: Message) -> bool:
        """Whether the editor knows already all that it is to register."""
        ids = set(_registrations(message.params))
        if message.method == "client/registerCapability":
            if ids and ids <= self._registered:
                return True
            self._registered |= ids
        elif message.method == "client/unregisterCapability":
            self._registered -= ids
        return False

    def _progressed(self, params: Mapping[str, Any]) -> None:
        token, value = params.get("token"), params.get("value")
        if isinstance(token, int | str) and isinstance(value, dict):
            if value.get("kind") == "begin":
                self._shown[token] = None
            elif value.get("kind") == "end":
                self._shown.pop(token, None)

    # Servers die, and others come

    def died(self) -> Post:
        """The server is gone."""
        self.connected = False
        self._asked.clear()
        self._own.clear()
        down = [
            messages.notification("$/progress", {"token": token, "value": {"kind": "end"}})
            for token in self._shown
        ]
        self._shown.clear()
        down += self._cleared()
        if any(waiting.method == "shutdown" for waiting in self._waiting.values()):
            self.down = True
            down += self._given_up()
        for number, waiting in list(self._waiting.items()):
            waiting.deaths += 1
            if waiting.method == "initialize":
                continue
            if waiting.cancelled:
                down.append(_cancelled(number))
            elif waiting.deaths >= MOST_DEATHS:
                what = f"{waiting.deaths} daemons have ended while they worked on this request"
                down.append(messages.error(number, messages.REQUEST_FAILED, what))
            else:
                continue
            del self._waiting[number]
        return Post(down=tuple(down))

    def _cleared(self) -> Iterator[bytes]:
        """Takes off the screen what no other server will say anything of.

        Those of open documents are told again. Of others they may be, if they are still there.
        """
        for uri in list(self._flawed):
            if self._told is None or self._told.documents.find(uri) is None:
                del self._flawed[uri]
                yield messages.no_problems(uri)

    def joined(self) -> Post:
        """There is a server, which has been told nothing yet."""
        self.connected = True
        up: list[bytes] = []
        down: list[bytes] = []
        if (told := self._told) is not None:
            up += self._again(told)
            if told.answered and told.client.pulls and told.client.refresh:
                number = f"{_OWN}{next(self._numbers)}"
                down.append(messages.request(number, "workspace/diagnostic/refresh"))
        kept, self._kept, self.kept_size = self._kept, [], 0
        for body in kept:
            up += self._passed(body, messages.read(body))
        return Post(tuple(up), tuple(down))

    def _again(self, told: _Told) -> Iterator[bytes]:
        """What brings a server to where the last one was."""
        first = told.initialize
        assert first.whole is not None and first.number is not None
        if told.answered:
            yield self._request("initialize", first.whole.get("params"))
        else:
            yield self._waiting[first.number].body
        yield from filter(None, (told.initialized, told.settings, *told.folders))
        self._owed = set(told.golds)
        for document in told.documents:
            yield from document.again(told.encoding)
            if (key := key_of(document.uri)) in self._owed:
                yield self._set_gold(told, key)
        for number, waiting in self._waiting.items():
            if told.answered or number != first.number:
                yield waiting.body

    def _set_gold(self, told: _Told, key: str) -> bytes:
        self._owed.discard(key)
        command = {"command": "goldlens.setGold", "arguments": [told.golds[key]]}
        return self._request("workspace/executeCommand", command)

    def _request(self, method: str, params: Any = None) -> bytes:
        """A request of the relay's own, whose answer is for nobody."""
        number = f"{_OWN}{next(self._numbers)}"
        self._own.add(number)
        return messages.request(number, method, params)

    def _given_up(self) -> Iterator[bytes]:
        """Answers to all that wait: null to shutdown, and that they are cancelled to others."""
        for number, waiting in self._waiting.items():
            shutdown = waiting.method == "shutdown"
            yield messages.result(number) if shutdown else _cancelled(number)
        for body in self._kept:
            message = messages.read(body)
            if message is not None and message.method and message.number is not None:
                yield _cancelled(message.number)
        self._waiting, self._kept, self.kept_size = {}, [], 0


def _answer(number: MessageId | None, code: int, text: str) -> Post:
    return Post() if number is None else Post(down=(messages.error(number, code, text),))


def _cancelled(number: MessageId) -> bytes:
    return messages.error(number, messages.CANCELLED, "the request was cancelled")


def _encoding(answer: Mapping[str, Any]) -> Encoding:
    """What columns count, from the answer to initialize."""
    match answer:
        case {"result": {"capabilities": {"positionEncoding": "utf-8" | "utf-32" as named}}}:
            return Encoding(named)
    return Encoding.UTF16


def _gold(waiting: _Waiting) -> Mapping[str, Any] | None:
    """The arguments of goldlens.setGold, if it was that."""
    match waiting.params:
        case {"command": "goldlens.setGold", "arguments": [{"uri": str(), **more}]}:
            found: Mapping[str, Any] = waiting.params["arguments"][0]
            return found if more else None
    return None


def _registrations(params: Mapping[str, Any]) -> Iterator[str]:
    """The ids that client/registerCapability or client/unregisterCapability names."""
    for key in ("registrations", "unregisterations"):
        listed = params.get(key)
        for entry in listed if isinstance(listed, list) else ():
            if isinstance(entry, dict) and isinstance(entry.get("id"), str):
                yield entry["id"]
