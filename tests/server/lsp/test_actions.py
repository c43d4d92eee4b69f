"""However little time there is, one of the problems that are asked about gets its actions."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from goldlens.server.lsp import actions
from goldlens.server.lsp.server import GoldlensServer
from goldlens.server.shared import Shared

TEXT = "".join(f"1\ta\ta\t{tag}\t_\tB=1|A=1\t0\troot\t_\t_\n\n" for tag in ("NOUN", "noun", "777"))
URI = "file:///nowhere/x.conllu"
CAN = {"codeAction": {"codeActionLiteralSupport": {}}}


async def titles(first: int, last: int) -> list[str]:
    """What is offered for some lines."""
    sent: list[Any] = []
    server = GoldlensServer(
        lambda data: sent.append(json.loads(data.partition(b"\r\n\r\n")[2])),
        lambda status: None,
        Shared(),
    )
    document = {"uri": URI, "version": 1, "text": TEXT}
    where = {
        "start": {"line": first, "character": 0},
        "end": {"line": last, "character": 99},
    }
    asked = {"textDocument": {"uri": URI}, "range": where, "context": {"diagnostics": []}}
    for message in (
        {"id": 1, "method": "initialize", "params": {"capabilities": {"textDocument": CAN}}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": 2, "method": "textDocument/codeAction", "params": asked},
    ):
        server.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())
    while not (found := [each for each in sent if each.get("id") == 2]):
        await asyncio.sleep(0)
    server.leave()
    return [
        action["title"] for action in found[0]["result"] if "of this kind" not in action["title"]
    ]


def test_the_first_of_many_has_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    order, tag = "Sort the features: A=1|B=1", "Change noun to NOUN"
    assert set(asyncio.run(titles(0, 3))) == {order, tag}
    monkeypatch.setattr(actions, "_BUDGET", -1.0)
    assert asyncio.run(titles(0, 3)) == [order]
    assert len(asyncio.run(titles(2, 2))) == 1
    assert asyncio.run(titles(1, 1)) == []
    # Nothing can be done about the tag, which comes first.
    assert asyncio.run(titles(4, 4)) == [order]
    monkeypatch.setattr(actions, "_PATIENCE", -1.0)
    assert asyncio.run(titles(0, 3)) == [order]
    assert asyncio.run(titles(4, 4)) == []
