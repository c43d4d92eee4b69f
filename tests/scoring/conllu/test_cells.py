"""What may be wrong inside a cell."""

import pytest

from goldlens.scoring.conllu import inventory
from goldlens.scoring.conllu.reader import read


@pytest.mark.parametrize("column", ["LEMMA", "UPOS", "XPOS", "FEATS", "DEPREL", "DEPS", "MISC"])
def test_empty_cells_of_a_word(column):
    names = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"]
    cells = ["1", "é", "b", "X", "c", "A=B", "0", "root", "0:root", "d"]
    at = names.index(column)
    cells[at] = ""
    start = len("\t".join(cells[:at]).encode()) + 1
    (problem,) = read(("\t".join(cells) + "\n\n").encode()).problems
    assert (problem.code, problem.severity.label) == ("empty-cell", "warning")
    assert (problem.refuses, problem.script) == (False, False)
    assert (problem.place.start, problem.place.end) == (start, start)
    assert problem.message.startswith(column)


def test_empty_cells_of_ranges_and_empty_nodes(check):
    reading = check("""
        0.1 ∅ a X _ _ ∅ ∅ _ _
            | empty-cell: warning
                      | empty-cell: warning
                        | empty-cell: warning
        1-1 a _ _ _ _ ∅ ∅ _ _
                      | empty-cell: warning
                        | empty-cell: warning
        1 a a X _ _ 0 root _ _
        """)
    assert reading.readable


def test_advice_on_an_empty_cell_fits_its_column():
    reading = read(b"1\t\t\tX\t_\t_\t\troot\t_\t_\n\n")
    form, lemma, head = (problem.message for problem in reading.problems)
    assert "as it stands in the text" in form
    assert "write _" in lemma
    assert "0 for the root" in head


def test_an_empty_form_leaves_the_text_unknown(check):
    reading = check("""
        # text = a b
        1 a a X _ _ 0 root _ _
        2 ∅ a X _ _ 7 root _ _
          | empty-cell: error refuses script
                    ^ head-out-of-range: error refuses script
        """)
    assert not reading.readable
    assert reading.words == 2


@pytest.mark.parametrize("space", ["␣", "\u00a0", "\u3000\u00a0"])
def test_a_form_of_white_space_is_as_good_as_empty(check, space):
    reading = check(f"""
        1 {space} a X _ _ 0 root _ _
          {"^" * len(space)} empty-cell: error refuses script
        """)
    assert not reading.readable


def test_white_space_that_belongs_to_the_text_is_no_empty_form(check):
    reading = check("""
        1 \x0b a X _ _ 0 root _ _
          ^ form-whitespace: warning
        """)
    assert reading.readable


def test_the_form_of_a_multiword_token_is_the_text(check):
    reading = check("""
        1-3 ∅ _ _ _ _ _ _ _ _
            | empty-cell: error refuses script
        1 ∅ a X _ _ 0 root _ _
          | empty-cell: warning
        2 ␣ a X _ _ 1 dep _ _
          ^ form-whitespace: warning
        3 c a X _ _ 1 dep _ _
        """)
    assert not reading.readable


def test_an_empty_form_inside_a_multiword_token_can_be_read(check):
    reading = check("""
        # text = ab
        1-1 ab _ _ _ _ _ _ _ _
        1 ∅ a X _ _ 0 root _ _
          | empty-cell: warning
        """)
    assert reading.readable


def test_white_space_at_the_edges_of_form_and_lemma(check):
    reading = check("""
        1 a␣ ␣a X _ _ 0 root _ _
          ^^ form-whitespace: warning
             ^^ form-whitespace: warning
        2-2 \u00a0b _ _ _ _ _ _ _ _
            ^^ form-whitespace: warning
        2 b ␣ X _ _ 1 dep _ _
            ^ form-whitespace: warning
        2.1 b␣ b X _ _ _ _ _ _
            ^^ form-whitespace: warning
        3 c␣d c␣d X _ _ 1 dep _ _
        """)
    assert b"\ta \t a\tX" in reading.canonical


@pytest.mark.parametrize("tag", ["Noun", "NN", "X:Y"])
def test_unknown_upos(check, tag):
    check(f"""
        1 a a {tag} _ _ 0 root _ _
              {"^" * len(tag)} upos-unknown: warning
        1.1 a a {tag} _ _ _ _ _ _
                {"^" * len(tag)} upos-unknown: warning
        2-2 a a {tag} _ _ _ _ _ _
        2 a a _ _ _ 1 dep _ _
        """)


