"""The register of tasks: each by its name, imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from goldlens.scoring.task import Task
    from goldlens.scoring.ud.profile import Profile

NAMES: Final = ("ud", "span", "classification", "stemming")


def task_named(
    name: str,
    *,
    threshold: float = 0.5,
    token_column: int = 1,
    tag_column: int = -1,
    reading: str = "strict",
    profile: Profile | None = None,
) -> Task:
    """The task of a name, with what of these options it has.

    `threshold`: the score from which on a label is predicted (classification). The columns (span)
    count from 1, or from the end with -1; `reading` is "strict" or "conlleval". `profile` (ud):
    what two conventions are reconciled by. Raises KeyError for an unknown name.
    """
    match name:
        case "ud":
            if profile is not None:
                from goldlens.scoring.ud.reconciled import task_of

                return task_of(profile)
            from goldlens.scoring.ud.task import UD

            return UD
        case "span":
            from goldlens.scoring.spans.task import Spans

            return Spans(token_column, tag_column, reading)
        case "classification":
            from goldlens.scoring.classification.task import Classification

            return Classification(threshold)
        case "stemming":
            from goldlens.scoring.stemming.task import STEMMING

            return STEMMING
        case _:
            raise KeyError(name)
