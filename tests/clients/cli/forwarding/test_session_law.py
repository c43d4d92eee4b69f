"""The law of the relay: whenever servers die, the next one is where one that never dies would be,
and the editor gets one answer to each request.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any
from unittest.mock import patch

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from goldlens.cli.forwarding import documents
from goldlens.cli.forwarding.session import Post, Session
from goldlens.server.engine.positions import Encoding
from tests.clients.cli.forwarding import model
from tests.clients.cli.forwarding.test_folding import CHANGES, TEXTS

URIS = st.sampled_from(["file:///w/a.conllu", "file:///w/b.conllu", "untitled:c"])


class Law(RuleBasedStateMachine):
    @initialize(encoding=st.sampled_from(Encoding), most=st.sampled_from([1, 3, 1000]))
    def begin(self, encoding: Encoding, most: int) -> None:
        self.folding = patch.object(documents, "MOST_CHANGES", most)
        self.folding.start()
        self.encoding = encoding
        self.session = Session()
        self.immortal = model.Server(encoding)
        self.server: model.Server | None = None
        self.numbers = iter(range(2, 10_000))
        self.sent: dict[int, Any] = {}
        self.got: Counter[int | str] = Counter()
        self.registered: Counter[str] = Counter()
        self.golds: dict[str, str] = {}
        self.unsure: set[str] = set()
        self.version = 1
        self.ready = False
        self.sent[1] = None
        self.say(model.initialize())

    def say(self, body: bytes) -> None:
        self.immortal.take(body)
        self.post(self.session.said(body))

    def post(self, post: Post) -> None:
        for body in post.up:
            assert self.server is not None
            self.server.take(body)
        for body in post.down:
            self.read(json.loads(body))

    def read(self, message: Any) -> None:
        """The editor reads."""
        if "method" not in message:
            number = message["id"]
            self.got[number] += 1
            assert number in self.sent and self.got[number] == 1
            if gold := self.sent[number]:
                if "error" in message:
                    self.unsure.add(gold["uri"])
                else:
                    self.golds[gold["uri"]] = gold["gold"]
        elif message["method"] == "client/registerCapability":
            for registration in message["params"]["registrations"]:
                self.registered[registration["id"]] += 1
                assert self.registered[registration["id"]] == 1
            self.post(self.session.said(model.packed({"id": message["id"], "result": None})))

    # What editors do

    @precondition(lambda self: not self.ready)
    @rule()
    def initialized(self) -> None:
        self.ready = True
        self.say(model.note("initialized", {}))

    @rule(uri=URIS, text=TEXTS)
    def open(self, uri: str, text: str) -> None:
        self.say(model.opened(uri, text, self.version))

    @rule(uri=URIS, text=TEXTS, changes=CHANGES)
    def change(self, uri: str, text: str, changes: Any) -> None:
        if uri not in self.immortal.documents and len(text) % 4:
            self.open(uri, text)
        self.version += 1
        self.say(model.changed(uri, self.version, *changes))

    @rule(uri=URIS)
    def close(self, uri: str) -> None:
        self.say(model.closed(uri))

    @rule(value=st.integers(1, 9))
    def configure(self, value: int) -> None:
        self.say(model.note("workspace/didChangeConfiguration", {"settings": {"x": value}}))

    @rule(value=st.integers(1, 9))
    def change_folders(self, value: int) -> None:
        event = {"added": [{"uri": f"file:///{value}"}], "removed": []}
        self.say(model.note("workspace/didChangeWorkspaceFolders", {"event": event}))

    @rule(uri=URIS, gold=st.sampled_from("gh"))
    def set_gold(self, uri: str, gold: str) -> None:
        number = next(self.numbers)
        self.sent[number] = {"uri": uri, "gold": gold}
        self.say(model.command(number, "setGold", uri=uri, gold=gold))

    @rule()
    def request(self) -> None:
        number = next(self.numbers)
        self.sent[number] = None
        self.say(model.command(number, "pairs"))

    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(sorted(self.sent)))
        self.say(model.note("$/cancelRequest", {"id": number}))

    # What servers do

    @precondition(lambda self: self.server is None)
    @rule()
    def join(self) -> None:
        self.server = model.Server(self.encoding)
        self.post(self.session.joined())
        self.compare()

    @precondition(lambda self: self.server is not None)
    @rule()
    def die(self) -> None:
        self.server = None
        self.post(self.session.died())

    @precondition(lambda self: self.server is not None and self.server.waiting)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        assert self.server is not None
        self.server.answer(data.draw(st.sampled_from(list(self.server.waiting))))

    @precondition(lambda self: self.server is not None and self.server.out)
    @rule(most=st.integers(1, 5))
    def deliver(self, most: int) -> None:
        while self.server is not None and self.server.out and most:
            self.post(self.session.heard(self.server.out.popleft()))
            most -= 1

    def compare(self) -> None:
        assert self.server is not None
        assert self.server.state() == self.immortal.state()

    def teardown(self) -> None:
        """In the end everything is answered, once, and the last server is where it should be."""
        if not hasattr(self, "session"):
            return
        if self.server is not None:
            self.die()
        self.join()
        self.folding.stop()
        assert self.server is not None
        while self.server.out or self.server.waiting:
            for number in list(self.server.waiting):
                self.server.answer(number)
            self.deliver(99)
        self.compare()
        assert set(self.got) == set(self.sent)
        for uri, gold in self.golds.items():
            if uri in self.server.documents and uri not in self.unsure:
                assert self.server.golds[uri] == gold


TestLaw = Law.TestCase
TestLaw.settings = settings(max_examples=120, stateful_step_count=40)
