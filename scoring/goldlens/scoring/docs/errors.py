"""What can be wrong with Docs that are to be scored. The tree of errors is in the package."""

from __future__ import annotations

from collections.abc import Sequence


class DocsError(ValueError):
    """Docs cannot be scored. `str` says in one line which, why, and what to do."""


class UnknownMetric(DocsError):
    """No metric has this name, or Docs do not have what it measures."""


class Unannotated(DocsError):
    """A Doc has no parse, or no entities, where a metric needs them."""


class Refused(DocsError):
    """The official policy refuses the pair. `causes` are all reasons, a line each."""

    def __init__(self, causes: Sequence[str]) -> None:
        self.causes = tuple(causes)
        more = len(self.causes) - 1
        rest = f"; and for {more:,} more causes (see .causes)" if more > 1 else ""
        rest = "; and for 1 more cause (see .causes)" if more == 1 else rest
        super().__init__(
            f"the official policy refuses this pair: {self.causes[0]}{rest}; "
            'policy="lenient" scores all the same'
        )

    def __reduce__(self) -> tuple[type[Refused], tuple[tuple[str, ...]]]:
        return Refused, (self.causes,)
