"""A study, run: every stemmer with every dictionary of its languages, and the results written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from json import dumps, loads
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from goldlens.cli import inputs, outputs
from goldlens.cli.lines import Trouble, Troubles
from goldlens.cli.stem import audited, refusal
from goldlens.cli.stems import study as study_file
from goldlens.scoring.stemming import report, summaries
from goldlens.scoring.stemming.study import (
    DictionaryEntry,
    Filter,
    Key,
    Row,
    StemmerEntry,
    Study,
    wrong_keys,
)

if TYPE_CHECKING:
    from goldlens.scoring.stemming.evaluate import Dictionary

NAME: Final = "stems"
"""What the files of the results begin with."""


def run(
    file: str, wanted: Filter, metric: str, limit: int, as_json: bool, output: str | None
) -> int:
    """Runs a study, all or what is `wanted` of it, and writes or prints the results.

    Into the folder `output`, if there is one, else on standard output: Markdown, or JSON. Raises
    Trouble or Troubles; nothing is written then.
    """
    output = None if output == inputs.STDIN else output
    whole = study_file.read(inputs.read_bytes(file), inputs.name_of(file))
    study = _chosen(whole, wanted)
    folder = Path.cwd() if file == inputs.STDIN else Path(file).parent
    if output is not None and Path(output).exists() and not Path(output).is_dir():
        raise Trouble(output, "file", "--output names a file; a study wants a folder")
    _unexpected(whole, folder)
    results = _Results(study, folder, limit)
    results.make()
    if output is not None and wanted:
        _stale(Path(output) / f"{NAME}.json", results.rows)
    texts = results.texts(metric)
    if output is None:
        outputs.put(texts["json" if as_json else "md"], None, machine=as_json)
        return 0
    _make(Path(output))
    end = "-filtered" if wanted else ""
    for name, text in texts.items():
        kind, _, suffix = name.rpartition("-")
        path = Path(output) / f"{NAME}{'-' if kind else ''}{kind}{end}.{suffix}"
        outputs.write(path, text.encode("utf-8", "backslashreplace"))
    return 0


class _Results:
    """The rows of a study, and what is made of them."""

    def __init__(self, study: Study, folder: Path, limit: int) -> None:
        self._study, self._folder, self._limit = study, folder, limit
        self.rows: list[Row] = []
        self._audit: list[dict[str, Any]] = []
        self._refused: list[str] = []

    def make(self) -> None:
        """Scores everything. Raises Troubles where a key is missing or stale, or a file wrong."""
        dictionaries = self._dictionaries()
        troubles = [
            Trouble(str(path), "missing", message)
            for stemmer, dictionary in self._study.runs()
            if not (path := self._folder / stemmer.path(dictionary)).is_file()
            for message in [
                f"there are no stems of {stemmer.name} for {dictionary.id}; make the file, or "
                f"leave {dictionary.language} out of the stemmer's languages"
            ]
        ]
        if troubles:
            raise Troubles(troubles)
        for stemmer, dictionary in self._study.runs():
            self._score(stemmer, dictionary, *dictionaries[dictionary])
        if self._refused:
            outputs.complain("".join(self._refused))
            raise click.exceptions.Exit(2)
        wrong = wrong_keys(self._study.keys(), [row.key for row in self.rows])
        assert not wrong, f"{wrong[0][0]}: {wrong[0][1]}"

    def _dictionaries(self) -> dict[DictionaryEntry, tuple[str, bytes, Dictionary]]:
        from goldlens.scoring.stemming.evaluate import read_dictionary

        found: dict[DictionaryEntry, tuple[str, bytes, Dictionary]] = {}
        troubles: list[Trouble] = []
        for entry in self._study.dictionaries:
            path = str(self._folder / entry.path)
            try:
                text = inputs.read_text(path)
            except Trouble as trouble:
                troubles.append(trouble)
                continue
            is_there = sha256(text).hexdigest()
            if entry.sha256 and entry.sha256.lower() != is_there:
                message = (
                    f"the dictionary {entry.id} is not the one of the study: its SHA-256 is "
                    f"{is_there}; fetch the right one, or make the stems again and note this"
                )
                troubles.append(Trouble(path, "stale", message))
                continue
            found[entry] = path, text, read_dictionary(text)
        if troubles:
            raise Troubles(troubles)
        return found

    def _score(
        self,
        stemmer: StemmerEntry,
        entry: DictionaryEntry,
        path: str,
        gold: bytes,
        dictionary: Dictionary,
    ) -> None:
        from goldlens.scoring.stemming.evaluate import evaluate, read_outputs

        ours = str(self._folder / stemmer.path(entry))
        stems = inputs.read_text(ours)
        found = read_outputs(stems)
        evaluation = evaluate(dictionary, found, self._study.modes)
        if evaluation.refused:
            self._refused.append(refusal(evaluation, (path, ours), (gold, stems)))
            return
        digest = sha256(gold).hexdigest()
        for mode in self._study.modes:
            for policy in self._study.policies:
                key = Key(stemmer.name, entry.language, entry.id, mode, policy)
                pairs = evaluation.pairs[mode][policy]
                row = Row(key, pairs, entry.version, digest, entry.default)
                self.rows.append(row)
                self._audit += audited(row, dictionary, found, self._limit)

    def texts(self, metric: str) -> dict[str, str]:
        """The text of each file, by `KIND-SUFFIX`, or only the suffix for the results as such."""
        rows = self.rows
        summed = summaries.summaries(rows)
        compared = summaries.comparisons(rows, metric)
        ranked = summaries.rankings(rows, metric)
        correlated = summaries.correlations(rows)
        document: dict[str, Any] = {
            "rows": [row.as_dict() for row in rows],
            "summaries": [each.as_dict() for each in summed],
            "comparisons": [each.as_dict() for each in compared],
            "rankings": [each.as_dict() for each in ranked],
            "correlations": [each.as_dict() for each in correlated],
        }
        if self._limit:
            document["audit"] = self._audit
        found = {
            "md": report.markdown(rows, summed, compared, ranked, correlated, self._audit, metric),
            "csv": report.rows_csv(rows),
            "pearson-csv": report.correlations_csv(correlated, "pearson"),
            "spearman-csv": report.correlations_csv(correlated, "spearman"),
            "json": dumps(document, ensure_ascii=False, indent=2) + "\n",
        }
        if self._limit:
            found["audit-csv"] = report.audit_csv(self._audit)
        return found


def _chosen(whole: Study, wanted: Filter) -> Study:
    """The part of a study that is wanted. Raises UsageError for what it does not have."""
    for option, names, known in (
        ("--stemmer", wanted.stemmers, [each.name for each in whole.stemmers]),
        ("--language", wanted.languages, whole.languages),
        ("--mode", wanted.modes, whole.modes),
        ("--policy", wanted.policies, whole.policies),
    ):
        for name in names:
            if name not in known:
                there = ", ".join(known)
                raise click.UsageError(f"{option}: the study has no {name}; it has {there}")
    study = whole.filtered(wanted)
    if not study.runs():
        raise click.UsageError("no stemmer that is wanted has a language that is; ask for others")
    return study


def _unexpected(study: Study, folder: Path) -> None:
    """Raises Troubles for stems that are where those of a study are, and are no part of it."""
    expected = {folder / stemmer.path(dictionary) for stemmer, dictionary in study.runs()}
    troubles = []
    for stemmer in study.stemmers:
        pattern = re.sub(r"\{(language|dictionary)\}", "*", _escaped(stemmer.prediction))
        if "*" not in pattern or Path(stemmer.prediction).is_absolute():
            continue
        for path in sorted(folder.glob(pattern)):
            if path not in expected and path.is_file() and _fits(stemmer, path, folder):
                message = (
                    f"these stems of {stemmer.name} are of no language and dictionary it has in "
                    "the study; add them, or move the file"
                )
                troubles.append(Trouble(str(path), "unexpected", message))
    if troubles:
        raise Troubles(troubles)


def _fits(stemmer: StemmerEntry, path: Path, folder: Path) -> bool:
    """Whether a path is that of a stemmer for one language (the same in all its places)."""
    pattern, seen = "", set[str]()
    for part in re.split(r"(\{language\}|\{dictionary\})", Path(stemmer.prediction).as_posix()):
        name = part.strip("{}")
        if part not in ("{language}", "{dictionary}"):
            pattern += re.escape(part)
        elif name in seen:
            pattern += f"(?P={name})"
        else:
            pattern += f"(?P<{name}>[^/]+)"
            seen.add(name)
    return re.fullmatch(pattern, path.relative_to(folder).as_posix()) is not None


def _escaped(pattern: str) -> str:
    return re.sub(r"[*?\[]", r"[\g<0>]", pattern)


def _stale(full: Path, rows: Sequence[Row]) -> None:
    """Raises Trouble if a full run before was of another dictionary: the two do not go together."""
    try:
        document = loads(full.read_bytes())
        before = {tuple(row[name] for name in _KEY): row["sha256"] for row in document["rows"]}
    except (OSError, ValueError, KeyError, TypeError):
        return
    for row in rows:
        told = row.as_dict()
        if before.get(tuple(told[name] for name in _KEY), row.sha256) != row.sha256:
            message = f"{row.key} was of another dictionary when all was run; run all again"
            raise Trouble(str(full), "stale", message)


_KEY: Final = ("stemmer", "language", "dictionary", "mode", "policy")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or str(error)
        raise Trouble(str(folder), "file", f"no folder can be made: {why}; name another") from error
