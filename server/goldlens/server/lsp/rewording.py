"""Commands that put words in, take them out, split and merge them, and number them anew."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from goldlens.scoring.conllu.editing.numbers import renumbered
from goldlens.scoring.conllu.editing.replacing import Replacements
from goldlens.scoring.conllu.editing.words import Impossible, deleted, inserted, merged, split
from goldlens.scoring.conllu.sentence import Sentence
from goldlens.server.arguments import items, text, whole
from goldlens.server.asked import WorkspaceError
from goldlens.server.commands import Arguments, Command
from goldlens.server.lsp.asking import Asked
from goldlens.server.lsp.edits import apply, workspace_edit
from goldlens.server.spot import sentence_of
from goldlens.server.views.trying import Change

if TYPE_CHECKING:
    from goldlens.server.lsp.executing import Request

_MOST_SENTENCES: Final = 20_000
"""A file of more is renumbered a sentence at a time."""

Make = Callable[[Sentence, int], Replacements]


def _insert(request: Request, arguments: Arguments) -> asyncio.Future[dict[str, Any]]:
    """A word behind that of a line."""
    form = arguments.get("form") or "_"
    return _one(request, arguments, "Insert a word", lambda s, line: inserted(s, line, form))


def _delete(request: Request, arguments: Arguments) -> asyncio.Future[dict[str, Any]]:
    """The word of a line."""
    return _one(request, arguments, "Delete a word", deleted)


def _split(request: Request, arguments: Arguments) -> asyncio.Future[dict[str, Any]]:
    """The word of a line, into a multiword token of some forms."""
    forms = arguments["forms"]
    return _one(request, arguments, "Split a word", lambda s, line: split(s, line, forms))


def _merge(request: Request, arguments: Arguments) -> asyncio.Future[dict[str, Any]]:
    """The multiword token of a line, into one word."""
    return _one(request, arguments, "Merge words", merged)


def _renumber(request: Request, arguments: Arguments) -> asyncio.Future[dict[str, Any]]:
    """The sentence at a line, or all sentences of a file."""
    line = arguments.get("line")
    if line is not None:
        return _one(request, arguments, "Renumber a sentence", lambda s, _: _numbered(s))

    def changes(asked: Asked) -> list[Change]:
        document = asked.document
        if len(document.units) > _MOST_SENTENCES:
            raise WorkspaceError(
                f"the file has more than {_MOST_SENTENCES} sentences; give the line of one"
            )
        made = []
        for unit in range(len(document.units)):
            edits = renumbered(sentence_of(document, unit))
            if edits:
                made.append(Change(unit, unit + 1, edits))
        return made

    return asyncio.ensure_future(_done(request, arguments["uri"], "Renumber", changes))


def _numbered(sentence: Sentence) -> Replacements:
    edits = renumbered(sentence)
    if edits is None:
        raise Impossible("a row of this sentence has not ten cells; repair it first")
    return edits


def _one(
    request: Request, arguments: Arguments, label: str, make: Make
) -> asyncio.Future[dict[str, Any]]:
    """A change of the sentence at a line."""
    line = arguments["line"]

    def changes(asked: Asked) -> list[Change]:
        spot = asked.spot(line, 0)
        if spot is None or not spot.sentence.rows:
            raise WorkspaceError("there is no sentence in this line")
        try:
            edits = make(spot.sentence, line - spot.base)
        except Impossible as error:
            raise WorkspaceError(str(error)) from error
        return [Change(spot.unit, spot.unit + 1, edits)]

    return asyncio.ensure_future(_done(request, arguments["uri"], label, changes))


async def _done(
    request: Request, uri: str, label: str, make: Callable[[Asked], list[Change]]
) -> dict[str, Any]:
    """Has the client make the changes; to one that does not, the edit is given."""
    ls = request.ls

    def work() -> dict[str, Any]:
        held = ls.workspace.held(uri)
        asked = Asked(held.uri, held.document, held.pair, held.gold_uri, ls.client.encoding)
        if asked.document.format.name != "ud":
            raise WorkspaceError("only files of trees have words to change")
        return workspace_edit(ls, asked, [each for each in make(asked) if each.edits])

    edit = await ls.turns.take(work)
    if not ls.client.applies:
        return {"applied": False, "edit": edit}
    await apply(ls, label, edit)
    return {"applied": True, "edit": edit}


def _forms(value: object, where: str) -> None:
    for each in items(value, where):
        text(each, f"each of {where}")


_LINE: Final[dict[str, Callable[[object, str], object]]] = {"uri": text, "line": whole}

COMMANDS: Final[dict[str, Command[Request]]] = {
    "goldlens.insertWord": (_insert, {**_LINE, "form": text}, ("uri", "line")),
    "goldlens.deleteWord": (_delete, _LINE, ("uri", "line")),
    "goldlens.splitToken": (_split, {**_LINE, "forms": _forms}, ("uri", "line", "forms")),
    "goldlens.mergeWords": (_merge, _LINE, ("uri", "line")),
    "goldlens.renumber": (_renumber, _LINE, ("uri",)),
}
"""Each command: what runs it, what its arguments may be, and which it needs."""
