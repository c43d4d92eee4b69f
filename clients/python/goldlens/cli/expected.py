"""What files are held against before they are scored: the task they should be of, whether there is
anything in them, and which of two is gold.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import BinaryIO, Final, NamedTuple

import click

from goldlens.cli.inputs import Input
from goldlens.cli.lines import Trouble, line
from goldlens.cli.seeming import LOOKED_AT, seems, without_rows

FORMATS: Final = {
    "ud": "CoNLL-U",
    "span": "IOB2",
    "classification": "a table of labels",
    "stemming": "a table of stems",
}
"""What a file of each task is called."""

_LOOKS: Final = {**FORMATS, "classification": "JSON Lines"}
"""What a file of each task looks like, where it is known by its rows."""

_SAYS_PRED: Final = frozenset(("pred", "preds", "predicted", "prediction", "predictions"))
_SAYS_GOLD: Final = frozenset(("gold",))


class Beginning(NamedTuple):
    """A file's name and its first bytes, or all of them."""

    name: str
    text: bytes


def beginning(given: Input) -> Beginning:
    """The beginning of an open file; it is read from its start again."""
    text = given.file.read(LOOKED_AT)
    given.file.seek(0)
    return Beginning(given.name, text)


def require(
    wanted: str, *files: Beginning, tag_column: int = -1, otherwise: str = "name another file"
) -> None:
    """Raises Trouble if a file is evidently of another task than the one `wanted`.

    `tag_column` is where tags of spans are looked for. `otherwise` is what to do where the command
    has nothing by which a task is named.
    """
    found = [seems(each.text, wanted, tag_column) for each in files]
    odd = [
        (each, task) for each, task in zip(files, found, strict=True) if task not in ("", wanted)
    ]
    if not odd:
        return
    file, task = odd[-1]
    what = f"this looks like {_LOOKS[task]}"
    if wanted in found:
        other = files[found.index(wanted)].name
        message = f"{what}, and {other} like {_LOOKS[wanted]}; name files of one task"
    else:
        if len(files) > 1 and found == [task] * len(files):
            what += f", as {files[0].name} does"
        remedy = _naming(task) or otherwise
        message = f"{what}, and {FORMATS[wanted]} is expected; {remedy}"
    raise Trouble(file.name, "task", message)


def _naming(task: str) -> str:
    """How the command that runs is told of a task; "" where it cannot be."""
    context = click.get_current_context(silent=True)
    for parameter in context.command.params if context else ():
        if context and parameter.name == "task" and task in getattr(parameter.type, "choices", ()):
            if isinstance(parameter, click.Option):
                return f"say “--task {task}”"
            return f"say “{context.command_path} {task}”"
    return ""


def warnings(gold: Input, pred: Input, task: str) -> list[str]:
    """What is odd about an open pair and yet can be scored, a line each.

    Raises Trouble for a dictionary of stems in the prediction's place.
    """
    said = []
    if _named(gold.name, "stems.tsv") and _named(pred.name, "groups.tsv"):
        message = "this is a dictionary, and stands where stems should; the dictionary comes first"
        raise Trouble(pred.name, "swapped", message)
    if _says(gold.name) == "pred" and _says(pred.name) == "gold":
        message = "gold and prediction look swapped; the order is GOLD PRED"
        said.append(line(gold.name, 1, 1, "warning", "swapped", message))
    for each in (gold, pred):
        said += emptiness(each.name, each.file, task)
    return said


def emptiness(name: str, file: BinaryIO, task: str) -> list[str]:
    """A warning if an open file has no rows; it is read from its start again."""
    why = without_rows(file)
    file.seek(0)
    if not why:
        return []
    message = f"{why}, and {FORMATS[task]} is expected; see whether it was written to its end"
    return [line(name, 1, 1, "warning", "empty", message)]


def _named(path: str, ending: str) -> bool:
    return f".{PurePath(path).name}".endswith(f".{ending}")


def _says(path: str) -> str | None:
    """What a file's name or, where that is silent, its folder's name says it is."""
    where = PurePath(path)
    for name in (where.name, where.parent.name):
        words = set(re.split(r"[^a-z]+", name.lower()))
        is_pred, is_gold = bool(words & _SAYS_PRED), bool(words & _SAYS_GOLD)
        if is_pred != is_gold:
            return "pred" if is_pred else "gold"
    return None
