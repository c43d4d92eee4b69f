"""Profiles: what a table may say, and where what it may not say stands."""

from __future__ import annotations

import tomllib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.ud.profile import (
    BUILT_IN,
    FORMS,
    HOMOGRAPHS,
    NONE,
    PROIEL,
    Profile,
    Wrong,
    read,
)


def of(text: str, name: str = "mine") -> Profile:
    profile, wrong = read(tomllib.loads(text), name)
    assert wrong == ()
    return profile


def wrong(text: str) -> list[Wrong]:
    return list(read(tomllib.loads(text), "mine")[1])


WHOLE = """
[upos]
PROPN = "NOUN"
AUX = "VERB"
[lemma]
form = "NFKC"
homograph = "_1"
[exclude]
upos = ["PUNCT", "NUM", "PUNCT"]
[incomparable]
metrics = ["AllTags", "XPOS"]
"""


def test_a_table_is_read_whole() -> None:
    found = of(WHOLE)
    assert found.upos == (("AUX", "VERB"), ("PROPN", "NOUN"))
    assert (found.form, found.homograph) == ("NFKC", "_1")
    assert found.exclude == ("NUM", "PUNCT")
    assert found.incomparable == ("XPOS", "AllTags")


def test_an_empty_table_reconciles_nothing_but_has_a_name() -> None:
    assert of("").name.startswith("mine@")
    assert of("").upos == NONE.upos


def test_a_name_tells_two_versions_of_a_file_apart() -> None:
    reordered = WHOLE.replace('"PUNCT", "NUM", "PUNCT"', '"NUM","PUNCT"')
    assert of(WHOLE).name == of(reordered).name
    assert of(WHOLE).name != of(WHOLE.replace("NFKC", "NFC")).name
    assert of("", "a|b:c d").name.startswith("a-b-c-d@")


def test_the_built_in_ones_say_what_a_file_could() -> None:
    assert set(BUILT_IN) == {"none", "proiel"}
    assert dict(PROIEL.upos) == {"PROPN": "NOUN", "SCONJ": "CCONJ", "AUX": "VERB"}
    tags = "\n".join(f'{a} = "{b}"' for a, b in PROIEL.upos)
    table = (
        f'[upos]\n{tags}\n[lemma]\nform = "{PROIEL.form}"\nhomograph = "{PROIEL.homograph}"\n'
        f"[exclude]\nupos = {list(PROIEL.exclude)}\n"
        f"[incomparable]\nmetrics = {list(PROIEL.incomparable)}\n"
    )
    found = of(table)
    assert found == Profile(
        found.name,
        PROIEL.upos,
        PROIEL.form,
        PROIEL.homograph,
        PROIEL.exclude,
        PROIEL.incomparable,
    )


@pytest.mark.parametrize(
    ("text", "where", "says"),
    [
        ("upso = 1", ("upso",), "unknown key “upso”; did you mean “upos”?"),
        ("upos = 1", ("upos",), "expected a table [upos], not 1"),
        ('upos.PROPM = "NOUN"', ("upos", "PROPM"), "unknown class “PROPM”; did you mean “PROPN”?"),
        ('upos.PROPN = "Noun"', ("upos", "PROPN"), "unknown class “Noun”; did you mean “NOUN”?"),
        ("upos.PROPN = 3", ("upos", "PROPN"), "unknown class 3; there are ADJ, ADP"),
        ('lemma.form = "NFX"', ("lemma", "form"), "expected NFC, NFD, NFKC or NFKD, not “NFX”"),
        ("lemma.form = []", ("lemma", "form"), "not an array"),
        ('lemma.homograph = "#"', ("lemma", "homograph"), "expected #1, _1, -1 or 1"),
        ('lemma.strip = "x"', ("lemma", "strip"), "unknown key “strip”"),
        ('exclude.upos = "PUNCT"', ("exclude", "upos"), "expected an array of names"),
        ('exclude.upos = ["NUM", "ÑUM"]', ("exclude", "upos", 1), "unknown class “ÑUM”"),
        ("exclude.tags = []", ("exclude", "tags"), "unknown key “tags”"),
        (
            'incomparable.metrics = ["xpos"]',
            ("incomparable", "metrics", 0),
            "unknown metric “xpos”; did you mean “XPOS”?",
        ),
    ],
)
def test_what_is_wrong_is_told_where_it_stands(
    text: str, where: tuple[str | int, ...], says: str
) -> None:
    [found] = wrong(text)
    assert found.where == where
    assert says in found.message


def test_a_class_that_is_mapped_away_cannot_be_left_out() -> None:
    [found] = wrong('upos.PROPN = "NOUN"\nexclude.upos = ["NUM", "PROPN"]')
    assert found.where == ("exclude", "upos", 1)
    assert "leave out NOUN" in found.message


def test_what_is_wrong_does_not_hide_the_rest() -> None:
    found, faults = read(tomllib.loads('upos = {AUX = "VERB", X = "Y"}\na = 1'), "mine")
    assert found.upos == (("AUX", "VERB"),)
    assert [fault.code for fault in faults] == ["config-value", "config-key"]


@pytest.mark.parametrize(
    ("homograph", "lemma", "compared"),
    [
        ("#1", "λόγος#2", "λόγος"),
        ("#1", "a#1#22", "a#1"),
        ("#1", "a#", "a#"),
        ("#1", "#1", "#1"),
        ("#1", "a#1b", "a#1b"),
        ("#1", "a#１", "a#１"),
        ("_1", "be_1", "be"),
        ("_1", "__1", "__1"),
        ("-1", "be-1", "be"),
        ("1", "λέγω3", "λέγω"),
        ("1", "1914", "1914"),
    ],
)
def test_the_suffix_of_a_homograph_is_taken_off(homograph: str, lemma: str, compared: str) -> None:
    assert of(f'lemma.homograph = "{homograph}"').lemma(lemma) == compared


def test_lemmas_take_a_unicode_form_first() -> None:
    decomposed = unicodedata.normalize("NFD", "ή#1")
    assert of('lemma = {form = "NFC", homograph = "#1"}').lemma(decomposed) == "ή"
    # What looks like no lemma would accept any.
    assert of('lemma.form = "NFKC"').lemma("＿") == "＿"


@given(
    st.text(min_size=1, max_size=8).filter(lambda lemma: lemma != "_"),
    st.sampled_from([None, *FORMS]),
    st.sampled_from([None, *HOMOGRAPHS]),
)
def test_of_a_lemma_something_is_left(lemma: str, form: str | None, homograph: str | None) -> None:
    found = Profile("p", (), form, homograph).lemma(lemma)  # type: ignore[arg-type]
    assert found not in ("", "_")
    if form is homograph is None:
        assert found == lemma
