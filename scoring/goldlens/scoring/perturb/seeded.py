"""Seeded errors put into gold, to have predictions whose faults are known.

A *rate* is the probability, 0 to 1, that an item (a word, a span) gets an error of a kind. Each
kind draws from a stream of its own (`draws.Dice`), made of the seed and of the kind's place in
its list: the same text, rates and seed give the same bytes everywhere, and another rate of one
kind leaves the draws of the others alone. All rates at 0 give the text back. What is well-formed
stays so; a sentence that is not is left as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from goldlens.scoring.draws import Dice, outputs

UD_KINDS: Final = ("head", "relation", "upos", "lemma", "feats", "split", "merge")
"""Errors of CoNLL-U (see `conllu`)."""

SPAN_KINDS: Final = ("label", "boundary", "drop", "add")
"""Errors of IOB2 (see `spans`)."""

KINDS: Final = {"ud": UD_KINDS, "span": SPAN_KINDS}
"""The kinds of errors of each task that has some."""


class UnknownKind(ValueError):
    """A rate was given for a kind of error that the task does not have."""

    def __init__(self, kind: str, known: Sequence[str]) -> None:
        super().__init__(f"unknown kind of error {kind!r}; this task has {', '.join(known)}")


def rates_of(task: str, given: Mapping[str, float]) -> dict[str, float]:
    """A rate for each kind of the task, 0 where none is given.

    Raises KeyError for a task without kinds, UnknownKind, and ValueError for a rate that is no
    probability.
    """
    kinds = KINDS[task]
    for kind, rate in given.items():
        if kind not in kinds:
            raise UnknownKind(kind, kinds)
        if not 0 <= rate <= 1:
            raise ValueError(f"the rate of {kind} is {rate}; give one from 0 to 1")
    return {kind: float(given.get(kind, 0.0)) for kind in kinds}


def dice_of(kinds: Sequence[str], seed: int) -> dict[str, Dice]:
    """Dice for each kind: output k of the seed's stream is the seed of kind k."""
    seeds = outputs(seed, 0, len(kinds)).tolist()
    return {kind: Dice(each) for kind, each in zip(kinds, seeds, strict=True)}


def perturbed(
    task: str,
    text: bytes,
    rates: Mapping[str, float],
    seed: int,
    *,
    token_column: int = 1,
    tag_column: int = -1,
) -> bytes:
    """The text of a task ("ud" or "span") with errors in it. Raises as `rates_of`.

    The columns are those of spans; they count from 1, or from the end with -1.
    """
    checked = rates_of(task, rates)
    if task == "ud":
        from goldlens.scoring.perturb.conllu import perturbed_conllu

        return perturbed_conllu(text, checked, seed)
    from goldlens.scoring.perturb.spans import perturbed_spans

    return perturbed_spans(text, checked, seed, token_column=token_column, tag_column=tag_column)
