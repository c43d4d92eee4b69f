"""What gold has where the prediction differs, and what is coloured as what."""

from __future__ import annotations

from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.views.colouring import MODIFIERS, TYPES, stretches
from goldlens.server.views.differing import differences, make_ready

GOLD = (
    "# text = a b\n1\ta\ta\tX\tY\tCase=Nom|Number=Sing\t2\tdep:x\t_\t_\n"
    "2\tb\tb\tX\t_\t_\t0\troot\t_\t_\n\n"
)


def pair(pred: str, gold: str = GOLD) -> Pair:
    return Pair(UD, *(Document(UD, text.encode()) for text in (gold, pred)))


def said(held: Pair, unit: int = 0) -> list[tuple[int, str]]:
    return [(each.line, each.gold) for each in differences(held, unit)]


def cells(held: Pair) -> list[str]:
    """The cells that differ."""
    return [
        held.pred.line(each.line)[start:end].decode()
        for each in differences(held, 0)
        for start, end in each.spans
    ]


def test_nothing_is_said_of_what_is_the_same() -> None:
    assert differences(pair(GOLD), 0) == []
    # Neither subtypes nor the order of features count.
    other = GOLD.replace("dep:x", "dep:y").replace("Case=Nom|Number=Sing", "Number=Sing|Case=Nom")
    assert differences(pair(other), 0) == []
    assert differences(pair(GOLD), 7) == differences(pair(GOLD), -1) == []


def test_each_cell_that_differs() -> None:
    text = GOLD.replace("a\ta\tX\tY\tCase=Nom|Number=Sing", "a\tz\tN\tZ\tCase=Acc|Mood=Ind")
    held = pair(text.replace("dep:x", "obj"))
    assert said(held) == [
        (1, "2 dep:x · X · Y · lemma a · Case=Nom Number=Sing no Mood"),
    ]
    assert cells(held) == ["z", "N", "Z", "Case=Acc|Mood=Ind", "obj"]
    assert cells(pair(GOLD.replace("dep:x", "obj"))) == ["obj"]


def test_words_that_gold_has_otherwise() -> None:
    held = pair("1\tab\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    assert said(held) == [(0, "a + b")]
    assert cells(held) == ["ab"]


def test_heads_across_a_sentence_end_that_gold_lacks() -> None:
    row = "1\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_\n".format
    gold = row("a", "X", 0, "root") + row("b", "X", 1, "dep").replace("1", "2", 1) + "\n"
    held = pair(row("a", "Y", 0, "root") + "\n" + row("b", "X", 0, "root") + "\n", gold)
    assert said(held, 0) == [(0, "X")]
    # The head is a word of another sentence here.
    assert said(held, 1) == [(0, "“a” dep")]


def test_what_is_long_is_cut() -> None:
    features = "|".join(f"F{k}=Yes" for k in range(40))
    held = pair(GOLD.replace("\tX\tY", "\tN\tY"), GOLD.replace("\tX\tY", f"\t{'X' * 200}\tY"))
    assert features and len(said(held)[0][1]) == 80 and said(held)[0][1].endswith("…")


def test_the_same_is_said_when_it_is_made_ready() -> None:
    text = "".join(GOLD.replace("dep:x", f"r{k % 3}").replace("text", f"k{k}") for k in range(20))
    gold = "".join(GOLD.replace("text", f"k{k}") for k in range(20))
    one, all_at_once = pair(text, gold), pair(text, gold)
    make_ready(all_at_once, range(20))
    for unit in range(20):
        assert differences(one, unit) == differences(all_at_once, unit) != []


def coloured(text: str, unit: int = 0) -> list[tuple[str, str]]:
    document = Document(UD, text.encode())
    base = int(document.line_starts[unit])
    found = []
    for line, start, end, kind, modifiers in stretches(document, unit, []):
        names = [name for bit, name in enumerate(MODIFIERS) if modifiers & 1 << bit]
        cell = document.line(base + line)[start:end].decode()
        found.append((cell, " ".join([TYPES[kind], *names])))
    return found


def test_columns_features_and_comments() -> None:
    assert coloured(GOLD)[:10] == [
        ("text", "commentKey"),
        ("1", "id"),
        ("a", "form"),
        ("a", "lemma"),
        ("X", "upos"),
        ("Y", "xpos"),
        ("Case", "feature"),
        ("Nom", "featureValue"),
        ("Number", "feature"),
        ("Sing", "featureValue"),
    ]


def test_rows_that_are_broken() -> None:
    assert coloured("x\ty\n") == [("x", "id wrong"), ("y", "form wrong")]
    eleven = "\t".join(["1", "a", *["_"] * 4, "0", "root", "_", "_", "more"])
    assert "more" not in [cell for cell, _ in coloured(eleven + "\n\n")]
    assert coloured("#\n# =\n#  a b = c\n1\ta\n\n")[0] == ("a b", "commentKey")
    assert coloured("1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n2\tb") != []
