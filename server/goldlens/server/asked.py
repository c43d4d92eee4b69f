"""What can be wrong with what somebody asks of a workspace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from goldlens.scoring.analysis.analysis import WrongQuestion
from goldlens.scoring.task import Incomparable
from goldlens.server.datasets.cached import DataError
from goldlens.server.report.plots import NoPlots
from goldlens.server.results import NoSuchMetric, ResultsError


class WorkspaceError(Exception):
    """Something asked of the workspace cannot be done. `str` says what and what to do."""


class BadArgument(WorkspaceError):
    """What was asked is wrong in itself, such as a metric that the task does not have."""


@contextmanager
def as_workspace_errors() -> Iterator[None]:
    """Whatever is wrong with an analysis, a report, rows or data, as a WorkspaceError."""
    try:
        yield
    except (NoSuchMetric, WrongQuestion) as error:
        raise BadArgument(str(error)) from error
    except (ResultsError, DataError, NoPlots, Incomparable) as error:
        raise WorkspaceError(str(error)) from error
