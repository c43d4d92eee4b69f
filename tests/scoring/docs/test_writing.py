"""Docs written as CoNLL-U: which tokens are words, where sentences end, what cells hold."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import pytest
import spacy
from spacy.tokens import Doc

from goldlens.scoring.conllu.blocks import split
from goldlens.scoring.docs import conllu
from goldlens.scoring.ud.unit import parse
from tests.scoring.docs.making import doc, docs_of


def rows(docs: Doc | Iterable[Doc]) -> list[list[list[str]]]:
    """The cells of each row, sentence by sentence."""
    blocks = conllu(docs).decode().split("\n\n")[:-1]
    return [[line.split("\t") for line in block.split("\n")[1:]] for block in blocks]


def column(docs: Doc | Iterable[Doc], number: int) -> list[list[str]]:
    return [[row[number] for row in sentence] for sentence in rows(docs)]


def forms(docs: Doc | Iterable[Doc]) -> list[list[str]]:
    return column(docs, 1)


def heads(docs: Doc | Iterable[Doc]) -> list[list[str]]:
    return column(docs, 6)


def test_each_attribute_has_its_column() -> None:
    made = doc(
        ["Cats", "sleep", "."],
        [1, 1, 1],
        spaces=[True, False, True],
        deps=["nsubj:pass", "ROOT", "punct"],
        pos=["NOUN", "VERB", "PUNCT"],
        tags=["NNS", "VBP", "."],
        morphs=["Number=Plur", "Tense=Pres|Mood=Ind", ""],
        lemmas=["cat", "sleep", "."],
    )
    assert conllu(made).decode() == (
        "# text = Cats sleep.\n"
        "1\tCats\tcat\tNOUN\tNNS\tNumber=Plur\t2\tnsubj:pass\t_\t_\n"
        "2\tsleep\tsleep\tVERB\tVBP\tMood=Ind|Tense=Pres\t0\troot\t_\tSpaceAfter=No\n"
        "3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n"
        "\n"
    )


def test_what_is_not_annotated_is_an_underscore() -> None:
    assert rows(doc("a b")) == [
        [[str(k), form, *["_"] * 8] for k, form in enumerate(("a", "b"), 1)],
    ]


def test_a_token_that_is_its_own_head_is_a_root_whatever_its_relation() -> None:
    made = doc("a b c", [0, 0, 0], deps=["nsubj", "ROOT", "obj"])
    assert heads(made) == [["0", "1", "1"]]
    assert column(made, 7) == [["nsubj", "root", "obj"]]


def test_a_token_without_a_relation_has_no_head_either() -> None:
    made = doc("a b c", [0, 0, 2], deps=["ROOT", "det", ""])
    assert heads(made) == [["0", "1", "_"]]
    assert column(made, 7) == [["root", "det", "_"]]


def test_features_come_in_the_order_of_conllu_whatever_the_letter_case() -> None:
    made = doc("a", morphs=["Zeta=1|alpha=2|Beta=3"])
    assert column(made, 5) == [["alpha=2|Beta=3|Zeta=1"]]


# Sentences


def test_sentences_are_those_of_the_parse_and_heads_count_in_them() -> None:
    made = doc("a b c d", [1, 1, 3, 3])
    assert forms(made) == [["a", "b"], ["c", "d"]]
    assert heads(made) == [["2", "0"], ["2", "0"]]


def test_sentences_need_no_parse() -> None:
    made = doc("a b c", sent_starts=[True, False, True])
    assert forms(made) == [["a", "b"], ["c"]]


def test_a_sentencizer_will_do() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    assert forms(nlp("It rains. We stay.")) == [["It", "rains", "."], ["We", "stay", "."]]


def test_a_doc_without_sentences_is_one_sentence() -> None:
    assert forms([doc("a b"), doc("c")]) == [["a", "b"], ["c"]]


def test_a_doc_without_words_is_no_sentence() -> None:
    assert conllu([doc([]), doc(["\n"])]) == b""
    assert conllu([]) == b""


def test_a_head_in_another_sentence_is_none() -> None:
    # spaCy ends a sentence where the next root's tree begins, even if the first goes on behind it.
    made = doc("a b c d", [0, 1, 0, 1])
    assert [[token.text for token in sentence] for sentence in made.sents] == [["a"], [*"bcd"]]
    assert heads(made) == [["0"], ["0", "_", "1"]]


# White space


def test_white_space_is_no_word() -> None:
    text = "It  rains.\n\nWe\tstay\u2028in\x85 .\u00a0 "
    found = forms(spacy.blank("en")(text))
    assert found == [["It", "rains", ".", "We", "stay", "in", "."]]
    assert "".join(found[0]) == "".join(text.split())


def test_what_hangs_from_white_space_hangs_from_its_head() -> None:
    made = doc(["a", "\n", "\t", "b"], [0, 0, 1, 2])
    assert heads(made) == [["0", "1"]]


def test_what_hangs_from_a_root_of_white_space_is_a_root() -> None:
    assert heads(doc(["\n", "a", "b"], [0, 0, 1])) == [["0", "1"]]
    assert heads(doc(["\n", "a", "b"], [0, 0, 0])) == [["0", "0"]]


def test_white_space_that_leads_nowhere_gives_no_head() -> None:
    assert heads(doc(["a", "\n", "b"], [0, 1, 1], deps=["ROOT", "", "dep"])) == [["0", "_"]]
    ring = doc(["a", " ", "\n", "b"], [0, 2, 1, 1])
    assert heads(ring) == [["0", "_"]]


def test_white_space_after_a_word_is_told_and_so_is_none() -> None:
    made = doc(["a", "b", "\n", "c", "d"], spaces=[False, False, False, True, False])
    assert column(made, 9) == [["SpaceAfter=No", "_", "_", "_"]]
    assert conllu(made).startswith(b"# text = ab c d\n")


def test_a_sentence_of_white_space_alone_is_none() -> None:
    made = doc(["a", "\n", "b"], sent_starts=[True, True, True])
    assert forms(made) == [["a"], ["b"]]


# Cells


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("New York", "New York"),
        ("New\nYork", "New York"),
        ("a\tb\r\nc", "a b  c"),
        ("a\u2028b\x85c\x0cd", "a b c d"),
        ("10\u00a0000", "10\u00a0000"),
        ("a\u200bb", "a\u200bb"),
        ("#", "#"),
        ("_", "_"),
    ],
)
def test_a_form_holds_what_a_cell_can(text: str, cell: str) -> None:
    assert forms(doc([text, "x"])) == [[cell, "x"]]
    assert (
        conllu(doc([text, "x"])).decode()
        == f"# text = {cell} x\n"
        + "".join(f"{k}\t{form}" + "\t_" * 8 + "\n" for k, form in enumerate((cell, "x"), 1))
        + "\n"
    )


def test_other_cells_hold_no_tabs_either() -> None:
    made = doc("a", [0], lemmas=["b\tc"], tags=["d\ne"], deps=["f\tg"])
    assert rows(made) == [[["1", "a", "b c", "_", "d e", "_", "0", "f g", "_", "_"]]]


def test_tokens_that_were_merged_are_one_word() -> None:
    made = doc(["in", "New", "\n", "York", "today"], [3, 3, 3, 3, 3])
    with made.retokenize() as retokenizer:
        retokenizer.merge(made[1:4])
    assert forms(made) == [["in", "New \n York".replace("\n", " "), "today"]]
    assert heads(made) == [["2", "0", "2"]]


def test_what_is_written_is_conllu_without_a_problem() -> None:
    made = [doc(["A", "  ", "cat\tsat", "\n", "."], [2, 0, 2, 2, 2]), doc(["Well", "…"], [0, 0])]
    units = parse(split(conllu(made)), checks=True)
    assert [unit.words for unit in units] == [3, 2]
    assert [problem for unit in units for problem in unit.problems] == []


def test_a_sentence_read_into_a_doc_is_written_as_it_was() -> None:
    text = (
        "# text = Aren't 10\u00a0000 cats?\n"
        "1\tAre\tbe\tAUX\tVBP\tMood=Ind|Tense=Pres\t4\tcop\t_\tSpaceAfter=No\n"
        "2\tn't\tnot\tPART\tRB\tPolarity=Neg\t4\tadvmod\t_\t_\n"
        "3\t10\u00a0000\t_\tNUM\t_\tNumForm=Digit|NumType=Card\t4\tnummod\t_\t_\n"
        "4\tcats\tcat\tNOUN\tNNS\tNumber=Plur\t0\troot\t_\tSpaceAfter=No\n"
        "5\t?\t?\tPUNCT\t.\t_\t4\tpunct\t_\t_\n\n"
    )
    assert conllu(docs_of(text)).decode() == text


# What is taken for a Doc


@dataclass(slots=True)
class Word:
    i: int
    text: str
    whitespace_: str = " "
    lemma_: str = ""
    pos_: str = ""
    tag_: str = ""
    morph: object = ""
    dep_: str = ""

    @property
    def head(self) -> Word:
        return self


@dataclass(slots=True)
class Words:
    words: list[Word]
    text: str = ""
    ents: list[object] = field(default_factory=list)

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)

    def has_annotation(self, attr: str) -> bool:
        return False

    @property
    def sents(self) -> list[list[Word]]:
        raise AssertionError("not asked for where there are none")


def test_anything_shaped_like_a_doc_is_one() -> None:
    made = Words([Word(0, "a", dep_="ROOT", pos_="X"), Word(1, "b")])
    assert conllu(made) == (
        b"# text = a b\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )


@pytest.mark.parametrize("docs", [["a b"], [doc("a b")[0:1]], doc("a b")[0:1], "ab"])
def test_what_is_no_doc_is_named(docs: object) -> None:
    with pytest.raises(TypeError, match=r"docs\[0\] is no Doc but of type (str|Span|Token)"):
        conllu(docs)  # type: ignore[arg-type]


def test_spacy_is_not_imported() -> None:
    code = "import sys, goldlens.scoring.docs.pipeline; sys.exit('spacy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_docs_may_come_one_by_one() -> None:
    nlp = spacy.blank("xx")
    assert forms(nlp.pipe(["a b", "c"])) == [["a", "b"], ["c"]]
