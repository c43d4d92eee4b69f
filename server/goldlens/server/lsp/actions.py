"""textDocument/codeAction: problems repaired, and what gold has taken over."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.scoring.problems import CODES
from goldlens.server.arguments import WrongCall, items, table, text
from goldlens.server.lsp import slices
from goldlens.server.lsp.asking import Asked, about, position_of
from goldlens.server.lsp.edits import edit_of, text_edits, workspace_edit
from goldlens.server.lsp.fragments import SOURCE
from goldlens.server.lsp.params import document as document_of
from goldlens.server.lsp.protocol import Ready
from goldlens.server.lsp.sight import looked
from goldlens.server.sources import key_of
from goldlens.server.views import offers, taking, whole
from goldlens.server.views.fix import Fix
from goldlens.server.views.offers import Found, Stretch
from goldlens.server.views.repairing import ALONE, all_of, fixes
from goldlens.server.views.trying import betters

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

Action = dict[str, Any]

QUICK: Final = "quickfix"
REWRITE: Final = "refactor.rewrite"
ALL: Final = "source.fixAll.goldlens"
KINDS: Final = (QUICK, REWRITE, ALL)

PROVIDER: Final = types.CodeActionOptions(code_action_kinds=list(KINDS), resolve_provider=True)
"""What is announced to clients that take more than commands."""

_BUDGET: Final = 0.02
"""Seconds after which no more problems get actions of their own in an answer that has some."""
_PATIENCE: Final = 0.1
"""The same for an answer that has none yet; the first problem is looked at anyhow."""
_AT_ONCE: Final = 32
"""In so many units all of a kind are repaired before the client chooses to."""


def actions(ls: GoldlensServer, params: Any) -> asyncio.Future[Any] | None:
    """What can be done in a range. Raises WrongCall.

    None for clients that know only commands. With context.diagnostics it is about those of ours
    among them; if there are none at all, about what is wrong in the range.
    """
    given = table(params, "params")
    where = table(given.get("range"), "range")
    start = position_of(where.get("start"), "range.start")
    end = position_of(where.get("end"), "range.end")
    context = table(given.get("context") or {}, "context")
    only = context.get("only")
    told = items(context.get("diagnostics") or [], "context.diagnostics")
    if not ls.client.literals:
        return None
    looked(ls, document_of(given)["uri"], start[0])
    wanted = _wanted(only)
    if wanted == {ALL}:
        return _source_action(ls, params)
    told = [each for each in told if isinstance(each, dict)]
    return about(ls, params, lambda asked: _offered(ls, asked, start, end, told, wanted))


def _wanted(only: object) -> set[str]:
    """The kinds that a client wants. What changes the whole file comes only if it is named."""
    if not isinstance(only, list):
        return {QUICK, REWRITE}
    kinds = [kind for kind in only if isinstance(kind, str)]
    return {
        own for own in KINDS if any(own == kind or own.startswith(f"{kind}.") for kind in kinds)
    }


def _offered(
    ls: GoldlensServer,
    asked: Asked,
    start: tuple[int, int],
    end: tuple[int, int],
    told: list[Mapping[str, Any]],
    wanted: set[str],
) -> list[Action]:
    found: list[Action] = []
    stretch = offers.stretch(asked.document, asked.pair, start, end)
    if QUICK in wanted:
        found += _quick(ls, asked, stretch, told)
    if REWRITE in wanted:
        found += _rewrites(ls, asked, stretch, [action.get("edit") for action in found])
    if ALL in wanted and ls.client.resolves:
        found.append(_all(asked))
    return found


def _quick(
    ls: GoldlensServer, asked: Asked, stretch: Stretch, told: list[Mapping[str, Any]]
) -> Iterator[Action]:
    ours = {_place(each): each for each in told if each.get("source") == SOURCE}
    if told and not ours:
        return
    codes: dict[str, Found] = {}
    begun, looked, some = time.monotonic(), False, False
    for problem in offers.problems(asked.document, asked.pair, stretch):
        shown = _shown(asked, problem, ours)
        if ours and shown is None:
            continue
        if not ours and not offers.touches(problem, stretch, asked.encoding, asked.document):
            continue
        patience = _BUDGET if some else _PATIENCE
        if looked and time.monotonic() - begun > patience:
            break
        looked = True
        made: list[Fix] = []
        if problem.code in whole.CODES:
            offered = list(_of_file(ls, asked, problem.code))
        else:
            made = list(fixes(asked.document, asked.pair, problem.unit, problem.problem))
            offered = [
                _action(ls, asked, fix, preferred=not k and (fix.safe or fix.of_gold))
                for k, fix in enumerate(made)
            ]
        some = some or bool(offered)
        for action in offered:
            if shown is not None:
                action["diagnostics"] = [shown]
            yield action
        # What gold has, and how lines are joined, is for each place to be seen to.
        if problem.code not in ALONE and any(not (fix.of_gold or fix.reading) for fix in made):
            codes.setdefault(problem.code, problem)
    for code in codes:
        yield from _all_of_a_kind(ls, asked, code)


def _shown(
    asked: Asked, problem: Found, ours: Mapping[tuple[Any, Any, Any], Mapping[str, Any]]
) -> Mapping[str, Any] | None:
    """A problem as the client has it; what is told of the file as a whole, wherever that is."""
    if problem.code in whole.CODES:
        return next((each for key, each in ours.items() if key[0] == problem.code), None)
    start = asked.range(problem.line, problem.place.start, problem.place.end)["start"]
    return ours.get((problem.code, start["line"], start["character"]))


def _of_file(ls: GoldlensServer, asked: Asked, code: str) -> Iterator[Action]:
    """What can be done about the file as a whole; its edits when they are wanted."""
    if not ls.client.resolves:
        for fix in whole.of_file(asked.document, code):
            yield _action(ls, asked, fix, preferred=True)
    elif title := whole.title_of(asked.document, code):
        data = {"uri": asked.uri, "codes": [code]}
        yield {"title": title, "kind": QUICK, "isPreferred": True, "data": data}


def _place(diagnostic: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    """The code of a diagnostic and where it begins, as the client has it."""
    where = diagnostic.get("range")
    start = where.get("start") if isinstance(where, dict) else None
    line, character = (
        (start.get("line"), start.get("character")) if isinstance(start, dict) else (None, None)
    )
    code = diagnostic.get("code")
    return code if isinstance(code, str) else None, _plain(line), _plain(character)


def _plain(value: object) -> object:
    return value if isinstance(value, int) else None


def _action(ls: GoldlensServer, asked: Asked, fix: Fix, *, preferred: bool = False) -> Action:
    action: Action = {"title": fix.title, "kind": QUICK}
    action["edit"] = workspace_edit(ls, asked, [fix.change])
    if preferred:
        action["isPreferred"] = True
    return action


def _rewrites(
    ls: GoldlensServer, asked: Asked, stretch: Stretch, known: list[object]
) -> Iterator[Action]:
    """Gold's word and gold's sentence, for a range within one sentence."""
    pair, document = asked.pair, asked.document
    if pair is None or document.format.name != "ud" or stretch.stop - stretch.first != 1:
        return
    offered = []
    spot = asked.spot(*stretch.start)
    if spot is not None and spot.row is not None and stretch.start[0] == stretch.end[0]:
        offer = taking.word(pair, spot.unit, spot.row.first)
        offered += [] if offer is None else [offer]
    offered += taking.whole(pair, stretch.first)
    for title, change in offered:
        if change.edits and betters(document, pair, change, None):
            edit = workspace_edit(ls, asked, [change])
            if edit not in known:
                known.append(edit)
                yield {"title": title, "kind": REWRITE, "edit": edit}


def _all_of_a_kind(ls: GoldlensServer, asked: Asked, code: str) -> Iterator[Action]:
    """All problems of a code in the file; none where this is the only one of its kind."""
    title = f"Repair all of this kind in the file: {CODES[code].title.lower()}"
    action: Action = {"title": title, "kind": QUICK}
    if ls.client.resolves:
        yield {**action, "data": {"uri": asked.uri, "codes": [code]}}
        return
    units = offers.with_problems(asked.document)
    if len(units) > _AT_ONCE:
        return
    changes = [
        change
        for unit in units
        for change in all_of(asked.document, asked.pair, unit, frozenset((code,)))
    ]
    if len(changes) > 1:
        yield {**action, "edit": workspace_edit(ls, asked, changes)}


def _all(asked: Asked) -> Action:
    data = {"uri": asked.uri, "codes": None}
    return {"title": "Repair all that has one safe repair", "kind": ALL, "data": data}


def _source_action(ls: GoldlensServer, params: Any) -> asyncio.Future[Any]:
    """source.fixAll: made now for clients that do not resolve actions."""
    if ls.client.resolves:
        return about(ls, params, lambda asked: [_all(asked)])

    async def made() -> Any:
        uri = table(params, "params")["textDocument"]["uri"]
        edits = await _edits_of_all(ls, uri, None)
        if not edits:
            return None if edits is None else []
        action = {"title": "Repair all that has one safe repair", "kind": ALL}
        return [{**action, "edit": edit_of(ls, _as_opened(ls, uri), edits)}]

    uri = table(table(params, "params").get("textDocument"), "textDocument").get("uri")
    text(uri, "textDocument.uri")
    return asyncio.ensure_future(made())


def resolve(ls: GoldlensServer, params: Any) -> asyncio.Future[Any]:
    """codeAction/resolve: the edits of an action that is about the whole file. Raises WrongCall."""
    action = table(params, "params")
    data = table(action.get("data"), "data")
    uri = text(data.get("uri"), "data.uri")
    codes = data.get("codes")
    named = None if codes is None else frozenset(map(str, items(codes, "data.codes")))
    if named is not None and not named <= CODES.keys():
        raise WrongCall(f"expected data.codes to be codes, not {sorted(named)}")

    async def made() -> Any:
        edits = await _edits_of_all(ls, uri, named)
        return {**action, "edit": edit_of(ls, _as_opened(ls, uri), edits or [])}

    return asyncio.ensure_future(made())


def _as_opened(ls: GoldlensServer, uri: str) -> str:
    view = ls.views.get(key_of(uri))
    return uri if view is None else view.uri


async def _edits_of_all(
    ls: GoldlensServer, uri: str, codes: frozenset[str] | None
) -> list[Any] | None:
    """The edits that repair a whole file, made in slices; None if it is not open."""

    def pieces(asked: Asked) -> Iterator[str]:
        document = asked.document
        # How lines end is the editor's business, unless it is asked for by name.
        for code in ("bom",) if codes is None else codes & set(whole.CODES):
            for fix in whole.of_file(document, code):
                for edit in text_edits(asked, fix.change):
                    yield json.dumps(edit)
        for unit in offers.with_problems(document):
            made = all_of(document, asked.pair, unit, codes)
            edits = [json.dumps(edit) for change in made for edit in text_edits(asked, change)]
            # A unit without any is a step too: others have their turns in between.
            yield ",".join(edits)

    ready: Ready | None = await slices.listed(ls, {"textDocument": {"uri": uri}}, pieces)
    return None if ready is None else json.loads(ready.json)


FEATURES: Final = {
    types.TEXT_DOCUMENT_CODE_ACTION: actions,
    types.CODE_ACTION_RESOLVE: resolve,
}
"""Each method and what handles it."""
