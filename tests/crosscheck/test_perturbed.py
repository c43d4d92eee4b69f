"""Gold with seeded errors, as `goldlens perturb` puts them, scored by us and by the reference
programs: the example corpus always, real test folds where GOLDLENS_SHARED is set.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from seqeval.metrics import classification_report
from seqeval.scheme import IOB2
from udtools import udeval

from goldlens.scoring.perturb.seeded import SPAN_KINDS, UD_KINDS, perturbed
from goldlens.scoring.spans.task import SPANS
from goldlens.scoring.ud.evaluate import Options, evaluate
from goldlens.server.engine.opening import pair_of
from goldlens.server.engine.scoreboard import Scoreboard
from tests.crosscheck.test_udeval import agrees, script

__all__ = ["script"]

EXAMPLES = Path(__file__).parents[2] / "examples" / "gold"
RATES = (0.05, 0.2, 0.5)
SEEDS = (1, 20260101)


def folds(shared: Path, *names: str) -> Iterator[bytes]:
    for name in names:
        yield (shared / "data" / name).read_bytes()


@pytest.fixture(params=["examples", "shared"])
def trees(request: pytest.FixtureRequest) -> list[bytes]:
    """CoNLL-U without empty nodes inside multiword tokens, which the programs differ about."""
    if request.param == "examples":
        return [(EXAMPLES / "garden.conllu").read_bytes()]
    shared: Path = request.getfixturevalue("shared")
    names = [path.name for path in sorted((shared / "data" / "ud").glob("*.gold.conllu"))]
    smallest = sorted(names, key=lambda name: (shared / "data/ud" / name).stat().st_size)[:3]
    return list(folds(shared, *(f"ud/{name}" for name in smallest)))


@pytest.fixture(params=["examples", "shared"])
def tags(request: pytest.FixtureRequest) -> list[bytes]:
    if request.param == "examples":
        return [(EXAMPLES / "places.iob2").read_bytes()]
    shared: Path = request.getfixturevalue("shared")
    return list(folds(shared, "spans/wnut17.gold.txt", "spans/hau.gold.txt"))


@pytest.mark.parametrize("seed", SEEDS)
def test_trees_with_errors_score_as_udeval_says(trees: list[bytes], seed: int) -> None:
    kind = {"no_empty_nodes": False}
    for gold, rate in zip(trees * len(RATES), RATES, strict=False):
        pred = perturbed("ud", gold, dict.fromkeys(UD_KINDS, rate), seed)
        assert pred != gold
        sides = [
            udeval.load_conllu(io.StringIO(text.decode()), name, kind)
            for name, text in (("gold", gold), ("pred", pred))
        ]
        found = evaluate(io.BytesIO(gold), io.BytesIO(pred), Options(strict=True))
        assert not found.refused
        assert 0 < found.figures()["LAS"].f1 < 100  # type: ignore[union-attr]
        agrees(found, udeval.evaluate(*sides))


@pytest.mark.parametrize("seed", SEEDS)
def test_trees_with_errors_score_as_the_official_script_says(
    script: ModuleType, trees: list[bytes], seed: int
) -> None:
    for gold, rate in zip(trees * len(RATES), RATES, strict=False):
        pred = perturbed("ud", gold, dict.fromkeys(UD_KINDS, rate), seed)
        sides = [script.load_conllu(io.StringIO(text.decode())) for text in (gold, pred)]
        found = evaluate(io.BytesIO(gold), io.BytesIO(pred), Options())
        agrees(found, script.evaluate(*sides))


def sentences(text: bytes) -> list[list[str]]:
    """The tags of each sentence, as a reader of whom nobody asks more would read them."""
    found: list[list[str]] = [[]]
    for line in text.decode().split("\n"):
        if line.startswith("#") and not re.search(r"\t(O|[BI]-.+)$", line):
            continue
        if line.strip():
            found[-1].append(line.split()[-1])
        elif found[-1]:
            found.append([])
    return [sentence for sentence in found if sentence]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rate", RATES)
def test_tags_with_errors_score_as_seqeval_says(tags: list[bytes], seed: int, rate: float) -> None:
    for gold in tags:
        pred = perturbed("span", gold, dict.fromkeys(SPAN_KINDS, rate), seed)
        report = classification_report(
            sentences(gold), sentences(pred), mode="strict", scheme=IOB2, output_dict=True,
            zero_division=0,
        )  # fmt: skip
        pair = pair_of(SPANS, gold, pred)
        figures = Scoreboard(pair).figures()
        for ours, theirs in (("Micro", "micro avg"), ("Macro", "macro avg")):
            figure = figures[ours]
            assert figure is not None
            assert figure.score == pytest.approx(100 * report[theirs]["f1-score"], abs=5e-5)
        for label, row in SPANS.labels(pair.sums).items():
            assert row["precision"] == pytest.approx(100 * report[label]["precision"], abs=5e-5)
            assert row["recall"] == pytest.approx(100 * report[label]["recall"], abs=5e-5)
            assert row["gold"] == report[label]["support"]
