"""`goldlens leakage`: evaluation sentences that stand in training files, and files without them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from goldlens.cli import inputs, outputs
from goldlens.cli.lines import Trouble, counted, one_line
from goldlens.cli.tasks import TaskFlags

if TYPE_CHECKING:
    from goldlens.cli.leaking.given import Given
    from goldlens.cli.leaking.replacing import Replacements
    from goldlens.scoring.analysis.leakage import Leak, Search
    from goldlens.scoring.analysis.surface import Sentence

WAYS: Final = ("both", "id", "forms")
_LARGE: Final = 1 << 25
"""From so many bytes on there is something to wait for."""


@click.command(name="leakage")
@click.argument("training", metavar="TRAINING…", nargs=-1, required=True)
@click.option(
    "--eval",
    "folds",
    multiple=True,
    required=True,
    metavar="FILE",
    help="An evaluation fold, or a glob of them; may be given several times.",
)
@click.option(
    "--by",
    type=click.Choice(WAYS),
    default="both",
    show_default=True,
    help="By what a sentence is found: its id, its forms, or either.",
)
@click.option(
    "--min-words",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Forms of fewer tokens do not count by themselves.",
)
@click.option("--task", type=click.Choice(["ud", "span"]), help="The task; else each file says it.")
@click.option("--token-column", type=int, default=1, show_default=True, help="Spans: the token.")
@click.option("--tag-column", type=int, default=-1, show_default=True, help="Spans: the tag.")
@click.option("--clean", metavar="FOLDER", help="Write the training files without what was found.")
@click.option("--in-place", is_flag=True, help="Write them over the training files.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="So many training sentences are listed; 0 lists none.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the manifest as JSON.")
@click.option("-o", "--output", "output", metavar="FILE", help="Write to a file.")
def command(
    training: Sequence[str],
    folds: Sequence[str],
    by: str,
    min_words: int,
    task: str | None,
    token_column: int,
    tag_column: int,
    clean: str | None,
    in_place: bool,
    limit: int,
    as_json: bool,
    output: str | None,
) -> int:
    """Finds sentences of evaluation folds in the TRAINING files, by their ids and by their forms.

    Files are CoNLL-U or IOB2; globs are welcome. With --clean or --in-place the training files are
    written without the sentences found; every other byte stays. The exit status is 1 if there is
    one.
    """
    if not (token_column and tag_column):
        raise click.UsageError("columns count from 1, or from the end with -1")
    if clean is not None and in_place:
        raise click.UsageError("--clean and --in-place say where to write; give one of them")
    if [*training, *folds].count(inputs.STDIN) > 1:
        raise click.UsageError("only one of the files can be standard input")

    from goldlens.cli.leaking.given import all_given, refuse_same, targets
    from goldlens.cli.leaking.replacing import Replacements
    from goldlens.scoring.analysis.leakage import Search

    flags = TaskFlags(task, token_column=token_column, tag_column=tag_column)
    with ExitStack() as kept, Replacements() as cleaned:
        evaluation, files = (all_given(given, flags, kept) for given in (folds, training))
        refuse_same(files, evaluation)
        places = {} if clean is None else targets(files, clean)
        _refuse_overwriting(files, evaluation, places, output)
        if in_place:
            places = {path: Path(path) for path in targets(files, ".")}
            for path in places:
                outputs.refuse_unwritable(path)
        search = Search({each.name: _sentences(each) for each in evaluation}, by, min_words)
        looked = _look_through(files, search, cleaned, places, in_place)
        if as_json:
            document = _manifest(search, looked, [*files, *evaluation])
            text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
            outputs.put(text, output, machine=True)
        else:
            _show(search, looked, limit, output)
        # Only now: what is left out must be known before it is gone.
        for path in cleaned.put_in_place():
            each = looked[path]
            left = f"{len(each.leaks):,} of {counted(each.sentences, 'sentence')}"
            outputs.complain(f"{one_line(str(places[path]))}: written without {left}\n")
    return 1 if any(each.leaks for each in looked.values()) else 0


@dataclass(slots=True)
class _Looked:
    """What was found in a training file that has so many sentences."""

    name: str
    sentences: int = 0
    leaks: list[Leak] = field(default_factory=list)


def _sentences(fold: Given) -> list[Sentence]:
    """The sentences of a fold. Raises Trouble if it has none."""
    from goldlens.scoring.analysis.surface import read

    with fold.open() as file:
        found = [block.sentence for block in read(file, fold.form) if block.sentence is not None]
    if not found:
        raise _without_sentences(fold)
    return found


def _look_through(
    training: Sequence[Given],
    search: Search,
    cleaned: Replacements,
    places: Mapping[str, Path],
    in_place: bool,
) -> dict[str, _Looked]:
    """What is in each training file, by its path. Raises Trouble.

    Those that have `places` are cleaned, but in place only those with something to leave out.
    """
    found: dict[str, _Looked] = {}
    with _progress(sum(each.size for each in training)) as advance:
        for given in training:
            write: Callable[[bytes], None] | None = None
            if place := places.get(given.path):
                cleaned.begin(given.path, place)
                write = cleaned.write
            found[given.path] = looked = _look_into(given, search, write, advance)
            if in_place and not looked.leaks:
                cleaned.drop()
    return found


def _look_into(
    given: Given,
    search: Search,
    write: Callable[[bytes], None] | None,
    advance: Callable[[int], None],
) -> _Looked:
    """What is in a training file; all else is written. Raises Trouble if it has no sentence."""
    from goldlens.scoring.analysis.leakage import Rest
    from goldlens.scoring.analysis.surface import PIECE, read

    looked, rest, done = _Looked(given.name), Rest(), 0
    with given.open() as file:
        for block in read(file, given.form):
            leak = None
            if block.sentence is not None:
                looked.sentences += 1
                leak = search.find(block.sentence, given.name)
            if leak is not None:
                looked.leaks.append(leak)
            if write is not None:
                write(rest.of(block, left_out=leak is not None))
            done += len(block.text)
            if done >= PIECE:
                advance(done)
                done = 0
    if not looked.sentences:
        raise _without_sentences(given)
    return looked


def _without_sentences(given: Given) -> Trouble:
    message = "the file has no sentence that can be read; give CoNLL-U or IOB2, or name the --task"
    return Trouble(given.name, "file", message)


def _refuse_overwriting(
    training: Sequence[Given],
    folds: Sequence[Given],
    places: Mapping[str, Path],
    output: str | None,
) -> None:
    """Raises Trouble where something would be written over an input, or twice to one place."""
    named = [("a training file", each) for each in training]
    named += [("an evaluation fold", each) for each in folds]
    outputs.refuse_unwritable(output, *((what, each.path) for what, each in named))
    for place in places.values():
        for what, each in named:
            if each.kept is None and place.exists() and place.samefile(each.path):
                message = f"--clean would overwrite {what}; name another folder, or say --in-place"
                raise Trouble(str(place), "same-file", message)
        if output not in (None, "-") and os.path.realpath(place) == os.path.realpath(output or ""):
            raise Trouble(str(place), "same-file", "--clean and -o name the same file; change one")
        if place.is_dir():
            raise Trouble(str(place), "file", "this is a folder; name another one with --clean")
        parent = next(each for each in place.absolute().parents if each.exists())
        if not parent.is_dir() or not os.access(parent, os.W_OK):
            message = f"no file can be made below {parent}; name another folder with --clean"
            raise Trouble(str(place), "file", message)


def _manifest(
    search: Search, looked: Mapping[str, _Looked], files: Sequence[Given]
) -> dict[str, Any]:
    from goldlens.cli.leaking.origin import commit_of, release_of
    from goldlens.scoring.analysis.leakage import manifest

    leaks = {each.name: each.leaks for each in looked.values()}
    commits = {each.name: None if each.kept else commit_of(each.path) for each in files}
    releases = {each.name: release_of(each.name, each.beginning) for each in files}
    versions = {"goldlens": version("goldlens"), "treebanks": releases}
    return manifest(search, leaks, commits, versions)


def _show(search: Search, looked: Mapping[str, _Looked], limit: int, output: str | None) -> None:
    from goldlens.cli.leaking.told import below, tables
    from goldlens.cli.score import show_tables

    leaks = {each.name: each.leaks for each in looked.values()}
    sizes = {each.name: each.sentences for each in looked.values()}
    grids = tables(search.splits(), sizes, leaks)
    said = "".join(f"{text}\n" for text in below(search, leaks, limit))
    show_tables(grids, "Evaluation sentences in training", said, output)


@contextmanager
def _progress(size: int) -> Iterator[Callable[[int], None]]:
    """Shows how many of `size` bytes are read, where there is somebody to see and to wait."""
    if size < _LARGE or not sys.stderr.isatty():
        yield lambda read: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=size)
        yield lambda read: bar.advance(task, read)
