"""Predictions that are scored while nobody looks, among the turns of others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path

import pytest

from goldlens.server.history import History, Notes
from goldlens.server.noted import history_key
from goldlens.server.rpc.subscription import Subscription
from goldlens.server.shared import Shared
from goldlens.server.systems import Change
from goldlens.server.watched import Watched
from tests.lsp.conftest import GOLD

CONFIG = '[[pair]]\ngold = "gold.conllu"\npred = "runs/*.conllu"\n'
WRONG = GOLD.replace("obj", "iobj")
WAIT = 10.0


class Place:
    """A folder with gold and some predictions, watched."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.folder, self.told = folder, list[tuple[str, str]]()
        (folder / "runs").mkdir()
        (folder / "gold.conllu").write_text(GOLD, "utf-8")
        (folder / "goldlens.toml").write_text(CONFIG, "utf-8")
        for name in names:
            self.write(name, GOLD)
        self.shared = Shared()
        self.watched = Watched(folder, self.shared, Notes(folder / "history"))
        self.watched.listeners.append(self._hear)

    def _hear(self, change: Change) -> None:
        self.told.append((str(change.event), change.system.name))

    def write(self, name: str, text: str) -> None:
        (self.folder / "runs" / f"{name}.conllu").write_text(text, "utf-8")

    def las(self, name: str) -> float | None:
        system = self.watched.systems.at(self.folder / "runs" / f"{name}.conllu")
        figure = system.score.figures["LAS"] if system is not None and system.score else None
        return None if figure is None else figure.score


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT):
        while not holds():
            await asyncio.sleep(0.01)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    made = Place(tmp_path, *"abcdefgh")
    made.watched.start()
    await made.watched.opened
    yield made
    made.watched.stop()
    await made.shared.turns.idle()


async def test_all_are_told_of_as_they_are_read(place: Place) -> None:
    assert place.told == [("new", name) for name in "abcdefgh"]


async def test_others_have_their_turns_between_two_predictions(tmp_path: Path) -> None:
    place = Place(tmp_path, *"abcd")
    read: list[int] = []
    place.watched.start()
    for _ in range(3):
        await place.shared.turns.take(lambda: read.append(len(place.watched.systems.all)))
    await place.watched.opened
    assert read == sorted(read) and read[0] < 4
    place.watched.stop()


async def test_a_change_and_a_burst_of_changes(place: Place) -> None:
    place.write("a", WRONG)
    await until(lambda: place.told[8:] == [("score", "a")])
    assert place.las("a") == 80
    for name in "abcdefgh":
        place.write(name, WRONG if name != "a" else GOLD)
    await until(lambda: len(place.told) == 17)
    assert sorted(place.told[9:]) == [("score", name) for name in "abcdefgh"]
    assert [place.las(name) for name in "abh"] == [100, 80, 80]


async def test_changes_while_others_are_read_are_not_lost(place: Place) -> None:
    paths = [place.folder / "runs" / f"{name}.conllu" for name in "abcdefgh"]
    for text in (WRONG, GOLD, WRONG):
        for name in "abcdefgh":
            place.write(name, text)
        place.watched.changed(paths)
    await until(lambda: all(place.las(name) == 80 for name in "abcdefgh"))


async def test_what_changes_again_and_again_while_others_are_read_is_read_once(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[set[Path]] = []
    changing = place.watched.systems.changing

    def noted(paths: Iterable[Path]) -> Iterator[Change]:
        asked.append(set(paths))
        return changing(paths)

    monkeypatch.setattr(place.watched.systems, "changing", noted)
    paths = [place.folder / "runs" / f"{name}.conllu" for name in "abcdefgh"]
    for name in "abcdefgh":
        place.write(name, WRONG)
    place.watched.changed(paths)
    for path in paths * 3:
        place.watched.changed([path])
    await until(lambda: all(place.las(name) == 80 for name in "abcdefgh"))
    await until(lambda: len(asked) == 2)
    assert asked == [set(paths), set(paths)]


async def test_subscribers_hear_of_the_first_before_the_last_is_read(place: Place) -> None:
    sent: list[bytes] = []
    subscription = Subscription(
        place.watched,
        place.shared.turns,
        sent.append,
        lambda: False,
        scores=True,
        problems=False,
    )
    await until(lambda: len(sent) == 8)
    told_before: list[int] = []
    place.watched.listeners.insert(0, lambda change: told_before.append(len(sent) - 8))
    (place.folder / "gold.conllu").write_text(WRONG, "utf-8")
    place.watched.changed([place.folder / "gold.conllu"] * 5)
    await until(lambda: len(told_before) == 8)
    assert told_before == list(range(8))
    subscription.end()


async def test_files_that_never_cease_to_change_do_not_put_off_what_time_brings_about(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks: list[bool] = []

    def tick() -> list[Change]:
        ticks.append(True)
        return []

    monkeypatch.setattr(place.watched.systems, "tick", tick)
    paths = [place.folder / "runs" / f"{name}.conllu" for name in "abcdefgh"]
    async with asyncio.timeout(WAIT):
        while not ticks:
            if not place.watched._waiting:
                place.watched.changed(paths)
            await asyncio.sleep(0)


async def test_gold_and_a_new_prediction_and_one_that_goes(place: Place) -> None:
    (place.folder / "gold.conllu").write_text(WRONG, "utf-8")
    await until(lambda: place.las("h") == 80 and place.las("a") == 80)
    place.write("new", WRONG)
    await until(lambda: ("new", "new") in place.told)
    assert place.las("new") == 100
    (place.folder / "runs/new.conllu").unlink()
    await until(lambda: ("gone", "new") in place.told)


async def test_a_new_prediction_that_is_gone_before_it_is_watched(place: Place) -> None:
    path = place.folder / "runs" / "new.conllu"

    def away(change: Change) -> None:
        if change.system.name == "new":
            path.unlink(missing_ok=True)

    place.watched.listeners.append(away)
    place.write("new", GOLD)
    # Another one that comes has all be looked for, before anybody knows of this.
    place.watched.changed([path.with_name("other.conllu")])
    assert place.told[8:] == [("new", "new")] and not path.exists()
    await until(lambda: place.told[9:] == [("gone", "new")])


async def test_scores_are_noted_in_histories(place: Place) -> None:
    place.write("a", WRONG)
    await until(lambda: len(place.told) > 8)
    system = place.watched.systems.at(place.folder / "runs/a.conllu")
    assert system is not None
    noted = History(place.folder / "history").of(*history_key(system))
    assert [scored.scores["LAS"] for scored in noted] == [100, 80]


async def test_a_folder_without_configuration_has_none(tmp_path: Path) -> None:
    (tmp_path / "gold.conllu").write_text(GOLD, "utf-8")
    (tmp_path / "pred.conllu").write_text(GOLD, "utf-8")
    watched = Watched(tmp_path, Shared())
    watched.start()
    await watched.opened
    assert watched.systems.all == []
    watched.stop()
