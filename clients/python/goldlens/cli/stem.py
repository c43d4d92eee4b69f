"""`goldlens stem`: how well a stemmer keeps a dictionary's groups together, and apart."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from goldlens.cli import expected, inputs, outputs
from goldlens.cli.lines import counted, line
from goldlens.scoring.stemming.indices import INDICES
from goldlens.scoring.stemming.policies import MODES, POLICIES
from goldlens.scoring.text import BOM

if TYPE_CHECKING:
    from goldlens.scoring.stemming.evaluate import Dictionary, Evaluation, Found, Outputs
    from goldlens.scoring.stemming.study import Row

AUDIT_LIMIT: Final = 20


@click.command(name="stem")
@click.argument("dictionary", metavar="[DICTIONARY", required=False)
@click.argument("pred", metavar="PRED]", required=False)
@click.option("--study", metavar="FILE", help="Score all stemmers and languages of a study.")
@click.option("--stemmer", "stemmers", multiple=True, metavar="NAME", help="Only this stemmer.")
@click.option("--language", "languages", multiple=True, metavar="NAME", help="Only this language.")
@click.option("--mode", "modes", multiple=True, type=click.Choice(MODES), help="Only this mode.")
@click.option(
    "--policy", "policies", multiple=True, type=click.Choice(POLICIES), help="Only this policy."
)
@click.option(
    "--rank-metric",
    type=click.Choice(list(INDICES)),
    metavar="NAME",
    default="F0.5",
    show_default=True,
    help="What stemmers are ranked and compared by: F0.5, UI, precision, …",
)
@click.option("--audit", is_flag=True, help="List the worst groups too.")
@click.option(
    "--audit-limit",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"List so many of them (with --audit; {AUDIT_LIMIT} unless told).",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option(
    "-o", "--output", metavar="PATH", help="Write to a file; with --study, files in a folder."
)
def command(
    dictionary: str | None,
    pred: str | None,
    study: str | None,
    stemmers: tuple[str, ...],
    languages: tuple[str, ...],
    modes: tuple[str, ...],
    policies: tuple[str, ...],
    rank_metric: str,
    audit: bool,
    audit_limit: int | None,
    as_json: bool,
    output: str | None,
) -> int:
    """Scores the stems PRED against the groups of DICTIONARY, pair of forms by pair of forms.

    A row of DICTIONARY is a group of forms, a row of PRED a form, its stem and further candidates,
    all between tabs. Each option that says "only" may be given several times.
    """
    if audit_limit is not None and not audit:
        raise click.UsageError("--audit-limit is nothing without --audit")
    limit = (audit_limit or AUDIT_LIMIT) if audit else 0
    if study is not None:
        if dictionary is not None:
            raise click.UsageError("a study names its files; give --study, or DICTIONARY and PRED")
        from goldlens.cli.stems import run
        from goldlens.scoring.stemming.study import Filter

        wanted = Filter(stemmers, languages, modes, policies)
        return run.run(study, wanted, rank_metric, limit, as_json, output)
    if dictionary is None or pred is None:
        raise click.UsageError("two files are wanted, DICTIONARY and PRED, or --study FILE")
    if stemmers or languages:
        raise click.UsageError("--stemmer and --language choose from a study; add --study FILE")
    return _pair(dictionary, pred, modes or MODES, policies or POLICIES, limit, as_json, output)


def _pair(
    dictionary: str,
    pred: str,
    modes: tuple[str, ...],
    policies: tuple[str, ...],
    limit: int,
    as_json: bool,
    output: str | None,
) -> int:
    theirs, ours = inputs.open_both(dictionary, pred)
    with theirs.file, ours.file:
        outputs.refuse_unwritable(output, ("the dictionary", dictionary), ("the stems", pred))
        odd = expected.warnings(theirs, ours, "stemming")
        gold, stems = theirs.file.read(), ours.file.read()
    files = expected.Beginning(theirs.name, gold), expected.Beginning(ours.name, stems)
    expected.require("stemming", *files)
    if odd:
        outputs.complain("\n".join([*odd, ""]))
    from goldlens.scoring.stemming.evaluate import evaluate, read_dictionary, read_outputs

    groups, found = read_dictionary(gold), read_outputs(stems)
    evaluation = evaluate(groups, found, modes)
    if evaluation.refused:
        outputs.complain(refusal(evaluation, (theirs.name, ours.name), (gold, stems)))
        return 2
    from goldlens.scoring.stemming.study import Key, Row

    name = Path(ours.name).name
    rows = [
        Row(
            Key(name, "", Path(theirs.name).name, mode, policy),
            evaluation.pairs[mode][policy],
            "",
            sha256(gold).hexdigest(),
        )
        for mode in modes
        for policy in policies
    ]
    worst = [each for row in rows for each in audited(row, groups, found, limit)]
    if as_json:
        from json import dumps

        document: dict[str, Any] = {"rows": [row.as_dict() for row in rows]}
        if limit:
            document["audit"] = worst
        outputs.put(dumps(document, ensure_ascii=False, indent=2) + "\n", output, machine=True)
        return 0
    from goldlens.cli.stems.table import plain

    outputs.put(plain(rows, worst), output)
    return 0


def refusal(evaluation: Evaluation, names: tuple[str, str], texts: tuple[bytes, bytes]) -> str:
    """A line for each cause, in order of file and line, and what to do."""
    split = [_lines(text) for text in texts]
    said = []
    for found in evaluation.refused:
        row = split[found.side][found.line] if found.line < len(split[found.side]) else b""
        start = found.problem.place.start
        column = len(row[:start].decode("utf-8", "replace")) + 1
        what = found.problem.message + _where(found, names)
        said.append(
            line(names[found.side], found.line + 1, column, "error", found.problem.code, what)
        )
    causes = counted(len(said), "cause")
    said.append(f"error[refused]: this pair cannot be scored, for {causes}; repair what is listed")
    return "".join(f"{each}\n" for each in said)


def _where(found: Found, names: tuple[str, str]) -> str:
    """The other place that a problem has to do with."""
    for related in found.problem.related:
        other = bool(related.place.side)
        number = (found.there if other else found.base) + related.place.unit + 1
        name = names[1 - found.side] if other else "line"
        return f" ({related.message}: {name}{':' if other else ' '}{number})"
    return ""


def audited(row: Row, groups: Dictionary, found: Outputs, limit: int) -> list[dict[str, Any]]:
    """The worst groups of a row, for JSON."""
    if not limit:
        return []
    from goldlens.scoring.stemming.audit import worst

    key = row.key
    kept = groups.kept(key.mode)
    numbers = [k for k in range(len(groups.groups)) if kept is None or kept[k]]
    its = worst([groups.groups[k] for k in numbers], found.output, key.policy, limit)
    return [
        {
            "stemmer": key.stemmer,
            "language": key.language,
            "dictionary": key.dictionary,
            "mode": key.mode,
            "policy": key.policy,
            "rank": rank,
            "line": groups.lines[numbers[each.group]] + 1,
            **each.as_dict(),
        }
        for rank, each in enumerate(its, 1)
    ]


def _lines(text: bytes) -> list[bytes]:
    text = text.removeprefix(BOM)
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
