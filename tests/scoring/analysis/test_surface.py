"""The sentences of a file, read a piece at a time: their tokens and ids."""

from __future__ import annotations

import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.analysis.surface import BETWEEN, Block, Sentence, format_of, read
from goldlens.scoring.conllu.blocks import split
from goldlens.scoring.spans import blocks as iob2
from tests import strategies

UD = format_of("ud", b"")


def row(name: str, form: str) -> str:
    return "\t".join([name, form, *["_"] * 8]) + "\n"


def blocks(text: bytes, task: str = "ud", piece: int = 1 << 20, **columns: int) -> list[Block]:
    return list(read(io.BytesIO(text), format_of(task, text, **columns), piece=piece))


def sentences(text: str | bytes, task: str = "ud", **columns: int) -> list[Sentence]:
    data = text if isinstance(text, bytes) else text.encode()
    return [b.sentence for b in blocks(data, task, **columns) if b.sentence is not None]


def tokens(text: str | bytes, task: str = "ud", **columns: int) -> list[list[str]]:
    found = sentences(text, task, **columns)
    split_forms = [each.forms.decode(errors="surrogateescape").split("\n") for each in found]
    assert [len(each) for each in split_forms] == [each.tokens for each in found]
    return split_forms


def test_a_multiword_token_counts_once_and_empty_nodes_do_not() -> None:
    text = row("1-2", "zum") + row("1", "zu") + row("2", "dem") + row("2.1", "e") + row("3", "x")
    assert tokens(text + "\n") == [["zum", "x"]]
    assert tokens(row("0.1", "e") + row("1", "x") + "\n") == [["x"]]


def test_forms_are_in_normal_form_c_and_nothing_else_is_done_to_them() -> None:
    composed, apart = row("1", "Café") + "\n", row("1", "Cafe\u0301") + "\n"
    assert tokens(composed) == tokens(apart) == [["Café"]]
    for other in ("café", "CAFÉ", "Cafe", " Café", "Café\u200b", "ﬁ", "fi"):
        assert tokens(row("1", other) + "\n") == [[other]]


def test_a_mark_at_the_start_of_a_token_does_not_reach_the_token_before() -> None:
    assert tokens(row("1", "e") + row("2", "\u0301x") + "\n") == [["e", "\u0301x"]]


@given(st.lists(st.text(st.characters(exclude_characters="\t\n\r"), max_size=3), min_size=1))
def test_the_whole_is_normalised_as_its_tokens_are(forms: list[str]) -> None:
    text = "".join(row(str(k), form) for k, form in enumerate(forms, 1)) + "\n"
    data = text.encode("utf-8", "surrogatepass")
    [found] = [b.sentence for b in blocks(data) if b.sentence is not None]
    wanted = [
        unicodedata.normalize("NFC", form.encode("utf-8", "surrogatepass").decode(
            "utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        for form in forms
    ]  # fmt: skip
    assert found.forms.split(BETWEEN) == wanted


def test_the_id_is_the_first_sent_id_and_is_not_there_without_a_value() -> None:
    found = sentences(
        "# sent_id = a \n# sent_id = b\n" + row("1", "x") + "\n"
        "#sent_id=c d\r\n" + row("1", "x") + "\n"
        "# sent_id =\n" + row("1", "x") + "\n"
        "# my sent_id = e\n" + row("1", "x") + "\n"
    )  # fmt: skip
    assert [each.sent_id for each in found] == [b"a", b"c d", None, None]


def test_numbers_and_lines_count_from_one() -> None:
    text = "\ufeff\n# note\n\n# c\n" + row("1", "x") + "\n \n" + row("1", "y") + row("2", "z")
    found = sentences(text)
    assert [(each.number, each.line) for each in found] == [(1, 4), (2, 8)]


def test_a_row_that_cannot_be_read_is_a_token_like_no_other() -> None:
    assert tokens(row("1", "a") + "2 b _\n\n") == [["a", "2 b _"]]
    assert tokens(row("1", "a") + row("x", "b") + "\n") == [["a", row("x", "b")[:-1]]]
    assert tokens(b"1\t\xff\t_\n\n") == [["\udcff"]]


def test_what_has_no_row_that_can_be_read_is_no_sentence() -> None:
    assert sentences("Prose, of two\nlines.\n\nAnd more.\n") == []
    assert sentences("# only\n# comments\n\n") == []
    assert sentences("") == []


def test_a_range_that_covers_nothing_hides_no_word() -> None:
    text = row("2-1", "ab") + row("1", "a") + row("2", "b") + "\n"
    assert tokens(text) == [["ab", "b"]]
    assert tokens(row("1-x", "ab") + row("1", "a") + "\n") == [["ab", "a"]]
    assert tokens(row("1-" + "9" * 5000, "ab") + row("9" * 5000, "a") + "\n") == [["ab", "a"]]


def test_spans_have_the_tokens_that_scoring_sees() -> None:
    text = "-DOCSTART- O\n\n# sent_id = u\n# O\nAda B-PER\nran O\n\n"
    assert tokens(text, "span") == [["#", "Ada", "ran"]]
    assert [each.sent_id for each in sentences(text, "span")] == [b"u"]
    universal = "# sent_id = v\n1\tNew York\tB-LOC\t-\n2\tran\tO\t-\n\n"
    assert tokens(universal, "span", token_column=2, tag_column=3) == [["New York", "ran"]]


def test_a_document_that_begins_behind_a_sentence_is_what_must_stay() -> None:
    [found] = blocks(b"Ada B-PER\n-DOCSTART- O\n", "span")
    assert found.rest == b"-DOCSTART- O\n"
    assert found.closed


def test_another_task_has_no_sentences() -> None:
    with pytest.raises(KeyError):
        format_of("stemming", b"")
    with pytest.raises(ValueError, match="there is no column 0"):
        format_of("span", b"", 0)


@given(
    st.lists(st.one_of(strategies.texts(3), strategies.fragments()), max_size=5),
    st.integers(1, 60),
)
def test_pieces_of_any_size_give_the_blocks_of_the_whole(texts: list[str], piece: int) -> None:
    data = "".join(texts).encode()
    bare = data.removeprefix(b"\xef\xbb\xbf")
    found = [each.text for each in blocks(data, piece=max(piece, 3))]
    assert found == ([b"\xef\xbb\xbf"] if bare != data else []) + split(bare)
    assert blocks(data, piece=max(piece, 3)) == blocks(data)


class Dripping(io.BytesIO):
    """A file that gives a byte at a time, once it has begun."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(1 if self.tell() else size)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_wherever_a_piece_ends(end: str) -> None:
    text = row("1", "a") + row("2", "b") + "# c\n" + row("1", "a") + row("2", "b") + "\n \n\n"
    data = ("# d\n" + text + text + row("1", "é")).replace("\n", end).encode()
    found = list(read(Dripping(data), UD, piece=3))
    assert found == blocks(data)
    assert [each.text for each in found] == split(data)


IOB = st.sampled_from(
    [
        "a O\n",
        "b B-X\n",
        "-DOCSTART- O\n",
        "\n",
        "\r\n",
        "\r",
        " \n",
        "\t",
        "# sent_id = p\n",
        "é O",
    ]
)


@given(st.lists(IOB, max_size=14), st.integers(3, 30))
def test_pieces_of_spans_too(parts: list[str], piece: int) -> None:
    data = "".join(parts).encode()
    assert [each.text for each in blocks(data, "span", piece)] == iob2.split(data)
    assert blocks(data, "span", piece) == blocks(data, "span")
