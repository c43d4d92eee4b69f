"""What an editor says first, which tells the folders that it works in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from goldlens.cli.forwarding import messages
from goldlens.server.lsp.wire import FrameError, Frames
from goldlens.server.sources import path_of

_PIECE: Final = 1 << 16


def first_message(descriptor: int) -> tuple[bytes, bytes | None]:
    """All that was read until the first message was whole, and this message.

    None for it if the input ends before, or is not made of messages. Waits for the editor.
    """
    frames, said = Frames(), b""
    while data := os.read(descriptor, _PIECE):
        said += data
        try:
            for body in frames.feed(data):
                return said, body
        except FrameError:
            break
    return said, None


def folders(body: bytes) -> list[Path]:
    """The folders of the workspace, from an `initialize`.

    None if the message is another, or if any of the folders is not on disk.
    """
    message = messages.read(body)
    if message is None or message.method != "initialize":
        return []
    params = message.params
    named: list[Any]
    if isinstance(listed := params.get("workspaceFolders"), list) and listed:
        named = [folder.get("uri") if isinstance(folder, dict) else None for folder in listed]
    else:
        named = [params.get("rootUri") or params.get("rootPath")]
    found = [path_of(name) if isinstance(name, str) and name else None for name in named]
    paths = [path for path in found if path is not None and path.is_absolute()]
    return paths if len(paths) == len(found) else []
