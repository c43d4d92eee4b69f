"""Classification texts for tests: marked rows that say where a problem is due, and random ones."""

from __future__ import annotations

import json
from collections.abc import Sequence

from goldlens.scoring.classification.task import CLASSIFICATION, Classification
from goldlens.scoring.classification.unit import Unit
from goldlens.scoring.problems import Problem
from tests.strategies import Dice

IDS = ("d1", "d2", "d3", "d4", "id", "ü", "d 5")
LABELS = ("a", "b", "c", "a b", "é", "x=y")
NUMBERS = ("0.5", "0.25", "1", "0", "-2.5", "3e1", "0.5", "0.75", "-0", ".5", "5.")
ENDS = ("\n", "\n", "\n", "\r\n", "\r")
BROKEN = (
    "", " ", "\t", "{", '{"id": "d1"', '{"id": "d2", "label": }', "d1", "\ta", "d1\ta||b",
    "d1\ta\tb", "d1\ta=nan", "d2\ta=1e999", "d3\ta=0.5\ta=0.6", '{"id": 7, "label": true}',
    '{"id": "d1", "scores": {"a": NaN}}', '{"id": "d4", "labels": ["a", null]}', "id\tlabel",
    '{"id": "d1", "id": "d2", "label": "a"}', '{"label": "a"}', "[1]", '{"id": [], "label": "a"}',
)  # fmt: skip


def units(text: str | bytes, task: Classification = CLASSIFICATION) -> list[Unit]:
    """The units of a whole file."""
    return task.parse(task.split(text if isinstance(text, bytes) else text.encode()))


def unit(text: str | bytes) -> Unit:
    """The one unit of a line that is not its file's first."""
    (found,) = CLASSIFICATION.parse(
        CLASSIFICATION.split(text if isinstance(text, bytes) else text.encode()), at_start=False
    )
    return found


def pointed(line: str) -> tuple[str, str]:
    """A line without its marks, and what stood between them: `d1 <<x>>`."""
    before, _, rest = line.partition("<<")
    marked, _, after = rest.partition(">>")
    return before + marked + after, marked


def at(text: bytes, problem: Problem) -> str:
    """What a problem points to in a text of lines, its place counting units from the first."""
    line = CLASSIFICATION.split(text)[problem.place.unit]
    return line[problem.place.start : problem.place.end].decode()


def row(dice: Dice) -> str:
    """A line: mostly right, in one of the two forms, mostly with an end."""
    if dice.hits(1, 6):
        return dice.pick(BROKEN) + dice.pick(ENDS)
    name = dice.pick(IDS)
    labels = [dice.pick(LABELS) for _ in range(dice.pick((1, 1, 1, 0, 2)))]
    scored = [dice.pick(LABELS[:5]) for _ in range(dice.pick((0, 0, 1, 2, 3)))]
    scores = {label: dice.pick(NUMBERS) for label in scored}
    text = as_json(dice, name, labels, scores) if dice.hits(1, 2) else as_tsv(name, labels, scores)
    return text + dice.pick(ENDS)


def as_tsv(name: str, labels: Sequence[str], scores: dict[str, str]) -> str:
    pairs = [f"{label}={number}" for label, number in scores.items()]
    return "\t".join([name, "|".join(labels), *pairs])


def as_json(dice: Dice, name: str, labels: Sequence[str], scores: dict[str, str]) -> str:
    found: dict[str, object] = {"id": name}
    if len(labels) == 1 and dice.hits(1, 2):
        found["label"] = labels[0]
    elif labels or not scores:
        found["labels"] = labels
    if scores:
        found["scores"] = {label: float(number) for label, number in scores.items()}
    return json.dumps(found, ensure_ascii=dice.hits(1, 2))


def text(dice: Dice, most: int = 6) -> str:
    """A file of a few lines; the last may lack its end."""
    found = "".join(row(dice) for _ in range(dice.below(most + 1)))
    return found.rstrip("\r\n") if dice.hits(1, 4) else found
