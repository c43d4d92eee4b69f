"""Rows of both kinds of file: what is read, and what is said to be wrong, at which bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.problems import Problem, Severity, Side
from goldlens.scoring.stemming import messages
from goldlens.scoring.stemming.formats import DICTIONARY, OUTPUT
from goldlens.scoring.stemming.rows import (
    Group,
    Output,
    has_capital,
    read_group,
    read_output,
    split,
)


def said(problems: tuple[Problem, ...]) -> list[tuple[str, int, int, str]]:
    return [(p.code, p.place.start, p.place.end, p.severity.label) for p in problems]


def test_a_row_of_a_dictionary_is_a_group_of_forms() -> None:
    assert read_group("go\tgoes\tça".encode()) == (Group((b"go", b"goes", "ça".encode())), ())


def test_forms_are_not_normalised() -> None:
    assert read_group(b" Go\tgo \tGO") == (Group((b" Go", b"go ", b"GO")), ())


def test_comments_and_lines_with_nothing_on_them_are_no_groups() -> None:
    for line in (b"# go\tgoes", b"#", b""):
        assert read_group(line) == (None, ())


@pytest.mark.parametrize("line", [b"\t", b"\t\t", b" ", b"  \t "])
def test_a_row_of_nothing_but_spaces_and_tabs_is_one_row_format(line: bytes) -> None:
    whole = [("row-format", 0, len(line), "error")]
    group, problems = read_group(line)
    assert (group, said(problems)) == (None, whole)
    read = read_output(line)
    assert (read.form, read.output, said(read.problems)) == (None, None, whole)
    assert all(problem.refuses for problem in (*problems, *read.problems))


def test_a_line_with_nothing_on_it_is_no_row_of_output() -> None:
    assert read_output(b"") == (None, None, ())


def test_a_form_repeated_in_its_group_counts_once_and_is_a_hint() -> None:
    group, problems = read_group(b"go\tgoes\tgo")
    assert group == Group((b"go", b"goes"))
    assert said(problems) == [("form-duplicate", 8, 10, "hint")]
    assert not problems[0].refuses
    assert (problems[0].related[0].place.start, problems[0].related[0].place.end) == (0, 2)


def test_an_empty_form_refuses_the_dictionary() -> None:
    group, problems = read_group(b"go\t\tgoes\t")
    assert group == Group((b"go", b"goes"))
    assert said(problems) == [("row-format", 3, 3, "error"), ("row-format", 9, 9, "error")]
    assert all(problem.refuses for problem in problems)


def test_a_cell_of_nothing_but_spaces_is_empty() -> None:
    group, problems = read_group(b"go\t \tice cream")
    assert group == Group((b"go", b"ice cream"))
    assert said(problems) == [("row-format", 3, 4, "error")]
    read = read_output(b"went\t ")
    assert (read.form, read.output) == (b"went", None)
    assert said(read.problems) == [("row-format", 5, 6, "error")]
    read = read_output(b"went\tgo\t  ")
    assert read.output == Output(b"went", b"go", (b"go",))
    assert said(read.problems) == [("row-format", 8, 10, "error")]
    read = read_output(b" \tgo")
    assert (read.form, read.output) == (None, None)
    assert said(read.problems) == [("row-format", 0, 1, "error")]


def test_a_row_of_output_is_a_form_its_stem_and_candidates() -> None:
    assert read_output(b"its\tit\tits\tit").output == Output(b"its", b"it", (b"it", b"its"))
    assert read_output(b"its\tz\ta").output == Output(b"its", b"z", (b"a", b"z"))
    assert read_output(b"its\tit").output == Output(b"its", b"it", (b"it",))


def test_a_stem_file_has_no_comments() -> None:
    assert read_output(b"#\t#").output == Output(b"#", b"#", (b"#",))


def test_an_empty_stem_is_said_at_its_cell() -> None:
    read = read_output(b"went\t")
    assert (read.form, read.output) == (b"went", None)
    assert said(read.problems) == [("row-format", 5, 5, "error")]


def test_an_empty_candidate_is_wrong_and_left_out() -> None:
    read = read_output(b"went\tgo\t\twend")
    assert read.output == Output(b"went", b"go", (b"go", b"wend"))
    assert said(read.problems) == [("row-format", 8, 8, "error")]


def test_candidates_are_distinct_and_in_order_beside_an_empty_one_too() -> None:
    assert read_output(b"went\twend\t\tgo\twend").output == Output(
        b"went", b"wend", (b"go", b"wend")
    )


def test_a_form_that_is_missing_points_to_where_it_first_stands_in_its_group() -> None:
    [problem] = messages.missing([b"go"], b"a\tgo\tgo\r\n", b"x\tx\n")
    assert (problem.place.unit, problem.place.start) == (-1, 3)
    assert (problem.related[0].place.start, problem.related[0].place.end) == (2, 4)


def test_a_row_without_primary_output_says_nothing_of_its_form() -> None:
    read = read_output(b"went\t\tgo")
    assert (read.form, read.output) == (b"went", None)
    assert said(read.problems) == [("row-format", 5, 5, "error")]


def test_a_row_of_one_cell_has_no_stem() -> None:
    read = read_output(b"went")
    assert (read.form, read.output) == (b"went", None)
    assert said(read.problems) == [("row-format", 0, 4, "error")]


def test_a_row_without_form() -> None:
    read = read_output(b"\tgo")
    assert (read.form, read.output) == (None, None)
    assert said(read.problems) == [("row-format", 0, 0, "error")]


def test_bytes_that_are_not_utf8_are_said_at_their_cell() -> None:
    group, problems = read_group(b"go\tgo\xffes")
    assert group == Group((b"go", b"go\xffes"))
    assert said(problems) == [("encoding", 3, 8, "error")]
    assert said(read_output(b"go\xff\tgo").problems) == [("encoding", 0, 3, "error")]
    assert said(read_group(b"# \xff")[1]) == [("encoding", 0, 3, "error")]


def test_uppercase_and_titlecase_are_capitals_by_their_category() -> None:
    for form in ("A", "aB", "ǅep", "𝐀", "É", "ⅰǅ"):
        assert has_capital([b"a", form.encode()]), form
    for form in ("a", "é", "ß", "ª", "1", "ⅰ", "Ⅳ", "中", "ʰ"):
        assert not has_capital([form.encode()]), form


def test_lines_end_in_lf_crlf_or_cr_and_nowhere_else() -> None:
    text = "a\tb\r\nc\rd\u2028e\x0cf\x85g\n\nh".encode()
    blocks = split(text)
    assert blocks == [b"a\tb\r\n", b"c\r", "d\u2028e\x0cf\x85g\n".encode(), b"\n", b"h"]
    assert [unit.forms for unit in DICTIONARY.parse(blocks)] == [
        (b"a", b"b"),
        (b"c",),
        ("d\u2028e\x0cf\x85g".encode(),),
        (),
        (b"h",),
    ]
    assert [unit.lines for unit in OUTPUT.parse(blocks)] == [1, 1, 1, 1, 0]


def test_a_repeated_row_is_a_hint_if_it_says_the_same() -> None:
    first, same, other = OUTPUT.parse([b"a\tx\ty\n", b"a\tx\ty\tx\n", b"a\ty\tx\n"])
    assert OUTPUT.duplicate_severity(same, first) is Severity.HINT
    assert OUTPUT.duplicate_severity(other, first) is Severity.ERROR
    for severity in (Severity.HINT, Severity.ERROR):
        problem = OUTPUT.duplicate(b"a", OUTPUT.key_place(same), OUTPUT.key_place(first), severity)
        assert (problem.code, problem.severity) == ("form-duplicate", severity)
        assert problem.refuses is (severity is Severity.ERROR)
        assert problem.related[0].place.side is Side.HERE


@given(st.binary(max_size=60))
def test_reading_never_raises_and_loses_nothing(data: bytes) -> None:
    for text in (data, data.replace(b"\x01", b"\t").replace(b"\x02", b"\n")):
        blocks = split(text)
        assert b"".join(blocks) == text
        for form in (DICTIONARY, OUTPUT):
            units = form.parse(blocks)
            assert [unit.text for unit in units] == blocks
            for unit in units:
                size = len(unit.text.rstrip(b"\r\n"))
                for problem in unit.problems:
                    assert 0 <= problem.place.start <= problem.place.end <= size
        for unit in OUTPUT.parse(blocks):
            if unit.output is not None:
                assert unit.output.primary in unit.output.candidates
                assert b"" not in unit.output.candidates
                assert list(unit.output.candidates) == sorted(set(unit.output.candidates))


def test_a_message_shows_of_a_form_what_cannot_be_seen_and_not_all_of_a_long_one() -> None:
    for form, named in (
        ("café", "café"),
        ("cafe\u0301", "'cafe\\u0301'"),
        ("ice\u00a0cream", "'ice\\xa0cream'"),
        ("go ", "'go '"),
        ("x" * 99, "x" * 60 + "…"),
    ):
        [problem] = read_output(form.encode()).problems
        assert problem.message == f"The form {named} has no stem; write a tab and its stem"
        assert f" {named}, " in messages.extra(form.encode()).message
        assert f" {named} " in messages.missing([form.encode()], form.encode(), None)[0].message
        [problem] = read_group(f"{form}\t{form}".encode())[1]
        assert f" {named} " in problem.message
