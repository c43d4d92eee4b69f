"""The commands: scores, rows, analyses, trees, pairs, and gold named by hand.

Editors and scripts call the same ones; who calls is a `Caller`.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar

from goldlens.scoring.analysis.analysis import EVERY, Question
from goldlens.scoring.bootstrap import FEWEST, MOST, SEEDS, Resampling, Told
from goldlens.server.arguments import WrongCall, items, shown, table, text, whole
from goldlens.server.buffers import LARGE
from goldlens.server.config import DATA
from goldlens.server.engine import seeking
from goldlens.server.results import FIELDS
from goldlens.server.sources import path_of, size_of

if TYPE_CHECKING:
    from goldlens.server.publishing import Publishing
    from goldlens.server.turns import Turns
    from goldlens.server.workspace import Workspace

T = TypeVar("T")

Arguments: TypeAlias = Mapping[str, Any]

FORMATS: Final = ("markdown", "json", "csv", "latex", "hf")


class Caller(Protocol):
    """Somebody with a workspace who calls."""

    @property
    def workspace(self) -> Workspace:
        """What it asks about."""

    @property
    def turns(self) -> Turns:
        """The turns it takes."""

    def mark(self, uris: Iterable[str]) -> None:
        """Documents whose problems or scores may have changed; from any thread."""

    def has_large(self) -> bool:
        """Whether a document is open that takes long to read again."""

    def told(self, drawn: int, of: int) -> None:
        """How a draw gets on; from any thread."""


C = TypeVar("C", bound=Caller)

Kind: TypeAlias = Callable[[object, str], object]
"""What an argument may be: raises WrongCall."""

Command: TypeAlias = tuple[
    Callable[[C, Arguments], asyncio.Future[Any]], dict[str, Kind], tuple[str, ...]
]
"""What runs a command, what its arguments may be, and which it needs."""


def execute(
    caller: C, name: str, values: object, known: Mapping[str, Command[C]]
) -> asyncio.Future[Any]:
    """Runs one of the `known` commands; `values` is the list of its arguments, one object or none.

    Raises WrongCall; the future raises that or WorkspaceError.
    """
    if name not in known:
        raise WrongCall(f"unknown command {shown(name)}; expected one of {', '.join(known)}")
    run, kinds, required = known[name]
    if values is None or values == []:
        values = [{}]
    given = items(values, "arguments")
    if len(given) != 1:
        raise WrongCall(f"expected one object in arguments, not {len(given)}")
    arguments = table(given[0], "arguments[0]")
    for key in required:
        if key not in arguments:
            raise WrongCall(f"{name} expects “{key}” in arguments[0]")
    for key, value in arguments.items():
        if key not in kinds:
            near = get_close_matches(key, kinds, n=1)
            hint = f"did you mean “{near[0]}”?" if near else f"{name} takes {', '.join(kinds)}"
            raise WrongCall(f"unknown argument {shown(key)}; {hint}")
        if value is not None or key in required:
            kinds[key](value, key)
    return run(caller, arguments)


def _score(caller: Caller, arguments: Arguments) -> asyncio.Future[Any]:
    """The scoreboard of a document, null if it has no gold."""
    uri = arguments["uri"]
    return caller.turns.take(lambda: caller.workspace.scores(uri), slow=_is_long(caller, uri))


def rows(caller: Caller, arguments: Arguments) -> asyncio.Future[str]:
    """Results rows, as text. Apart: intervals take their time, and edits come meanwhile."""
    fields = _given(arguments, "uri", "format", "metrics")
    uri, form, metrics = (arguments.get(key) for key in ("uri", "format", "metrics"))
    return _drawn(
        caller,
        lambda: _published(caller).rows_later(str(uri), str(form), metrics, **fields),
    )


def _compare(caller: Caller, arguments: Arguments) -> asyncio.Future[Any]:
    """A prediction beside another one of the same gold. Apart, like rows."""
    fields = _given(arguments, "uri", "other", "metrics")
    uri, other, metrics = (arguments.get(key) for key in ("uri", "other", "metrics"))
    return _drawn(
        caller,
        lambda: _published(caller).compare_later(str(uri), str(other), metrics, **fields),
    )


def _analyze(caller: Caller, arguments: Arguments) -> asyncio.Future[Any]:
    """Where the errors of a prediction come from. Apart, like rows."""
    question = Question(**_given(arguments, "uri"))
    return _drawn(caller, lambda: _published(caller).analyze_later(str(arguments["uri"]), question))


def _report(caller: Caller, arguments: Arguments) -> asyncio.Future[Any]:
    """A report, a page of HTML. Apart, like rows."""
    resampling = Resampling(**_given(arguments, "uri"))
    return _drawn(
        caller, lambda: _published(caller).report_later(str(arguments["uri"]), resampling)
    )


def _published(caller: Caller) -> Publishing:
    return caller.workspace.publishing


class _Ended(Exception):
    """Nobody waits for a draw any more."""


def _drawn(caller: Caller, prepare: Callable[[], Callable[[Told], T]]) -> asyncio.Future[T]:
    """What a job makes that draws; it runs apart, and ends where its future is cancelled."""
    ended = threading.Event()

    def told(drawn: int, of: int) -> None:
        if ended.is_set():
            raise _Ended
        caller.told(drawn, of)

    def drawing(job: Callable[[Told], T]) -> T:
        try:
            return job(told)
        except _Ended:
            # A result that is dropped: whoever had asked has gone.
            return None  # type: ignore[return-value]

    future = caller.turns.apart(lambda: partial(drawing, prepare()))
    future.add_done_callback(lambda _: ended.set())
    return future


def _receipt(caller: Caller, arguments: Arguments) -> asyncio.Future[Any]:
    """The receipt of an evaluation. In a thread: it hashes files."""
    fields = _given(arguments, "uri")
    return caller.turns.take(
        lambda: _published(caller).receipt(str(arguments["uri"]), **fields), slow=True
    )


def _set_gold(caller: Caller, arguments: Arguments) -> asyncio.Future[Any]:
    """Names the gold of a document for this session, or forgets what was named."""
    uri, gold = arguments["uri"], arguments["gold"]

    def work() -> None:
        caller.mark(caller.workspace.set_gold(uri, gold))

    # A data set is hashed first.
    data = gold is not None and gold.startswith(DATA)
    long = data or (gold is not None and size_of(path_of(gold)) > LARGE)
    slow = caller.has_large() or long or _is_long(caller, uri)
    return caller.turns.take(work, slow=slow)


def _pairs(caller: Caller, arguments: Arguments) -> asyncio.Future[Any]:
    """All predictions and what they face. In a thread: it looks through folders."""
    return caller.turns.take(caller.workspace.pairs, slow=True)


def _tree(caller: Caller, arguments: Arguments) -> asyncio.Future[Any]:
    """One sentence to draw, null where there is none."""
    uri, line = arguments["uri"], arguments["line"]
    return caller.turns.take(lambda: caller.workspace.tree(uri, line), slow=_is_long(caller, uri))


def _seek(caller: Caller, arguments: Arguments) -> asyncio.Future[Any]:
    """The sentence with most problems, or the next that has some; null where none has any."""
    uri, which, line = arguments["uri"], arguments["which"], arguments.get("line")

    def work() -> dict[str, object] | None:
        found = caller.workspace.seek(uri, which, line)
        if found is not None and caller.workspace.is_open(uri):
            caller.mark({uri})
        return found

    return caller.turns.take(work, slow=_is_long(caller, uri))


def _is_long(caller: Caller, uri: str) -> bool:
    """Whether a document has to be read from disk first, and is large."""
    return not caller.workspace.is_open(uri) and size_of(path_of(uri)) > LARGE


def _given(arguments: Arguments, *but: str) -> dict[str, Any]:
    """The arguments that are there, but those named."""
    return {key: v for key, v in arguments.items() if v is not None and key not in but}


def _format(value: object, where: str) -> None:
    if value not in FORMATS:
        raise WrongCall(f"expected {where} to be one of {', '.join(FORMATS)}, not {shown(value)}")


def _what(value: object, where: str) -> None:
    if value not in EVERY:
        raise WrongCall(f"expected {where} to be one of {', '.join(EVERY)}, not {shown(value)}")


def _which(value: object, where: str) -> None:
    if value not in seeking.EVERY:
        known = ", ".join(seeking.EVERY)
        raise WrongCall(f"expected {where} to be one of {known}, not {shown(value)}")


def _top(value: object, where: str) -> None:
    whole(value, where, 1)


def _texts(value: object, where: str) -> None:
    for each in items(value, where):
        text(each, f"each of {where}")


def _text_or_null(value: object, where: str) -> None:
    if value is not None:
        text(value, where)


def _resamples(value: object, where: str) -> None:
    if whole(value, where, FEWEST) > MOST:
        raise WrongCall(f"expected {where} to be at most {MOST}, not {shown(value)}")


def _seed(value: object, where: str) -> None:
    if whole(value, where) >= SEEDS:
        raise WrongCall(f"expected {where} to be at most {SEEDS - 1}, not {shown(value)}")


def _level(value: object, where: str) -> None:
    if type(value) is not float or not 0 < value < 1:
        raise WrongCall(f"expected {where} to be a share such as 0.95, not {shown(value)}")


def _figures(value: object, where: str) -> None:
    for name, figure in table(value, where).items():
        if type(figure) not in (int, float):
            raise WrongCall(f"expected {where}.{name} to be a number, not {shown(figure)}")


def _policy(value: object, where: str) -> None:
    if value not in ("official", "lenient"):
        raise WrongCall(f"expected {where} to be official or lenient, not {shown(value)}")


ROWS: Final[dict[str, Kind]] = {
    "uri": text,
    "format": _format,
    "metrics": _texts,
    "resamples": _resamples,
    "level": _level,
    "seed": _seed,
    "component": text,
    "language": text,
    "dataset": text,
    "reference": _figures,
    "reference_source": text,
    "reference_pred": text,
    "policy": _policy,
}
"""What the arguments of rows may be."""

_COMPARE: Final[dict[str, Kind]] = {
    "uri": text,
    "other": text,
    **{key: ROWS[key] for key in ("metrics", "resamples", "level", "seed", "policy")},
}

_RECEIPT: Final[dict[str, Kind]] = {
    "uri": text,
    "policy": _policy,
    **dict.fromkeys(FIELDS, text),
}

COMMANDS: Final[dict[str, Command[Caller]]] = {
    "goldlens.score": (_score, {"uri": text}, ("uri",)),
    "goldlens.rows": (rows, ROWS, ("uri", "format")),
    "goldlens.compare": (_compare, _COMPARE, ("uri", "other")),
    "goldlens.analyze": (
        _analyze,
        {"uri": text, "what": _what, "metric": text, "top": _top, "examples": _top},
        ("uri",),
    ),
    "goldlens.report": (
        _report,
        {"uri": text, **{key: ROWS[key] for key in ("resamples", "level", "seed")}},
        ("uri",),
    ),
    "goldlens.receipt": (_receipt, _RECEIPT, ("uri",)),
    "goldlens.setGold": (_set_gold, {"uri": text, "gold": _text_or_null}, ("uri", "gold")),
    "goldlens.pairs": (_pairs, {}, ()),
    "goldlens.tree": (_tree, {"uri": text, "line": whole}, ("uri", "line")),
    "goldlens.seek": (_seek, {"uri": text, "which": _which, "line": whole}, ("uri", "which")),
}
"""The commands of everybody who has a workspace."""
