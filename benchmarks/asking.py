"""What editors ask about a document, through a real stdio client: how long an answer takes.

Requests about a place are asked at words all over the file; those about lines, of a screenful
anywhere; those about the whole of it, a few times.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

from benchmarks.roundtrip import Client, repeated, treebank

_COMPLETED: Final = ("LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
_SCREEN: Final = 60
"""Lines that an editor shows at once."""
_QUERIES: Final = ("", "7", "r12-weblog", "no such sentence")

_CHANGES: Final[dict[str, dict[str, object]]] = {
    "goldlens.tree": {},
    "goldlens.renumber": {},
    "goldlens.insertWord": {"form": "new"},
    "goldlens.deleteWord": {},
    "goldlens.mergeWords": {},
    "goldlens.splitToken": {"forms": ["one", "two"]},
}
"""Commands about a line, with what they need besides."""

_REFUSED: Final = -32803
_NUMBERS: Final = count(1000)

Params = dict[str, Any]


@dataclass(slots=True)
class Asker:
    """A client with a document open, and places in it taken by chance."""

    client: Client
    uri: str
    lines: list[str]
    chance: random.Random = field(default_factory=lambda: random.Random(20260101))

    def ask(self, method: str, params: Params) -> tuple[float, Any]:
        """Seconds until the answer is here, and what it says; None where it is a refusal."""
        number = next(_NUMBERS)
        began = time.perf_counter()
        self.client.send(method, params, number)
        body = self.client.until(b'"id":%d,' % number)
        took = time.perf_counter() - began
        said = json.loads(body)
        # A word of a multiword token cannot be split, for one.
        assert said.get("error", {"code": _REFUSED})["code"] == _REFUSED, body[:300]
        return took, said.get("result")

    def cell(self, column: int) -> Params:
        """A cell of a word anywhere."""
        while True:
            line = self.chance.randrange(len(self.lines))
            cells = self.lines[line].split("\t")
            if len(cells) == 10 and cells[0].isdigit():
                before = "".join(f"{cell}\t" for cell in cells[:column])
                at = {"line": line, "character": len(before.encode("utf-16-le")) // 2}
                return self.about({"position": at, "positions": [at]})

    def somewhere(self) -> Params:
        """Any column of a word anywhere."""
        return self.cell(self.chance.randrange(10))

    def screen(self) -> Params:
        """The lines of a screen, anywhere."""
        first = self.chance.randrange(len(self.lines) - _SCREEN)
        start, end = {"line": first, "character": 0}, {"line": first + _SCREEN, "character": 0}
        return self.about({"range": {"start": start, "end": end}, "context": {"diagnostics": []}})

    def at_a_word(self) -> Params:
        """A range without any length, such as that of a cursor."""
        place = self.somewhere()["position"]
        where = {"start": place, "end": place}
        return self.about({"range": where, "context": {"diagnostics": []}})

    def about(self, more: Params) -> Params:
        """Parameters that name the document."""
        return {"textDocument": {"uri": self.uri}, **more}

    def command(self, name: str, **argument: object) -> Params:
        """A call of a command about the document."""
        return {"command": name, "arguments": [{"uri": self.uri, **argument}]}


class _Editor(Client):
    """A client that can do everything that the server asks about."""

    def send(self, method: str, params: Any, number: int | None = None) -> None:
        if method == "initialize":
            params = {**params, "capabilities": _CAPABILITIES}
        super().send(method, params, number)


Question = tuple[str, str, Callable[[Asker], Params]]
"""What is reported, the method, and what makes the parameters."""


def _at_a_place() -> Iterator[Question]:
    for name in (
        "hover",
        "definition",
        "declaration",
        "references",
        "documentHighlight",
        "prepareCallHierarchy",
        "selectionRange",
        "signatureHelp",
    ):
        yield name, f"textDocument/{name}", Asker.somewhere
    for column, name in enumerate(_COMPLETED, 2):

        def cell(asker: Asker, column: int = column) -> Params:
            return asker.cell(column)

        yield f"completion of {name}", "textDocument/completion", cell
    yield "prepareRename", "textDocument/prepareRename", lambda asker: asker.cell(0)
    yield "rename", "textDocument/rename", lambda asker: {**asker.cell(0), "newName": "99999"}
    yield "codeAction at the cursor", "textDocument/codeAction", Asker.at_a_word
    for way in ("incomingCalls", "outgoingCalls"):
        yield way, f"callHierarchy/{way}", _item
    yield "codeLens/resolve", "codeLens/resolve", _lens
    for name, more in _CHANGES.items():

        def change(asker: Asker, name: str = name, more: Params = more) -> Params:
            line = asker.somewhere()["position"]["line"]
            return asker.command(name, line=line, **more)

        yield name, "workspace/executeCommand", change


def _of_lines() -> Iterator[Question]:
    yield "codeAction of a screen", "textDocument/codeAction", Asker.screen
    yield "inlayHint of a screen", "textDocument/inlayHint", Asker.screen
    yield "semanticTokens/range of a screen", "textDocument/semanticTokens/range", Asker.screen


def _of_a_file() -> Iterator[Question]:
    for name in (
        "diagnostic",
        "codeLens",
        "documentLink",
        "semanticTokens/full",
        "documentSymbol",
        "foldingRange",
    ):
        yield name, f"textDocument/{name}", lambda asker: asker.about({})
    execute = "workspace/executeCommand"
    yield "goldlens.score", execute, lambda asker: asker.command("goldlens.score")
    yield "goldlens.receipt", execute, lambda asker: asker.command("goldlens.receipt")
    for which in ("worst", "next"):

        def seek(asker: Asker, which: str = which) -> Params:
            line = asker.somewhere()["position"]["line"]
            return asker.command("goldlens.seek", which=which, line=line)

        yield f"goldlens.seek of the {which}", execute, seek
    yield "goldlens.pairs", execute, lambda asker: {"command": "goldlens.pairs"}
    for query in _QUERIES:

        def search(asker: Asker, query: str = query) -> Params:
            return {"query": query}

        yield f"workspace/symbol of {query!r}", "workspace/symbol", search


def _item(asker: Asker) -> Params:
    while True:
        _, found = asker.ask("textDocument/prepareCallHierarchy", asker.somewhere())
        if found:
            return {"item": found[0]}


def _lens(asker: Asker) -> Params:
    place = asker.somewhere()["position"]["line"]
    while asker.lines[place - 1]:
        place -= 1
    where = {"line": place, "character": 0}
    return {"range": {"start": where, "end": where}, "data": {"uri": asker.uri, "line": place}}


def measure(words: int, rounds: int = 60, few: int = 5) -> Iterator[dict[str, Any]]:
    """Milliseconds at the median and the 95th percentile, and at worst, by what is asked.

    What is asked of the whole file is asked only a `few` times. Where the system tells, there is
    also how long the server's processor worked for an answer: that a busy machine does not change.
    """
    gold, pred = (repeated(text, words) for text in treebank())
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "big.gold.conllu").write_text(gold, "utf-8", newline="\n")
        uri = (Path(folder) / "big.pred.conllu").as_uri()
        client = _Editor(sys.executable, "-m", "goldlens.server.lsp")
        try:
            document = {"uri": uri, "languageId": "conllu", "version": 1, "text": pred}
            client.send("textDocument/didOpen", {"textDocument": document})
            client.until(b'"goldlens/scores"')
            # What was put off when the file was opened is done first, and problems shown.
            time.sleep(2 + words / 50_000)
            asker = Asker(client, uri, pred.split("\n"))
            asker.ask("textDocument/diagnostic", asker.about({}))
            for questions, times in (
                (_at_a_place(), rounds),
                (_of_lines(), rounds),
                (_of_a_file(), few),
            ):
                for said, method, make in questions:
                    # The parameters may be asked for, too: that is not what is measured.
                    asked = [make(asker) for _ in range(times)]
                    before = _worked(client.process.pid)
                    took = [asker.ask(method, params)[0] * 1000 for params in asked]
                    work = {}
                    if before is not None and (now := _worked(client.process.pid)) is not None:
                        work["cpu ms"] = round((now - before) / times, 2)
                    yield {"asked": said, "words": words, **_figures(took), **work}
        finally:
            client.end()


def _worked(process: int) -> float | None:
    """Milliseconds that the first thread of a process has been on a processor."""
    try:
        spent = Path(f"/proc/{process}/task/{process}/schedstat").read_text("ascii")
    except OSError:
        return None
    return int(spent.split()[0]) / 1e6


_CAPABILITIES: Final = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
            "resolveSupport": {"properties": ["edit"]},
            "dataSupport": True,
        },
        "rename": {"prepareSupport": True},
        "diagnostic": {"relatedDocumentSupport": False},
        "inlayHint": {},
        "semanticTokens": {"requests": {"range": True, "full": {"delta": True}}},
    },
    "workspace": {
        "workspaceEdit": {"documentChanges": True},
        "codeLens": {"refreshSupport": True},
    },
}


def _figures(milliseconds: list[float]) -> dict[str, float]:
    ordered = sorted(milliseconds)
    return {
        "p50 ms": round(statistics.median(ordered), 2),
        "p95 ms": round(ordered[int(len(ordered) * 0.95)], 2),
        "worst ms": round(ordered[-1], 2),
    }
