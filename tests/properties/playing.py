"""How the state machines of law 1 are played."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from goldlens.server.engine.listing import Lister, Listing
from goldlens.server.engine.pair import Pair

QUIET = settings(
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate, Phase.shrink],
)


def quick(examples: int, a_game: int) -> settings:
    """So many games, always the same ones, without looking for a smaller failure."""
    return settings(
        QUIET,
        max_examples=examples,
        stateful_step_count=a_game,
        derandomize=True,
        phases=[Phase.generate],
    )


def play_on(machine: Any, steps: int, *, a_game: int, games: int) -> int:
    """Plays games of so many steps, up to `games` at a time, until so many steps are done.

    `machine.steps` counts them; returns how many there were.
    """
    while machine.steps < steps:
        examples = max(1, min(games, (steps - machine.steps) // a_game))
        how = settings(QUIET, max_examples=examples, stateful_step_count=a_game)
        run_state_machine_as_test(machine, settings=how)
    found: int = machine.steps
    return found


def listing(pair: Pair) -> Listing:
    """All problems of the prediction but those of the whole file, by default severities."""
    return Lister(pair.pred, pair, lambda problem: problem.severity).list([], None, 0)
