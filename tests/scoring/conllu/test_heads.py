"""HEAD, the tree and its root."""

import time

import pytest

from goldlens.scoring.conllu.reader import read


def heads(reading):
    return [row.split(b"\t")[6].decode() for row in reading.canonical.splitlines() if row]


def sentence(*cells: str) -> bytes:
    rows = [
        f"{i}\tw\tw\tX\t_\t_\t{head}\t{'root' if head == '0' else 'dep'}\t_\t_\n"
        for i, head in enumerate(cells, 1)
    ]
    return ("".join(rows) + "\n").encode()


def places(related):
    return [(one.place.line, one.place.start, one.place.end) for one in related]


@pytest.mark.parametrize("cell", ["01", "１", "١", " 1 ", "+1"])
def test_heads_are_read_as_python_reads_numbers(cell):
    reading = read(sentence("0", cell))
    assert reading.problems == ()
    assert heads(reading) == ["0", "1"]


def test_a_missing_head(check):
    reading = check("""
        1 a a X _ _ 0 root _ _
        2 b b X _ _ _ dep _ _
                    ^ head-missing: error refuses script
        3 c c X _ _ 2 dep _ _
        """)
    assert heads(reading) == ["0", "!", "2"]
    assert reading.unheaded == 1


def test_a_sentence_that_is_not_parsed(check):
    reading = check("""
        1-2 ab _ _ _ _ _ _ _ _
        1 a a X _ _ _ root _ _
                    ^ head-missing: warning refuses script
        2 b b X _ _ _ _ _ _
        """)
    assert heads(reading) == ["_", "!", "!"]
    assert reading.unheaded == reading.words == 2
    assert "not parsed" in reading.problems[0].message


def test_an_empty_head(check):
    reading = check("""
        1 a a X _ _ 0 root _ _
        2 b b X _ _ ∅ dep _ _
                    | empty-cell: error refuses script
        """)
    assert heads(reading) == ["0", "!"]
    assert reading.unheaded == 0


@pytest.mark.parametrize("cell", ["1.0", "three", "1-2", "²", "9" * 5000])
def test_a_head_that_is_no_number(check, cell):
    reading = check(f"""
        1 a a X _ _ 0 root _ _
        2 b b X _ _ {cell} dep _ _
                    {"^" * len(cell)} head-not-a-number: error refuses script
        """)
    assert heads(reading) == ["0", "!"]
    assert len(reading.problems[0].message) < 200


@pytest.mark.parametrize("cell", ["3", "-1", "9" * 90])
def test_a_head_outside_the_sentence(check, cell):
    reading = check(f"""
        1 a a X _ _ 0 root _ _
        2 b b X _ _ {cell} dep _ _
                    {"^" * len(cell)} head-out-of-range: error refuses script
        """)
    assert heads(reading) == ["0", "!"]
    assert f"HEAD {cell} points outside this sentence of 2 words" in reading.problems[0].message


def test_one_word_is_one_word():
    assert "this sentence of 1 word;" in read(sentence("2")).problems[0].message


def test_bad_heads_inside_a_multiword_token(check):
    check("""
        1-4 im _ _ _ _ _ _ _ _
        1 in in ADP _ _ _ case _ _
                        ^ head-missing: error refuses script
        2 dem der DET _ _ 9 det _ _
                          ^ head-out-of-range: error refuses script
        3 dem der DET _ _ x det _ _
                          ^ head-not-a-number: error refuses script
        4 dem der DET _ _ 4 det _ _
                          ^ head-cycle: error refuses script
        """)


def test_words_below_a_bad_head_are_fine_and_no_root_is_missed(check):
    reading = check("""
        1 a a X _ _ 2 dep _ _
        2 b b X _ _ 7 dep _ _
                    ^ head-out-of-range: error refuses script
        3 c c X _ _ 1 dep _ _
        """)
    assert heads(reading) == ["2", "!", "1"]


def test_a_word_that_is_its_own_head(check):
    reading = check("""
        1 a a X _ _ 0 root _ _
        2 b b X _ _ 2 dep _ _
                    ^ head-cycle: error refuses script
        """)
    assert heads(reading) == ["0", "!"]
    assert "Word 2 is its own head" in reading.problems[0].message


def test_a_ring_is_one_problem_that_names_its_words(check):
    reading = check("""
        1 a a X _ _ 0 root _ _
        2 b b X _ _ 4 dep _ _
                    ^ head-cycle: error refuses script
        3 c c X _ _ 2 dep _ _
        4 d d X _ _ 5 dep _ _
        5 e e X _ _ 2 dep _ _
        """)
    assert heads(reading) == ["0", "!", "2", "!", "!"]
    (ring,) = reading.problems
    assert "words 2, 4, 5;" in ring.message
    assert places(ring.related) == [(3, 12, 13), (4, 12, 13)]