@pytest.mark.parametrize("relation", ["subj", "Dep", ":dep", "dobj:x"])
def test_unknown_relation(check, relation):
    check(f"""
        1 a a X _ _ 0 root _ _
        2 a a X _ _ 1 {relation} _ _
                      {"^" * len(relation)} deprel-unknown: warning
        3-3 a a X _ _ _ {relation} _ _
        3 a a X _ _ 1 dep:any:thing _ _
        3.1 a a X _ _ _ {relation} _ _
        4 a a X _ _ 1 _ _ _
        """)


def test_close_names_are_suggested():
    reading = read(b"1\ta\ta\tnoun\t_\t_\t0\tRoot\t_\t_\n\n")
    upos, deprel = (problem.message for problem in reading.problems)
    assert "did you mean NOUN?" in upos
    assert "did you mean root?" in deprel
    far = read(b"1\ta\ta\tQQ\t_\t_\t0\tzzzz\t_\t_\n\n")
    assert not any("did you mean" in problem.message for problem in far.problems)


@pytest.mark.parametrize(
    ("marked", "what"),
    [
        ("[A]", "feats-format: error"),
        ("A=B|[C]|D", "feats-format: error"),
        ("[A=]", "feats-format: error"),
        ("[=B]|=C", "feats-format: error"),
        ("A=B|[]", "feats-format: error"),
        ("[]|A=B", "feats-format: error"),
        ("É=B|[]|C=D", "feats-format: error"),
        ("A=B|[A=C]|A=D", "feats-duplicate: error"),
        ("A=B|[A=B]", "feats-duplicate: error"),
        ("[B=1|A=1]", "feats-order: hint"),
        ("[Number=Sing|Mood=Ind]", "feats-order: hint"),
        ("2:nsubj|[nsubj]", "deps-format: error"),
        ("[2]", "deps-format: error"),
        ("[2:]", "deps-format: error"),
        ("[2.:x]", "deps-format: error"),
        ("2:x|[]|3:y", "deps-format: error"),
        ("[]|a", "misc-format: warning"),
        ("a|[]", "misc-format: warning"),
        ("é|[]|b|", "misc-format: warning"),
        ("a=b|c|[a=b]|c", "misc-format: warning"),
    ],
)
def test_parts_of_a_cell(marked, what):
    # The brackets stand around what the problem covers.
    before, _, rest = marked.partition("[")
    inside = rest.rpartition("]")[0]
    cell = before + rest.replace("]", "", 1)
    column = {"feats": 5, "deps": 8, "misc": 9}[what.partition("-")[0]]
    for name, head in (("1", "0"), ("0.1", "_")):
        cells = [name, "é", "a", "X", "_", "_", head, "root", "_", "_"]
        cells[column] = cell
        start = len("\t".join([*cells[:column], before]).encode())
        (problem,) = (
            problem
            for problem in read(("\t".join(cells) + "\n\n").encode()).problems
            if problem.code != "no-root"
        )
        assert f"{problem.code}: {problem.severity.label}" == what
        assert (problem.place.start, problem.place.end) == (start, start + len(inside.encode()))
        assert (problem.refuses, problem.script) == (False, False)


@pytest.mark.parametrize(
    ("feats", "deps", "misc"),
    [
        ("A=B=C|b=1|C=x,y|C[psor]=1", "0:root|1.2:conj:and>x", "SpaceAfter=No|x"),
        ("_", "_", "_"),
        ("ab=1|aB[x]=2", "3:é", "no pairs|here"),
    ],
)
def test_good_parts_of_a_cell(check, feats, deps, misc):
    check(f"1 a a X _ {feats} 0 root {deps} {misc.replace(' ', '␣')}")


def test_misc_of_a_range_is_checked_but_no_other_cell_of_it(check):
    check("""
        1-1 a a Y _ A 9 x x a|a
                              ^ misc-format: warning
        1 a a X _ _ 0 root _ _
        """)


def test_a_bad_feature_and_a_doubled_one_are_two_problems_and_order_none(check):
    check("""
        1 a a X _ B=1|A|B=2 0 root _ _
                      ^ feats-format: error
                        ^^^ feats-duplicate: error
        """)


def test_problems_of_a_cell_are_found_again_when_it_is_read_again():
    block = b"1\ta\ta\tQ\t_\tA\t0\tzz\tx\t|\n\n"
    assert read(block) == read(block)
    assert len(read(block).problems) == 5


def test_inventories():
    assert len(inventory.UPOS) == 17
    assert len(inventory.UNIVERSAL_RELATIONS) == 37
    assert len(inventory.UNIVERSAL_FEATURES) == 21
    content, functional = inventory.CONTENT_RELATIONS, inventory.FUNCTIONAL_RELATIONS
    assert not content & functional
    assert inventory.UNIVERSAL_RELATIONS - content - functional == {b"punct"}
    assert functional == {b"aux", b"cop", b"mark", b"det", b"clf", b"case", b"cc"}
