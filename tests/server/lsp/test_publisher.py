"""What is shown waits for a client that does not read, and then it is the last state."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from goldlens.server.lsp.server import GoldlensServer
from goldlens.server.shared import Shared

SENTENCE = "# sent_id = s\n1\tWe\twe\tPRON\t_\t_\t7\tdep\t_\t_\n\n"


def message(method: str, params: object, number: int | None = None) -> bytes:
    made = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(made if number is None else {**made, "id": number}).encode()


async def test_a_client_that_does_not_read_is_told_the_last_state_only(tmp_path: Path) -> None:
    sent: list[Any] = []
    unread = False
    server = GoldlensServer(
        lambda data: sent.append(json.loads(data.partition(b"\r\n\r\n")[2])),
        lambda status: None,
        Shared(),
        lambda: unread,
    )
    uri = (tmp_path / "pred.conllu").as_uri()
    server.receive(message("initialize", {"capabilities": {}}, 1))
    document = {"uri": uri, "version": 1, "text": SENTENCE}
    server.receive(message("textDocument/didOpen", {"textDocument": document}))
    await asyncio.sleep(0)
    unread = True
    for version in range(2, 50):
        params = {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": SENTENCE if version % 2 else SENTENCE + SENTENCE}],
        }
        server.receive(message("textDocument/didChange", params))
        await asyncio.sleep(0)
    # Answers do not wait: whoever asks is owed one.
    hover = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    server.receive(message("textDocument/hover", hover, 2))
    unread = False
    server.publisher.wake()
    await asyncio.sleep(0)
    told = [m.get("id") or (m["method"], m["params"]["version"]) for m in sent]
    push = "textDocument/publishDiagnostics"
    assert told == [1, (push, 1), 2, (push, 49)]
