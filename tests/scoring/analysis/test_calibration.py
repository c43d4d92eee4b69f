"""Calibration: accuracy by confidence, each figure by another road."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from sklearn.calibration import calibration_curve  # type: ignore[import-untyped]

from goldlens.scoring.analysis.calibration import BOUNDS, Calibration, Curve, calibration
from goldlens.scoring.analysis.confidence import COLUMNS
from tests.scoring.analysis.brute import MISC, Word, columns, facing, right, words

Cells = list[tuple[float, bool]]


def row(number: int, form: str, tag: str, head: int, relation: str, misc: str) -> str:
    return f"{number}\t{form}\t{form}\t{tag}\t_\t_\t{head}\t{relation}\t_\t{misc}\n"


def pair(*confidences: str, wrong: Sequence[int] = ()) -> tuple[str, str]:
    """One sentence of as many words; the tags of the `wrong` ones are."""
    gold, pred = [], []
    for k, misc in enumerate(confidences, 1):
        head, relation = (1, "dep") if k > 1 else (0, "root")
        gold.append(row(k, f"w{k}", "NOUN", head, relation, "_"))
        pred.append(row(k, f"w{k}", "VERB" if k in wrong else "NOUN", head, relation, misc))
    return "".join(gold) + "\n", "".join(pred) + "\n"


def measured(gold: str, pred: str, *, tagging: bool = False) -> Calibration:
    return calibration(columns(gold, pred), tagging=tagging)


def seeded(text: str, seed: int) -> str:
    """A prediction with confidences in some of its words, of both kinds."""
    dice = random.Random(seed)
    lines = text.split("\n")
    for k, line in enumerate(lines):
        cells = line.split("\t")
        if len(cells) != 10 or not cells[0].isdigit() or dice.random() < 0.1:
            continue
        named = dice.sample(COLUMNS, dice.randint(1, 6))
        values = [round(1 - dice.random() ** 3, dice.choice((1, 2, 4))) for _ in named]
        single = ",".join(f"{name}:{value}" for name, value in zip(named, values, strict=True))
        said = f"Conf={values[0]}" if dice.random() < 0.5 else f"Conf={single}"
        cells[MISC] = said if cells[MISC] == "_" else f"{cells[MISC]}|{said}|Z=1"
        lines[k] = "\t".join(cells)
    return "\n".join(lines)


def test_a_bin_has_its_lower_bound_and_the_last_one_both() -> None:
    gold, pred = pair(*(f"Conf=UPOS:{bound}" for bound in BOUNDS), wrong=[2, 7])
    found = measured(gold, pred)
    assert [(b.low, b.high, b.cells, b.correct) for b in found.bins] == [
        (0, 0.5, 1, 1),
        (0.5, 0.7, 1, 0),
        (0.7, 0.8, 1, 1),
        (0.8, 0.9, 1, 1),
        (0.9, 0.95, 1, 1),
        (0.95, 1, 2, 1),
    ]


def test_figures_that_can_be_counted_by_hand() -> None:
    gold, pred = pair("Conf=UPOS:0.6", "Conf=UPOS:0.6", "Conf=UPOS:1", "Conf=UPOS:1", wrong=[1, 4])
    found = measured(gold, pred)
    two, last = found.bins[1], found.bins[5]
    assert (two.confidence, two.accuracy, last.confidence, last.accuracy) == (60, 50, 100, 50)
    assert found.bins[0].accuracy is found.bins[0].confidence is None
    # Half of the cells are 10 points off, the other half 50.
    assert found.error == pytest.approx(30)
    kept = {t.at: (t.kept, t.accuracy) for t in found.thresholds}
    assert kept == {
        0: (100, 50),
        **dict.fromkeys((0.5,), (100, 50)),
        **dict.fromkeys((0.7, 0.8, 0.9, 0.95, 1), (50, 50)),
    }
    assert list(found.columns) == list(COLUMNS)
    assert found.columns["HEAD"].error is None
    assert (found.pooled.cells, found.pooled.without) == (4, 20)


def test_one_number_is_for_all_six_cells() -> None:
    gold, pred = pair("A=b|Conf=0.75|C=d", "_")
    found = measured(gold, pred)
    assert found.bins[2].cells == 6
    assert all(curve.cells == 1 for curve in found.columns.values())
    assert found.pooled.without == 6


def test_a_tagging_prediction_has_no_cells_of_trees() -> None:
    gold, pred = pair("Conf=0.75")
    found = measured(gold, pred, tagging=True)
    assert list(found.columns) == ["UPOS", "XPOS", "LEMMA", "FEATS"]
    assert found.pooled.cells == 4


def test_a_gold_lemma_that_is_blank_accepts_any() -> None:
    gold, pred = pair("Conf=LEMMA:0.75")
    found = measured(gold.replace("w1\tw1", "w1\t_"), pred)
    assert found.columns["LEMMA"].correct == 1


def test_a_relation_is_right_without_its_subtype_and_without_its_head() -> None:
    gold, pred = pair("_", "_", "Conf=HEAD:0.6,DEPREL:0.6")
    found = measured(gold, pred.replace("1\tdep\t_\tConf", "2\tdep:x\t_\tConf"))
    assert (found.columns["HEAD"].correct, found.columns["DEPREL"].correct) == (0, 1)


def test_words_that_nothing_faces_are_left_out_and_counted() -> None:
    gold, pred = pair("Conf=0.5", "Conf=0.5")
    split = row(3, "w", "X", 1, "dep", "Conf=0.9") + row(4, "3", "X", 1, "dep", "Conf=0.9")
    whole = row(3, "w3", "X", 1, "dep", "_")
    found = measured(gold.removesuffix("\n") + whole + "\n", pred.removesuffix("\n") + split + "\n")
    assert found.unaligned == 2
    assert found.pooled.cells == 12


def test_nothing_has_no_figures() -> None:
    found = measured(*pair("_"))
    assert found.error is None
    assert found.thresholds[0].kept is None
    assert found.as_dict()["cells"] == 0


def by_hand(pairs: Sequence[tuple[Word, Word]]) -> dict[str, Cells]:
    """The cells of each column: confidence, and whether it is right."""
    judges = right(pairs)
    found: dict[str, Cells] = {name: [] for name in COLUMNS}
    for a, b in pairs:
        said = [p[5:] for p in b.cells[MISC].split("|") if p.startswith("Conf=")]
        if not said:
            continue
        each = dict(p.split(":") for p in said[0].split(",")) if ":" in said[0] else None
        for name in COLUMNS:
            value = said[0] if each is None else each.get(name)
            if value is not None:
                found[name].append((float(value), judges[name](a, b)))
    return found


def holds(curve: Curve, cells: Cells) -> None:
    """Whether a curve is that of these cells, by numpy's histograms and plain sums."""
    confidence = np.array([c for c, _ in cells])
    truth = np.array([float(r) for _, r in cells])
    counts, _ = np.histogram(confidence, BOUNDS)
    sums, _ = np.histogram(confidence, BOUNDS, weights=confidence)
    correct, _ = np.histogram(confidence, BOUNDS, weights=truth)
    assert [b.cells for b in curve.bins] == counts.tolist()
    assert [b.correct for b in curve.bins] == correct.tolist()
    error = 0.0
    for b, n, total, hits in zip(curve.bins, counts, sums, correct, strict=True):
        assert b.confidence == (pytest.approx(100 * total / n) if n else None)
        assert b.accuracy == (pytest.approx(100 * hits / n) if n else None)
        error += n / len(cells) * abs(hits / n - total / n) if n else 0
    assert curve.error == pytest.approx(100 * error)
    for threshold in curve.thresholds:
        kept = [r for c, r in cells if c >= threshold.at]
        assert threshold.kept == pytest.approx(100 * len(kept) / len(cells))
        assert threshold.accuracy == (pytest.approx(100 * sum(kept) / len(kept)) if kept else None)


