"""Each thing that can be done about a problem makes the text better, and nothing worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings

from goldlens.scoring.classification.task import CLASSIFICATION
from goldlens.scoring.conllu.editing.replacing import applied
from goldlens.scoring.perturb.conllu import perturbed_conllu
from goldlens.scoring.perturb.seeded import UD_KINDS
from goldlens.scoring.spans.task import Spans
from goldlens.scoring.stemming.task import STEMMING
from goldlens.scoring.task import GOLD, PRED, Task
from goldlens.scoring.text import BOM
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.engine.listing import Lister, Located
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.wholefile import file_problems
from goldlens.server.views import whole
from goldlens.server.views.fix import Fix
from goldlens.server.views.repairing import all_of, fixes
from goldlens.server.views.trying import OF_A_ROW, OF_A_TREE, Change
from goldlens.server.views.whole import MARK, of_file
from tests.strategies import fragments, texts

COMPARED = frozenset(
    (*UD.codes, *Spans().codes, *CLASSIFICATION.codes, *STEMMING.codes, *OF_A_TREE)
)
"""Codes that may come to light when a sentence becomes legible."""

ASKED = frozenset(("sent-id-missing", "text-missing"))


class Held:
    """A prediction, alone or beside gold."""

    def __init__(
        self, task: Task, gold: bytes | None, pred: bytes, asked: frozenset[str] = frozenset()
    ) -> None:
        self.task, self.gold, self.asked = task, gold, asked
        self.document = Document(task.format(PRED), pred, extra=asked)
        there = None if gold is None else Document(task.format(GOLD), gold)
        self.pair = None if there is None else Pair(task, there, self.document)

    def problems(self) -> list[Located]:
        lister = Lister(self.document, self.pair, lambda problem: problem.severity)
        whole = file_problems(self.document, pair=self.pair)
        return list(lister.list(whole, None, 0).shown)

    def codes(self) -> Counter[str]:
        return Counter(found.problem.code for found in self.problems())

    def fixes(self, found: Located) -> list[Fix]:
        code = found.problem.code
        if code in whole.CODES:
            return list(of_file(self.document, code))
        unit = found.unit(found.problem.place)
        return list(fixes(self.document, self.pair, unit, found.problem))

    def after(self, *changes: Change) -> Held:
        """What it is after some changes."""
        texts = [unit.text for unit in self.document.units]
        bom = BOM if self.document.bom and MARK not in changes else b""
        edits = []
        for change in changes:
            before = sum(map(len, texts[: change.first]))
            edits += [
                type(each)(each.start + before, each.end + before, each.new)
                for each in change.edits
            ]
        return Held(self.task, self.gold, bom + applied(b"".join(texts), edits), self.asked)


def check(held: Held, most: int = 30) -> dict[str, int]:
    """Tries all that is offered; how much that was, by code."""
    was = held.codes()
    offered: Counter[str] = Counter()
    for found in held.problems()[:most]:
        code = found.problem.code
        for fix in held.fixes(found):
            now = held.after(fix.change).codes()
            more = {name for name, count in now.items() if count > was[name]}
            assert now[code] < was[code], (code, fix.title)
            legible = (COMPARED if fix.revealing else set()) | (OF_A_ROW if fix.reading else set())
            assert not more - legible, (code, fix.title, more)
            offered[code] += 1
    return offered


def task_of(file: Path) -> Task:
    if file.suffix == ".conllu":
        return UD
    if file.suffix == ".iob2":
        return Spans()
    return STEMMING if ".stems" in file.name else CLASSIFICATION


def gold_of(file: Path) -> bytes | None:
    name = "gold.groups.tsv" if ".stems" in file.name else f"gold{file.suffix}"
    gold = file.parent / name
    return gold.read_bytes() if gold.exists() else None


def test_on_every_case(shared: Path) -> None:
    """With its gold and without."""
    offered: Counter[str] = Counter()
    files = [
        file
        for file in sorted((shared / "cases").glob("*/*pred*"))
        if file.suffix in (".conllu", ".iob2", ".tsv", ".jsonl")
    ]
    assert len(files) > 50
    for file in files:
        for gold in (None, gold_of(file)):
            offered.update(check(Held(task_of(file), gold, file.read_bytes()), 8))
    assert offered.keys() >= {
        "las-error", "feats-error", "head-cycle", "multiple-roots", "head-missing",
        "head-out-of-range", "head-not-a-number", "id-sequence", "column-count", "blank-line",
        "feats-order", "feats-duplicate", "stream-mismatch", "word-alignment", "root-relation",
        "iob2-malformed", "iob2-tag", "iob2-scheme", "span-error", "form-missing",
        "token-text", "class-error", "id-missing", "id-duplicate",
        "form-extra", "bom",
    }  # fmt: skip


GOOD = """\
# sent_id = s1
# text = Im Haus isst sie grünen Käse 🧀.
1-2\tIm\t_\t_\t_\t_\t_\t_\t_\t_
1\tin\tin\tADP\t_\t_\t3\tcase\t_\t_
2\tdem\tder\tDET\t_\tCase=Dat|Number=Sing\t3\tdet\t_\t_
3\tHaus\tHaus\tNOUN\t_\tCase=Dat|Number=Sing\t4\tobl\t4:obl:in\t_
4\tisst\tessen\tVERB\t_\t_\t0\troot\t0:root\t_
4.1\tx\tx\tX\t_\t_\t_\t_\t4:dep\t_
5\tsie\tsie\tPRON\t_\t_\t4\tnsubj\t4:nsubj|4.1:nsubj\t_
6\tgrünen\tgrün\tADJ\tNN\tCase=Acc\t7\tamod\t_\t_
7\tKäse\tKäse\tNOUN\t_\tCase=Acc\t4\tobj\t_\t_
8\t🧀\t🧀\tSYM\t_\t_\t7\tappos\t_\tSpaceAfter=No
9\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\tA=1|B=2

