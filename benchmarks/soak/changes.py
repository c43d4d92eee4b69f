"""How files change on disk, one after the other or all at once, as editors and programs do it."""

from __future__ import annotations

import heapq
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Final

from benchmarks.soak.corpus import Corpus, another, another_gold

Step = Callable[[], None]


class Schedule:
    """Steps that are due at their times, in a thread of their own."""

    def __init__(self, name: str) -> None:
        self.error: BaseException | None = None
        self._steps: list[tuple[float, int, Step]] = []
        self._numbers = count()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def after(self, seconds: float, step: Step) -> None:
        """Has a step done so many seconds from now. From the schedule's own thread."""
        heapq.heappush(self._steps, (time.monotonic() + seconds, next(self._numbers), step))

    def every(self, seconds: float, step: Step) -> None:
        """Has a step done again and again, late or not, until the schedule is stopped."""
        self._again(time.monotonic(), seconds, step)

    def _again(self, when: float, seconds: float, step: Step) -> None:
        def both() -> None:
            if not self._stopped.is_set():
                self._again(when + seconds, seconds, step)
                step()

        heapq.heappush(self._steps, (when, next(self._numbers), both))

    def start(self) -> None:
        """Begins."""
        self._thread.start()

    def stop(self) -> None:
        """No step is repeated any more; those that end what was begun are done. Raises."""
        self._stopped.set()
        if self._thread.ident is not None:
            self._thread.join()
        if self.error is not None:
            raise self.error

    def _run(self) -> None:
        try:
            while self._steps:
                when, _, step = heapq.heappop(self._steps)
                time.sleep(max(0.0, when - time.monotonic()))
                step()
        except BaseException as error:
            self.error = error


class Changes:
    """Changes of all kinds to a corpus, begun by `one`; what takes time goes on by the schedule.

    `made` counts them, `touched` has the time of the last step at each path. `may` is asked before
    a path is changed, whether that is to be now.
    """

    def __init__(self, corpus: Corpus, draw: random.Random, schedule: Schedule) -> None:
        self.made: Counter[str] = Counter()
        self.touched: dict[Path, float] = {}
        self.may: Callable[[Path], bool] = lambda path: True
        self._corpus, self._draw, self._schedule = corpus, draw, schedule
        self._preds, self._golds = sorted(corpus.preds), sorted(corpus.golds)
        self._busy: set[Path] = set()
        self._passing = count()

    def one(self) -> None:
        """Begins a change."""
        kind = self._draw.choices(list(_KINDS), [often for often, _ in _KINDS.values()])[0]
        path = self._draw.choice(self._golds if kind == "gold" else self._preds)
        if path in self._busy or not self.may(path):
            others = (path for path in self._preds if path not in self._busy and self.may(path))
            kind, path = "rename", next(others, path)
        self.made[kind] += 1
        _KINDS[kind][1](self, path)

    def text(self, path: Path) -> bytes:
        """What may stand in a file next."""
        if (family := self._corpus.golds.get(path)) is not None:
            return another_gold(family.gold_text(), self._draw).encode()
        return another(self._corpus.preds[path].pred_text(), self._draw).encode()

    def rename(self, path: Path) -> None:
        """A new file takes the place of the old one."""
        self._touch(path)
        replaced(path, self.text(path))

    def _rewrite(self, path: Path) -> None:
        self._touch(path)
        path.write_bytes(self.text(path))

    def _same_size(self, path: Path) -> None:
        """One byte becomes another, in the file itself."""
        self._touch(path)
        try:
            with path.open("r+b") as file:
                text = file.read()
                places = [k for k, byte in enumerate(text) if byte in b"0123456789"]
                if places:
                    k = self._draw.choice(places)
                    file.seek(k)
                    file.write(bytes([text[k] ^ 1]))
        except FileNotFoundError:
            path.write_bytes(self.text(path))

    def _recreate(self, path: Path) -> None:
        """The file is gone for a moment, or long enough to be missed."""
        self._touch(path)
        path.unlink(missing_ok=True)
        text = self.text(path)
        wait = self._draw.choice((self._draw.uniform(0.01, 0.3), self._draw.uniform(0.6, 1.6)))
        self._later(wait, path, lambda: path.write_bytes(text))

    def _pieces(self, path: Path) -> None:
        """The file is written in two pieces, with time between them."""
        self._touch(path)
        text = self.text(path)
        cut = self._draw.randrange(len(text))
        path.write_bytes(text[:cut])

        def rest() -> None:
            with path.open("ab") as file:
                file.write(text[cut:])

        self._later(self._draw.uniform(0.05, 0.5), path, rest)

    def _gold(self, path: Path) -> None:
        self._draw.choice((self.rename, self._rewrite, self._pieces, self._recreate))(path)

    def _pass(self, like: Path) -> None:
        """A run comes, and goes again."""
        path = like.parent.with_name(f"passing{next(self._passing)}") / like.name
        path.parent.mkdir()
        path.write_bytes(self.text(like))

        def go() -> None:
            path.unlink()
            path.parent.rmdir()

        self._schedule.after(self._draw.uniform(0.3, 4.0), go)

    def _touch(self, path: Path) -> None:
        self.touched[path] = time.monotonic()

    def _later(self, seconds: float, path: Path, step: Callable[[], object]) -> None:
        self._busy.add(path)

        def due() -> None:
            self._busy.discard(path)
            self._touch(path)
            step()

        self._schedule.after(seconds, due)


_Kind = tuple[int, Callable[[Changes, Path], None]]
_KINDS: Final[dict[str, _Kind]] = {
    "rename": (30, Changes.rename),
    "rewrite": (28, Changes._rewrite),
    "same size": (8, Changes._same_size),
    "recreate": (12, Changes._recreate),
    "two pieces": (14, Changes._pieces),
    "gold": (4, Changes._gold),
    "come and go": (4, Changes._pass),
}
"""How often each kind is, of a hundred."""


def replaced(path: Path, text: bytes) -> None:
    """Writes a file beside another, and lets it take its place."""
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(text)
    new.replace(path)
