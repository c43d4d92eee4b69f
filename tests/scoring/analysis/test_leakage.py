"""Sentences of folds found in training: by id, by forms, and never by less."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.analysis.leakage import Leak, Rest, Search, manifest, title
from goldlens.scoring.analysis.surface import Block, Sentence, format_of, read
from goldlens.scoring.conllu.blocks import split
from tests import strategies

TEST, TRAIN = "test.conllu", "train.conllu"


class Made(NamedTuple):
    """A sentence of a test: its id and its tokens."""

    name: str | None
    forms: tuple[str, ...]


def made(text: str, name: str | None = None) -> Made:
    return Made(name, tuple(text.split(" ")))


def written(sentences: Iterable[Made]) -> bytes:
    """The sentences as CoNLL-U."""
    found = ""
    for name, forms in sentences:
        found += f"# sent_id = {name}\n" if name else ""
        for k, form in enumerate(forms, 1):
            found += "\t".join([str(k), form, *["_"] * 8]) + "\n"
        found += "\n"
    return found.encode()


def blocks(text: bytes, task: str = "ud") -> list[Block]:
    return list(read(io.BytesIO(text), format_of(task, text)))


def sentences(text: bytes) -> list[Sentence]:
    return [each.sentence for each in blocks(text) if each.sentence is not None]


def searched(
    folds: dict[str, Sequence[Made]],
    training: Sequence[Made],
    way: str = "both",
    least: int = 1,
    file: str = TRAIN,
) -> tuple[Search, list[Leak]]:
    search = Search({f: sentences(written(each)) for f, each in folds.items()}, way, least)
    found = [search.find(each, file) for each in sentences(written(training))]
    return search, [each for each in found if each is not None]


def how(test: Made, training: Made, file: str = TRAIN) -> str:
    """How one training sentence is found as one sentence of a fold."""
    _, leaks = searched({TEST: [test]}, [training], file=file)
    if not leaks:
        return "not"
    [leak] = leaks
    return {
        (True, True): "id and forms",
        (True, False): "id",
        (False, True): "forms",
    }[leak.by_id, leak.same_forms]


def test_the_same_id_is_verified_by_the_forms() -> None:
    assert how(made("a b", "s1"), made("a b", "s1")) == "id and forms"
    assert how(made("a b", "s1"), made("a c", "s1")) == "id"
    assert how(made("a b", "s1"), made("a c", "s2")) == "not"
    assert how(made("a b", "s1"), made("a c", "S1")) == "not"


def test_the_same_forms_are_found_under_another_id_and_under_none() -> None:
    for name in ("s1", "s2", None):
        assert how(made("a b"), made("a b", name)) == "forms"
        assert how(made("a b", "s0"), made("a b", name)) == "forms"


NEAR = [
    ("The dog sleeps .", "another form"),
    ("The cat sleeps . .", "a token more"),
    ("The cat sleeps", "a token fewer"),
    ("cat The sleeps .", "another order"),
    ("the cat sleeps .", "another case"),
    ("The cat sleeps.", "tokens merged"),
    ("The cat sleep s .", "a token split"),
    ("Thecat sleeps .", "other borders"),
    ("The cat sleeps ．", "a compatible character"),
    ("The cat sleeps\u200b .", "a space without width"),
    ("The\u00a0cat sleeps .", "a space inside a token"),
]


@pytest.mark.parametrize(("text", "why"), NEAR, ids=[why for _, why in NEAR])
def test_a_near_miss_is_none(text: str, why: str) -> None:
    assert how(made("The cat sleeps ."), made(text)) == "not"


def test_nfd_is_found_as_nfc() -> None:
    apart = unicodedata.normalize("NFD", "Ὀδυσσεύς ἦν")
    assert how(made("Ὀδυσσεύς ἦν"), made(apart)) == "forms"
    assert how(made(apart), made("Ὀδυσσεύς ἦν")) == "forms"


FORMS = st.text(st.sampled_from("abA-é\u0301ﬁ "), min_size=1, max_size=4)


@given(st.lists(FORMS, min_size=1, max_size=6), st.data())
def test_no_change_of_one_token_goes_unnoticed(forms: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(forms) - 1))
    new = data.draw(st.lists(FORMS, max_size=3))
    other = forms[:at] + new + forms[at + 1 :]
    same = [unicodedata.normalize("NFC", form) for form in forms] == [
        unicodedata.normalize("NFC", form) for form in other
    ]
    expected = "forms" if same else "not"
    if other:
        assert how(Made(None, tuple(forms)), Made(None, tuple(other))) == expected


REFERENCE = "tlg0012.tlg001.perseus-grc1.tb.xml@5"


@pytest.mark.parametrize(
    ("test", "training", "file", "found"),
    [
        (REFERENCE, f"agdt/{REFERENCE}", TRAIN, True),
        (REFERENCE, f"train-{REFERENCE}-a", TRAIN, True),
        (f"grc_perseus_{REFERENCE}", REFERENCE, TRAIN, True),
        (REFERENCE, REFERENCE.replace("@5", "@005"), TRAIN, True),
        (REFERENCE, REFERENCE.replace(".tb.xml", ""), TRAIN, True),
        (REFERENCE, f"urn:cts:{REFERENCE}.7", TRAIN, True),
        (REFERENCE, "5", "agdt/tlg0012.tlg001.perseus-grc1.tb.conllu", True),
        ("5", REFERENCE, TRAIN, False),
        (REFERENCE, "5", TRAIN, False),
        (REFERENCE, "6", "tlg0012.tlg001.perseus-grc1.tb.conllu", False),
        (REFERENCE, REFERENCE.replace("@5", "@50"), TRAIN, False),
        (REFERENCE, REFERENCE.replace("tlg001.", "tlg002."), TRAIN, False),
        (REFERENCE, f"x{REFERENCE}", TRAIN, False),
        ("a@x", "b@x", TRAIN, False),
    ],
)
def test_a_source_reference_counts_whatever_is_around_it(
    test: str, training: str, file: str, found: bool
) -> None:
    assert how(made("a", test), made("b", training), file) == ("id" if found else "not")
    assert how(made("a", test), made("a", training), file) == ("id and forms" if found else "forms")


def test_an_id_that_is_the_same_goes_before_a_reference() -> None:
    fold = [made("a", "doc@1.s1"), made("b", "doc@1.s2")]
    search, leaks = searched({TEST: fold}, [made("b", "doc@1.s2"), made("c", "doc@1.s3")])
    assert [title(leak.evaluation) for leak in leaks] == ["doc@1.s2", "doc@1.s1"]
    assert (search.checked, search.form_identical) == (3, 1)


def test_a_very_long_id_takes_no_long_time() -> None:
    assert how(made("a", "x@1"), made("b", "y" * 300_000)) == "not"
    assert how(made("a", "x@1"), made("b", "y" * 300_000 + "@")) == "not"


def test_few_tokens_do_not_count_by_themselves_if_so_many_are_asked_for() -> None:
    fold = [made("Thank you .", "t1"), made("Hello !", "t2"), made("a b c d", "t3")]
    training = [made("Thank you ."), made("Hello !", "t2"), made("a b c d")]
    search, leaks = searched({TEST: fold}, training, least=4)
    assert [leak.training.number for leak in leaks] == [2, 3]
    split = search.splits()[TEST]
    assert (split.found, split.by_forms, split.too_short) == (2, 2, 1)
    search, leaks = searched({TEST: fold}, training, least=3)
    assert len(leaks) == 3 and search.splits()[TEST].too_short == 0


def test_ids_alone_or_forms_alone() -> None:
    fold = [made("a b", "t1"), made("c d", "t2")]
    training = [made("x", "t1"), made("c d", "u")]
    search, leaks = searched({TEST: fold}, training, "id")
    assert [leak.training.number for leak in leaks] == [1]
    assert search.splits()[TEST].ids == ("t1",)
    search, leaks = searched({TEST: fold}, training, "forms")
    assert [leak.training.number for leak in leaks] == [2]
    assert search.splits()[TEST].ids == ("t2",)
    assert search.checked == 0


@pytest.mark.parametrize("training", [[], [made("a b", "d1")], [made("a b")], [made("x", "d1")]])
def test_a_fold_of_one_sentence_has_numbers_like_any_other(training: list[Made]) -> None:
    search, _ = searched({"dev": [made("a b", "d1")]}, [*training, made("z")])
    numbers = search.splits()["dev"].as_dict()
    del numbers["ids"]
    assert {type(number) for number in numbers.values()} == {int}


def test_the_manifest_has_these_keys_and_says_what_was_found() -> None:
    folds = {"dev": [made("a b", "d1")], TEST: [made("c d", "t1"), made("e f"), made("g h", "t3")]}
    training = [made("c x", "t1"), made("e f"), made("a b", "d1"), made("a b", "again"), made("z")]
    search, leaks = searched(folds, training)
    assert manifest(search, {TRAIN: leaks, "b": []}, {TRAIN: "c0"}, {"goldlens": "1"}) == {
        "n_sentences": 3,
        "splits": {
            "dev": {
                "sentences": 1, "found": 1, "by_id": 1, "by_forms": 1, "other_forms": 0,
                "too_short": 0, "ids": ["d1"],
            },
            TEST: {
                "sentences": 3, "found": 2, "by_id": 1, "by_forms": 1, "other_forms": 1,
                "too_short": 0, "ids": ["t1", "#2"],
            },
        },
        "files": {TRAIN: ["t1", "#2", "d1", "again"], "b": []},
        "verified": {"checked": 2, "form_identical": 1},
        "commits": {TRAIN: "c0"},
        "versions": {"goldlens": "1"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("test", "training"),
    [
        ("a.xml@5", "a.xml@5/a.xml@5-s"),
        ("a.xml@5 a.xml@5", "x/a.xml@5"),
        ("old-a.xml@5 a.xml@5", "x/a.xml@5"),
        ("a.xml@5", "x/a.xml@5 old-a.xml@5"),
    ],
)
def test_sentences_with_several_names_in_common_are_one_pair(test: str, training: str) -> None:
    search, [leak] = searched({TEST: [made("a b", test)]}, [made("a b", training)])
    assert leak.by_id and leak.same_forms
    assert (search.checked, search.form_identical) == (1, 1)


MADE = st.builds(
    Made,
    st.sampled_from([None, "p", "q", "r", "1"]),
    st.lists(st.sampled_from(["a", "b", "é", "e\u0301"]), min_size=1, max_size=3).map(tuple),
)


@given(
    st.lists(MADE, max_size=5),
    st.lists(MADE, max_size=5),
    st.lists(MADE, max_size=8),
    st.sampled_from(["both", "id", "forms"]),
    st.integers(1, 3),
)
def test_all_numbers_are_those_of_every_pair_looked_at(
    dev: list[Made], test: list[Made], training: list[Made], way: str, least: int
) -> None:
    search, leaks = searched({"dev": dev, TEST: test}, training, way, least)

    def same_id(one: Made, other: Made) -> bool:
        return way != "forms" and one.name is not None and one.name == other.name

    def same_forms(one: Made, other: Made) -> bool:
        first, second = (
            [unicodedata.normalize("NFC", f) for f in each.forms] for each in (one, other)
        )
        return first == second

    def counts(one: Made, other: Made) -> bool:
        return same_forms(one, other) and (
            same_id(one, other) or (way != "id" and len(one.forms) >= least)
        )

    everything = [*dev, *test]
    pairs = [(t, e) for t in training for e in everything if same_id(t, e)]
    assert search.checked == len(pairs)
    assert search.form_identical == sum(same_forms(*pair) for pair in pairs)
    assert [leak.training.number for leak in leaks] == [
        k
        for k, t in enumerate(training, 1)
        if any(same_id(t, e) or counts(t, e) for e in everything)
    ]
    for fold, given_ in (("dev", dev), (TEST, test)):
        split = search.splits()[fold]
        by_id = [any(same_id(t, e) for t in training) for e in given_]
        by_forms = [any(counts(t, e) for t in training) for e in given_]
        found = [a or b for a, b in zip(by_id, by_forms, strict=True)]
        assert split.sentences == len(given_)
        assert split.by_id == sum(by_id)
        assert split.by_forms == sum(by_forms)
        assert split.found == sum(found) == split.by_forms + split.other_forms
        alike = [way != "id" and any(same_forms(t, e) for t in training) for e in given_]
        assert split.too_short == sum(a and not f for a, f in zip(alike, found, strict=True))
        assert split.ids == tuple(
            e.name or f"#{k}" for k, e in enumerate(given_, 1) if found[k - 1]
        )


# What is left of a training file.


def rest(text: bytes, gone: set[int], task: str = "ud") -> bytes:
    """The text without the sentences of these numbers."""
    left = Rest()
    return b"".join(
        left.of(each, left_out=each.sentence is not None and each.sentence.number in gone)
        for each in blocks(text, task)
    )


def test_every_other_byte_stays() -> None:
    one, two, three = (written([made(f"{k} x", f"s{k}")]) for k in (1, 2, 3))
    bom, broken = b"\xef\xbb\xbf", b"1\t\xff\tx\n2 y\n\n"
    text = bom + one + b"# a note\n\n\n" + two.replace(b"\n", b"\r\n") + broken + three[:-1]
    assert rest(text, set()) == text
    assert rest(text, {1}) == text.replace(one, b"")
    assert rest(text, {2}) == text.replace(two.replace(b"\n", b"\r\n"), b"")
    assert rest(text, {3, 4}) == bom + one + b"# a note\n\n\n" + two.replace(b"\n", b"\r\n")
    assert rest(text, {1, 2, 3, 4}) == bom + b"# a note\n\n\n"


def test_a_sentence_without_its_blank_line_does_not_run_into_the_next() -> None:
    one, two, three = (written([made("x", f"s{k}")]) for k in (1, 2, 3))
    assert rest(one[:-1] + two + three, {2}) == one + three
    assert rest(one[:-1] + two[:-1] + three, {2}) == one + three
    assert rest(one[:-1] + two[:-1] + three, {2, 3}) == one
    assert rest(one[:-1] + two[:-1], {2}) == one[:-1]
    crlf = (one[:-1] + two[:-1] + three).replace(b"\n", b"\r\n")
    assert rest(crlf, {2}) == (one + three).replace(b"\n", b"\r\n")


def test_a_document_still_begins_where_the_sentence_before_is_left_out() -> None:
    text = b"Ada B-PER\n-DOCSTART- O\n\nran O\n\n"
    assert rest(text, {1}, "span") == b"-DOCSTART- O\n\nran O\n\n"


@given(st.lists(st.one_of(strategies.texts(3), strategies.fragments()), max_size=5), st.data())
def test_what_is_left_is_whole_blocks_and_the_same_sentences(
    texts: list[str], data: st.DataObject
) -> None:
    text = "".join(texts).encode()
    every = sentences(text)
    gone = data.draw(st.sets(st.sampled_from(range(1, len(every) + 1)))) if every else set()
    left = rest(text, gone)
    kept = [each for each in every if each.number not in gone]
    assert [(e.forms, e.sent_id) for e in sentences(left)] == [(e.forms, e.sent_id) for e in kept]
    whole = b"".join(
        each.text
        for each in blocks(text)
        if each.sentence is None or each.sentence.number not in gone
    )
    if all(each.closed for each in blocks(text)):
        assert left == whole
    else:
        # Blank lines at most have come between.
        assert len(left) <= len(whole) + 4 * len(every)
        assert b"".join(left.split()) == b"".join(whole.split())
    assert gone or left == text


@given(st.lists(MADE, max_size=4), st.lists(MADE, max_size=10), st.booleans())
def test_what_is_left_leaks_no_more(fold: list[Made], training: list[Made], crlf: bool) -> None:
    text = written(training)
    if crlf:
        text = text.replace(b"\n", b"\r\n")
    folds = {TEST: sentences(written(fold))}
    search, left = Search(folds), Rest()
    cleaned = b""
    removed = []
    for block in blocks(text):
        leak = None if block.sentence is None else search.find(block.sentence, TRAIN)
        removed += [block.text] if leak else []
        cleaned += left.of(block, left_out=leak is not None)
    again = Search(folds)
    assert [again.find(each, TRAIN) for each in sentences(cleaned)] == [None] * len(
        sentences(cleaned)
    )
    assert cleaned == b"".join(block for block in split(text) if block not in removed)


def test_real_text_planted_among_other_real_text(shared: Path) -> None:
    text = (shared / "data" / "ud" / "en_ewt.gold.conllu").read_bytes()
    every = split(text)
    half = len(every) // 2
    test, training = every[:half], every[half:]

    def plain(block: bytes) -> tuple[str, ...]:
        rows = [line.split("\t") for line in block.decode().split("\n") if "\t" in line]
        hidden: set[str] = set()
        forms = []
        for name, form, *_ in (cells for cells in rows if cells[0][:1] != "#"):
            if "-" in name:
                first, last = map(int, name.split("-"))
                hidden = {str(k) for k in range(first, last + 1)}
            if "." not in name and name not in hidden:
                forms.append(unicodedata.normalize("NFC", form))
        return tuple(forms)

    planted = [test[3], test[40].replace(b"sent_id = ", b"sent_id = other-")]
    training = [*training[:50], *planted, *training[50:]]
    known = set(map(plain, test))
    expected = [k for k, block in enumerate(training, 1) if plain(block) in known]
    search = Search({TEST: sentences(b"".join(test))})
    found = [search.find(each, TRAIN) for each in sentences(b"".join(training))]
    assert [leak.training.number for leak in found if leak is not None] == expected
    assert {51, 52} <= set(expected)
    assert (search.checked, search.form_identical) == (1, 1)
