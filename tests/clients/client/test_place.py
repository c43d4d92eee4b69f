"""Where daemons are found: by names, by locks, and only in a folder that is ours alone."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from goldlens.client import place
from goldlens.client.errors import UnsafePlace
from goldlens.client.place import State, make_private, place_of, running
from tests.clients.client.conftest import Serve
from tests.clients.client.fake import occupied

RIGHT = {
    "pid": 1,
    "version": "0.1.0",
    "root": "/work",
    "started": "2026-01-01T00:00:00+00:00",
    "address": "unix:/run/x.sock",
    "token": None,
}


def test_a_root_is_named_by_the_digest_of_its_real_path(root: Path, runtime: Path) -> None:
    name = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
    found = place_of(root)
    assert (found.socket, found.lock, found.state) == tuple(
        runtime / f"{name}.{kind}" for kind in ("sock", "lock", "json")
    )
    assert found.log == runtime.parent / "logs" / f"{name}.log"
    assert found.err == runtime.parent / "logs" / f"{name}.err"


def test_a_link_to_a_root_has_its_name(root: Path) -> None:
    link = root.parent / "link"
    link.symlink_to(root)
    assert place_of(link) == place_of(root)


def test_a_root_whose_name_is_no_text_has_a_place(root: Path) -> None:
    odd = os.fsdecode(os.fsencode(root) + b"/\xff")
    assert place_of(odd).root == odd


def test_nothing_is_made_by_looking(root: Path, runtime: Path) -> None:
    assert running(root) is None
    assert not runtime.exists()


def test_the_daemon_of_a_path_is_that_of_the_nearest_folder_upward(
    root: Path, serve: Serve
) -> None:
    inner = root / "runs"
    inner.mkdir()
    serve(root)
    serve(inner)
    assert _root(root) == _root(root / "pred.conllu") == str(root)
    assert _root(inner) == _root(inner / "a" / "pred.conllu") == str(inner)
    assert running(root.parent) is None


def test_a_path_is_looked_for_as_written_and_as_it_really_is(root: Path, serve: Serve) -> None:
    outside = root.parent / "outside"
    (outside / "deep").mkdir(parents=True)
    (root / "out").symlink_to(outside / "deep")
    (root / "deep").mkdir()
    (outside / "in").symlink_to(root / "deep")
    serve(root)
    assert _root(root / "out" / "pred.conllu") == str(root)
    assert _root(outside / "in" / "pred.conllu") == str(root)


def test_a_relative_path_begins_where_we_are(
    root: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(root)
    monkeypatch.chdir(root)
    assert _root(".") == _root("sub/../pred.conllu") == str(root)
    assert running("..") is None


def test_a_state_whose_lock_nobody_holds_is_stale(root: Path) -> None:
    where = place_of(root)
    where.make()
    # The process number is that of a process that lives, and says nothing.
    where.state.write_text(json.dumps({**RIGHT, "pid": os.getpid(), "root": str(root)}))
    assert running(root) is None
    where.lock.touch()
    assert running(root) is None
    with occupied(where.lock):
        assert _root(root) == str(root)
    assert running(root) is None


def test_who_looks_is_not_taken_for_a_daemon(root: Path) -> None:
    where = place_of(root)
    where.make()
    where.state.write_text(json.dumps({**RIGHT, "root": str(root)}))
    where.lock.touch()
    descriptor = os.open(where.lock, os.O_RDWR)
    assert place._may_lock(descriptor)
    assert running(root) is None
    os.close(descriptor)


def test_a_stale_state_does_not_hide_the_daemon_above(root: Path, serve: Serve) -> None:
    inner = root / "runs"
    inner.mkdir()
    serve(root)
    place_of(inner).state.write_text(json.dumps({**RIGHT, "root": str(inner)}))
    assert _root(inner) == str(root)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe",
        b"[" * 50_000,
        *(
            json.dumps({key: value for key, value in RIGHT.items() if key != left}).encode()
            for left in RIGHT
        ),
        *(
            json.dumps({**RIGHT, **wrong}).encode()
            for wrong in (
                {"pid": "1"},
                {"token": 3},
                {"address": "unix:"},
                {"address": "udp:127.0.0.1:1"},
                {"address": "tcp:127.0.0.1:x"},
                {"address": "tcp:127.0.0.1:70000"},
                {"address": "tcp::80"},
            )
        ),
    ],
)
def test_a_damaged_state_counts_as_none(root: Path, text: bytes) -> None:
    where = place_of(root)
    where.make()
    where.state.write_bytes(text)
    with occupied(where.lock):
        assert running(root) is None
        where.state.write_text(json.dumps(RIGHT))
        assert running(root) is not None


def test_an_address_is_a_socket_or_an_endpoint() -> None:
    unix = State(1, "1", "/", "", "unix:/run/a:b.sock", None)
    assert (unix.socket, unix.endpoint) == ("/run/a:b.sock", None)
    tcp = State(1, "1", "/", "", "tcp:127.0.0.1:80", "salt")
    assert (tcp.socket, tcp.endpoint) == (None, ("127.0.0.1", 80))
    assert "salt" not in repr(tcp)


def test_the_folders_are_made_for_us_alone(root: Path, runtime: Path) -> None:
    place_of(root).make()
    assert runtime.stat().st_mode & 0o777 == 0o700
    place_of(root).make()


@pytest.mark.parametrize("mode", [0o755, 0o710, 0o701, 0o770])
def test_a_runtime_folder_that_is_open_to_others_is_refused(
    root: Path, runtime: Path, mode: int
) -> None:
    runtime.mkdir()
    runtime.chmod(mode)
    for attempt in (lambda: running(root), place_of(root).make):
        with pytest.raises(UnsafePlace, match=rf"{runtime}: .*mode {mode:o}.*GOLDLENS_RUNTIME_DIR"):
            attempt()


def test_a_runtime_folder_that_is_a_link_is_refused(root: Path, runtime: Path) -> None:
    (root / "elsewhere").mkdir(mode=0o700)
    runtime.symlink_to(root / "elsewhere")
    for attempt in (lambda: running(root), place_of(root).make):
        with pytest.raises(UnsafePlace, match="symbolic link"):
            attempt()


def test_a_link_to_nowhere_is_refused(root: Path, runtime: Path) -> None:
    runtime.symlink_to(root / "nowhere")
    for attempt in (lambda: running(root), place_of(root).make):
        with pytest.raises(UnsafePlace, match="symbolic link"):
            attempt()


def test_a_runtime_folder_of_another_user_is_refused(
    root: Path, runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime.mkdir(mode=0o700)
    another = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: another)
    with pytest.raises(UnsafePlace, match="another user"):
        running(root)


def test_a_file_is_no_runtime_folder(root: Path, runtime: Path) -> None:
    runtime.touch(mode=0o600)
    with pytest.raises(UnsafePlace, match="not a folder"):
        place_of(root).make()


def test_a_runtime_folder_that_cannot_be_made_is_told(root: Path) -> None:
    (root / "file").touch()
    with pytest.raises(UnsafePlace, match="cannot be made"):
        make_private(root / "file" / "goldlens")


def test_a_log_folder_that_cannot_be_made_is_told(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "file").touch()
    monkeypatch.setenv("GOLDLENS_LOG_DIR", str(root / "file" / "logs"))
    with pytest.raises(UnsafePlace, match="GOLDLENS_LOG_DIR"):
        place_of(root).make()


def test_a_socket_whose_path_is_too_long_for_the_system_needs_tcp(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = place._LONGEST - 1
    rest = len("/" + "0" * 16 + ".sock")
    for length, needs in ((most, False), (most + 1, True)):
        folder = "/" + "ü" * 10 + "x" * (length - rest - 21)
        monkeypatch.setenv("GOLDLENS_RUNTIME_DIR", folder)
        assert len(os.fsencode(place_of(root).socket)) == length
        assert place_of(root).needs_tcp is needs


@pytest.mark.filterwarnings("error")
def test_without_variables_the_folders_are_those_of_the_system(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GOLDLENS_RUNTIME_DIR", "GOLDLENS_LOG_DIR", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert place.runtime_folder().name == "goldlens"
    assert "goldlens" in place.log_folder().parts


def _root(path: Path | str) -> str | None:
    found = running(path)
    return found.root if found is not None else None
