"""Two texts opened in one pass are as if each had been opened alone."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldlens.scoring.ud import metrics, stream
from goldlens.scoring.ud.evaluate import Options, evaluate
from goldlens.scoring.ud.held import evaluate_held
from goldlens.scoring.ud.profile import NONE, Profile
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from tests.properties.test_law1 import same_document, same_pair
from tests.strategies import pairs, texts

many = settings(
    max_examples=300, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
BOTH = st.one_of(
    pairs().map(lambda pair: (pair.gold, pair.pred)),
    texts().map(lambda text: (text, text)),
    st.tuples(texts(), texts()),
    st.tuples(pairs(), texts()).map(lambda two: (two[0].gold + two[1], two[0].pred + two[1])),
)


@pytest.mark.parametrize("size", [64, 1 << 20])
@many
@given(both=BOTH)
def test_as_if_opened_one_by_one(size: int, both: tuple[str, str]) -> None:
    gold, pred = (text.removeprefix("\ufeff").encode() for text in both)
    with pytest.MonkeyPatch.context() as patch:
        # Small pieces have the borders that only large files would have.
        patch.setattr(stream, "PIECE", size)
        opened = UD.open_both(gold, pred)
    together = Pair(
        UD,
        Document(UD, gold, checks=False, units=opened.gold),
        Document(UD, pred, checks=False, units=opened.pred),
        known=opened.counts,
    )
    alone = Pair(UD, Document(UD, gold, checks=False), Document(UD, pred, checks=False))
    same_document(together.gold, alone.gold)
    same_document(together.pred, alone.pred)
    same_pair(together, alone)
    assert opened.counts.dtype == np.int32


PROFILES = st.sampled_from(
    [
        NONE,
        Profile("mapping", (("NOUN", "VERB"), ("VERB", "X")), "NFC", "1"),
        Profile("leaving out", (("X", "PUNCT"),), exclude=("DET", "NOUN", "PUNCT")),
    ]
)


@pytest.mark.parametrize("size", [64, 1 << 20])
@many
@given(both=BOTH, profile=PROFILES)
def test_streaming_says_what_holding_says(
    size: int, both: tuple[str, str], profile: Profile
) -> None:
    gold, pred = (text.encode() for text in both)
    options = Options(profile=profile)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "PIECE", size)
        streamed = evaluate(io.BytesIO(gold), io.BytesIO(pred), options)
    held = evaluate_held(gold, pred, options)
    # Under a profile problems are counted only where there are diagnostics to be made of them.
    stop = metrics.WIDTH if profile == NONE else metrics.PROBLEM
    assert streamed.total.tolist()[:stop] == held.total.tolist()[:stop]
    assert streamed.tagging == held.tagging
    assert streamed.covered == held.covered
    assert set(streamed.causes) == set(held.causes)
    assert len(streamed.causes) == len(held.causes)
    assert streamed.as_dict("g", "p") == held.as_dict("g", "p")
