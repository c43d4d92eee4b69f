"""`score`: what it takes, what its number is, and what it says where there is none."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest
import spacy
from click.testing import CliRunner

from goldlens.cli.main import goldlens
from goldlens.scoring.docs import (
    DocsError,
    Refused,
    Score,
    Unannotated,
    UnknownMetric,
    conllu,
    score,
    scores,
)
from goldlens.scoring.ud.metrics import ATTACHMENT, NAMES, OFFICIAL, STRICT
from tests.scoring.docs.making import doc, docs_of

GOLD = doc(
    "the cat sat on mats", [1, 2, 2, 4, 2], deps=["det", "nsubj", "ROOT", "case", "obl:on"],
    pos=["DET", "NOUN", "VERB", "ADP", "NOUN"], morphs=["", "Number=Sing", "", "", "Number=Plur"],
)  # fmt: skip
PRED = doc(
    "the cat sat on mats", [1, 2, 2, 2, 2], deps=["det", "obj", "ROOT", "case", "obl"],
    pos=["DET", "NOUN", "VERB", "ADP", "VERB"], morphs=["", "Number=Sing", "", "", ""],
)  # fmt: skip


def figures_of_command(gold: bytes, pred: bytes, folder: Path, *options: str) -> dict[str, Any]:
    """What `goldlens score` says of two texts."""
    files = folder / "gold.conllu", folder / "pred.conllu"
    for file, text in zip(files, (gold, pred), strict=True):
        file.write_bytes(text)
    result = CliRunner().invoke(goldlens, ["score", "--json", *options, *map(str, files)])
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def assert_same(found: dict[str, Score | None], said: dict[str, Any]) -> None:
    """The scores are those of the command, count by count."""
    metrics = said["metrics"]
    for name, value in found.items():
        assert (value is None) == (metrics[name] is None), name
        if value is not None:
            assert value.figure.as_dict() == metrics[name], name
            assert value == metrics[name]["f1"]
            assert value.signature == said["signature"]


# The number


def test_a_score_is_points_counted_by_hand() -> None:
    assert score(PRED, GOLD, "UAS") == 80.0
    assert score(PRED, GOLD, "LAS") == score(PRED, GOLD) == 60.0
    assert score(PRED, GOLD, "LASFull") == 40.0
    assert score(PRED, GOLD, "UPOS") == 80.0
    assert score(GOLD, GOLD, "MLAS") == 100.0


def test_a_score_is_a_float_that_a_loop_can_keep_the_best_of() -> None:
    best: float = 0.0
    for predicted in (PRED, GOLD, PRED):
        best = max(best, score(predicted, GOLD, "LAS"))
    assert best == 100.0
    assert isinstance(best, float)
    assert f"{score(PRED, GOLD):.1f}" == "60.0"
    assert json.dumps({"LAS": score(PRED, GOLD)}) == '{"LAS": 60.0}'
    assert sum([score(PRED, GOLD), score(GOLD, GOLD)]) / 2 == 80.0


def test_a_score_knows_what_it_is_made_of() -> None:
    found = score([doc("ab c d", [0, 0, 0])], [doc("a b c d", [0, 0, 0, 0])], "UAS")
    assert found.metric == "UAS"
    assert (found.figure.as_dict()["correct"], found.precision, found.recall) == (0, 0.0, 0.0)
    words = score([doc("ab c d", [0, 0, 0])], [doc("a b c d", [0, 0, 0, 0])], "Words")
    assert (words.precision, words.recall) == (200 / 3, 50.0)
    assert words.signature.startswith("goldlens|task:ud|match:auto|policy:official|strict:no|")
    assert "strict:yes" in score(PRED, GOLD, "LASFull").signature
    assert "policy:lenient" in score(PRED, GOLD, policy="lenient").signature


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_score_can_be_copied(copied: Any) -> None:
    found = score(PRED, GOLD)
    again = copied(found)
    assert (again, again.metric, again.figure, again.signature) == (
        found, found.metric, found.figure, found.signature,
    )  # fmt: skip


def test_several_metrics_come_from_one_pair() -> None:
    found = scores(PRED, GOLD, ["UPOS", "LAS"])
    assert list(found) == ["UPOS", "LAS"]
    assert found == {"UPOS": 80.0, "LAS": 60.0}
    assert list(scores(PRED, GOLD)) == list(OFFICIAL)


def test_every_metric_of_trees_can_be_asked_for_by_itself(tmp_path: Path) -> None:
    said = figures_of_command(conllu(GOLD), conllu(PRED), tmp_path, "--strict")["metrics"]
    for name in (*OFFICIAL, *STRICT):
        assert score(PRED, GOLD, name) == said[name]["f1"], name


# What is taken


@pytest.mark.parametrize(
    "given",
    [
        GOLD,
        [GOLD],
        (one for one in [GOLD]),
        conllu(GOLD),
    ],
    ids=["Doc", "list", "generator", "bytes"],
)
def test_gold_may_be_given_in_several_ways(given: Any) -> None:
    assert score(PRED, given) == 60.0


def test_gold_may_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "gold.conllu"
    file.write_bytes(conllu(GOLD))
    assert score(PRED, file) == score(PRED, str(file)) == 60.0
    with pytest.raises(FileNotFoundError):
        score(PRED, tmp_path / "none.conllu")


def test_predictions_may_come_from_a_pipeline() -> None:
    nlp = spacy.blank("xx")
    assert score(nlp.pipe(["the cat", "sat on mats"]), GOLD, "Tokens") == 100.0


def test_a_gold_file_may_have_multiword_tokens() -> None:
    gold = (
        b"1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n"
        b"1\tzu\tzu\tADP\t_\t_\t3\tcase\t_\t_\n"
        b"2\tdem\tder\tDET\t_\t_\t3\tdet\t_\t_\n"
        b"3\tHaus\tHaus\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    )
    found = scores(doc("zum Haus", [1, 1]), gold, ["Tokens", "Words", "UAS"])
    assert found["Tokens"] == 100.0
    assert found["Words"] == found["UAS"] == 40.0


def test_docs_may_be_divided_otherwise_than_gold() -> None:
    gold = doc("a b c d e", [1, 1, 3, 3, 3])
    parts = [doc("a b", [1, 1]), doc([]), doc("c d e", [1, 1, 1])]
    assert score(parts, gold) == score(gold, parts) == score(gold, [gold]) == 100.0
    assert score(parts, gold, "Sentences") == 100.0


def test_tokens_may_be_others_than_golds() -> None:
    gold = doc("do n't go", [2, 2, 2])
    pred = doc("don't go", [1, 1])
    found = score(pred, gold, "UAS")
    assert (found.figure.as_dict()["correct"], found.precision, found.recall) == (1, 50.0, 100 / 3)


def test_white_space_does_not_matter() -> None:
    pred = doc(["\n", "the", " ", "cat", "\n\n", "sat", "on", "mats"], [3, 3, 3, 5, 5, 5, 7, 5])
    assert score(pred, GOLD, "UAS") == 100.0
    assert score(pred, GOLD, "Words") == 100.0


@pytest.mark.parametrize("empty", [[], [doc([])], doc(["\n"]), b""])
def test_nothing_scores_nothing(empty: Any) -> None:
    assert score(empty, [], "LAS") == 0.0


def test_a_text_is_not_taken_for_a_path() -> None:
    with pytest.raises(DocsError, match=r"gold is a str of several lines.*gold\.encode\(\)"):
        score(PRED, conllu(GOLD).decode())


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "gold.conllu"
    file.write_bytes(conllu(GOLD).decode().encode("utf-16"))
    with pytest.raises(DocsError, match=r"gold\.conllu: the file is UTF-16, not UTF-8"):
        score(PRED, file)


@pytest.mark.parametrize("given", [None, 3, [GOLD, "the cat"], [None]])
def test_what_is_no_doc_is_a_type_error(given: Any) -> None:
    with pytest.raises(TypeError, match=r"gold(\[\d\])? is .*of type (NoneType|int|str)"):
        score(PRED, given)


# What is not annotated


def test_a_doc_without_a_parse_is_named_where_a_metric_needs_one() -> None:
    docs = [PRED, doc("It rains ; the forecast said that it would")]
    gold = [GOLD, doc("It rains ; the forecast said that it would", [1] * 9)]
    with pytest.raises(Unannotated) as raised:
        score(docs, gold, "LAS")
    assert str(raised.value) == (
        "predicted[1] (“It rains ; the forecast…”) has no parse, and LAS needs one; run a parser "
        "over it, or choose a metric of tags"
    )
    with pytest.raises(Unannotated, match=r"^gold\[1\] "):
        score(gold, docs, "CLAS")
    with pytest.raises(Unannotated, match=r"^predicted \(“the cat”\) "):
        score(doc("the cat"), doc("the cat", [1, 1]))
    assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize("metric", sorted(set(NAMES) - ATTACHMENT - {"ELAS", "EULAS"}))
def test_metrics_of_tags_need_no_parse(metric: str) -> None:
    some, all_of_them = [PRED, doc("it rains")], [GOLD, doc("it rains", [1, 1])]
    assert score(some, all_of_them, metric) > 0
    assert score(all_of_them, some, metric) > 0


def test_without_a_parse_attachment_is_none_among_all_metrics() -> None:
    unparsed = doc("the cat sat on mats", pos=["DET", "NOUN", "VERB", "ADP", "NOUN"])
    found = scores([unparsed], GOLD)
    assert {name for name, value in found.items() if value is None} == ATTACHMENT - {*STRICT}
    assert found["UPOS"] == 100.0


def test_white_space_needs_no_parse() -> None:
    assert score([PRED, doc(["\n", " "])], GOLD) == 60.0


def test_a_file_without_heads_is_undefined_too() -> None:
    text = conllu(doc("the cat sat on mats"))
    with pytest.raises(Unannotated, match="LAS is undefined: no word of one side has a HEAD"):
        score(PRED, text, "LAS")
    assert score(PRED, text, "Words") == 100.0


# What the official policy refuses


def test_texts_that_differ_are_refused_with_both_places() -> None:
    other = doc("the cat sits on mats", [1, 2, 2, 4, 2])
    with pytest.raises(Refused) as raised:
        score([GOLD, other], [GOLD, GOLD])
    assert str(raised.value) == (
        "the official policy refuses this pair: predicted[1] (“the cat sits on mats”), word 3 "
        "(“sits”): stream-mismatch: The text differs from gold at offset 22 of the character "
        "stream: 'itsonmats' (U+0069 LATIN SMALL LETTER I), gold has 'atonmats' (U+0061 LATIN "
        "SMALL LETTER A); write the forms as gold does (gold[1] (“the cat sat on mats”), word 3 "
        '(“sat”)); policy="lenient" scores all the same'
    )
    assert score([GOLD, other], [GOLD, GOLD], policy="lenient") == 50.0


def test_a_place_in_a_file_is_a_line_and_a_column(tmp_path: Path) -> None:
    file = tmp_path / "gold.conllu"
    file.write_bytes(conllu([GOLD, doc("it snows", [1, 1])]))
    with pytest.raises(Refused, match=rf"predicted\[1\] .* \({file}:10:3\)"):
        score([PRED, doc("it rains", [1, 1])], file)


def test_what_ends_sooner_is_refused_at_its_end() -> None:
    with pytest.raises(Refused, match=r"refuses this pair: the end of predicted: stream"):
        score([], GOLD)
    with pytest.raises(Refused, match=r"predicted \(“the cat”\), word 2 .* shorter than gold"):
        score(doc("the cat", [1, 1]), GOLD)


def test_every_faulty_tree_is_a_cause() -> None:
    two_roots = doc(["\n", "a", "b"], [0, 0, 0])
    ring = doc("c d e", [1, 0, 2])
    astray = doc("f g h i", [0, 1, 0, 1])
    docs = [two_roots, ring, astray]
    gold = [doc("a b", [0, 0]), doc("c d e", [0, 0, 0]), doc("f g h i", [0, 0, 0, 0])]
    with pytest.raises(Refused) as raised:
        score(docs, gold)
    places = [cause.split(": ")[:2] for cause in raised.value.causes]
    assert places == [
        ["predicted[0] (“a b”), word 2 (“b”)", "multiple-roots"],
        ["predicted[1] (“c d e”), word 1 (“c”)", "head-cycle"],
        ["predicted[2] (“f g h i”), sentence 2, word 2 (“h”)", "head-missing"],
    ]
    assert "its head is no word of its sentence" in raised.value.causes[2]
    assert str(raised.value).startswith(
        f"the official policy refuses this pair: {raised.value.causes[0]}; and for 2 more causes"
    )
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.causes) == (str(raised.value), raised.value.causes)


def test_causes_come_in_the_order_of_gold_and_of_docs() -> None:
    roots = doc(["\n", "a", "b"], [0, 0, 0])
    gold = [doc("x y", [0, 0]), roots, doc("c", [0])]
    docs = [doc("x z", [0, 0]), roots, doc("c", [0])]
    with pytest.raises(Refused) as raised:
        score(docs, gold)
    assert [cause.partition(": ")[0] for cause in raised.value.causes] == [
        "gold[1] (“a b”), word 2 (“b”)",
        "predicted[0] (“x z”), word 2 (“z”)",
        "predicted[1] (“a b”), word 2 (“b”)",
    ]


def test_a_doc_that_is_parsed_in_part_is_refused_at_the_words_that_are_not() -> None:
    part = doc("a b c", [0, 0, 0], deps=["ROOT", "dep", ""])
    gold = doc("a b c", [0, 0, 0])
    with pytest.raises(Refused, match=r"word 3 \(“c”\): head-missing: it has no relation \(dep_\)"):
        score(part, gold)
    assert score(part, gold, policy="lenient") == pytest.approx(200 / 3)
    assert score(part, gold, "Words") == 100.0


def test_a_faulty_tree_costs_points_under_the_lenient_policy() -> None:
    pred, gold = doc(["\n", "a", "b"], [0, 0, 0]), doc("a b", [0, 0])
    found = score(pred, gold, "UAS", policy="lenient")
    assert found.figure.as_dict()["correct"] == 1


def test_a_faulty_gold_is_refused_as_gold() -> None:
    with pytest.raises(Refused, match=r"refuses this pair: gold\[0\] \(“a b”\), word 2 "):
        score([doc("a b", [0, 0])], [doc(["\n", "a", "b"], [0, 0, 0])])


# Names


@pytest.mark.parametrize(
    ("metric", "advice"),
    [
        ("las", "there is no metric 'las'; did you mean LAS?"),
        ("UFeat", "did you mean UFeats?"),
        ("perplexity", "use Tokens, Sentences, Words, UPOS,"),
        ("ELAS", "ELAS needs enhanced dependencies, and a Doc has none"),
    ],
)
def test_an_unknown_metric_is_told_with_what_there_is(metric: str, advice: str) -> None:
    with pytest.raises(UnknownMetric, match=advice.replace("?", r"\?")):
        score(PRED, GOLD, metric)


def test_files_may_have_enhanced_dependencies() -> None:
    row = b"1\ta\t_\t_\t_\t_\t0\troot\t0:root\t_\n\n"
    assert score(row, row, "ELAS") == 100.0
    with pytest.raises(Unannotated, match="gold has no enhanced dependencies"):
        score(row, row.replace(b"0:root", b"_"), "ELAS")


def test_metrics_are_several_names() -> None:
    with pytest.raises(TypeError, match=r'several names, as \["LAS"\]'):
        scores(PRED, GOLD, "LAS")


def test_metrics_may_be_made_as_they_are_asked_for() -> None:
    names: Any = (name for name in ("LAS", "UPOS"))
    assert list(scores(PRED, GOLD, names)) == ["LAS", "UPOS"]


def test_there_are_two_policies() -> None:
    with pytest.raises(ValueError, match=r"policy is “official” or “lenient”, not “strict”"):
        score(PRED, GOLD, policy="strict")


# Against the command


def test_docs_of_the_examples_score_as_their_files(tmp_path: Path) -> None:
    texts = [
        "\n\n".join(map(_plain, Path(file).read_text("utf-8").split("\n\n")))
        for file in ("examples/gold/garden.conllu", "examples/runs/alpha/garden.conllu")
    ]
    lenient = ["--policy", "lenient"]
    said = figures_of_command(texts[0].encode(), texts[1].encode(), tmp_path, *lenient)
    gold, pred = map(docs_of, texts)
    assert_same(scores(pred, gold, policy="lenient"), said)


@pytest.mark.parametrize("pair", ["vi_vtb.p1", "vi_vtb.p2", "zh_gsd.p3", "en_ewt.p2", "en_ewt.p3"])
def test_docs_of_a_treebank_score_as_its_files(pair: str, shared: Path, tmp_path: Path) -> None:
    treebank = pair.partition(".")[0]
    texts = []
    for name in (f"{treebank}.gold", pair):
        text = (shared / "data" / "ud" / f"{name}.conllu").read_text("utf-8")
        texts.append("\n\n".join(map(_plain, text.split("\n\n"))))
    gold, pred = map(docs_of, texts)
    lenient = ["--policy", "lenient"]
    said = figures_of_command(texts[0].encode(), texts[1].encode(), tmp_path, *lenient)
    assert_same(scores(pred, gold, policy="lenient"), said)


def _plain(block: str) -> str:
    """A sentence without what a Doc does not hold: ranges, empty nodes, comments, DEPS."""
    rows = [line.split("\t") for line in block.split("\n")]
    return "\n".join(
        "\t".join([*row[:8], "_", row[9]]) if len(row) > 1 else "" for row in rows
        if row == [""] or row[0].isdigit()
    )  # fmt: skip
