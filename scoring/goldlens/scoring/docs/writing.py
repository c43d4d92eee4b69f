"""Docs written as CoNLL-U.

Tokens of nothing but white space are no words and are left out; what hangs from one hangs from
its head instead. So the character stream of a Doc is its text without white space, however the
Doc splits it. Docs have no multiword tokens, no empty nodes and no DEPS.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from goldlens.scoring.docs.shape import Doc, Token, is_doc, is_space

_BREAKS: Final = re.compile("[\t-\r\x1c-\x1f\x85\u2028\u2029]")
"""White space that is not of category Zs: what ends lines and cells, and its like."""


def conllu(docs: Doc | Iterable[Doc]) -> bytes:
    """A Doc, or Docs one after the other, as CoNLL-U in UTF-8.

    A Doc without sentence boundaries is one sentence. A token that is its own head is the root;
    a relation of `ROOT` is written `root`. HEAD and DEPREL are `_` where a token has no relation,
    and HEAD is `_` if the head is in another sentence. Raises TypeError if it is given no Docs.
    """
    return "".join([written(doc) for doc in listed(docs)]).encode()


def listed(docs: Doc | Iterable[Doc], name: str = "docs") -> list[Doc]:
    """Docs as a list, whether they are one or several. Raises TypeError for anything else."""
    found: list[Doc] = [docs] if is_doc(docs) else list(docs)
    for k, doc in enumerate(found):
        if not is_doc(doc):
            what = type(doc).__name__
            advice = "; make a Doc of a Span with as_doc()" if what in ("Span", "Token") else ""
            raise TypeError(f"{name}[{k}] is no Doc but of type {what}{advice}")
    return found


def sentences(doc: Doc) -> Iterator[list[Token]]:
    """The words of each sentence that has any."""
    for sentence in doc.sents if doc.has_annotation("SENT_START") else [doc]:
        words = [token for token in sentence if not is_space(token)]
        if words:
            yield words


def written(doc: Doc, *, heads: bool = True) -> str:
    """A Doc as CoNLL-U, without heads and relations if these are not wanted."""
    tokens: list[Token] = list(doc)
    lines: list[str] = []
    for words in sentences(doc):
        number = {word.i: k for k, word in enumerate(words, 1)}
        text: list[str] = []
        rows: list[str] = []
        for k, word in enumerate(words, 1):
            form = _cell(word.text)
            spaced = _is_spaced(tokens, word)
            text += (form, " ") if spaced else (form,)
            head, relation = "_", "_"
            if heads and word.dep_:
                head, relation = _head(word, number), _relation(word.dep_)
            rows.append(
                f"{k}\t{form}\t{_cell(word.lemma_)}\t{_cell(word.pos_)}\t{_cell(word.tag_)}\t"
                f"{_features(str(word.morph))}\t{head}\t{relation}\t_\t"
                f"{'_' if spaced else 'SpaceAfter=No'}\n"
            )
        lines += [f"# text = {''.join(text).strip()}\n", *rows, "\n"]
    return "".join(lines)


def _head(word: Token, number: Mapping[int, int]) -> str:
    """The HEAD of a word: white space on the way up is passed over, ever so much of it."""
    head, passed = word.head, {word.i}
    if head.i == word.i:
        return "0"
    while is_space(head):
        if not head.dep_ or head.i in passed:
            return "_"
        if head.head.i == head.i:
            return "0"
        passed.add(head.i)
        head = head.head
    return str(number.get(head.i, "_"))


def _is_spaced(tokens: Sequence[Token], word: Token) -> bool:
    """Whether white space follows a word, or the end of its Doc."""
    after = word.i + 1
    return bool(word.whitespace_) or after == len(tokens) or is_space(tokens[after])


def _relation(name: str) -> str:
    return "root" if name == "ROOT" else _cell(name)


def _features(cell: str) -> str:
    """Features in the order that CoNLL-U asks for: by name, whatever the letter case."""
    if "|" in cell:
        cell = "|".join(sorted(cell.split("|"), key=lambda part: part.partition("=")[0].lower()))
    return _cell(cell)


def _cell(text: str) -> str:
    """A cell: `_` for nothing, and a space for each character that cannot stand in one."""
    if text.isprintable():
        return text or "_"
    return _BREAKS.sub(" ", text)
