"""A prediction on disk that is held against its gold while either changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

from goldlens.scoring.counts import Figure
from goldlens.scoring.problems import Place, Problem, Severity
from goldlens.scoring.segment import Kind
from goldlens.scoring.task import GOLD, PRED, Format, Incomparable, Task
from goldlens.scoring.ud.metrics import STRICT
from goldlens.server.cache.cache import Cache, Text
from goldlens.server.cache.usual import usual
from goldlens.server.config import Settings
from goldlens.server.engine.document import Document, Splice
from goldlens.server.engine.flaws import ERRORS, WARNINGS
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.refusals import refusals
from goldlens.server.engine.scoreboard import Scoreboard
from goldlens.server.engine.wholefile import file_problems
from goldlens.server.judging import Judge
from goldlens.server.ondisk import OnDisk, rewritten
from goldlens.server.pairing import Pairing, no_gold
from goldlens.server.profiles import file_of
from goldlens.server.roles import task_for
from goldlens.server.sources import Stamp, stamp

_IN_ORDER: Final = frozenset(("ud", "span"))
"""Tasks whose units face each other in order, so that a half file lacks the end of gold."""


@dataclass(slots=True)
class Gold:
    """A gold on disk as it is read in one format; `document` is None until it could be read."""

    source: OnDisk
    format: Format
    document: Document | None = None
    cache: Cache = field(default_factory=usual)

    def look(self, now: float, tell: Callable[[Splice], None]) -> None:
        """Reads the file again; `tell` is told of each change to a document that was there."""
        data = self.source.look(now)
        if data is None:
            return
        if self.document is None:
            text = Text(data, self.source.path, self.source.sha256, checks=False)
            self.document = self.cache.document(self.format, text)
            self.document.forget()
            return
        for splice in rewritten(self.document, data):
            tell(splice)


@dataclass(frozen=True, slots=True)
class Score:
    """What a prediction scored: figures by metric, numbers of problems, the files' SHA-256.

    `refused`: the pair's policy is official, and would refuse it. `lacking`: how many units of
    gold have none that could face them.
    """

    figures: Mapping[str, Figure | None]
    errors: int
    warnings: int
    pred_sha256: str
    gold_sha256: str
    refused: bool = False
    lacking: int = 0

    def scores(self) -> dict[str, float | None]:
        """The figure of each metric that is quoted, in the usual order."""
        return {
            name: None if figure is None else figure.score for name, figure in self.figures.items()
        }


Key: TypeAlias = tuple[str, str, str | None, str, float, int, int, str]
"""What makes a system the same one: its files, and how they are read and compared."""


def key_of(pairing: Pairing) -> Key:
    """The key of the system that a pairing makes."""
    pair = pairing.pair
    columns = (pair.token_column, pair.tag_column)
    how = (pair.task, pair.match, pair.threshold, *columns, pair.profile_fault or pair.profile)
    return (str(pairing.pred), str(pairing.gold), *how)


@dataclass(slots=True, eq=False)
class System:
    """A prediction and what it scores: now, before its last change, and when it was first seen.

    `score` is the last that can be believed; `trouble` says why there is none for what the files
    hold now, so that with a trouble the score is stale. `gold_trouble` says why its gold could not
    be had, or its profile followed, when they were looked for last. `at` is when the score or the
    trouble last changed, in seconds of the clock.
    """

    pairing: Pairing
    settings: Settings
    metrics: tuple[str, ...] = ()
    source: OnDisk = field(init=False)
    task: Task | None = None
    document: Document | None = None
    gold: Gold | None = None
    pair: Pair | None = None
    score: Score | None = None
    before: Score | None = None
    start: Score | None = None
    trouble: str | None = None
    gold_trouble: Problem | None = None
    at: float = 0.0
    cache: Cache = field(default_factory=usual)
    judge: Judge = field(init=False)
    too_large: str | None = None
    profile_stamp: Stamp | None = None
    _scored: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        self.source = OnDisk(self.pairing.pred)
        self.judge = Judge(self.settings)

    @property
    def name(self) -> str:
        """What to call it."""
        return self.pairing.system

    @property
    def is_current(self) -> bool:
        """Whether it has a score that can be believed, and no file of it has changed since."""
        gold = self.gold
        if self.score is None or self.trouble is not None or gold is None:
            return False
        read = (self.source, gold.source)
        return self.follows_profile and all(each.stamp == stamp(each.path) for each in read)

    @property
    def profile(self) -> Path | None:
        """The file of its profile; None if that is built in."""
        return file_of(self.pairing.pair.profile)

    @property
    def follows_profile(self) -> bool:
        """Whether the file of its profile, if it has one, is still what was read of it."""
        return self.profile is None or stamp(self.profile) == self.profile_stamp

    def look(self, now: float, golds: Callable[[Format], Gold]) -> None:
        """Reads the prediction again; `golds` finds its gold as it is read in a format."""
        data = self.source.look(now)
        if self.source.trouble and self.document is not None:
            self._empty(self.document)
        if data is None:
            return
        task = self._task_of(data)
        if self.document is None or task != self.task:
            self.task, self.gold = task, golds(task.format(GOLD))
            judge = self.judge
            path, digest = self.source.path, self.source.sha256
            text = Text(data, path, digest, extra=judge.extra, judge=judge)
            self.document = self.cache.document(task.format(PRED), text)
            self.document.forget()
            self.pair = None
        else:
            for splice in rewritten(self.document, data):
                self.told(PRED, splice)

    def _empty(self, document: Document) -> None:
        """Nothing is known of what the prediction says: what it said is no longer so."""
        judge = self.judge
        self.document = Document(document.format, b"", extra=judge.extra, judge=judge)
        self.pair, self.source.sha256 = None, None

    def _task_of(self, data: bytes) -> Task:
        self.profile_stamp = stamp(self.profile) if self.profile else None
        return task_for(self.pairing.pair, self.pairing.pred, data)

    def _reconcile(self) -> None:
        """Takes the profile as it is now, if its file has become another one."""
        if self.document is not None and not self.follows_profile:
            task = self._task_of(self.document.text())
            if task != self.task:
                self.task, self.pair, self.too_large = task, None, None

    def told(self, side: int, splice: Splice) -> None:
        """A document of its pair has changed."""
        if self.pair is not None:
            try:
                self.pair.apply(side, splice)
            except Incomparable as error:
                self.pair, self.too_large = None, str(error)

    def rejudge(self, settings: Settings) -> None:
        """Takes other settings."""
        if settings == self.settings:
            return
        extra = self.judge.extra
        self.settings, self.judge = settings, Judge(settings)
        self._scored = None
        if self.judge.extra != extra:
            # Problems are wanted that were not looked for.
            self.document, self.pair, self.source.sha256 = None, None, None
            self.source.again = 0.0
        elif self.document is not None:
            self._excuse(always=True)

    def settle(self, now: float) -> bool:
        """After changes: takes the score or the trouble that results; whether it is news."""
        self._reconcile()
        known, self.gold_trouble = self.gold_trouble, self._gold_trouble()
        if self.gold_trouble is not None:
            # What was found against it is not true of a gold that cannot be had.
            self.pair = None
        trouble = self._trouble()
        if trouble is None:
            trouble = self._face(now)
        score = self.score
        if trouble is None:
            score = self._score_now()
            self._renew()
            if self.start is None:
                self.start = score
        news = trouble != self.trouble or score != self.score or self.gold_trouble != known
        if score is not self.score and score != self.score:
            self.before, self.score = self.score, score
        self.trouble = trouble
        if news:
            self.at = now
        return news

    def _trouble(self) -> str | None:
        """Why the files cannot be held against each other now, as far as they alone say it."""
        if self.source.trouble:
            return f"it cannot be read: {self.source.trouble}"
        if self.source.unfinished:
            return f"unfinished: {self.source.unfinished}"
        if self.gold_trouble is not None:
            return self.gold_trouble.message
        if self.gold is None:
            return None
        if self.gold.source.unfinished:
            return f"gold is unfinished: {self.gold.source.unfinished}"
        return None

    def _gold_trouble(self) -> Problem | None:
        if self.gold is not None and not self.gold.source.trouble:
            # What lies where a data set should may be something else; a profile may be gone.
            pair = self.pairing.pair
            doubtful = pair.data is not None or self.profile is not None or pair.profile_fault
            return self.pairing.trouble if doubtful else None
        found = self.pairing.trouble
        if found is None and self.gold is not None:
            said = f"gold cannot be read: {self.pairing.gold}: {self.gold.source.trouble}"
            return no_gold(said)
        return found

    def _face(self, now: float) -> str | None:
        """Compares with gold if that has not been done; why the result is not to be believed."""
        assert self.gold is not None and self.task is not None
        gold, pred = self.gold.document, self.document
        if gold is None or pred is None:
            return "nothing has been read yet"
        self._excuse()
        if self.pair is None:
            hashes = self._hashes()
            if self.too_large is None or hashes != self._scored:
                self._scored, self.too_large = hashes, None
                try:
                    self.pair = self.cache.pair(self.task, gold, pred, self.pairing.pair.match)
                    self.pair.forget()
                except Incomparable as error:
                    self.too_large = str(error)
        if self.pair is None:
            return f"cannot be compared: {self.too_large}"
        lacking = _lacking(self.pair)
        known = self.score.lacking if self.score is not None else 0
        settled = self.source.is_settled(now) and self.gold.source.is_settled(now)
        if lacking and lacking != known and not settled:
            self.source.wait(f"gold has {lacking:,} more than it", now)
            return f"unfinished: {self.source.unfinished}"
        return None

    def _hashes(self) -> tuple[str, str]:
        assert self.gold is not None
        return self.source.sha256 or "", self.gold.source.sha256 or ""

    def _renew(self) -> None:
        """What was computed since the files were opened is worth keeping, too."""
        assert self.pair is not None
        if not (self.pair.gold.as_opened and self.pair.pred.as_opened):
            pred, gold = self._hashes()
            self.cache.renew(self.pair, gold, pred)

    def _score_now(self) -> Score:
        pair = self.pair
        assert pair is not None
        strict = pair.task.name == "ud" and any(
            name.partition(".")[0] in STRICT for name in (*self.metrics, *self.pairing.pair.metrics)
        )
        figures = Scoreboard(pair, strict=strict).figures()
        official = self.pairing.pair.policy == "official"
        refused = official and bool(list(islice(refusals(pair), 1)))
        errors, warnings = self._counted(pair)
        return Score(figures, errors, warnings, *self._hashes(), refused, _lacking(pair))

    def _counted(self, pair: Pair) -> tuple[int, int]:
        """How many Errors and Warnings the prediction has, by itself and against gold."""
        document = pair.pred
        errors, warnings = (int(document.flaws.sums[k]) for k in (ERRORS, WARNINGS))
        found: list[tuple[Severity | None, int]] = [
            (self.judge(problem), 1) for problem in file_problems(document, pair=pair)
        ]
        told = zip(pair.task.codes, pair.task.severities, pair.tally_sums.tolist(), strict=True)
        found += [(self.judge(_example(code, severity)), n) for code, severity, n in told]
        duplicates = document.duplicates()
        if duplicates is not None:
            code = document.format.duplicate_code
            for severity in Severity:
                n = int((duplicates.severities == severity).sum())
                found.append((self.judge(_example(code, severity)), n))
        errors += sum(n for severity, n in found if severity is Severity.ERROR)
        warnings += sum(n for severity, n in found if severity is Severity.WARNING)
        return errors, warnings

    def _excuse(self, *, always: bool = False) -> None:
        """What is said once of the whole file is not counted at each place."""
        document = self.document
        assert document is not None
        excused = frozenset(document.format.excused(document.facts.tolist()))
        if always or excused != self.judge.excused:
            self.judge.excused = excused
            document.rejudge(self.judge)


def _example(code: str, severity: Severity) -> Problem:
    return Problem(code, Place(0, 0, 0, 0), "", severity)


def _lacking(pair: Pair) -> int:
    """How many units of gold have none in the prediction that could face them.

    0 where units have an order and gold's last one is compared: what is missing is missing on
    purpose then. Where it is not, a prediction that ends inside of a unit lacks that one too.
    """
    missing = (Kind.MISSING, Kind.MISMATCH)
    lacking = 0
    if pair.task.name in _IN_ORDER:
        facts, units = pair.gold.format.facts, pair.pred.units
        last = len(pair.gold.units) - 1
        while last >= 0 and not facts(pair.gold.units[last])[0]:
            last -= 1
        if last < 0:
            return 0
        held = pair.pairing.segments_of(GOLD, last, last + 1)
        if not any(pair.pairing[number].kind in missing for number in held):
            return 0
        lacking = int(bool(units) and not pair.pred.format.is_closed(units[-1].text))
    for number in pair.pairing.uncompared():
        segment = pair.pairing[number]
        if segment.kind in missing:
            lacking += max(0, len(segment.gold) - len(segment.pred))
    return lacking
