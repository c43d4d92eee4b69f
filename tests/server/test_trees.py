"""What is told of a sentence so that it can be drawn: each word's head, and gold's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from goldlens.server.sources import uri_of
from goldlens.server.workspace import Workspace

GOLD = (
    "1\tMy\tmy\tPRON\t_\t_\t2\tnmod\t_\t_\n"
    "2\tpost\tpost\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
    "3\targues\targue\tVERB\t_\t_\t0\troot\t_\t_\n"
    "\n"
)
CUT = (
    "1\tMy\tmy\tPRON\t_\t_\t4\tnmod\t_\t_\n"
    "2\tpo\tpo\tNOUN\t_\t_\t4\tnsubj\t_\tSpaceAfter=No\n"
    "3\tst\tst\tNOUN\t_\t_\t4\tnsubj\t_\t_\n"
    "4\targues\targue\tVERB\t_\t_\t0\troot\t_\t_\n"
    "\n"
)


def test_gold_s_head_has_a_form_where_it_is_no_word_of_the_prediction(tmp_path: Path) -> None:
    gold = [w["gold"] for w in tree(tmp_path, GOLD, CUT)]
    assert [each and (each["head"], each["head_form"]) for each in gold] == [
        (None, "post"),
        None,
        None,
        (0, None),
    ]


def test_gold_s_head_has_the_prediction_s_number_where_it_is_a_word_of_it(tmp_path: Path) -> None:
    gold = [w["gold"] for w in tree(tmp_path, GOLD, GOLD.replace("\t2\tnmod", "\t3\tnmod"))]
    assert [(each["head"], each["head_form"]) for each in gold] == [
        (2, "post"),
        (3, "argues"),
        (0, None),
    ]


def tree(folder: Path, gold: str, pred: str) -> list[dict[str, Any]]:
    """The words of the first sentence of a prediction."""
    (folder / "p.gold.conllu").write_bytes(gold.encode())
    path = folder / "p.pred.conllu"
    path.write_bytes(pred.encode())
    told: Any = Workspace(folder).tree(uri_of(path), 0)
    words: list[dict[str, Any]] = told["words"]
    return words
