"""What stands below the table of a score: with what it was computed, and what it covers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from goldlens.cli.lines import counted, one_line
from goldlens.scoring.problems import Severity

if TYPE_CHECKING:
    from goldlens.cli.evaluated import Evaluated
    from goldlens.scoring.signature import Signature
    from goldlens.scoring.ud.evaluate import Evaluation
    from goldlens.server.engine.document import Document

_SHOWN: Final = 5
"""How many sentences are named; the JSON form has them all."""

_ONLY: Final = {
    "predicted": " that the prediction has",
    "annotated": " that the prediction has, with all heads",
}


def summary(found: Evaluation) -> list[str]:
    """The lines below the table."""
    lines = [f"Signature: {found.signature}", _compared(found)]
    covered: Mapping[str, Any] = found.covered
    if missing := covered["missing"]:
        what = f"{counted(len(missing), 'sentence')} of gold without counterpart"
        counts = "left out" if found.options.only else "counted against recall"
        lines.append(f"Missing: {what}, {counts}: {_named(missing)}")
    if extra := covered["extra"]:
        what = f"{counted(len(extra), 'sentence')} that gold lacks"
        lines.append(f"Extra: {what}, counted against precision: {_named(extra)}")
    if mismatch := covered["mismatch"]:
        size = sum(run["gold_sentences"] for run in mismatch)
        what = f"{counted(size, 'sentence')} of gold whose text differs"
        lines.append(f"Mismatch: {what}, counted as wrong: {_named(mismatch)}")
    if left_out := covered.get("left_out"):
        what = f"{counted(len(left_out), 'sentence')} that the prediction has not parsed yet"
        lines.append(f"Left out: {what}: {_named(left_out)}")
    if found.tagging:
        from goldlens.scoring.ud.metrics import ATTACHMENT

        names = [name for name in found.figures() if name in ATTACHMENT]
        lines.append(
            "Note: no word of the prediction has a HEAD, so it is scored as a tagging prediction; "
            f"{', '.join(names)} are undefined"
        )
    lines.append(_script(found))
    return lines


def summary_of(found: Evaluated) -> list[str]:
    """The lines below the table of a task other than UD."""
    noun = found.pair.gold.format.fact_names[0].removesuffix("s")
    pair, board = found.pair, found.board
    skipped = found.task.skipped(pair.sums)
    lines = lines_of(noun, pair.size, board.signature(), board.covered(), skipped)
    sides = ((found.gold, pair.gold), (found.pred, pair.pred))
    return [*lines, *ignored({name: errors_of(document) for name, document in sides})]


def errors_of(document: Document) -> Counter[str]:
    """How many Errors of each code a file has by itself."""
    return Counter(
        problem.code
        for unit in document.flaws.rows[:, 0].nonzero()[0].tolist()
        for problem in document.units[unit].problems
        if problem.severity is Severity.ERROR
    )


def ignored(errors: Mapping[str, Mapping[str, int]]) -> list[str]:
    """A line on each file that has Errors, and is scored all the same."""
    return [
        f"Faulty: {', '.join(f'{code} {number:,}' for code, number in found.items())} in "
        f"{one_line(name)}, not read; “goldlens check” lists them"
        for name, found in errors.items()
        if found
    ]


def lines_of(
    noun: str,
    size: int,
    signature: Signature,
    covered: Mapping[str, Any],
    skipped: Sequence[str] = (),
) -> list[str]:
    """The lines on so much of gold and what was compared of it; `noun`: sentence, document."""
    compared = covered["compared"]
    whole = f"all {counted(size, noun)}" if size != 1 else f"the one {noun}"
    lines = [
        f"Signature: {signature}",
        f"Compared: {whole} of gold"
        if compared == size
        else f"Compared: {compared:,} of {counted(size, noun)} of gold",
    ]
    if missing := covered["missing"]:
        what = f"{counted(len(missing), noun)} of gold without counterpart"
        lines.append(f"Missing: {what}, counted as wrong: {_named(missing)}")
    if extra := covered["extra"]:
        lines.append(f"Extra: {counted(len(extra), noun)} that gold lacks: {_named(extra)}")
    if mismatch := covered["mismatch"]:
        number = sum(run["gold_sentences"] for run in mismatch)
        what = f"{counted(number, noun)} of gold that cannot be compared"
        lines.append(f"Mismatch: {what}, counted as wrong: {_named(mismatch)}")
    if skipped:
        which = ", ".join(map(one_line, skipped))
        lines.append(f"Skipped: labels left out of the mean ROC-AUC: {which}")
    return lines


def _compared(found: Evaluation) -> str:
    compared: Any = found.covered["compared"]
    which = _ONLY.get(found.options.only, "")
    if compared == found.sentences:
        number = f"all {compared:,} sentences" if compared != 1 else "the one sentence"
        return f"Compared: {number} of gold{which}"
    return f"Compared: {compared:,} of {counted(found.sentences, 'sentence')} of gold{which}"


def _script(found: Evaluation) -> str:
    causes = [cause for cause in found.causes if cause.script]
    if not causes:
        return "Official script: would score this pair too"
    codes: dict[str, int] = {}
    for cause in causes:
        codes[cause.code] = codes.get(cause.code, 0) + 1
    kinds = ", ".join(f"{code} {number:,}" for code, number in codes.items())
    return f"Official script: would refuse this pair, for {counted(len(causes), 'cause')} ({kinds})"


def _named(sentences: Sequence[Mapping[str, Any]]) -> str:
    named = [
        f"{one_line(sentence['sent_id'])} (line {sentence['line']})"
        if sentence["sent_id"]
        else f"line {sentence['line']}"
        for sentence in sentences[:_SHOWN]
    ]
    more = len(sentences) - len(named)
    return ", ".join(named) + (f" and {more:,} more; --json names all" if more else "")
