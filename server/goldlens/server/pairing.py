"""Which prediction faces which gold: by the configuration first, else by the files' names.

All of this is about paths as text. Symbolic links are not resolved, and a path is matched against
a glob without walking the tree, so that it costs the same in a folder of any size.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path, PurePath
from typing import Final, Literal

from goldlens.scoring.problems import Place, Problem, problem
from goldlens.server import profiles
from goldlens.server.config import DATA, Config, PairConfig, lexical
from goldlens.server.datasets import cached, registry
from goldlens.server.kinds import task_of

_PRED_FOLDERS: Final = frozenset({"pred", "preds", "predicted", "predictions"})
_PRED_NAME: Final = re.compile(r"(.+\.)?pred(\.stems)?(\.[^.]+)")
_GOLD_NAME: Final = re.compile(r"(.+\.)?gold(\.groups)?(\.[^.]+)")
_STEMS: Final = re.compile(r"(.+)\.stems(\.[^.]+)")


@dataclass(frozen=True, slots=True)
class Pairing:
    """A prediction and what it faces.

    `gold` need not exist (`trouble` says so). Of a data set it is where that lies in the cache, or
    would lie; where the configuration names an unknown one it is `data:NAME` letter for letter, and
    not absolute. `system` is what the wildcards of the pair's glob matched.
    `rule` tells whether the pair is in the configuration or follows from the files' names.
    """

    pred: Path
    gold: Path
    pair: PairConfig
    system: str
    rule: Literal["config", "name"]

    @property
    def task(self) -> str | None:
        """The task: the configured one, else what the prediction's name suggests."""
        return self.pair.task or task_of(self.pred)

    @property
    def trouble(self) -> Problem | None:
        """Why there is nothing to hold the prediction against now, and what to do about it.

        That is a `gold-not-found`, or a `config-value` if the pair's profile cannot be followed;
        None if both are there. Asks the disk each time, since files may come and go.
        """
        if found := self.profile_trouble:
            return found
        said = self._no_gold()
        return None if said is None else no_gold(said)

    @property
    def profile_trouble(self) -> Problem | None:
        """Why the pair's profile cannot be followed now; None if it can."""
        return profiles.trouble(self.pair.profile, self.pair.profile_fault)

    def _no_gold(self) -> str | None:
        if self.pair.gold.startswith(DATA):
            return _no_data(self.pair)
        if os.path.isfile(self.gold):  # noqa: PTH113, never raises
            return None
        if self.rule == "config":
            return f"no gold at {self.gold}: correct “gold” of this pair, or make the file"
        return f"no gold at {self.gold}: make the file, or name another in goldlens.toml"


def no_gold(message: str) -> Problem:
    """What is said at the start of a prediction whose gold cannot be had."""
    return problem("gold-not-found", Place(0, 0, 0, 0), message)


def data_set(gold: str, config: Config | None) -> Path:
    """Where the gold `data:NAME` lies, by a configuration. Raises DataError if it is not there."""
    known = registry.shipped() if config is None else config.known
    return cached.gold(gold.removeprefix(DATA), known)


def _no_data(pair: PairConfig) -> str | None:
    if pair.data is None:
        return registry.unknown(pair.gold.removeprefix(DATA), registry.shipped())
    return registry.no_gold(pair.data) or cached.trouble(pair.data)


def gold_for(path: Path, config: Config | None) -> Pairing | None:
    """What the prediction `path` faces; None if nothing does, or if it is itself a gold.

    The first pair of the configuration whose glob matches wins over the rules by name.
    """
    pred = lexical(path)
    if config is not None:
        if any(gold_of(pair, config) == pred for pair in config.pairs):
            return None
        for pair in config.pairs:
            system = _glob(config.folder, pair.pred).match(pred)
            if system is not None:
                return Pairing(pred, gold_of(pair, config), pair, system, "config")
    named = _gold_by_name(pred)
    if named is None:
        return None
    gold, system = named
    return Pairing(pred, gold, PairConfig(str(gold), str(pred)), system, "name")


def predictions_for(gold: Path, config: Config | None, candidates: Iterable[Path]) -> list[Pairing]:
    """Those of the `candidates` that face `gold`, in the order given."""
    wanted = lexical(gold)
    pairings = (gold_for(candidate, config) for candidate in candidates)
    return [each for each in pairings if each is not None and each.gold == wanted]


def expand(config: Config) -> list[tuple[PairConfig, Path, str]]:
    """Every prediction on disk that the configuration's globs match, with its system's name.

    In the order of the pairs, and sorted by path within each; golds are left out. One file may
    stand in several pairs.
    """
    golds = {gold_of(pair, config) for pair in config.pairs}
    return [
        (pair, path, system)
        for pair in config.pairs
        for path, system in sorted(_glob(config.folder, pair.pred).walk())
        if path not in golds
    ]


