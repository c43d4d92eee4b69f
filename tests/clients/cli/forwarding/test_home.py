"""Which daemon an editor gets, at first and after one has died."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from goldlens.cli.forwarding import home as module
from goldlens.cli.forwarding.home import Home, home_of
from goldlens.client.errors import ClientError, Disconnected, NoDaemon, OtherVersion, StartFailed
from goldlens.client.place import Place, State

ROOT = Path("/w").absolute()


def state(version: str = "1", root: Path = ROOT) -> State:
    return State(1, version, str(root), "", "unix:/x", None)


@dataclass
class World:
    """What daemons there are, as one look after another finds it; the last one stays."""

    looks: list[State | None] = field(default_factory=lambda: [None])
    killed: bool = False
    refuse: int = 0
    done: list[str] = field(default_factory=list)

    def running(self, path: Any) -> State | None:
        return self.looks.pop(0) if len(self.looks) > 1 else self.looks[0]

    def launch(self, root: Any) -> State:
        self.done.append(f"launch {root}")
        return state()

    def current(self, path: Any, *, start: bool) -> State | None:
        self.done.append(f"current {path} {start}")
        return self.running(path)

    async def connected(self, below: Any, found: State) -> Any:
        if self.refuse:
            self.refuse -= 1
            raise Disconnected("refused")
        self.done.append("connect")
        return found


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    made = World()
    monkeypatch.setattr(module, "running", made.running)
    monkeypatch.setattr(module, "launch", made.launch)
    monkeypatch.setattr(module, "current", made.current)
    monkeypatch.setattr(module, "_connected", made.connected)
    monkeypatch.setattr(module, "own_version", lambda: "1")
    monkeypatch.setattr(module, "GRACE", 0.3)
    monkeypatch.setattr(module, "EVERY", 0.01)
    monkeypatch.setattr(Home, "_killed", lambda self: made.killed)
    return made


HOME, STARTING = Home(ROOT, ROOT, False), Home(ROOT, ROOT, True)
ANY: Any = None


async def test_the_first_one(world: World) -> None:
    world.looks = [state()]
    await HOME.join(ANY)
    assert world.done == [f"current {ROOT} False", "connect"]


async def test_the_first_one_has_just_ended(world: World) -> None:
    with pytest.raises(NoDaemon):
        await HOME.join(ANY)


async def test_the_first_one_dies_as_it_is_joined(world: World) -> None:
    world.looks, world.refuse, world.killed = [state()], 1, True
    await HOME.join(ANY)
    assert world.done[1:] == [f"launch {ROOT}", "connect"]


async def test_one_that_was_killed_is_started_again(world: World) -> None:
    world.killed = True
    await HOME.rejoin(ANY)
    assert world.done == [f"launch {ROOT}", "connect"]


@pytest.mark.parametrize("refused", [1, 2])
async def test_one_that_dies_before_it_is_joined_too(world: World, refused: int) -> None:
    world.killed, world.refuse = True, refused
    await HOME.rejoin(ANY)
    assert world.done == [f"launch {ROOT}"] * (refused + 1) + ["connect"]


async def test_but_not_for_ever(world: World) -> None:
    world.killed, world.refuse = True, 99
    with pytest.raises(NoDaemon):
        await HOME.rejoin(ANY)


async def test_one_that_others_have_started_is_joined(world: World) -> None:
    world.looks = [None, None, state()]
    await HOME.rejoin(ANY)
    assert world.done == ["connect"]


async def test_one_that_is_just_ending_is_not_taken_for_the_next(world: World) -> None:
    world.looks, world.refuse = [state()], 2
    await HOME.rejoin(ANY)
    assert world.done == ["connect"]


async def test_one_that_was_told_to_end_is_missed_by_nobody(world: World) -> None:
    with pytest.raises(NoDaemon):
        await HOME.rejoin(ANY)
    assert world.done == []


async def test_but_by_whoever_wants_one_always(world: World) -> None:
    await STARTING.rejoin(ANY)
    assert world.done == [f"launch {ROOT}", "connect"]


async def test_who_wants_one_starts_it_while_others_still_look_for_it(world: World) -> None:
    others = asyncio.create_task(HOME.rejoin(ANY))
    await STARTING.rejoin(ANY)
    assert world.done == [f"launch {ROOT}", "connect"]
    assert not others.done()
    world.looks = [state()]
    await others
    assert world.done[2:] == ["connect"]


async def test_one_that_is_starting_is_waited_for(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def locked(place: Place) -> bool:
        asked.append(place.root)
        if len(asked) == 3:
            world.looks = [state()]
        return True

    monkeypatch.setattr(Place, "locked", locked)
    await HOME.rejoin(ANY)
    assert (world.done, set(asked)) == (["connect"], {str(ROOT)})


async def test_but_one_that_never_listens_is_not(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Place, "locked", lambda place: True)
    with pytest.raises(NoDaemon):
        await HOME.rejoin(ANY)


async def test_another_version_is_left_alone(world: World) -> None:
    world.looks = [None, state("2")]
    with pytest.raises(OtherVersion):
        await STARTING.rejoin(ANY)
    assert world.done == []


@pytest.mark.parametrize("trouble", [StartFailed("no"), OSError("no")])
async def test_one_that_does_not_start(
    world: World, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    def fail(root: Any) -> State:
        raise trouble

    world.killed = True
    monkeypatch.setattr(module, "launch", fail)
    with pytest.raises(ClientError, match="no"):
        await HOME.rejoin(ANY)


Finds = Callable[[dict[str, str]], None]


@pytest.fixture
def finds(monkeypatch: pytest.MonkeyPatch) -> Finds:
    """Says which root serves which path."""

    def say(roots: dict[str, str]) -> None:
        states = {Path(path): state(root=Path(root)) for path, root in roots.items()}
        monkeypatch.setattr(module, "running", states.get)

    return say


def home(*folders: str, start: bool = False) -> str | None:
    found = home_of([Path(folder) for folder in folders], start=start)
    return None if found is None else str(found.root)


def test_several_folders_of_one_daemon(finds: Finds) -> None:
    finds({"/w/a": "/w", "/w/b": "/w", "/x": "/x"})
    assert home("/w/a") == home("/w/a", "/w/b") == "/w"
    assert home("/w/a", "/x") is None
    assert home("/w/a", "/y") is None
    assert home("/w/a", "/y", start=True) is None


def test_one_is_started_for_the_folder_that_has_the_others(finds: Finds) -> None:
    finds({})
    assert home("/w") is None
    assert home("/w", start=True) == "/w"
    assert home("/w/a", "/w", start=True) == "/w"
    assert home("/w/a", "/w/b", start=True) is None
