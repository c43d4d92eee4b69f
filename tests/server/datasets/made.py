"""Data sets made for tests, and a server that has them and misbehaves as it is told."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from goldlens.server.datasets.registry import Entry

GOLD = """\
# sent_id = one
1\tA\ta\tDET\t_\t_\t2\tdet\t_\t_
2\tcat\tcat\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsleeps\tsleep\tVERB\t_\t_\t0\troot\t_\t_

"""

DATA = GOLD.encode()


def entry_of(data: bytes = DATA, url: str = "https://data.test/mine.conllu", **more: Any) -> Entry:
    values: dict[str, Any] = {
        "name": "mine",
        "version": "v1",
        "licence": "CC-BY-4.0",
        "note": "For tests.",
        "title": "Mine",
        "file": "mine.conllu",
    }
    return Entry(url=url, sha256=hashlib.sha256(data).hexdigest(), **{**values, **more})


def table_of(entry: Entry) -> str:
    """The entry as a `[[dataset]]` table."""
    size = "" if entry.size is None else f"size = {entry.size}\n"
    keys = ("name", "url", "version", "sha256", "licence", "note", "title", "file", "kind")
    lines = [f'{key} = "{getattr(entry, key)}"\n' for key in keys]
    return "[[dataset]]\n" + "".join(lines) + size


class Server:
    """A web server on this machine. `asked` has the paths of the requests, in order.

    /right and /wrong have bytes, /missing none, /moved is elsewhere, /cut promises more than it
    sends, /silent never answers, /stuck stops in the middle, /endless never ends, /together
    answers as soon as two ask.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.asked: list[str] = []
        self.over = threading.Event()
        self.two = threading.Barrier(2)
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = False
        self._thread = threading.Thread(target=self._http.serve_forever)
        self._thread.start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/{path}"

    def close(self) -> None:
        self.over.set()
        self.two.abort()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


@contextmanager
def serving(data: bytes = DATA) -> Iterator[Server]:
    server = Server(data)
    try:
        yield server
    finally:
        server.close()


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = urlsplit(self.path).path.strip("/")
            server.asked.append(name)
            try:
                getattr(self, f"give_{name}")()
            except (BrokenPipeError, ConnectionResetError, threading.BrokenBarrierError):
                self.close_connection = True

        def log_message(self, *arguments: object) -> None:
            pass

        def give(self, data: bytes, size: int | None = None) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(data) if size is None else size))
            self.end_headers()
            self.wfile.write(data)

        def give_right(self) -> None:
            self.give(server.data)

        def give_wrong(self) -> None:
            self.give(b"<html>please log in</html>")

        def give_missing(self) -> None:
            self.send_error(404)

        def give_moved(self) -> None:
            self.send_response(302)
            self.send_header("Location", server.url("right"))
            self.end_headers()

        def give_cut(self) -> None:
            self.give(server.data[:20], len(server.data))

        def give_silent(self) -> None:
            server.over.wait(60)

        def give_stuck(self) -> None:
            self.give(server.data[:20], len(server.data))
            self.wfile.flush()
            server.over.wait(60)

        def give_endless(self) -> None:
            self.send_response(200)
            self.end_headers()
            while not server.over.is_set():
                self.wfile.write(b"x" * 65536)

        def give_together(self) -> None:
            server.two.wait(30)
            self.give(server.data)

    return Handler
