"""A block as one looks at it, broken or not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.conllu.rows import DEPREL, FORM, HEAD, MISC, Kind
from goldlens.scoring.conllu.sentence import Sentence, sentence

BLOCK = (
    b"# sent_id = s1\n# text = Im Haus\n"
    b"1-2\tIm\t_\t_\t_\t_\t_\t_\t_\t_\n"
    b"1\tin\tin\tADP\t_\t_\t3\tcase\t_\t_\n"
    b"2\tdem\tder\tDET\t_\t_\t3\tdet\t_\t_\n"
    b"3\tHaus\tHaus\tNOUN\t_\t_\t0\troot\t_\t_\n"
    b"3.1\tx\tx\tX\t_\t_\t_\t_\t_\t_\n\n"
)


def block(*heads: int | str) -> Sentence:
    rows = (f"{k}\tw{k}\t_\t_\t_\t_\t{head}\tdep\t_\t_\n" for k, head in enumerate(heads, 1))
    return sentence("".join(rows).encode())


def numbers(rows: list[object]) -> list[int]:
    return [row.first for row in rows]  # type: ignore[attr-defined]


def test_rows_are_what_their_ids_say() -> None:
    found = sentence(BLOCK)
    kinds = [(row.line, row.kind, row.first, row.second) for row in found.rows]
    assert kinds == [
        (2, Kind.RANGE, 1, 2),
        (3, Kind.WORD, 1, 0),
        (4, Kind.WORD, 2, 0),
        (5, Kind.WORD, 3, 0),
        (6, Kind.EMPTY_NODE, 3, 1),
    ]
    token = found.token_of(2)
    assert token is not None and token.cell(FORM) == "Im"
    assert found.token_of(3) is None
    assert found.text == "Im Haus"
    assert found.comments["sent_id"] == (0, "s1")
    assert found.name(found.words[3]) == "3 → Haus"


def test_cells_have_their_bytes() -> None:
    row = sentence("1\tgrün\tx\tADJ\n".encode()).rows[0]
    assert row.span(FORM) == (2, 7)
    assert row.text[2:7].decode() == row.cell(FORM) == "grün"
    assert [row.column_at(offset) for offset in (0, 1, 2, 7, 8)] == [0, 0, 1, 1, 2]
    assert row.cell(MISC) == "" and row.span(MISC) == (len(row.text),) * 2


def test_the_tree_both_ways() -> None:
    found = block(2, 0, 2, 3)
    assert numbers(found.dependents(0)) == [2]
    assert numbers(found.dependents(2)) == [1, 3]
    assert numbers(found.chain(4)) == [4, 3, 2]
    assert numbers(found.subtree(3)) == [3, 4]
    assert found.relation(found.words[1]) == "dep"


def test_a_ring_ends_where_it_began() -> None:
    found = block(2, 3, 1, 4)
    assert numbers(found.chain(1)) == [1, 2, 3]
    assert numbers(found.subtree(2)) == [1, 2, 3]
    assert numbers(found.chain(4)) == numbers(found.subtree(4)) == [4]


def test_heads_that_lead_nowhere() -> None:
    found = block("_", 9, "x", "1" * 5000, "٣", "²")
    assert [found.head(row) for row in found.words.values()] == [None] * 6
    assert found.dependents(9) == []


def test_of_two_words_with_one_id_the_first_counts() -> None:
    found = sentence(b"1\ta\n1\tb\nx\tc\n1.x\td\n")
    assert [row.cell(FORM) for row in found.words.values()] == ["a"]
    assert [row.kind for row in found.rows[2:]] == [Kind.UNREADABLE, Kind.UNREADABLE]


@given(st.binary(max_size=200))
def test_any_block_has_a_sentence(data: bytes) -> None:
    found = sentence(data)
    for row in found.rows:
        assert row.span(HEAD)[0] <= row.span(HEAD)[1] <= len(row.text)
        assert row.cell(DEPREL) is not None
    for number in found.words:
        assert found.words[number] in found.chain(number)
        assert found.words[number] in found.subtree(number)
