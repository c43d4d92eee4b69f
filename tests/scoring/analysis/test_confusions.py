"""What was taken for what: counted as words counted one by one, placed where it stands."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from sklearn.metrics import confusion_matrix

from goldlens.scoring.analysis.agreement import NEEDS, Agreement
from goldlens.scoring.analysis.confusion import Confusions
from goldlens.scoring.analysis.differences import COLUMNS
from goldlens.scoring.analysis.features import features
from goldlens.scoring.analysis.matrix import OTHER, Matrix, tree_matrix
from goldlens.scoring.analysis.whatif import Priced, confusions
from tests.scoring.analysis.brute import DEPREL, FEATS, LEMMA, UPOS, XPOS, Word
from tests.scoring.analysis.slow import PAIRS, Slow, texts_of, tree_pair
from tests.strategies import TextPair, pairs, texts

CELLS = {"upos": UPOS, "xpos": XPOS, "lemma": LEMMA, "deprel-full": DEPREL}

GOLD = """\
# sent_id = one
1	We	we	PRON	PRP	Case=Nom|Number=Plur	2	nsubj	_	_
2	like	like	VERB	VBP	Mood=Ind	0	root	_	_
3	tea	tea	NOUN	NN	Number=Sing	2	obj	_	_

# sent_id = two
1-2	vámonos	_	_	_	_	_	_	_	_
1	vamos	ir	VERB	_	Mood=Imp	0	root	_	_
2	nos	_	PRON	_	Case=Acc	1	obj:refl	_	_

