"""What holds for any bytes at all."""

from hypothesis import example, given
from hypothesis import strategies as st

from goldlens.scoring.conllu.marks import BAD_HEAD, EXTRA_ROOT
from goldlens.scoring.conllu.reader import read
from goldlens.scoring.conllu.tree import inspect

NAMES = ["1", "2", "3", "01", "0", "7", "", "x", "1-2", "2-3", "1-0", "1-99", "0.1", "1.1", "4.x"]
HEADS = ["0", "1", "2", "3", " 1", "-1", "9", "_", "", "x", "1.0", "１"]
CELLS = ["_", "a", "", " ", "é", "A=B", "A=B|A=C", "root", "SpaceAfter=No", "|", "\u2028"]

rows = st.builds(
    lambda name, head, cells: "\t".join([name, *cells[:5], head, *cells[5:]]).encode(),
    st.sampled_from(NAMES),
    st.sampled_from(HEADS),
    st.lists(st.sampled_from(CELLS), min_size=8, max_size=8),
)
good_rows = st.builds(
    lambda heads: [
        f"{i}\ta\ta\tX\t_\t_\t{head}\tdep\t_\t_".encode() for i, head in enumerate(heads, 1)
    ],
    st.lists(st.integers(0, 7), max_size=7),
)
other_lines = st.sampled_from(
    [b"# text = a", b"# sent_id = b", b"#", b"", b" \t", b"1\ta", b"\xff"]
)
lines = st.lists(st.one_of(rows, rows, rows, other_lines, st.binary(max_size=12)), max_size=9)
blocks = st.builds(
    lambda lines, end, tail: end.join(lines) + tail,
    st.one_of(lines, good_rows),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
    st.sampled_from([b"", b"\n", b"\n\n", b"\r\r"]),
)


@given(
    st.one_of(blocks, st.binary()),
    st.booleans(),
    st.booleans(),
    st.sampled_from([frozenset(), frozenset({"sent-id-missing", "text-missing"})]),
)
@example(b"\t".join([b"9" * 4300, b"a", *[b"_"] * 4, b"9" * 4300, *[b"_"] * 3]), False, True, set())
@example(b"1-%s\ta" % (b"9" * 99) + b"\t_" * 8 + b"\n\n", False, False, set())
def test_reading_keeps_its_contract(block, glued, last, extra):
    reading = read(block, glued=glued, last=last, extra=extra)
    rows = [row.split(b"\t") for row in reading.canonical.split(b"\n")]
    assert reading.canonical == b"" or rows[-2:] == [[b""], [b""]]
    rows = [row for row in rows if row != [b""]]
    assert all(len(row) == 10 for row in rows)
    reading.canonical.decode()

    words = [row for row in rows if b"-" not in row[0]]
    assert [row[0] for row in words] == [b"%d" % i for i in range(1, len(words) + 1)]
    assert reading.words == len(words)
    assert 0 <= reading.unheaded <= reading.words

    marks = (BAD_HEAD, EXTRA_ROOT)
    heads = [-1 if row[6] in marks else int(row[6]) for row in words]
    assert all(row[6] in (*marks, b"%d" % head) for row, head in zip(words, heads, strict=True))
    assert all(-1 <= head <= len(words) for head in heads)
    faults = inspect(heads)
    assert len(faults.roots) <= 1
    assert faults.rings == ()

    met = covered = 0
    for row in rows:
        if b"-" in row[0]:
            first, end = map(int, row[0].split(b"-"))
            assert first == met + 1 > covered  # before its words, and clear of the range before
            assert met <= end <= len(words)
            covered = end
        else:
            met += 1

    lines = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    assert len(reading.row_lines) == len(rows)
    assert list(reading.row_lines) == sorted(set(reading.row_lines))
    for row, line in zip(rows, reading.row_lines, strict=True):
        cells = lines[line].split(b"\t")
        assert row[1:6] + row[7:] == cells[1:6] + cells[7:]
    if rows:
        assert reading.sentence

    found = [(problem.place.line, problem.place.start) for problem in reading.problems]
    assert found == sorted(found)
    for problem in reading.problems:
        for place in [problem.place, *(related.place for related in problem.related)]:
            assert place.unit == 0
            assert 0 <= place.start <= place.end <= len(lines[place.line])
        assert problem.message
    if not reading.readable:
        assert any(problem.refuses for problem in reading.problems)
    if any(row[6] in marks for row in words):
        assert any(problem.refuses for problem in reading.problems)


@given(blocks)
def test_line_ends_change_nothing_else(block):
    plain = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    assert read(plain) == read(plain.replace(b"\n", b"\r\n")) == read(plain.replace(b"\n", b"\r"))


@given(good_rows)
def test_a_tree_has_no_problem_but_its_relations(rows):
    heads = [int(row.split(b"\t")[6]) for row in rows]
    sound = (
        bool(rows)
        and max(heads) <= len(heads)
        and len(inspect(heads).roots) == 1
        and not inspect(heads).rings
    )
    codes = {problem.code for problem in read(b"\n".join([*rows, b"", b""])).problems}
    assert (codes == {"root-relation"}) == sound


@given(lines)
def test_canonical_text_is_read_as_itself(lines):
    reading = read(b"\n".join([*lines, b"", b""]))
    again = read(reading.canonical)
    if b"\t!" not in reading.canonical and b"-0\t" not in reading.canonical:
        assert again.canonical == reading.canonical
