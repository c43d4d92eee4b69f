"""Drift: what a profile changes, and how much of the errors one pair of cells makes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from goldlens.scoring.analysis.drift import Drift, drift
from goldlens.scoring.counts import Count, Figure
from goldlens.scoring.ud.aligned import aligned
from goldlens.scoring.ud.profile import NONE, PROIEL, Profile
from goldlens.scoring.ud.reconciled import reconciled, task_of
from goldlens.scoring.ud.task import UD
from tests.scoring.analysis.brute import LEMMA, UPOS, XPOS, facing, right, words


def of(gold: str, pred: str, profile: Profile, sample: int = 20) -> Drift:
    theirs, ours = (UD.parse(UD.split(text.encode())) for text in (gold, pred))
    sides = [[UD.facts(unit) for unit in side] for side in (theirs, ours)]
    facts = [[sum(each) for each in zip(*side, strict=True)] for side in sides]
    segments = list(UD.pair(theirs, ours, "auto"))

    def figures(under: Profile) -> dict[str, Figure | None]:
        task = task_of(under)
        sums = task.sums()
        sums.add(task.compare(theirs, ours, segments))
        return task.figures(sums, *facts)

    after = aligned(reconciled(profile, theirs), reconciled(profile, ours), segments)
    before = aligned(theirs, ours, segments)
    same = figures(profile.only_leaving_out)
    return drift(profile, (before, figures(NONE)), (after, figures(profile)), same, sample)


def text(*rows: str) -> str:
    """One sentence; a row has form, lemma, UPOS and XPOS."""
    return (
        "".join(
            f"{k}\t{form}\t{lemma}\t{tag}\t{own}\t_\t{k - 1}\tdep\t_\t_\n"
            for k, (form, lemma, tag, own) in enumerate((row.split() for row in rows), 1)
        )
        + "\n"
    )


GOLD = text("Zeus Zeus#1 NOUN n", "is be#2 VERB v", ". . PUNCT u", "Ares Ares NOUN n", "x x X x")
PRED = text("Zeus Zeus PROPN Ne", "is be AUX V-", ". , SYM Z", "Ares ares PROPN Ne", "x y X x")


def test_a_convention_goes_and_an_error_stays() -> None:
    found = of(GOLD, PRED, PROIEL)
    before, after = found.columns["UPOS"]
    assert [(c.gold, c.pred, c.count, c.share) for c in before.pairs] == [
        ("NOUN", "PROPN", 2, 50.0),
        ("PUNCT", "SYM", 1, 25.0),
        ("VERB", "AUX", 1, 25.0),
    ]
    assert (before.errors, before.top_share, before.words) == (4, 50, 5)
    assert (after.errors, after.top_share, after.words) == (0, None, 4)
    lemmas = [(m.form, m.gold, m.pred) for m in found.lemmas]
    assert lemmas == [("Ares", "Ares", "ares"), ("x", "x", "y")]
    assert found.left_out == (1, 1)
    assert found.dropped == ("XPOS", "AllTags")
    assert found.columns["XPOS"][0].errors == 4


def test_the_most_common_pair_comes_first_and_ties_go_by_the_cells() -> None:
    gold = text("a a X x", "b b VERB x", "c c VERB x", "d d ADJ x")
    pred = text("a a Y x", "b b NOUN x", "c c NOUN x", "d d ADV x")
    [(before, _)] = [of(gold, pred, NONE).columns["UPOS"]]
    assert [(c.gold, c.pred) for c in before.pairs] == [
        ("VERB", "NOUN"),
        ("ADJ", "ADV"),
        ("X", "Y"),
    ]


def test_figures_stand_side_by_side() -> None:
    said = of(GOLD, PRED, PROIEL).as_dict()["metrics"]
    assert isinstance(said, dict)
    assert (said["UPOS"]["written"]["f1"], said["UPOS"]["reconciled"]["f1"]) == (20, 100)
    assert said["XPOS"]["written"]["f1"] == 20
    assert said["XPOS"]["reconciled"] is None


def test_without_a_profile_nothing_changes() -> None:
    found = of(GOLD, PRED, NONE)
    assert all(before == after for before, after in found.columns.values())
    assert found.written == found.reconciled
    assert (found.left_out, found.dropped) == ((0, 0), ())


def test_a_sample_is_spread_over_the_text_and_always_the_same() -> None:
    rows = [f"w{k} a{k} X x" for k in range(100)]
    gold, pred = text(*rows), text(*(row.replace(" a", " b") for row in rows))
    found = of(gold, pred, NONE, 4)
    assert [m.form for m in found.lemmas] == ["w0", "w25", "w50", "w75"]
    assert found == of(gold, pred, NONE, 4)
    assert of(gold, pred, NONE, 0).lemmas == ()
    assert len(of(gold, pred, NONE, 1000).lemmas) == 100


def test_relations_are_compared_without_subtypes_and_features_as_a_set() -> None:
    gold = GOLD.replace("x\t_\t4\tdep", "x\tB=1|Case=Nom\t4\tdep:x")
    pred = GOLD.replace("x\t_\t4\tdep", "x\tCase=Nom|A=2\t4\tdep:y")
    found = of(gold, pred, NONE)
    assert found.columns["DEPREL"][0].errors == found.columns["FEATS"][0].errors == 0
    other = of(gold, pred.replace("Nom|A=2\t4\tdep:y", "Acc\t4\tobj:y"), NONE)
    assert other.columns["FEATS"][0].pairs[0].as_dict() == {
        "gold": "Case=Nom",
        "pred": "Case=Acc",
        "count": 1,
        "share": 100.0,
    }
    assert other.columns["DEPREL"][0].pairs[0].pred == "obj"


@pytest.mark.parametrize("name", ["en_ewt.p2", "he_htb.p3"])
def test_confusions_are_those_of_the_slow_road(shared: Path, name: str) -> None:
    folder = shared / "data" / "ud"
    gold = (folder / f"{name.partition('.')[0]}.gold.conllu").read_text("utf-8")
    pred = (folder / f"{name}.conllu").read_text("utf-8")
    found = of(gold, pred, PROIEL)
    pairs = facing(words(gold), words(pred))
    judge = right(pairs)
    tags = dict(PROIEL.upos)

    def mapped(tag: str) -> str:
        return tags.get(tag, tag)

    for column, cell in (("UPOS", UPOS), ("XPOS", XPOS), ("LEMMA", LEMMA)):
        wrong = [p for p in pairs if not judge[column](*p)]
        by_hand = Counter((a.cells[cell], b.cells[cell]) for a, b in wrong)
        before = found.columns[column][0]
        assert {(c.gold, c.pred): c.count for c in before.pairs} == by_hand
        assert before.top_share == pytest.approx(100 * max(by_hand.values()) / len(wrong))
        assert [c.count for c in before.pairs] == sorted(by_hand.values(), reverse=True)
    kept = [p for p in pairs if mapped(p[0].cells[UPOS]) not in PROIEL.exclude]
    under = Counter((mapped(a.cells[UPOS]), mapped(b.cells[UPOS])) for a, b in kept)
    under = Counter({pair: n for pair, n in under.items() if pair[0] != pair[1]})
    after = found.columns["UPOS"][1]
    assert {(c.gold, c.pred): c.count for c in after.pairs} == under
    assert sum(c.share for c in after.pairs) == pytest.approx(100)


def test_what_is_left_out_is_told_apart_from_what_is_mapped() -> None:
    """Two of four words are right as written; one of the three that are kept; two under it."""
    gold = text("a a NOUN n", "b b PUNCT p", "c c NOUN n", "d d VERB v")
    pred = text("a a NOUN n", "b b PUNCT p", "c c PROPN n", "d d AUX v")
    profile = Profile("own", (("PROPN", "NOUN"),), exclude=("PUNCT",))
    found = of(gold, pred, profile)
    shown = [figures["UPOS"] for figures in (found.written, found.same_words, found.reconciled)]
    counts = [(one.correct, one.gold) for one in shown if isinstance(one, Count)]
    assert counts == [(2, 4), (1, 3), (2, 3)]


def test_a_class_that_is_mapped_to_an_excluded_one_is_left_out_without_the_mapping_too() -> None:
    gold = text("a a NOUN n", "b b SYM p", "c c PUNCT p")
    profile = Profile("own", (("SYM", "PUNCT"), ("X", "NOUN")), exclude=("PUNCT",))
    found = of(gold, gold, profile)
    for figures in (found.same_words, found.reconciled):
        assert getattr(figures["Words"], "gold", None) == 1
    assert profile.only_leaving_out.exclude == ("SYM", "PUNCT")


def test_a_prediction_without_heads_has_no_relations_to_be_wrong() -> None:
    headless = "".join(
        line if line == "\n" else "\t".join([*line.split("\t")[:6], "_", "_", "_", "_\n"])
        for line in PRED.splitlines(keepends=True)
    )
    for gold, pred in ((GOLD, headless), (headless, GOLD)):
        found = of(gold, pred, PROIEL)
        assert list(found.columns) == ["UPOS", "XPOS", "LEMMA", "FEATS"]
        assert found.written["LAS"] is None


def test_words_left_out_are_counted_also_where_words_cannot_be_compared() -> None:
    gold = text("a a NOUN n", "b b PUNCT p", "c c NOUN n")
    profile = Profile("own", exclude=("PUNCT",), incomparable=("Words",))
    assert of(gold, gold, profile).left_out == (1, 1)
