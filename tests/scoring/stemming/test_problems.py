"""What refuses a pair: the same from scratch and in the engine, each at its place."""

from __future__ import annotations

import random

import pytest

from goldlens.scoring.problems import Severity
from goldlens.scoring.stemming.evaluate import (
    PRED,
    Evaluation,
    evaluate,
    read_dictionary,
    read_outputs,
)
from goldlens.scoring.stemming.policies import LOWERCASE_GROUPS_ONLY, MODES, Pairs
from goldlens.scoring.stemming.sums import StemSums
from goldlens.scoring.stemming.task import STEMMING, Stemming
from goldlens.server.engine.document import Document, Edit
from goldlens.server.engine.listing import Lister
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.engine.scoreboard import Scoreboard
from tests.scoring.stemming.brute import random_case

GOLD = b"go\tgoes\twent\ndog\tdogs\n"
STEMS = b"go\tgo\ngoes\tgo\nwent\tgo\ndog\tdog\ndogs\tdog\n"


def scored(gold: bytes, pred: bytes, mode: str = "ALL_WORDS") -> Evaluation:
    return evaluate(read_dictionary(gold), read_outputs(pred), [mode])


def opened(gold: bytes, pred: bytes, mode: str = "ALL_WORDS") -> Pair:
    task = Stemming(mode)
    return Pair(task, Document(task.format(0), gold), Document(task.format(1), pred))


def counts(pair: Pair) -> dict[str, Pairs]:
    assert isinstance(pair.sums, StemSums)
    return pair.sums.pairs()


def said(gold: bytes, pred: bytes, mode: str = "ALL_WORDS") -> list[tuple[object, ...]]:
    """Problems of the output: code, severity, line, bytes; the engine lists the same."""
    found = scored(gold, pred, mode)
    ours = [
        (each.problem.code, each.problem.severity.label, each.line)
        + (each.problem.place.start, each.problem.place.end, each.problem.message)
        for each in found.problems
        if each.side == PRED
    ]
    pair = opened(gold, pred, mode)
    listing = Lister(pair.pred, pair, lambda problem: problem.severity).list([], None, 0)
    theirs = [
        (each.problem.code, each.severity.label, each.line)
        + (each.problem.place.start, each.problem.place.end, each.problem.message)
        for each in listing.shown
    ]
    assert sorted(ours) == sorted(theirs)
    assert bool(found.refused) == bool(Scoreboard(pair).would_refuse())
    return [each[:-1] for each in ours]


def test_a_right_pair_has_no_problems() -> None:
    assert said(GOLD, STEMS) == []
    assert said(GOLD, b"\n" + STEMS.replace(b"\n", b"\r\n") + b"\r\n\n") == []


def test_a_form_without_row_is_said_at_the_end_and_points_to_the_dictionary() -> None:
    pred = STEMS.replace(b"went\tgo\n", b"").replace(b"goes\tgo\n", b"")
    assert said(GOLD, pred) == [
        ("form-missing", "error", 2, 8, 8),
        ("form-missing", "error", 2, 8, 8),
    ]
    found = scored(GOLD, pred)
    assert [each.problem.message.split()[2] for each in found.problems] == ["goes", "went"]
    for each, start in zip(found.problems, (3, 8), strict=True):
        [related] = each.problem.related
        assert (each.there + related.place.unit, related.place.start) == (0, start)


def test_a_form_in_two_groups_is_missing_once() -> None:
    assert len(said(b"a\tb\nb\tc\nc\n", b"a\tx\n")) == 2


@pytest.mark.parametrize("pred", [b"", b"\n", b"\xef\xbb\xbf"])
def test_an_output_without_rows_misses_everything(pred: bytes) -> None:
    assert len(said(GOLD, pred)) == 5
    assert {each[2] for each in said(GOLD, pred)} == {0}


def test_a_form_whose_stem_is_empty_is_not_missing_too() -> None:
    pred = STEMS.replace(b"went\tgo", b"went\t").replace(b"dogs\tdog", b"dogs")
    assert said(GOLD, pred) == [("row-format", "error", 2, 5, 5), ("row-format", "error", 4, 0, 4)]


def test_two_rows_of_a_form() -> None:
    assert said(GOLD, STEMS + b"go\tgo\n") == [("form-duplicate", "hint", 5, 0, 2)]
    assert said(GOLD, STEMS + b"go\tgo\tg\n") == [("form-duplicate", "error", 5, 0, 2)]
    assert scored(GOLD, STEMS + b"go\tgo\n").pairs == scored(GOLD, STEMS).pairs
    assert scored(GOLD, STEMS + b"go\tg\n").pairs == {}


def test_a_form_that_the_dictionary_lacks_is_a_hint_and_counts_nothing() -> None:
    assert said(GOLD, b"cat\tdog\n" + STEMS) == [("form-extra", "hint", 0, 0, 3)]
    assert scored(GOLD, b"cat\tdog\n" + STEMS).pairs == scored(GOLD, STEMS).pairs


@pytest.mark.parametrize(("row", "place"), [(b"cat", (0, 3)), (b"cat\t", (4, 4))])
def test_a_row_that_cannot_be_read_is_not_extra_too(row: bytes, place: tuple[int, int]) -> None:
    assert said(GOLD, STEMS + row + b"\n") == [("row-format", "error", 5, *place)]
    pair = opened(GOLD, STEMS + row + b"\n")
    both, segments = (pair.gold.units, pair.pred.units), list(pair.pairing)
    assert not pair.task.tallies(*both, segments, pair.task.compare(*both, segments)).any()


