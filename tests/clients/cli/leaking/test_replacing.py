"""Files that are replaced together at the end: none that somebody has changed meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldlens.cli.leaking.replacing import Replacements
from goldlens.cli.lines import Trouble


def test_what_has_changed_meanwhile_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "train.conllu"
    file.write_text("before", "utf-8")
    with Replacements() as made:
        made.begin("train", file)
        made.write(b"clean")
        file.write_text("somebody else's", "utf-8")
        with pytest.raises(Trouble, match="has changed meanwhile"):
            list(made.put_in_place())
    assert file.read_text("utf-8") == "somebody else's"
    assert list(tmp_path.iterdir()) == [file]


def test_what_is_as_it_was_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "train.conllu"
    file.write_text("before", "utf-8")
    with Replacements() as made:
        for name, place in (("train", file), ("new", tmp_path / "out" / "new.conllu")):
            made.begin(name, place)
            made.write(b"clean")
        assert list(made.put_in_place()) == ["train", "new"]
    assert file.read_text("utf-8") == (tmp_path / "out/new.conllu").read_text("utf-8") == "clean"
