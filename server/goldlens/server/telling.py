"""A system on disk as programs are told of it: its scoreboard and its problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from goldlens.scoring.counts import Figure
from goldlens.server.buffers import FileListing, change_of
from goldlens.server.engine.listing import Lister
from goldlens.server.engine.scoreboard import Scoreboard
from goldlens.server.engine.wholefile import file_problems
from goldlens.server.findings import located
from goldlens.server.sources import uri_of
from goldlens.server.system import Score, System
from goldlens.server.texts import Text

_NONE: Final[Mapping[str, Figure | None]] = {}


def board_of(system: System) -> dict[str, object]:
    """The scoreboard of a system, as a `goldlens.score` of its prediction has it.

    `since_open` is the change since it was first seen, `since_save` that since the version
    before. Where its score cannot be had, `trouble` says why, and `metrics` is null.
    """
    pairing, score = system.pairing, system.score
    told: dict[str, object] = {
        "uri": uri_of(pairing.pred),
        "version": None,
        "system": system.name,
        "trouble": system.trouble,
    }
    if system.trouble is not None or system.pair is None or score is None:
        task = system.task.name if system.task is not None else pairing.task
        return {"task": task, "metrics": None, **told}
    board = Scoreboard(system.pair)
    return {
        **board.as_dict(
            {"path": str(pairing.gold), "sha256": score.gold_sha256},
            {"path": str(pairing.pred), "sha256": score.pred_sha256},
        ),
        **told,
        "since_open": change_of(_figures(system.start), score.figures),
        "since_save": change_of(_figures(system.before), score.figures),
    }


def listing_of(system: System, limit: int) -> FileListing | None:
    """The problems of a system's prediction, at most `limit`; None if it has not been read.

    Without a gold that can be read it is those of the file by itself.
    """
    document, pair = system.document, system.pair
    if document is None:
        return None
    extra = file_problems(document, system.gold_trouble, system.too_large, pair)
    found = Lister(document, pair, system.judge).list(extra, limit, 0)
    gold, gold_uri = (None, None) if pair is None else (pair.gold, uri_of(system.pairing.gold))
    return FileListing(found.shown, found.more, document, gold, gold_uri, 0)


def problems_of(system: System, limit: int) -> dict[str, object]:
    """The problems of a system's prediction as programs are told of them (see `listing_of`)."""
    uri, listing = uri_of(system.pairing.pred), listing_of(system, limit)
    if listing is None:
        return {"uri": uri, "problems": [], "more": 0}
    document, there = listing.document, listing.gold
    text = Text(str(system.pairing.pred), document.text(), document)
    gold = None if there is None else Text(str(system.pairing.gold), there.text(), there)
    found = [finding.as_dict() for finding in located(listing.shown, text, gold)]
    return {"uri": uri, "problems": found, "more": listing.more}


def _figures(score: Score | None) -> Mapping[str, Figure | None]:
    return _NONE if score is None else score.figures
