"""Asynchronous connections to a daemon: greeted, and, for editors, turned to LSP."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any, Final

from goldlens.client.conversation import Answer, Conversation, greeted, greeting
from goldlens.client.dialing import too_late, unreachable
from goldlens.client.place import State

LIMIT: Final = 1 << 20
"""So many bytes wait in a reader before the daemon has to."""

GREETING: Final = 10.0
"""So many seconds a daemon may take to greet."""


async def dial_async(
    state: State, timeout: float | None = GREETING, limit: int = LIMIT
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, Conversation]:
    """A connection that has been greeted by a daemon of our version. Raises ClientError."""
    try:
        async with asyncio.timeout(timeout):
            if state.endpoint is not None:
                reader, writer = await asyncio.open_connection(*state.endpoint, limit=limit)
            else:
                reader, writer = await asyncio.open_unix_connection(state.socket, limit=limit)
            try:
                talk = Conversation()
                greeted(await _ask(reader, writer, talk, "hello", greeting(state)))
            except BaseException:
                await hang_up(writer)
                raise
    except TimeoutError as error:
        raise too_late("hello", timeout) from error
    except OSError as error:
        raise unreachable(state, error) from error
    return reader, writer, talk


async def lsp_streams(
    state: State, timeout: float | None = GREETING, limit: int = LIMIT
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to a daemon on which LSP is spoken, as on the stdio of a language server.

    Raises ClientError; OtherVersion if the daemon is not of our version (`starting.current` finds
    one that is).
    """
    reader, writer, talk = await dial_async(state, timeout, limit)
    try:
        async with asyncio.timeout(timeout):
            await _ask(reader, writer, talk, "lsp", {})
    except BaseException as error:
        await hang_up(writer)
        match error:
            case TimeoutError():
                raise too_late("lsp", timeout) from error
            case OSError():
                raise unreachable(state, error) from error
        raise
    return reader, writer


async def hang_up(writer: asyncio.StreamWriter) -> None:
    """Closes a connection at once, whatever has not gone out yet."""
    writer.transport.abort()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


async def _ask(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    talk: Conversation,
    method: str,
    params: Mapping[str, Any],
) -> Any:
    number, data = talk.request(method, params)
    writer.write(data)
    while piece := await reader.read(1):
        # One byte at a time: what follows the answer may be another language.
        for received in talk.receive(piece):
            if isinstance(received, Answer) and received.number == number:
                return received.get()
    raise talk.ended()
