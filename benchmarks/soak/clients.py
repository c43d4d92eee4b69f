"""Clients of all kinds, and files that change all the time: does each end at the right score?"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks.soak.changes import Changes, Schedule, replaced
from benchmarks.soak.corpus import Corpus, another, cell_at, settle
from benchmarks.soak.editor import Editor, through_daemon
from benchmarks.soak.listener import Asynchronous, Listener, Slow, Subscriber
from benchmarks.soak.place import Failed, Ground, ground, listed
from benchmarks.soak.truth import Truth, figures, in_order, told
from benchmarks.soak.truth import by_command as command_of
from goldlens.client import Client, ClientError
from goldlens.client.errors import CallFailed
from goldlens.server.engine.positions import Encoding

EDITORS: Final = (
    (Encoding.UTF8, False),
    (Encoding.UTF8, True),
    (Encoding.UTF16, False),
    (Encoding.UTF16, True),
    (Encoding.UTF32, False),
    (Encoding.UTF32, True),
    (Encoding.UTF16, False),
    (Encoding.UTF16, True),
)
"""The encoding of each, and whether it asks for diagnostics."""

CHANGES: Final = 10
"""A second, on disk."""

ACTS: Final = 4
"""A second, of all editors together."""

GROWTH: Final = 0.05
"""What a daemon may grow by, after the first minute."""

_WARM: Final = 60.0
_SETTLED: Final = 12.0
"""Seconds after which even a file that looks unfinished is believed, and has been told of."""

_LOST: Final = 120.0
"""Seconds after which a change that is not known is lost, and not late on a busy machine."""

_PATIENCE: Final = 120.0


def measure(seed: int, seconds: float = 300.0, files: int = 200) -> Iterator[str]:
    """What came of so many seconds. Raises Failed."""
    draw = random.Random(seed)
    with ground() as here:
        corpus = settle(here.work, files, draw)
        with here.connect() as client:
            run = _Run(here, corpus, client, draw, seconds)
            try:
                yield from run.play()
            finally:
                run.leave()
        if failures := [*run.failures(), *faults_logged(here)]:
            raise Failed(listed("on the way", failures))
        if left := here.orphans():
            raise Failed(f"processes are left behind: {left}")


class _Run:
    """The clients of one daemon, from the first to the last."""

    def __init__(
        self, here: Ground, corpus: Corpus, client: Client, draw: random.Random, seconds: float
    ) -> None:
        self.here, self.corpus, self.client, self.seconds = here, corpus, client, seconds
        state = client.state
        self.editors = [
            Editor(through_daemon(state), corpus.folder, encoding, pulls=pulls)
            for encoding, pulls in EDITORS
        ]
        self.slow = Slow(state, pause=1.5)
        self.watch = Subscriber(here.connect())
        self.listeners: list[Listener] = [
            self.watch,
            self.slow,
            Subscriber(here.connect(), problems=True),
            Subscriber(here.connect(), problems=True),
            Asynchronous(corpus.folder),
            Asynchronous(corpus.folder, problems=True),
        ]
        self.caller = here.connect()
        self.lost: list[str] = []
        self.acts = self.calls = self.late = 0
        self.memory: list[tuple[float, int]] = []
        disk, hands, voice = Schedule("disk"), Schedule("hands"), Schedule("voice")
        self.schedules = (disk, hands, voice)
        self.changes = Changes(corpus, random.Random(draw.random()), disk)
        self.changes.may = self._is_known
        self._late: dict[Path, float] = {}
        self.latest = 0.0
        disk.every(1 / CHANGES, self.changes.one)
        self._hands, self._voice = random.Random(draw.random()), random.Random(draw.random())
        hands.every(1 / ACTS, self._act)
        voice.every(0.5, self._call)

    def play(self) -> Iterator[str]:
        """Runs, and says what came of it."""
        self.began = time.monotonic()
        for schedule in self.schedules:
            schedule.start()
        while (now := time.monotonic() - self.began) < self.seconds:
            self.memory.append((now, self.client.status().memory or 0))
            time.sleep(min(1.0, self.seconds / 10))
        for schedule in self.schedules:
            schedule.stop()
        self.slow.hurry.set()
        settled = self._settle()
        made = ", ".join(f"{number} {kind}" for kind, number in self.changes.made.most_common())
        yield (
            f"{len(self.editors) + len(self.listeners) + 2} connections, {len(self.corpus.preds)} "
            f"files, {sum(self.changes.made.values())} changes in {self.seconds:.0f} s ({made}), "
            f"{self.acts} acts of editors, {self.calls} calls, "
            f"{self.watch.picture.heard} scores heard by one subscriber, "
            f"{self.slow.picture.heard} by one that reads slowly; all right after {settled:.1f} s; "
            f"{self._lateness()}; "
            f"{self._processor():.0%} of a processor; {self._memory()}"
        )
        if self.lost:
            raise Failed(listed("on the way", self.lost))
        self._demand_memory()

    # What happens

    def _act(self) -> None:
        """One of the editors does something."""
        draw = self._hands
        editor = draw.choice(self.editors)
        self.acts += 1
        if not editor.buffers or (len(editor.buffers) < 4 and draw.random() < 0.15):
            path = draw.choice(sorted(self.corpus.golds if draw.random() < 0.1 else self._pool()))
            if path not in editor.buffers and path.is_file():
                editor.open(path, path.read_bytes().decode("utf-8", "replace"))
            return
        path = draw.choice(sorted(editor.buffers))
        lines = editor.buffers[path].text.split("\n")
        match draw.choices(("edit", "delete", "replace", "save", "close"), (74, 5, 5, 8, 8))[0]:
            case "edit":
                # Half of what is done mends what was done, so that there is as much wrong in the
                # end as there was after a while.
                faulty = editor.buffers[path].faulty()
                if faulty and draw.random() < 0.5:
                    k = draw.choice(faulty)
                    then = editor.buffers[path].opened.split("\n")[k]
                    editor.edit(path, k, 0, len(lines[k]), then)
                else:
                    k = draw.randrange(len(lines))
                    editor.edit(path, k, *cell_at(lines[k], draw))
            case "delete" if len(lines) > 1:
                editor.delete(path, draw.randrange(len(lines) - 1))
            case "replace" if path in self.corpus.preds:
                editor.replace(path, another(self.corpus.preds[path].pred_text(), draw))
            case "save":
                self.changes.touched[path] = time.monotonic()
                replaced(path, editor.buffers[path].text.encode())
                editor.saved(path)
            case "close":
                editor.close(path)

    def _pool(self) -> list[Path]:
        """Those that editors open: few, so that some are open in several."""
        return sorted(self.corpus.preds)[: max(4, len(self.corpus.preds) // 5)]

    def _call(self) -> None:
        """A script asks something."""
        draw, path = self._voice, self._voice.choice(sorted(self.corpus.preds))
        self.calls += 1
        try:
            match draw.randrange(6):
                case 0:
                    self.caller.score(path)
                case 1:
                    self.caller.rows(path, "json", resamples=100, policy="lenient")
                case 2:
                    self.caller.receipt(path, policy="lenient")
                case 3:
                    self.caller.tree(path, draw.randrange(200))
                case 4:
                    self.caller.pairs()
                case _:
                    self.caller.compare(path, path, resamples=100, policy="lenient")
        except CallFailed as error:
            # A file that is gone for a moment cannot be read; anything else is a fault of ours.
            if "internal error" in str(error):
                self.lost.append(f"a call failed: {error}")

    def _is_known(self, path: Path) -> bool:
        """Whether a file may be changed: not if what it is should be known by now, and is not."""
        for late in list(self._late):
            self._look_back(late)
        if path in self.corpus.golds:
            return all(self.corpus.gold_of(late) != path for late in self._late)
        self._look_back(path)
        return path not in self._late

    def _look_back(self, path: Path) -> None:
        """Notes a file that has been left alone, and is not known as it is, as late, then lost."""
        gold = self.corpus.gold_of(path)
        last = max(self.changes.touched.get(each, self.began) for each in (path, gold))
        alone = time.monotonic() - last
        if self._late.get(path) != last:
            self._late.pop(path, None)
        if alone < _SETTLED:
            return
        board = self.watch.picture.boards.get(path, {})
        known = tuple((board.get(side) or {}).get("sha256") for side in ("pred", "gold"))
        try:
            is_known = known == (_digest(path), _digest(gold))
        except FileNotFoundError:
            return
        if is_known:
            if self._late.pop(path, None) is not None:
                self.latest = max(self.latest, alone)
        elif path not in self._late:
            self._late[path] = last
            self.late += 1
        elif alone > _LOST:
            del self._late[path]
            self.lost.append(
                f"{path.relative_to(self.corpus.folder)}, left alone for {alone:.1f} s, is not "
                f"known as it is (trouble: {board.get('trouble')})"
            )

    # What is right

    def _settle(self) -> float:
        """Waits until all is right, and stays so; the seconds until then. Raises Failed."""
        began, truth = time.monotonic(), Truth(self.corpus)
        while wrong := [*self._wrong(truth)]:
            if time.monotonic() - began > _PATIENCE:
                raise Failed(listed("wrong in the end", wrong))
            time.sleep(0.25)
        took = time.monotonic() - began
        time.sleep(2.5)
        if wrong := [*self._wrong(truth), *self._wrong_by_command(truth)]:
            raise Failed(listed("wrong after all was right", wrong))
        return took

    def _wrong(self, truth: Truth) -> Iterator[str]:
        for number, listener in enumerate(self.listeners):
            for what in wrong_picture(listener, truth, self.corpus):
                yield f"{type(listener).__name__} {number}: {what}"
        for number, editor in enumerate(self.editors):
            for what in wrong_editor(editor, self.corpus):
                yield f"editor {number}: {what}"

    def _wrong_by_command(self, truth: Truth) -> Iterator[str]:
        """Whether the command says the same of a few, and the daemon if it is asked."""
        for path in self._voice.sample(sorted(self.corpus.preds), 1 + len(self.corpus.preds) // 40):
            board = truth.board(path)
            said = command_of(self.corpus, path)
            if said != {name: board[name] for name in said}:
                yield f"{path}: `goldlens score` says something else than a fresh evaluation"
        for path in self.corpus.preds:
            answer = self.caller.score(path)
            if answer is None or told(answer) != truth.board(path):
                yield f"{path}: goldlens.score says something else than a fresh evaluation"

    # What it cost

    def _lateness(self) -> str:
        if not self.late:
            return f"all known on the way, {_SETTLED:.0f} s after they had changed last"
        return f"{self.late} known only {self.latest:.1f} s, at most, after they had changed last"

    def _processor(self) -> float:
        try:
            cells = (
                Path(f"/proc/{self.client.state.pid}/stat").read_text().rpartition(")")[2].split()
            )
        except OSError:
            return 0.0
        used = (int(cells[11]) + int(cells[12])) / os.sysconf("SC_CLK_TCK")
        return used / (time.monotonic() - self.began)

    def _sizes(self) -> tuple[float, float] | None:
        """Bytes after the first minute and at the end; None if it was too short for that."""
        early = [size for when, size in self.memory if _WARM <= when < _WARM + 10]
        if not early or self.seconds < 2 * _WARM:
            return None
        return median(early), median([size for _, size in self.memory[-10:]])

    def _memory(self) -> str:
        sizes = self._sizes() or (self.memory[0][1], self.memory[-1][1])
        before, after = (size / (1 << 20) for size in sizes)
        said = f"memory {before:.1f} to {after:.1f} MiB ({after / before - 1:+.1%})"
        minutes: dict[int, list[int]] = {}
        for when, size in self.memory:
            minutes.setdefault(int(when // 60), []).append(size)
        each = " ".join(f"{median(sizes) / (1 << 20):.0f}" for sizes in minutes.values())
        return f"{said}, minute by minute {each}"

    def _demand_memory(self) -> None:
        sizes = self._sizes()
        if sizes is not None and sizes[1] > sizes[0] * (1 + GROWTH):
            raise Failed(
                f"it grows by more than {GROWTH:.0%} after the first minute: {self._memory()}"
            )

    def leave(self) -> None:
        """Ends what is going on, all clients, and the daemon."""
        for schedule in self.schedules:
            with contextlib.suppress(BaseException):
                schedule.stop()
        for editor in self.editors:
            editor.leave()
        for listener in self.listeners:
            listener.stop()
        self.caller.close()
        with contextlib.suppress(ClientError):
            self.client.end()

    def failures(self) -> list[str]:
        """What clients could not make sense of, or what has cut them off."""
        found = [failure for editor in self.editors for failure in editor.failures]
        return found + [listener.error for listener in self.listeners if listener.error]


def wrong_picture(listener: Listener, truth: Truth, corpus: Corpus) -> Iterator[str]:
    """What a listener has that is not so, or lacks."""
    picture = listener.picture
    boards = dict(picture.boards)
    for path in boards.keys() ^ corpus.preds.keys():
        yield f"{path}: {'known and gone' if path in boards else 'there and not known'}"
    for path in boards.keys() & corpus.preds.keys():
        board, right = boards[path], truth.board(path)
        if board["metrics"] is None:
            yield f"{path}: no score ({board['trouble']})"
        elif (found := told(board)) != right:
            yield f"{path}: {differing(found, right)} not as a fresh evaluation has them"
        if listener.problems and in_order(picture.problems.get(path, [])) != truth.findings(path):
            yield f"{path}: problems not as a fresh check has them"


def wrong_editor(editor: Editor, corpus: Corpus) -> Iterator[str]:
    """What an editor has that is not so."""
    buffers = {path: buffer.text.encode() for path, buffer in editor.buffers.items()}
    truth = Truth(corpus, buffers)
    for path in sorted(buffers.keys() & corpus.preds.keys()):
        right = figures(truth.board(path))
        for name, board in (
            ("goldlens.score", editor.score(path)),
            ("goldlens/scores", editor.scores.get(path.as_uri())),
        ):
            if board is None or (found := figures(board)) != right:
                what = "nothing" if board is None else differing(found, right)
                yield f"{path}: {name} says something else: {what}"
        shown = sorted(
            (
                one["range"]["start"]["line"],
                one["range"]["start"]["character"],
                one["range"]["end"]["character"],
                one["severity"],
                one["code"],
                one["message"],
            )
            for one in editor.diagnostics(path)
        )
        if shown != truth.places(path, editor.encoding):
            yield f"{path}: {editor.encoding.value} diagnostics not as a fresh check has them"


def differing(found: dict[str, Any], right: dict[str, Any]) -> str:
    """The names under which two scoreboards differ."""
    return ", ".join(sorted(name for name in right if found.get(name) != right[name]))


def faults_logged(here: Ground) -> list[str]:
    """Lines in which daemons speak of faults of their own."""
    found = []
    for path in sorted((here.folder / "log").glob("*")):
        for line in path.read_text("utf-8", "replace").split("\n"):
            if " ERROR " in line or line.startswith("Traceback") or "Error: " in line:
                found.append(f"{path.name}: {line}")
    return found


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
