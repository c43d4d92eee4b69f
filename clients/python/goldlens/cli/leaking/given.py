"""The files of a search for leaks: named by globs, looked at once, opened when it is their turn.

There may be more training files than a process may have open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from glob import glob, has_magic
from os.path import exists, realpath
from pathlib import Path
from typing import BinaryIO, Final

import click

from goldlens.cli import inputs
from goldlens.cli.lines import Trouble, Troubles
from goldlens.cli.tasks import TaskFlags
from goldlens.scoring.analysis.surface import Format, format_of

_BEGINNING: Final = 1 << 16
_COMPARED: Final = 1 << 20


@dataclass(slots=True)
class Given:
    """A file that is there, and is annotated text. `kept` is what cannot be opened twice."""

    path: str
    name: str
    size: int
    identity: tuple[int, int] | None
    form: Format
    beginning: bytes
    kept: BinaryIO | None

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The file, at its start. Raises Trouble, also where it cannot be read to its end."""
        try:
            if self.kept is not None:
                self.kept.seek(0)
                yield self.kept
            else:
                with Path(self.path).open("rb") as file:
                    yield file
        except OSError as error:
            raise inputs.unreadable(self.path, error) from error


def all_given(patterns: Sequence[str], flags: TaskFlags, kept: ExitStack) -> list[Given]:
    """The files of all patterns in their order, each once. Raises Trouble and Troubles.

    What cannot be opened twice stays open as long as `kept`.
    """
    found: list[Given] = []
    troubles: list[Trouble] = []
    for path in dict.fromkeys(path for pattern in patterns for path in _matches(pattern)):
        try:
            found.append(_given(path, flags, kept))
        except Trouble as trouble:
            troubles.append(trouble)
    if troubles:
        raise Troubles(troubles)
    once = {each.identity or each.path: each for each in reversed(found)}
    return list(reversed(once.values()))


def refuse_same(training: Sequence[Given], folds: Sequence[Given]) -> None:
    """Raises Troubles for training files that are a fold, or have the bytes of one."""
    troubles = []
    for each in training:
        for fold in folds:
            same_file = each.identity is not None and each.identity == fold.identity
            if same_file or _same_bytes(each, fold):
                what = "is" if same_file else "has the same bytes as"
                message = f"this training file {what} the evaluation fold {fold.name}; name another"
                troubles.append(Trouble(each.name, "same-file", message))
    if troubles:
        raise Troubles(troubles)


def _matches(pattern: str) -> list[str]:
    """The files that a path, a data set's name or a glob names. Raises Trouble for no file."""
    pattern = inputs.located(pattern)
    named = pattern == inputs.STDIN or not has_magic(pattern)
    if named or exists(pattern):  # noqa: PTH110, never raises
        return [pattern]
    # Not by pathlib, which knows no patterns that are absolute.
    every = glob(pattern, recursive=True)  # noqa: PTH207
    found = sorted(path for path in every if Path(path).is_file())
    if not found:
        raise Trouble(pattern, "file", "no file matches; see whether it is spelt right")
    return found


def _given(path: str, flags: TaskFlags, kept: ExitStack) -> Given:
    opened = inputs.open_text(path)
    again = opened.identity is not None and path != inputs.STDIN
    with ExitStack() as closing:
        (closing if again else kept).enter_context(opened.file)
        beginning = opened.file.read(_BEGINNING)
        task = flags.task(beginning, path).name
        try:
            form = format_of(task, beginning, flags.token_column, flags.tag_column)
        except KeyError as error:
            message = f"this is a file of {task}, without sentences; give CoNLL-U or IOB2"
            raise Trouble(opened.name, "file", message) from error
        if task == "span":
            _check_columns(opened.name, beginning, flags)
        identity, file = (opened.identity, None) if again else (None, opened.file)
        return Given(path, opened.name, opened.size, identity, form, beginning, file)


def _check_columns(name: str, beginning: bytes, flags: TaskFlags) -> None:
    """Raises Trouble if no row has a tag where it is looked for: then no token is one, either."""
    from goldlens.cli.evaluated import check_columns
    from goldlens.scoring.spans.task import Spans
    from goldlens.scoring.task import GOLD
    from goldlens.server.engine.document import Document

    # The last line may be cut short.
    whole = beginning[: beginning.rfind(b"\n") + 1] or beginning
    spans = Spans(flags.token_column, flags.tag_column)
    check_columns(name, Document(spans.format(GOLD), whole, checks=False))


def _same_bytes(one: Given, other: Given) -> bool:
    if one.size != other.size or one.beginning != other.beginning:
        return False
    with one.open() as a, other.open() as b:
        while (piece := a.read(_COMPARED)) == b.read(_COMPARED):
            if not piece:
                return True
    return False


def targets(training: Sequence[Given], folder: str) -> dict[str, Path]:
    """Where in a folder each cleaned file goes: as the files lie below what holds them all.

    Raises UsageError for what is no file on disk.
    """
    from os.path import commonpath

    for each in training:
        if each.kept is not None:
            raise click.UsageError(f"{each.name} has no name to clean it under; give a file")
    places = {each.path: Path(realpath(Path(each.path).parent)) for each in training}
    common = Path(commonpath(places.values()))
    return {
        path: Path(folder, place.relative_to(common), Path(path).name)
        for path, place in places.items()
    }
