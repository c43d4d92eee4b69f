"""Answers about a whole file, made in slices: whose text has changed, and whose gold has."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from goldlens.server.asked import WorkspaceError
from goldlens.server.lsp.asking import Asked
from goldlens.server.lsp.slices import CONTENT_MODIFIED, listed

PARAMS = {"textDocument": {"uri": "untitled:a"}}


class Held:
    """A workspace with one document. `between` is called before each turn, with its number."""

    def __init__(self, between: Callable[[Held, int], None]) -> None:
        self.mark, self.open, self.number = (0, 0), True, 0
        self.workspace = self.turns = self
        self.client = SimpleNamespace(encoding=None)
        self._between = between

    def take(self, job: Callable[[], Any]) -> asyncio.Future[Any]:
        self._between(self, self.number)
        self.number += 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        try:
            future.set_result(job())
        except Exception as error:
            future.set_exception(error)
        return future

    def held(self, uri: str) -> Any:
        if not self.open:
            raise WorkspaceError("not open")
        return SimpleNamespace(uri=uri, document=None, pair=None, gold_uri=None)

    def revision(self, uri: str) -> tuple[int, int]:
        if not self.open:
            raise WorkspaceError("not open")
        return self.mark


async def answer(between: Callable[[Held, int], None]) -> str | None:
    """What is answered: the marks that each piece was made under."""
    held = Held(between)

    def make(asked: Asked) -> Iterator[str]:
        for _ in range(3):
            yield f'"{held.mark}"'

    found = await listed(held, PARAMS, make)  # type: ignore[arg-type]
    return None if found is None else found.json


async def test_all_pieces_in_their_order() -> None:
    assert await answer(lambda held, number: None) == '["(0, 0)","(0, 0)","(0, 0)"]'


async def test_the_client_asks_again_after_an_edit_of_its_own() -> None:
    def edit(held: Held, number: int) -> None:
        held.mark = (number, number)

    with pytest.raises(JsonRpcException) as raised:
        await answer(edit)
    assert raised.value.code == CONTENT_MODIFIED


async def test_what_the_client_does_not_know_of_is_answered_as_it_is_now() -> None:
    """Gold was edited, or what the file faces: nobody would ask again."""

    def other(held: Held, number: int) -> None:
        held.mark = (min(number, 2), 0)

    assert await answer(other) == '["(2, 0)","(2, 0)","(2, 0)"]'


async def test_nothing_of_what_has_been_closed() -> None:
    def close(held: Held, number: int) -> None:
        held.open = False

    assert await answer(close) is None
