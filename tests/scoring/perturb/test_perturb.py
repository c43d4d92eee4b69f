"""Seeded errors: which, how many, and what stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldlens.scoring.conllu.blocks import split
from goldlens.scoring.counts import Count
from goldlens.scoring.perturb.seeded import KINDS, UnknownKind, perturbed, rates_of
from goldlens.scoring.problems import Severity
from goldlens.scoring.spans.task import Spans
from goldlens.scoring.task import GOLD, PRED, Format, Task
from goldlens.scoring.ud.task import UD
from goldlens.scoring.ud.unit import parse
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.scoreboard import Scoreboard

EXAMPLE = Path(__file__).parents[3] / "examples" / "gold" / "garden.conllu"

UD_TEXT = """\
# sent_id = 1
# text = Don't look, vámonos now.
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\tMood=Imp|Tense=Pres\t3\taux\t3:aux\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t3:advmod\t_
3\tlook\tlook\tVERB\tVB\tMood=Imp\t0\troot\t0:root\tSpaceAfter=No
4\t,\t,\tPUNCT\t,\t_\t3\tpunct\t3:punct|6:punct\t_
5-6\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_
5\tvamos\tir\tVERB\tVB\t_\t3\tconj\t3:conj\t_
5.1\tit\tit\tPRON\t_\t_\t_\t_\t5:obj\t_
6\tnos\tnosotros\tPRON\tPRP\t_\t5\tobj\t5:obj\t_
7\tnow\tnow\tADV\tRB\t_\t5\tadvmod\t5:advmod\tSpaceAfter=No
8\t.\t.\tPUNCT\t.\t_\t3\tpunct\t3:punct|5.1:punct\t_

"""

IOB_TEXT = """\
-DOCSTART-\tO

# a comment
Ada\tB-PER
King\tI-PER
met\tO
Bob\tB-PER
in\tO
Rome\tB-LOC
today\tO

Acme\tB-ORG
grew\tO

