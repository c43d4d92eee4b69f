"""The asynchronous client, and the connection that is handed to an editor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest

from goldlens.client import AsyncClient, Disconnected, NoDaemon, Scores, connect_async
from goldlens.client.errors import CallFailed, CallWrong, OtherVersion, TimedOut
from goldlens.client.place import State
from goldlens.client.requests import Status
from goldlens.client.streams import lsp_streams
from tests.clients.client.conftest import Program, Serve
from tests.clients.client.fake import HELD, FakeDaemon, Fault
from tests.clients.client.test_sync import STATUS, told


@pytest.fixture
def daemon(serve: Serve) -> FakeDaemon:
    return serve(
        subscribe=lambda params: {"watched": 2},
        status=lambda params: STATUS,
        **{"goldlens.rows": lambda params: HELD},
    )


@pytest.fixture
async def client(daemon: FakeDaemon, root: Path) -> AsyncIterator[AsyncClient]:
    async with connect_async(root, timeout=10) as client:
        yield client


async def came(daemon: FakeDaemon, method: str, times: int = 1) -> list[Any]:
    return await asyncio.to_thread(daemon.wait_for, method, times)


async def test_it_is_awaited_or_entered(daemon: FakeDaemon, root: Path) -> None:
    client = await connect_async(root)
    assert await client.status() == Status(**STATUS)
    await client.close()
    await client.close()
    async with connect_async(root) as client:
        assert await client.status()
    with pytest.raises(Disconnected, match="closed"):
        await client.status()


async def test_without_a_daemon_there_is_none(root: Path) -> None:
    with pytest.raises(NoDaemon, match="goldlens daemon start"):
        await connect_async(root)


async def test_one_of_another_version_is_replaced(
    serve: Serve, root: Path, program: Program
) -> None:
    serve(version="0.0.1")
    async with connect_async(root) as client:
        await client.end()


async def test_every_call_is_asked_as_the_blocking_client_asks_it(
    client: AsyncClient, daemon: FakeDaemon
) -> None:
    daemon.replies["goldlens.rows"] = lambda params: "| LAS |"
    assert await client.rows("/a", "csv", seed=1) == "| LAS |"
    for call in (
        client.score("/a"),
        client.compare("/a", "/b", level=0.9),
        client.receipt("/a", split="test"),
        client.set_gold("/a", "/g"),
        client.pairs(),
        client.tree("/a", 3),
        client.seek("/a", "next", 3),
    ):
        await call
    assert [(name, params) for name, params, _ in daemon.asked[1:]] == [
        ("goldlens.rows", {"uri": "file:///a", "format": "csv", "seed": 1}),
        ("goldlens.score", {"uri": "file:///a"}),
        ("goldlens.compare", {"uri": "file:///a", "other": "file:///b", "level": 0.9}),
        ("goldlens.receipt", {"uri": "file:///a", "split": "test"}),
        ("goldlens.setGold", {"uri": "file:///a", "gold": "file:///g"}),
        ("goldlens.pairs", {}),
        ("goldlens.tree", {"uri": "file:///a", "line": 3}),
        ("goldlens.seek", {"uri": "file:///a", "which": "next", "line": 3}),
    ]


async def test_over_tcp_it_shows_the_token(serve: Serve, root: Path) -> None:
    daemon = serve(tcp=True, token="73616c74")
    async with connect_async(root) as client:
        await client.pairs()
    daemon.token = "another"
    with pytest.raises(CallWrong, match="wrong token"):
        await connect_async(root)


async def test_answers_in_another_order_find_their_callers(
    client: AsyncClient, daemon: FakeDaemon
) -> None:
    calls = [asyncio.create_task(client.rows(f"/{number}")) for number in range(20)]
    for params, number in reversed(await came(daemon, "goldlens.rows", 20)):
        daemon.last.answer(number, params["uri"])
    assert await asyncio.gather(*calls) == [f"file:///{number}" for number in range(20)]


async def test_errors_are_raised(client: AsyncClient, daemon: FakeDaemon) -> None:
    def fail(params: dict[str, Any]) -> Any:
        raise Fault(0, "this file has no gold")

    daemon.replies["goldlens.receipt"] = fail
    with pytest.raises(CallFailed, match="no gold"):
        await client.receipt("/a")


async def test_a_call_that_is_cancelled_is_cancelled_at_the_daemon(
    client: AsyncClient, daemon: FakeDaemon
) -> None:
    call = asyncio.create_task(client.rows("/a"))
    ((_, number),) = await came(daemon, "goldlens.rows")
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await came(daemon, "cancel") == [({"msgid": number}, None)]
    daemon.last.write(b"\x94\x01" + bytes([number]) + b"\x92\x00\xa9cancelled\xc0")
    assert await client.status()


async def test_out_of_time_it_is_cancelled_too(daemon: FakeDaemon, root: Path) -> None:
    async with connect_async(root, timeout=0.2) as client:
        with pytest.raises(TimedOut, match=r"goldlens\.rows"):
            await client.rows("/a")
        await came(daemon, "cancel")


async def test_what_was_answered_is_not_cancelled(client: AsyncClient, daemon: FakeDaemon) -> None:
    await client.status()
    await client.pairs()
    assert not any(name == "cancel" for name, _, _ in daemon.asked)


async def test_a_daemon_that_dies_in_the_middle_of_a_call_is_told(
    client: AsyncClient, daemon: FakeDaemon
) -> None:
    calls = [asyncio.create_task(client.rows("/a")) for _ in range(3)]
    await came(daemon, "goldlens.rows", 3)
    daemon.last.drop()
    errors = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(error) for error in errors] == [Disconnected] * 3
    with pytest.raises(Disconnected, match="connect again"):
        await client.status()


async def test_after_a_bad_frame_nothing_more_is_believed(
    client: AsyncClient, daemon: FakeDaemon
) -> None:
    daemon.replies["goldlens.score"] = lambda params: daemon.last.write(b"\xc1") or HELD
    with pytest.raises(Disconnected, match="no MessagePack"):
        await client.score("/a")


async def test_events_are_looped_over(client: AsyncClient, daemon: FakeDaemon) -> None:
    daemon.replies["subscribe"] = lambda params: {"watched": 1}
    seen = []
    async with client.subscribe(problems=True) as events:
        assert events.watched == 1
        told(daemon, "file:///a", "file:///b")
        async for event in events:
            assert isinstance(event, Scores)
            seen.append(event.path.name)
            assert await client.status()
            if event.path.name == "b":
                break
    assert seen == ["a", "b"]
    assert (await came(daemon, "subscribe"))[0][0] == {"scores": True, "problems": True}
    await came(daemon, "unsubscribe")


async def test_it_begins_when_it_is_looped_over(client: AsyncClient, daemon: FakeDaemon) -> None:
    daemon.replies["subscribe"] = lambda params: told(daemon, "file:///a") or {"watched": 1}
    async for event in client.subscribe():
        assert event.uri == "file:///a"
        break


async def test_one_that_was_refused_can_be_tried_again(
    client: AsyncClient, daemon: FakeDaemon
) -> None:
    def refuse(params: dict[str, Any]) -> Any:
        raise Fault(0, "not now")

    daemon.replies["subscribe"] = refuse
    events = client.subscribe()
    with pytest.raises(CallFailed, match="not now"):
        await anext(events)
    daemon.replies["subscribe"] = lambda params: told(daemon, "file:///a") or {"watched": 1}
    assert (await anext(events)).uri == "file:///a"


async def test_a_later_subscription_ends_the_earlier(
    client: AsyncClient, daemon: FakeDaemon
) -> None:
    async with client.subscribe() as earlier, client.subscribe() as later:
        assert [event async for event in earlier] == []
        told(daemon, "file:///a")
        assert (await anext(later)).uri == "file:///a"


async def test_who_waits_for_events_hears_that_the_daemon_is_gone(
    client: AsyncClient, daemon: FakeDaemon
) -> None:
    async with client.subscribe() as events:
        daemon.last.drop()
        with pytest.raises(Disconnected, match="connect again"):
            await anext(events)


async def test_closing_the_client_ends_the_loop(client: AsyncClient) -> None:
    async with client.subscribe() as events:
        waiting = asyncio.create_task(anext(events))
        await asyncio.sleep(0)
        await client.close()
        with pytest.raises(StopAsyncIteration):
            await waiting


# What an editor is given


async def test_the_connection_of_an_editor_is_greeted_and_then_carries_bytes(
    serve: Serve, state: Callable[[], State]
) -> None:
    daemon = serve(lsp=lambda params: None)
    reader, writer = await lsp_streams(state())
    assert [name for name, _, _ in daemon.asked] == ["hello", "lsp"]
    for piece in (b"Content-Length: 2\r\n\r\n{}", b"x" * (3 << 20)):
        writer.write(piece)
        assert await reader.readexactly(len(piece)) == piece
    writer.close()
    await writer.wait_closed()


async def test_what_follows_the_answer_at_once_belongs_to_the_editor(
    serve: Serve, state: Callable[[], State]
) -> None:
    def switch(params: dict[str, Any]) -> Any:
        daemon.last.writer.write(msgpack.packb([1, 1, None, None]) + b"Content-Length: 2\r\n\r\n{}")
        return HELD

    daemon = serve(lsp=switch)
    reader, writer = await lsp_streams(state())
    assert await reader.readexactly(23) == b"Content-Length: 2\r\n\r\n{}"
    writer.close()
    await writer.wait_closed()


async def test_an_editor_is_not_joined_to_what_cannot_be_reached_or_does_not_answer(
    serve: Serve, state: Callable[[], State]
) -> None:
    daemon = serve(lsp=lambda params: HELD)
    with pytest.raises(TimedOut, match="lsp"):
        await lsp_streams(state(), timeout=0.2)
    daemon.replies["hello"] = lambda params: HELD
    with pytest.raises(TimedOut, match="hello"):
        await lsp_streams(state(), timeout=0.2)
    daemon.replies["hello"] = lambda params: daemon.last.drop() or HELD
    with pytest.raises(Disconnected):
        await lsp_streams(state())
    daemon.replies["hello"] = lambda params: {"version": "0.0.1", "protocol": 1}
    with pytest.raises(OtherVersion):
        await lsp_streams(state())
    was = state()
    daemon.stop()
    with pytest.raises(Disconnected, match="cannot be reached"):
        await lsp_streams(was)
