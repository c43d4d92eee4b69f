"""Which word of gold a predicted word stands for, and places as editors give them."""

from __future__ import annotations

from goldlens.scoring.task import GOLD, PRED
from goldlens.scoring.text import BOM
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.facing import Word, facing
from goldlens.server.spot import character, spot_at


def rows(*forms: str, ranges: str = "") -> str:
    lines = [f"{k}\t{form}\t_\t_\t_\t_\t{k - 1}\tdep\t_\t_\n" for k, form in enumerate(forms, 1)]
    return ranges + "".join(lines) + "\n"


def pair(gold: str, pred: str) -> Pair:
    sides = (Document(UD, text.encode()) for text in (gold, pred))
    return Pair(UD, *sides)


def test_words_face_each_other_across_another_tokenization() -> None:
    held = pair(rows("a", "bc", "d") + rows("e"), rows("a", "b", "c", "d") + rows("e"))
    assert facing(held, PRED, 0).words == {1: Word(0, 1), 4: Word(0, 3)}
    assert facing(held, GOLD, 0).words == {1: Word(0, 1), 3: Word(0, 4)}
    assert facing(held, PRED, 1).words == {1: Word(1, 1)}


def test_words_face_each_other_across_another_sentence_end() -> None:
    held = pair(rows("a", "b", "c"), rows("a", "b") + rows("c"))
    assert facing(held, PRED, 1).words == {1: Word(0, 3)}
    found = facing(held, GOLD, 0)
    assert found.words == {1: Word(0, 1), 2: Word(0, 2), 3: Word(1, 1)}
    assert found.units == range(2)


def test_where_nothing_is_compared_nothing_faces() -> None:
    held = pair(rows("a") + rows("b") + rows("c"), rows("a") + rows("x") + rows("c"))
    assert not facing(held, PRED, 1).compared
    assert facing(held, PRED, 1).words == {}
    assert facing(held, PRED, 2).words == {1: Word(2, 1)}


def test_a_spot_is_a_word_and_a_cell() -> None:
    document = Document(UD, (rows("a") + "# c\n" + rows("𝄞x", "y")).encode())
    spot = spot_at(document, 3, 5, Encoding.UTF16)
    assert spot is not None and spot.row is not None
    assert (spot.unit, spot.base, spot.row.first, spot.column) == (1, 2, 1, 1)
    # One sign of two units, an x, and the tab behind them.
    assert [
        found.column
        for at in (1, 2, 4, 5, 6)
        if (found := spot_at(document, 3, at, Encoding.UTF16)) is not None
    ] == [0, 1, 1, 1, 2]
    comment = spot_at(document, 2, 1, Encoding.UTF16)
    assert comment is not None and comment.row is None
    assert spot_at(document, 99, 0, Encoding.UTF8) is None


def test_a_mark_at_the_start_counts_for_editors() -> None:
    document = Document(UD, BOM + rows("a").encode())
    for encoding, mark in ((Encoding.UTF8, 3), (Encoding.UTF16, 1)):
        spot = spot_at(document, 0, mark + 2, encoding)
        assert spot is not None and spot.column == 1 and spot.offset == 2
        assert character(document, 0, 2, encoding) == mark + 2
        assert character(document, 1, 0, encoding) == 0


def test_other_files_have_no_spots() -> None:
    from goldlens.server.plain import PLAIN

    assert spot_at(Document(PLAIN, b"1\ta\n"), 0, 0, Encoding.UTF8) is None
