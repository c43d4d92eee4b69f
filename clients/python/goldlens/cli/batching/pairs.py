"""The pairs of a batch: what is asked of each, and what its rows say of themselves."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from goldlens.cli.lines import line
from goldlens.cli.profiles import profile_named
from goldlens.scoring.ud.profile import Profile
from goldlens.server.config import Config, PairConfig, lexical
from goldlens.server.pairing import Pairing, expand, gold_of

PUBLISHED: Final = "published"
SYSTEM: Final = "system"
"""What stands in answers for where a reference comes from; the pair knows what that is called."""

TABLES: Final = frozenset(("markdown", "latex"))
"""The formats that show no dataset."""


@dataclass(frozen=True, slots=True)
class Question:
    """Files and how they are scored: all that figures depend on.

    Paths are absolute and values plain, so that it may be answered in any process on any machine
    that has the files. `references` are published points by metric; no `metrics` means all.
    """

    gold: str
    pred: str
    ref_pred: str | None = None
    task: str | None = None
    match: str = "auto"
    policy: str = "official"
    threshold: float = 0.5
    token_column: int = 1
    tag_column: int = -1
    reading: str = "strict"
    metrics: tuple[str, ...] = ()
    references: tuple[tuple[str, float], ...] = ()
    resamples: int = 1000
    level: float = 0.95
    seed: int = 20260101
    profile: Profile | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question, and what the rows say that come of it; no figure depends on that.

    `sources` has the names of published references and of a system's (see PUBLISHED and SYSTEM).
    """

    question: Question
    component: str = ""
    language: str = ""
    dataset: str = ""
    sources: tuple[str, str] = ("", "")

    def clashes(self, other: Wanted) -> bool:
        """Whether both have a row of one metric."""
        ours, theirs = self.question.metrics, other.question.metrics
        return not ours or not theirs or not set(ours).isdisjoint(theirs)


def wanted(config: Config, reading: str = "strict") -> tuple[list[Wanted], list[str]]:
    """The pairs of a configuration, each match of a glob one, and a line for each that fails.

    In the order of the configuration. What was matched by a glob is a system: its name goes behind
    the component, even where only one file matches, so that a row keeps its key when another
    system comes. Several files named for one gold without a glob are systems, too.
    """
    found: dict[Wanted, None] = {}
    failed: list[str] = []
    matches: dict[int, list[tuple[Path, str]]] = {}
    for pair, path, system in expand(config):
        # Two tables may say the same, and are then equal.
        matches.setdefault(id(pair), []).append((path, system))
    for pair in config.pairs:
        if id(pair) not in matches:
            failed.append(_unmatched(pair, config))
        for path, system in matches.get(id(pair), ()):
            literal = lexical(config.folder / pair.pred) == path
            gold = gold_of(pair, config)
            trouble = Pairing(path, gold, pair, system, "config").trouble
            if trouble is None:
                name = "" if literal else system
                found[_of(pair, gold, path, name, config.folder, reading)] = None
            else:
                said = line(shown(str(path)), 1, 1, "error", trouble.code, trouble.message)
                failed.append(said)
    return list(found), failed


def _unmatched(pair: PairConfig, config: Config) -> str:
    path = shown(str(lexical(config.folder / pair.pred)))
    return line(path, 1, 1, "error", "file", "no file matches; correct “pred”, or make the file")


def _of(
    pair: PairConfig, gold: Path, pred: Path, system: str, folder: Path, reading: str
) -> Wanted:
    other = pair.reference_pred
    question = Question(
        str(gold),
        str(pred),
        None if other is None else str(lexical(folder / other)),
        pair.task,
        pair.match,
        pair.policy,
        pair.threshold,
        pair.token_column,
        pair.tag_column,
        reading,
        pair.metrics,
        tuple(sorted(pair.reference.items())),
        pair.resamples,
        pair.level,
        pair.seed,
        profile_named(pair.profile),
    )
    component = "/".join(part for part in (pair.component, system) if part)
    # What is said of where references come from is about the published ones, if there are any.
    system_source = (not pair.reference and pair.reference_source) or other or ""
    sources = (pair.reference_source, system_source)
    return Wanted(question, component, pair.language, pair.dataset, sources)


def systems(preds: Sequence[str]) -> list[str]:
    """What tells paths apart: their parts without those at both ends that all have in common.

    A single path needs no telling apart, and has the empty name.
    """
    parts = [PurePath(pred).parts for pred in preds]
    shortest = min(map(len, parts), default=0)
    start = 0
    while start < shortest and len({each[start] for each in parts}) == 1:
        start += 1
    end = 0
    while end < shortest - start and len({each[-1 - end] for each in parts}) == 1:
        end += 1
    return ["/".join(each[start : len(each) - end]) for each in parts]


def clash(pairs: Iterable[Wanted], form: str) -> tuple[Wanted, Wanted] | None:
    """The first two pairs that would have one row in a file of a format; None if there are none.

    Where they have, one of them would be lost.
    """
    by_key: dict[tuple[str, ...], list[Wanted]] = {}
    for pair in pairs:
        dataset = "" if form in TABLES else pair.dataset
        others = by_key.setdefault((pair.component, pair.language, dataset), [])
        for other in others:
            if other.clashes(pair):
                return other, pair
        others.append(pair)
    return None


def shown(text: str) -> str:
    """A path, or a line that begins with one, as seen from the current folder."""
    return text.removeprefix(f"{Path.cwd()}{os.sep}")
