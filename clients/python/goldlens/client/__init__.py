"""The client of the daemon: scores, rows and events of the predictions it watches.

    from goldlens.client import connect

    with connect("runs") as client:
        print(client.score("runs/pred.conllu")["metrics"]["LAS"]["f1"])
        for event in client.subscribe():
            print(event)

`connect_async` is the same for asyncio; `errors` has what can go wrong.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldlens.client.asynchronous import AsyncClient as AsyncClient
    from goldlens.client.asynchronous import connect_async as connect_async
    from goldlens.client.errors import ClientError as ClientError
    from goldlens.client.errors import Disconnected as Disconnected
    from goldlens.client.errors import NoDaemon as NoDaemon
    from goldlens.client.events import Gone as Gone
    from goldlens.client.events import Problems as Problems
    from goldlens.client.events import Scores as Scores
    from goldlens.client.sync import Client as Client
    from goldlens.client.sync import connect as connect

_HOMES = {
    "AsyncClient": "asynchronous",
    "Client": "sync",
    "ClientError": "errors",
    "Disconnected": "errors",
    "Gone": "events",
    "NoDaemon": "errors",
    "Problems": "events",
    "Scores": "events",
    "connect": "sync",
    "connect_async": "asynchronous",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    # Imported when used: a program that only looks for a daemon need not wait for the rest.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
