"""The blocking client against a small daemon: calls, threads, events, and the end of it all."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from goldlens.client import Client, Disconnected, Gone, NoDaemon, Problems, Scores, connect
from goldlens.client.errors import (
    CallFailed,
    CallWrong,
    ClientError,
    TimedOut,
)
from goldlens.client.requests import Status
from tests.clients.client.conftest import Serve
from tests.clients.client.fake import HELD, VERSION, FakeDaemon, Fault

STATUS = {
    "pid": 7,
    "version": VERSION,
    "root": "/work",
    "started": "2026-01-01T00:00:00+00:00",
    "connections": 2,
    "editors": 1,
    "watched": 3,
    "memory": None,
    "idle": 60.0,
}


@pytest.fixture
def daemon(serve: Serve) -> FakeDaemon:
    return serve(subscribe=lambda params: {"watched": 2}, status=lambda params: STATUS)


@pytest.fixture
def client(daemon: FakeDaemon, root: Path) -> Iterator[Client]:
    with connect(root, timeout=10) as client:
        yield client


def test_it_says_hello_first(client: Client, daemon: FakeDaemon) -> None:
    client.pairs()
    assert [name for name, _, _ in daemon.asked] == ["hello", "goldlens.pairs"]
    assert daemon.asked[0][1] == {"version": VERSION, "client": "goldlens.client"}


def test_over_tcp_it_shows_the_token(serve: Serve, root: Path) -> None:
    daemon = serve(tcp=True, token="73616c74")
    with connect(root) as client:
        client.pairs()
    assert daemon.asked[0][1]["token"] == "73616c74"


def test_a_wrong_token_is_refused(serve: Serve, root: Path, daemon: FakeDaemon) -> None:
    daemon.token = "another"
    with pytest.raises(CallWrong, match="wrong token"):
        connect(root)


@pytest.mark.parametrize(
    ("call", "method", "params"),
    [
        (
            lambda client: client.score("a b.conllu"),
            "goldlens.score",
            {"uri": "{root}/a%20b.conllu"},
        ),
        (lambda client: client.score(Path("x/../a")), "goldlens.score", {"uri": "{root}/a"}),
        (lambda client: client.score("/a/ü"), "goldlens.score", {"uri": "file:///a/%C3%BC"}),
        (
            lambda client: client.score(os.fsdecode(b"/a\xff")),
            "goldlens.score",
            {"uri": "file:///a%FF"},
        ),
        (
            lambda client: client.score("file:///C%3A/a.conllu"),
            "goldlens.score",
            {"uri": "file:///C%3A/a.conllu"},
        ),
        (lambda client: client.score("untitled:1"), "goldlens.score", {"uri": "untitled:1"}),
        (
            lambda client: client.receipt("a", policy="lenient", split="test"),
            "goldlens.receipt",
            {"uri": "{root}/a", "policy": "lenient", "split": "test"},
        ),
        (
            lambda client: client.set_gold("a", "gold/a"),
            "goldlens.setGold",
            {"uri": "{root}/a", "gold": "{root}/gold/a"},
        ),
        (
            lambda client: client.set_gold("a", "data:ewt"),
            "goldlens.setGold",
            {"uri": "{root}/a", "gold": "data:ewt"},
        ),
        (lambda client: client.pairs(), "goldlens.pairs", {}),
        (lambda client: client.tree("a", 3), "goldlens.tree", {"uri": "{root}/a", "line": 3}),
        (
            lambda client: client.seek("a", "worst"),
            "goldlens.seek",
            {"uri": "{root}/a", "which": "worst"},
        ),
        (
            lambda client: client.seek("a", "next", 3),
            "goldlens.seek",
            {"uri": "{root}/a", "which": "next", "line": 3},
        ),
    ],
)
def test_what_is_asked(
    client: Client,
    daemon: FakeDaemon,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    call: Callable[[Client], object],
    method: str,
    params: dict[str, Any],
) -> None:
    monkeypatch.chdir(root)
    daemon.replies["goldlens.setGold"] = lambda params: None
    call(client)
    expected = {
        key: value.replace("{root}", root.as_uri()) if isinstance(value, str) else value
        for key, value in params.items()
    }
    assert [params for params, _ in daemon.wait_for(method)] == [expected]


def test_rows_are_asked_with_their_options_and_come_as_text(
    client: Client, daemon: FakeDaemon
) -> None:
    daemon.replies["goldlens.rows"] = lambda params: "| LAS |"
    options: Any = {"seed": 1, "reference": {"LAS": 88.1}, "metrics": ("LAS",), "language": None}
    assert client.rows("/a", "csv", reference_pred="/b", **options) == "| LAS |"
    assert daemon.wait_for("goldlens.rows")[0][0] == {
        "uri": "file:///a",
        "format": "csv",
        "seed": 1,
        "reference": {"LAS": 88.1},
        "metrics": ["LAS"],
        "reference_pred": "file:///b",
    }


def test_two_predictions_are_compared(client: Client, daemon: FakeDaemon) -> None:
    daemon.replies["goldlens.compare"] = lambda params: [{"metric": "LAS"}]
    assert client.compare("/a", "/b", level=0.9) == [{"metric": "LAS"}]
    assert daemon.wait_for("goldlens.compare")[0][0] == {
        "uri": "file:///a",
        "other": "file:///b",
        "level": 0.9,
    }


def test_the_status_is_a_value(client: Client, daemon: FakeDaemon) -> None:
    assert client.status() == Status(**STATUS)
    daemon.replies["status"] = lambda params: {**STATUS, "of a later version": 1}
    assert client.status().watched == 3
    daemon.replies["status"] = lambda params: {"pid": 7}
    with pytest.raises(Disconnected, match="without version, root"):
        client.status()


def test_errors_are_of_two_kinds(client: Client, daemon: FakeDaemon) -> None:
    def fail(kind: int) -> Callable[[dict[str, Any]], Any]:
        def reply(params: dict[str, Any]) -> Any:
            raise Fault(kind, "a file cannot be its own gold")

        return reply

    for kind, error in ((0, CallFailed), (1, CallWrong)):
        daemon.replies["goldlens.setGold"] = fail(kind)
        with pytest.raises(error, match=r"^a file cannot be its own gold$"):
            client.set_gold("/a", "/a")
    assert client.status()


def test_answers_in_another_order_find_their_callers(client: Client, daemon: FakeDaemon) -> None:
    daemon.replies["goldlens.score"] = lambda params: HELD
    found: dict[str, Any] = {}
    names = [f"/{number}" for number in range(20)]
    threads = [
        threading.Thread(target=lambda name=name: found.update({name: client.score(name)}))
        for name in names
    ]
    for thread in threads:
        thread.start()
    for params, number in reversed(daemon.wait_for("goldlens.score", len(names))):
        assert number is not None
        daemon.last.answer(number, params["uri"])
    for thread in threads:
        thread.join(10)
    assert found == {name: f"file://{name}" for name in names}


def test_a_slow_answer_does_not_hold_up_another(client: Client, daemon: FakeDaemon) -> None:
    daemon.replies["goldlens.rows"] = lambda params: HELD
    rows: list[str] = []
    waiting = threading.Thread(target=lambda: rows.append(client.rows("/a")))
    waiting.start()
    ((_, number),) = daemon.wait_for("goldlens.rows")
    assert client.status()
    assert not rows
    assert number is not None
    daemon.last.answer(number, "| LAS |")
    waiting.join(10)
    assert rows == ["| LAS |"]


def test_a_large_answer_comes_whole(client: Client, daemon: FakeDaemon) -> None:
    large = {"text": "ü" * (3 << 20)}
    daemon.replies["goldlens.score"] = lambda params: large
    assert client.score("/a") == large


def test_out_of_time_the_daemon_is_told_and_a_late_answer_is_dropped(
    daemon: FakeDaemon, root: Path
) -> None:
    daemon.replies["goldlens.rows"] = lambda params: HELD
    with connect(root, timeout=0.2) as client:
        with pytest.raises(TimedOut, match=r"goldlens\.rows: .* within 0\.2 s"):
            client.rows("/a")
        ((_, number),) = daemon.wait_for("goldlens.rows")
        assert daemon.wait_for("cancel") == [({"msgid": number}, None)]
        assert number is not None
        daemon.last.answer(number, "too late")
        assert client.status()


def test_a_daemon_that_never_greets_is_not_waited_for(daemon: FakeDaemon, root: Path) -> None:
    daemon.replies["hello"] = lambda params: HELD
    with pytest.raises(TimedOut, match="hello"):
        connect(root, timeout=0.2)


def test_a_daemon_that_dies_in_the_middle_of_a_call_is_told(
    client: Client, daemon: FakeDaemon
) -> None:
    daemon.replies["goldlens.rows"] = lambda params: HELD
    errors: list[str] = []

    def wait() -> None:
        with pytest.raises(Disconnected) as caught:
            client.rows("/a")
        errors.append(str(caught.value))

    threads = [threading.Thread(target=wait) for _ in range(3)]
    for thread in threads:
        thread.start()
    daemon.wait_for("goldlens.rows", 3)
    daemon.last.drop()
    for thread in threads:
        thread.join(10)
    assert len(errors) == 3
    assert all("connect again" in error for error in errors)
    with pytest.raises(Disconnected, match="connect again"):
        client.status()


def test_a_daemon_that_ends_says_why(client: Client, daemon: FakeDaemon) -> None:
    def refuse(params: dict[str, Any]) -> Any:
        daemon.last.notify("goldlens/error", {"message": "the frame is too large"})
        daemon.loop.call_soon(daemon.last.writer.close)
        return HELD

    daemon.replies["goldlens.score"] = refuse
    with pytest.raises(Disconnected, match="the frame is too large"):
        client.score("/a")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xc1", "no MessagePack"),
        (b"\x07", "no response"),
        (b"\x94\x01\x7f\xc0\xc0", "never asked"),
    ],
)
def test_after_a_bad_frame_nothing_more_is_believed(
    client: Client, daemon: FakeDaemon, data: bytes, why: str
) -> None:
    daemon.replies["goldlens.score"] = lambda params: daemon.last.write(data) or HELD
    with pytest.raises(Disconnected, match=why):
        client.score("/a")
    with pytest.raises(Disconnected, match=why):
        client.status()


def test_a_daemon_that_greets_as_none_of_ours_does_is_refused(
    daemon: FakeDaemon, root: Path
) -> None:
    daemon.replies["hello"] = lambda params: "220 mail.example.org ESMTP"
    with pytest.raises(Disconnected, match="did not greet"):
        connect(root)


def test_a_daemon_that_ends_while_it_is_called_is_looked_for_again(
    daemon: FakeDaemon, root: Path
) -> None:
    daemon.replies["hello"] = lambda params: daemon.loop.call_soon(daemon._over.set) and HELD
    with pytest.raises(NoDaemon):
        connect(root, timeout=10)


def test_one_that_lives_and_cannot_be_reached_is_told(daemon: FakeDaemon, root: Path) -> None:
    daemon.socket.unlink()
    with pytest.raises(Disconnected, match=f"the daemon of {root} cannot be reached"):
        connect(root)


def test_closing_ends_calls_that_wait(client: Client, daemon: FakeDaemon) -> None:
    daemon.replies["goldlens.rows"] = lambda params: HELD
    errors: list[Exception] = []

    def wait() -> None:
        try:
            client.rows("/a")
        except ClientError as error:
            errors.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    daemon.wait_for("goldlens.rows")
    client.close()
    client.close()
    waiting.join(10)
    assert [str(error) for error in errors] == ["this client was closed; connect again"]
    with pytest.raises(Disconnected, match="closed"):
        client.status()


def test_no_thread_is_left(daemon: FakeDaemon, root: Path) -> None:
    before = threading.active_count()
    with connect(root) as client, client.subscribe():
        assert threading.active_count() == before + 1
    assert threading.active_count() == before


def test_the_end_of_the_daemon_is_the_end_of_the_client(client: Client, daemon: FakeDaemon) -> None:
    client.end()
    daemon.wait_for("end")
    with pytest.raises(Disconnected):
        client.status()


# Subscriptions


def told(daemon: FakeDaemon, *uris: str) -> None:
    for figure, uri in enumerate(uris):
        daemon.last.notify(
            "goldlens/scores", {"uri": uri, "metrics": {"LAS": {"f1": float(figure)}}}
        )


def test_events_come_in_turn(client: Client, daemon: FakeDaemon) -> None:
    with client.subscribe(problems=True) as events:
        assert daemon.wait_for("subscribe")[0][0] == {"scores": True, "problems": True}
        assert events.watched == 2
        daemon.last.notify("goldlens/problems", {"uri": "file:///a", "problems": [], "more": 0})
        told(daemon, "file:///a", "file:///b")
        daemon.last.notify("goldlens/gone", {"uri": "file:///c"})
        found = [next(events) for _ in range(4)]
    assert [type(event) for event in found] == [Problems, Scores, Scores, Gone]
    assert [event.path.name for event in found] == ["a", "a", "b", "c"]
    daemon.wait_for("unsubscribe")


def test_what_is_told_with_the_answer_is_not_lost(client: Client, daemon: FakeDaemon) -> None:
    daemon.replies["subscribe"] = lambda params: told(daemon, "file:///a") or {"watched": 1}
    assert next(client.subscribe()).uri == "file:///a"


def test_it_can_be_looped_over_while_calls_are_made(client: Client, daemon: FakeDaemon) -> None:
    daemon.replies["subscribe"] = lambda params: told(daemon, "file:///0") or {"watched": 1}
    daemon.replies["goldlens.score"] = lambda params: told(daemon, params["uri"])
    seen = []
    for event in client.subscribe():
        seen.append(event.path.name)
        if len(seen) == 5:
            break
        client.score(f"/{len(seen)}")
    assert seen == ["0", "1", "2", "3", "4"]


def test_nothing_piles_up_for_who_reads_slowly(client: Client, daemon: FakeDaemon) -> None:
    events = client.subscribe()
    told(daemon, *["file:///a", "file:///b"] * 500)
    assert client.status()
    found = [events.get(0), events.get(0), events.get(0)]
    assert [event and event.uri for event in found] == ["file:///a", "file:///b", None]
    assert isinstance(found[1], Scores)
    assert found[1].score("LAS") == 999


def test_without_events_it_waits_no_longer_than_told(client: Client) -> None:
    assert client.subscribe().get(0.05) is None


def test_a_later_subscription_ends_the_earlier(client: Client, daemon: FakeDaemon) -> None:
    earlier = client.subscribe()
    later = client.subscribe(problems=True)
    assert list(earlier) == []
    earlier.close()
    told(daemon, "file:///a")
    assert next(later).uri == "file:///a"
    assert not any(name == "unsubscribe" for name, _, _ in daemon.asked)


def test_who_waits_for_events_hears_that_the_daemon_is_gone(
    client: Client, daemon: FakeDaemon
) -> None:
    told_after = client.subscribe()
    told(daemon, "file:///a")
    daemon.last.drop()
    assert next(told_after).uri == "file:///a"
    with pytest.raises(Disconnected, match="connect again"):
        next(told_after)


def test_closing_the_client_ends_the_loop(client: Client) -> None:
    seen: list[object] = []
    events = client.subscribe()
    looping = threading.Thread(target=lambda: seen.extend(events))
    looping.start()
    client.close()
    looping.join(10)
    assert not looping.is_alive()
    assert seen == []


def test_an_error_in_the_body_is_not_hidden_by_a_daemon_that_is_gone(
    client: Client, daemon: FakeDaemon
) -> None:
    def body() -> None:
        with client.subscribe():
            daemon.last.drop()
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        body()
