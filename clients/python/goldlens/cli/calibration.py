"""`goldlens calibration`: whether a prediction is as often right as it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from goldlens.cli import inputs, outputs
from goldlens.cli.lines import Trouble, counted, line
from goldlens.cli.systems import pair_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldlens.cli.table import Grid
    from goldlens.scoring.analysis.calibration import Calibration, Curve
    from goldlens.scoring.segment import Segment
    from goldlens.scoring.ud.evaluate import Evaluation
    from goldlens.server.engine.pair import Pair

_SHOWN: Final = 50
"""How many confidences that are wrong are listed."""


@click.command(name="calibration")
@click.argument("gold", metavar="GOLD")
@click.argument("pred", metavar="PRED")
@pair_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("-o", "--output", "output", metavar="FILE", help="Write to a file.")
def command(
    gold: str, pred: str, match: str, policy: str, as_json: bool, output: str | None
) -> int:
    """Shows how often cells of PRED are right, by the confidence that MISC gives.

    MISC says Conf=0.93 for all cells of a word, or Conf=UPOS:0.97,HEAD:0.8 for single ones. A
    confidence that is none is an error at its place, and exit status 2.
    """
    theirs, ours = inputs.open_both(gold, pred)
    with theirs.file, ours.file:
        outputs.refuse_unwritable(output, ("gold", gold), ("the prediction", pred))
        from goldlens.cli.evaluated import evaluated
        from goldlens.scoring.ud.task import UD

        found = evaluated(theirs, ours, UD, match, policy)
        if found.notices:
            outputs.complain("\n".join([*found.notices, ""]))
        if found.refused:
            found.say_refused()
            return 2
        measured = measure(ours, found.pair)
    if measured is None:
        return 2
    if as_json:
        from json import dumps

        document = {
            "signature": str(found.board.signature()),
            "gold": {"path": found.gold, "sha256": found.gold_sha256},
            "pred": {"path": found.pred, "sha256": found.pred_sha256},
            "calibration": measured.as_dict(),
        }
        outputs.put(dumps(document, ensure_ascii=False, indent=2) + "\n", output, machine=True)
        return 0
    from goldlens.cli.score import show_tables

    notes = [f"Signature: {found.board.signature()}", *said_of(measured)]
    below = "".join(f"{text}\n" for text in notes)
    title = f"Confidence of {found.pred} against {found.gold}"
    show_tables(grids_of(measured), title, below, output)
    return 0


def measure(
    pred: inputs.Input, pair: Pair, segments: Sequence[Segment] | None = None
) -> Calibration | None:
    """The calibration of a prediction; None, and every cause told, where a confidence is wrong.

    `segments` are those that count, all of the pair if none are named. Raises Trouble where the
    prediction has no confidences.
    """
    from goldlens.scoring.analysis.calibration import calibration
    from goldlens.scoring.analysis.confidence import HINT
    from goldlens.scoring.ud.aligned import aligned
    from goldlens.scoring.ud.task import is_tagging

    if wrong := _faults(pred, pair):
        outputs.complain("\n".join([*wrong, ""]))
        return None
    facing = list(pair.pairing) if segments is None else segments
    facts = (pair.gold.facts.tolist(), pair.pred.facts.tolist())
    found = aligned(pair.gold.units, pair.pred.units, facing)
    measured = calibration(found, tagging=any(map(is_tagging, facts)))
    if not measured.pooled.cells:
        message = f"no word that could be compared has a confidence in MISC; {HINT}"
        raise Trouble(pred.name, "confidence", message)
    return measured


def measured_of(gold: inputs.Input, pred: inputs.Input, found: Evaluation) -> Calibration | None:
    """The calibration of the sentences that an evaluation is of (see `measure`)."""
    from goldlens.cli.evaluated import evaluated
    from goldlens.scoring.ud.task import UD

    gold.file.seek(0)
    pred.file.seek(0)
    options = found.options
    pair = evaluated(gold, pred, UD, options.match, "lenient").pair
    segments = list(pair.pairing)
    if options.only == "annotated":
        units = pair.pred.units
        segments = [each for each in segments if not any(units[k].unheaded for k in each.pred)]
    return measure(pred, pair, segments)


def _faults(pred: inputs.Input, pair: Pair) -> list[str]:
    """A line for each confidence that is wrong, and one that says how many are not listed."""
    from goldlens.scoring.analysis.confidence import faults
    from goldlens.server.texts import Text

    wrong = [(k, fault) for k, unit in enumerate(pair.pred.units) for fault in faults(unit.text)]
    if not wrong:
        return []
    pred.file.seek(0)
    text = Text(pred.name, pred.file.read(), pair.pred)
    said = []
    for unit, fault in wrong[:_SHOWN]:
        at = text.stretch(unit, fault.place)
        said.append(line(at.path, at.line, at.column, "error", fault.code, fault.message))
    if len(wrong) > _SHOWN:
        more = len(wrong) - _SHOWN
        said.append(f"… and {counted(more, 'more confidence')} that cannot be right; mend them")
    return said


def grids_of(found: Calibration) -> list[Grid]:
    """A table of bins, one of thresholds, and one of columns."""
    from goldlens.cli.table import Grid, points

    bins = [
        (_bin(k, found), str(b.cells), points(b.confidence), points(b.accuracy))
        for k, b in enumerate(found.bins)
    ]
    thresholds = [
        (f"from {t.at:g}", str(t.cells), points(t.kept), points(t.accuracy))
        for t in found.thresholds
    ]
    curves = {**found.columns, "all": found.pooled}
    return [
        Grid(("Confidence", "Cells", "Mean conf.", "Accuracy"), tuple(bins)),
        Grid(("Threshold", "Cells", "Kept", "Accuracy"), tuple(thresholds)),
        Grid(
            ("Column", "Cells", "Mean conf.", "Accuracy", "ECE"),
            tuple((name, *_row(curve)) for name, curve in curves.items()),
        ),
    ]


def _bin(number: int, found: Calibration) -> str:
    """What a bin holds, in words."""
    one = found.bins[number]
    below = "to" if number == len(found.bins) - 1 else "to below"
    return f"{one.low:g} {below} {one.high:g}"


def _row(curve: Curve) -> tuple[str, ...]:
    from goldlens.cli.table import points

    figures = (curve.confidence, curve.accuracy, curve.error)
    return (str(curve.cells), *map(points, figures))


def said_of(found: Calibration) -> list[str]:
    """The lines below the tables: what is left out."""
    said = []
    if found.pooled.without:
        what = counted(found.pooled.without, "cell")
        said.append(f"Left out: {what} of aligned words without a confidence")
    if found.unaligned:
        what = counted(found.unaligned, "predicted word")
        said.append(f"Left out: {what} that no word of gold faces")
    return said
