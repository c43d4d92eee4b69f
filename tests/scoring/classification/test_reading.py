"""Rows of classification files: what they say, and what is said of those that cannot be read."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldlens.scoring.classification.reader import Reader
from goldlens.scoring.classification.reading import read_row
from goldlens.scoring.classification.task import CLASSIFICATION, Classification
from goldlens.scoring.classification.unit import Unit
from goldlens.scoring.problems import Severity
from tests.scoring.classification import rows
from tests.scoring.classification.rows import pointed, unit, units
from tests.strategies import Dice, dice

many = settings(
    max_examples=400, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


def content(found: Unit) -> tuple[object, ...]:
    """Id, labels (None if only scores decide), scores."""
    assert not found.problems
    labels = [label.decode() for label in found.labels] if found.explicit else None
    scores = {k.decode(): v for k, v in zip(found.scored, found.scores, strict=True)}
    return None if found.id is None else found.id.decode(), labels, scores


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # Tab-separated: id, labels with a bar between them, scores.
        ("d1\ta", ("d1", ["a"], {})),
        ("d1\tb|a", ("d1", ["a", "b"], {})),
        ("d1\te|b|d|c|a", ("d1", ["a", "b", "c", "d", "e"], {})),
        ("d1\ta|a", ("d1", ["a"], {})),
        ("d1\t", ("d1", [], {})),
        ("d1\ta\tb=0.25\ta=0.75", ("d1", ["a"], {"b": 0.25, "a": 0.75})),
        ("d1\ta\tb=0.25|a=0.75", ("d1", ["a"], {"b": 0.25, "a": 0.75})),
        ("d1\ta=.5|b=1e-1", ("d1", None, {"a": 0.5, "b": 0.1})),
        ("d1\ta=0.5\tb=5.", ("d1", None, {"a": 0.5, "b": 5.0})),
        ("d1\t\ta=0.5", ("d1", None, {"a": 0.5})),
        ("d1\tx=y", ("d1", ["x=y"], {})),
        ("d1\tx=1|b", ("d1", ["b", "x=1"], {})),
        ("d1\tx=y=-0.5", ("d1", None, {"x=y": -0.5})),
        ("d1\ta\t\t", ("d1", ["a"], {})),
        # Blanks around ids and labels make no new ones.
        ("d1 \ta ", ("d1", ["a"], {})),
        ("d1\ta | b \t a = 0.5 ", ("d1", ["a", "b"], {"a": 0.5})),
        ("d 1\ta b", ("d 1", ["a b"], {})),
        # No character but LF and CR ends a line.
        ("d\u2028\x0c1\ta\x85", ("d\u2028\x0c1", ["a\x85"], {})),
        # JSON Lines: id, label or labels, scores.
        ('{"id": "d1", "label": "a"}', ("d1", ["a"], {})),
        ('{"id": 17, "label": 0}', ("17", ["0"], {})),
        ('{"id": -0, "label": "a"}', ("-0", ["a"], {})),
        ('{"id": "d1", "labels": ["b", "a", "b"]}', ("d1", ["a", "b"], {})),
        ('{"id": "d1", "labels": []}', ("d1", [], {})),
        ('{"id": "d1", "scores": {"b": 1, "a": -0.5}}', ("d1", None, {"b": 1.0, "a": -0.5})),
        ('{"id": "d1", "labels": [], "scores": {"a": 0.9}}', ("d1", [], {"a": 0.9})),
        ('{"id": "d1", "scores": {}}', ("d1", None, {})),
        (' {"label": "a ", "text": {"x": [NULL]}, "id": " d1"}'.replace("NULL", "null"),
         ("d1", ["a"], {})),
        ('{"id": "d1", "label": "a", "x": {"k": 1, "k": 2}}', ("d1", ["a"], {})),
        ('{"id": "d1", "label": "a", "x": "\\ud800"}', ("d1", ["a"], {})),
        ('{"id": "d1", "label": "a", "x": 1, "x": 2}', ("d1", ["a"], {})),
        ('{"id": "d1", "label": "a", "x": [NaN, -Infinity]}', ("d1", ["a"], {})),
        ('{"id": "\\u00fc", "label": "\\ud835\\udc00"}', ("ü", ["𝐀"], {})),
        # Nothing.
        ("", (None, [], {})),
        (" \t ", (None, [], {})),
    ],
)  # fmt: skip
def test_a_row_says(line: str, expected: tuple[object, ...]) -> None:
    for end in ("\n", "\r\n", "\r") + (("",) if line else ()):
        found = unit(line + end)
        if expected[0] is None:
            assert (found.id, found.labels, found.scores) == (None, (), ())
        else:
            assert content(found) == expected
        assert found.text == (line + end).encode()
        assert found.lines == (1 if end else 0)
        assert found.last == (not end)
        assert not found.glued


@pytest.mark.parametrize(
    ("line", "name", "message"),
    [
        ("<<d1>>", "d1", "nothing but an id"),
        ("<<>>\ta", None, "has no id"),
        ("<<>> \ta", None, "has no id"),
        ("<<>>\td1\ta=0.5", None, "has no id"),
        ("d1\ta|<<>>", "d1", "label is empty"),
        ("d1\ta|<<>> |b", "d1", "label is empty"),
        ("d1\ta\t<<b>>", "d1", "b is no score of a label"),
        ("d1\ta\tb=1|<<c>>", "d1", "c is no score of a label"),
        ("d1\ta=<<nan>>", "d1", "nan is no finite number"),
        ("d1\ta=<<-inf>>", "d1", "-inf is no finite number"),
        ("d1\ta=<<1e999>>", "d1", "1e999 is no finite number"),
        ("d1\ta=<<1_0>>", "d1", "1_0 is no finite number"),
        ("d1\ta=0.5|b=<<x>>", "d1", "x is no finite number"),
        ("d1\ta\tb=<<>>", "d1", "is no finite number"),
        ("d1\ta\tb=<<١>>", "d1", "is no finite number"),
        ("d1\ta\t<<=0.5>>", "d1", "A score has no label"),
        ("d1\ta\tb=0.5\t<<b>>=0.6", "d1", "b has two scores"),
        ('{"id": "d1", "label": <<true>>}', "d1", "true is no label"),
        ('{"id": "d1", "label": <<null>>}', "d1", "null is no label"),
        ('{"id": "d1", "label": <<1.0>>}', "d1", "1.0 is no label"),
        ('{"id": "d1", "label": <<" ">>}', "d1", "label is empty"),
        ('{"id": "d1", "label": <<"\\ud800">>}', "d1", "half a surrogate pair"),
        ('{"id": "d1", "labels": ["a", <<["b"]>>]}', "d1", "is no label"),
        ('{"id": "d1", "labels": <<"a">>}', "d1", "labels is no list"),
        ('{"id": "d1", "labels": ["a"], "label": <<"a">>}', "d1", "both label and labels"),
        ('{"id": "d1", "scores": <<[0.5]>>}', "d1", "scores is no object"),
        ('{"id": "d1", "scores": {"a": <<NaN>>}}', "d1", "NaN is no finite number"),
        ('{"id": "d1", "scores": {"a": <<-Infinity>>}}', "d1", "-Infinity is no finite"),
        ('{"id": "d1", "scores": {"a": <<1e999>>}}', "d1", "1e999 is no finite number"),
        ('{"id": "d1", "scores": {"a": <<.5>>}}', "d1", ".5 is no value of JSON"),
        ('{"id": "d1", "x": [<<nan>>], "label": "a"}', "d1", "nan is no value of JSON"),
        ('{"id": "d1", "scores": {"a": <<true>>}}', "d1", "true is no finite number"),
        ('{"id": "d1", "scores": {"a": <<"0.5">>}}', "d1", "0.5 is no finite number"),
        ('{"id": "d1", "scores": {"a": 1, <<"a">>: 1}}', "d1", "a has two scores"),
        ('{"id": "d1", "scores": {"a": 1, <<"a ">>: 1}}', "d1", "a has two scores"),
        ('{"id": "d1", "label": "a", <<"label">>: "b"}', "d1", "label stands twice"),
        ('{"id": "d1", <<"id">>: "d2", "label": "b"}', "d1", "id stands twice"),
        ('<<{"id": "d1"}>>', "d1", "has no label"),
        ('<<{"label": "a"}>>', None, "has no id"),
        ('{"id": <<"\\ud800">>, "label": "a"}', None, "half a surrogate pair"),
        ('{"id": <<1.5>>, "label": "a"}', None, "no whole number"),
        ('{"id": <<true>>, "label": "a"}', None, "no whole number"),
        ('{"id": <<" ">>, "label": "a"}', None, "The id is empty"),
        ('{"id": "d1", "label": <<}>>', "d1", "a value is due"),
        ('{"id": "d1", "label": "a"<<>>', "d1", "a comma or } is due"),
        ('{"id": "d1", "label": <<"a}>>', "d1", "string is not closed"),
        ('{"id": "d1", "label": "a",<<}>>', "d1", "a key in double quotes is due"),
        ('{"id" <<"d1">>}', None, "a colon is due"),
        ('{"id": "d1", "label": "a"} <<x>>', "d1", "Something follows"),
        ('{<<ü>>}', None, "a key in double quotes is due"),
        ('{"id": "d1", "labels": ["a" <<"b">>]}', "d1", "a comma or ] is due"),
        ('{"id": "d1", "label": "a", "x": ' + "[" * 63 + "<<[>>" + "]" * 64 + "}", "d1",
         "nested too deeply"),
        ('{"label": "a", "x": ' + "[" * 63 + "<<[>>", None, "nested too deeply"),
    ],
)  # fmt: skip
def test_a_row_that_cannot_be_read(line: str, name: str | None, message: str) -> None:
    text, marked = pointed(line)
    found = unit(text + "\n")
    (problem,) = found.problems
    assert problem.code == "row-format"
    assert problem.severity is Severity.ERROR
    assert problem.refuses
    assert message in problem.message
    assert "; " in problem.message
    place, raw = problem.place, text.encode()
    start = len(line.partition("<<")[0].encode())
    if marked in ('"d1"', '"b"') and "due" in message:
        # Of what should not be there, the first character.
        marked = marked[:1]
    assert (place.line, place.start, raw[place.start : place.end].decode()) == (0, start, marked)
    assert found.id == (None if name is None else name.encode())
    assert (found.labels, found.scores, found.readable) == ((), (), False)


@pytest.mark.parametrize(
    ("line", "name", "cell"),
    [
        (b"d1\ta\xffb", b"d1", b"a\xffb"),
        (b"d\xff1\tab", None, b"d\xff1"),
        (b'{"id": "d1", "label": "\xe2\x82"}', b"d1", b'{"id": "d1", "label": "\xe2\x82"}'),
        (b"d1\t\xff|", b"d1", b"\xff|"),
        (b"d1\ta\xff=0.5", b"d1", b"a\xff=0.5"),
    ],
)
def test_what_is_not_utf8_is_an_encoding_problem(
    line: bytes, name: bytes | None, cell: bytes
) -> None:
    found = unit(line + b"\n")
    (problem,) = found.problems
    assert problem.code == "encoding"
    assert line[problem.place.start : problem.place.end] == cell
    assert found.id == name


def test_a_header_is_the_first_line_whose_first_cell_is_id() -> None:
    header, first, second = units("id\tlabel\nd1\ta\nid\tb\n")
    assert (header.id, header.first, header.facts) == (None, True, (0, 0, 0, 0))
    assert (first.id, first.first) == (b"d1", False)
    assert (second.id, second.labels, second.first) == (b"id", (b"b",), False)
    assert units("\nid\tb\n")[1].id == b"id"
    assert units("ID\tb\n")[0].id == b"ID"
    assert units("id \n")[0].first


def test_the_threshold_decides_where_no_label_is_given() -> None:
    text = "d1\ta=0.5\tb=0.4\nd2\tb\ta=0.9\n"
    assert [u.labels for u in units(text)] == [(b"a",), (b"b",)]
    assert [u.labels for u in units(text, Classification(0.4))] == [(b"a", b"b"), (b"b",)]
    assert [u.explicit for u in units(text)] == [False, True]


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        ("d1\ta", (1, 0, 0, 0)),
        ("d1\ta|b", (1, 1, 0, 0)),
        ("d1\t", (1, 1, 0, 0)),
        ("d1\ta=0.5", (1, 1, 1, 0)),
        ("d1\ta\ta=0|b=1", (1, 0, 1, 0)),
        ("d1\ta\ta=0|b=1.5", (1, 0, 1, 1)),
        ("d1\ta\ta=-0.1", (1, 0, 1, 1)),
        ("d1", (1, 0, 0, 0)),
        ("\ta", (0, 0, 0, 0)),
        ("", (0, 0, 0, 0)),
    ],
)
def test_facts_are_documents_those_without_one_label_scored_and_outside(
    line: str, facts: tuple[int, ...]
) -> None:
    assert CLASSIFICATION.facts(unit(line + "\n")) == facts


class Careful(Reader):
    """A reader that takes no short cut."""

    def _quick_json(self, block: bytes, lines: int, bare: bytes) -> None:
        return None

    def _quick_scores(self, block: bytes, lines: int, bare: bytes) -> None:
        return None


@many
@given(throws=dice(300), threshold=st.sampled_from((0.5, 0.25)))
def test_short_cuts_change_nothing(throws: Dice, threshold: float) -> None:
    text = rows.text(throws, 20).encode()
    blocks = CLASSIFICATION.split(text)
    quick = Classification(threshold).parse(blocks)
    careful = [
        Careful(threshold).units([block], at_start=not k)[0] for k, block in enumerate(blocks)
    ]
    assert quick == careful


@pytest.mark.parametrize(
    "text",
    [
        # A cell that was seen before, in a row that is another.
        "d0\ta\nd1 \ta\n",
        "d0\ta\n d1\ta\n",
        "d0\ta\n\ta\n",
        "d0\ta\n{x\ta\n",
        "d0\ta\nü\ta\n",
        "d0\ta\tb=0.5 \nd1\ta\tb=0.5 \n",
        "d0\t\nd1\t\ta=0.5\n",
        # What JSON rows hold is no cell.
        '{"id": "d0", "label": "a "}\nd1\t\n',
        '{"id":\t"d0", "label": "a "}\nd1\t"d0", "label": "a "}\n',
        # Scored labels that were seen before.
        '{"id": "d0", "scores": {"a": 1}}\n{"id": "d1", "scores": {"a": 2, "a": 1}}\n',
        '{"id": "d0", "label": "a"}\n{"id": "d1", "label": "a", "scores": {"a ": 1, "a": 1}}\n',
    ],
)
def test_what_was_read_before_does_not_matter(text: str) -> None:
    blocks = CLASSIFICATION.split(text.encode())
    alone = [Careful(0.5).units([block], at_start=not k)[0] for k, block in enumerate(blocks)]
    assert CLASSIFICATION.parse(blocks) == alone


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("id", "label", "labels", "scores", "a", "é ")), inner)
    ),
    max_leaves=8,
)


@many
@given(value=JSON, ascii_only=st.booleans(), cut=st.integers(0, 60) | st.none())
def test_json_is_read_as_the_json_module_reads_it(
    value: object, ascii_only: bool, cut: int | None
) -> None:
    line = json.dumps({"id": 1, "label": "a", "x": value}, ensure_ascii=ascii_only)
    raw = line.encode(errors="surrogatepass")[:cut]
    try:
        json.loads(raw)
        is_json = True
    except ValueError:
        is_json = False
    if not raw or b"\xed" in raw:
        return
    assert (read_row(raw).wrong is None) == is_json


@many
@given(value=JSON)
def test_json_rows_are_read_alike_quickly_and_with_care(value: object) -> None:
    for row in (value, {"id": "d1", "label": value}, {"id": "d1", "scores": value}):
        raw = json.dumps(row).encode() + b"\n"
        assert Reader(0.5).units([raw], at_start=False) == Careful(0.5).units([raw], at_start=False)


@many
@given(text=st.binary(max_size=60) | st.text(alphabet='{}[]":,id\t|=.0e-\n\r', max_size=60))
def test_any_bytes_are_units(text: bytes | str) -> None:
    raw = text if isinstance(text, bytes) else text.encode()
    for given_text in (raw, b'{"id": "d", ' + raw, b"d\ta=" + raw):
        blocks = CLASSIFICATION.split(given_text)
        assert b"".join(blocks) == given_text
        assert all(CLASSIFICATION.is_closed(block) for block in blocks[:-1])
        found = CLASSIFICATION.parse(blocks)
        assert [u.text for u in found] == blocks
        for u in found:
            assert len(u.problems) <= 1
            for problem in u.problems:
                end = len(u.text.rstrip(b"\r\n"))
                assert 0 <= problem.place.start <= problem.place.end <= end
