"""Classification figures against scikit-learn, on thousands of random data sets."""

from __future__ import annotations

import json
import random
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import (
    accuracy_score,
    precision_recall_fscore_support,
    roc_auc_score,
)
from sklearn.preprocessing import MultiLabelBinarizer

from goldlens.scoring.classification.task import CLASSIFICATION, Classification
from goldlens.scoring.counts import Count, Mean
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.scoreboard import Scoreboard

ROUNDS = 1000


def board(
    gold: Sequence[str], pred: Sequence[str], task: Classification = CLASSIFICATION
) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """Figures, figures by label and skipped labels of two lists of rows."""
    texts = ["".join(f"{row}\n" for row in rows).encode() for rows in (gold, pred)]
    pair = Pair(task, *(Document(task, text) for text in texts))
    return Scoreboard(pair).figures(), task.labels(pair.sums), task.skipped(pair.sums)


def of_sklearn(truth: Any, guess: Any, labels: Any, average: str | None) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        found = precision_recall_fscore_support(
            truth, guess, labels=labels, average=average, zero_division=0
        )
    return [100 * np.asarray(values) for values in found[:3]]


def of_columns(truth: Any, guess: Any, average: str) -> Any:
    """The same of a column for each label; scikit-learn takes a single one for classes 0 and 1."""
    if truth.shape[1] == 1:
        return of_sklearn(truth[:, 0], guess[:, 0].astype(int), [1], average)
    return of_sklearn(truth, guess.astype(int), None, average)


def three(figure: Count | Mean) -> list[float]:
    return [figure.precision, figure.recall, figure.f1]


def rounds(seed: int) -> Iterator[random.Random]:
    for number in range(ROUNDS):
        yield random.Random(seed * ROUNDS + number)


def test_one_label_each() -> None:
    for dice in rounds(1):
        size, names = dice.randint(1, 12), "abcdef"[: dice.randint(1, 6)]
        truth, guess = ([dice.choice(names) for _ in range(size)] for _ in range(2))
        order = dice.sample(range(size), size)
        gold = [f"d{k}\t{label}" for k, label in enumerate(truth)]
        figures, by_label, _ = board(gold, [f"d{k}\t{guess[k]}" for k in order])
        labels = sorted({*truth, *guess})
        assert list(figures) == ["Accuracy", "Micro", "Macro"]
        assert figures["Accuracy"].value == pytest.approx(100 * accuracy_score(truth, guess))
        for name, average in (("Micro", "micro"), ("Macro", "macro")):
            expected = of_sklearn(truth, guess, labels, average)
            assert three(figures[name]) == pytest.approx(expected)
        assert list(by_label) == labels
        expected = of_sklearn(truth, guess, labels, None)
        for k, figure in enumerate(by_label.values()):
            found = [figure[part] for part in ("precision", "recall", "f1")]
            assert found == pytest.approx([values[k] for values in expected])


def test_several_labels_and_scores() -> None:
    for dice in rounds(2):
        size, names = dice.randint(1, 12), "abcdef"[: dice.randint(1, 6)]
        threshold = dice.choice((0.5, 0.5, 0.25, 1.0))
        truth = [dice.sample(names, dice.randint(0, len(names))) for _ in range(size)]
        scores = [[dice.randint(0, 8) / 8 for _ in names] for _ in range(size)]
        gold = [json.dumps({"id": k, "labels": labels}) for k, labels in enumerate(truth)]
        pred = [
            json.dumps({"id": k, "scores": dict(zip(names, row, strict=True))})
            if dice.random() < 0.5
            else "\t".join([str(k), *(f"{n}={v}" for n, v in zip(names, row, strict=True))])
            for k, row in enumerate(scores)
        ]
        dice.shuffle(pred)
        figures, by_label, skipped = board(gold, pred, Classification(threshold))
        table = MultiLabelBinarizer(classes=list(names)).fit_transform(truth)
        guess = np.array(scores) >= threshold
        used = [k for k in range(len(names)) if table[:, k].any() or guess[:, k].any()]
        assert list(figures) == ["Micro", "Macro", "ROC-AUC"]
        assert list(by_label) == [names[k] for k in used]
        if used:
            for name, average in (("Micro", "micro"), ("Macro", "macro")):
                expected = of_columns(table[:, used], guess[:, used], average)
                assert three(figures[name]) == pytest.approx(expected)
        else:
            assert three(figures["Micro"]) == three(figures["Macro"]) == [0, 0, 0]
        both = [k for k in range(len(names)) if 0 < table[:, k].sum() < size]
        assert skipped == [name for k, name in enumerate(names) if k not in both]
        areas = [100 * roc_auc_score(table[:, k], np.array(scores)[:, k]) for k in both]
        for k, area in zip(both, areas, strict=True):
            assert by_label[names[k]]["roc_auc"] == pytest.approx(area)
        if both:
            assert figures["ROC-AUC"].value == pytest.approx(np.mean(areas))
        else:
            assert figures["ROC-AUC"].value is None


def test_sets_of_labels_given_outright() -> None:
    for dice in rounds(3):
        size, names = dice.randint(1, 12), "abcd"
        truth, guess = (
            [dice.sample(names, dice.randint(0, 4)) for _ in range(size)] for _ in range(2)
        )
        rows = [
            [f"d{k}\t{'|'.join(labels)}" for k, labels in enumerate(side)]
            for side in (truth, guess)
        ]
        figures, _, _ = board(*rows)
        single = all(len(labels) == 1 for labels in (*truth, *guess))
        assert ("Accuracy" in figures) == single
        tables = [MultiLabelBinarizer(classes=list(names)).fit_transform(s) for s in (truth, guess)]
        used = [k for k in range(4) if tables[0][:, k].any() or tables[1][:, k].any()]
        if used:
            for name, average in (("Micro", "micro"), ("Macro", "macro")):
                expected = of_columns(tables[0][:, used], tables[1][:, used], average)
                assert three(figures[name]) == pytest.approx(expected)
