"""A client that looks elsewhere is asked once, and again only when it has asked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from goldlens.scoring.task import PRED
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.engine.positions import Encoding
from goldlens.server.lsp.fragments import Fragments
from goldlens.server.lsp.sight import looked, units_in_sight
from goldlens.server.lsp.views import View
from goldlens.server.sources import key_of

URI = "file:///a/b.conllu"
REFRESH = "workspace/codeLens/refresh"


def test_once_and_then_when_it_has_asked() -> None:
    view = View(URI, 0, Fragments(URI, Encoding.UTF16, related=False, data=False))
    asked: list[set[str]] = []
    ls: Any = SimpleNamespace(
        views={key_of(URI): view},
        refresher=SimpleNamespace(ask=asked.append),
        client=SimpleNamespace(refreshes=frozenset((REFRESH,))),
    )
    document = Document(UD.format(PRED), b"1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n" * 5_000)
    looked(ls, URI, 9_000)
    assert asked == []
    assert units_in_sight(ls, view, document) == range(3_500, 5_000)
    looked(ls, URI, 8_001)
    looked(ls, URI, 9_999_999)
    assert asked == [{REFRESH}]
    looked(ls, URI, 0)
    assert asked == [{REFRESH}]
    assert units_in_sight(ls, view, document) == range(1_000)
    looked(ls, URI, 999)
    assert asked == [{REFRESH}]
    looked(ls, URI, 1_000)
    assert asked == [{REFRESH}, {REFRESH}]
    looked(ls, "file:///another", 1_000_000)
    assert len(asked) == 2
