"""The watcher over a real folder: with the system's events, and without any."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from watchdog.observers import Observer

from goldlens.server.watching.interest import Interest
from goldlens.server.watching.watcher import REST, Watcher, is_whole

WAIT = 5.0


class Watched:
    """A watcher, what it was told, and what it is to watch."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "gold.conllu"
        self.files = {self.file}
        self.folders: set[Path] = set()
        self.told: list[Path] = []
        self.watcher: Watcher | None = None

    def interest(self) -> Interest:
        found = {path for folder in self.folders for path in folder.rglob("*.conllu")}
        return Interest(frozenset(self.files | found), frozenset(self.folders))

    async def until(self, holds: Callable[[], bool]) -> float:
        """Waits until something holds; how long it took."""
        began = time.monotonic()
        while not holds():
            assert time.monotonic() - began < WAIT, f"told of {self.told}"
            await asyncio.sleep(0.01)
        return time.monotonic() - began


@pytest.fixture(params=[False, True], ids=["events", "polling"])
async def watched(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Watched]:
    found = Watched(tmp_path)
    found.file.write_text("old\n", "utf-8")
    found.watcher = Watcher(found.interest, found.told.extend, polling=request.param)
    found.watcher.start()
    await asyncio.sleep(0.05)
    yield found
    found.watcher.stop()


async def test_a_file_written_in_place(watched: Watched) -> None:
    watched.file.write_text("new\n", "utf-8")
    await watched.until(lambda: watched.told == [watched.file])


async def test_a_file_replaced_by_another_of_the_same_size_and_time(watched: Watched) -> None:
    before = watched.file.stat()
    other = watched.folder / "other.tmp"
    other.write_text("new\n", "utf-8")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(watched.file)
    await watched.until(lambda: watched.told == [watched.file])


async def test_a_file_deleted_and_one_that_comes_back(watched: Watched) -> None:
    watched.file.unlink()
    took = await watched.until(lambda: watched.told == [watched.file])
    assert took > 0.4
    watched.file.write_text("back\n", "utf-8")
    await watched.until(lambda: watched.told == [watched.file] * 2)


async def test_a_change_beside_a_file_that_another_program_writes_without_cease(
    watched: Watched,
) -> None:
    watched.file.write_text("new\n", "utf-8")
    began = time.monotonic()
    while watched.told != [watched.file]:
        assert time.monotonic() - began < WAIT, "the noise puts it off for ever"
        (watched.folder / "log.txt").write_text("noise\n", "utf-8")
        await asyncio.sleep(0)


