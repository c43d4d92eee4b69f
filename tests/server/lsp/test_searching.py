"""How much of the disk one search reads."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from goldlens.server.lsp import searching
from goldlens.server.turns import Turns


async def test_what_one_search_leaves_the_next_one_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"# sent_id = s1\n\n"
    pairs = []
    for name in "abc":
        file = tmp_path / f"{name}.conllu"
        file.write_bytes(text)
        pairs.append({"pred": file.as_uri(), "gold": str(tmp_path / "none"), "task": "ud"})
    ls: Any = SimpleNamespace(
        views={},
        folders=[tmp_path.as_uri()],
        turns=Turns(lambda: None),
        workspace=SimpleNamespace(pairs=lambda: pairs),
    )
    monkeypatch.setattr(searching, "MOST_READ", len(text))

    async def found() -> list[str]:
        symbols = await searching.search(ls, {"query": "S1"})
        return [symbol["containerName"] for symbol in symbols]

    assert await found() == ["a.conllu"]
    assert await found() == ["a.conllu", "b.conllu"]
    assert await found() == ["a.conllu", "b.conllu", "c.conllu"]
