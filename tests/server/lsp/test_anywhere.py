"""Any text, any position, any encoding: what is asked about a place is answered, never an error."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from goldlens.server.lsp.server import GoldlensServer
from goldlens.server.shared import Shared

CELLS = st.sampled_from(
    ["_", "1", "2", "3", "9", "0", "x", "𝄞", "ב", "a\u2028b", "NOUN", "A=b|C=d", "1:obj|2.1:x", ""]
)
ROWS = st.one_of(
    st.builds(
        lambda number, cells, end: f"{number}\t" + "\t".join(cells) + end,
        st.sampled_from(["1", "2", "3", "4", "1-2", "3.1", "9-", "x", "1.", "-", "٣", "0"]),
        st.lists(CELLS, min_size=0, max_size=10),
        st.sampled_from(["\n", "\r\n", "\r", ""]),
    ),
    st.sampled_from(["\n", "# sent_id = s1\n", "# text = 𝄞 x\n", "# newdoc\n", "\n\n", " \n"]),
)
TEXTS = st.builds(
    lambda mark, rows: mark + "".join(rows),
    st.sampled_from(["", "\ufeff"]),
    st.lists(ROWS, max_size=12),
)
POSITIONS = st.fixed_dictionaries(
    {"line": st.integers(0, 14), "character": st.integers(0, 40)},
)
AT_A_PLACE = [
    "hover",
    "definition",
    "declaration",
    "references",
    "documentHighlight",
    "prepareCallHierarchy",
    "selectionRange",
]
OF_A_FILE = ["documentSymbol", "foldingRange", "documentLink"]


async def answers(
    gold: str, pred: str, places: list[Any], encoding: str, folder: Path, *, nested: bool
) -> list[Any]:
    sent: list[Any] = []
    server = GoldlensServer(
        lambda data: sent.append(json.loads(data.partition(b"\r\n\r\n")[2])),
        lambda status: None,
        Shared(),
    )

    def say(method: str, params: object, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        server.receive(
            json.dumps(message if number is None else {**message, "id": number}).encode()
        )

    symbols = {"documentSymbol": {"hierarchicalDocumentSymbolSupport": nested}}
    capabilities = {"general": {"positionEncodings": [encoding]}, "textDocument": symbols}
    say("initialize", {"capabilities": capabilities}, 1)
    uri = (folder / "pred.conllu").as_uri()
    for name, text in (("gold", gold), ("pred", pred)):
        there = (folder / f"{name}.conllu").as_uri()
        document = {"uri": there, "version": 1, "text": text}
        say("textDocument/didOpen", {"textDocument": document})
    number = 1
    for place in places:
        for method in AT_A_PLACE:
            number += 1
            params = {"textDocument": {"uri": uri}, "position": place, "positions": [place]}
            say(f"textDocument/{method}", params, number)
    for method in OF_A_FILE:
        number += 1
        say(f"textDocument/{method}", {"textDocument": {"uri": uri}}, number)
    while sum("id" in message for message in sent) < number:
        await asyncio.sleep(0)
    server.leave()
    return [message for message in sent if "id" in message]


@settings(max_examples=60)
@given(
    TEXTS,
    TEXTS,
    st.lists(POSITIONS, min_size=1, max_size=4),
    st.sampled_from(["utf-8", "utf-16", "utf-32"]),
    st.booleans(),
)
def test_whatever_is_asked_is_answered(
    gold: str, pred: str, places: list[Any], encoding: str, nested: bool
) -> None:
    lines = pred.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    folder = Path("/nowhere")
    for answer in asyncio.run(answers(gold, pred, places, encoding, folder, nested=nested)):
        assert "error" not in answer, answer
        for found in ranges(answer["result"]):
            for end in (found["start"], found["end"]):
                assert 0 <= end["line"] <= max(len(lines), 14)
                assert end["character"] >= 0
            first, last = (
                (end["line"], end["character"]) for end in (found["start"], found["end"])
            )
            assert first <= last


def ranges(value: Any) -> list[Any]:
    """All ranges in a result."""
    if isinstance(value, list):
        return [found for each in value for found in ranges(each)]
    if not isinstance(value, dict):
        return []
    found = [value] if value.keys() == {"start", "end"} else []
    return found + [inner for each in value.values() for inner in ranges(each)]