def test_a_ring_explains_why_there_is_no_root(check):
    check("""
        1 a a X _ _ 2 dep _ _
                    ^ head-cycle: error refuses script
        2 b b X _ _ 1 dep _ _
        3 c c X _ _ 4 dep _ _
                    ^ head-cycle: error refuses script
        4 d d X _ _ 3 dep _ _
        """)


def test_a_large_ring_names_twenty_others_and_their_number():
    (ring,) = read(sentence(*map(str, [*range(2, 51), 1]))).problems
    assert len(ring.related) == 20
    assert "50 words" in ring.message
    assert "21 and 29 more" in ring.message


def test_a_ring_of_21_words_is_named_in_full():
    (ring,) = read(sentence(*map(str, [*range(2, 22), 1]))).problems
    assert len(ring.related) == 20
    assert "20, 21;" in ring.message


def test_several_roots(check):
    reading = check("""
        1 a a X _ _ 0 root _ _
        2 b b X _ _ 1 dep _ _
        3 c c X _ _ 0 conj _ _
                    ^ multiple-roots: error refuses script
        4 d d X _ _ 3 dep _ _
        5 e e X _ _ 00 root _ _
        """)
    assert heads(reading) == ["0", "1", "!0", "3", "!0"]
    (roots,) = reading.problems
    assert "3 roots: words 1, 3, 5;" in roots.message
    assert places(roots.related) == [(0, 12, 13), (4, 12, 14)]


def test_many_roots_name_twenty_others_and_their_number():
    reading = read(sentence(*["0"] * 50))
    (roots,) = reading.problems
    assert len(roots.related) == 20
    assert "50 roots" in roots.message
    assert heads(reading) == ["0"] + ["!0"] * 49


@pytest.mark.parametrize("name", ["0.1", "1-0"])
def test_a_sentence_without_words_has_no_root(name):
    reading = read(f"# x\n{name}\ta\ta\tX\t_\t_\t_\t_\t_\t_\n\n".encode())
    no_root = reading.problems[-1]
    assert (no_root.code, no_root.refuses, no_root.script) == ("no-root", True, True)
    assert (no_root.place.line, no_root.place.start, no_root.place.end) == (1, 0, 3)
    assert (reading.sentence, reading.words) == (True, 0)


def test_a_range_without_any_word_in_the_sentence_is_one_problem(check):
    reading = check("""
        1-2 ab _ _ _ _ _ _ _ _
        ^^^ no-root: error refuses script
        """)
    assert reading.canonical.startswith(b"1-0\tab\t")


@pytest.mark.parametrize("relation", ["dep", "nsubj:pass"])
def test_head_0_with_another_relation(check, relation):
    reading = check(f"""
        1 a a X _ _ 0 {relation} _ _
                      {"^" * len(relation)} root-relation: warning
        """)
    assert heads(reading) == ["0"]
    assert f"HEAD is 0 but the relation is '{relation}'" in reading.problems[0].message


def test_root_on_a_word_with_a_head(check):
    reading = check("""
        1 a a X _ _ 0 root:x _ _
        2 b b X _ _ 1 root _ _
                      ^^^^ root-relation: warning
        """)
    assert heads(reading) == ["0", "1"]
    assert "The relation is 'root' but HEAD is 1" in reading.problems[0].message


@pytest.mark.parametrize("relation", ["_", "∅", "Root"])
def test_a_relation_with_a_problem_of_its_own_has_no_second(check, relation):
    reading = check(
        {
            "_": "1 a a X _ _ 0 _ _ _",
            "∅": """
                1 a a X _ _ 0 ∅ _ _
                              | empty-cell: warning
                """,
            "Root": """
                1 a a X _ _ 0 Root _ _
                              ^^^^ deprel-unknown: warning
                """,
        }[relation]
    )
    assert heads(reading) == ["0"]


@pytest.mark.parametrize("shape", ["chain", "ring", "roots", "outside"])
def test_a_very_long_sentence_is_fast(shape):
    size = 11_000
    cells = {
        "chain": [*range(2, size + 1), 0],
        "ring": [*range(2, size + 1), 1],
        "roots": [0] * size,
        "outside": [size + 1] * size,
    }[shape]
    block = sentence(*map(str, cells))
    started = time.perf_counter()
    reading = read(block)
    assert time.perf_counter() - started < 2
    assert reading.words == size
    assert len(reading.problems) == {"chain": 0, "ring": 1, "roots": 1, "outside": size}[shape]
