"""What to say of a comparison: span errors, other tokens, and sentences that cannot be compared."""

from __future__ import annotations

from collections.abc import Sequence

from goldlens.scoring.problems import Place, Problem, Related, Side, problem
from goldlens.scoring.segment import Kind
from goldlens.scoring.spans.errors import Class, Error, count_errors, errors
from goldlens.scoring.spans.reading import Flaw
from goldlens.scoring.spans.sentence import Sentence, points, shown
from goldlens.scoring.spans.unit import Unit
from goldlens.scoring.text import is_utf8


def sentence_problems(gold: Unit, pred: Unit, there: int, here: int) -> list[Problem]:
    """The problems of a predicted sentence that faces one of gold of as many tokens.

    `there` and `here` are the numbers of their units in the region that places count from.
    """
    if gold.text == pred.text and gold.layout == pred.layout:
        return []
    theirs, ours = Sentence(gold, there, Side.THERE), Sentence(pred, here)
    found = []
    if (token := other_token(gold, pred)) is not None:
        found.append(_other_text(theirs, ours, token))
    found += [_span_error(theirs, ours, error) for error in told_errors(gold, pred)]
    return found


def told_errors(gold: Unit, pred: Unit) -> list[Error]:
    """The errors of a sentence that are told: not what a faulty tag, which is told, has led to.

    That is a gold span that is missing, or found too short, where a tag of the prediction that
    could not be read as it stands leaves a token of it out.
    """
    if gold.reading.spans == pred.reading.spans:
        return []
    found = errors(gold.reading.spans, pred.reading.spans)
    unread = {
        token
        for fault in pred.reading.faults
        if fault.flaw is not Flaw.BARE
        for token in range(fault.token, fault.token + fault.tags)
    }
    unread.update(pred.undecoded())
    return [error for error in found if not _follows(error, unread)] if unread else found


def count_told(gold: Unit, pred: Unit) -> int:
    """How many `told_errors` there are."""
    if gold.reading.spans == pred.reading.spans:
        return 0
    if pred.problems:
        return len(told_errors(gold, pred))
    return count_errors(gold.reading.spans, pred.reading.spans)


def _follows(error: Error, unread: set[int]) -> bool:
    """Whether an error is all that comes of tokens whose tags were not read."""
    if error.gold is None or error.kind not in (Class.MISSING, Class.BOUNDARY):
        return False
    start, end, _ = error.pred or (error.gold[0], error.gold[0], b"")
    if start < error.gold[0] or end > error.gold[1]:
        return False
    left_out = [*range(error.gold[0], start), *range(end, error.gold[1])]
    return not unread.isdisjoint(left_out)


def other_token(gold: Unit, pred: Unit) -> int | None:
    """The first token whose text differs from gold's; None if none does."""
    theirs, ours = gold.forms(), pred.forms()
    if theirs == ours:
        return None
    both = enumerate(zip(theirs, ours, strict=True))
    return next((k for k, (there, here) in both if is_other(there, here)), None)


def is_other(there: bytes, here: bytes) -> bool:
    """Whether the text of a token is not that of gold.

    What is not UTF-8 is no text, which is told of it where it stands.
    """
    return there != here and is_utf8(there) and is_utf8(here)


def _other_text(gold: Sentence, pred: Sentence, token: int) -> Problem:
    theirs, ours = gold.form(token), pred.form(token)
    message = (
        f"The token is {shown(ours)}, and {shown(theirs)} in gold{points(ours, theirs)}; tags are "
        "compared by position all the same"
    )
    related = (Related(gold.form_place(token), f"gold: {shown(theirs)}"),)
    return problem("token-text", pred.form_place(token), message, related=related)


def _span_error(gold: Sentence, pred: Sentence, error: Error) -> Problem:
    span = error.pred or error.gold
    assert span is not None
    related: tuple[Related, ...] = ()
    if error.gold is not None:
        at = gold.tag_place(error.gold[0])
        related = (Related(at, f"gold: {gold.named(error.gold)}"),)
    place = pred.tag_place(span[0])
    return problem("span-error", place, _message(gold, pred, error), related=related)


def _message(gold: Sentence, pred: Sentence, error: Error) -> str:
    ours = error.pred and pred.named(error.pred)
    theirs = error.gold and gold.named(error.gold)
    if error.kind is Class.SPURIOUS:
        return f"Spurious: no span of gold faces {ours}"
    if error.kind is Class.MISSING:
        return f"Missing: gold has {theirs}"
    return f"{error.kind.value.capitalize()}: gold has {theirs}, not {ours}"


def apart_problem(
    kind: Kind,
    gold: Sequence[Unit],
    pred: Sequence[Unit],
    before: Unit | None,
) -> Problem:
    """The one problem of sentences that are not compared.

    `before` is the prediction's unit before them, which what is missing is placed behind.
    """
    theirs = [(k, unit) for k, unit in enumerate(gold) if unit.tokens]
    ours = [(k, unit) for k, unit in enumerate(pred) if unit.tokens]
    place, there = _behind(before), Place(0, 0, 0, 0, Side.THERE)
    if theirs and ours:
        (k, unit), (j, other) = ours[0], theirs[0]
        token = _first_difference(other.forms(), unit.forms())
        place = Sentence(unit, k).form_place(token)
        there = Sentence(other, j, Side.THERE).form_place(token)
    elif ours:
        place = Sentence(ours[0][1], ours[0][0]).form_place(0)
    elif theirs:
        there = Sentence(theirs[0][1], theirs[0][0], Side.THERE).form_place(0)
    # Where gold has nothing, what stands before it there is no part of the segment.
    related = (Related(there, "gold"),) if theirs else ()
    return problem("stream-mismatch", place, _apart(kind, theirs, ours), related=related)


def _apart(kind: Kind, theirs: Sequence[tuple[int, Unit]], ours: Sequence[tuple[int, Unit]]) -> str:
    if kind is Kind.EXTRA:
        return f"Gold does not have {_sentences(len(ours))}; take out what is too much"
    if kind is Kind.MISSING:
        return f"Gold has {_sentences(len(theirs))} more here; put in what is missing"
    if len(theirs) == len(ours) == 1:
        here, there = ours[0][1].tokens, theirs[0][1].tokens
        size = "1 token" if here == 1 else f"{here} tokens"
        return f"The sentence has {size}, and {there} in gold; give it the tokens of gold"
    return (
        f"Gold has {_sentences(len(theirs))} where the prediction has {len(ours)}, and their "
        "tokens differ; give them the tokens and the blank lines of gold"
    )


def _sentences(count: int) -> str:
    return "1 sentence" if count == 1 else f"{count} sentences"


def _first_difference(a: Sequence[bytes], b: Sequence[bytes]) -> int:
    pairs = zip(a, b, strict=False)
    return next((k for k, (x, y) in enumerate(pairs) if x != y), min(len(a), len(b)))


def _behind(before: Unit | None) -> Place:
    """The end of the unit before (numbered -1), or the start where there is none."""
    if before is None:
        return Place(0, 0, 0, 0)
    tokens = before.tokens
    return Sentence(before, -1).form_place(tokens) if tokens else Place(-1, 0, 0, 0)
