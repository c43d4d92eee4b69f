"""What UD's validator says, kept sentence by sentence."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator

import pytest

from goldlens.scoring.conllu.rows import DEPREL, FEATS, UPOS
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.validation.findings import WHOLE_FILE, Finding, is_complete, read
from goldlens.server.validation.process import UNIVERSAL, command
from goldlens.server.validation.validated import Plan, Validated


def sentence(name: str, tag: str = "NOUN", features: str = "_") -> str:
    row = f"1\t{name}\t{name}\t{tag}\t_\t{features}\t0\troot\t_\t_\n"
    return f"# sent_id = {name}\n# text = {name}\n{row}\n"


def document(*sentences: str) -> Document:
    return Document(UD, "".join(sentences).encode())


def said(*found: tuple[int, str]) -> str:
    """What the validator writes of lines (from 1)."""
    lines = [f"[Line {line} Sent x]: [L2 MORPHO {test}] Bad: '[x]: y'." for line, test in found]
    return "\n".join([*lines, "", "An explanation.", f"*** FAILED *** with {len(found)} errors"])


def placed(validated: Validated, held: Document) -> list[tuple[int, str]]:
    return [(line, finding.test) for line, finding in validated.placed(held)]


def test_each_line_is_a_finding_and_explanations_are_left_out() -> None:
    output = (
        "[Line 3 Sent s1]: [L4 MORPHO feature-unknown] Feature Bad is not documented.\n\n"
        "It can be at the address below:\nhttps://quest\n\n"
        "[Line 9 Sent None]: [L3 WARNING pron-det-without-prontype] The word 'We'\n"
        "Warnings: 1\nMORPHO errors: 1\n*** FAILED *** with 1 errors\n"
    )
    assert list(read(output)) == [
        Finding(2, False, 4, "feature-unknown", "Feature Bad is not documented."),
        Finding(8, True, 3, "pron-det-without-prontype", "The word 'We'"),
    ]
    assert is_complete(output) and is_complete("*** PASSED ***")
    assert not is_complete("Traceback (most recent call last):\nKeyError: '*** PASSED ***'")


def test_the_name_of_a_test_tells_the_column() -> None:
    def column(test: str) -> int | None:
        return Finding(0, False, 2, test, "").column

    assert column("unknown-upos") == UPOS
    assert column("unsorted-features") == column("feature-upos-not-permitted") == FEATS
    assert column("unknown-udeprel") == column("rel-upos-aux") == DEPREL
    assert column("missing-text") is column("number-of-columns") is None


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_however_lines_end_it_is_told_of_the_same_lines(ending: str) -> None:
    held = document(*[sentence(name).replace("\n", ending) for name in ("a", "b")])
    validated = Validated()
    plan = validated.plan(held)
    assert plan is not None and plan.text.decode() == sentence("a") + sentence("b")
    validated.take(plan, said((7, "unknown-upos")))
    assert placed(validated, held) == [(6, "unknown-upos")]


def test_the_first_time_all_is_sent_then_what_has_changed() -> None:
    validated, a, b, c = Validated(), sentence("a"), sentence("b"), sentence("c")
    plan = validated.plan(document(a, b))
    assert plan == Plan((a.encode(), b.encode()), whole=True) and plan.excluded == ()
    validated.take(plan, said((7, "unknown-upos")))
    assert placed(validated, document(a, b)) == [(6, "unknown-upos")]
    assert validated.plan(document(a, b)) is None
    assert validated.plan(document(b, a, b)) is None
    plan = validated.plan(document(c, a, b))
    assert plan == Plan((c.encode(),), whole=False) and plan.excluded == WHOLE_FILE
    validated.take(plan, said((3, "missing-text")))
    assert placed(validated, document(c, a, b)) == [(2, "missing-text"), (10, "unknown-upos")]


def test_findings_move_with_their_sentence_and_go_when_it_changes() -> None:
    validated, a, b = Validated(), sentence("a"), sentence("b")
    plan = validated.plan(document(a, b))
    assert plan is not None
    before = validated.revision
    validated.take(plan, said((7, "unknown-upos")))
    assert validated.revision != before
    assert placed(validated, document(b)) == [(2, "unknown-upos")]
    assert placed(validated, document(a, "# new\n" + b)) == []


def test_what_is_said_of_lines_that_are_not_there_is_said_of_the_last() -> None:
    validated, held = Validated(), document(sentence("a"), sentence("b"))
    plan = validated.plan(held)
    assert plan is not None
    validated.take(plan, said((0, "x"), (99, "y")))
    assert [test for _, test in placed(validated, held)] == ["x", "y"]


def test_a_sentence_with_features_goes_along_and_nothing_more_is_said_of_it() -> None:
    validated, a, b = Validated(), sentence("a", features="Number=Sing"), sentence("b")
    plan = validated.plan(document(a))
    assert plan is not None
    validated.take(plan, said((3, "feature-unknown")))
    plan = validated.plan(document(a, b))
    assert plan is not None and plan.text == (a + b).encode()
    validated.take(plan, said((3, "feature-unknown"), (3, "x"), (7, "y")))
    assert placed(validated, document(a, b)) == [(2, "feature-unknown"), (6, "y")]


def test_sentences_that_hang_together_are_one() -> None:
    validated, b = Validated(), sentence("b")
    held = document(sentence("a").rstrip("\n") + "\n", b)
    assert len(held.units) == 2
    plan = validated.plan(held)
    assert plan is not None and len(plan.sentences) == 1
    validated.take(plan, said((6, "x")))
    assert placed(validated, held) == [(5, "x")]


def run(plan: Plan, language: str = UNIVERSAL) -> str:
    made = subprocess.run(
        command(language, plan.excluded), input=plan.text, capture_output=True, check=False
    )
    output = made.stderr.decode()
    assert is_complete(output), output
    return output


def texts() -> Iterator[Document]:
    """A text and what becomes of it."""
    a, b, we = sentence("a"), sentence("b", "VRB"), sentence("we", "PRON")
    featured = sentence("c", features="Number=Sing|Case=Nom")
    yield document(a, b, we)
    yield document(a, b, featured, we)
    yield document(sentence("a", "X", "Foo=bar"), b, featured, we)
    yield document(b, featured, "1\tx\n", we, b)
    yield document(b.replace("\n", "\r\n"), featured, sentence("d", "PRON"), we)


def texts_of_a_treebank() -> Iterator[Document]:
    """Sentences with trees and graphs that come, go, change places and change."""
    plain = (
        "# sent_id = p\n# text = Dogs barks .\n"
        "1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t2:nsubj\t_\n"
        "2\tbarks\tbark\tVERB\tVBZ\tMood=Ind\t0\troot\t0:root\t_\n"
        "3\t.\t.\tPUNCT\t.\t_\t1\tpunct\t1:punct\t_\n\n"
    )
    ring = plain.replace("2:nsubj", "1:nsubj").replace("= p", "= r")
    lost = plain.replace("\t0\troot", "\t1\troot").replace("= p", "= l")
    aux = plain.replace("VERB", "AUX").replace("= p", "= x")
    yield document(plain, ring)
    yield document(ring, aux, plain)
    yield document(plain, lost, lost, aux)
    yield document(aux.replace("Mood=Ind", "_"), ring.replace("\t2:nsubj", "\t_"), lost)


@pytest.mark.parametrize(("language", "states"), [(UNIVERSAL, texts), ("en", texts_of_a_treebank)])
def test_by_and_by_the_same_is_found_as_at_once(
    language: str, states: Callable[[], Iterator[Document]]
) -> None:
    validated = Validated()
    parts = 0
    for held in states():
        plan = validated.plan(held)
        assert plan is not None
        parts += not plan.whole
        validated.take(plan, run(plan, language))
        fresh = Validated()
        whole = fresh.plan(held)
        assert whole is not None and whole.whole
        fresh.take(whole, run(whole, language))
        now, then = (
            {each for each in placed(v, held) if each[1] not in WHOLE_FILE}
            for v in (validated, fresh)
        )
        assert now == then and now
    assert parts >= 2


def test_of_a_part_nothing_is_said_that_depends_on_the_whole() -> None:
    same = tuple(sentence("a", tag).encode() for tag in ("NOUN", "X"))
    assert "non-unique-sent-id" in run(Plan(same, whole=True))
    assert "non-unique-sent-id" not in run(Plan(same, whole=False))
