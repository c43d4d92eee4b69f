"""Questions answered by a Dask cluster, through `dask.distributed`."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import click

from goldlens.cli.batching.pairs import Question
from goldlens.cli.batching.work import Answer, answer
from goldlens.cli.lines import Trouble, line
from goldlens.server.results import scorer_digest

_PATIENCE: Final = "10s"
"""How long a scheduler may take to answer at first."""

_RETRIES: Final = 2
"""How often a question is asked again where a worker cannot even begin to answer it."""


def on_cluster(
    asked: Mapping[str, Question], scheduler: str
) -> Generator[tuple[str, Answer], None, None]:
    """Each name with its answer, as they come; `scheduler` is an address or a scheduler file.

    What a worker had in hand that is gone, the scheduler gives to another one; only a question
    that takes several workers with it is given up. Workers must see the files under the same
    paths, and have the same Goldlens. Raises Trouble where there is no scheduler, UsageError where
    `distributed` is not installed.
    """
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        message = (
            "--scheduler needs dask.distributed; install it with pip install goldlens[cluster]"
        )
        raise click.UsageError(message) from error
    where = _where(scheduler)
    try:
        client: Any = Client(**where, timeout=_PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        message = "no Dask scheduler answers here; check the address, and that it is running"
        raise Trouble(scheduler, "scheduler", message) from error
    with client:
        # Another run, or another user, may ask the same: each has tasks of its own.
        run = uuid4().hex
        names = {}
        for name, question in asked.items():
            key = f"goldlens-batch-{name}-{run}"
            names[client.submit(answer, question, key=key, retries=_RETRIES)] = name
        done: Any = as_completed(  # type: ignore[no-untyped-call]
            names, loop=client.loop, with_results=True, raise_errors=False
        )
        for future, result in done:
            name = names.pop(future)
            yield name, _checked(asked[name], result)


def _where(scheduler: str) -> Mapping[str, str]:
    """What a client of Dask is to be given: an address, or a scheduler file. Raises Trouble.

    Looked at first: a client that was made of nonsense waits long for its own end, and says so.
    """
    from distributed.comm.addressing import resolve_address

    file = Path(scheduler).is_file()
    try:
        address = json.loads(Path(scheduler).read_bytes())["address"] if file else scheduler
        resolve_address(address)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        what = "this is no scheduler file of Dask" if file else "this is no address of a scheduler"
        message = f"{what} ({error}); name an address, as tcp://node1:8786, or such a file"
        raise Trouble(scheduler, "scheduler", message) from error
    return {"scheduler_file" if file else "address": scheduler}


def _checked(question: Question, result: object) -> Answer:
    """The answer of a worker, or why it is none."""
    if not isinstance(result, Answer):
        error = result[1] if isinstance(result, tuple) and len(result) == 3 else result
        message = f"no worker answered ({type(error).__name__}: {error}); see the cluster's logs"
    elif result.scorer and result.scorer != scorer_digest():
        message = "a worker has another version of Goldlens; install the same one everywhere"
    else:
        return result
    return Answer(errors=(line(question.pred, 1, 1, "error", "worker", message),))
