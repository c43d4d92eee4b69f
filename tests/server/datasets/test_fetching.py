"""Data sets fetched from a server on this machine that behaves, and from one that does not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from goldlens.server.datasets import cached, fetching
from goldlens.server.datasets.cached import DataError, State
from goldlens.server.datasets.fetching import fetch
from tests.server.datasets.made import DATA, Server, entry_of, serving


@pytest.fixture(autouse=True)
def without_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second try comes at once."""
    monkeypatch.setattr("pooch.core.time", SimpleNamespace(sleep=lambda seconds: None))


@pytest.fixture
def server(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as server:
        yield server


def nothing_is_left(home: Path) -> bool:
    return not home.exists() or list(home.iterdir()) == []


@pytest.mark.parametrize("path", ["right", "moved"])
def test_right_bytes_are_kept(server: Server, home: Path, path: str) -> None:
    entry = entry_of(url=server.url(path), size=len(DATA))
    told: list[int] = []
    found = fetch(entry, told.append)
    assert found == cached.place(entry)
    assert found.read_bytes() == DATA
    assert [each.name for each in home.rglob("*")] == [found.parent.name, found.name]
    assert told[-1] == len(DATA)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("wrong", "other bytes came than those registered .*, and were removed"),
        ("missing", "the server answers 404 Not Found"),
        ("cut", "the connection ended before the file did"),
    ],
)
def test_a_failure_is_tried_once_more_and_leaves_nothing(
    server: Server, home: Path, path: str, why: str
) -> None:
    entry = entry_of(url=server.url(path))
    with pytest.raises(DataError, match=why) as raised:
        fetch(entry)
    assert str(raised.value).startswith(entry.url)
    assert str(raised.value).endswith("try again, or take a copy with --from PATH")
    assert server.asked == [path, path]
    assert nothing_is_left(home)


@pytest.mark.parametrize("path", ["silent", "stuck"])
def test_a_server_that_is_silent_is_given_up(server: Server, home: Path, path: str) -> None:
    with pytest.raises(DataError, match=r"no answer from 127\.0\.0\.1 within 0\.2 s"):
        fetch(entry_of(url=server.url(path)), silence=0.2)
    assert nothing_is_left(home)


def test_a_file_without_end_is_given_up_at_its_registered_size(server: Server, home: Path) -> None:
    with pytest.raises(DataError, match="more bytes came than the 1,000 registered"):
        fetch(entry_of(url=server.url("endless"), size=1000))
    assert server.asked == ["endless"], "what has no end is not tried again"
    assert nothing_is_left(home)


def test_a_file_may_take_only_so_long(server: Server, home: Path) -> None:
    with pytest.raises(DataError, match="took too long"):
        fetch(entry_of(url=server.url("endless")), longest=0.0)
    assert nothing_is_left(home)


def test_nobody_there_is_one_error(server: Server, home: Path) -> None:
    url = server.url("right")
    server.close()
    with pytest.raises(DataError, match=r"no connection to 127\.0\.0\.1"):
        fetch(entry_of(url=url))
    assert nothing_is_left(home)


def test_a_failure_leaves_the_damaged_copy_and_success_replaces_it(
    server: Server, home: Path
) -> None:
    entry = entry_of(url=server.url("wrong"))
    place = cached.place(entry)
    place.parent.mkdir(parents=True)
    place.write_bytes(b"damaged")
    with pytest.raises(DataError):
        fetch(entry)
    assert cached.state(entry) is State.DAMAGED
    fetch(entry_of(url=server.url("right")))
    assert cached.state(entry) is State.CACHED


def test_two_that_fetch_at_once_leave_one_right_file(server: Server, home: Path) -> None:
    entry = entry_of(url=server.url("together"))
    found: list[Path] = []
    threads = [threading.Thread(target=lambda: found.append(fetch(entry))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [cached.place(entry)] * 2
    assert server.asked == ["together"] * 2
    assert [path.name for path in home.rglob("*")] == [found[0].parent.name, found[0].name]
    assert cached.state(entry) is State.CACHED


def test_a_proxy_of_the_environment_is_used(
    server: Server, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A proxy is asked for the whole URL, and this one has it.
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv("http_proxy", server.url("").rstrip("/"))
    monkeypatch.setattr(Server, "url", lambda self, path: f"http://data.test/{path}")
    entry = entry_of(url="http://data.test/right")
    with pytest.raises(DataError, match="404"):
        fetch(entry_of(url="http://data.test/missing"))
    assert fetch(entry).read_bytes() == DATA


def test_the_limits_are_those_of_the_guide() -> None:
    assert (fetching.SILENCE, fetching.LONGEST) == (30, 3600)