"""


def ud(words: list[list[str]]) -> bytes:
    """A sentence of [form (or an empty node's ID), HEAD, DEPREL, DEPS, MISC]."""
    lines, number = [], 0
    for form, head, relation, edges, misc in words:
        number += "." not in form
        name, form = (form, "e") if "." in form else (str(number), form)
        lines.append("\t".join([name, form, form, "X", "_", "_", head, relation, edges, misc]))
    return "\n".join([*lines, "", ""]).encode()


def many(text: str, times: int = 80) -> bytes:
    return text.encode() * times


def figures(task: Task, gold: bytes, pred: bytes) -> dict[str, Count]:
    ours, theirs = Document(task.format(PRED), pred), Document(task.format(GOLD), gold)
    found = Scoreboard(Pair(task, theirs, ours)).figures()
    return {name: each for name, each in found.items() if isinstance(each, Count)}


def texts(task: str) -> bytes:
    return EXAMPLE.read_bytes() + many(UD_TEXT) if task == "ud" else many(IOB_TEXT)


def codes(task: str, text: bytes) -> set[str]:
    """What is wrong with a text by itself, Hints apart."""
    format: Format = UD.format(PRED) if task == "ud" else Spans()
    units = format.parse(format.split(text), regime=format.likely_regime(text))
    problems = [each for unit in units for each in unit.problems]
    return {each.code for each in problems if each.severity < Severity.HINT}


@pytest.mark.parametrize(
    ("task", "kind"), [(task, kind) for task, kinds in KINDS.items() for kind in kinds]
)
class TestEveryKind:
    @pytest.mark.parametrize("rate", [0.1, 1.0])
    def test_the_same_seed_gives_the_same_bytes(self, task: str, kind: str, rate: float) -> None:
        text = texts(task)
        once = perturbed(task, text, {kind: rate}, 1)
        assert once == perturbed(task, text, {kind: rate}, 1) != text
        if rate < 1:
            assert perturbed(task, text, {kind: rate}, 2) != once

    @pytest.mark.parametrize("rate", [0.3, 1.0])
    def test_what_is_well_formed_stays_so(self, task: str, kind: str, rate: float) -> None:
        text = texts(task)
        assert codes(task, text) == codes(task, perturbed(task, text, {kind: rate}, 3)) == set()

    def test_line_ends_stay(self, task: str, kind: str) -> None:
        text = texts(task)
        crlf = perturbed(task, text.replace(b"\n", b"\r\n"), {kind: 0.5}, 4)
        assert crlf == perturbed(task, text, {kind: 0.5}, 4).replace(b"\n", b"\r\n")


@pytest.mark.parametrize("task", KINDS)
class TestRates:
    def test_none_gives_the_text_back(self, task: str) -> None:
        assert perturbed(task, texts(task), {}, 1) == texts(task)
        assert perturbed(task, b"", {}, 1) == b""

    def test_unknown_kinds_and_rates_are_refused(self, task: str) -> None:
        with pytest.raises(UnknownKind, match="unknown kind of error 'heads'"):
            rates_of(task, {"heads": 0.1})
        for rate in (-0.1, 1.1, float("nan")):
            with pytest.raises(ValueError, match="from 0 to 1"):
                rates_of(task, {KINDS[task][0]: rate})

    def test_everything_at_once(self, task: str) -> None:
        text = texts(task)
        for seed in range(5):
            found = perturbed(task, text, dict.fromkeys(KINDS[task], 0.4), seed)
            assert codes(task, found) == set()


def test_a_task_without_errors_of_its_own() -> None:
    with pytest.raises(KeyError):
        perturbed("stemming", b"", {}, 1)


class TestConllu:
    @pytest.mark.parametrize(
        ("kind", "column"),
        [("lemma", 2), ("upos", 3), ("feats", 5), ("head", 6), ("relation", 7)],
    )
    def test_another_rate_of_one_kind_leaves_the_draws_of_the_others_alone(
        self, kind: str, column: int
    ) -> None:
        text = texts("ud")
        alone = perturbed("ud", text, {kind: 0.2}, 5)
        both = perturbed("ud", text, {kind: 0.2, "upos" if kind != "upos" else "lemma": 0.5}, 5)
        cells = [
            [line.split(b"\t")[column:][:1] for line in each.split(b"\n")] for each in (alone, both)
        ]
        assert cells[0] == cells[1]
        assert alone != both

    @pytest.mark.parametrize(
        ("kind", "metric", "others"),
        [
            ("head", "UAS", ("UPOS", "Lemmas", "UFeats", "Words")),
            ("relation", "LAS", ("UAS", "UPOS", "Lemmas", "UFeats")),
            ("upos", "UPOS", ("LAS", "Lemmas", "UFeats")),
            ("lemma", "Lemmas", ("LAS", "UPOS", "UFeats")),
            ("feats", "UFeats", ("LAS", "UPOS", "Lemmas")),
        ],
    )
    def test_the_metric_falls_as_the_rate_says_and_others_do_not(
        self, kind: str, metric: str, others: tuple[str, ...]
    ) -> None:
        gold = many(UD_TEXT)
        found = figures(UD, gold, perturbed("ud", gold, {kind: 0.2}, 1))
        assert all(found[name].f1 == 100 for name in others)
        assert 70 < found[metric].f1 < 90

    @pytest.mark.parametrize("kind", ["split", "merge"])
    def test_words_change_and_the_stream_does_not(self, kind: str) -> None:
        gold = texts("ud")
        pred = perturbed("ud", gold, {kind: 0.3}, 1)
        streams = [b"".join(unit.stream for unit in parse(split(text))) for text in (gold, pred)]
        assert streams[0] == streams[1]
        words = figures(UD, gold, pred)["Words"]
        assert words.f1 < 100
        assert (words.predicted > words.gold) is (kind == "split")

    def test_every_tree_stays_a_tree_and_a_root_can_be_wrong(self) -> None:
        gold = texts("ud")
        pred = perturbed("ud", gold, {"head": 1.0}, 1)
        assert codes("ud", pred) == set()
        assert figures(UD, gold, pred)["UAS"].f1 < 5

    def test_a_split_word_renumbers_ranges_empty_nodes_and_edges(self) -> None:
        rates = {"split": 1.0}
        rows = [
            line.split("\t")
            for line in perturbed("ud", UD_TEXT.encode(), rates, 1).decode().split("\n")
        ]
        ids = [row[0] for row in rows if len(row) == 10]
        assert ids == [
            "1-2", "1", "2", "3", "4", "5", "6-7", "6", "6.1", "7", "8", "9", "10",
        ]  # fmt: skip
        by_id = {row[0]: row for row in rows if len(row) == 10}
        assert by_id["3"][1] + by_id["4"][1] == "look"
        assert by_id["4"][6:10] == ["3", "dep", "3:dep", "SpaceAfter=No"]
        assert by_id["10"][8] == "3:punct|6.1:punct"
        assert by_id["5"][8] == "3:punct|7:punct"

    def test_merged_words_hang_together(self) -> None:
        rows = [
            line.split("\t")
            for line in perturbed("ud", UD_TEXT.encode(), {"merge": 1.0}, 1).decode().split("\n")
        ]
        by_id = {row[0]: row for row in rows if len(row) == 10}
        # The comma joins the verb that it hangs from; the full stop, the adverb beside it.
        assert by_id["3"][1:] == [
            "look,", "look,", "VERB", "VB", "Mood=Imp", "0", "root", "0:root", "_",
        ]  # fmt: skip
        assert by_id["6"][1] == "now."
        assert [each for each in by_id if "-" in each or "." in each] == ["1-2", "4-5", "4.1"]

    def test_words_that_a_space_parts_are_merged_only_where_no_text_says_so(self) -> None:
        plain = UD_TEXT.replace("# text = Don't look, vámonos now.\n", "")
        found = perturbed("ud", plain.encode(), {"merge": 1.0}, 1)
        assert len(found.split(b"\n")) == len(plain.split("\n")) - 2
        assert codes("ud", found) == set()

    def test_a_word_that_none_would_be_left_of_is_not_split(self) -> None:
        for form in ("a", "_a", "a_"):
            text = ud([[form, "0", "root", "_", "_"]])
            assert perturbed("ud", text, {"split": 1.0}, 1) == text

    def test_merging_mends_edges_and_empty_nodes(self) -> None:
        """Of b and c the head is c; what pointed to either points to both, and once."""
        comment = b"# text = a bc d\n"
        text = comment + ud(
            [
                ["a", "3", "dep", "2:x|3:x|3:y", "_"],
                ["b", "3", "dep", "3:dep", "SpaceAfter=No"],
                ["c", "0", "root", "0:root|2:back", "_"],
                ["3.1", "_", "_", "2:e", "_"],
                ["d", "2", "dep", "3.1:dep", "_"],
            ]
        )
        assert perturbed("ud", text, {"merge": 1.0}, 1) == comment + ud(
            [
                ["a", "2", "dep", "2:x|2:y", "_"],
                ["bc", "0", "root", "0:root", "_"],
                ["2.1", "_", "_", "2:e", "_"],
                ["d", "2", "dep", "2.1:dep", "_"],
            ]
        )

    def test_an_empty_node_behind_merged_words_stays_behind_them(self) -> None:
        text = ud(
            [
                ["a", "0", "root", "_", "_"],
                ["b", "1", "dep", "_", "_"],
                ["2.1", "_", "_", "2:e", "_"],
            ]
        )
        assert perturbed("ud", text, {"merge": 1.0}, 1) == ud(
            [["ab", "0", "root", "_", "_"], ["1.1", "_", "_", "1:e", "_"]]
        )

    def test_an_empty_node_behind_a_split_word_stays_behind_it(self) -> None:
        text = ud([["ab", "0", "root", "_", "_"], ["1.1", "_", "_", "1:e", "_"]])
        assert b"\n2.1\te\t" in perturbed("ud", text, {"split": 1.0}, 1)

    def test_what_would_not_be_written_again_as_it_is_stays_as_it_is(self) -> None:
        text = ud([["ab", "0", "root", "0:root|0:root", "_"]])
        assert perturbed("ud", text, {"upos": 1.0, "split": 1.0}, 1) == text

    def test_words_linked_by_nothing_but_each_other_keep_an_edge(self) -> None:
        text = ud([["a", "2", "dep", "2:dep", "SpaceAfter=No"], ["b", "0", "root", "1:odd", "_"]])
        found = perturbed("ud", text, {"merge": 1.0}, 1)
        assert found == ud([["ab", "0", "root", "0:root", "_"]])

    def test_a_space_between_words_is_no_hindrance_where_no_text_says_so(self) -> None:
        text = ud([["a", "0", "root", "_", "_"], ["b", "1", "dep", "_", "_"]])
        assert perturbed("ud", text, {"merge": 1.0}, 1) == ud([["ab", "0", "root", "_", "_"]])
        with_text = b"# text = a b\n" + text
        assert perturbed("ud", with_text, {"merge": 1.0}, 1) == with_text

    def test_edges_in_another_order_stay_in_it(self) -> None:
        text = ud([["ab", "0", "root", "0:root", "_"], ["cd", "1", "dep", "1:dep|0:b|1:a", "_"]])
        found = perturbed("ud", text, {"split": 1.0}, 1)
        assert b"\t1:dep|0:b|1:a\t" in found and found.count(b"\n") == 5

    def test_a_sentence_with_an_error_stays_as_it_is(self) -> None:
        broken = UD_TEXT.replace("\t3\taux", "\t33\taux")
        rates = dict.fromkeys(KINDS["ud"], 1.0)
        found = perturbed("ud", (broken + UD_TEXT).encode(), rates, 1)
        assert found.startswith(broken.encode())
        assert found != (broken + UD_TEXT).encode()

    def test_tags_without_trees_get_wrong_tags(self) -> None:
        rows = [line.split("\t") for line in UD_TEXT.split("\n")]
        for row in rows:
            if len(row) == 10:
                row[6:9] = ["_"] * 3
        tags = "\n".join("\t".join(row) for row in rows)
        found = perturbed("ud", tags.encode(), dict.fromkeys(KINDS["ud"], 1.0), 1)
        assert found != tags.encode()
        for kind in ("split", "merge", "head", "relation"):
            assert perturbed("ud", tags.encode(), {kind: 1.0}, 1) == tags.encode()


class TestSpans:
    def test_drops(self) -> None:
        gold = many(IOB_TEXT)
        micro = figures(Spans(), gold, perturbed("span", gold, {"drop": 0.25}, 1))["Micro"]
        assert micro.correct == micro.predicted
        assert 0.7 * micro.gold < micro.predicted < 0.8 * micro.gold

    def test_all_can_be_dropped(self) -> None:
        found = perturbed("span", many(IOB_TEXT, 2), {"drop": 1.0}, 1)
        assert b"B-" not in found and b"I-" not in found

    def test_labels(self) -> None:
        gold = many(IOB_TEXT)
        micro = figures(Spans(), gold, perturbed("span", gold, {"label": 0.25}, 1))["Micro"]
        assert micro.predicted == micro.gold
        assert 0.7 * micro.gold < micro.correct < 0.8 * micro.gold
        none = figures(Spans(), gold, perturbed("span", gold, {"label": 1.0}, 1))["Micro"]
        assert none.correct == 0

    def test_boundaries(self) -> None:
        gold = many(IOB_TEXT)
        micro = figures(Spans(), gold, perturbed("span", gold, {"boundary": 0.25}, 1))["Micro"]
        assert micro.predicted == micro.gold
        assert 0.7 * micro.gold < micro.correct < 0.8 * micro.gold

    def test_added(self) -> None:
        gold = many(IOB_TEXT)
        micro = figures(Spans(), gold, perturbed("span", gold, {"add": 0.25}, 1))["Micro"]
        assert micro.correct == micro.gold < micro.predicted

    def test_tokens_comments_and_other_columns_stay(self) -> None:
        text = IOB_TEXT.replace("\t", "\tx\t")
        found = perturbed("span", text.encode(), dict.fromkeys(KINDS["span"], 0.5), 1).decode()
        without = [
            [line.rpartition("\t")[0] for line in each.split("\n")] for each in (text, found)
        ]
        assert without[0] == without[1]

    def test_a_sentence_with_a_tag_at_fault_stays_as_it_is(self) -> None:
        broken = "a\tB-PER\nb\tI-LOC\n\n"
        found = perturbed("span", (broken + IOB_TEXT).encode(), {"drop": 1.0}, 1)
        assert found.startswith(broken.encode())
        assert b"B-LOC" not in found


@pytest.mark.parametrize("name", ["en_ewt", "he_htb", "cop_scriptorium"])
def test_on_a_treebank(shared: Path, name: str) -> None:
    gold = (shared / "data" / "ud" / f"{name}.gold.conllu").read_bytes()
    assert perturbed("ud", gold, {}, 1) == gold
    pred = perturbed("ud", gold, dict.fromkeys(KINDS["ud"], 0.1), 1)
    assert codes("ud", pred) == codes("ud", gold)
    found = figures(UD, gold, pred)
    assert found["Tokens"].f1 < 100 and 60 < found["LAS"].f1 < 90
