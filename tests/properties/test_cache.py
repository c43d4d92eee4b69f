"""Law 1 for the cache: what is opened from it is what a fresh run would give.

A pair is opened and kept, both texts are edited, and what an earlier run found out is used to
open them again; and so on. However much of it is known, documents, segments, counts and problems
are those of the same bytes, and stay so under further edits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from goldlens.scoring.task import GOLD, PRED
from goldlens.scoring.ud.task import UD
from goldlens.server.cache import reading, sentences, stretches
from goldlens.server.cache.cache import Cache, Text
from goldlens.server.engine.document import Document, Edit, Splice
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.sources import sha256
from tests import strategies
from tests.properties.test_law1 import same_document, same_pair
from tests.server.cache.remembering import InMemory, cache

RELATIONS = (b"dep", b"det", b"obj", b"root")
_CELL = -1
EXTRA = ("sent-id-missing", "text-missing")
WAYS = ("apart", "apart with all", "together")
PATHS = ("gold.conllu", "pred.conllu")


@st.composite
def edits(draw: st.DrawFn) -> tuple[int, float, int, bytes]:
    """A side, where in it, how many characters go, and what comes in their place.

    Or `_CELL`: the first relation from there on becomes another one.
    """
    side = draw(st.sampled_from((PRED, PRED, GOLD)))
    if draw(st.booleans()):
        return side, draw(st.floats(0, 1)), _CELL, draw(st.sampled_from(RELATIONS))
    where = draw(st.one_of(st.floats(0, 1), st.just(1.0), st.just(0.0)))
    gone = draw(st.sampled_from((0, 0, 1, 2, 7, 60)))
    return side, where, gone, draw(strategies.fragments()).encode()


def edited(texts: tuple[bytes, bytes], edit: tuple[int, float, int, bytes]) -> tuple[bytes, bytes]:
    side, where, gone, new = edit
    text = texts[side].decode()
    at = int(where * len(text))
    if gone == _CELL:
        found = re.compile(r"(?<=\t)(?:dep|det|obj|root)(?=\t)").search(text, at)
        at, gone = (found.start(), len(found[0])) if found else (at, 0)
        new = new if found else b""
    changed = (text[:at] + new.decode() + text[at + gone :]).encode()
    return (changed, texts[PRED]) if side == GOLD else (texts[GOLD], changed)


@dataclass(frozen=True)
class Opening:
    """How a pair is opened, of the same texts from a cache and without.

    One of `ways` after the other is taken: "together", or apart, with all codes or not. With
    `edit_early` the prediction is edited before it is compared, with `look_late` before anybody
    looks at it.
    """

    texts: list[tuple[bytes, bytes]]
    match: str
    ways: list[str]
    look_late: bool
    edit_early: bool

    def known(self, cache: Cache, both: tuple[bytes, bytes], way: str) -> Pair:
        gold, pred = (Text(both[k], Path(PATHS[k]), checks=False) for k in (GOLD, PRED))
        if way == "together":
            pair = cache.both(UD, gold, replace(pred, checks=True, later=True), self.match)
            assert pair is not None
            return pair
        pred = replace(pred, checks=True, extra=EXTRA if way.endswith("all") else ())
        theirs, ours = cache.document(UD, gold), cache.document(UD, pred)
        if self.edit_early:
            change(ours)
        return cache.pair(UD, theirs, ours, self.match)

    def fresh(self, both: tuple[bytes, bytes], way: str) -> Pair:
        extra = EXTRA if way.endswith("all") else ()
        gold = Document(UD, both[GOLD], checks=False)
        pred = Document(UD, both[PRED], later=way == "together", extra=extra)
        if self.edit_early and way != "together":
            change(pred)
        return Pair(UD, gold, pred, self.match)


@st.composite
def openings(draw: st.DrawFn) -> Opening:
    """Texts, one after the other, and how they are opened."""
    long = strategies.texts(most=12)
    either = st.one_of(
        long.map(lambda text: (text, text)),
        strategies.pairs().map(lambda pair: (pair.gold, pair.pred)),
        st.tuples(long, long),
    )
    gold, pred = draw(either)
    texts = [(gold.encode(), pred.encode())]
    for _ in range(draw(st.integers(1, 3))):
        last = texts[-1]
        for edit in draw(st.lists(edits(), max_size=2)):
            last = edited(last, edit)
        texts.append(last)
    return Opening(
        texts,
        draw(st.sampled_from(("auto", "auto", "stream", "sent_id"))),
        draw(st.lists(st.sampled_from(WAYS), min_size=1, max_size=3)),
        draw(st.booleans()),
        draw(st.sampled_from((False, False, True))),
    )


def change(document: Document) -> Splice:
    """A row of a sentence in the middle becomes another one."""
    line = int(document.line_starts[len(document.units) // 2])
    row = b"1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
    return document.edit(Edit(line, 0, line + 1, 2, row), Encoding.UTF8)


def same(pair: Pair, fresh: Pair) -> None:
    same_document(pair.gold, fresh.gold)
    same_document(pair.pred, fresh.pred)
    assert pair.pred.unchecked == fresh.pred.unchecked
    same_pair(pair, fresh)


def held(opening: Opening, size: int, ahead: int = 16) -> None:
    """Every text, opened from what is known of those before it, is as if opened alone."""
    renew = not opening.edit_early and "together" not in opening.ways
    store = InMemory()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stretches, "SIZE", size)
        patch.setattr(stretches, "_AHEAD", ahead)
        every = [*opening.texts, opening.texts[-1], opening.texts[0]]
        for both, way in zip(every, cycle(opening.ways), strict=False):
            run = cache(store)
            pair = opening.known(run, both, way)
            run.finish()
            fresh = opening.fresh(both, way)
            if not opening.look_late:
                same(pair, fresh)
            for side, document, other in (
                (PRED, pair.pred, fresh.pred),
                (GOLD, pair.gold, fresh.gold),
            ):
                pair.apply(side, change(document))
                fresh.apply(side, change(other))
            same(pair, fresh)
            if renew:
                run.renew(pair, sha256(pair.gold.text()), sha256(pair.pred.text()))
                run.finish()


@pytest.mark.parametrize(("size", "ahead"), [(1, 16), (1, 0), (150, 16)])
@settings(max_examples=60)
@given(opening=openings())
def test_what_is_known_is_what_a_fresh_run_gives(size: int, ahead: int, opening: Opening) -> None:
    held(opening, size, ahead)


def _trusts_texts_of_a_size(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        stretches, "_is_at", lambda stretch, view, at: len(view[at : at + stretch.size]) > 0
    )


def _lets_texts_run_into_stretches(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reading, "_is_border", lambda block: True)


def _takes_what_is_new_for_what_was_there(patch: pytest.MonkeyPatch) -> None:
    class Numpy:
        int64, arange, cumsum, concatenate = np.int64, np.arange, np.cumsum, np.concatenate
        full = staticmethod(lambda size, value, kind: np.arange(size))

    patch.setattr(reading, "np", Numpy)


def _forgets_what_is_last(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sentences, "_LAST", 0)


@pytest.mark.parametrize(
    "break_cache",
    [
        _trusts_texts_of_a_size,
        _lets_texts_run_into_stretches,
        _forgets_what_is_last,
        _takes_what_is_new_for_what_was_there,
    ],
)
def test_a_broken_cache_is_caught(
    break_cache: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    break_cache(monkeypatch)

    @settings(max_examples=600, phases=[Phase.generate], report_multiple_bugs=False)
    @given(opening=openings())
    def play(opening: Opening) -> None:
        held(opening, 1)

    with pytest.raises((AssertionError, IndexError, ValueError)):
        play()
