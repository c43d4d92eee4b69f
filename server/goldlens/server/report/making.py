"""The page of a pair as it is at one moment, for editors and programs that ask for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Final

from goldlens.scoring.bootstrap import Resampling, Told
from goldlens.server.analyzing import as_written
from goldlens.server.engine.opening import pair_of
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.scoreboard import Scoreboard
from goldlens.server.report.gathered import report
from goldlens.server.report.page import page

_HEX: Final = 64
"""The digits of a SHA-256."""


def page_of(
    pair: Pair, gold: Mapping[str, object], pred: Mapping[str, object], resampling: Resampling
) -> Callable[[Told], str]:
    """What makes the page of a pair as it is now, whatever becomes of it; it needs no turn.

    `gold` and `pred` are what to say of the files (path, sha256). It tells how the draw gets on,
    and raises WrongQuestion and NoPlots.
    """
    task, match = as_written(pair.task), pair.match
    # Bytes are soon copied, and a pair of its own is safe from edits.
    texts = pair.gold.text(), pair.pred.text()

    def made(told: Told) -> str:
        board = Scoreboard(pair_of(task, *texts, match))
        said = facts(gold, pred)
        return page(report(board, said, resampling, title(gold, pred), told))

    return made


def title(gold: Mapping[str, object], pred: Mapping[str, object]) -> str:
    """What a page is called if nobody says."""
    return f"{_name(pred)} against {_name(gold)}"


def facts(gold: Mapping[str, object], pred: Mapping[str, object]) -> dict[str, str]:
    """What the head of a page says of the files.

    Their names alone: the page is made to be passed on, and a folder may be nobody's business.
    """
    sides = {"Gold": gold, "Prediction": pred}
    return {name: f"{_name(side)} ({_hash(str(side['sha256']))})" for name, side in sides.items()}


def _name(side: Mapping[str, object]) -> str:
    return PurePath(str(side["path"])).name


def _hash(sha256: str) -> str:
    """The beginning of a hash; what is said instead of one is said here, too."""
    return f"SHA-256 {sha256[:16]}…" if len(sha256) == _HEX else sha256
