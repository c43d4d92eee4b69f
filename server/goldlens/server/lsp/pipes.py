"""stdin and stdout as the two ends of a conversation.

Pipes and sockets are read and written by the event loop. Where it cannot (files, Windows), a
thread does it. stdout itself is taken out of everybody's reach first: whatever prints, prints on
stderr.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import socket
import stat
import sys
import threading
from typing import Final

from goldlens.server.lsp.ends import Both, Peer, Reading, Writing

if sys.platform == "linux":
    import fcntl

_PIECE: Final = 1 << 16
_MUCH: Final = 1 << 20


def take_stdio() -> tuple[int, int]:
    """Descriptors for stdin and stdout that nobody else has; prints go to stderr from now on."""
    source, sink = os.dup(0), os.dup(1)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(source, os.O_BINARY)
        msvcrt.setmode(sink, os.O_BINARY)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # there is no stderr
        os.dup2(nothing, 1)
    os.close(nothing)
    sys.stdout = sys.stderr
    return source, sink


async def connect(peer: Peer, source: int, sink: int, said: bytes = b"") -> None:
    """Ties a peer to two descriptors. `said`: what was read of the source already."""
    if sys.platform != "win32" and os.path.sameopenfile(source, sink) and _is_socket(source):
        # One socket for both ways, as inetd gives it.
        sock = socket.socket(fileno=source)
        await asyncio.get_running_loop().create_connection(lambda: Both(peer, said), sock=sock)
        return
    loop = asyncio.get_running_loop()
    _widen(source)
    _widen(sink)
    if _waits(sink):
        file = os.fdopen(sink, "wb", buffering=0)
        transport, _ = await loop.connect_write_pipe(lambda: Writing(peer), file)
        peer.sink = transport
    else:
        peer.sink = _Writer(peer, sink)
    if said:
        peer.received(said)
    if _waits(source):
        pipe = os.fdopen(source, "rb", buffering=0)
        peer.source, _ = await loop.connect_read_pipe(lambda: Reading(peer), pipe)
    else:
        peer.source = _Reader(peer, source)


def _waits(descriptor: int) -> bool:
    """Whether the event loop can wait for it."""
    if sys.platform == "win32":
        return False
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor)


def _widen(descriptor: int) -> None:
    """Lets a pipe hold a whole list of problems, so that it goes out in one piece."""
    if sys.platform == "linux":
        # Refused for what is no pipe, and where the system allows no more.
        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _MUCH)


def _is_socket(descriptor: int) -> bool:
    return stat.S_ISSOCK(os.fstat(descriptor).st_mode)


class _Reader:
    """Reads in a thread."""

    def __init__(self, peer: Peer, descriptor: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._peer, self._descriptor = peer, descriptor
        self._wanted = threading.Event()
        self._wanted.set()
        threading.Thread(target=self._read, name="goldlens-stdin", daemon=True).start()

    def _read(self) -> None:
        data = b"-"
        while data:
            self._wanted.wait()
            try:
                data = os.read(self._descriptor, _PIECE)
            except OSError:
                data = b""
            try:
                if data:
                    self._loop.call_soon_threadsafe(self._peer.received, data)
                else:
                    self._loop.call_soon_threadsafe(self._peer.input_ended)
            except RuntimeError:  # the loop has ended
                return

    def pause_reading(self) -> None:
        """Lets bytes wait."""
        self._wanted.clear()

    def resume_reading(self) -> None:
        """Takes them again."""
        self._wanted.set()


class _Writer:
    """Writes in a thread."""

    def __init__(self, peer: Peer, descriptor: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._peer, self._descriptor = peer, descriptor
        self._size = 0
        self._congested = False
        self._pieces: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._write, name="goldlens-stdout", daemon=True).start()

    def _write(self) -> None:
        try:
            while piece := self._pieces.get():
                rest = memoryview(piece)
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
                self._loop.call_soon_threadsafe(self._written, len(piece))
            self._loop.call_soon_threadsafe(self._peer.lost)
        except OSError:
            self._loop.call_soon_threadsafe(self._peer.lost)
        except RuntimeError:  # the loop has ended
            return

    def _written(self, size: int) -> None:
        self._size -= size
        if self._congested and not self._size:
            self._congested = False
            self._peer.writing_resumed()

    def write(self, data: bytes) -> None:
        """Takes bytes."""
        self._size += len(data)
        self._pieces.put(data)
        if self._size > _MUCH and not self._congested:
            self._congested = True
            self._peer.writing_paused()

    def get_write_buffer_size(self) -> int:
        """How many have not gone out yet."""
        return self._size

    def close(self) -> None:
        """Takes no more; what was taken still goes out."""
        self._pieces.put(b"")

    def abort(self) -> None:
        """Takes no more. What was taken may still go out: a thread has it."""
        self.close()