def test_the_mode_leaves_out_forms_whole() -> None:
    """They are neither evaluated nor missing nor extra."""
    gold = b"go\tgoes\nUS\tus\nwe\tus\n"
    pred = b"go\tgo\ngoes\tgo\nUS\tus\nwe\twe\nus\tus\n"
    assert said(gold, pred, LOWERCASE_GROUPS_ONLY) == []
    assert said(gold, pred.replace(b"US\tus\n", b""), LOWERCASE_GROUPS_ONLY) == []
    assert len(said(gold, pred.replace(b"US\tus\n", b""))) == 1
    assert len(said(gold, pred.replace(b"us\tus\n", b""), LOWERCASE_GROUPS_ONLY)) == 1
    with pytest.raises(ValueError, match="no such mode"):
        Stemming("LOWERCASE")


def test_a_form_that_is_not_utf8_is_one_problem() -> None:
    (found,) = said(GOLD, STEMS + b"caf\xe9\tcaf\n")
    assert found[:5] == ("encoding", "error", 5, 0, 4)
    # Of a form that can be read it is known that the dictionary lacks it.
    codes = [found[0] for found in said(GOLD, STEMS + b"cafe\tcaf\xe9\n")]
    assert sorted(codes) == ["encoding", "form-extra"]


def test_a_wrong_dictionary_refuses_too() -> None:
    found = scored(GOLD + b"cat\t\n# \xff\n", STEMS + b"cat\tcat\n")
    assert [(each.side, each.line, each.problem.code) for each in found.refused] == [
        (0, 2, "row-format"),
        (0, 3, "encoding"),
    ]


def test_the_engine_counts_a_form_without_output_as_separated() -> None:
    pair = opened(GOLD, STEMS.replace(b"went\tgo\n", b""))
    found = counts(pair)["PRIMARY_OUTPUT"]
    assert (found.under_error, found.under_possible, found.over_error) == (2, 4, 0)


def test_which_rows_face_which_groups() -> None:
    pair = opened(b"go\tgoes\nUS\tus\ncat\n", b"us\tus\nxx\tx\n\ngo\tgo\ngo\tgo\n")
    kinds = [(segment.kind.name, list(segment.gold)) for segment in pair.pairing]
    assert kinds == [
        ("PAIR", [1]),
        ("EXTRA", []),
        ("BLANK", []),
        ("PAIR", [0]),
        ("REPEATED", []),
        ("MISSING", [0]),
        ("MISSING", [1]),
        ("MISSING", [2]),
    ]
    pair = opened(b"go\tUS\nUS\n#\n", b"US\tus\ngo\tgo\n", LOWERCASE_GROUPS_ONLY)
    kinds = [(segment.kind.name, list(segment.gold)) for segment in pair.pairing]
    assert kinds == [("BLANK", []), ("BLANK", []), ("GOLD", [0]), ("GOLD", [1]), ("GOLD", [2])]


def test_how_many_forms_there_are_is_known_without_counting_pairs() -> None:
    pair = opened(GOLD, STEMS)
    assert Scoreboard(pair).covered()["compared"] == 5
    pair.apply(0, pair.gold.edit(Edit(0, 0, 0, 3, b""), Encoding.UTF8))
    assert Scoreboard(pair).covered()["compared"] == 4


def test_the_first_of_two_rows_counts_in_the_engine() -> None:
    once, twice = opened(GOLD, STEMS), opened(GOLD, STEMS + b"go\tdog\n")
    assert counts(once) == counts(twice)


def test_the_figures_of_the_task_are_named_by_policy() -> None:
    figures = Scoreboard(opened(GOLD, STEMS.replace(b"went\tgo", b"went\tw\tgo"))).figures()
    values = {name: figure and figure.score for name, figure in figures.items()}
    assert values["UI"] == 50
    assert values["ALL_CANDIDATES/UI"] == values["ANY_CANDIDATE/UI"] == 0
    assert values["F0.5"] == pytest.approx(100 * 5 * 2 / (5 * 2 + 2))
    assert "ANY_CANDIDATE/F0.5" not in values
    assert len(values) == 14 + 14 + 2


def test_what_is_undefined_is_no_figure() -> None:
    figures = Scoreboard(opened(b"a\nb\n", b"a\tx\nb\ty\n")).figures()
    assert figures["UI"] is None
    assert figures["OI"] is not None


def test_a_stemming_task_is_named_by_its_mode() -> None:
    assert "mode:ALL_WORDS" in str(STEMMING.signature("auto", "official"))
    assert STEMMING == Stemming() != Stemming(LOWERCASE_GROUPS_ONLY)
    assert list(STEMMING.severities) == [Severity.ERROR, Severity.HINT]


@pytest.mark.parametrize("mode", MODES)
def test_damaged_files_have_the_same_problems_both_ways(mode: str) -> None:
    chance = random.Random(len(mode))
    for _ in range(150):
        case = random_case(chance, complete=chance.random() < 0.5)
        gold, pred = (bytearray(text) for text in (case.gold, case.pred))
        for text in (gold, pred):
            for _ in range(chance.choice([0, 0, 1, 4])):
                at = chance.randrange(len(text) + 1)
                text[at : at + chance.randrange(3)] = chance.choice(
                    [b"", b"\t", b"\n", b"\r\n", b"\r", b" ", b"#", b"a", b"\xff", b"A"]
                )
        said(bytes(gold), bytes(pred), mode)