# sent_id = s2
# text = So etwas
1\tSo\tso\tADV\t_\t_\t2\tadvmod\t_\t_
2\tetwas\tetwas\tPRON\t_\t_\t0\troot\t_\t_

"""


def put(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


FAULTS: dict[str, tuple[str, Callable[[str], str]]] = {
    "features in disorder": ("feats-order", put("Case=Dat|Number=Sing", "Number=Sing|Case=Dat")),
    "a feature twice": ("feats-duplicate", put("Case=Acc\t7", "Case=Acc|Case=Acc\t7")),
    "a feature with two values": ("feats-duplicate", put("Case=Acc\t7", "Case=Acc|Case=Dat\t7")),
    "an empty feature": ("feats-format", put("Case=Acc\t7", "|Case=Acc||\t7")),
    "an empty edge": ("deps-format", put("4:nsubj|4.1", "4:nsubj||4.1")),
    "an empty part": ("misc-format", put("A=1|B=2", "A=1||B=2")),
    "a part twice": ("misc-format", put("A=1|B=2", "A=1|A=1")),
    "white space": ("form-whitespace", put("7\tKäse\tKäse", "7\tKäse\tKäse ")),
    "an empty cell": ("empty-cell", put("ADJ\tNN", "ADJ\t")),
    "an empty head": ("empty-cell", put("\t7\tamod", "\t\tamod")),
    "a row twice": (
        "id-sequence",
        put("2\tetwas\tetwas", "2\tetwas\tetwas\tPRON\t_\t_\t0\troot\t_\t_\n2\tetwas\tetwas"),
    ),
    "an empty ID": ("empty-cell", put("\n6\tgr", "\n\tgr")),
    "a small tag": ("upos-unknown", put("ADJ", "adj")),
    "another tag": ("upos-unknown", put("PUNCT", "PUNCTU")),
    "a large relation": ("deprel-unknown", put("amod", "AMOD")),
    "another relation": ("deprel-unknown", put("nsubj\t4:", "nsub\t4:")),
    "a long row": ("column-count", put("amod\t_\t_", "amod\t_\t_\t")),
    "a short row": ("column-count", put("amod\t_\t_", "amod\t_")),
    "a row without XPOS": ("column-count", put("ADJ\tNN\tCase", "ADJ\tCase")),
    "a row of spaces": (
        "column-count",
        put("1\tSo\tso\tADV\t_\t_\t2\tadvmod\t_\t_", "1   So so ADV _ _ 2 advmod _ _"),
    ),
    "a form broken in two": ("column-count", put("6\tgrünen", "6\tgrü\nnen")),
    "a row broken twice": ("column-count", put("6\tgrünen\tgrün", "6\tgrü\nnen\tgr\nün")),
    "a row broken at a tab": ("column-count", put("6\tgrünen", "6\t\ngrünen")),
    "a word that is a break": ("column-count", put("6\tgrünen\tgrün", "6\t\n\t\n")),
    "doubled tabs": ("column-count", put("7\tKäse\tKäse", "7\tKäse\t\tKäse")),
    "a skipped ID": ("id-sequence", put("\n9\t.", "\n10\t.")),
    "an ID twice": ("id-sequence", put("\n6\tgr", "\n5\tgr")),
    "an ID that is no number": ("id-sequence", put("\n6\tgr", "\nsix\tgr")),
    "an empty node's ID": ("id-sequence", put("\n4.1\t", "\n4.2\t")),
    "a range turned round": ("id-range", put("\n1-2\t", "\n2-1\t")),
    "a head outside": ("head-out-of-range", put("\t7\tamod", "\t77\tamod")),
    "a head that is no number": ("head-not-a-number", put("\t7\tamod", "\tx\tamod")),
    "a head missing": ("head-missing", put("\t7\tamod", "\t_\tamod")),
    "a ring of one": ("head-cycle", put("\t7\tamod", "\t6\tamod")),
    "a ring of two": ("head-cycle", put("\t4\tobj", "\t6\tobj")),
    "a ring and no root": ("head-cycle", put("\t0\troot\t_", "\t1\troot\t_")),
    "no word at all": (
        "no-root",
        put(
            "# sent_id = s2\n", "# sent_id = e\n0.1\tx\tx\tX\t_\t_\t_\t_\t_\t_\n\n# sent_id = s2\n"
        ),
    ),
    "two roots": ("multiple-roots", put("\t4\tnsubj", "\t0\troot")),
    "a root that is none": ("root-relation", put("\t0\troot\t_", "\t0\tdep\t_")),
    "root for another": ("root-relation", put("\t4\tnsubj", "\t4\troot")),
    "a line before": ("blank-line", lambda text: "\n" + text),
    "a line too many": ("blank-line", put("\n\n", "\n\n\n")),
    "a line that is not blank": ("blank-line", put("\n\n", "\n \t\n")),
    "no blank line": ("missing-blank-line", put("\n\n#", "\n#")),
    "no blank line at the end": ("missing-blank-line", lambda text: text[:-1]),
    "no line end at the end": ("missing-blank-line", lambda text: text[:-2]),
    "a blank at the very end": ("blank-line", lambda text: text[:-1] + " "),
    "a tab at the very end": ("blank-line", lambda text: text[:-1] + "\t"),
    "a comment inside": ("comment-position", put("\n6\tgr", "\n# odd\n6\tgr")),
    "a comment at the end": ("comment-position", lambda text: text + "# odd\n"),
    "another text": ("text-mismatch", put("So etwas", "So was")),
    "an empty text": ("text-mismatch", put("# text = So etwas", "# text =")),
    "a name twice": ("sent-id-duplicate", put("s2", "s1")),
    "no name": ("sent-id-missing", put("# sent_id = s2\n", "")),
    "no text": ("text-missing", put("# text = So etwas\n", "")),
    "another ending": ("line-ending", lambda text: text.replace("\n", "\r\n")),
    "a mark": ("bom", lambda text: "\ufeff" + text),
}


@pytest.mark.parametrize("against", ["nothing", "gold"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_can_be_repaired(fault: str, ending: str, against: str) -> None:
    code, change = FAULTS[fault]
    text = change(GOOD)
    if ending != "\n":
        text = text.replace("\r\n", "\n").replace("\n", ending)
    gold = GOOD.encode() if against == "gold" else None
    held = Held(UD, gold, text.encode(), ASKED)
    assert code in held.codes()
    offered = check(held)
    assert offered[code], held.codes()


@pytest.mark.parametrize("seed", range(8))
def test_after_perturbation(seed: int) -> None:
    """What differs from gold is taken over from there."""
    text = perturbed_conllu(GOOD.encode(), dict.fromkeys(UD_KINDS, 0.2), seed)
    held = Held(UD, GOOD.encode(), text)
    offered = check(held)
    compared = {code for code in held.codes() if code in UD.codes}
    assert offered.keys() >= compared - {"sentence-boundary"}


@given(texts(), texts(), fragments())
@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
def test_on_any_text(gold: str, pred: str, more: str) -> None:
    """Whatever stands there."""
    check(Held(UD, None, (pred + more).encode()), 12)
    check(Held(UD, gold.encode(), pred.encode()), 6)
    held = Held(UD, None, (pred + more).encode())
    safe = [
        c for k in range(len(held.document.units)) for c in all_of(held.document, None, k, None)
    ]
    assert held.after(*safe).codes() <= held.codes()


def test_all_of_a_kind_and_all_that_is_safe() -> None:
    text = GOOD
    for fault in ("features in disorder", "a part twice", "a line too many", "a ring of one"):
        text = FAULTS[fault][1](text)
    text = put("Case=Dat|Number=Sing", "Number=Sing|Case=Dat")(text)
    held = Held(UD, None, text.encode())
    assert held.codes()["feats-order"] == 2

    def repaired(codes: frozenset[str] | None) -> Counter[str]:
        units = range(len(held.document.units))
        changes = [each for k in units for each in all_of(held.document, None, k, codes)]
        return held.after(*changes).codes()

    of_order = repaired(frozenset(("feats-order",)))
    assert of_order == held.codes() - Counter({"feats-order": 2})
    # Which of its words leaves a ring is for people to say.
    assert repaired(None).keys() == {"head-cycle"}


def test_multiword_tokens_are_golds_and_nothing_else() -> None:
    # The texts are the same, so that the words are compared.
    joined = GOOD.replace("\tIm\t", "\tindem\t").replace("# text = Im Haus", "# text = indem Haus")
    apart = "".join(line for line in GOOD.splitlines(keepends=True) if "\tIm\t" not in line)
    apart = apart.replace("# text = Im Haus", "# text = indem Haus")
    apart = apart.replace(
        "1\tin\tin\tADP\t_\t_\t3\tcase\t_\t_", "1\tin\tin\tX\t_\t_\t3\tcase\t_\t_"
    )
    for gold, pred, title in (
        (joined, apart, "Take gold's multiword tokens: indem"),
        (apart, joined, "Take the ranges out"),
    ):
        pred, gold = (each.replace("# text = indem", "# txt = indem") for each in (pred, gold))
        held = Held(UD, gold.encode(), pred.encode())
        found = next(each for each in held.problems() if each.problem.code == "token-boundary")
        fix = next(each for each in held.fixes(found) if "rows" not in each.title)
        assert fix.title == title
        now = held.after(fix.change)
        assert now.codes()["token-boundary"] == 0
        assert now.codes()["tag-error"] == held.codes()["tag-error"] == 1


def test_of_several_multiword_tokens_only_those_that_differ_change() -> None:
    words = [f"{k}\t{form}\t_\tX\t_\t_\t{k - 1}\t{'dep' if k > 1 else 'root'}\t_\t_\n"
             for k, form in enumerate("abcd", 1)]  # fmt: skip
    blank = "\t_" * 8 + "\n"

    def text(*ranges: tuple[int, str]) -> bytes:
        rows = list(words)
        for at, form in reversed(ranges):
            rows.insert(at - 1, f"{at}-{at + 1}\t{form}{blank}")
        return ("".join(rows) + "\n").encode()

    held = Held(UD, text((1, "ab"), (3, "cd")), text((3, "cd")))
    found = next(each for each in held.problems() if each.problem.code == "token-boundary")
    [fix, *_] = held.fixes(found)
    assert held.after(fix.change).document.text() == text((1, "ab"), (3, "cd"))
    assert len(fix.change.edits) == 1


def test_a_row_is_joined_as_it_was_parted() -> None:
    for old, broken, now in (
        ("6\tgrünen", "6\tgrü\nnen", "6\tgrü nen"),
        ("6\tgrünen\tgrün", "6\tgrünen\n\tgr\nün", "6\tgrünen\tgr ün"),
        ("6\tgrünen\tgrün", "6\t\n\tgrün", "6\t_\tgrün"),
        ("Case=Dat|Number=Sing", "Case=Dat|Num\nber=Sing", "Case=Dat|Number=Sing"),
    ):
        held = Held(UD, None, put(old, broken)(GOOD).encode())
        for found in held.problems():
            if found.problem.code == "column-count":
                fix = held.fixes(found)[0]
                assert fix.title.startswith("Join the ")
                expected = GOOD.replace(old, now).encode()
                assert held.after(fix.change).document.text() == expected


def test_a_row_does_not_swallow_the_next_one() -> None:
    # The cells of the next have lost their tabs, and would all fit into MISC. (The text says
    # nothing of an empty node, so that nobody else would miss it.)
    row = next(line for line in GOOD.splitlines() if line.startswith("4.1\t"))
    held = Held(UD, None, GOOD.replace(row, row.replace("\t", " ")).encode())
    [found] = [each for each in held.problems() if each.problem.code == "column-count"]
    assert [fix.title for fix in held.fixes(found)] == ["Put one tab between the cells"]


def test_the_form_of_a_multiword_token_is_not_made_up() -> None:
    # What it is decides the text: `_` would be another one.
    row = next(line for line in GOOD.splitlines() if "-" in line.partition("\t")[0])
    number, _, rest = row.split("\t", 2)
    held = Held(UD, GOOD.encode(), GOOD.replace(row, f"{number}\t\t{rest}").encode())
    assert held.codes()["empty-cell"] == 1
    safe = [
        each
        for k in range(len(held.document.units))
        for each in all_of(held.document, held.pair, k, None)
    ]
    assert safe == []


def test_titles_say_what_will_be() -> None:
    held = Held(UD, GOOD.encode(), FAULTS["a ring of two"][1](GOOD).encode())
    [found] = [found for found in held.problems() if found.problem.code == "head-cycle"]
    titles = [fix.title for fix in held.fixes(found)]
    assert titles[0] == "Take gold's heads for the words of the ring"
    alone = Held(UD, None, FAULTS["a ring of two"][1](GOOD).encode())
    [found] = [found for found in alone.problems() if found.problem.code == "head-cycle"]
    assert [fix.title for fix in alone.fixes(found)] == [
        "Attach 6 → grünen to the root, 4 → isst",
        "Attach 7 → Käse to the root, 4 → isst",
    ]


def test_a_cell_is_changed_and_no_line() -> None:
    held = Held(UD, None, FAULTS["a small tag"][1](GOOD).encode())
    [found] = held.problems()
    [edit] = held.fixes(found)[0].change.edits
    assert (edit.end - edit.start, edit.new) == (3, b"ADJ")


def test_golds_head_has_our_number() -> None:
    """Where gold has other words, heads have other IDs."""

    def rows(*words: tuple[str, int]) -> bytes:
        made = [
            f"{k}\t{form}\t_\t_\t_\t_\t{head}\t{'dep' if head else 'root'}\t_\t_\n"
            for k, (form, head) in enumerate(words, 1)
        ]
        return ("".join(made) + "\n").encode()

    gold = rows(("ab", 0), ("c", 3), ("d", 1))
    held = Held(UD, gold, rows(("a", 0), ("b", 1), ("c", 1), ("d", 1)))
    titles = [
        fix.title
        for found in held.problems()
        if found.problem.code == "las-error" and found.line == 2
        for fix in held.fixes(found)
    ]
    assert titles[0] == "Take gold's HEAD: 4 → d"
