"""From a keystroke to the problems on the screen, through a real stdio client.

One cell of a prediction is edited, and the time taken until the whole `publishDiagnostics` with
250 problems has arrived. Beside it, in the same run and by turns, an empty pygls server that
answers each edit of a one-line document with one diagnostic: what a language server in Python
costs when it does nothing at all.

    python -m benchmarks.roundtrip [WORDS ...] [--rounds N] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ECHO = """
from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("echo", "1")

def show(ls, document):
    at = types.Position(0, 0)
    diagnostic = types.Diagnostic(range=types.Range(at, at), message="here", source="echo")
    ls.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(uri=document.uri, diagnostics=[diagnostic],
                                       version=document.version))

@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def opened(ls, params): show(ls, params.text_document)

@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def changed(ls, params): show(ls, params.text_document)

server.start_io()
"""

WAIT = 120.0


class Client:
    """A client that reads frames and nothing else, so that little of the time is its own."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self.process.stdout is not None
        self._out = self.process.stdout.fileno()
        self._buffer = bytearray()
        self.send("initialize", {"processId": os.getpid(), "capabilities": CAPABILITIES}, number=1)
        self.until(b'"id"')
        self.send("initialized", {})

    def send(self, method: str, params: Any, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        body = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def frame(self) -> bytes:
        while True:
            head = self._buffer.find(b"\r\n\r\n")
            if head >= 0:
                length = int(self._buffer[:head].split(b":", 1)[1].split(b"\r\n")[0])
                stop = head + 4 + length
                if len(self._buffer) >= stop:
                    body = bytes(self._buffer[head + 4 : stop])
                    del self._buffer[:stop]
                    return body
            data = os.read(self._out, 1 << 20)
            if not data:
                raise EOFError(f"the server is gone: {self.process.wait()}")
            self._buffer += data

    def until(self, *marks: bytes) -> bytes:
        while True:
            body = self.frame()
            if all(mark in body for mark in marks):
                return body

    def open(self, uri: str, text: str) -> bytes:
        document = {"uri": uri, "languageId": "conllu", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": document})
        return self.until(b"textDocument/publishDiagnostics")

    def edit(self, uri: str, version: int, start: tuple[int, int], end: int, text: str) -> float:
        """Replaces part of a line; the seconds until its problems are there."""
        line, column = start
        where = {
            "start": {"line": line, "character": column},
            "end": {"line": line, "character": end},
        }
        params = {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"range": where, "text": text}],
        }
        began = time.perf_counter()
        self.send("textDocument/didChange", params)
        body = self.until(b"publishDiagnostics")
        took = time.perf_counter() - began
        assert b'"version":%d' % version in body.replace(b" ", b"")
        return took

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {"publishDiagnostics": {"relatedInformation": True}},
}


def treebank() -> tuple[str, str]:
    """A gold and a prediction of some 25,000 words: English-EWT, or one made up without it."""
    shared = os.environ.get("GOLDLENS_SHARED")
    if shared:
        folder = Path(shared) / "data" / "ud"
        gold, pred = (folder / f"en_ewt.{side}.conllu" for side in ("gold", "p1"))
        return gold.read_text("utf-8"), pred.read_text("utf-8")
    return made_up("dep"), made_up("obj")


def made_up(last: str) -> str:
    """2,100 sentences of twelve words, of which the last has the relation `last`."""
    sentences = []
    for k in range(2100):
        rows = [f"# sent_id = s{k}"]
        for i in range(1, 13):
            head, relation = (0, "root") if i == 1 else (1, last if i == 12 else "dep")
            rows.append(f"{i}\tw{k}x{i}\tw\tX\t_\t_\t{head}\t{relation}\t_\t_")
        sentences.append("\n".join(rows) + "\n\n")
    return "".join(sentences)


def repeated(text: str, words: int) -> str:
    """A text again and again, with other sentence ids each time, until it has so many words."""
    once = sum(line[:1].isdigit() and line.split("\t", 1)[0].isdigit() for line in text.split("\n"))
    times = max(1, round(words / once))
    parts = [text] + [text.replace("# sent_id = ", f"# sent_id = r{k}-") for k in range(1, times)]
    return "".join(parts)


def edits(text: str) -> Iterator[tuple[tuple[int, int], int, str]]:
    """For ever another HEAD, back and forth, in a word in the middle of a text."""
    lines = text.split("\n")
    at = len(lines) // 2
    while not (lines[at].startswith("3\t") and lines[at].split("\t")[6] in ("1", "2")):
        at += 1
    cells = lines[at].split("\t")
    column = len("\t".join(cells[:6]).encode("utf-16-le")) // 2 + 1
    head = cells[6]
    while True:
        head = "1" if head == "2" else "2"
        yield (at, column), column + 1, head


def measure(words: int, rounds: int = 200) -> dict[str, Any]:
    """Milliseconds at the median and the 95th percentile, of ours and of the echo."""
    gold, pred = (repeated(text, words) for text in treebank())
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "big.gold.conllu").write_text(gold, "utf-8", newline="\n")
        uri = (Path(folder) / "big.pred.conllu").as_uri()
        ours = Client(sys.executable, "-m", "goldlens.server.lsp")
        echo = Client(sys.executable, "-c", ECHO)
        try:
            began = time.perf_counter()
            shown = ours.open(uri, pred)
            opened = time.perf_counter() - began
            echo.open("file:///echo", "one line\n")
            changes = edits(pred)
            times: dict[str, list[float]] = {"ours": [], "echo": []}
            for k in range(rounds + 20):
                start, end, head = next(changes)
                mine = ours.edit(uri, k + 2, start, end, head)
                theirs = echo.edit("file:///echo", k + 2, (0, 0), 1, "o")
                if k >= 20:
                    times["ours"].append(mine * 1000)
                    times["echo"].append(theirs * 1000)
                # Ours sends the scores too, after the problems: not to be met in the next round.
                time.sleep(0.004)
            memory = resident(ours.process.pid)
        finally:
            ours.end()
            echo.end()
    found: dict[str, Any] = {
        "words": words,
        "problems": len(json.loads(shown)["params"]["diagnostics"]),
        "open_s": round(opened, 2),
        "resident_mib": memory,
    }
    for name, values in times.items():
        found[f"{name}_p50_ms"] = round(statistics.median(values), 3)
        found[f"{name}_p95_ms"] = round(statistics.quantiles(values, n=20)[18], 3)
    found["ratio_p50"] = round(found["ours_p50_ms"] / found["echo_p50_ms"], 2)
    found["ratio_p95"] = round(found["ours_p95_ms"] / found["echo_p95_ms"], 2)
    return found


def resident(process: int) -> int | None:
    """The memory of a process in MiB, where the system tells."""
    try:
        status = Path(f"/proc/{process}/status").read_text("ascii")
    except OSError:
        return None
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("words", nargs="*", type=int, default=[25_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for words in options.words:
        found = measure(words, options.rounds)
        if options.json:
            print(json.dumps(found))
        else:
            print("  ".join(f"{name} {value}" for name, value in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
