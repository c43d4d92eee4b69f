"""Figures by group: words counted one by one, and sums that are the counts of the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.analysis.breakdown import Breakdown, Group, binned
from goldlens.scoring.analysis.grouping import (
    GROUPINGS,
    UNCOMPARED,
    by_feature,
    by_form,
    counted,
    documents,
    genre,
)
from goldlens.scoring.analysis.shapes import depth_of
from goldlens.scoring.analysis.trees import TreePair
from goldlens.scoring.analysis.unseen import forms_of
from goldlens.scoring.ud.cells import Ints
from goldlens.scoring.ud.table import ROOT, WRONG
from goldlens.scoring.ud.task import UD
from tests.scoring.analysis.brute import FORM, UPOS, Word
from tests.scoring.analysis.slow import PAIRS, Slow, texts_of, tree_pair
from tests.strategies import texts

GOLD = """\
# newdoc id = first
# sent_id = mail-1
1	We	we	PRON	_	_	2	nsubj	_	_
2	like	like	VERB	_	_	0	root	_	_
3	green	green	ADJ	_	_	4	amod	_	_
4	tea	tea	NOUN	_	_	2	obj	_	_

# newdoc
# sent_id = blog_post-1
1	Tea	tea	NOUN	_	_	0	root	_	_

"""
PRED = GOLD.replace(
    "3	green	green	ADJ	_	_	4", "3	green	green	NOUN	_	_	2"
).replace(
    "4	tea	tea	NOUN	_	_	2	obj",
    "4	tea	tea	NOUN	_	_	2	nsubj",
)


def rows(found: Breakdown | None, *metrics: str) -> list[tuple[object, ...]]:
    """Name, gold words, predicted words, correct ones."""
    assert found is not None
    return [
        (group.name, group.gold, group.predicted, *(group.correct[m] for m in metrics))
        for group in found.groups
    ]


@pytest.mark.parametrize(
    ("by", "metrics", "expected"),
    [
        (
            "upos",
            ("UPOS", "LAS"),
            [("NOUN", 2, 3, 2, 1), ("ADJ", 1, 0, 0, 0), ("PRON", 1, 1, 1, 1), ("VERB", 1, 1, 1, 1)],
        ),
        (
            "relation",
            ("UAS", "LAS"),
            [("root", 2, 2, 2, 2), ("amod", 1, 1, 0, 0), ("nsubj", 1, 2, 1, 1),
             ("obj", 1, 0, 1, 0)],
        ),
        ("length", ("LAS",), [("1-5", 5, None, 3)]),
        ("distance", ("UAS",), [("root", 2, None, 2), ("1", 2, None, 1), ("2", 1, None, 1)]),
        ("depth", ("UAS",), [("0", 2, None, 2), ("1", 2, None, 2), ("2", 1, None, 0)]),
        ("document", ("LAS",), [("first", 4, None, 2), ("(document 2)", 1, None, 1)]),
        ("genre", ("LAS",), [("mail", 4, None, 2), ("blog_post", 1, None, 1)]),
    ],
)  # fmt: skip
def test_words_by_group(
    by: str, metrics: tuple[str, ...], expected: list[tuple[object, ...]]
) -> None:
    assert rows(GROUPINGS[by](tree_pair(GOLD, PRED), "LAS"), *metrics) == expected


def test_precision_and_f1_of_what_both_sides_have() -> None:
    found = GROUPINGS["upos"](tree_pair(GOLD, PRED), "LAS")
    assert found is not None and found.both == "UPOS"
    noun = found.groups[0]
    assert (noun.recall("UPOS"), noun.count("UPOS").precision) == (100, pytest.approx(200 / 3))
    assert found.as_dict()["groups"][0]["f1"] == 80  # type: ignore[index]


def test_seen_and_unseen_forms() -> None:
    known = forms_of(b"1-2\tdel\t_\n1\tde\tx\n2.1\tTea\tx\n2\ttea\tx\n# 3\tWe\tx\n".splitlines())
    assert known == {"de", "tea"}
    found = by_form(tree_pair(GOLD, PRED), "LAS", known)
    assert rows(found, "LAS") == [("seen", 1, None, 0), ("unseen", 4, None, 3)]


def test_forms_are_the_same_in_any_unicode_form() -> None:
    text = "1\tcafé\tx\tX\t_\t_\t0\troot\t_\t_\n\n"
    pair = tree_pair(*[normalize("NFD", text)] * 2)
    known = forms_of([normalize("NFC", text).encode()])
    assert rows(by_form(pair, "LAS", known)) == [("seen", 1, None)]
    assert forms_of([normalize("NFD", text).encode()]) == {normalize("NFC", "café")}


def test_features_by_name() -> None:
    gold = GOLD.replace("PRON	_	_", "PRON	_	Case=Nom|Number=Plur").replace(
        "tea	NOUN	_	_", "tea	NOUN	_	Number=Sing"
    )
    pred = gold.replace("Case=Nom|Number=Plur", "Case=Acc|Person=1|Number=Plur")
    assert rows(by_feature(tree_pair(gold, pred)), "value") == [
        ("Number", 3, 3, 3),
        ("Case", 1, 1, 0),
        ("Person", 0, 1, 0),
    ]


def test_what_is_not_compared_is_a_group_of_its_own() -> None:
    pred = PRED.replace("Tea	tea", "Coffee	coffee")
    for by, group in GROUPINGS.items():
        found = group(tree_pair(GOLD, pred), "LAS")
        assert found is not None
        last = found.groups[-1]
        both = 1 if by in ("upos", "relation") else None
        assert (last.name, last.gold, last.predicted, last.correct["LAS"]) == (
            UNCOMPARED, 1, both, 0,
        )  # fmt: skip


def test_there_are_no_documents_or_genres_where_nothing_names_them() -> None:
    bare = "\n".join(line for line in GOLD.split("\n") if not line.startswith("#"))
    pair = tree_pair(bare, bare)
    assert GROUPINGS["document"](pair, "LAS") is None
    assert GROUPINGS["genre"](pair, "LAS") is None


@pytest.mark.parametrize(
    ("sent_id", "expected"),
    [
        (b"weblog-juancole.com_x_2005-0001", "weblog"),
        (b"GUM_academic_art-1", "GUM_academic"),
        (b"n01001011", "n"),
        (b"email_01", "email"),
        ("éa-1".encode(), "éa"),
        (b"5726", None),
        (b"-a", None),
        (None, None),
    ],
)
def test_a_genre_is_the_letters_with_which_a_sent_id_begins(
    sent_id: bytes | None, expected: str | None
) -> None:
    assert genre(sent_id) == expected


@pytest.mark.parametrize(
    ("comments", "expected"),
    [
        (["# newdoc id = a", "", "# newdoc id = b"], ["a", "a", "b"]),
        (["", "# newdoc", "# newdoc_id = x"], [None, "(document 1)", "(document 1)"]),
        (["# newdoc id = a\r", "# newdoc", "#newdoc id=c d"], ["a", "(document 2)", "c d"]),
    ],
)
def test_documents_begin_with_newdoc(comments: list[str], expected: list[str | None]) -> None:
    row = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n"
    text = "".join(f"{comment}\n{row}" if comment else row for comment in comments)
    assert documents(UD.parse(UD.split(text.encode()))) == expected


def test_bins_are_named_by_what_they_hold() -> None:
    assert binned([1, 2, 3, 7]) == ["1", "2", "3-6", "7+"]


def array(values: list[int]) -> Ints:
    return np.array(values, np.int64)


def slow_depth(heads: list[int], word: int) -> int:
    depth = 0
    while heads[word] >= 0 and depth <= len(heads):
        word, depth = heads[word], depth + 1
    return depth if heads[word] == ROOT else -1


@given(st.lists(st.integers(-2, 12), max_size=12))
def test_the_way_to_the_root_is_counted_in_any_graph(heads: list[int]) -> None:
    heads = [head if head < len(heads) else ROOT for head in heads]
    found = depth_of(array(heads))
    assert found.tolist() == [slow_depth(heads, word) for word in range(len(heads))]


def test_a_long_chain_is_as_deep_as_it_is_long() -> None:
    assert depth_of(array([ROOT, *range(5000)])).tolist() == list(range(5001))
    assert depth_of(array([1, 0, 1, WRONG, 3])).tolist() == [-1] * 5


def check_sums(pair: TreePair, found: Breakdown) -> None:
    words = pair.aligned.count("Words")
    assert sum(group.gold for group in found.groups) == words.gold
    if found.groups and found.groups[0].predicted is not None:
        assert sum(group.predicted or 0 for group in found.groups) == words.predicted
    for metric in found.metrics:
        correct = sum(group.correct[metric] for group in found.groups)
        assert correct == pair.aligned.count(metric).correct


def slow_groups(slow: Slow, by: Callable[[Word], str | None]) -> Counter[tuple[str | None, str]]:
    """Words, and words that are right by LAS and UPOS, by group."""
    found: Counter[tuple[str | None, str]] = Counter()
    for a in slow.gold:
        found[by(a), "gold"] += 1
    for a, b in slow.pairs:
        head = slow.head_right(a, b)
        found[by(a), "UAS"] += head
        found[by(a), "LAS"] += head and a.relation == b.relation
        found[by(a), "UPOS"] += a.cells[UPOS] == b.cells[UPOS]
    return found


def slow_binned(value: int, bounds: list[tuple[int, int, str]]) -> str:
    return next(name for low, high, name in bounds if low <= value <= high)


LENGTHS = [(1, 5, "1-5"), (6, 10, "6-10"), (11, 20, "11-20"), (21, 30, "21-30"), (31, 50, "31-50"),
           (51, 9999, "51+")]  # fmt: skip
DISTANCES = [(1, 1, "1"), (2, 2, "2"), (3, 6, "3-6"), (7, 9999, "7+")]
DEPTHS = [*((k, k, str(k)) for k in range(6)), (6, 7, "6-7"), (8, 9999, "8+")]


@pytest.mark.parametrize("name", PAIRS)
def test_groups_are_those_of_the_slow_road(shared: Path, name: str) -> None:
    gold, pred = texts_of(shared, name)
    slow, pair = Slow(gold, pred), tree_pair(gold, pred)
    sizes: dict[int, int] = {}
    place: dict[int, tuple[str | None, str]] = {}
    words = iter(slow.gold)
    document: str | None = None
    for block in gold.split("\n\n"):
        lines = block.split("\n")
        own = [next(words) for line in lines if line.split("\t")[0].isdigit()]
        prefix = ""
        for line in lines:
            if line.startswith("# newdoc id = "):
                document = line.removeprefix("# newdoc id = ")
            if line.startswith("# sent_id = "):
                prefix = line.removeprefix("# sent_id = ").split("-")[0]
        for word in own:
            sizes[id(word)], place[id(word)] = len(own), (document, prefix)

    def distance(word: Word) -> str:
        if word.head is None:
            return "root"
        return slow_binned(abs(int(word.cells[0]) - int(word.head.cells[0])), DISTANCES)

    def depth(word: Word) -> str:
        steps, at = 0, word
        while at.head is not None:
            steps, at = steps + 1, at.head
        return slow_binned(steps, DEPTHS)

    ways: dict[str, Callable[[Word], str | None]] = {
        "upos": lambda word: word.cells[UPOS],
        "relation": lambda word: word.relation,
        "length": lambda word: slow_binned(sizes[id(word)], LENGTHS),
        "distance": distance,
        "depth": depth,
    }
    if name.startswith("en_ewt"):
        ways["document"] = lambda word: place[id(word)][0]
        ways["genre"] = lambda word: place[id(word)][1]
    for by, way in ways.items():
        found = GROUPINGS[by](pair, "LAS")
        assert found is not None
        check_sums(pair, found)
        expected = slow_groups(slow, way)
        for group in found.groups:
            assert group.gold == expected[group.name, "gold"], (by, group)
            for metric in ("UAS", "LAS", "UPOS"):
                assert group.correct[metric] == expected[group.name, metric], (by, group)
        if by in ("upos", "relation"):
            ours = Counter(map(way, slow.pred))
            assert {
                group.name: group.predicted for group in found.groups if group.predicted
            } == ours


def test_seen_forms_of_real_text(shared: Path) -> None:
    gold, pred = texts_of(shared, "en_ewt.p2")
    training = texts_of(shared, "en_ewt.p1")[1][: len(pred) // 2]
    known = {normalize("NFC", line.split("\t")[1]) for line in training.split("\n")
             if line.split("\t")[0].isdigit() and line.count("\t") > 1}  # fmt: skip
    slow, pair = Slow(gold, pred), tree_pair(gold, pred)
    assert forms_of(training.encode().split(b"\n")) == known
    found = by_form(pair, "LAS", known)
    check_sums(pair, found)
    expected = slow_groups(slow, lambda w: "seen" if w.cells[FORM] in known else "unseen")
    for group in found.groups:
        assert group.gold == expected[group.name, "gold"] > 0
        assert group.correct["LAS"] == expected[group.name, "LAS"]


@given(texts(), texts())
def test_any_texts_have_groups_and_their_sums_are_the_score(gold: str, pred: str) -> None:
    pair = tree_pair(gold, pred)
    for group in GROUPINGS.values():
        if (found := group(pair, "AllTags")) is not None:
            check_sums(pair, found)
            assert "AllTags" in found.metrics
    check_sums(pair, by_form(pair, "LAS", {"a"}))
    by_feature(pair)


def test_metrics_of_content_words_have_no_groups() -> None:
    pair = tree_pair(GOLD, PRED)
    assert counted(pair, "MLAS") == ("UPOS", "UFeats", "Lemmas", "UAS", "LAS")
    assert "XPOS" in counted(pair, "XPOS")
    headless = "\n".join(
        "\t".join([*line.split("\t")[:6], "_", "_", "_", "_"]) if "\t" in line else line
        for line in GOLD.split("\n")
    )
    assert counted(tree_pair(GOLD, headless), "UPOS") == ("UPOS", "UFeats", "Lemmas")


def test_an_empty_group_has_figures_too() -> None:
    assert Group("x", 0, 0, {"LAS": 0}).recall("LAS") == 0
    with pytest.raises(KeyError):
        Group("x", 0, 0, {}).recall("LAS")
