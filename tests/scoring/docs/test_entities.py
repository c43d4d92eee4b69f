"""Entities of Docs: by characters, and where tokens are the same, as tags in columns."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from goldlens.cli.main import goldlens
from goldlens.scoring.docs import (
    Refused,
    Score,
    Unannotated,
    UnknownMetric,
    conllu,
    score,
    scores,
)
from tests.scoring.docs.making import doc

WORDS = "Ada Lovelace met Babbage in New York"
GOLD = doc(WORDS, ents=["B-PER", "I-PER", "O", "B-PER", "O", "B-LOC", "I-LOC"])
PRED = doc(WORDS, ents=["B-PER", "O", "O", "B-PER", "O", "B-LOC", "I-LOC"])


def iob2(docs: Sequence[Doc]) -> str:
    """The entities of Docs as tags in two columns."""
    rows = []
    for one in docs:
        tags = ["O"] * len(one)
        for entity in one.ents:
            tags[entity.start : entity.end] = [f"I-{entity.label_}"] * len(entity)
            tags[entity.start] = f"B-{entity.label_}"
        rows += [f"{token.text}\t{tag}\n" for token, tag in zip(one, tags, strict=True)]
        rows.append("\n")
    return "".join(rows)


def figures_of_command(gold: Sequence[Doc], pred: Sequence[Doc], folder: Path) -> dict[str, Any]:
    """What `goldlens score` says of Docs as tags in columns."""
    files = [folder / "gold.iob2", folder / "pred.iob2"]
    for file, docs in zip(files, (gold, pred), strict=True):
        file.write_text(iob2(docs), "utf-8")
    result = CliRunner().invoke(goldlens, ["score", "--json", "--task", "span", *map(str, files)])
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)["metrics"]
    return found


def assert_same(found: dict[str, Score | None], said: dict[str, Any]) -> None:
    for name, value in found.items():
        assert value is not None
        figures = (value, value.precision, value.recall)
        assert figures == pytest.approx(
            [said[name][part] for part in ("f1", "precision", "recall")]
        )


def test_an_entity_is_right_from_start_to_end() -> None:
    found = score(PRED, GOLD, "Micro")
    assert found.figure.as_dict()["correct"] == 2
    assert found == pytest.approx(200 / 3)
    assert score(PRED, GOLD, "Macro") == 75.0
    assert score(GOLD, GOLD, "Micro") == 100.0
    assert found.signature.startswith("goldlens|task:span|match:stream|policy:official|strict:no|")


def test_a_label_must_be_golds() -> None:
    other = doc(WORDS, ents=["B-ORG", "I-ORG", "O", "B-PER", "O", "B-LOC", "I-LOC"])
    found = score(other, GOLD, "Micro")
    assert found.figure.as_dict()["correct"] == 2
    # ORG, which gold has not, is a label of the mean too.
    assert score(other, GOLD, "Macro") == pytest.approx((0 + 200 / 3 + 100) / 3)


def test_tokens_and_white_space_may_be_others_than_golds() -> None:
    other = doc(
        ["\n", "Ada", "\t", "Lovelace", "met", "Bab", "bage", "in", "NewYork"],
        ents=["O", "B-PER", "I-PER", "I-PER", "O", "B-PER", "I-PER", "O", "B-LOC"],
    )
    assert score(other, GOLD, "Micro") == 100.0


def test_an_entity_of_white_space_is_none() -> None:
    found = score(doc(["a", "\n"], ents=["O", "O"]), doc(["a", "\n"], ents=["O", "B-A"]), "Micro")
    assert found.figure.as_dict()["gold"] == 0


def test_docs_may_be_divided_otherwise_than_gold() -> None:
    parts = [
        doc("Ada Lovelace met", ents=["B-PER", "I-PER", "O"]),
        doc("Babbage in New York", ents=["B-PER", "O", "B-LOC", "I-LOC"]),
    ]
    assert score(parts, GOLD, "Micro") == score(GOLD, parts, "Micro") == 100.0


def test_one_doc_may_stand_in_for_another_only_in_its_place() -> None:
    a, b = doc("a x", ents=["B-A", "O"]), doc("b x", ents=["O", "B-A"])
    assert score([a, b], [a, b], "Micro") == 100.0
    with pytest.raises(Refused) as raised:
        score([b, a], [a, b], "Micro")
    assert raised.value.causes == (
        "predicted[0] (“b x”): stream-mismatch: The text differs from gold[0] (“a x”) at offset 0 "
        "of the character stream: 'bx', gold has 'ax'",
        "predicted[1] (“a x”): stream-mismatch: The text differs from gold[1] (“b x”) at offset 0 "
        "of the character stream: 'ax', gold has 'bx'",
    )


def test_entities_of_a_text_that_differs_are_wrong_under_the_lenient_policy() -> None:
    a, b = doc("a x", ents=["B-A", "O"]), doc("a y", ents=["B-A", "O"])
    found = score([a, a], [a, b], "Micro", policy="lenient")
    assert found == 50.0
    with pytest.raises(Refused, match=r"at offset 1 of the character stream: 'x', gold has 'y'"):
        score([a, a], [a, b], "Micro")
    with pytest.raises(Refused, match=r": its end, gold has 'x'"):
        score(doc("a", ents=["O"]), a, "Micro")


def test_a_doc_whose_entities_were_never_set_is_named() -> None:
    with pytest.raises(Unannotated, match=r"^predicted\[1\] \(“met”\) has no entities"):
        score([doc("Ada", ents=["O"]), doc("met")], [doc("Ada", ents=["O"])] * 2, "Micro")
    none = doc("met")
    none.ents = ()
    assert score([none, doc(["\n"])], [none, doc([])], "Micro") == 0.0


def test_entities_need_docs_on_both_sides() -> None:
    with pytest.raises(UnknownMetric, match="Micro is a metric of entities, and CoNLL-U has none"):
        score(GOLD, conllu(GOLD), "Micro")


def test_trees_and_entities_may_be_asked_for_together() -> None:
    made = doc(WORDS, [2] * 7, ents=["O"] * 6 + ["B-LOC"])
    assert scores(made, made, ["Macro", "LAS"]) == {"Macro": 100.0, "LAS": 100.0}


FIRST = ("O", "B-A", "B-B")
TAGS = st.tuples(*[st.sampled_from(tags) for tags in (FIRST, (*FIRST, "I-A", "I-B"))] * 2)


@given(st.lists(st.tuples(TAGS, TAGS), min_size=1, max_size=4))
def test_with_golds_tokens_figures_are_those_of_spans(
    tmp_path_factory: pytest.TempPathFactory, tags: list[tuple[tuple[str, ...], ...]]
) -> None:
    gold, pred = ([doc("a b c d", ents=pair[side]) for pair in tags] for side in (0, 1))
    said = figures_of_command(gold, pred, tmp_path_factory.mktemp("spans"))
    assert_same(scores(pred, gold, ["Micro", "Macro"]), said)


@pytest.mark.parametrize("system", ["mic-cis", "spinningbytes", "uh_ritual"])
def test_docs_of_a_corpus_score_as_its_files(system: str, shared: Path, tmp_path: Path) -> None:
    theirs, ours = (
        _sentences(shared / "data" / "spans" / f"wnut17.{name}.txt") for name in ("gold", system)
    )
    # Systems spell some tokens otherwise than gold; the words are gold's here.
    gold = [doc(words, ents=tags) for words, tags in theirs]
    pred = [doc(words, ents=tags) for (words, _), (_, tags) in zip(theirs, ours, strict=True)]
    assert_same(scores(pred, gold, ["Micro", "Macro"]), figures_of_command(gold, pred, tmp_path))


def _sentences(file: Path) -> list[tuple[list[str], list[str]]]:
    """The words and the tags of each sentence."""
    blocks = [block.strip("\n") for block in re.split(r"\n\s*\n", file.read_text("utf-8"))]
    rows = [[line.split("\t") for line in block.split("\n")] for block in blocks if block.strip()]
    return [([row[0] for row in each], [row[-1].strip() for row in each]) for each in rows]
