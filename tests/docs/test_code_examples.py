"""The examples on the pages of codes that CoNLL-U files have: faulty, repaired and gold."""

from __future__ import annotations

from collections import Counter

import pytest

from goldlens.scoring.conllu.blocks import split
from goldlens.scoring.problems import CODES, Problem
from goldlens.scoring.segment import Kind
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.task import UD
from goldlens.scoring.ud.unit import parse, sent_id
from tests.docs.pages import CONFIG, NO_EXAMPLE, OTHER_TASKS, front, texts

FILE = frozenset({"bom", "line-ending", "sent-id-duplicate"})
"""Codes of a whole file: no single sentence has them."""
BY_SENT_ID = frozenset({"sentence-missing", "sentence-extra"})
ALSO = {"sentence-boundary": {"las-error"}}
"""What comes with a code of necessity: two sentences in one have a root too many."""

NEEDS_GOLD = frozenset(metrics.PROBLEMS) | BY_SENT_ID | {"stream-mismatch"}
SENTENCES = [c for c in CODES if c not in NEEDS_GOLD | FILE | CONFIG | NO_EXAMPLE | OTHER_TASKS]


def examples(code: str) -> dict[str, bytes]:
    found = texts(code, "conllu")
    assert set(found) == {"faulty", "gold" if code in NEEDS_GOLD else "repaired"}
    return found


def own_problems(text: bytes, code: str) -> list[Problem]:
    """What is wrong with a CoNLL-U file by itself; `code` is asked for if it is off by default."""
    extra = () if CODES[code].on else (code,)
    return [p for unit in parse(split(text), extra=extra) for p in unit.problems]


def problems_against_gold(gold: bytes, pred: bytes, code: str) -> list[Problem]:
    """What is wrong with a prediction against gold, matched as the code needs it."""
    theirs, ours = parse(split(gold)), parse(split(pred))
    assert not any(unit.problems for unit in [*theirs, *ours])
    pairing = UD.pair(theirs, ours, "sent_id" if code in BY_SENT_ID else "auto")
    return [
        problem for k in range(len(pairing)) for problem in UD.problems(theirs, ours, pairing[k], 0)
    ]


@pytest.mark.parametrize("code", SENTENCES)
def test_a_faulty_sentence_has_the_one_problem_of_its_page(code: str) -> None:
    [found] = own_problems(examples(code)["faulty"], code)
    assert found.code == code
    said = front(code)
    assert found.severity.label == said.label
    assert found.refuses == said.refuses
    if said.script != "depends":
        assert found.script == (said.script == "refuses")


@pytest.mark.parametrize(
    ("code", "text", "refuses"),
    [
        ("empty-cell", "1\tGo\t\tVERB\t_\t_\t0\troot\t_\t_\n\n", False),
        ("missing-blank-line", "1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n", False),
        ("head-missing", "1\tGo\tgo\tVERB\t_\t_\t_\troot\t_\t_\n\n", True),
    ],
)
def test_a_severity_that_varies_is_at_times_the_second_that_its_page_names(
    code: str, text: str, refuses: bool
) -> None:
    [found] = own_problems(text.encode(), code)
    assert front(code).severity == f"error or {found.severity.label}"
    assert (found.code, found.refuses) == (code, refuses)
    assert front(code).official == "depends"


@pytest.mark.parametrize("code", SENTENCES)
def test_a_repaired_sentence_has_no_problem(code: str) -> None:
    assert own_problems(examples(code)["repaired"], code) == []


@pytest.mark.parametrize("code", sorted(NEEDS_GOLD))
def test_a_prediction_has_the_problem_of_its_page_and_gold_has_none(code: str) -> None:
    files = examples(code)
    gold, faulty = files["gold"], files["faulty"]
    found = {problem.code for problem in problems_against_gold(gold, faulty, code)}
    assert {code} <= found <= {code} | ALSO.get(code, set())
    assert problems_against_gold(gold, gold, code) == []


@pytest.mark.parametrize("code", sorted(NEEDS_GOLD))
def test_a_page_tells_of_an_error_that_the_counts_know_too(code: str) -> None:
    files = examples(code)
    theirs, ours = parse(split(files["gold"])), parse(split(files["faulty"]))
    pairing = UD.pair(theirs, ours, "sent_id" if code in BY_SENT_ID else "auto")
    segments = [pairing[k] for k in range(len(pairing))]
    counts = UD.compare(theirs, ours, segments)
    told: Counter[str] = Counter()
    for segment, count in zip(segments, counts, strict=True):
        row = UD.tallies(theirs, ours, [segment], [count])[0].tolist()
        told.update({name: n for name, n in zip(UD.codes, row, strict=True) if n})
    kinds = {segment.kind for segment in segments}
    assert told[code] >= 1
    assert (Kind.MISMATCH in kinds) == (code == "stream-mismatch")


@pytest.mark.parametrize("code", sorted(FILE))
def test_what_is_wrong_with_a_whole_file_is_so_in_its_example(code: str) -> None:
    def is_so(text: bytes) -> bool:
        if code == "bom":
            return text.startswith(b"\xef\xbb\xbf")
        if code == "line-ending":
            return b"\r" in text
        ids = Counter(sent_id(block) for block in split(text))
        return max(ids.values()) > 1

    files = examples(code)
    assert is_so(files["faulty"])
    assert not is_so(files["repaired"])
    for text in files.values():
        assert own_problems(text.removeprefix(b"\xef\xbb\xbf"), code) == []
