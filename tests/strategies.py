"""Hypothesis strategies for CoNLL-U: sentences, texts, edits, and pairs with equal streams.

Everything is decided by throws of `Dice`: a run of bytes that hypothesis draws in one go and
shrinks towards nothing, so that thousands of texts cost little and a failure comes back small.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")

CONTENT = ("nsubj", "obj", "root", "dep", "conj")
FUNCTIONAL = ("det", "case", "aux")
RELATIONS = (
    *CONTENT, *FUNCTIONAL, "nsubj:pass", "nsubj", "obl:arg", "obl", "det:predet", "det", "case",
    "root", "punct", "punct:x", "xyz", "_", "Det", "cop:", "cc",
)  # fmt: skip
UPOS = ("NOUN", "NOUN", "VERB", "_", "DET", "X", "noun")
XPOS = ("_", "NN", "_", "VB")
FEATS = (
    "_", "Case=Nom", "Case=Nom|Number=Sing", "Number=Sing|Case=Nom", "Case=Nom|Typo=Yes",
    "Typo=Yes", "Number[psor]=Sing", "Number", "Case=Nom|Case=Nom", "|Case=Nom|", "Case=Acc,Nom",
    "Case=Nom,Acc", "NumForm=Word|Case=Nom",
)  # fmt: skip
LEMMAS = ("a", "_", "A", "b", "a b")
LABELS = ("nsubj", "nsubj:pass", "conj:en>obj", "conj>obj:x", "root", "obl:von:dat", "obl")
ALPHABETS = ("a", "ab", "aA", "aab", "abc", "aé𝐀", "iİıI", "ß\u0307i")


class Dice:
    """Throws that end: behind the last byte every throw is 0, the simplest choice."""

    def __init__(self, throws: bytes) -> None:
        self._throws = iter(throws)

    def below(self, sides: int) -> int:
        """A number from 0 to sides - 1."""
        return next(self._throws, 0) % sides

    def pick(self, options: Sequence[T]) -> T:
        """One of the options, the first being the simplest."""
        return options[self.below(len(options))]

    def hits(self, chances: int, of: int) -> bool:
        """True `chances` times in `of`; False is the simplest."""
        return self.below(of) >= of - chances


def dice(size: int) -> st.SearchStrategy[Dice]:
    """Dice with about that many throws."""
    return st.binary(min_size=size, max_size=size).map(Dice)


def row(*cells: str) -> str:
    """A line of ten cells: those given, then `_`."""
    return "\t".join([*cells, *["_"] * (10 - len(cells))]) + "\n"


# Pairs that the official scorer accepts: well-formed, with equal streams.


@dataclass(eq=False, slots=True)
class Word:
    """A word: its cells, and where its token stands in the stream."""

    form: str
    key: tuple[int, int]
    cells: dict[str, str] = field(default_factory=dict)
    head: Word | None = None


@dataclass(slots=True)
class Token:
    """A token: what it is spelt as, and its words (of a plain one, itself)."""

    form: str
    words: list[Word]
    multi: bool


Sentence = list[Token]


@dataclass(frozen=True, slots=True)
class TextPair:
    """Two texts of one stream."""

    gold: str
    pred: str


def pairs(size: int = 400) -> st.SearchStrategy[TextPair]:
    """Pairs that the official scorer accepts, made to be hard to align."""
    return dice(size).map(_pair)


def _pair(dice: Dice) -> TextPair:
    alphabet = dice.pick(ALPHABETS)
    stream = "".join(dice.pick(alphabet) for _ in range(1 + dice.below(11)))
    gold = _sentences(dice, stream, alphabet, {}, {})
    known = {word.key: word for sentence in gold for token in sentence for word in token.words}
    alike = _borders(gold) if dice.hits(2, 3) else {}
    pred = _sentences(dice, stream, alphabet, known, alike)
    enhanced = dice.hits(1, 2)
    return TextPair(
        "".join(_written(s, dice, enhanced) for s in gold),
        "".join(_written(s, dice, enhanced) for s in pred),
    )


def _borders(sentences: Sequence[Sentence]) -> dict[int, tuple[Token, bool]]:
    """By where a token ends (in characters): the token, and whether its sentence ends, too."""
    found, at = {}, 0
    for sentence in sentences:
        for k, token in enumerate(sentence):
            at += len(_bare(token.form))
            found[at] = token, k == len(sentence) - 1
    return found


def _bare(form: str) -> str:
    return "".join(char for char in form if unicodedata.category(char) != "Zs")


def _sentences(
    dice: Dice,
    stream: str,
    alphabet: str,
    known: dict[tuple[int, int], Word],
    like: Mapping[int, tuple[Token, bool]],
) -> list[Sentence]:
    """The stream cut into tokens and sentences, mostly `like` the other side's.

    `known`: the other side's words by where they stand; their cells are mostly copied.
    """
    if like:
        ends = {at for at in range(1, len(stream)) if dice.hits(1, 8) ^ (at in like)}
    else:
        ends = {at for at in range(1, len(stream)) if dice.hits(1, 2)}
    ends.add(len(stream))
    sentences: list[Sentence] = [[]]
    start = 0
    for end in sorted(ends):
        model, closes = like.get(end, (None, False))
        if model and _bare(model.form) == stream[start:end] and not dice.hits(1, 4):
            words = [Word(word.form, word.key) for word in model.words]
            token = Token(model.form, words, model.multi)
        else:
            token = _token(dice, stream[start:end], start, alphabet)
        sentences[-1].append(token)
        start = end
        closes = dice.hits(1, 6) ^ closes if like else dice.hits(1, 4)
        if end < len(stream) and closes and any(t.words for t in sentences[-1]):
            sentences.append([])
    if not any(token.words for token in sentences[-1]):
        last = sentences[-1][-1]
        last.words = [Word(last.form, (start, 9))]
    for sentence in sentences:
        _annotate(dice, [word for token in sentence for word in token.words], known)
    return sentences


def _token(dice: Dice, form: str, start: int, alphabet: str) -> Token:
    spelt = form
    if dice.hits(1, 12):
        spelt = dice.pick(("\u00a0", " ", "\u3000")).join(form)
    if not dice.hits(2, 5):
        return Token(spelt, [Word(spelt, (start, 0))], False)
    size = dice.pick((2, 1, 2, 3, 4, 2, 0))
    words = []
    for k in range(size):
        cut = len(form) * k // size, len(form) * (k + 1) // size
        text = dice.pick(
            (
                form[cut[0] : cut[1]],
                dice.pick(alphabet),
                dice.pick(alphabet),
                form,
                form[cut[0] : cut[1]].swapcase(),
                dice.pick(alphabet) + dice.pick(alphabet),
                dice.pick(alphabet) + " ",
                "",
            )
        )
        words.append(Word(text, (start, k)))
    return Token(spelt, words, True)


def _annotate(dice: Dice, words: Sequence[Word], known: dict[tuple[int, int], Word]) -> None:
    by_key = {word.key: word for word in words}
    wishes: dict[int, Word | None] = {}
    root = dice.below(len(words))
    for k, word in enumerate(words):
        model = known.get(word.key)
        cells = word.cells = {
            "lemma": dice.pick(LEMMAS),
            "upos": dice.pick(UPOS),
            "xpos": dice.pick(XPOS),
            "feats": dice.pick(FEATS),
            "deprel": dice.pick(RELATIONS),
        }
        if model is None:
            continue
        for name in cells:
            if not dice.hits(1, 5):
                cells[name] = model.cells[name]
        if not dice.hits(1, 6):
            if model.head is None:
                root = k
            else:
                wishes[k] = by_key.get(model.head.key)
    for k, word in enumerate(words):
        if k == root:
            if dice.hits(3, 4):
                word.cells["deprel"] = "root"
            continue
        head = wishes.get(k) or words[dice.below(len(words))]
        above: Word | None = head
        while above is not None and above is not word:
            above = above.head
        # What would close a ring hangs from the root.
        word.head = words[root] if above is word or head is word else head


def _written(sentence: Sentence, dice: Dice, enhanced: bool) -> str:
    words = [word for token in sentence for word in token.words]
    number = {id(word): k + 1 for k, word in enumerate(words)}
    lines = ["# c\n"] if dice.hits(1, 6) else []
    done = 0
    for token in sentence:
        if token.multi:
            lines.append(row(f"{done + 1}-{done + len(token.words)}", token.form))
        for word in token.words:
            done += 1
            cells = word.cells
            head = number[id(word.head)] if word.head else 0
            edges = _edges(dice, head, cells["deprel"], len(words)) if enhanced else "_"
            own = (cells["lemma"], cells["upos"], cells["xpos"], cells["feats"])
            lines.append(row(str(done), word.form, *own, str(head), cells["deprel"], edges))
        if not token.multi and dice.hits(1, 12):
            lines.append(row(f"{done}.1", "e"))
    return "".join(lines) + "\n"


def _edges(dice: Dice, head: int, relation: str, size: int) -> str:
    """A DEPS cell: mostly the basic edge, often with another that may be alike on both sides."""
    if dice.hits(1, 6):
        return "_"
    found = [f"{head}:{relation}"]
    if dice.hits(1, 3):
        other = dice.pick((1, head, dice.below(size + 1), "1.1"))
        found.append(f"{other}:{dice.pick(LABELS)}")
    if dice.hits(1, 4):
        found[0] = f"{dice.pick((1, head, dice.below(size + 1)))}:{dice.pick(LABELS[:3])}"
    return "|".join(found)


# Texts as editors have them: mostly well-formed, with anything in them.

IDS = ("p", "q", "r", "s")
SHAPES = ("a", "b", "ab", "ba", "aa", "é", "e\u0301", "𝐀", "a b", "x\u2028y", "a\u200b")
HEADS = ("1", "0", "2", "3", "_", "9", "x", "", "01", "-1")
CELLS: tuple[tuple[str, ...], ...] = (
    ("1", "2", "3", "1-2", "2-3", "1.1", "0.1", "x", "", "01", "1-1", "2-1"),
    (*SHAPES, "", "_", " a", "\u00a0"),
    ("a", "_", "b", ""),
    ("NOUN", "VERB", "_", "X", "noun", ""),
    ("_", "NN", "𝐀"),
    ("_", "Case=Nom", "Case=Nom|Number=Sing", "Number=Sing|Case=Nom", "Case", "Case=Nom|Case=Nom"),
    HEADS,
    ("dep", "root", "det", "nsubj:pass", "nsubj", "_", "xyz", "punct", ""),
    ("_", "0:root", "1:dep", "1:dep|2:obj", "1.1:x", "x"),
    ("_", "SpaceAfter=No", "||", "A=1|A=2"),
)
"""For each column what an edit may put there."""


def sentences() -> st.SearchStrategy[str]:
    """A sentence with its comments and its blank line, well-formed more often than not."""
    return dice(60).map(sentence)


def texts(most: int = 6) -> st.SearchStrategy[str]:
    """A file: a few sentences, perhaps with CR LF or a byte order mark."""
    return dice(60 * most).map(lambda d: text(d, most))


def text(dice: Dice, most: int = 6) -> str:
    """A file by throws."""
    found = "".join(sentence(dice) for _ in range(dice.below(most + 1)))
    ends = dice.pick(("\n", "\n", "\n", "\n", "\n", "\r\n", "\r"))
    found = found.replace("\n", ends)
    return "\ufeff" + found if dice.hits(1, 12) else found


def sentence(dice: Dice) -> str:
    """A sentence by throws."""
    size = dice.pick((1, 2, 2, 3, 3, 4))
    forms = [dice.pick(SHAPES[: dice.pick((2, 4, 11))]) for _ in range(size)]
    lines, tokens, k = [], [], 0
    while k < size:
        if k + 1 < size and dice.hits(1, 4):
            token = dice.pick((forms[k] + forms[k + 1], forms[k], "ab", "a"))
            lines.append(row(f"{k + 1}-{k + 2}", token))
            width = 2
        else:
            token, width = forms[k], 1
        tokens.append(token)
        for w in range(k, k + width):
            head, relation = ("0", "root") if w == 0 else ("1", dice.pick(("dep", "det", "obj")))
            lines.append(
                row(str(w + 1), forms[w], "_", dice.pick(("NOUN", "VERB")), "_",
                    dice.pick(("_", "_", "Case=Nom")), head, relation)
            )  # fmt: skip
        k += width
    if dice.hits(1, 5):
        lines[dice.below(len(lines))] = broken_row(dice)
    if dice.hits(1, 12):
        lines.insert(1 + dice.below(len(lines)), row("1.1", "e"))
    if dice.hits(1, 20):
        lines.insert(dice.below(len(lines) + 1), "# inside\n")
    comments = []
    if dice.hits(2, 3):
        comments.append(f"# sent_id = {dice.pick(IDS)}\n")
    if dice.hits(1, 3):
        comments.append(f"# text = {' '.join(tokens)}\n")
    blank = dice.pick(("\n",) * 12 + (" \n", "\n\n", "", "\t\n"))
    return "".join(comments + lines) + blank


def retokenised(dice: Dice, stream: str, comments: str = "") -> str:
    """A sentence of that stream with other tokens, some of several words."""
    rows: list[str] = []
    words = start = 0
    while start < len(stream):
        end = start + 1 + dice.below(min(3, len(stream) - start))
        form, start = stream[start:end], end
        forms = [form]
        if dice.hits(1, 3):
            forms = [form[:1], dice.pick((form[1:] or "a", form))]
            rows.append(row(f"{words + 1}-{words + 2}", form))
        for word in forms:
            words += 1
            head, relation = ("1", "dep") if words > 1 else ("0", "root")
            rows.append(row(str(words), word, "_", "X", "_", "_", head, relation))
    return comments + "".join(rows) + "\n"


def broken_row(dice: Dice) -> str:
    """A row with something wrong in it, or a cell changed."""
    cells = ["1", "a", "_", "NOUN", "_", "_", "0", "root", "_", "_"]
    cells[0] = dice.pick(("1", "2", "3"))
    for _ in range(1 + dice.below(2)):
        column = dice.below(10)
        cells[column] = dice.pick(CELLS[column])
    if dice.hits(1, 4):
        del cells[dice.below(10)]
    return "\t".join(cells) + "\n"


FRAGMENTS = (
    "", "a", "b", "\n", "\n\n", "\r\n", "\r", "\t", " ", "1", "0", "_", "#", "-", ".", "|", "\n \n",
    "\r\n\r\n", "\r\r", "𝐀", "é", "\u2028", "\u200b", "\ufeff", "\u0085", "\f", "\x00",
    "# sent_id = p\n", "# sent_id = q\n", "# text = a\n", "\n# c\n", "1\ta",
    row("1", "a", "_", "NOUN", "_", "_", "0", "root"),
    row("2", "b", "_", "NOUN", "_", "_", "1", "dep"), row("1-2", "ab"), row("1-2", "a"),
    row("1", "a", "_", "NOUN", "_", "_", "_", "_"),
    row("1", "a", "_", "NOUN", "_", "_", "0", "root").replace("\n", "\r\n"),
)  # fmt: skip
"""What is typed or pasted."""


def fragments() -> st.SearchStrategy[str]:
    """A piece of text as it is typed or pasted: a key, a row, a sentence."""
    return st.one_of(
        st.sampled_from(FRAGMENTS), dice(4).map(broken_row), sentences(), st.sampled_from(FRAGMENTS)
    )
