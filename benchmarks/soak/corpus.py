"""Golds and predictions of all four tasks, made from the examples, and what may become of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.data import ROOT

_EXAMPLES: Final = ROOT / "examples"


@dataclass(frozen=True, slots=True)
class Family:
    """Predictions that face one gold; `name` is what their files are called."""

    task: str
    name: str
    gold: str
    pred: str
    copies: int

    @property
    def config(self) -> str:
        """The pair of the configuration: every run with such a file is a system."""
        return (
            f'[[pair]]\ntask = "{self.task}"\ngold = "gold/{self.gold}"\n'
            f'pred = "runs/*/{self.name}"\nlanguage = "en"\ncomponent = "{self.task}"\n'
        )

    def gold_text(self) -> str:
        """The gold."""
        return _grown(_example("gold", self.gold), self.copies, self.task)

    def pred_text(self) -> str:
        """A prediction, as good as any."""
        return _grown(_example("runs/alpha", self.pred), self.copies, self.task)


FAMILIES: Final = (
    Family("ud", "garden.conllu", "garden.conllu", "garden.conllu", 3),
    Family("span", "places.iob2", "places.iob2", "places.iob2", 3),
    Family("classification", "letters.jsonl", "letters.jsonl", "letters.jsonl", 5),
    Family("stemming", "words.stems.tsv", "words.groups.tsv", "words.stems.tsv", 1),
)

_SHARES: Final = (13, 4, 2, 1)
"""How many of twenty predictions are of each family."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The files of a workspace: golds and predictions by path, each with its family."""

    folder: Path
    golds: dict[Path, Family]
    preds: dict[Path, Family]

    def gold_of(self, pred: Path) -> Path:
        """What a prediction faces."""
        return self.folder / "gold" / self.preds[pred].gold


def settle(folder: Path, files: int, draw: random.Random) -> Corpus:
    """Writes so many predictions, their golds and a configuration; each prediction is another."""
    golds = {folder / "gold" / family.gold: family for family in FAMILIES}
    preds: dict[Path, Family] = {}
    for number in range(files):
        family = draw.choices(FAMILIES, _SHARES)[0] if number >= len(FAMILIES) else FAMILIES[number]
        preds[folder / "runs" / f"r{number:03}" / family.name] = family
    for path, family in golds.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(family.gold_text(), "utf-8", newline="")
    for path, family in preds.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(another(family.pred_text(), draw), "utf-8", newline="")
    config = "maxProblems = 5000\n" + "".join(family.config for family in FAMILIES)
    (folder / "goldlens.toml").write_text(config, "utf-8")
    return Corpus(folder, golds, preds)


def another(text: str, draw: random.Random) -> str:
    """A text with one to four changes, some of which break it."""
    lines = text.split("\n")
    for _ in range(draw.randint(1, 4)):
        draw.choices(_CHANGES, _OFTEN)[0](lines, draw)
    return "\n".join(lines)


def another_gold(text: str, draw: random.Random) -> str:
    """A gold with cells changed, as one that is corrected."""
    lines = text.split("\n")
    for _ in range(draw.randint(1, 3)):
        _cell(lines, draw)
    return "\n".join(lines)


def cell_at(line: str, draw: random.Random) -> tuple[int, int, str]:
    """A cell of a line, from and to in code points, and what else might stand there."""
    cells = line.split("\t")
    if len(cells) == 1:
        at = draw.randint(0, len(line))
        return at, min(len(line), at + draw.randint(0, 3)), draw.choice(("0", "1", "é", "🌱"))
    k = draw.randrange(1, len(cells))
    start = sum(len(cell) + 1 for cell in cells[:k])
    return start, start + len(cells[k]), draw.choice(_NEWS.get((len(cells), k), _ANY))


_ANY: Final = ("NOUN", "VERB", "_", "x", "naïve", "🌱", "garden", "O")
_NEWS: Final[dict[tuple[int, int], Sequence[str]]] = {
    (2, 1): ("O", "B-LOC", "I-LOC", "B-PER", "I-PER", "B-ORG", "garden", "rose"),
    (10, 6): ("0", "1", "2", "3", "4", "5", "6", "7", "99"),
    (10, 7): ("root", "nsubj", "obj", "punct", "obl", "det"),
    (10, 3): ("NOUN", "VERB", "ADJ", "X"),
}


def _rows(lines: Sequence[str]) -> list[int]:
    return [k for k, line in enumerate(lines) if line and not line.startswith("#")]


def _cell(lines: list[str], draw: random.Random) -> None:
    if rows := _rows(lines):
        k = draw.choice(rows)
        if "\t" in lines[k]:
            start, end, new = cell_at(lines[k], draw)
            lines[k] = lines[k][:start] + new + lines[k][end:]
        else:
            # A document of JSON Lines: another figure keeps it well-formed.
            lines[k] = lines[k].replace("0.", draw.choice(("0.1", "0.5", "0.9")), 1)


def _drop(lines: list[str], draw: random.Random) -> None:
    if rows := _rows(lines):
        del lines[draw.choice(rows)]


def _double(lines: list[str], draw: random.Random) -> None:
    if rows := _rows(lines):
        k = draw.choice(rows)
        lines.insert(k, lines[k])


def _break(lines: list[str], draw: random.Random) -> None:
    if rows := _rows(lines):
        k = draw.choice(rows)
        lines[k] = draw.choice((lines[k].replace("\t", " ", 1), lines[k] + "\t_", "x"))


def _join(lines: list[str], draw: random.Random) -> None:
    blank = [k for k, line in enumerate(lines[:-2]) if not line]
    if blank:
        del lines[draw.choice(blank)]


def _end(lines: list[str], draw: random.Random) -> None:
    """The text ends sooner, as one whose writer was killed; perhaps in the middle of a line."""
    if len(lines) > 20:
        del lines[len(lines) - draw.randint(2, 12) :]
        lines += draw.choice(([""], []))


_Change = Callable[[list[str], random.Random], None]
_CHANGES: Final[tuple[_Change, ...]] = (_cell, _drop, _double, _break, _join, _end)
_OFTEN: Final = (70, 6, 6, 8, 6, 4)


def _example(folder: str, name: str) -> str:
    return (_EXAMPLES / folder / name).read_text("utf-8")


def _grown(text: str, copies: int, task: str) -> str:
    """A text several times over, with names of its own in each copy."""
    mark = {"ud": "garden-", "span": "garden-", "classification": "letter-"}.get(task)
    if mark is None:
        return text
    return "".join(text.replace(mark, f"{mark}{k}-" if k else mark) for k in range(copies))
