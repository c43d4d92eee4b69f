"""The words of a pair beside each other: what an analysis looks at is what the score counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.aligned import Aligned, aligned
from goldlens.scoring.ud.table import DEPREL, FORM, LEMMA, ROOT, UPOS
from goldlens.scoring.ud.task import UD
from tests.strategies import texts

GOLD = """\
# sent_id = a
1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_

# sent_id = b
1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_
1\tde\tde\tADP\t_\t_\t3\tcase\t_\t_
2\tel\tel\tDET\t_\t_\t3\tdet\t_\t_
3\tmar\tmar\tNOUN\t_\t_\t0\troot\t_\t_

"""


def of(gold: str, pred: str, match: str = "auto") -> Aligned:
    theirs, ours = (UD.parse(UD.split(text.encode())) for text in (gold, pred))
    return aligned(theirs, ours, list(UD.pair(theirs, ours, match)))


def test_words_of_several_sentences_go_by_one_count() -> None:
    found = of(GOLD, GOLD.replace("3\tdet", "1\tdet"))
    assert found.gold.column(FORM) == ["Dogs", "bark", "de", "el", "mar"]
    assert found.gold.unit.tolist() == [0, 0, 1, 1, 1]
    assert found.gold.number.tolist() == [1, 2, 1, 2, 3]
    assert found.gold.head.tolist() == [2, 0, 3, 3, 0]
    assert found.gold.head_word.tolist() == [1, ROOT, 4, 4, ROOT]
    assert found.pred.head_word.tolist() == [1, ROOT, 4, 2, ROOT]
    assert found.correct["LAS"].tolist() == [True, True, True, False, True]
    assert found.facing(DEPREL)[0] == ["nsubj", "root", "case", "det", "root"]


def test_what_has_no_counterpart_shows_in_the_total_alone() -> None:
    pred = GOLD.replace("1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde", "1\td").replace("2\tel", "2\tel")
    found = of(GOLD, pred)
    assert found.count("Words").gold == 5
    assert len(found.gold_word) < 5
    assert found.count("UPOS").correct == int(found.correct["UPOS"].sum())


def test_what_is_not_compared_counts_in_the_total() -> None:
    found = of(GOLD, GOLD.split("\n\n")[0] + "\n\n", "sent_id")
    assert len(found.gold) == 2
    assert (found.count("LAS").gold, found.count("LAS").predicted) == (5, 2)


def test_a_metric_without_a_name_is_none() -> None:
    with pytest.raises(KeyError):
        of(GOLD, GOLD).count("LASS")


@given(texts(), texts(), st.sampled_from(["auto", "stream", "sent_id"]))
def test_the_counts_are_those_of_the_score(gold: str, pred: str, match: str) -> None:
    theirs, ours = (UD.parse(UD.split(text.encode())) for text in (gold, pred))
    segments = list(UD.pair(theirs, ours, match))
    found = aligned(theirs, ours, segments)
    sums = UD.sums()
    sums.add(UD.compare(theirs, ours, segments))
    assert found.total.tolist() == sums.total.tolist()
    for name, column in found.correct.items():
        assert metrics.count(name, sums.total).correct == column.sum()
    upos, lemma = found.facing(UPOS), found.facing(LEMMA)
    assert [a == b for a, b in zip(*upos, strict=True)] == found.correct["UPOS"].tolist()
    assert [a in (b, "_") for a, b in zip(*lemma, strict=True)] == found.correct["Lemmas"].tolist()
    for side in (found.gold, found.pred):
        for word, head in enumerate(side.head_word.tolist()):
            if head >= 0:
                assert side.unit[head] == side.unit[word]
                assert side.number[head] == side.head[word]
