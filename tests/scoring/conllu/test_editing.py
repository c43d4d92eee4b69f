"""Words put in and taken out, split, merged, moved and numbered, with all that refers to them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import assume, given

from goldlens.scoring.conllu.blocks import split as blocks_of
from goldlens.scoring.conllu.editing.numbers import renumbered
from goldlens.scoring.conllu.editing.replacing import Replacements, applied
from goldlens.scoring.conllu.editing.words import (
    Impossible,
    deleted,
    inserted,
    merged,
    renamed,
    split,
)
from goldlens.scoring.conllu.rows import Kind
from goldlens.scoring.conllu.sentence import Sentence, sentence
from goldlens.scoring.ud.task import UD
from tests.strategies import texts

SENTENCE = """\
# sent_id = s1
# text = Im  Haus isst sie, ja.
1-2\tIm\t_\t_\t_\t_\t_\t_\t_\t_
1\tin\tin\tADP\t_\t_\t3\tcase\t3:case\t_
2\tdem\tder\tDET\t_\t_\t3\tdet\t3:det\t_
3\tHaus\tHaus\tNOUN\t_\t_\t4\tobl\t4:obl:in|4.1:obl\t_
4\tisst\tessen\tVERB\t_\t_\t0\troot\t0:root\t_
4.1\tx\tx\tX\t_\t_\t_\t_\t4:conj\t_
5\tsie\tsie\tPRON\t_\t_\t4\tnsubj\t4:nsubj|4.1:nsubj\tSpaceAfter=No
6\t,\t,\tPUNCT\t_\t_\t7\tpunct\t7:punct\t_
7\tja\tja\tINTJ\t_\t_\t4\tdiscourse\t4:discourse\tSpaceAfter=No
8\t.\t.\tPUNCT\t_\t_\t4\tpunct\t4:punct\t_

