"""What a file is: of which task, on which side, and what it faces."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldlens.scoring.task import GOLD, PRED, Format, Task
from goldlens.scoring.tasks import task_named
from goldlens.server.config import Config, PairConfig
from goldlens.server.kinds import LOOKED_AT, first_lines, task_of
from goldlens.server.pairing import Pairing, gold_for, is_gold_name, pairs_with_gold
from goldlens.server.plain import PLAIN
from goldlens.server.profiles import followed

LANGUAGES: Final = {
    "conllu": "ud",
    "conll-u": "ud",
    "iob2": "span",
    "bio": "span",
}
"""The task that an editor's name for a kind of file makes plain."""

_TABLES: Final = frozenset((".tsv", ".jsonl", ".csv", ".json"))
"""Files that may hold anything: they are taken for annotation only if something says so."""

_INERT: Final = frozenset((".toml", ".md", ".yaml", ".yml", ".py"))


@dataclass(frozen=True, slots=True)
class Role:
    """A file's task (None: it is no annotation that we know), its side, and what it faces.

    `settled`: the configuration says that it is gold, and of which task.
    """

    task: Task | None
    side: int = PRED
    facing: Pairing | None = None
    settled: bool = False

    @property
    def format(self) -> Format:
        """How the file is read."""
        return PLAIN if self.task is None else self.task.format(self.side)


def role_of(
    path: Path | None,
    config: Config | None,
    text: bytes = b"",
    language: str | None = None,
    facing: Pairing | None = None,
) -> Role:
    """The role of a file.

    What it is said to face (`facing`) comes first, then the configuration, the names of files,
    the `language` an editor gave it, and how its `text` begins. What nobody knows is taken for
    CoNLL-U, but for files that may hold anything.
    """
    if path is None:
        name = LANGUAGES.get(language or "") or _by_content(Path("untitled"), text)
        return Role(task_named(name or "ud"))
    facing = facing or gold_for(path, config)
    if facing is not None:
        return Role(_task(facing.pair, facing.pred, text, language), PRED, facing)
    for pair in pairs_with_gold(path, config):
        return Role(_task(pair, path, text, language), GOLD, settled=True)
    named = is_gold_name(path)
    said = LANGUAGES.get(language or "")
    if path.suffix in _INERT or (path.suffix in _TABLES and not named and said is None):
        return Role(None)
    name = said or _by_content(path, text) or "ud"
    return Role(task_named(name), GOLD if named else PRED)


def task_for(pair: PairConfig, path: Path, text: bytes) -> Task:
    """The task of a pair, by its configuration or else by a file's name and content."""
    return _task(pair, path, text, None)


def _task(pair: PairConfig, path: Path, text: bytes, language: str | None) -> Task:
    name = pair.task or _by_content(path, text) or LANGUAGES.get(language or "") or "ud"
    return task_named(
        name,
        threshold=pair.threshold,
        token_column=pair.token_column,
        tag_column=pair.tag_column,
        profile=followed(pair.profile, pair.profile_fault),
    )


def _by_content(path: Path, text: bytes) -> str | None:
    return task_of(path, first_lines(text, cut=len(text) > LOOKED_AT))