async def test_looking_where_events_were_leaves_time_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often something happens beside what is watched."""
    monkeypatch.setattr("goldlens.server.watching.watcher.EVERY", 1000.0)
    looks: list[tuple[float, float]] = []
    beside = str(tmp_path / "log")

    def interest() -> Interest:
        began = time.monotonic()
        time.sleep(0.02)
        looks.append((began, time.monotonic()))
        # The next event comes while this one is looked into.
        watcher._seen([beside])
        return Interest(folders=frozenset({tmp_path}))

    watcher = Watcher(interest, lambda paths: None, polling=True)
    watcher.start()
    while len(looks) < 5:
        await asyncio.sleep(0.01)
    watcher.stop()
    # The first look is that of the start.
    for (began, ended), (following, _) in pairwise(looks[1:]):
        assert following - ended >= REST * (ended - began) * 0.9


async def test_folders_below_one_that_is_watched_whole_take_no_watch_of_their_own(
    tmp_path: Path,
) -> None:
    runs, elsewhere = tmp_path / "runs", tmp_path / "elsewhere"
    for name in ("one", "two", "three"):
        (runs / name).mkdir(parents=True)
    elsewhere.mkdir()
    (runs / "linked").symlink_to(elsewhere)
    names = ("one", "two", "three", "linked")
    files = frozenset(runs / name / "a.conllu" for name in names) | {tmp_path / "gold.conllu"}
    for file in files:
        file.write_text("old\n", "utf-8")
    told: list[Path] = []
    watcher = Watcher(lambda: Interest(files, frozenset({runs})), told.extend)
    watcher.start()
    try:
        assert set(watcher._watches) == {
            str(runs),
            str(tmp_path),
            *map(str, (runs / "linked", elsewhere)),
        }
        await asyncio.sleep(0.05)
        for file in files:
            file.write_text("new\n", "utf-8")
        began = time.monotonic()
        while set(told) != files:
            assert time.monotonic() - began < WAIT, f"told of {told}"
            await asyncio.sleep(0.01)
    finally:
        watcher.stop()


async def test_a_folder_whose_events_are_not_to_be_had_is_asked_for_them_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def refused(observer: object, handler: object, path: str, *, recursive: bool) -> None:
        asked.append(path)
        raise OSError(24, "inotify instance limit reached")

    monkeypatch.setattr("watchdog.observers.api.BaseObserver.schedule", refused)
    file, told = tmp_path / "gold.conllu", list[Path]()
    file.write_text("old\n", "utf-8")
    watcher = Watcher(lambda: Interest(frozenset({file})), told.extend)
    watcher.start()
    try:
        watcher.refresh()
        file.write_text("new\n", "utf-8")
        began = time.monotonic()
        while told != [file]:
            assert time.monotonic() - began < WAIT, "looking goes on without events"
            await asyncio.sleep(0.01)
        assert asked == [str(tmp_path)]
    finally:
        watcher.stop()


async def test_a_file_whose_folder_comes_later(watched: Watched) -> None:
    deep = watched.folder / "runs" / "one" / "gold.conllu"
    watched.files.add(deep)
    assert watched.watcher is not None
    watched.watcher.refresh()
    deep.parent.mkdir(parents=True)
    deep.write_text("new\n", "utf-8")
    await watched.until(lambda: deep in watched.told)
    watched.told.clear()
    deep.write_text("newer\n", "utf-8")
    await watched.until(lambda: watched.told == [deep])


async def test_a_link_that_is_turned(watched: Watched) -> None:
    for name in ("a", "b"):
        (watched.folder / name).mkdir()
        (watched.folder / name / "gold.conllu").write_text(f"{name}\n", "utf-8")
    link = watched.folder / "latest"
    link.symlink_to("a")
    watched.files.add(link / "gold.conllu")
    assert watched.watcher is not None
    watched.watcher.refresh()
    turned = watched.folder / "latest.new"
    turned.symlink_to("b")
    turned.replace(link)
    await watched.until(lambda: watched.told == [link / "gold.conllu"])


async def test_a_file_written_in_pieces_is_told_of_once(watched: Watched) -> None:
    with watched.file.open("w") as file:
        file.write("half a li")
        file.flush()
        await asyncio.sleep(0.6)
        assert watched.told == []
        file.write("ne\n")
    await watched.until(lambda: watched.told == [watched.file])
    await asyncio.sleep(1.2)
    assert watched.told == [watched.file]


async def test_new_files_in_a_folder(watched: Watched) -> None:
    watched.folders.add(watched.folder)
    assert watched.watcher is not None
    watched.watcher.refresh()
    new = watched.folder / "runs" / "new" / "pred.conllu"
    new.parent.mkdir(parents=True)
    new.write_text("new\n", "utf-8")
    await watched.until(lambda: new in watched.told)
    assert watched.file not in watched.told


async def test_a_folder_taken_away_and_made_again(watched: Watched) -> None:
    deep = watched.folder / "data" / "gold.conllu"
    deep.parent.mkdir()
    deep.write_text("one\n", "utf-8")
    watched.files.add(deep)
    assert watched.watcher is not None
    watched.watcher.refresh()
    deep.unlink()
    deep.parent.rmdir()
    await watched.until(lambda: watched.told == [deep])
    deep.parent.mkdir()
    deep.write_text("two\n", "utf-8")
    await watched.until(lambda: watched.told == [deep] * 2)
    await asyncio.sleep(1)
    deep.write_text("three\n", "utf-8")
    await watched.until(lambda: watched.told == [deep] * 3)


async def test_nothing_is_told_after_the_end(watched: Watched) -> None:
    assert watched.watcher is not None
    watched.watcher.stop()
    watched.file.write_text("new\n", "utf-8")
    await asyncio.sleep(1.5)
    assert watched.told == []


async def test_a_hint_is_looked_into(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.file.write_text("old\n", "utf-8")
    watcher = Watcher(watched.interest, watched.told.extend, polling=True)
    watcher.start()
    watcher.hint([watched.file])
    await asyncio.sleep(0.3)
    assert watched.told == []
    watched.file.write_text("new\n", "utf-8")
    watcher.hint([watched.file, tmp_path / "unknown"])
    took = await watched.until(lambda: watched.told == [watched.file])
    assert took < 0.8
    watcher.stop()


def test_a_whole_file_ends_with_a_line_end(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for text, expected in ((b"a\n", True), (b"a\r", True), (b"a", False), (b"", False)):
        file.write_bytes(text)
        assert is_whole(file) is expected
    assert is_whole(tmp_path / "nowhere")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Somebody who reads would wait for one who writes: this one finds nobody.
    done = threading.Thread(target=is_whole, args=(pipe,), daemon=True)
    done.start()
    done.join(20)
    assert not done.is_alive()
    assert is_whole(pipe)


async def test_no_events_are_asked_for_where_files_are_only_to_be_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    class Scheduling(Observer):
        def schedule(self, handler: Any, path: str, **more: Any) -> Any:
            asked.append(path)
            return super().schedule(handler, path, **more)

        def unschedule(self, watch: Any) -> None:
            asked.remove(watch.path)
            super().unschedule(watch)

    monkeypatch.setattr("goldlens.server.watching.watcher.Observer", Scheduling)
    file = tmp_path / "file"
    wanted = [Interest(frozenset([file]), frozenset(), True)]
    told: list[Path] = []
    watcher = Watcher(lambda: wanted[0], told.extend)
    watcher.start()
    assert asked == []
    wanted[0] = Interest(frozenset([file]))
    watcher.refresh()
    assert str(tmp_path) in asked
    wanted[0] = Interest(frozenset([file]), frozenset(), True)
    watcher.refresh()
    assert asked == []
    file.write_text("new\n", "utf-8")
    async with asyncio.timeout(WAIT):
        while told != [file]:
            await asyncio.sleep(0.01)
    watcher.stop()