"""
PRED = (
    GOLD.replace("1	We	we	PRON	PRP", "1	We	us	NOUN	PRP")
    .replace("NN	Number=Sing	2", "NNP	Number=Plur	1")
    .replace("ir	VERB", "ir	NOUN")
    .replace("Case=Acc	1	obj:refl", "Case=Dat|Number=Plur	1	obj")
    .replace("2	nos	_", "2	nos	nos")
)


def agreement(gold: str, pred: str) -> Agreement:
    return Agreement.of(tree_pair(gold, pred))


def counted(found: Confusions) -> Counter[tuple[str | None, str | None, str | None]]:
    return Counter({(one.of, one.gold, one.pred): one.count for one in found.listed})


def slow_confusions(slow: Slow, column: str) -> Counter[tuple[str | None, ...]]:
    found: Counter[tuple[str | None, ...]] = Counter()
    for a, b in slow.pairs:
        if column == "heads":
            if not slow.head_right(a, b):
                found[None, _tag(a), _tag(b)] += 1
        elif column == "feats":
            if a.features == b.features:
                continue
            theirs, ours = (dict(part.split("=") for part in w.features) for w in (a, b))
            for name in theirs.keys() | ours.keys():
                if theirs.get(name) != ours.get(name):
                    found[name, theirs.get(name), ours.get(name)] += 1
        elif column == "deprel":
            if a.relation != b.relation:
                found[None, a.relation, b.relation] += 1
        else:
            theirs, ours = a.cells[CELLS[column]], b.cells[CELLS[column]]
            if theirs != ours and (column != "lemma" or theirs != "_"):
                found[None, theirs, ours] += 1
    return found


def _tag(word: Word) -> str:
    return "ROOT" if word.head is None else word.head.cells[UPOS]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("upos", {(None, "PRON", "NOUN"): 1, (None, "VERB", "NOUN"): 1}),
        ("xpos", {(None, "NN", "NNP"): 1}),
        ("lemma", {(None, "we", "us"): 1}),
        ("deprel", {}),
        ("deprel-full", {(None, "obj:refl", "obj"): 1}),
        ("heads", {(None, "VERB", "NOUN"): 1}),
        (
            "feats",
            {
                ("Number", "Sing", "Plur"): 1,
                ("Case", "Acc", "Dat"): 1,
                ("Number", None, "Plur"): 1,
            },
        ),
    ],
)
def test_what_gold_has_and_what_stands_there_instead(
    column: str, expected: dict[tuple[str | None, ...], int]
) -> None:
    found = confusions(agreement(GOLD, PRED), column, "LAS")
    assert counted(found) == expected
    assert (found.items, found.errors) == (5, sum(expected.values()))
    assert sum(one.share for one in found.listed) == pytest.approx(100.0 if expected else 0.0)


def test_examples_name_the_word_and_its_lines_on_both_sides() -> None:
    longer = "# newdoc\n" + PRED.replace("# sent_id = two", "# text = x\n# sent_id = two")
    [found] = confusions(agreement(GOLD, longer), "deprel-full", "LAS").listed
    [place] = found.places
    assert (place.name, place.gold_line, place.line, place.text) == ("two", 9, 11, "nos")


def test_examples_are_the_first_in_the_text() -> None:
    tags = ["NOUN", "VERB", "ADJ"] * 40
    gold = "".join(f"1\t{k}\t_\t{tag}\t_\t_\t0\troot\t_\t_\n\n" for k, tag in enumerate(tags))
    pred = gold.replace("NOUN", "X").replace("VERB", "X").replace("ADJ", "X")
    for one in confusions(agreement(gold, pred), "upos", "LAS").listed:
        first = tags.index(str(one.gold))
        assert [place.text for place in one.places] == [str(first), str(first + 3), str(first + 6)]
        assert one.places[0].line == 2 * first + 1


def test_an_example_without_a_name_has_that_of_gold() -> None:
    nameless = PRED.replace("# sent_id = one\n", "")
    [found] = confusions(agreement(GOLD, nameless), "xpos", "LAS").listed
    assert (found.places[0].name, found.places[0].line, found.places[0].gold_line) == ("one", 3, 4)


def test_the_most_frequent_come_first_and_top_says_how_many() -> None:
    text = GOLD * 3 + GOLD.replace("NOUN", "ADJ")
    found = confusions(
        agreement(text, text.replace("PRON", "X").replace("ADJ", "X")), "upos", "LAS"
    )
    assert [(one.gold, one.count) for one in found.listed] == [("PRON", 8), ("ADJ", 1)]
    assert found.listed[0].share == pytest.approx(100 * 8 / 9)
    cut = confusions(
        agreement(text, text.replace("PRON", "X").replace("ADJ", "X")), "upos", "LAS", 1
    )
    assert (cut.errors, cut.distinct, len(cut.listed)) == (9, 2, 1)
    assert len(cut.listed[0].places) == 3


@pytest.mark.parametrize(
    ("cell", "values"),
    [
        ("_", {}),
        ("Case=Nom|Typo=Yes", {"Case": "Nom"}),
        ("|Case=Nom|", {"Case": "Nom"}),
        ("Case=Nom|Case=Acc", {"Case": "Acc|Nom"}),
        ("Number", {"Number": ""}),
        ("Number=", {"Number": "="}),
        ("Number==", {"Number": "=="}),
        ("Number=a=b", {"Number": "a=b"}),
        ("Number[psor]=Sing", {}),
    ],
)
def test_features_by_name(cell: str, values: dict[str, str]) -> None:
    assert features(cell)[0] == values


def test_a_matrix_has_the_right_ones_on_its_diagonal() -> None:
    pair = tree_pair(GOLD, PRED)
    found = tree_matrix(pair, "upos")
    assert found.labels == ("PRON", "VERB", "NOUN")
    assert found.counts == ((1, 0, 1), (0, 1, 1), (0, 0, 1))
    assert found.cut(2).labels == ("PRON", OTHER)
    assert found.cut(2).counts == ((1, 1), (0, 3))
    assert tree_matrix(pair, "upos", 2) == found.cut(2)
    # However much is counted, it is not told one by one.
    many = Matrix("upos", ("A", "B", "C"), ((10**15, 1, 2), (3, 4, 5), (6, 7, 10**15)))
    assert many.cut(2).labels == ("A", OTHER)
    assert many.cut(2).counts == ((10**15, 3), (9, 10**15 + 16))
    assert many.cut(3) is many
    number = tree_matrix(pair, "Number")
    assert {label: sum(row) for label, row in zip(number.labels, number.counts, strict=True)} == {
        None: 3,
        "Plur": 1,
        "Sing": 1,
    }


@pytest.mark.parametrize("name", PAIRS)
def test_confusions_are_those_of_the_slow_road(shared: Path, name: str) -> None:
    gold, pred = texts_of(shared, name)
    slow, fast = Slow(gold, pred), agreement(gold, pred)
    lines = (gold.split("\n"), pred.split("\n"))
    for column in COLUMNS:
        found = confusions(fast, column, "LAS")
        assert counted(found) == slow_confusions(slow, column), column
        assert found.items == len(slow.pairs)
        assert found.errors == sum(one.count for one in found.listed)
        for one in found.listed:
            for place in one.places:
                assert place.line is not None and place.gold_line is not None
                theirs = lines[0][place.gold_line - 1].split("\t")
                ours = lines[1][place.line - 1].split("\t")
                assert ours[1] == place.text
                if column in CELLS:
                    assert theirs[CELLS[column]] == one.gold
                    assert ours[CELLS[column]] == one.pred
                if column == "feats":
                    assert (f"{one.of}={one.gold}" in theirs[FEATS]) == (one.gold is not None)
                    assert (f"{one.of}={one.pred}" in ours[FEATS]) == (one.pred is not None)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("column", ["upos", "deprel"])
def test_a_matrix_is_that_of_scikit_learn(shared: Path, name: str, column: str) -> None:
    gold, pred = texts_of(shared, name)
    slow, found = Slow(gold, pred), tree_matrix(tree_pair(gold, pred), column)
    values = [
        [w.cells[UPOS] if column == "upos" else w.relation for w in side]
        for side in zip(*slow.pairs, strict=True)
    ]
    expected = confusion_matrix(*values, labels=list(found.labels))
    assert [list(row) for row in found.counts] == expected.tolist()
    assert set(found.labels) == {value for side in values for value in side}


@given(pairs())
def test_pairs_that_the_script_accepts_are_counted_alike(both: TextPair) -> None:
    slow, fast = Slow(both.gold, both.pred), agreement(both.gold, both.pred)
    for column in COLUMNS:
        if column != "feats":
            assert counted(confusions(fast, column, "UPOS")) == slow_confusions(slow, column)
    for metric in NEEDS:
        assert fast.count(metric) == fast.pair.aligned.count(metric)


@given(texts(), texts())
def test_any_texts_are_counted_and_the_sums_agree(gold: str, pred: str) -> None:
    fast = agreement(gold, pred)
    words = len(fast.pair.gold_word)
    for metric in NEEDS:
        assert fast.count(metric) == fast.pair.aligned.count(metric)
    compared = {
        "upos": "UPOS",
        "xpos": "XPOS",
        "lemma": "Lemmas",
        "heads": "UAS",
        "feats": "UFeats",
    }
    for column, metric in compared.items():
        found = confusions(fast, column, "MLAS")
        wrong = words - fast.pair.aligned.count(metric).correct
        assert found.errors == sum(one.count for one in found.listed)
        assert found.errors >= wrong if column == "feats" else found.errors == wrong
        if column != "heads":
            assert all(one.gold != one.pred for one in found.listed)
    for column in ("upos", "deprel", "heads", "lemma", "Case", "Nonesuch"):
        matrix = tree_matrix(fast.pair, column, 3)
        assert sum(map(sum, matrix.counts)) == words
        assert len(matrix.labels) <= 3


def test_an_unknown_column_or_metric_is_none() -> None:
    fast = agreement(GOLD, PRED)
    with pytest.raises(KeyError):
        confusions(fast, "form", "LAS")
    with pytest.raises(KeyError):
        Priced(fast, "upos", "ELAS")
