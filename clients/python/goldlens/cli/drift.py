"""`goldlens drift`: the scores with and without a profile, and what differs by convention."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from goldlens.cli import inputs, outputs
from goldlens.cli.lines import counted, one_line
from goldlens.cli.profiles import profile_named
from goldlens.cli.systems import pair_options

if TYPE_CHECKING:
    from goldlens.cli.evaluated import Evaluated
    from goldlens.cli.table import Grid
    from goldlens.scoring.analysis.drift import Disagreements, Drift
    from goldlens.scoring.counts import Figure
    from goldlens.scoring.ud.aligned import Aligned, Words
    from goldlens.server.engine.document import Document

_SHOWN: Final = 5
"""How many confusions of a column a table has; JSON has them all."""


@click.command(name="drift")
@click.argument("gold", metavar="GOLD")
@click.argument("pred", metavar="PRED")
@click.option(
    "--profile",
    metavar="NAME|FILE",
    required=True,
    help="What the two are reconciled by: none, proiel, or a TOML file.",
)
@pair_options
@click.option("--strict", is_flag=True, help="Also the strict metrics: all features, full labels.")
@click.option(
    "--sample",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="So many lemmas that differ are listed.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("-o", "--output", "output", metavar="FILE", help="Write to a file.")
def command(
    gold: str,
    pred: str,
    profile: str,
    match: str,
    policy: str,
    strict: bool,
    sample: int,
    as_json: bool,
    output: str | None,
) -> int:
    """Shows what changes if PRED and GOLD are reconciled by a profile.

    For each metric its score with and without the profile, and for each column the cells that are
    confused most. A high share of the most common pair says that the two follow different
    conventions.
    """
    wanted = profile_named(profile)
    theirs, ours = inputs.open_both(gold, pred)
    with theirs.file, ours.file:
        kept = [("the profile", profile)]
        outputs.refuse_unwritable(output, ("gold", gold), ("the prediction", pred), *kept)
        from goldlens.cli.evaluated import evaluated
        from goldlens.scoring.ud.aligned import aligned
        from goldlens.scoring.ud.profile import NONE
        from goldlens.scoring.ud.reconciled import task_of
        from goldlens.scoring.ud.task import UD

        written = evaluated(theirs, ours, UD, match, policy, strict)
        if written.notices:
            outputs.complain("\n".join([*written.notices, ""]))
        if written.refused:
            written.say_refused()
            return 2
        theirs.file.seek(0)
        ours.file.seek(0)
        profile_or_none = wanted or NONE
        under = evaluated(theirs, ours, task_of(profile_or_none), match, policy, strict)
        same = written
        if profile_or_none.exclude:
            theirs.file.seek(0)
            ours.file.seek(0)
            same_words = task_of(profile_or_none.only_leaving_out)
            same = evaluated(theirs, ours, same_words, match, policy, strict)
    facing = aligned(written.pair.gold.units, written.pair.pred.units, list(written.pair.pairing))
    found = _drift(written, under, same, facing, sample)
    places = _Places(written, facing)
    if as_json:
        from json import dumps

        document = {
            "signature": {
                "written": str(written.board.signature()),
                "reconciled": str(under.board.signature()),
            },
            "gold": {"path": written.gold, "sha256": written.gold_sha256},
            "pred": {"path": written.pred, "sha256": written.pred_sha256},
            **found.as_dict(),
            "lemmas": places.lemmas(found),
        }
        outputs.put(dumps(document, ensure_ascii=False, indent=2) + "\n", output, machine=True)
        return 0
    from goldlens.cli.score import show_tables

    below = [*places.said(found), *_said(found)]
    below += [f"Signature: {one.board.signature()}" for one in (written, under)]
    title = f"{written.pred} against {written.gold}"
    show_tables(_grids(found), title, "\n".join([*below, ""]), output)
    return 0


def _drift(
    written: Evaluated, under: Evaluated, same: Evaluated, facing: Aligned, sample: int
) -> Drift:
    from goldlens.scoring.analysis.drift import drift
    from goldlens.scoring.ud.aligned import aligned
    from goldlens.scoring.ud.profile import NONE
    from goldlens.scoring.ud.reconciled import Reconciled, reconciled

    task = under.task
    profile = task.profile if isinstance(task, Reconciled) else NONE
    gold, pred = written.pair.gold.units, written.pair.pred.units
    segments = list(written.pair.pairing)
    after = aligned(reconciled(profile, gold), reconciled(profile, pred), segments)
    figures, same_words = (written.board.figures(), under.board.figures()), same.board.figures()
    return drift(profile, (facing, figures[0]), (after, figures[1]), same_words, sample)


class _Places:
    """Where words of a pair stand."""

    def __init__(self, found: Evaluated, facing: Aligned) -> None:
        self._pred = found.pred
        self._documents = (found.pair.gold, found.pair.pred)
        self._words = (facing.gold, facing.pred)

    def line(self, side: int, word: int) -> int:
        """The line of a word, from 1."""
        return _line(self._documents[side], self._words[side], word)

    def lemmas(self, found: Drift) -> list[dict[str, Any]]:
        """The sample of lemmas, as JSON has it."""
        return [
            {
                "form": each.form,
                "gold": each.gold,
                "pred": each.pred,
                "gold_line": self.line(0, each.gold_word),
                "line": self.line(1, each.pred_word),
            }
            for each in found.lemmas
        ]

    def said(self, found: Drift) -> list[str]:
        """The sample of lemmas, a line each."""
        total = found.columns["LEMMA"][1].errors
        if not found.lemmas:
            return []
        some = "all" if len(found.lemmas) == total else f"{len(found.lemmas)} of"
        lines = [f"Lemmas that differ under the profile, {some} {total:,}:"]
        for each in found.lemmas:
            at = f"{one_line(self._pred)}:{self.line(1, each.pred_word)}"
            what = f"{one_line(each.form)}: gold has {one_line(each.gold)}, not"
            lines.append(f"  {at}: {what} {one_line(each.pred)}")
        return [*lines, ""]


def _line(document: Document, words: Words, word: int) -> int:
    from goldlens.scoring.problems import Side
    from goldlens.scoring.ud.places import Rows
    from goldlens.scoring.ud.table import LEMMA

    unit = int(words.unit[word])
    place = Rows([document.units[unit]], Side.HERE).place(int(words.number[word]) - 1, LEMMA)
    return int(document.line_starts[unit]) + place.line + 1


def _grids(found: Drift) -> list[Grid]:
    """Scores side by side, errors by column, and the cells confused most in each."""
    from goldlens.cli.table import UNDEFINED, Grid, points

    def changed(a: Figure | None, b: Figure | None) -> str:
        if a is None or b is None or a.score is None or b.score is None:
            return UNDEFINED
        return f"{b.score - a.score:+.2f}"

    # What is left out makes other scores by itself, which is no matter of convention.
    apart = bool(found.profile.exclude)
    scores = [
        (
            name,
            _score(figure),
            *((_score(found.same_words[name]),) if apart else ()),
            _score(found.reconciled[name]),
            changed(found.same_words[name], found.reconciled[name]),
        )
        for name, figure in found.written.items()
    ]
    errors = [
        (
            name,
            str(before.errors),
            points(before.top_share),
            str(after.errors),
            points(after.top_share),
        )
        for name, (before, after) in found.columns.items()
    ]
    grids = [
        Grid(
            ("Metric", "As written", *(("Same words",) if apart else ()), "Reconciled", "Change"),
            tuple(scores),
        ),
        Grid(("Column", "Errors", "Top share", "Reconciled", "Top share"), tuple(errors)),
    ]
    for k, how in enumerate(("as written", "reconciled")):
        pairs = [row for name, both in found.columns.items() for row in _pairs(name, both[k])]
        if pairs:
            grids.append(Grid((f"Gold → predicted, {how}", "Count", "Share"), tuple(pairs)))
    return grids


def _score(figure: Figure | None) -> str:
    from goldlens.cli.table import points

    return points(None if figure is None else figure.score)


def _pairs(name: str, found: Disagreements) -> list[tuple[str, str, str]]:
    from goldlens.cli.table import points

    return [
        (
            f"{name} {one_line(each.gold)} → {one_line(each.pred)}",
            str(each.count),
            points(each.share),
        )
        for each in found.pairs[:_SHOWN]
    ]


def _said(found: Drift) -> list[str]:
    """What the profile leaves out."""
    said = []
    gold, pred = found.left_out
    if gold or pred:
        what = f"{counted(gold, 'word')} of gold and {pred:,} of the prediction"
        said.append(f"Left out: {what}, of the classes {', '.join(found.profile.exclude)}")
    if "DEPREL" not in found.columns:
        said.append("Left out: DEPREL, since no word of a side has a HEAD")
    if found.dropped:
        said.append(f"Not comparable: {', '.join(found.dropped)}")
    return said
