"""Which sentences of two files the official script is given, in which form, and what is said."""

from __future__ import annotations

from io import BytesIO

import pytest

from goldlens.scoring.ud.evaluate import Options, evaluate
from goldlens.scoring.ud.official.handing import Handed, deepest, handed
from tests.strategies import row


def block(*words: str, name: str = "", heads: str = "") -> str:
    """A sentence, each word hanging from the one before unless `heads` says another thing."""
    found = heads.split() or [str(k) for k in range(len(words))]
    rows = [
        row(str(k), word, "_", "X", "_", "_", head, "obj" if head != "0" else "root")
        for k, (word, head) in enumerate(zip(words, found, strict=True), 1)
    ]
    return (f"# sent_id = {name}\n" if name else "") + "".join(rows) + "\n"


A, B, C = block("a", "b", name="A"), block("c", name="B"), block("d", "e", name="C")


def hand(gold: str, pred: str, match: str = "auto", only: str = "") -> Handed:
    options = Options(match, "lenient", only=only)
    theirs, ours = gold.encode(), pred.encode()
    return handed(theirs, ours, evaluate(BytesIO(theirs), BytesIO(ours), options))


def told(found: Handed) -> list[tuple[str, str | None, int, str, str]]:
    return [(r.side, r.sent_id, r.line, r.code, r.repair) for r in found.repairs]


def rows(text: bytes) -> str:
    """A text without its comments."""
    return "".join(f"{line}\n" for line in text.decode().split("\n")[:-1] if line[:1] != "#")


def plain(*blocks: str) -> str:
    return rows("".join(blocks).encode())


def test_good_files_are_given_whole_and_as_they_are() -> None:
    found = hand(A + B + C, A + B + C)
    assert found.texts == ((A + B + C).encode(),) * 2
    assert found.sentences == ((1, 5, 8), (1, 5, 8))
    assert (found.mended, found.repairs) == ((0, 0), ())


def test_sentences_split_otherwise_are_given_on_both_sides() -> None:
    found = hand(A + B, block("a", "b", "c"))
    assert list(map(len, found.sentences)) == [2, 1]


@pytest.mark.parametrize(("match", "only"), [("sent_id", ""), ("auto", "predicted")])
def test_sentences_that_one_side_lacks_are_left_out(match: str, only: str) -> None:
    found = hand(A + B + C, C + block("x", name="X") + A, match, only)
    assert sorted(found.texts[0].split(b"\n\n")) == sorted(f"{A}{C}".encode().split(b"\n\n"))
    assert found.texts[0] == found.texts[1]


def test_sentences_face_each_other_as_the_evaluation_had_them() -> None:
    renamed = B.replace("= B", "= X")
    assert hand(A + B, A + renamed).sentences == ((1, 5), (1, 5))
    assert hand(A + B, A + renamed, "sent_id").sentences == ((1,), (1,))


def test_unparsed_sentences_are_left_out_where_annotated_ones_are_wanted() -> None:
    found = hand(A + B + C, A + block("c", name="B", heads="_") + C, only="annotated")
    assert list(map(rows, found.texts)) == [plain(A, C)] * 2
    assert told(found) == [("pred", "B", 6, "head-missing", "left out: it is not compared")]


def test_a_region_of_another_text_is_left_out() -> None:
    found = hand(A + B + C, A + block("x", name="B") + C)
    assert list(map(rows, found.texts)) == [plain(A, C)] * 2
    [cause] = told(found)
    assert cause[1:] == ("B", 6, "stream-mismatch", "left out: it is not compared")


def test_trees_are_mended_on_either_side_and_listed() -> None:
    found = hand(A + block("c", "d", name="B", heads="2 1"), A + block("c", "d", heads="0 0"))
    assert found.mended == (1, 1)
    assert told(found) == [
        ("gold", "B", 6, "head-cycle", "word 1 made the root, word 2 attached to it, as dep"),
        ("pred", None, 6, "multiple-roots", "word 2 attached to the root, word 1, as dep"),
    ]
    assert all(repair.tree for repair in found.repairs)
    assert rows(found.texts[0]).split("\n")[3].split("\t")[6:8] == ["0", "dep"]


def test_a_missing_head_becomes_the_root_though_a_ring_stands_before_it() -> None:
    found = hand(block("a", "b", "c"), block("a", "b", "c", heads="2 1 _"))
    said = "word 3 made the root, words 1, 2 attached to it, as dep"
    assert {repair.repair for repair in found.repairs} == {said}


@pytest.mark.parametrize(
    ("text", "code", "line", "repair"),
    [
        ("\ufeff" + A, "bom", 1, "the byte order mark left out"),
        ("\n" + A, "blank-line", 1, "one empty line put where a sentence ends, and no other"),
        (A[:-1] + " \n", "blank-line", 4, "one empty line put where a sentence ends, and no other"),
        (A[:-1], "missing-blank-line", 3, "an empty line put in"),
        (A[:-1] + "# c\n\n", "comment-position", 4, "its comments left out"),
        (A.replace("\n2\t", "\n3\t"), "id-sequence", 3, "its words numbered from 1, empty nodes"),
    ],
)
def test_what_does_not_change_the_meaning_is_put_right(
    text: str, code: str, line: int, repair: str
) -> None:
    for found, side in ((hand(A, text), 1), (hand(text, A), 0)):
        assert rows(found.texts[side]) == plain(A)
        [cause] = told(found)
        assert cause[0] == ("gold", "pred")[side]
        assert cause[2:4] == (line, code)
        assert cause[4].startswith(repair)
        assert found.mended == (0, 0)


def test_a_byte_order_mark_is_left_out_with_the_sentence_behind_it_or_without() -> None:
    found = hand(A + B, "\ufeff" + block("x", name="A") + B)
    said = [(cause[3], cause[4]) for cause in told(found)]
    assert ("bom", "the byte order mark left out") in said


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_become_those_of_the_script(end: str) -> None:
    found = hand(A, A.replace("\n", end))
    assert found.texts == (A.encode(),) * 2
    assert found.repairs == ()


def test_an_empty_node_inside_a_multiword_token_is_left_out() -> None:
    text = row("1-2", "ab") + A.partition("\n")[2].replace("2\tb", row("1.1", "x") + "2\tb")
    found = hand(text, text)
    assert b"1.1" not in found.texts[0]
    assert [cause[3] for cause in told(found)] == ["id-sequence", "id-sequence"]


def test_a_row_that_cannot_be_read_leaves_its_sentence_out() -> None:
    found = hand(A + B, A.replace("\tX\t", " ", 1) + B)
    assert list(map(rows, found.texts)) == [plain(B)] * 2
    assert told(found)[0] == ("pred", "A", 2, "column-count", "left out: it is not compared")


def test_the_deepest_sentence_is_found_on_its_line() -> None:
    deep = block(*"defg", name="C")
    found = deepest(hand(A + B + deep, A + B + deep.replace("\t3\tobj", "\t1\tobj")))
    assert found is not None
    assert (found.side, found.line, found.depth) == ("gold", 8, 4)
    assert deepest(hand("", "")) is None
