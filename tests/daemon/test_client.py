"""`goldlens.client` and the real daemon: started, called, subscribed to, killed and ended."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from goldlens.client import (
    Client,
    Disconnected,
    Gone,
    NoDaemon,
    Problems,
    Scores,
    connect,
    connect_async,
    conversation,
)
from goldlens.client.errors import CallFailed, CallWrong, OtherVersion, StartFailed
from goldlens.client.events import Event
from goldlens.client.place import State, place_of, running
from goldlens.client.starting import launch, stop
from goldlens.client.streams import lsp_streams
from goldlens.client.sync import Subscription
from tests.daemon.conftest import Work
from tests.daemon.session import until

Begin = Callable[..., State]


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, name in {
        "GOLDLENS_RUNTIME_DIR": "runtime",
        "GOLDLENS_LOG_DIR": "logs",
        "GOLDLENS_CACHE_DIR": "cache",
        "XDG_STATE_HOME": "state",
    }.items():
        monkeypatch.setenv(variable, str(tmp_path / name))


@pytest.fixture
def begin(work: Work, tmp_path: Path) -> Iterator[Begin]:
    """Starts the daemon of the workspace, as `launch` does. None outlives the test."""
    begun: set[int] = set()

    def start(idle: float | None = None, tcp: bool = False) -> State:
        state = launch(work.folder, idle=idle, tcp=tcp)
        begun.add(state.pid)
        return state

    yield start
    for folder in tmp_path.iterdir():
        for file in folder.glob("*.json") if folder.is_dir() else ():
            with suppress(ValueError, KeyError, TypeError):
                begun.add(json.loads(file.read_text())["pid"])
    for process in begun:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    for log in (tmp_path / "logs").glob("*"):
        assert "Traceback" not in log.read_text("utf-8"), log.read_text("utf-8")


@pytest.fixture
def client(begin: Begin, work: Work) -> Iterator[Client]:
    begin()
    with connect(work.folder) as client:
        yield client


def next_of(events: Subscription, kind: type[Event], uri: str) -> Event:
    """The next event of a kind about a file."""
    while (event := events.get(20)) is not None:
        if isinstance(event, kind) and event.uri == uri:
            return event
    raise AssertionError(f"no {kind.__name__} of {uri} came")


def test_every_call(client: Client, work: Work) -> None:
    one, two = work.path("runs/one.conllu"), work.path("runs/two.conllu")
    board = client.score(one)
    assert board is not None
    assert board["metrics"]["LAS"]["f1"] == 80
    assert "LAS" in client.rows(one, metrics=["LAS"], resamples=200)
    rows = json.loads(client.rows(one, "json", metrics=["LAS"], reference={"LAS": 90.0}))
    assert [(row["metric"], row["reference"]) for row in rows] == [("LAS", 90)]
    (compared,) = client.compare(one, two, metrics=["LAS"], resamples=200, level=0.9)
    assert (compared["a"], compared["b"]) == (80, 100)
    assert client.receipt(one, split="test")["split"] == "test"
    tree = client.tree(one, 3)
    assert tree is not None
    assert [Path(str(pair["pred"])).name for pair in client.pairs()] == ["one.conllu", "two.conllu"]
    status = client.status()
    assert (status.root, status.connections, status.editors) == (str(work.folder), 1, 0)


def test_gold_named_by_hand_is_for_that_connection(client: Client, work: Work) -> None:
    assert client.score(work.aside) is None
    client.set_gold(work.path("aside.conllu"), work.path("gold.conllu"))
    board = client.score(work.aside)
    assert board is not None
    assert board["metrics"]["LAS"]["f1"] == 80
    with connect(work.folder) as other:
        assert other.score(work.aside) is None


def test_its_errors_are_ours(client: Client, work: Work) -> None:
    with pytest.raises(CallFailed, match="no gold"):
        client.receipt(work.aside)
    with pytest.raises(CallWrong, match="seed"):
        client.rows(work.one, seed=-1)
    with pytest.raises(CallFailed, match="there is no such file"):
        client.set_gold(work.aside, work.path("nowhere.conllu"))


def test_a_path_that_is_no_text(client: Client, work: Work) -> None:
    odd = os.fsdecode(os.fsencode(work.folder) + b"/odd-\xff.conllu")
    Path(odd).write_text(work.wrong, "utf-8")
    client.set_gold(odd, work.path("gold.conllu"))
    board = client.score(odd)
    assert board is not None
    assert board["metrics"]["LAS"]["f1"] == 80


def test_a_subscriber_hears_of_everything(client: Client, work: Work) -> None:
    with client.subscribe(problems=True) as events:
        now = next_of(events, Scores, work.one)
        assert isinstance(now, Scores)
        assert (now.system, now.score("LAS"), now.trouble) == ("one", 80, None)
        listed = next_of(events, Problems, work.one)
        assert isinstance(listed, Problems)
        assert "las-error" in {problem["code"] for problem in listed.problems}
        work.path("runs/one.conllu").write_text(work.gold, "utf-8")
        now = next_of(events, Scores, work.one)
        assert isinstance(now, Scores)
        assert now.score("LAS") == 100
        work.path("runs/three.conllu").write_text(work.wrong, "utf-8")
        next_of(events, Scores, work.uri("runs/three.conllu"))
        assert client.status().watched == 3
        work.path("runs/two.conllu").unlink()
        next_of(events, Gone, work.two)
        work.path("gold.conllu").unlink()
        now = next_of(events, Scores, work.one)
        assert isinstance(now, Scores)
        assert now.metrics is None
        assert now.trouble


async def test_the_asynchronous_client(begin: Begin, work: Work) -> None:
    await asyncio.to_thread(begin)
    async with connect_async(work.folder) as client:
        board = await client.score(work.one)
        assert board is not None
        assert board["metrics"]["LAS"]["f1"] == 80
        async with client.subscribe() as events, asyncio.timeout(20):
            seen = {(await anext(events)).uri, (await anext(events)).uri}
        assert seen == {work.one, work.two}
        call = asyncio.create_task(client.rows(work.one, resamples=100_000))
        await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await client.status()).watched == 2


def test_many_threads_and_clients(client: Client, work: Work) -> None:
    found: list[float] = []

    def ask(own: bool) -> None:
        asked = connect(work.folder) if own else client
        for _ in range(20):
            board = asked.score(work.one)
            assert board is not None
            found.append(board["metrics"]["LAS"]["f1"])
        if own:
            asked.close()

    threads = [threading.Thread(target=ask, args=(number % 2 == 0,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == [80] * 160


def test_a_daemon_that_is_killed_is_told_and_started_again(begin: Begin, work: Work) -> None:
    state = begin()
    with connect(work.folder) as client:
        events = client.subscribe()
        os.kill(state.pid, signal.SIGKILL)
        with pytest.raises(Disconnected, match="connect again"):
            list(events)
        with pytest.raises(Disconnected, match="connect again"):
            client.status()
    with pytest.raises(NoDaemon):
        connect(work.folder)
    another = begin()
    assert another.pid != state.pid
    with connect(work.folder) as client:
        assert client.score(work.one)


def test_two_who_start_at_once_have_one_daemon(begin: Begin, work: Work) -> None:
    found: list[State] = []
    threads = [threading.Thread(target=lambda: found.append(begin())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 3
    assert len(set(found)) == 1
    stop(found[0])
    assert running(work.folder) is None


def test_its_end(begin: Begin, work: Work) -> None:
    state = begin()
    stop(state)
    assert running(work.folder) is None
    where = place_of(work.folder)
    assert not where.state.exists()
    assert not where.socket.exists()
    until(lambda: not Path(f"/proc/{state.pid}").exists())
    begin()
    with connect(work.folder) as client:
        client.end()
    until(lambda: not where.locked())


def test_without_anybody_it_ends(begin: Begin, work: Work) -> None:
    begin(idle=0.2)
    until(lambda: running(work.folder) is None)
    with connect(work.folder, start=True) as client:
        assert client.status().idle == 1800
        client.end()


def test_another_version_is_told_to_end(
    begin: Begin, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = begin()
    monkeypatch.setattr(conversation, "own_version", lambda: "99.0")
    monkeypatch.setattr("goldlens.client.starting.own_version", lambda: "99.0")
    # What takes its place is of the installed version all the same, and that is told.
    with pytest.raises(OtherVersion, match=r"99\.0"):
        connect(work.folder)
    another = running(work.folder)
    assert another is not None
    assert another.pid != state.pid


def test_over_tcp_a_token_is_needed(begin: Begin, work: Work) -> None:
    state = begin(tcp=True)
    with connect(work.folder) as client:
        assert client.score(work.one)
    for token in (None, "", "0" * 64):
        wrong = State(state.pid, state.version, state.root, state.started, state.address, token)
        with pytest.raises(CallWrong, match="token"):
            Client(wrong)


def test_a_socket_whose_path_is_too_long(
    begin: Begin, work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDLENS_RUNTIME_DIR", str(tmp_path / ("ü" * 60)))
    assert begin().endpoint is not None
    with connect(work.folder) as client:
        assert client.score(work.one)


def test_one_that_cannot_start_is_told(work: Work) -> None:
    where = place_of(work.folder)
    where.make()
    where.log.mkdir()
    with pytest.raises(StartFailed, match=r"status 2\): goldlens: cannot write the log"):
        launch(work.folder)


async def test_the_connection_of_an_editor(begin: Begin, work: Work) -> None:
    state = await asyncio.to_thread(begin)
    reader, writer = await lsp_streams(state)
    params = {"processId": None, "rootUri": work.folder.as_uri(), "capabilities": {}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body.encode()))
    header = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
    size = int(header.partition(b":")[2].split(b"\r\n")[0])
    answer = json.loads(await reader.readexactly(size))
    assert answer["id"] == 1
    assert "capabilities" in answer["result"]
    async with connect_async(work.folder) as client:
        assert (await client.status()).editors == 1
    writer.close()
    await writer.wait_closed()