@pytest.mark.parametrize("name", ["en_ewt.p2", "zh_gsd.p1", "he_htb.p3", "fi_tdt.p2"])
def test_figures_are_those_of_the_slow_road(shared: Path, name: str) -> None:
    folder = shared / "data" / "ud"
    gold = (folder / f"{name.partition('.')[0]}.gold.conllu").read_text("utf-8")
    pred = seeded((folder / f"{name}.conllu").read_text("utf-8"), 7)
    theirs, ours = words(gold), words(pred)
    pairs = facing(theirs, ours)
    found, cells = measured(gold, pred), by_hand(pairs)
    for column in COLUMNS:
        holds(found.columns[column], cells[column])
    holds(found.pooled, [each for column in COLUMNS for each in cells[column]])
    assert found.pooled.without == 6 * len(pairs) - found.pooled.cells
    assert found.unaligned == len(ours) - len(pairs)


def test_bins_are_those_of_scikit_learn_where_no_cell_is_on_a_bound(shared: Path) -> None:
    """Its bins are all of one size: the last of twenty is our last one."""
    folder = shared / "data" / "ud"
    gold = (folder / "en_ewt.gold.conllu").read_text("utf-8")
    pred = seeded((folder / "en_ewt.p2.conllu").read_text("utf-8"), 3)
    found = by_hand(facing(words(gold), words(pred)))
    cells = [(c + 0.00005 if c < 1 else 1.0, r) for each in found.values() for c, r in each]
    truth, confidence = [r for _, r in cells], [c for c, _ in cells]
    accuracy, mean = calibration_curve(truth, confidence, n_bins=20)
    top = measured(gold, pred).bins[-1]
    assert top.accuracy == pytest.approx(100 * accuracy[-1])
    assert top.confidence == pytest.approx(100 * mean[-1], abs=0.01)
