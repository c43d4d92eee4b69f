"""The configuration: `goldlens.toml`, or `[tool.goldlens]` in `pyproject.toml`.

Reading never fails on what a person may type: an unknown key or a wrong value is a `Problem` at
its exact place, and the rest of the file still counts. `tomllib` knows the values but not where
they stand, so a small scanner goes over the text once more for the positions.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any, Final

from goldlens.scoring.named import shown
from goldlens.scoring.problems import CODES, Problem, Severity, problem
from goldlens.scoring.stemming.indices import INDICES, metrics
from goldlens.scoring.stemming.policies import POLICIES, PRIMARY_OUTPUT
from goldlens.scoring.ud.profile import BUILT_IN
from goldlens.server.config_places import Scanner, Way, not_toml, place
from goldlens.server.config_values import (
    Kind,
    Wrong,
    array_of,
    kind,
    one_of,
    real,
    table_of,
    unknown,
    usable,
    whole,
)
from goldlens.server.datasets import registry
from goldlens.server.datasets.registry import Entry
from goldlens.server.kinds import EXTENSIONS
from goldlens.server.sources import refuse_streams

FILE: Final = "goldlens.toml"
PYPROJECT: Final = "pyproject.toml"

DATA: Final = "data:"
"""How the gold of a known data set begins, instead of a path."""

_METRICS: Final[dict[str, tuple[str, ...]]] = {
    "ud": (
        *("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"),
        *("UAS", "LAS", "CLAS", "MLAS", "BLEX", "ELAS", "EULAS"),
        *("UFeatsAll", "AllTagsAll", "LASFull"),
    ),
    "span": ("Micro", "Macro"),
    "classification": ("Micro", "Macro"),
}
"""The metrics of each task that have a precision and a recall of their own."""

_PLAIN: Final[dict[str, tuple[str, ...]]] = {
    "span": ("F1", "precision", "recall"),
    "classification": ("Accuracy", "ROC-AUC"),
    "stemming": tuple(
        INDICES[key] if policy == PRIMARY_OUTPUT else f"{policy}/{INDICES[key]}"
        for policy in POLICIES
        for key in metrics(policy)
    ),
}
"""Those that have none."""

SEVERITIES: Final[dict[str, Severity | None]] = {s.label: s for s in Severity} | {"off": None}


@dataclass(frozen=True, slots=True)
class PairConfig:
    """One `[[pair]]`: what faces what, and how it is scored and reported.

    `gold` and `pred` are as written; where gold is `data:NAME`, `data` is the data set, None if
    there is none of this name. No `task` means: by the file's name and content. No `metrics` means
    those that the task shows by default. `level` is a share (0.95), the figures of `reference` are
    points. `profile` is the name of one that is built in, or the path of a file; `profile_fault`
    says what is wrong with one that cannot be either, and where that is written.
    """

    gold: str
    pred: str
    task: str | None = None
    component: str = ""
    language: str = ""
    dataset: str = ""
    metrics: tuple[str, ...] = ()
    match: str = "auto"
    policy: str = "official"
    reference: Mapping[str, float] = field(default_factory=dict, hash=False)
    reference_source: str = ""
    reference_pred: str | None = None
    resamples: int = 1000
    level: float = 0.95
    seed: int = 20260101
    threshold: float = 0.5
    token_column: int = 1
    tag_column: int = -1
    profile: str = "none"
    profile_fault: str = ""
    data: Entry | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What an editor shows, and when. `severity` holds only what differs from the defaults."""

    max_problems: int = 250
    run: str = "onType"
    scope: str = "open"
    watch: str = "events"
    severity: Mapping[str, str] = field(default_factory=dict, hash=False)
    inlay_hints: str = "on"
    validate: str = "off"
    validate_language: str = "ud"

    def severity_of(self, code: str) -> Severity | None:
        """The severity under which problems of `code` show, None for not at all.

        Raises KeyError for an unknown code.
        """
        known = CODES[code]
        chosen = self.severity.get(code, "on" if known.on else "off")
        return known.severity if chosen == "on" else SEVERITIES[chosen]

    def merge(self, options: Mapping[str, object]) -> tuple[Settings, list[str]]:
        """These settings with an editor's `options` over them, and a message for each bad one.

        A bad option leaves what was there. `null` means "not set"; a `goldlens` section around
        the options, as some editors send it, is looked into.
        """
        inner = options.get("goldlens", options)
        if not isinstance(inner, Mapping):
            return self, [f"goldlens: expected a table of settings, not {shown(inner)}"]
        # `trace` is read by vscode-languageclient itself, from the same section.
        given = {key: v for key, v in inner.items() if v is not None and key != "trace"}
        values, wrong = usable(given, SETTINGS, ())
        return self._with(values), [f"{'.'.join(map(str, w.where))}: {w.message}" for w in wrong]

    def _with(self, values: Mapping[str, Any]) -> Settings:
        return Settings(
            values.get("maxProblems", self.max_problems),
            values.get("run", self.run),
            values.get("scope", self.scope),
            values.get("watch", self.watch),
            {**self.severity, **values.get("severity", {})},
            values.get("inlayHints", self.inlay_hints),
            values.get("validate", self.validate),
            values.get("validateLanguage", self.validate_language),
        )


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration file as read. Paths and globs in it are relative to `folder`.

    `datasets` are those of its own, to which come those that are shipped (see `known`);
    `dataset_problems` are the `problems` that are about them, or about the whole text.
    """

    path: Path
    pairs: tuple[PairConfig, ...] = ()
    settings: Settings = field(default_factory=Settings)
    problems: tuple[Problem, ...] = ()
    datasets: tuple[Entry, ...] = ()
    dataset_problems: tuple[Problem, ...] = ()

    @property
    def known(self) -> dict[str, Entry]:
        """Every data set by its name."""
        return {**registry.shipped(), **{entry.name: entry for entry in self.datasets}}

    @property
    def folder(self) -> Path:
        """The folder that the file is in."""
        return lexical(self.path).parent


def lexical(path: Path) -> Path:
    """`path` made absolute and its `..` taken away by name alone: symlinks are not resolved."""
    return Path(os.path.normpath(path.absolute()))


def find(start: Path, root: Path | None) -> Path | None:
    """The configuration for the file (or folder) `start`, None if there is none.

    The nearest of the folders above it wins, then the workspace's `root`, which need not be
    above it. A `pyproject.toml` counts only if it has something under `tool.goldlens`.
    """
    here = lexical(start)
    folders = [*([here] if here.is_dir() else []), *here.parents]
    for folder in folders if root is None else [*folders, lexical(root)]:
        if (folder / FILE).is_file():
            return folder / FILE
        if _has_section(folder / PYPROJECT):
            return folder / PYPROJECT
    return None


def _has_section(pyproject: Path) -> bool:
    # A pattern, not tomllib: while someone is editing the file it may not be TOML at all.
    try:
        refuse_streams(pyproject)
        text = pyproject.read_text("utf-8", errors="replace")
    except OSError:
        return False
    return bool(re.search(r"^[ \t]*\[\[?[ \t]*tool[ \t]*\.[ \t]*goldlens[ \t]*[\].]", text, re.M))


def parse(text: str, path: Path) -> Config:
    """The configuration written in `text`; `path` only tells which kind of file it is.

    Never raises: text that is no TOML is one `config-value`, and a configuration without pairs.
    """
    try:
        table: Any = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number too long for Python
        problems = (not_toml(text, error),)
        return Config(path, problems=problems, dataset_problems=problems)
    where: Way = ()
    if path.name == PYPROJECT:
        tool = table.get("tool")
        table = tool.get("goldlens", {}) if isinstance(tool, dict) else {}
        where = ("tool", "goldlens")
    kinds = {
        **SETTINGS,
        "pair": array_of("[[pair]] tables", dict),
        "dataset": array_of("[[dataset]] tables", dict),
    }
    values, wrong = table_of(kinds)(table, where)
    tables = table["dataset"] if "dataset" in (values or {}) else ()
    datasets, more = registry.read(tables, (*where, "dataset"))
    wrong += more
    known = {**registry.shipped(), **{entry.name: entry for entry in datasets}}
    pairs: dict[Way, PairConfig] = {}
    for index, raw in enumerate(table["pair"] if "pair" in (values or {}) else ()):
        if isinstance(raw, dict):
            way = (*where, "pair", index)
            pair, more = _pair(raw, way, known)
            if pair:
                pairs[way] = _reconciled(pair, path.parent)
            wrong += more
    spots = Scanner(text).spots if wrong else {}
    found = [
        (problem(w.code, place(text, *spots[w.where][w.code]), w.message), w.where) for w in wrong
    ]
    found.sort(key=lambda each: (each[0].place.line, each[0].place.start))
    for each, way in found:
        if way[-1:] == ("profile",) and way[:-1] in pairs:
            # Its figures would be others than those that were asked for.
            fault = f"{_written(text, path, each)}: {each.message}"
            pairs[way[:-1]] = replace(pairs[way[:-1]], profile_fault=fault)
    about = (*where, "dataset")
    return Config(
        path,
        tuple(pairs.values()),
        Settings()._with(values or {}),
        tuple(each for each, _ in found),
        datasets,
        tuple(each for each, way in found if way[: len(about)] == about),
    )


def _pair(
    raw: Mapping[str, Any], where: Way, known: Mapping[str, Entry]
) -> tuple[PairConfig | None, list[Wrong]]:
    """One `[[pair]]` table, None where it lacks a usable `gold` or `pred`."""
    values, wrong = usable(raw, PAIR, where)
    for key in ("gold", "pred"):
        if key not in raw:
            wrong.append(Wrong(where, f'a pair needs “{key}”: add {key} = "PATH"'))
    if "gold" in values and values["gold"].startswith(DATA):
        name = values["gold"].removeprefix(DATA)
        values["data"] = entry = known.get(name)
        said = registry.unknown(name, known) if entry is None else registry.no_gold(entry)
        if said:
            wrong.append(Wrong((*where, "gold"), said))
    if names := metrics_of(values):
        metrics, reference = values.get("metrics", []), values.get("reference", {})
        for name in metrics:
            if name not in names:
                at = (*where, "metrics", raw["metrics"].index(name))
                wrong.append(Wrong(at, unknown("metric", name, names)))
        _, more = usable(reference, dict.fromkeys(names, _TEXT), (*where, "reference"))
        wrong += [each for each in more if each.code == "config-key"]
        values["metrics"] = [name for name in metrics if name in names]
        values["reference"] = {name: n for name, n in reference.items() if name in names}
    if "gold" not in values or "pred" not in values:
        return None, wrong
    values["metrics"] = tuple(values.get("metrics", ()))
    return PairConfig(**{key.replace("-", "_"): value for key, value in values.items()}), wrong


def _reconciled(pair: PairConfig, folder: Path) -> PairConfig:
    """A pair whose profile, if it is a file, is named whatever folder one is in."""
    if pair.profile in BUILT_IN:
        return pair
    return replace(pair, profile=str(lexical(folder / pair.profile)))


def _written(text: str, path: Path, found: Problem) -> str:
    """Where a problem is, with line and column from 1."""
    line = text.split("\n")[found.place.line].encode()
    column = len(line[: found.place.start].decode("utf-8", "replace")) + 1
    return f"{path}:{found.place.line + 1}:{column}"


def metrics_of(pair: Mapping[str, Any]) -> list[str]:
    """The names a pair may use for metrics; none at all where any name will do."""
    data: Entry | None = pair.get("data")
    guess = EXTENSIONS.get(PurePath(data.file if data else pair.get("gold", "")).suffix)
    # What looks like class labels may be stems, whose metrics have other names.
    task = pair.get("task", guess if guess != "classification" else None)
    parts = [m + part for m in _METRICS.get(task, ()) for part in ("", ".precision", ".recall")]
    return [*parts, *_PLAIN.get(task, ())]


def _is_path(value: Any) -> bool:
    return isinstance(value, str) and value != "" and "\0" not in value


_TEXT: Final = kind("a text", lambda value: isinstance(value, str))
_PATH: Final = kind("a path", _is_path)
_COLUMN: Final = whole("a column: 1 is the first, -1 the last", lambda n: n != 0)

SETTINGS: Final[dict[str, Kind]] = {
    "maxProblems": whole("a whole number from 1", lambda n: n >= 1),
    "run": one_of("onType", "onSave"),
    "scope": one_of("open", "workspace"),
    "watch": one_of("events", "poll"),
    "inlayHints": one_of("on", "off"),
    "validate": one_of("off", "onSave"),
    "validateLanguage": kind(
        "a language's code, such as “en”",
        lambda value: isinstance(value, str) and re.fullmatch(r"[a-z]{2,3}", value) is not None,
    ),
    "severity": table_of(dict.fromkeys(CODES, one_of(*SEVERITIES, "on"))),
}

PAIR: Final[dict[str, Kind]] = {
    "task": one_of("ud", "span", "classification", "stemming"),
    "gold": _PATH,
    "pred": _PATH,
    "component": _TEXT,
    "language": _TEXT,
    "dataset": _TEXT,
    "metrics": array_of("names of metrics", str),
    "match": one_of("stream", "sent_id", "auto"),
    "policy": one_of("official", "lenient"),
    "reference": table_of(real("a figure in points", lambda value: -100 <= value <= 100)),
    "reference-source": _TEXT,
    "reference-pred": _PATH,
    "resamples": whole("a whole number from 100", lambda n: n >= 100),
    "level": real("a share between 0 and 1, such as 0.95", lambda x: 0 < x < 1),
    "seed": whole("a whole number from 0 to 2^64 - 1", lambda n: 0 <= n < 2**64),
    "threshold": real("a number"),
    "token-column": _COLUMN,
    "tag-column": _COLUMN,
    "profile": kind(
        f"{', '.join(BUILT_IN)} or the path of a TOML file",
        lambda value: _is_path(value) and (value in BUILT_IN or value.endswith(".toml")),
        BUILT_IN,
    ),
}
