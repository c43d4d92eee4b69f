"""Daemons killed at random moments, while files change and rows are written: is anything lost?"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from benchmarks.soak.changes import Changes, Schedule
from benchmarks.soak.clients import faults_logged, wrong_editor, wrong_picture
from benchmarks.soak.corpus import Corpus, another, cell_at, settle
from benchmarks.soak.editor import Editor, through_process
from benchmarks.soak.listener import Returning
from benchmarks.soak.place import Failed, Ground, ground, listed
from benchmarks.soak.truth import Truth
from goldlens.client import ClientError
from goldlens.server.engine.positions import Encoding

CHANGES: Final = 5
"""A second, on disk."""

EDITORS: Final = ((Encoding.UTF8, False), (Encoding.UTF16, True))
"""Of each its encoding, and whether it asks for diagnostics; it speaks through `goldlens lsp`."""

_LSP: Final = (sys.executable, "-m", "goldlens.cli", "lsp", "--daemon")
_ROWS: Final = (sys.executable, "-m", "goldlens.cli", "rows")
_SERVING: Final = 0.7
"""The share of kills that wait until there is somebody who is served."""

_PATIENCE: Final = 120.0
_DIGEST: Final = 32


def measure(
    seed: int, kills: int = 100, files: int = 40, apart: tuple[float, float] = (0.1, 1.5)
) -> Iterator[str]:
    """What came of so many kills, `apart` (from, to) seconds from each other. Raises Failed."""
    if not Path("/proc/self").exists():
        raise Failed("processes are looked for in /proc, and there is none")
    draw = random.Random(seed)
    with ground() as here:
        run = _Run(here, settle(here.work, files, draw), draw)
        try:
            yield from run.play(kills, apart)
        finally:
            run.leave()
        if left := here.orphans():
            raise Failed(f"processes are left behind: {left}")
        files_left = sorted(path.name for path in here.place.runtime.iterdir())
        if files_left != [here.place.lock.name]:
            raise Failed(f"the daemon ended in order, and left {files_left}")


class _Run:
    """Those who work while daemons are killed."""

    def __init__(self, here: Ground, corpus: Corpus, draw: random.Random) -> None:
        self.here, self.corpus = here, corpus
        self.rows_file = here.folder / "rows" / "rows.json"
        self.rows_file.parent.mkdir()
        self.written: list[str] = []
        self.asked = self.answered = 0
        self._draw, self._hands, self._pen, self._voice = (
            random.Random(draw.random()) for _ in range(4)
        )
        with here.connect():
            pass  # a daemon is there before the editors come
        self.listeners = [Returning(here.connect), Returning(here.connect, problems=True)]
        self.editors = [
            Editor(through_process(_LSP, here.work), here.work, encoding, pulls=pulls)
            for encoding, pulls in EDITORS
        ]
        disk, hands, pen, voice = (Schedule(name) for name in ("disk", "hands", "pen", "voice"))
        self.schedules = (disk, hands, pen, voice)
        self.changes = Changes(corpus, random.Random(draw.random()), disk)
        disk.every(1 / CHANGES, self.changes.one)
        hands.every(0.5, self._act)
        pen.every(1.0, self._write_rows)
        voice.every(0.7, self._ask_for_rows)

    def play(self, kills: int, apart: tuple[float, float]) -> Iterator[str]:
        """Kills, waits until all is right, and says what came of it. Raises Failed."""
        for schedule in self.schedules:
            schedule.start()
        done = killed = 0
        while done < kills:
            time.sleep(self._draw.uniform(*apart))
            if self._draw.random() < _SERVING:
                # Not as it starts: while it serves, or is about to end what it has begun.
                self._until_served()
                time.sleep(self._draw.uniform(0.0, apart[1]))
            found = self.here.daemons()
            for process in found:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
                    killed += 1
            done += bool(found)
            if wrong := list(self._corrupt()):
                raise Failed(listed(f"after {done} kills", wrong))
        for schedule in self.schedules:
            schedule.stop()
        settled = _until_right(self._wrong, "wrong in the end")
        if wrong := [*self._corrupt(), *self._lacking(), *faults_logged(self.here)]:
            raise Failed(listed("after the last kill", wrong))
        again = self._restarted()
        yield (
            f"{done} kills ({killed} processes) among {len(self.corpus.preds)} files, "
            f"{sum(self.changes.made.values())} changes, {len(self.written)} rows written by the "
            f"command, {self.answered} of {self.asked} answered by a daemon; subscribers came "
            f"back {sum(each.returns - 1 for each in self.listeners)} times, after at most "
            f"{max(each.longest for each in self.listeners):.1f} s; all right {settled:.1f} s "
            f"after the last change, and {again:.1f} s after another start; nothing corrupt"
        )

    def _until_served(self) -> None:
        until = time.monotonic() + _PATIENCE
        while not any(each.served for each in self.listeners):
            if time.monotonic() > until:
                raise Failed(f"nobody has come back for {_PATIENCE:.0f} s")
            time.sleep(0.01)

    def leave(self) -> None:
        """Ends all who work, and the daemon."""
        for schedule in self.schedules:
            with contextlib.suppress(BaseException):
                schedule.stop()
        for editor in self.editors:
            editor.leave()
        for listener in self.listeners:
            listener.stop()
        with contextlib.suppress(ClientError), self.here.connect() as client:
            client.end()

    # What happens

    def _act(self) -> None:
        draw = self._hands
        editor = draw.choice(self.editors)
        if len(editor.buffers) < 2:
            path = draw.choice(sorted(self.corpus.preds.keys() - editor.buffers.keys()))
            with contextlib.suppress(FileNotFoundError):
                editor.open(path, path.read_bytes().decode("utf-8", "replace"))
            return
        path = draw.choice(sorted(editor.buffers))
        lines = editor.buffers[path].text.split("\n")
        if draw.random() < 0.1:
            editor.close(path)
        elif draw.random() < 0.1:
            editor.replace(path, another(self.corpus.preds[path].pred_text(), draw))
        else:
            k = draw.randrange(len(lines))
            editor.edit(path, k, *cell_at(lines[k], draw))

    def _write_rows(self) -> None:
        """The command puts rows into a file in which others are."""
        path = self._pen.choice(sorted(self.corpus.preds))
        gold, task = str(self.corpus.gold_of(path)), self.corpus.preds[path].task
        component = f"c{len(self.written)}"
        done = subprocess.run(
            [
                *(*_ROWS, task, "--gold", gold, "--pred", str(path), "--policy", "lenient"),
                *("--resamples", "100", "--component", component, "--language", "en"),
                *("--dataset", "Garden", "--json", str(self.rows_file)),
            ],
            capture_output=True,
            check=False,
        )
        # A file that is away or in the middle of a change may be refused, and then has no row.
        if not done.returncode:
            self.written.append(component)

    def _ask_for_rows(self) -> None:
        """A program asks a daemon for rows, and starts one if there is none."""
        self.asked += 1
        path = self._voice.choice(sorted(self.corpus.preds))
        with contextlib.suppress(ClientError), self.here.connect() as client:
            json.loads(client.rows(path, "json", resamples=100, policy="lenient"))
            self.answered += 1

    # What is right

    def _wrong(self) -> Iterator[str]:
        truth = Truth(self.corpus)
        for number, listener in enumerate(self.listeners):
            for what in wrong_picture(listener, truth, self.corpus):
                yield f"subscriber {number}: {what}"
        for number, editor in enumerate(self.editors):
            if editor.over.is_set():
                yield f"editor {number} has lost its server for good"
            else:
                for what in wrong_editor(editor, self.corpus):
                    yield f"editor {number}: {what}"

    def _corrupt(self) -> Iterator[str]:
        """Files that are not whole."""
        for path, is_whole in self._kept():
            try:
                data = path.read_bytes()
            except FileNotFoundError:
                continue
            if not is_whole(data):
                yield f"{path}: corrupt: {data[-80:]!r}"

    def _kept(self) -> Iterator[tuple[Path, Callable[[bytes], bool]]]:
        yield self.rows_file, _is_json
        yield self.here.place.state, _is_json
        for path in self.here.histories.glob("*.jsonl"):
            yield path, lambda data: all(map(_is_json, data.removesuffix(b"\n").split(b"\n")))
        for path in self.here.cache.glob("*.entry"):
            yield path, _is_sealed

    def _lacking(self) -> Iterator[str]:
        """Rows that were written and are not there."""
        there = set()
        if self.rows_file.exists():
            rows = json.loads(self.rows_file.read_bytes())
            there = {row["component"] for row in rows}
        for component in self.written:
            if component not in there:
                yield f"{self.rows_file}: no row of {component}, which was written"

    def _restarted(self) -> float:
        """Ends the daemon and has it start again, from what it has kept. Raises Failed."""
        with self.here.connect() as client:
            client.end()
        return _until_right(self._wrong, "wrong after another start")


def _until_right(wrong: Callable[[], Iterator[str]], what: str) -> float:
    """Waits until nothing is wrong; the seconds until then. Raises Failed."""
    began = time.monotonic()
    while found := list(wrong()):
        if time.monotonic() - began > _PATIENCE:
            raise Failed(listed(what, found))
        time.sleep(0.25)
    return time.monotonic() - began


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def _is_sealed(data: bytes) -> bool:
    """Whether an entry of the cache is whole: a line, the digest of the rest, and the rest."""
    _, _, sealed = data.partition(b"\n")
    return hashlib.sha256(sealed[_DIGEST:]).digest() == sealed[:_DIGEST]
