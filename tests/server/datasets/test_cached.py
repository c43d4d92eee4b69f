"""What lies in the cache, and what is taken into it."""

from __future__ import annotations

import io
import os
import stat
import time
from pathlib import Path

import pytest

from goldlens.server.datasets import cached
from goldlens.server.datasets.cached import DataError, State
from goldlens.server.datasets.registry import OFFICIAL, Entry, shipped
from tests.server.datasets.made import DATA, entry_of


def take(entry: Entry, data: bytes = DATA) -> Path:
    return cached.take(entry, io.BytesIO(data))


def overwrite(path: Path, data: bytes) -> None:
    path.chmod(0o644)
    path.write_bytes(data)


def test_the_environment_names_the_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cached.folder() == home
    monkeypatch.setenv("GOLDLENS_DATA_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    assert cached.folder().name == "data"


def test_a_copy_is_taken_under_its_hash(home: Path, entry: Entry) -> None:
    assert cached.state(entry) is State.ABSENT
    assert "goldlens data fetch mine" in str(cached.trouble(entry))
    path = take(entry)
    assert path.read_bytes() == DATA
    assert path == cached.place(entry) == home / f"mine-{entry.sha256[:12]}" / "mine.conllu"
    assert (cached.state(entry), cached.trouble(entry)) == (State.CACHED, None)


def test_other_bytes_are_refused_and_nothing_is_left(home: Path, entry: Entry) -> None:
    with pytest.raises(DataError, match="other bytes than those registered") as raised:
        take(entry, DATA + b"\n")
    assert entry.sha256[:12] in str(raised.value)
    assert list(home.iterdir()) == []


def test_a_refused_copy_leaves_what_was_there(home: Path, entry: Entry) -> None:
    path = take(entry)
    with pytest.raises(DataError):
        take(entry, b"others")
    assert path.read_bytes() == DATA
    assert list(home.iterdir()) == [path.parent]


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_copy_is_nobodys_to_edit_and_the_folder_is_private(home: Path, entry: Entry) -> None:
    path = take(entry)
    assert stat.S_IMODE(path.stat().st_mode) == 0o444
    for folder in (home, home.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_damage_is_seen_however_small_and_taken_again(entry: Entry) -> None:
    path = take(entry)
    assert cached.state(entry) is State.CACHED
    overwrite(path, DATA.replace(b"cat", b"cot"))
    assert cached.state(entry) is State.DAMAGED
    assert "which replaces it" in str(cached.trouble(entry))
    take(entry)
    assert cached.state(entry) is State.CACHED


def test_a_folder_in_its_place_is_no_copy(entry: Entry) -> None:
    cached.place(entry).mkdir(parents=True)
    assert cached.state(entry) is State.ABSENT


def test_one_name_of_two_projects_is_two_places(home: Path) -> None:
    one, other = entry_of(), entry_of(b"other\n")
    take(one)
    assert cached.state(other) is State.ABSENT
    take(other, b"other\n")
    assert (cached.state(one), cached.state(other)) == (State.CACHED, State.CACHED)


def test_a_gold_by_its_name(entry: Entry) -> None:
    known = {**shipped(), "mine": entry}
    with pytest.raises(DataError, match="not on this machine"):
        cached.gold("mine", known)
    path = take(entry)
    assert cached.gold("mine", known) == path
    with pytest.raises(DataError, match="did you mean “mine”"):
        cached.gold("mine2", known)
    with pytest.raises(DataError, match="is a script"):
        cached.gold(OFFICIAL, known)


def test_the_path_of_a_shipped_data_set(home: Path, shared: Path) -> None:
    name = "en_ewt-test-r2.15"
    assert cached.path_of(name) is None
    with (shared / "data" / "ud" / "en_ewt.gold.conllu").open("rb") as file:
        path = cached.take(shipped()[name], file)
    assert cached.path_of(name) == path
    overwrite(path, b"others")
    assert cached.path_of(name) is None
    with pytest.raises(KeyError):
        cached.path_of("mine")


def test_rooms_of_the_killed_are_swept_and_those_of_the_living_stay(
    home: Path, entry: Entry
) -> None:
    old, new = home / ".fetching-old", home / ".fetching-new"
    for room in (old, new):
        room.mkdir(parents=True)
        (room / "half").write_bytes(DATA[:9])
    long_ago = time.time() - 100_000
    os.utime(old, (long_ago, long_ago))
    take(entry)
    assert not old.exists()
    assert new.exists()


def test_a_folder_that_cannot_be_written_is_one_error(
    entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("GOLDLENS_DATA_DIR", str(tmp_path / "file" / "data"))
    assert cached.state(entry) is State.ABSENT
    with pytest.raises(DataError, match=r"cannot be written: .*GOLDLENS_DATA_DIR"):
        take(entry)
