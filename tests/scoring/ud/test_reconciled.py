"""Trees under a profile: the same as rewriting both texts, and leaving words out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.counts import Count
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.aligned import aligned
from goldlens.scoring.ud.evaluate import Options, evaluate
from goldlens.scoring.ud.profile import FORMS, HOMOGRAPHS, NONE, PROIEL, Form, Profile
from goldlens.scoring.ud.reconciled import Reconciled, reconciled, task_of
from goldlens.scoring.ud.table import UPOS
from goldlens.scoring.ud.task import UD, UniversalDependencies
from goldlens.scoring.ud.unit import Unit
from tests.scoring.analysis.brute import LEMMA, correct_edges, facing, right, words
from tests.scoring.analysis.brute import UPOS as TAG
from tests.strategies import TextPair, pairs, texts

MAPPING = Profile("m", (("NOUN", "VERB"), ("VERB", "X")), "NFC", "1")
EXCLUDING = Profile("e", (("X", "PUNCT"),), exclude=("DET", "NOUN", "PUNCT"))
PROFILES = st.sampled_from([MAPPING, EXCLUDING, PROIEL])
SIDES = st.one_of(pairs().map(lambda both: (both.gold, both.pred)), st.tuples(texts(), texts()))
MATCHES = st.sampled_from(["auto", "stream", "sent_id"])


def units(text: str) -> list[Unit]:
    return UD.parse(UD.split(text.encode()))


def counted(
    task: UniversalDependencies, gold: str, pred: str, match: str = "auto"
) -> list[np.ndarray]:
    theirs, ours = units(gold), units(pred)
    return task.compare(theirs, ours, list(task.pair(theirs, ours, match)))


def total(rows: Sequence[np.ndarray]) -> list[int]:
    sums = UD.sums()
    sums.add(rows)
    found: list[int] = sums.total.tolist()
    return found


def rewritten(profile: Profile, text: str) -> str:
    """A text with what a profile does to its words done by hand."""
    tags = dict(profile.upos)
    lines = text.split("\n")
    for k, line in enumerate(lines):
        cells = line.split("\t")
        if len(cells) == 10 and not line.startswith("#") and cells[0].isdecimal():
            cells[TAG] = tags.get(cells[TAG], cells[TAG])
            cells[LEMMA] = profile.lemma(cells[LEMMA])
            lines[k] = "\t".join(cells)
    return "\n".join(lines)


def test_nothing_to_reconcile_is_the_task_itself() -> None:
    assert task_of(NONE) is UD
    assert task_of(PROIEL) == Reconciled(PROIEL) != Reconciled(MAPPING)
    assert len({Reconciled(PROIEL), Reconciled(PROIEL), Reconciled(MAPPING)}) == 2
    assert task_of(PROIEL).format(0) is UD


def test_the_signature_names_the_profile() -> None:
    assert "|profile:proiel|" in str(task_of(PROIEL).signature("auto", "official"))
    assert "|profile:none|" in str(UD.signature("auto", "official"))


@given(pairs(), st.sampled_from(["auto", "sent_id"]))
def test_mapped_figures_are_those_of_texts_rewritten_by_hand(texts: TextPair, match: str) -> None:
    gold, pred = texts.gold, texts.pred
    found = counted(Reconciled(MAPPING), gold, pred, match)
    by_hand = counted(UD, rewritten(MAPPING, gold), rewritten(MAPPING, pred), match)
    for ours, theirs in zip(found, by_hand, strict=True):
        assert ours[:, : metrics.PROBLEM].tolist() == theirs[:, : metrics.PROBLEM].tolist()


@given(SIDES, PROFILES, MATCHES)
def test_problems_are_those_of_the_texts_as_written(
    sides: tuple[str, str], profile: Profile, match: str
) -> None:
    gold, pred = sides
    found, plain = counted(task_of(profile), gold, pred, match), counted(UD, gold, pred, match)
    for ours, theirs in zip(found, plain, strict=True):
        assert ours.shape == theirs.shape
        assert ours.dtype == theirs.dtype
        assert ours[:, metrics.PROBLEM :].tolist() == theirs[:, metrics.PROBLEM :].tolist()
        assert (ours >= 0).all()


@given(SIDES, PROFILES, MATCHES)
def test_segments_one_by_one_count_what_they_count_together(
    sides: tuple[str, str], profile: Profile, match: str
) -> None:
    task = task_of(profile)
    theirs, ours = map(units, sides)
    segments = list(task.pair(theirs, ours, match))
    together = task.compare(theirs, ours, segments)
    for segment, rows in zip(segments, together, strict=True):
        [alone] = task.compare(theirs, ours, [segment])
        assert alone.tolist() == rows.tolist()


def test_a_word_left_out_is_taken_from_the_sentence_that_it_counts_for() -> None:
    """The predicted b begins, with its token, in gold's first sentence, and faces the second's."""
    row = "\t_\t{}\t_\t_\t{}\tdep\t_\t_\n"
    gold = "1\ta" + row.format("X", 0) + "\n1\tb" + row.format("NOUN", 0) + "\n"
    pred = "1-2\tab" + row.format("_", "_") + "1\ta" + row.format("X", 0)
    pred += "2\tb" + row.format("X", 1) + "\n"
    [rows] = counted(Reconciled(Profile("p", exclude=("NOUN",))), gold, pred)
    words = metrics.COLUMNS.index("gold words"), metrics.COLUMNS.index("predicted words")
    assert rows[:, words].tolist() == [[1, 1], [0, 0]]


def tags_of(profile: Profile, side: Sequence[Unit]) -> list[str]:
    """The tags of all words, as compared."""
    text = b"".join(unit.canonical for unit in reconciled(profile, side)).decode()
    rows = [line.split("\t") for line in text.split("\n")]
    return [row[TAG] for row in rows if len(row) == 10 and row[0].isdecimal()]


@given(SIDES, PROFILES, MATCHES)
def test_words_left_out_count_nowhere(sides: tuple[str, str], profile: Profile, match: str) -> None:
    theirs, ours = map(units, sides)
    segments = list(UD.pair(theirs, ours, match))
    sum_of = total(task_of(profile).compare(theirs, ours, segments))
    found = aligned(reconciled(profile, theirs), reconciled(profile, ours), segments)

    def kept(tags: Sequence[str]) -> np.ndarray:
        return np.array([tag not in profile.exclude for tag in tags], bool)

    gold, pred = map(kept, found.facing(UPOS))
    for name, correct in found.correct.items():
        assert metrics.count(name, sum_of).correct == (correct & gold).sum()
    count = metrics.count("Words", sum_of)
    assert count.correct == metrics.count("UPOS", sum_of).aligned == gold.sum()
    assert count.gold == kept(tags_of(profile, theirs)).sum()
    # What faces a word of gold is left out with it, whatever it is itself.
    assert count.predicted == kept(tags_of(profile, ours)).sum() - pred.sum() + gold.sum()
    for name in ("Tokens", "Sentences"):
        assert metrics.count(name, sum_of) == found.count(name)


def test_many_sentences_are_rewritten_as_one_is() -> None:
    row = "\tx{}#2\tPROPN\t_\t_\t0\troot\t_\t_\n"
    blocks = [f"# {k}\n1\tx{row.format(k)}\n" for k in range(2500)]
    blocks[700] = "no row\n\n"
    side = units("".join(blocks))
    found = [unit.canonical for unit in reconciled(PROIEL, side)]
    assert found == [reconciled(PROIEL, [unit])[0].canonical for unit in side]
    assert not found[700] and b"\tx2499\tNOUN\t" in found[2499]


LEMMAS = [
    "Zo\u0308e",
    "Zo\u0308e#1",
    "ﬁ",
    "a#12",
    "#1",
    "_",
    "7",
    "x\u0663",
    "a_2",
    "b-3",
    "é#1",
    "A",
]
TAGS = [
    "NOUN",
    "NOUNS",
    "NOU",
    "VERB",
    "_",
    "NOUNNOUNNOUN",
    "X",
    "DET",
    "PROPN",
    "AUX",
    "N",
    "NOUN\0",
]


@pytest.mark.parametrize("homograph", [None, *HOMOGRAPHS])
@pytest.mark.parametrize("form", [None, *FORMS])
def test_every_cell_is_rewritten_as_by_hand(form: Form | None, homograph: str | None) -> None:
    profile = Profile("p", (("NOUN", "VERB"), ("VERB", "X"), ("PROPN", "NOUN")), form, homograph)
    rows = [
        f"{k}\t{lemma}\t{lemma}\t{tag}\t_\t_\t{k - 1}\troot\t_\t_\n"
        for k, (lemma, tag) in enumerate(zip(LEMMAS, TAGS, strict=True), 1)
    ]
    text = f"# text = NOUN a#1\n1-2\ta#1\ta#1\tNOUN\t_\t_\t_\t_\t_\t_\n{''.join(rows)}\n"
    [unit] = units(text)
    assert reconciled(profile, [unit])[0].canonical.decode() == rewritten(profile, text)


def by_hand(profile: Profile, gold: str, pred: str) -> dict[str, Count]:
    """Metrics by the slow road, words that are left out taken away one by one."""
    theirs, ours = (words(rewritten(profile, text)) for text in (gold, pred))
    pairs = facing(theirs, ours)
    faced = {id(b) for _, b in pairs}
    out = {id(a) for a in theirs if a.cells[TAG] in profile.exclude}
    out |= {id(b) for a, b in pairs if id(a) in out}
    out |= {id(b) for b in ours if id(b) not in faced and b.cells[TAG] in profile.exclude}
    judge = right(pairs)
    columns = {
        "UPOS": ("UPOS",),
        "UFeats": ("FEATS",),
        "Lemmas": ("LEMMA",),
        "UAS": ("HEAD",),
        "LAS": ("HEAD", "DEPREL"),
        "CLAS": ("HEAD", "DEPREL"),
        "BLEX": ("HEAD", "DEPREL", "LEMMA"),
    }
    found = {}
    for name, needed in columns.items():
        content = name in ("CLAS", "BLEX")
        kept = [p for p in pairs if id(p[0]) not in out and (not content or p[0].content)]
        sizes = [
            sum(id(w) not in out and (not content or w.content) for w in side)
            for side in (theirs, ours)
        ]
        correct = sum(all(judge[column](a, b) for column in needed) for a, b in kept)
        found[name] = Count(correct, *sizes, len(kept))
    for name, subtypes in (("ELAS", True), ("EULAS", False)):
        agreeing = correct_edges(pairs, subtypes=subtypes)
        sizes = [sum(len(w.edges) for w in side if id(w) not in out) for side in (theirs, ours)]
        found[name] = Count(sum(n for (a, _), n in agreeing if id(a) not in out), *sizes)
    return found


@pytest.mark.parametrize("name", ["en_ewt.p2", "he_htb.p3", "zh_gsd.p1", "cs_cac.e1"])
@pytest.mark.parametrize("profile", [PROIEL, EXCLUDING, Profile("nothing")], ids=lambda p: p.name)
def test_figures_are_those_of_the_slow_road(shared: Path, name: str, profile: Profile) -> None:
    folder = shared / "data" / "ud"
    gold = (folder / f"{name.partition('.')[0]}.gold.conllu").read_text("utf-8")
    pred = (folder / f"{name}.conllu").read_text("utf-8")
    sum_of = total(counted(task_of(profile), gold, pred))
    for metric, count in by_hand(profile, gold, pred).items():
        assert metrics.count(metric, sum_of) == count, metric
    files = ((folder / f"{n}.conllu").open("rb") for n in (f"{name.partition('.')[0]}.gold", name))
    with next(files) as theirs, next(files) as ours:
        streamed = evaluate(theirs, ours, Options(profile=profile)).total.tolist()
    assert streamed[: metrics.PROBLEM] == sum_of[: metrics.PROBLEM]


@given(pairs(), st.sampled_from([EXCLUDING, Profile("nothing")]))
def test_edges_are_those_of_the_slow_road(texts: TextPair, profile: Profile) -> None:
    sum_of = total(counted(task_of(profile), texts.gold, texts.pred))
    slow = by_hand(profile, texts.gold, texts.pred)
    for metric in ("ELAS", "EULAS"):
        assert metrics.count(metric, sum_of) == slow[metric], metric


def test_metrics_that_cannot_be_compared_are_undefined() -> None:
    sums = UD.sums()
    found = task_of(PROIEL).figures(sums, (0, 0, 0), (0, 0, 0), strict=True)
    undefined = [name for name, figure in found.items() if figure is None]
    assert undefined == ["XPOS", "AllTags", "AllTagsAll"]