def pairs_with_gold(path: Path, config: Config | None) -> list[PairConfig]:
    """The pairs of a configuration whose gold is at a path."""
    gold = lexical(path)
    return (
        [] if config is None else [pair for pair in config.pairs if gold_of(pair, config) == gold]
    )


def is_gold_name(path: Path) -> bool:
    """Whether a file's name, or its folder's, says that it is gold."""
    name = path.name
    if _GOLD_NAME.fullmatch(name) or path.parent.name == "gold":
        return True
    # Only a dictionary has groups; a stemmer's output has not.
    return f".{name}".endswith(".groups.tsv")


def gold_of(pair: PairConfig, config: Config) -> Path:
    """Where the gold of a configured pair is, or would be (see `Pairing`)."""
    if pair.gold.startswith(DATA):
        return Path(pair.gold) if pair.data is None else cached.place(pair.data)
    return lexical(config.folder / pair.gold)


def _gold_by_name(pred: Path) -> tuple[Path, str] | None:
    """The gold that goes with a prediction's name, and the part of the name that says pred."""
    if _GOLD_NAME.fullmatch(pred.name):
        return None
    if match := _PRED_NAME.fullmatch(pred.name):
        groups = ".groups" if match[2] else ""
        return pred.with_name(f"{match[1] or ''}gold{groups}{match[3]}"), "pred"
    folder = pred.parent
    if folder.name in _PRED_FOLDERS:
        # Stems face a dictionary's groups, which is another kind of file.
        stems = _STEMS.fullmatch(pred.name)
        name = f"{stems[1]}.groups{stems[2]}" if stems else pred.name
        return folder.parent / "gold" / name, folder.name
    return None


@dataclass(frozen=True, slots=True)
class _Glob:
    """A glob relative to the folder `root`, and the same as a pattern.

    `*` and `?` stay within one name, `**` stands for any number of folders, none included;
    `[abc]`, `[a-z]` and `[!abc]` for one character.
    """

    root: Path
    glob: str
    pattern: re.Pattern[str]

    def match(self, path: Path) -> str | None:
        """What the wildcards matched in `path`, joined by "/"; None if it does not match.

        Where they matched nothing, or there are none, it is the path from `root` on.
        """
        if not path.is_relative_to(self.root):
            return None
        name = path.relative_to(self.root).as_posix()
        found = self.pattern.fullmatch(name)
        if found is None:
            return None
        return "/".join(part.strip("/") for part in found.groups() if part) or name

    def walk(self) -> Iterator[tuple[Path, str]]:
        """The files on disk that match, each once, and what the wildcards matched in each."""
        for path in set(self.root.glob(self.glob)) if self.glob else ():
            system = self.match(path)
            if system is not None and path.is_file():
                yield path, system


@lru_cache(maxsize=256)
def _glob(folder: Path, written: str) -> _Glob:
    """The glob `written`, relative to `folder` unless it is absolute."""
    given = PurePath(written)
    root = Path(given.anchor) if given.anchor else lexical(folder)
    segments: list[str] = []
    for part in given.parts[bool(given.anchor) :]:
        # "**" inside a name is "*": pathlib refuses it otherwise.
        segment = part if part == "**" else re.sub(r"\*+", "*", part)
        if segment == "..":
            if segments:
                segments.pop()
            else:
                root = root.parent
        elif segment != "**" or segments[-1:] != ["**"]:
            segments.append(segment)
    if segments[-1:] == ["**"]:
        segments.append("*")
    pattern = "".join(map(_segment, segments)).removesuffix("/")
    return _Glob(root, "/".join(segments), re.compile(pattern, re.DOTALL))


def _segment(segment: str) -> str:
    """A pattern for one part of a glob and the "/" after it; wildcards side by side are a group."""
    if segment == "**":
        return "((?:[^/]+/)*)"
    pattern = ""
    tokens = re.findall(r"\[!?[^/][^\]]*\]|.", segment, re.DOTALL)
    for wild, run in groupby(tokens, lambda token: token in "*?" or len(token) > 1):
        if wild:
            pattern += f"({''.join(map(_wildcard, run))})"
        else:
            pattern += re.escape("".join(run))
    return pattern + "/"


def _wildcard(token: str) -> str:
    if len(token) == 1:
        return {"*": "[^/]*", "?": "[^/]"}[token]
    inside = token[1:-1]
    negated = inside[0] == "!" and len(inside) > 1
    members = ""
    for low, high, single in re.findall(r"(.)-(.)|(.)", inside[negated:], re.DOTALL):
        if single:
            members += re.escape(single)
        elif low <= high:
            members += f"{re.escape(low)}-{re.escape(high)}"
    if negated:
        return f"[^/{members}]"
    return f"[{members}]" if members else "(?!)"
