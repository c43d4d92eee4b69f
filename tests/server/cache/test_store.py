from __future__ import annotations

import errno
import logging
import multiprocessing
import os
import stat
import sys
from pathlib import Path

import pytest

from goldlens.server.cache import store as stores
from goldlens.server.cache.store import Store

VALUE = {"numbers": [1, 2, 3], "bytes": b"\x00\xff" * 40, 7: None}
posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes are POSIX's")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "goldlens"


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.entry"))


def test_what_was_put_is_there_for_another_process(folder: Path) -> None:
    Store(folder).put("key", VALUE)
    assert Store(folder).get("key") == VALUE
    assert Store(folder).get("another key") is None


def test_another_value_takes_the_place_of_the_first(folder: Path) -> None:
    Store(folder).put("key", [1])
    Store(folder).put("key", [2])
    assert Store(folder).get("key") == [2]
    assert len(list(folder.iterdir())) == 1


def test_no_folder_is_no_entry(folder: Path) -> None:
    assert Store(folder).get("key") is None
    assert not folder.exists()


@posix
def test_nobody_else_can_look_at_it(folder: Path) -> None:
    Store(folder).put("key", VALUE)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(entries(folder)[0].stat().st_mode) == 0o600


class TestDamage:
    """Whatever has happened to an entry, it is none."""

    @pytest.fixture
    def entry(self, folder: Path) -> Path:
        Store(folder).put("key", VALUE)
        return entries(folder)[0]

    def test_cut_off_anywhere(self, folder: Path, entry: Path) -> None:
        data = entry.read_bytes()
        for size in range(len(data)):
            entry.write_bytes(data[:size])
            assert Store(folder).get("key") is None

    def test_any_byte_changed(self, folder: Path, entry: Path) -> None:
        data = entry.read_bytes()
        for at in range(len(data)):
            entry.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
            assert Store(folder).get("key") is None

    def test_something_behind_it(self, folder: Path, entry: Path) -> None:
        entry.write_bytes(entry.read_bytes() + b"\0")
        assert Store(folder).get("key") is None

    def test_the_entry_of_another_key(self, folder: Path, entry: Path) -> None:
        Store(folder).put("other", [1])
        other = next(path for path in entries(folder) if path != entry)
        entry.write_bytes(other.read_bytes())
        assert Store(folder).get("key") is None

    def test_another_format(self, folder: Path, entry: Path) -> None:
        entry.write_bytes(b"goldlens cash\n" + entry.read_bytes()[14:])
        assert Store(folder).get("key") is None

    def test_it_is_told_in_the_log_and_mended_by_the_next(
        self, folder: Path, entry: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        entry.write_bytes(b"")
        with caplog.at_level(logging.INFO):
            assert Store(folder).get("key") is None
        assert "computed again: it is damaged" in caplog.text
        Store(folder).put("key", [1])
        assert Store(folder).get("key") == [1]

    def test_a_folder_in_its_place(self, folder: Path, entry: Path) -> None:
        entry.unlink()
        entry.mkdir()
        assert Store(folder).get("key") is None
        Store(folder).put("key", [1])
        assert Store(folder).get("key") is None

    @posix
    def test_a_pipe_in_its_place_is_not_waited_for(self, folder: Path, entry: Path) -> None:
        entry.unlink()
        os.mkfifo(entry)
        assert Store(folder).get("key") is None

    @posix
    def test_a_link_in_its_place_is_not_followed(self, folder: Path, entry: Path) -> None:
        elsewhere = entry.rename(folder.parent / "elsewhere")
        entry.symlink_to(elsewhere)
        assert Store(folder).get("key") is None


@posix
class TestOthers:
    def test_an_entry_of_another_user_is_not_read(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Store(folder).put("key", VALUE)
        found = stores._owns
        monkeypatch.setattr(
            stores, "_owns", lambda stat_: found(stat_) and not stat.S_ISREG(stat_.st_mode)
        )
        assert Store(folder).get("key") is None

    def test_a_folder_of_another_user_is_not_used(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Store(folder).put("key", VALUE)
        monkeypatch.setattr(os, "getuid", lambda: -1)
        assert Store(folder).get("key") is None
        Store(folder).put("other", VALUE)
        assert len(list(folder.iterdir())) == 1

    @pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
    def test_a_folder_that_others_can_write_to_is_not_used(self, folder: Path, mode: int) -> None:
        Store(folder).put("key", VALUE)
        folder.chmod(mode)
        assert Store(folder).get("key") is None
        Store(folder).put("other", VALUE)
        assert len(entries(folder)) == 1

    def test_a_link_to_a_folder_is_not_used(self, folder: Path) -> None:
        Store(folder).put("key", VALUE)
        link = folder.parent / "link"
        link.symlink_to(folder)
        assert Store(link).get("key") is None


class TestNoRoom:
    """What cannot be written is not kept, and that is all."""

    @pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EDQUOT])
    def test_on_the_disk(
        self,
        folder: Path,
        code: int,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        Store(folder).put("key", [1])

        def replace(self: Path, target: Path) -> Path:
            raise OSError(code, os.strerror(code))

        monkeypatch.setattr(Path, "replace", replace)
        with caplog.at_level(logging.INFO):
            Store(folder).put("key", [2])
        assert Store(folder).get("key") == [1]
        assert len(list(folder.iterdir())) == 1
        assert f"nothing is kept in {folder}: [Errno {code}]" in caplog.text

    def test_for_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"")
        store = Store(tmp_path / "file" / "cache")
        store.put("key", VALUE)
        assert store.get("key") is None

    def test_in_a_folder_that_cannot_be_read(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Store(folder).put("key", VALUE)

        def denied(*_: object, **__: object) -> None:
            raise PermissionError(errno.EACCES, "denied")

        for name in ("open", "utime"):
            with monkeypatch.context() as patch:
                patch.setattr(os, name, denied)
                assert Store(folder).get("key") == (None if name == "open" else VALUE)
                Store(folder).put("other", VALUE)


class TestBound:
    def sized(self, folder: Path) -> int:
        return sum(path.stat().st_size for path in folder.iterdir())

    def test_what_was_not_used_for_longest_goes_first(self, folder: Path) -> None:
        store = Store(folder, limit=3000)
        for k in range(4):
            store.put(str(k), bytes(600))
            os.utime(entries(folder)[0] if k < 0 else store._path(str(k)), ns=(k, k))
        assert store.get("0") is not None
        store.put("4", bytes(600))
        store.put("5", bytes(600))
        assert self.sized(folder) <= 3000
        assert [k for k in range(6) if Store(folder, 3000).get(str(k)) is not None] == [0, 3, 4, 5]

    def test_one_that_would_throw_out_the_others_is_not_kept(self, folder: Path) -> None:
        store = Store(folder, limit=3000)
        store.put("small", bytes(10))
        store.put("large", bytes(800))
        assert store.get("large") is None
        assert store.get("small") is not None

    def test_files_that_a_writer_left_behind_go(self, folder: Path) -> None:
        Store(folder).put("key", [1])
        old, new = folder / ".tmp-1-a", folder / ".tmp-2-b"
        for path in (old, new):
            path.write_bytes(b"half")
        os.utime(old, (0, 0))
        Store(folder).put("other", [1])
        assert not old.exists()
        assert new.exists()

    def test_other_files_are_left_alone(self, folder: Path) -> None:
        folder.mkdir(parents=True, mode=0o700)
        (folder / "notes.txt").write_bytes(bytes(5000))
        os.utime(folder / "notes.txt", (0, 0))
        Store(folder, limit=1000).put("key", [1])
        assert (folder / "notes.txt").exists()
        assert Store(folder, limit=1000).get("key") == [1]

    def test_somebody_else_may_have_deleted_them(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = Store(folder, limit=3000)
        for k in range(4):
            store.put(str(k), bytes(600))
        found = Path.lstat

        def lstat(self: Path) -> os.stat_result:
            result = found(self)
            if self.name.endswith(".entry"):
                self.unlink()
            return result

        monkeypatch.setattr(Path, "lstat", lstat)
        store.put("5", bytes(600))


def _write_and_read(folder: Path, number: int) -> None:
    store = Store(folder, limit=20_000)
    for k in range(150):
        key = str(k % 11)
        store.put(key, [key, bytes([number]) * 1000])
        value = store.get(str((k + 1) % 11))
        if value is not None and (value[0] != str((k + 1) % 11) or len(set(value[1])) != 1):
            sys.exit(1)


def test_two_processes_at_once(folder: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    both = [spawn.Process(target=_write_and_read, args=(folder, k)) for k in (1, 2)]
    for process in both:
        process.start()
    for process in both:
        process.join(60)
    assert [process.exitcode for process in both] == [0, 0]
    assert not list(folder.glob(".tmp-*"))
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 20_000
