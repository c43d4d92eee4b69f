"""A gold that is a data set: an editor is told how to get it, and sees it come."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from goldlens.server.datasets import cached
from tests.lsp.conftest import GOLD, Pair
from tests.lsp.session import StdioSession
from tests.server.datasets.made import entry_of, table_of


def test_a_data_set_is_seen_as_soon_as_it_is_fetched(
    pair: Pair,
    start: Callable[..., StdioSession],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GOLDLENS_DATA_DIR", str(tmp_path / "data"))
    entry = entry_of(GOLD.encode())
    pair.gold_file.unlink()
    text = f'[[pair]]\ngold = "data:mine"\npred = "pred.conllu"\n{table_of(entry)}'
    (pair.folder / "goldlens.toml").write_text(text, "utf-8")
    session = start()
    session.initialize(folder=pair.folder)
    session.open(pair.uri, pair.pred)
    [problem] = session.problems(pair.uri, 1)
    assert problem["code"] == "gold-not-found"
    assert "goldlens data fetch mine" in problem["message"]
    cached.take(entry, io.BytesIO(GOLD.encode()))
    began = time.monotonic()
    while {each["code"] for each in session.problems(pair.uri)} != {"las-error"}:
        pass
    assert time.monotonic() - began < 10
    assert session.las(pair.uri) == 80
