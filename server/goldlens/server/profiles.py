"""Reconciliation profiles by name, or read from TOML files; what is wrong with one is located."""

from __future__ import annotations

import tomllib
from pathlib import Path

from goldlens.scoring.problems import Place, Problem, problem
from goldlens.scoring.ud.metrics import NAMES
from goldlens.scoring.ud.profile import BUILT_IN, NONE, Profile, read, unknown_name
from goldlens.server.config_places import Scanner, not_toml, place
from goldlens.server.sources import refuse_streams, why_not

SUFFIX = ".toml"
"""How the name of a profile's file ends."""


class BadProfile(ValueError):
    """A profile that cannot be followed: `path` is its file, `problems` say what is wrong where.

    `str` is the first of them, with its place; `text` is what is in the file, as UTF-8.
    """

    def __init__(self, path: str, problems: tuple[Problem, ...], text: bytes = b"") -> None:
        first, *others = problems
        at = path
        if text:
            before = text.split(b"\n")[first.place.line][: first.place.start]
            column = len(before.decode("utf-8", "replace")) + 1
            at = f"{path}:{first.place.line + 1}:{column}"
        more = f" (and {len(others)} more)" if others else ""
        super().__init__(f"{at}: {first.message}{more}")
        self.path, self.problems, self.text = path, problems, text


def is_file(name: str) -> bool:
    """Whether a profile's name is that of a file."""
    return name not in BUILT_IN and (name.endswith(SUFFIX) or "/" in name or "\\" in name)


def profile_of(name: str) -> Profile:
    """The profile of a name, built in or that of a file. Raises BadProfile."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    path = Path(name)
    try:
        refuse_streams(path)
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        known = is_file(name) or (name and isinstance(error, OSError) and path.exists())
        message = unknown_name(name)
        if known:
            message = why_not(path, error) if isinstance(error, OSError) else str(error)
        raise BadProfile(name, (_whole(message),)) from error
    return parse(data, name)


def file_of(name: str) -> Path | None:
    """The file that a profile's name names, None for one that is built in."""
    return Path(name) if is_file(name) else None


def trouble(name: str, fault: str = "") -> Problem | None:
    """Why nothing is scored under the profile of a name now; None if it can be followed.

    `fault`: what is wrong with a name that the configuration says (see `PairConfig`).
    """
    if fault:
        return _not_followed(fault)
    if name not in BUILT_IN:
        try:
            profile_of(name)
        except BadProfile as error:
            remedy = "correct it there, or name" if error.text else "name"
            return _not_followed(f"{error}; {remedy} another “profile” in the configuration")
    return None


def _not_followed(why: str) -> Problem:
    message = f"Nothing is scored, since the profile of this pair cannot be followed: {why}"
    return problem("config-value", Place(0, 0, 0, 0), message)


def followed(name: str, fault: str = "") -> Profile | None:
    """The profile of a name, None for "none".

    One that cannot be followed (see `trouble`) leaves every metric undefined: no figure is ever
    that of another profile than the one that was asked for.
    """
    unreadable = Profile("unreadable", incomparable=NAMES)
    if fault or name == NONE.name:
        return unreadable if fault else None
    try:
        return profile_of(name)
    except BadProfile:
        return unreadable


def parse(data: bytes, name: str) -> Profile:
    """The profile that the bytes of a file describe. Raises BadProfile."""
    try:
        text = data.decode("utf-8-sig")
        table = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise BadProfile(name, (_whole("this is no UTF-8 text; save it as UTF-8"),)) from error
    except (ValueError, RecursionError) as error:
        raise BadProfile(name, (not_toml(text, error),), text.encode()) from error
    profile, wrong = read(table, Path(name).stem)
    if wrong:
        spots = Scanner(text).spots
        problems = [problem(w.code, place(text, *spots[w.where][w.code]), w.message) for w in wrong]
        problems.sort(key=lambda found: (found.place.line, found.place.start))
        raise BadProfile(name, tuple(problems), text.encode())
    return profile


def _whole(message: str) -> Problem:
    return problem("config-value", Place(0, 0, 0, 0), message)
