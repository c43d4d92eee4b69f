"""sent_id and text."""

import pytest

from goldlens.scoring.conllu.reader import read

ROWS = """
        1 Dogs a X _ _ 0 root _ _
        2-3 don't _ _ _ _ _ _ _ SpaceAfter=No
        2 do a X _ _ 1 dep _ _
        3 n't a X _ _ 1 dep _ _
        3.1 x a X _ _ _ _ _ _
        4 . a X _ _ 1 dep _ x|SpaceAfter=No
        5 So a X _ _ 1 dep _ NotSpaceAfter=No
        6 a␣b a X _ _ 1 dep _ _
"""


@pytest.mark.parametrize(
    "comment",
    [
        "#␣text␣=␣Dogs␣don't.So␣a␣b",
        "#text=Dogs␣don't.So␣a␣b",
        "#␣␣text␣␣=␣␣␣Dogs␣␣don't.So␣\u00a0a␣b␣␣",
        "#␣text_en␣=␣something␣else",
        "#␣newdoc",
        "#␣note␣=␣a␣=␣b␣=␣c",
        "#␣text␣without␣equals␣sign",
        "#",
    ],
)
def test_comments_without_problems(check, comment):
    check(f"        {comment}{ROWS}".replace("b␣␣", "b␣"))


@pytest.mark.parametrize("comment", ["#␣text␣=", "#␣text", "#text=␣␣"])
def test_text_without_a_value(check, comment):
    end = len(comment.rstrip("␣"))
    check(f"        {comment}\n        {' ' * end}| text-mismatch: warning{ROWS}")


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("Dogs␣don't␣.So␣a␣b", "character 11: it has ' .So"),
        ("Dogs␣don't.Só␣a␣b", "U+00F3"),
        ("Dogs␣don't.So␣a", "nothing more"),
        ("Dogs␣don't.So␣a␣b!", "the forms give nothing more"),
        ("Dogs␣don't.Soa␣b", "character 14"),
    ],
)
def test_text_that_differs(check, value, says):
    mark = "^" * len(value)
    reading = check(
        f"        #␣text␣=␣{value}\n                 {mark} text-mismatch: warning{ROWS}"
    )
    assert says in reading.problems[0].message


def test_only_the_first_text_counts(check):
    check("""
        #␣text␣=␣a
        #␣text␣=␣b
        1 a a X _ _ 0 root _ _
        """)


@pytest.mark.parametrize(
    ("comments", "sent_id"),
    [
        ("# sent_id = a", b"a"),
        ("#sent_id=  a b  ", b"a b"),
        ("# sent_id = a=b", b"a=b"),
        ("# sent_id = a\n# sent_id = b", b"a"),
        ("# sent_id = é", "é".encode()),
        ("# sent_id =", None),
        ("# sent_id", None),
        ("# my_sent_id = a\n# sent_id_old = b", None),
    ],
)
def test_sent_id(comments, sent_id):
    reading = read(f"{comments}\n1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n".encode())
    assert reading.problems == ()
    assert reading.sent_id == sent_id


def test_what_a_sentence_lacks_is_told_only_when_asked(check):
    asked = frozenset({"sent-id-missing", "text-missing"})
    check(
        """
        #␣x
        | sent-id-missing: warning
        | text-missing: warning
        1 a a X _ _ 0 root _ _
        """,
        extra=asked,
    )
    check(
        """
        1 a a X _ _ 0 root _ _
        | text-missing: warning
        """,
        extra=frozenset({"text-missing"}),
    )
    check("1 a a X _ _ 0 root _ _")
    check("#␣sent_id␣=␣x\n#␣text␣=␣a\n1 a a X _ _ 0 root _ _", extra=asked)
    check("⏎\n| blank-line: warning script", extra=asked)
