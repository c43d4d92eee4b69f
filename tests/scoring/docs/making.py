"""Docs made by hand and from CoNLL-U, as spaCy has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spacy.tokens import Doc
from spacy.vocab import Vocab

VOCAB = Vocab()


def doc(words: str | Sequence[str], heads: Sequence[int] | None = None, **annotation: Any) -> Doc:
    """A Doc of words; a text is split at spaces. Roots are their own heads, as in spaCy.

    With heads but without relations a root has `ROOT` and all others `dep`.
    """
    words = words.split(" ") if isinstance(words, str) else list(words)
    if heads is not None:
        plain = ["ROOT" if head == k else "dep" for k, head in enumerate(heads)]
        annotation = {"heads": list(heads), "deps": plain, **annotation}
    return Doc(VOCAB, words=words, **annotation)


def docs_of(conllu: str) -> list[Doc]:
    """A Doc for each sentence, of its words; ranges and empty nodes are passed over."""
    return [_doc(block) for block in conllu.split("\n\n") if block.strip()]


def _doc(block: str) -> Doc:
    rows = [line.split("\t") for line in block.split("\n") if line and line[0] != "#"]
    columns = list(zip(*[row for row in rows if row[0].isdigit()], strict=True))
    _, forms, *tags = [["" if cell == "_" else cell for cell in column] for column in columns]
    lemmas, upos, xpos, feats = tags[:4]
    heads = [int(head) - 1 if head != "0" else k for k, head in enumerate(columns[6])]
    return Doc(
        VOCAB,
        words=[form or "_" for form in forms],
        spaces=["SpaceAfter=No" not in misc for misc in columns[9]],
        lemmas=lemmas,
        pos=upos,
        tags=xpos,
        morphs=feats,
        heads=heads,
        deps=["ROOT" if relation == "root" else relation for relation in columns[7]],
    )
