"""Errors put into the spans of an IOB2 file.

`drop`: a span is left out. `label`: it gets another label of the file. `boundary`: one of its ends
moves by a token, to where no other span is and so that a token is left. A span gets one error at
most of these, in this order. `add`: tokens outside all spans begin one of one to three tokens,
with a label of the file, so often that at a rate of 1 there are about twice as many spans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goldlens.scoring.draws import Dice
from goldlens.scoring.perturb.seeded import SPAN_KINDS, dice_of
from goldlens.scoring.spans.blocks import lines
from goldlens.scoring.spans.schemes import Span
from goldlens.scoring.spans.task import Spans
from goldlens.scoring.spans.unit import Unit

_LONGEST = 3


def perturbed_spans(
    text: bytes,
    rates: Mapping[str, float],
    seed: int,
    *,
    token_column: int = 1,
    tag_column: int = -1,
) -> bytes:
    """The text with errors; tokens, comments and line ends stay.

    `rates` has one for each of `perturb.SPAN_KINDS`. Columns count from 1, or from the end with
    -1; raises ValueError for a column 0. Sentences with a tag at fault are left as they are.
    """
    task = Spans(token_column, tag_column)
    units = task.parse(task.split(text), regime=task.likely_regime(text))
    labels = sorted({label for unit in units for _, _, label in unit.reading.spans})
    spans_in_all = sum(len(unit.reading.spans) for unit in units)
    outside = sum(unit.reading.tags.count(b"O") for unit in units)
    rates = {**rates, "add": rates["add"] * spans_in_all / max(1, outside)}
    dice = dice_of(SPAN_KINDS, seed)
    made = []
    for unit in units:
        if unit.problems or not unit.tokens:
            made.append(unit.text)
            continue
        spans = _with_errors(unit, labels, rates, dice)
        made.append(unit.text if spans == list(unit.reading.spans) else _written(unit, spans))
    return b"".join(made)


def _with_errors(
    unit: Unit, labels: Sequence[bytes], rates: Mapping[str, float], dice: Mapping[str, Dice]
) -> list[Span]:
    taken = [False] * unit.tokens
    for start, end, _ in unit.reading.spans:
        taken[start:end] = [True] * (end - start)
    kept: list[Span] = []
    for start, end, label in unit.reading.spans:
        # Every kind decides on every span, whatever the others do with it.
        drops, relabels, moves = (
            dice[kind].happens(rates[kind]) for kind in ("drop", "label", "boundary")
        )
        if drops:
            taken[start:end] = [False] * (end - start)
        elif relabels:
            others = [each for each in labels if each != label]
            new = others[dice["label"].below(len(others))] if others else label
            kept.append((start, end, new))
        elif moves:
            kept.append((*_moved(start, end, taken, dice["boundary"]), label))
        else:
            kept.append((start, end, label))
    if labels:
        kept += _added(taken, unit, labels, rates["add"], dice["add"])
    return sorted(kept)


def _moved(start: int, end: int, taken: list[bool], dice: Dice) -> tuple[int, int]:
    """The span with an end moved by a token; as it was where no end can."""
    found = []
    if start and not taken[start - 1]:
        found.append((start - 1, end))
    if end < len(taken) and not taken[end]:
        found.append((start, end + 1))
    if end - start > 1:
        found += [(start + 1, end), (start, end - 1)]
    if not found:
        return start, end
    new = found[dice.below(len(found))]
    taken[start:end] = [False] * (end - start)
    taken[new[0] : new[1]] = [True] * (new[1] - new[0])
    return new


def _added(
    taken: list[bool], unit: Unit, labels: Sequence[bytes], rate: float, dice: Dice
) -> list[Span]:
    """Spans where there was none, and is none now."""
    was = {token for start, end, _ in unit.reading.spans for token in range(start, end)}
    found = []
    for token in range(len(taken)):
        if token in was or not dice.happens(rate):
            continue
        size, label = 1 + dice.below(_LONGEST), labels[dice.below(len(labels))]
        end = token
        while end < min(len(taken), token + size) and not taken[end] and end not in was:
            taken[end] = True
            end += 1
        if end > token:
            found.append((token, end, label))
    return found


def _written(unit: Unit, spans: Sequence[Span]) -> bytes:
    """The block with these spans in its tags."""
    tags = [b"O"] * unit.tokens
    for start, end, label in spans:
        tags[start:end] = [b"B-" + label, *[b"I-" + label] * (end - start - 1)]
    rows = lines(unit.text)
    for token, tag in enumerate(tags):
        line = unit.line(token)
        start, end = unit.layout.tag_place(rows[line])
        old = rows[line][start:end]
        if old.strip() != tag:
            rows[line] = rows[line][:start] + tag + rows[line][end:]
    return b"".join(rows)
