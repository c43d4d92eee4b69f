"""What a batch is about: the pairs of a configuration, or those that the command line names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from goldlens.cli.batching.pairs import systems
from goldlens.cli.inputs import located
from goldlens.cli.lines import Located, Trouble, Troubles
from goldlens.server.config import Config, PairConfig, find, lexical, parse
from goldlens.server.sources import Unreadable, read

_WILD: Final = re.compile(r"[*?[]")


def configured(file: str, given: Mapping[str, Any]) -> Config:
    """The configuration in a file, or in a folder; in all its pairs `given` holds instead.

    Anything wrong with it is refused, though an editor would let the rest count: what comes of it
    is published. Raises Trouble and Troubles.
    """
    path = Path(file)
    if path.is_dir():
        found = find(path, None)
        if found is None or found.parent != lexical(path):
            message = (
                "there is no goldlens.toml in this folder; make one, or give --gold and --pred"
            )
            raise Trouble(file, "file", message)
        path = path / found.name
    try:
        data = read(path, any_kind=True)
    except Unreadable as error:
        raise Trouble(str(path), "file", str(error)) from error
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    config = parse(text, lexical(path))
    if config.problems:
        raise Troubles([Located(str(path), each, text.encode()) for each in config.problems])
    if not config.pairs:
        raise Trouble(str(path), "file", "there is no [[pair]] in this file; add one for each gold")
    return replace(config, pairs=tuple(replace(pair, **given) for pair in config.pairs))


def named(gold: str, preds: Sequence[str], given: Mapping[str, Any]) -> Config:
    """The pairs of one gold and of predictions, which are paths and globs.

    Of several paths each is a system, named by what tells them apart; what a glob matches is named
    by the glob's wildcards. Raises Trouble.
    """
    theirs = located(gold)
    paths = [pred for pred in preds if not _WILD.search(pred)]
    names = dict(zip(paths, systems(paths), strict=True))
    pairs = []
    for pred in dict.fromkeys(preds):
        parts = (given.get("component", ""), names.get(pred, ""))
        component = "/".join(part for part in parts if part)
        pairs.append(PairConfig(theirs, pred, **{**given, "component": component}))
    return Config(lexical(Path.cwd() / "goldlens.toml"), tuple(pairs))
