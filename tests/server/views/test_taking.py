"""Gold's words are taken over with their enhanced dependencies, by the numbers of our words."""

from __future__ import annotations

from goldlens.scoring.conllu.editing.replacing import applied
from goldlens.scoring.task import GOLD, PRED
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.engine.listing import Lister
from goldlens.server.engine.pair import Pair
from goldlens.server.views import taking
from goldlens.server.views.repairing import fixes
from goldlens.server.views.trying import betters

Word = tuple[str, int, str]
"""A form, a head and DEPS."""


def rows(*words: Word, node: str = "") -> str:
    """A sentence; `node` is the ID of an empty node behind its last word."""
    made = [
        f"{k}\t{form}\t_\tX\t_\t_\t{head}\t{'dep' if head else 'root'}\t{deps}\t_\n"
        for k, (form, head, deps) in enumerate(words, 1)
    ]
    if node:
        made.append(f"{node}\te\t_\t_\t_\t_\t_\t_\t1:dep\t_\n")
    return "".join(made) + "\n"


class Held:
    """A prediction of one sentence beside its gold."""

    def __init__(self, gold: str, pred: str) -> None:
        self.text = pred.encode()
        self.document = Document(UD.format(PRED), self.text)
        self.pair = Pair(UD, Document(UD.format(GOLD), gold.encode()), self.document)

    def offered(self, line: int) -> list[str]:
        """The titles of what is offered for the wrong attachment in a line."""
        listed = Lister(self.document, self.pair, lambda problem: problem.severity).list(
            [], None, 0
        )
        [found] = [
            each for each in listed.shown if (each.line, each.problem.code) == (line, "las-error")
        ]
        unit = found.unit(found.problem.place)
        return [fix.title for fix in fixes(self.document, self.pair, unit, found.problem)]

    def word(self, number: int) -> tuple[str, str] | None:
        """The title by which a word is taken, and the text after that."""
        offer = taking.word(self.pair, 0, number)
        if offer is None or not betters(self.document, self.pair, offer[1], None):
            return None
        return offer[0], applied(self.text, offer[1].edits).decode()

    def sentence(self) -> tuple[str, str] | None:
        """The same of the sentence."""
        for title, change in taking.whole(self.pair, 0):
            return title, applied(self.text, change.edits).decode()
        return None


GOLD_ROWS = rows(("a", 0, "0:root"), ("b", 1, "1:dep|3:dep"), ("c", 2, "2:dep"))


def test_deps_come_with_the_head() -> None:
    pred = rows(("a", 0, "0:root"), ("b", 1, "1:dep|3:dep"), ("c", 1, "1:dep"))
    held = Held(GOLD_ROWS, pred)
    assert held.offered(2)[0] == "Take gold's HEAD and DEPS: 2 → b, 2:dep"
    assert held.word(3) == ("Take gold's HEAD and DEPS for word 3 (c)", GOLD_ROWS)


def test_deps_alone_are_taken_though_they_are_no_problem() -> None:
    pred = rows(("a", 0, "0:root"), ("b", 1, "1:dep"), ("c", 2, "2:dep"))
    held = Held(GOLD_ROWS, pred)
    assert held.word(2) == ("Take gold's DEPS for word 2 (b)", GOLD_ROWS)
    assert held.sentence() == ("Take gold's sentence", GOLD_ROWS)
    assert held.word(1) is None


def test_no_deps_where_a_side_has_no_enhanced_graph() -> None:
    without = rows(("a", 0, "_"), ("b", 1, "_"), ("c", 1, "_"))
    assert Held(GOLD_ROWS, without).offered(2)[0] == "Take gold's HEAD: 2 → b"
    bare = rows(("a", 0, "_"), ("b", 1, "_"), ("c", 2, "_"))
    pred = rows(("a", 0, "0:root"), ("b", 1, "1:dep"), ("c", 1, "1:dep"))
    assert Held(bare, pred).offered(2)[0] == "Take gold's HEAD: 2 → b"
    one = rows(("a", 0, "0:root"), ("b", 1, "_"), ("c", 2, "2:dep"))
    assert Held(GOLD_ROWS, one).word(2) == ("Take gold's DEPS for word 2 (b)", GOLD_ROWS)


def test_heads_in_deps_have_our_numbers() -> None:
    """Where gold has other words, edges lead to those that stand for gold's."""
    gold = rows(("ab", 0, "0:root"), ("c", 3, "1:x|3:dep"), ("d", 1, "1:dep"))
    pred = [("a", 0, "0:root"), ("b", 1, "1:dep"), ("c", 1, "1:dep"), ("d", 1, "1:dep")]
    held = Held(gold, rows(*pred))
    # “ab” is no word of ours, so that what leads from it cannot be said.
    assert held.offered(2)[0] == "Take gold's HEAD: 4 → d"
    held = Held(gold.replace("1:x|3:dep", "0:x|3:dep"), rows(*pred))
    assert held.offered(2)[0] == "Take gold's HEAD and DEPS: 4 → d, 0:x|4:dep"
    assert held.word(3) == (
        "Take gold's HEAD and DEPS for word 3 (c)",
        rows(*pred[:2], ("c", 4, "0:x|4:dep"), pred[3]),
    )


def test_edges_from_empty_nodes_need_the_node() -> None:
    gold = rows(("a", 0, "0:root"), ("b", 1, "2.1:dep"), node="2.1")
    ours = [("a", 0, "0:root"), ("b", 1, "1:dep")]
    assert Held(gold, rows(*ours)).word(2) is None
    assert Held(gold, rows(*ours, node="2.1")).word(2) == (
        "Take gold's DEPS for word 2 (b)",
        gold,
    )


def test_a_word_is_offered_before_its_sentence() -> None:
    pred = GOLD_ROWS.replace("\tX\t", "\tNOUN\t").replace("NOUN\t_\t_\t2", "NOUN\t_\t_\t1")
    titles = Held(GOLD_ROWS, pred).offered(2)
    assert [title.partition(":")[0] for title in titles if "gold's" in title] == [
        "Take gold's HEAD",
        "Take gold's UPOS and HEAD for word 3 (c)",
        "Take gold's sentence",
    ]
