"""A server that keeps no more than what a session is about, to hold another one against."""

from __future__ import annotations

import json
from collections import deque
from typing import Any

from goldlens.server.engine.document import Document, Edit
from goldlens.server.engine.positions import Encoding
from goldlens.server.plain import PLAIN

Message = dict[str, Any]


def packed(message: Message) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()


def note(method: str, params: Any = None) -> bytes:
    return packed({"method": method, "params": params})


def ask(number: int | str, method: str, params: Any = None) -> bytes:
    return packed({"id": number, "method": method, "params": params})


def initialize(number: int | str = 1, **more: Any) -> bytes:
    return ask(number, "initialize", {"processId": None, "capabilities": {}, **more})


def opened(uri: str, text: str, version: int = 1) -> bytes:
    about = {"uri": uri, "languageId": "conllu", "version": version, "text": text}
    return note("textDocument/didOpen", {"textDocument": about})


def changed(uri: str, version: int, *changes: Any) -> bytes:
    about = {"uri": uri, "version": version}
    return note("textDocument/didChange", {"textDocument": about, "contentChanges": list(changes)})


def closed(uri: str) -> bytes:
    return note("textDocument/didClose", {"textDocument": {"uri": uri}})


def command(number: int | str, name: str, **arguments: Any) -> bytes:
    params = {"command": f"goldlens.{name}", "arguments": [arguments]}
    return ask(number, "workspace/executeCommand", params)


class Server:
    """Takes messages; what it says is in `out`. Commands but setGold wait for `answer`."""

    def __init__(self, encoding: Encoding = Encoding.UTF16) -> None:
        self.encoding = encoding
        self.running = self.ready = self.down = False
        self.documents: dict[str, tuple[Document, int | None]] = {}
        self.settings: Any = None
        self.folders: list[Any] = []
        self.golds: dict[str, str] = {}
        self.waiting: dict[int | str, Message] = {}
        self.answers: list[int | str] = []
        self.seen: list[str] = []
        self.out: deque[bytes] = deque()

    def take(self, body: bytes) -> None:
        message = json.loads(body)
        method, number, params = (message.get(key) for key in ("method", "id", "params"))
        self.seen.append(method or f"answer {number}")
        if method is None:
            self.answers.append(number)
        elif number is None:
            if self.running:
                self._told(method, params)
        elif method == "initialize":
            assert not self.running, "initialized twice"
            self.running = True
            found = {"capabilities": {"positionEncoding": self.encoding.value}}
            self.out.append(packed({"id": number, "result": found}))
        elif not self.running or self.down:
            self.fail(number, -32600)
        elif method == "shutdown":
            self.down = True
            self.out.append(packed({"id": number, "result": None}))
        elif params["command"] == "goldlens.setGold":
            [arguments] = params["arguments"]
            if arguments["uri"] in self.documents:
                self.golds[arguments["uri"]] = arguments["gold"]
                self.out.append(packed({"id": number, "result": None}))
            else:
                self.fail(number, -32803)
        else:
            assert number not in self.waiting
            self.waiting[number] = message

    def _told(self, method: str, params: Any) -> None:
        match method:
            case "initialized":
                self.ready = True
                registrations = [{"id": "files", "method": "workspace/didChangeWatchedFiles"}]
                asked = {"registrations": registrations}
                self.out.append(ask(f"server-{id(self)}", "client/registerCapability", asked))
            case "textDocument/didOpen":
                about = params["textDocument"]
                text = about["text"].encode("utf-8", "surrogatepass")
                self.documents[about["uri"]] = Document(PLAIN, text), about["version"]
            case "textDocument/didChange":
                self._change(params)
            case "textDocument/didClose":
                self.documents.pop(params["textDocument"]["uri"], None)
            case "workspace/didChangeConfiguration":
                self.settings = params["settings"]
            case "workspace/didChangeWorkspaceFolders":
                self.folders.append(params)
            case "$/cancelRequest":
                if self.waiting.pop(params["id"], None):
                    self.fail(params["id"], -32800)

    def _change(self, params: Any) -> None:
        uri = params["textDocument"]["uri"]
        if uri not in self.documents:
            return
        document, _ = self.documents[uri]
        for change in params["contentChanges"]:
            text = change["text"].encode("utf-8", "surrogatepass")
            if (where := change.get("range")) is None:
                document.replace(text)
            else:
                start, end = where["start"], where["end"]
                numbers = start["line"], start["character"], end["line"], end["character"]
                document.edit(Edit(*numbers, text), self.encoding)
        self.documents[uri] = document, params["textDocument"]["version"]

    def answer(self, number: int | str) -> None:
        del self.waiting[number]
        self.out.append(packed({"id": number, "result": "done"}))

    def fail(self, number: int | str, code: int) -> None:
        self.out.append(packed({"id": number, "error": {"code": code, "message": "no"}}))

    def state(self) -> Any:
        """All that a server must know of the session."""
        texts = {uri: (found.text(), v) for uri, (found, v) in self.documents.items()}
        return self.running, self.ready, self.settings, self.folders, texts