"""

Make = Callable[[Sentence], Replacements | None]


def made(text: str, make: Make) -> str:
    block = text.encode()
    edits = make(sentence(block))
    assert edits is not None
    return applied(block, edits).decode()


def line_of(text: str, name: str) -> int:
    return next(k for k, row in enumerate(text.split("\n")) if row.startswith(f"{name}\t"))


def codes(text: str) -> list[str]:
    return [each.code for unit in UD.parse([text.encode()]) for each in unit.problems]


def row(text: str, name: str) -> list[str]:
    return text.split("\n")[line_of(text, name)].split("\t")


def test_a_word_put_in_moves_all_that_follows() -> None:
    text = made(SENTENCE, lambda s: inserted(s, line_of(SENTENCE, "4"), "gern"))
    assert row(text, "5") == ["5", "gern", "_", "_", "_", "_", "4", "dep", "4:dep", "_"]
    # Behind the empty node of the word it follows.
    assert line_of(text, "5") == line_of(text, "4.1") + 1
    assert row(text, "6")[6:9] == ["4", "nsubj", "4:nsubj|4.1:nsubj"]
    assert row(text, "7")[6:9] == ["8", "punct", "8:punct"]
    assert "# text = Im  Haus isst gern sie, ja." in text
    assert codes(text) == []


@pytest.mark.parametrize("name", ["1-2", "1", "2", "3", "4", "4.1", "5", "6", "7", "8", "#"])
def test_putting_in_and_taking_out_is_nothing(name: str) -> None:
    line = 0 if name == "#" else line_of(SENTENCE, name)
    text = made(SENTENCE, lambda s: inserted(s, line, "neu"))
    assert codes(text) == []
    new = next(k for k, each in enumerate(text.split("\n")) if "\tneu\t" in each)
    assert made(text, lambda s: deleted(s, new)) == SENTENCE


def test_what_hangs_from_a_word_taken_out_hangs_from_its_head() -> None:
    text = made(SENTENCE, lambda s: deleted(s, line_of(SENTENCE, "3")))
    assert row(text, "1")[6:9] == ["3", "case", "3:case"]
    assert row(text, "2")[6:9] == ["3", "det", "3:det"]
    assert "# text = Im isst sie, ja." in text
    assert row(text, "3.1")[8] == "3:conj"
    assert codes(text) == []


def test_a_root_taken_out_leaves_a_root() -> None:
    text = made(SENTENCE, lambda s: deleted(s, line_of(SENTENCE, "4")))
    assert row(text, "3")[6:8] == ["0", "root"]
    assert row(text, "3")[8] == "0:root|3.1:obl"
    assert row(text, "4")[6] == "3" and row(text, "3.1")[8] == "3:conj"
    assert codes(text) == []


def test_a_word_of_a_token_taken_out_leaves_the_token() -> None:
    text = made(SENTENCE, lambda s: deleted(s, line_of(SENTENCE, "2")))
    assert row(text, "1-1")[1] == "Im" and codes(text) == []
    text = made(text, lambda s: deleted(s, line_of(text, "1")))
    assert "# text = Haus isst sie, ja." in text and "-" not in text.split("\n")[2]
    assert codes(text) == []


def test_the_space_that_followed_stays() -> None:
    text = made(SENTENCE, lambda s: deleted(s, line_of(SENTENCE, "6")))
    assert "# text = Im  Haus isst sie ja." in text
    assert row(text, "5")[9] == "_" and codes(text) == []


@pytest.mark.parametrize("name", ["3", "4", "5", "7", "8"])
def test_splitting_and_merging_is_nothing(name: str) -> None:
    text = made(SENTENCE, lambda s: split(s, line_of(SENTENCE, name), ["a", "b", "c"]))
    assert codes(text) == []
    token = f"{name}-{int(name) + 2}"
    assert row(text, token)[1] == row(SENTENCE, name)[1]
    assert [row(text, str(int(name) + k))[1] for k in range(3)] == ["a", "b", "c"]
    assert made(text, lambda s: merged(s, line_of(text, token))) == SENTENCE


def test_a_word_of_a_token_is_split_within_it() -> None:
    text = made(SENTENCE, lambda s: split(s, line_of(SENTENCE, "2"), ["de", "m"]))
    assert row(text, "1-3")[1] == "Im" and codes(text) == []
    assert row(text, "4")[8] == "5:obl:in|5.1:obl"


def test_a_word_moves() -> None:
    text = made(SENTENCE, lambda s: renamed(s, line_of(SENTENCE, "8"), 6))
    assert [row(text, str(k))[1] for k in (5, 6, 7, 8)] == ["sie", ".", ",", "ja"]
    assert row(text, "7")[6:9] == ["8", "punct", "8:punct"]
    assert "# text = Im Haus isst sie. , ja" in text
    assert codes(text) == []
    back = made(text, lambda s: renamed(s, line_of(text, "6"), 8))
    assert back == SENTENCE.replace("Im  Haus", "Im Haus")


def test_edges_stay_in_order() -> None:
    text = SENTENCE.replace("4:discourse", "4:discourse|6:dep")
    assert row(text, "7")[8] == "4:discourse|6:dep"
    now = made(text, lambda s: renamed(s, line_of(text, "8"), 5))
    assert row(now, "8")[8] == "4:discourse|7:dep"
    text = SENTENCE.replace("4:punct\t_\n\n", "4:punct|5:dep|7:dep\t_\n\n")
    now = made(text, lambda s: renamed(s, line_of(text, "7"), 5))
    assert row(now, "8")[8] == "4:punct|5:dep|6:dep"


def test_a_slip_of_an_id_is_renamed_with_its_references() -> None:
    slip = SENTENCE.replace("\n7\t", "\n77\t").replace("\t7\tpunct\t7:", "\t77\tpunct\t77:")
    assert made(slip, lambda s: renamed(s, line_of(slip, "77"), 7)) == SENTENCE


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda s: renamed(s, line_of(SENTENCE, "3"), 9), "IDs 1 to 8"),
        (lambda s: renamed(s, line_of(SENTENCE, "3"), 1), "multiword token"),
        (lambda s: renamed(s, line_of(SENTENCE, "5"), 4), "empty node"),
        (lambda s: renamed(s, line_of(SENTENCE, "4.1"), 4), "only the ID of a word"),
        (lambda s: deleted(s, 0), "no word in this line"),
        (lambda s: deleted(s, line_of(SENTENCE, "1-2")), "no word in this line"),
        (lambda s: split(s, line_of(SENTENCE, "3"), ["a"]), "two forms"),
        (lambda s: split(s, line_of(SENTENCE, "3"), ["a", "b\t"]), "no form"),
        (lambda s: split(s, line_of(SENTENCE, "4.1"), ["a", "b"]), "no word"),
        (lambda s: merged(s, line_of(SENTENCE, "3")), "no multiword token"),
        (lambda s: inserted(s, 3, "a\nb"), "no form"),
    ],
)
def test_what_would_break_is_refused(make: Make, said: str) -> None:
    with pytest.raises(Impossible, match=said):
        make(sentence(SENTENCE.encode()))


def test_nothing_is_done_where_numbers_are_wrong() -> None:
    wrong = sentence(SENTENCE.replace("\n8\t", "\n9\t").encode())
    for make in (
        lambda: inserted(wrong, 5),
        lambda: deleted(wrong, 5),
        lambda: split(wrong, 5, ["a", "b"]),
        lambda: merged(wrong, 2),
    ):
        with pytest.raises(Impossible, match="renumber"):
            make()


def test_renumbering_takes_everything_with_it() -> None:
    gap = SENTENCE
    for old, new in ((8, 18), (7, 17), (6, 16), (5, 15)):
        for before, behind in (("\n", "\t"), ("\t", "\tpunct"), ("\t", ":punct")):
            gap = gap.replace(f"{before}{old}{behind}", f"{before}{new}{behind}")
    assert gap != SENTENCE
    assert made(gap, renumbered) == SENTENCE
    assert made(SENTENCE, renumbered) == SENTENCE
    assert renumbered(sentence(b"1\ta\n")) is None


@given(texts())
def test_laws_on_any_text(text: str) -> None:
    """Whatever can be done leaves numbers in order, and can be undone."""
    for block in blocks_of(text.encode().removeprefix("\ufeff".encode())):
        held = sentence(block)
        numbers = renumbered(held)
        if numbers:
            once = applied(block, numbers)
            assert not renumbered(sentence(once)) or any(r.kind is Kind.RANGE for r in held.rows)
        for each in held.rows:
            _undone(block, each.line)


def _undone(block: bytes, line: int) -> None:
    held = sentence(block)
    try:
        now = applied(block, inserted(held, line, "new"))
    except Impossible:
        return
    assert renumbered(sentence(now)) == ()
    new = next(row for row in sentence(now).rows if row.cell(1) == "new")
    assert applied(now, deleted(sentence(now), new.line)) == block
    try:
        parts = applied(block, split(held, line, ["x", "y"]))
    except Impossible:
        return
    assert renumbered(sentence(parts)) == ()
    if held.token_of(held.row_at(line).first) is None:  # type: ignore[union-attr]
        token = next(r for r in sentence(parts).rows if r.line == line)
        assume(token.kind is Kind.RANGE)
        assert applied(parts, merged(sentence(parts), line)) == block
