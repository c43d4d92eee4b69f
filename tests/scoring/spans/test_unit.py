"""Which lines are tokens, and what is wrong with their tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.problems import Severity
from goldlens.scoring.spans.blocks import is_closed
from goldlens.scoring.spans.task import SPANS, Spans
from goldlens.scoring.spans.unit import FEW, Unit
from goldlens.server.engine.document import Document
from tests.scoring.spans.pairs import found, listed, units


def tokens(text: str | bytes, task: Spans = SPANS) -> list[list[tuple[str, str]]]:
    """The tokens of each sentence: text and tag."""
    return [
        [
            (form.decode("utf-8", "replace"), tag.decode())
            for form, tag in zip(unit.forms(), unit.reading.tags, strict=True)
        ]
        for unit in units(text, task)
        if unit.tokens
    ]


def problems(text: str | bytes, task: Spans = SPANS) -> list[tuple[int, str, str]]:
    return found(Document(task, text.encode() if isinstance(text, str) else text))


# Columns


def test_the_tag_is_in_the_last_column_and_blanks_or_tabs_part_columns() -> None:
    assert tokens("a NN  B-P\nb VB O\n") == [[("a", "B-P"), ("b", "O")]]
    assert tokens("a\tNN\tB-P\nb\tVB\tO\n") == [[("a", "B-P"), ("b", "O")]]


def test_one_row_with_a_tab_makes_the_whole_file_tab_separated() -> None:
    text = "New York\tB-P\n\nno tab\n"
    assert tokens(text) == [[("New York", "B-P")], [("no tab", "")]]
    assert problems(text) == [(3, "iob2-tag", "no tab")]


@pytest.mark.parametrize("line", ["# a\tcomment", "\t", " \t ", "-DOCSTART-\tO", "b O\t", "b O \t"])
def test_a_tab_elsewhere_than_in_a_row_does_not(line: str) -> None:
    assert ("a", "B-P") in tokens(f"{line}\na B-P\n")[-1]
    assert problems(f"{line}\na B-P\n") == []


def test_columns_may_be_chosen_from_either_end() -> None:
    text = "1\tWhat\tO\t-\t-\n2\tMiramar\tB-LOC\t-\tx\n"
    assert tokens(text, Spans(2, 3)) == [[("What", "O"), ("Miramar", "B-LOC")]]
    assert tokens(text, Spans(-4, -3)) == [[("What", "O"), ("Miramar", "B-LOC")]]


def test_there_is_no_column_0_and_no_third_reading() -> None:
    with pytest.raises(ValueError, match="no column 0"):
        Spans(0)
    with pytest.raises(ValueError, match="strict, conlleval"):
        Spans(reading="loose")


@pytest.mark.parametrize("row", ["a", "a\t"])
def test_a_row_with_too_few_columns_is_one_problem_and_read_as_o(row: str) -> None:
    text = f"w\tB-P\n{row}\nw\tO\n"
    assert tokens(text) == [[("w", "B-P"), ("a", ""), ("w", "O")]]
    assert problems(text) == [(2, "iob2-tag", "a")]
    assert units(text)[0].reading.spans == ((0, 1, b"P"),)


def test_an_asked_column_that_a_row_lacks_is_a_problem_of_the_row() -> None:
    assert problems("a B-P\n", Spans(tag_column=3)) == [(1, "iob2-tag", "a B-P")]


# Lines


def test_crlf_and_trailing_blanks_are_tolerated() -> None:
    text = "a B-P \r\nb I-P\t\r\n\r\nc O\r\n"
    assert tokens(text) == [[("a", "B-P"), ("b", "I-P")], [("c", "O")]]
    assert problems(text) == []


@pytest.mark.parametrize("blank", ["", "\t", " ", "  \t "])
def test_a_line_of_white_space_ends_the_sentence(blank: str) -> None:
    assert tokens(f"a B-P\n{blank}\nb I-P\n") == [[("a", "B-P")], [("b", "I-P")]]
    assert problems(f"a B-P\n{blank}\nb I-P\n") == [(3, "iob2-malformed", "I-P")]


@pytest.mark.parametrize("char", ["\u2028", "\x85", "\u00a0"])
def test_no_other_character_ends_a_line_or_a_column(char: str) -> None:
    assert tokens(f"a{char}b B-P\n") == [[(f"a{char}b", "B-P")]]


def test_docstart_lines_are_no_tokens_and_no_sentences() -> None:
    text = "-DOCSTART- -X- -X- O\n\na NN I-NP B-P\n\n-DOCSTART-\nb NN I-NP O\n"
    assert tokens(text) == [[("a", "B-P")], [("b", "O")]]
    assert [unit.tokens for unit in units(text) if unit.text.strip()] == [0, 1, 0, 1]
    assert sum(SPANS.facts(unit)[0] for unit in units(text)) == 2
    assert tokens("-DOCSTART-x O\n") == [[("-DOCSTART-x", "O")]]


@pytest.mark.parametrize(
    "line", ["-DOCSTART-", "-DOCSTART- O", "-DOCSTART-\t-X-\tO", "-DOCSTART-\r"]
)
def test_no_sentence_and_no_span_goes_on_behind_a_docstart_line(line: str) -> None:
    text = f"a B-P\n{line}\nb I-P\n"
    assert tokens(text) == [[("a", "B-P")], [("b", "I-P")]]
    assert problems(text) == [(3, "iob2-malformed", "I-P")]


def test_a_tab_at_the_end_is_an_empty_tag_where_other_rows_have_a_column_more() -> None:
    text = "a\tNN\tI-NP\tB-P\nb\tNN\tB-NP\t\n"
    assert tokens(text) == [[("a", "B-P"), ("b", "")]]
    assert problems(text) == [(2, "iob2-tag", "b\tNN\tB-NP")]
    # Two columns are empty, but one is all that the others have.
    assert tokens("a\tB-P\nb\t\t\n") == [[("a", "B-P"), ("b", "")]]
    assert tokens("a\tNN\tO\nb\t \t\n") == [[("a", "O"), ("b", "")]]
    # In whatever way the sentence is read.
    assert SPANS.parse([f"{text}\n".encode()] * 2 * FEW, regime=True) == (
        [_read_with_care(units(f"{text}\n")[0])] * 2 * FEW
    )


def test_blanks_around_a_tag_between_tabs_do_not_count() -> None:
    text = "a\t B-P \t_\nb\tO \t_\n"
    assert tokens(text, Spans(1, 2)) == [[("a", "B-P"), ("b", "O")]]
    assert problems(text, Spans(1, 2)) == []


@pytest.mark.parametrize(
    "text",
    [
        # Every row has it, or the row has all its columns without.
        "a\tNN\tB-P\t\nb\tNN\tO\t\n",
        "a\tNN\tB-P\nb\tNN\tO\t\n",
        "a\tNN\tB-P\t\n\nb\tNN\tO\n",
        "a\tNN\tB-P\nb\tNN\tO\t\nc\tNN\tNN\tO\n",
    ],
)
def test_any_other_tab_at_the_end_does_not_count(text: str) -> None:
    assert problems(text) == []
    assert ("b", "O") in [token for sentence in tokens(text) for token in sentence]


def test_comments_before_and_between_rows_are_no_tokens() -> None:
    text = "# sent_id = s1\n# text = a B\na\tB-P\n# more\nb\tI-P\n"
    assert tokens(text) == [[("a", "B-P"), ("b", "I-P")]]
    assert units(text)[0].at == (2, 4)
    assert SPANS.title(units(text)[0]) == "s1"
    assert SPANS.title(units("a O\n")[0]) is None


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("a\tO\n#\tO\n", ["a", "#"]),
        ("a O\n#tag B-P\n", ["a", "#tag"]),
        ("#tag\tO\na\tO\n", ["#tag", "a"]),
        ("a O\n# ends in O\n", ["a"]),
        ("a\tO\n# O\n", ["a"]),
        ("a\tO\n#tag\tX\n", ["a"]),
        ("a\tNN\tO\n#tag\tO\n", ["a"]),
        ("#tag O\n", ["#tag"]),
        ("#tag\tO\n\na\tO\n", ["#tag"]),
        ("# I\n", []),
        ("# Part B\n", []),
        ("# see O\n", []),
    ],
)
def test_a_hash_line_is_a_token_only_if_it_looks_like_the_rows_around_it(
    text: str, forms: list[str]
) -> None:
    assert [form for form, _ in [*tokens(text), []][0]] == forms


def test_the_header_of_the_hipe_format_is_no_token() -> None:
    text = "TOKEN\tNE-COARSE-LIT\tMISC\n# language = de\na\tB-pers\t_\nTOKEN\tO\t_\n"
    hipe = Spans(1, 2)
    assert tokens(text, hipe) == [[("a", "B-pers"), ("TOKEN", "O")]]
    assert problems(text, hipe) == []
    assert problems("a\tO\t_\nTOKEN\tNE\t_\n", hipe) == [(2, "iob2-tag", "NE")]


# Tags


@pytest.mark.parametrize(
    "tag", ["b-PER", "X-PER", "BPER", "S-PER", "B-", "I-", "PER", "0", "B_PER", "-"]
)
def test_what_is_no_tag_is_said_at_its_cell_and_read_as_o(tag: str) -> None:
    text = f"w1\tB-PER\nw2\t{tag}\n"
    assert problems(text) == [(2, "iob2-tag", tag)]
    assert units(text)[0].reading.spans == ((0, 1, b"PER"),)


def test_a_repair_is_offered_where_it_is_evident() -> None:
    repair = listed(Document(SPANS, b"a b-PER\n"))[0].problem.repair
    assert repair is not None and repair.new == "B-PER"
    malformed = listed(Document(SPANS, b"a I-PER\n"))[0].problem
    assert malformed.repair is not None and malformed.repair.new == "B-PER"
    assert malformed.message.endswith("; begin the span with B-PER")


def test_a_bare_tag_has_the_label_underscore_and_a_warning() -> None:
    document = Document(SPANS, b"a B\nb I\n\nc I\n")
    assert document.units[0].reading.spans == ((0, 2, b"_"),)
    assert [(one.line, one.problem.code, one.severity) for one in listed(document)] == [
        (0, "iob2-tag", Severity.WARNING),
        (1, "iob2-tag", Severity.WARNING),
        (3, "iob2-malformed", Severity.ERROR),
    ]


def test_a_run_that_continues_nothing_is_one_problem_and_says_how_long_it_is() -> None:
    document = Document(SPANS, b"a O\nb I-P\nc I-P\nd I-P\ne I-L\n")
    assert found(document) == [(2, "iob2-malformed", "I-P"), (5, "iob2-malformed", "I-L")]
    assert "the 2 behind it" in listed(document)[0].problem.message


@pytest.mark.parametrize(
    ("tags", "lines"),
    [
        ("BPER I-PER I-PER", [1]),
        ("PER I-PER", [1]),
        ("0 I-PER", [1, 2]),
        ("b-LOC I-PER", [1, 2]),
        ("I-PER BPER I-PER I-PER", [1, 2]),
    ],
)
def test_what_follows_a_wrong_tag_that_began_the_span_is_no_cascade(
    tags: str, lines: list[int]
) -> None:
    text = "".join(f"w\t{tag}\n" for tag in tags.split())
    assert [line for line, _, _ in problems(text)] == lines


def test_another_scheme_is_named_once_at_its_first_tag() -> None:
    document = Document(SPANS, b"a O\n\nb B-P\nc E-P\n\nd S-P\n")
    named = [one for one in listed(document) if one.problem.code == "iob2-scheme"]
    assert [(one.line, one.severity) for one in named] == [(3, Severity.WARNING)]
    assert "IOBES" in named[0].problem.message and "convert" in named[0].problem.message
    assert not any(one.problem.refuses for one in listed(document))


def test_conlleval_reads_iob1_and_says_nothing_of_it() -> None:
    document = Document(Spans(reading="conlleval"), b"a I-P\nb B-P\n\nc I-L\n")
    assert document.units[0].reading.spans == ((0, 1, b"P"), (1, 2, b"P"))
    assert found(document) == []
    assert {code for _, code, _ in problems("a I-P\nb B-P\n\nc I-L\n")} == {
        "iob2-malformed",
        "iob2-scheme",
    }


@pytest.mark.parametrize("behind", [1, 2, 25])
def test_the_tags_behind_one_that_continues_nothing_are_pointed_to(behind: int) -> None:
    text = "a O\n# c\nbb I-P\n" + "bbb I-P\n" * behind + "a I-L\n"
    first, second = [one.problem for one in listed(Document(SPANS, text.encode()))][-2:]
    lines = range(3, 3 + min(behind, 20))
    assert [(r.place.line, r.place.start, r.place.end) for r in first.related] == [
        (line, 4, 7) for line in lines
    ]
    assert first.related[0].message == "I-P is ignored, too"
    assert second.related == ()


def test_bytes_that_are_no_utf8_refuse_the_file_where_they_stand() -> None:
    document = Document(SPANS, b"a B-P\nb\xff\xfe O\nc B-\xff\n")
    assert [(one.line, one.problem.code, one.problem.refuses) for one in listed(document)] == [
        (1, "encoding", True),
        (2, "encoding", True),
    ]
    assert listed(document)[0].problem.place.start == 1
    assert document.units[0].reading.tags == (b"B-P", b"O", b"O")


# How it is read makes no difference

LINES = st.sampled_from(
    [
        "a O",
        "-DOCSTART-x\tO",
        "b B-P",
        "a\tO",
        "b\tB-P",
        "c\tI-P",
        "c I-P",
        "x",
        "",
        "\t",
        "# c",
        "#\tO",
        "# O",
    ]
    + ["-DOCSTART- O", "TOKEN\tNE", "d B", "e\tb-P", "é\tI", "f \tO ", "g\r", "\r", "h\r\rO"]
)
TEXTS = st.lists(LINES, max_size=10).map("\n".join)


@given(TEXTS, st.booleans())
def test_a_unit_says_the_same_whatever_it_was_parsed_with(text: str, tabs: bool) -> None:
    blocks = SPANS.split(text.encode())
    if not blocks:
        return
    if not is_closed(blocks[-1]):
        blocks[-1] += b"\n\n"
    blocks = [block for part in blocks for block in SPANS.split(part)]
    many = SPANS.parse(blocks * FEW, regime=tabs)
    assert many == [SPANS.parse([block], regime=tabs)[0] for block in blocks] * FEW
    for unit in many[: len(blocks)]:
        slow = _read_with_care(unit)
        assert unit == slow


def _read_with_care(unit: Unit) -> Unit:
    from goldlens.scoring.spans.careful import rows_of
    from goldlens.scoring.spans.unit import _with_care

    return _with_care(unit.text, rows_of(unit.text, unit.layout), unit.layout, False)


@given(st.binary(max_size=60), st.booleans())
def test_any_bytes_are_units_and_problems(text: bytes, tabs: bool) -> None:
    found = SPANS.parse(SPANS.split(text), regime=tabs)
    assert b"".join(unit.text for unit in found) == text
    for unit in found:
        assert len(unit.forms()) == unit.tokens
        assert all(p.place.start <= p.place.end for p in unit.problems)


@given(TEXTS)
def test_whether_a_file_is_tab_separated_does_not_depend_on_how_it_is_read(text: str) -> None:
    blocks = SPANS.split(text.encode())
    regimes = []
    for tabs in (False, True):
        parsed = SPANS.parse(blocks, regime=tabs)
        regimes.append(sum(SPANS.facts(unit)[2] for unit in parsed))
    assert regimes[0] == regimes[1]
    assert SPANS.likely_regime(text.encode()) is (regimes[0] > 0)


@pytest.mark.parametrize(
    "rows",
    [
        "a O \nb B-P",
        "a  O\n b B-P",
        "a\tb O\nb B-P",
        "a\vb O\nb B-P",
        "a O\r\nb B-P\r",
        "-DOCSTART- O\nb B-P",
        "-D O\nb B-P",
        "a\tNN\tB-P\nb\tB-NP\t\n#\tO\t",
        "TOKEN NE\nb B-P",
        "TOP B-P\nb O",
        "#a O\nb B-P",
        "# a O\nb B-P",
        "a\nb B-P",
        "a B-long-label-1\nb B-long-label-2\nc I-long-label-2",
        "a B-labels1\nb B-labels2",
        "a O\x01\nb B-P",
        "a \0O\nb B-P",
        "é B-é\nb I-é",
        "a X\nb I-P",
        "a\tO\nb c\tB-P",
        "a\t O\nb\tB-P ",
    ],
)
@pytest.mark.parametrize("tabs", [False, True])
def test_many_blocks_are_read_as_one_is(rows: str, tabs: bool) -> None:
    blocks = [f"{rows}\n\n".encode(), b"w O\nw B-P\n\n", b"w\tO\n\n"]
    alone = [SPANS.parse([block], regime=tabs)[0] for block in blocks]
    assert SPANS.parse(blocks * FEW, regime=tabs) == alone * FEW
    assert SPANS.parse([*blocks * FEW, b"a O"], regime=tabs)[:-1] == alone * FEW


def test_more_tags_than_are_told_apart_at_once_are_told_apart() -> None:
    blocks = [b"w B-%d\nw I-%d\n\n" % (k, k) for k in range(3 * FEW)]
    assert [unit.reading.spans for unit in SPANS.parse(blocks)] == [
        ((0, 2, b"%d" % k),) for k in range(3 * FEW)
    ]


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("1\tAda\tB-PER\t-\tstephen", "column 3, where this row has B-PER"),
        ("1\tAda\tO\t-\tstephen", "column 3, where this row has O"),
        ("I Ada NNP stephen", None),
        ("Ada\tstephen", None),
    ],
)
def test_a_tag_in_another_column_is_pointed_out(row: str, column: str | None) -> None:
    [unit] = units(f"{row}\n")
    [problem] = unit.problems
    message = problem.message
    assert message.startswith("stephen is no tag of IOB2, and is read as O; write O, B-X or I-X")
    assert ("--tag-column" in message) is (column is not None)
    assert column is None or column in message
