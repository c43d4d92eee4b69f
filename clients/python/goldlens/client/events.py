"""What a daemon tells its subscribers, and the box where it waits to be looked at."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import unquote_to_bytes, urlsplit

from goldlens.client.errors import BadFrame


@dataclass(frozen=True, slots=True)
class _Told:
    """Something about one prediction. `raw` is all that the daemon said."""

    raw: Mapping[str, Any]

    @property
    def uri(self) -> str:
        """The prediction, as a file URI."""
        uri: str = self.raw["uri"]
        return uri

    @property
    def path(self) -> Path:
        """The prediction's file."""
        return path_of(self.uri)


@dataclass(frozen=True, slots=True)
class Scores(_Told):
    """A prediction has other scores, or none can be had."""

    @property
    def system(self) -> str:
        """The name of the system that made the prediction."""
        return str(self.raw.get("system") or "")

    @property
    def metrics(self) -> Mapping[str, Mapping[str, Any]] | None:
        """The figures of each metric, in points; None where `trouble` says why there are none."""
        return self.raw.get("metrics")

    @property
    def trouble(self) -> str | None:
        """Why there is no score."""
        return self.raw.get("trouble")

    @property
    def since_open(self) -> Mapping[str, Any] | None:
        """By how many points each metric has changed since the prediction was first seen."""
        return self.raw.get("since_open")

    @property
    def since_save(self) -> Mapping[str, Any] | None:
        """By how many points each metric has changed since it was last saved."""
        return self.raw.get("since_save")

    def score(self, metric: str) -> float | None:
        """The score of a metric, in points; None where it is undefined. Raises KeyError."""
        if self.metrics is None:
            return None
        figure = self.metrics[metric]
        found: float | None = figure["f1"] if "f1" in figure else figure.get("value")
        return found


@dataclass(frozen=True, slots=True)
class Problems(_Told):
    """A prediction has other problems."""

    @property
    def problems(self) -> Sequence[Mapping[str, Any]]:
        """The problems, each as in `goldlens check --format json`."""
        found: Sequence[Mapping[str, Any]] = self.raw.get("problems") or ()
        return found

    @property
    def more(self) -> int:
        """How many there are besides."""
        return int(self.raw.get("more") or 0)


@dataclass(frozen=True, slots=True)
class Gone(_Told):
    """A prediction is no longer there."""


Event: TypeAlias = Scores | Problems | Gone

_KINDS: Final[dict[str, type[Event]]] = {
    "goldlens/scores": Scores,
    "goldlens/problems": Problems,
    "goldlens/gone": Gone,
}


def event_of(method: str, params: Mapping[str, Any]) -> Event | None:
    """A notification as an event; None for one that this version does not know. Raises BadFrame."""
    kind = _KINDS.get(method)
    if kind is None:
        return None
    if not isinstance(params.get("uri"), str):
        raise BadFrame(f"the daemon sent {method} without a uri")
    return kind(params)


class Mailbox:
    """Events that wait for whoever reads them, the latest of each kind and prediction only.

    So whoever reads slowly sees the last state of everything, and nothing piles up.
    """

    def __init__(self) -> None:
        self._waiting: dict[tuple[type[Event], str], Event] = {}

    def put(self, event: Event) -> None:
        """Takes an event. What it makes obsolete is dropped."""
        if isinstance(event, Gone):
            for kind in (Scores, Problems):
                self._waiting.pop((kind, event.uri), None)
        key = (type(event), event.uri)
        # At the end, where it belongs by its age.
        self._waiting.pop(key, None)
        self._waiting[key] = event

    def take(self) -> Event | None:
        """The oldest event, which is no longer here then; None if there is none."""
        if not self._waiting:
            return None
        return self._waiting.pop(next(iter(self._waiting)))


def path_of(uri: str) -> Path:
    """The path of a file URI, whatever bytes are in it."""
    path = os.fsdecode(unquote_to_bytes(urlsplit(uri).path))
    return Path(path[1:] if os.name == "nt" and path.startswith("/") else path)
