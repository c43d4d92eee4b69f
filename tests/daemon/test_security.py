"""Nobody but its user speaks with a daemon."""

from __future__ import annotations

import asyncio
import hmac
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgpack
import pytest

from goldlens.server.daemon.daemon import Daemon as Host
from goldlens.server.daemon.listening import Listening
from tests.daemon.conftest import Connect, Start, Work
from tests.daemon.session import HELLO, WRONG, Daemon, RpcError, Unheard

VISIT = """
import os, socket, sys
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
sock = socket.socket(socket.AF_UNIX)
sock.settimeout(20)
try:
    sock.connect(sys.argv[1])
    sock.sendall(bytes.fromhex(sys.argv[2]))
    print(sock.recv(1000))
except OSError as error:
    print(type(error).__name__)
"""
"""Another user says hello on a socket; prints what comes of it."""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody can look into."""
    folder = Path(tempfile.mkdtemp(prefix="goldlens-open-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def visited(path: Path) -> str:
    command = [sys.executable, "-c", VISIT, str(path), HELLO.hex()]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="only root can become another user"
)
def test_another_user_gets_nowhere(open_folder: Path, work: Work, connect: Connect) -> None:
    daemon = Daemon(work.folder, open_folder, umask=0)
    try:
        daemon.wait_for_state()
        assert stat.S_IMODE(daemon.runtime.stat().st_mode) == 0o700
        # Whatever the umask is.
        for suffix in ("json", "sock", "lock"):
            assert stat.S_IMODE(daemon.file(suffix).stat().st_mode) == 0o600
        assert visited(daemon.file("sock")) == "PermissionError"
        # Were the folder open, the socket is still closed ...
        daemon.runtime.chmod(0o755)
        assert visited(daemon.file("sock")) == "PermissionError"
        # ... and were that open too, the daemon looks who it is.
        daemon.file("sock").chmod(0o666)
        assert visited(daemon.file("sock")) in ("b''", "ConnectionResetError", "BrokenPipeError")
        assert "user 65534 was refused" in daemon.said()
        assert connect(daemon).call("status")["connections"] == 1
    finally:
        daemon.kill()


def test_what_it_writes_is_for_its_user_alone(common: Daemon) -> None:
    for suffix in ("json", "sock", "lock"):
        assert stat.S_IMODE(common.file(suffix).stat().st_mode) == 0o600
    assert common.state["token"] is None


def test_over_tcp_only_who_knows_the_token_is_served(start: Start, connect: Connect) -> None:
    daemon = start("--tcp")
    token = daemon.state["token"]
    assert daemon.state["address"].startswith("tcp:127.0.0.1:")
    assert not daemon.file("sock").exists()
    assert stat.S_IMODE(daemon.file("json").stat().st_mode) == 0o600
    assert len(bytes.fromhex(token)) == 32
    wrong = [None, "", token[:-1], token + "0", token.upper(), "ä" * 64, "\0", f" {token}"]
    for said in (*wrong, 7, True, [token], {"token": token}, token.encode(), token.encode() * 99):
        rpc = connect(daemon, greet=False)
        with pytest.raises(RpcError, match="the token is missing or wrong") as caught:
            rpc.call("hello", token=said)
        assert caught.value.kind == WRONG
        rpc.ended()
    rpc = connect(daemon, greet=False)
    with pytest.raises(RpcError, match="the token is missing or wrong"):
        rpc.call("hello")
    rpc.ended()
    assert token not in daemon.said()
    served = connect(daemon, greet=token)
    assert served.call("status")["connections"] == 1
    # Nor is it enough to have been served before.
    with pytest.raises(RpcError, match="the token is missing or wrong"):
        served.call("hello", token=token[:-1])


def test_each_daemon_has_a_token_of_its_own(tmp_path: Path) -> None:
    tokens = [Listening(tmp_path / "x", asyncio.Protocol, tcp=True).token for _ in range(2)]
    assert tokens[0] != tokens[1]


async def test_tokens_are_compared_in_constant_time(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return one == other

    monkeypatch.setattr(hmac, "compare_digest", compare)
    host = Host(work.folder, None, 60, "secret", None)
    peer = host.peer()
    peer.connection_made(Unheard())
    peer.data_received(msgpack.packb([0, 1, "hello", [{"token": "secret"}]]))
    peer.close()
    assert compared == [(b"secret", b"secret")]


async def test_what_lies_where_a_socket_is_to_be_is_removed_never_followed(tmp_path: Path) -> None:
    other, path = tmp_path / "other", tmp_path / "test.sock"
    other.write_text("precious", "utf-8")
    path.symlink_to(other)
    listening = Listening(path, asyncio.Protocol, tcp=False)
    await listening.open()
    assert path.is_socket()
    assert other.read_text("utf-8") == "precious"
    listening.close()
    assert not path.exists()
