"""workspace/executeCommand: scores, rows, trees, pairs, and gold named by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from pygls.exceptions import JsonRpcException

from goldlens.scoring.bootstrap import FEWEST, MOST, SEEDS
from goldlens.server.lsp.params import invalid, items, shown, table, text, whole
from goldlens.server.lsp.sync import size_of
from goldlens.server.lsp.views import LARGE
from goldlens.server.results import FIELDS
from goldlens.server.sources import path_of
from goldlens.server.workspace import BadArgument, WorkspaceError

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

T = TypeVar("T")

Arguments: TypeAlias = Mapping[str, Any]

FORMATS: Final = ("markdown", "json", "csv", "latex", "hf")

REQUEST_FAILED: Final = -32803
"""LSP's code for a request that was right but cannot be met."""


def execute(ls: GoldlensServer, params: Any) -> asyncio.Future[Any]:
    """Runs a command. Raises JsonRpcInvalidParams."""
    given = table(params, "params")
    name = text(given.get("command"), "command")
    if name not in COMMANDS:
        raise invalid(f"unknown command {shown(name)}; expected one of {', '.join(COMMANDS)}")
    run, kinds, required = COMMANDS[name]
    values = given.get("arguments")
    if values is None or values == []:
        values = [{}]
    if len(items(values, "arguments")) != 1:
        raise invalid(f"expected one object in arguments, not {len(values)}")
    arguments = table(values[0], "arguments[0]")
    for key in required:
        if key not in arguments:
            raise invalid(f"{name} expects “{key}” in arguments[0]")
    for key, value in arguments.items():
        if key not in kinds:
            near = get_close_matches(key, kinds, n=1)
            hint = f"did you mean “{near[0]}”?" if near else f"{name} takes {', '.join(kinds)}"
            raise invalid(f"unknown argument {shown(key)}; {hint}")
        if value is not None or key in required:
            kinds[key](value, key)
    return run(ls, arguments)


def _score(ls: GoldlensServer, arguments: Arguments) -> asyncio.Future[Any]:
    """The scoreboard of a document, null if it has no gold."""
    return ls.turns.take(_asked(lambda: ls.workspace.scores(arguments["uri"])))


def _rows(ls: GoldlensServer, arguments: Arguments) -> asyncio.Future[Any]:
    """Results rows, as text. Apart: intervals take their time, and edits come meanwhile."""
    fields = _given(arguments, "uri", "format", "metrics")
    uri, form, metrics = (arguments.get(key) for key in ("uri", "format", "metrics"))

    def prepare() -> Callable[[], str]:
        return _asked(ls.workspace.rows_later(str(uri), str(form), metrics, **fields))

    return ls.turns.apart(_asked(prepare))


def _compare(ls: GoldlensServer, arguments: Arguments) -> asyncio.Future[Any]:
    """A prediction beside another one of the same gold. Apart, like rows."""
    fields = _given(arguments, "uri", "other", "metrics")
    uri, other, metrics = (arguments.get(key) for key in ("uri", "other", "metrics"))

    def prepare() -> Callable[[], list[dict[str, Any]]]:
        return _asked(ls.workspace.compare_later(str(uri), str(other), metrics, **fields))

    return ls.turns.apart(_asked(prepare))


def _receipt(ls: GoldlensServer, arguments: Arguments) -> asyncio.Future[Any]:
    """The receipt of an evaluation. In a thread: it hashes files."""
    fields = _given(arguments, "uri")
    return ls.turns.take(
        _asked(lambda: ls.workspace.receipt(str(arguments["uri"]), **fields)), slow=True
    )


def _given(arguments: Arguments, *but: str) -> dict[str, Any]:
    """The arguments that are there, but those named."""
    return {key: v for key, v in arguments.items() if v is not None and key not in but}


def _set_gold(ls: GoldlensServer, arguments: Arguments) -> asyncio.Future[Any]:
    """Names the gold of a document for this session."""
    uri, gold = arguments["uri"], arguments["gold"]

    def work() -> None:
        ls.publisher.mark(ls.workspace.set_gold(uri, gold))

    slow = ls.has_large() or size_of(path_of(gold)) > LARGE
    return ls.turns.take(_asked(work), slow=slow)


def _pairs(ls: GoldlensServer, arguments: Arguments) -> asyncio.Future[Any]:
    """All predictions and what they face. In a thread: it looks through folders."""
    return ls.turns.take(_asked(ls.workspace.pairs), slow=True)


def _tree(ls: GoldlensServer, arguments: Arguments) -> asyncio.Future[Any]:
    """One sentence to draw, null where there is none."""
    return ls.turns.take(_asked(lambda: ls.workspace.tree(arguments["uri"], arguments["line"])))


def _asked(job: Callable[[], T]) -> Callable[[], T]:
    def asked() -> T:
        try:
            return job()
        except BadArgument as error:
            raise invalid(str(error)) from error
        except WorkspaceError as error:
            raise JsonRpcException(message=str(error), code=REQUEST_FAILED) from error

    return asked


# What an argument may be: raises JsonRpcInvalidParams.
_Kind: TypeAlias = Callable[[object, str], object]


def _format(value: object, where: str) -> None:
    if value not in FORMATS:
        raise invalid(f"expected {where} to be one of {', '.join(FORMATS)}, not {shown(value)}")


def _texts(value: object, where: str) -> None:
    for each in items(value, where):
        text(each, f"each of {where}")


def _resamples(value: object, where: str) -> None:
    if whole(value, where, FEWEST) > MOST:
        raise invalid(f"expected {where} to be at most {MOST}, not {shown(value)}")


def _seed(value: object, where: str) -> None:
    if whole(value, where) >= SEEDS:
        raise invalid(f"expected {where} to be at most {SEEDS - 1}, not {shown(value)}")


def _level(value: object, where: str) -> None:
    if type(value) is not float or not 0 < value < 1:
        raise invalid(f"expected {where} to be a share such as 0.95, not {shown(value)}")


def _figures(value: object, where: str) -> None:
    for name, figure in table(value, where).items():
        if type(figure) not in (int, float):
            raise invalid(f"expected {where}.{name} to be a number, not {shown(figure)}")


def _policy(value: object, where: str) -> None:
    if value not in ("official", "lenient"):
        raise invalid(f"expected {where} to be official or lenient, not {shown(value)}")


_ROWS: Final[dict[str, _Kind]] = {
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

_COMPARE: Final[dict[str, _Kind]] = {
    "uri": text,
    "other": text,
    **{key: _ROWS[key] for key in ("metrics", "resamples", "level", "seed", "policy")},
}

_RECEIPT: Final[dict[str, _Kind]] = {
    "uri": text,
    "policy": _policy,
    **dict.fromkeys(FIELDS, text),
}

COMMANDS: Final[
    dict[
        str,
        tuple[
            Callable[[GoldlensServer, Arguments], asyncio.Future[Any]],
            dict[str, _Kind],
            tuple[str, ...],
        ],
    ]
] = {
    "goldlens.score": (_score, {"uri": text}, ("uri",)),
    "goldlens.rows": (_rows, _ROWS, ("uri", "format")),
    "goldlens.compare": (_compare, _COMPARE, ("uri", "other")),
    "goldlens.receipt": (_receipt, _RECEIPT, ("uri",)),
    "goldlens.setGold": (_set_gold, {"uri": text, "gold": text}, ("uri", "gold")),
    "goldlens.pairs": (_pairs, {}, ()),
    "goldlens.tree": (_tree, {"uri": text, "line": whole}, ("uri", "line")),
}
"""Each command: what runs it, what its arguments may be, and which it needs."""
