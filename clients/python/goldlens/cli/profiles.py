"""Profiles as the command line names them: built in, or a TOML file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldlens.cli.lines import Located, Troubles

if TYPE_CHECKING:
    from goldlens.scoring.ud.profile import Profile


def profile_named(name: str) -> Profile | None:
    """The profile of a name or in a file; None for "none". Raises Troubles, one a fault."""
    if name == "none":
        # Not sooner: whoever reconciles nothing does not pay for it.
        return None
    from goldlens.server.profiles import BadProfile, profile_of

    try:
        return profile_of(name)
    except BadProfile as error:
        wrong = [Located(error.path, each, error.text) for each in error.problems]
        raise Troubles(wrong) from error
