"""`goldlens check`: every problem of files, against gold too where one is found."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Protocol

import click

from goldlens.cli import expected, formats, inputs
from goldlens.cli.evaluated import require
from goldlens.cli.findings import CONFIGURATIONS, findings, gold_text
from goldlens.cli.lines import Trouble, counted, line
from goldlens.cli.outputs import complain, put
from goldlens.cli.seeming import LOOKED_AT
from goldlens.scoring.problems import Problem, Severity
from goldlens.scoring.task import GOLD, PRED, Format, Incomparable, Task
from goldlens.scoring.text import not_text
from goldlens.server import config as configuration
from goldlens.server.config import Config, PairConfig, Settings
from goldlens.server.findings import Finding
from goldlens.server.pairing import Pairing, gold_for, no_gold
from goldlens.server.roles import Role, role_of, task_for
from goldlens.server.sources import Unreadable, read
from goldlens.server.texts import Text


@click.command(name="check")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--gold", metavar="PATH", help="Hold the files against this gold.")
@click.option("--no-gold", is_flag=True, help="Check the format only.")
@click.option("--against", metavar="REV", help="Show only what is new since this git revision.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="How to print what is found.",
)
def command(
    files: tuple[str, ...], gold: str | None, no_gold: bool, against: str | None, form: str
) -> int:
    """Lists all problems of each FILE, against gold too where one is found.

    goldlens.toml and pyproject.toml are checked as configurations. The exit status is 1 if there
    is an error; warnings and everything below do not count.

    With --against, FILE, its gold and its configuration are compared with what they were in REV.
    REV is whatever git takes for a commit; A...B, or A..., is the last commit that both have.
    """
    if gold is not None and no_gold:
        raise click.UsageError("--gold and --no-gold exclude each other")
    if [gold, *files].count(inputs.STDIN) > 1:
        raise click.UsageError("only one file can be standard input")
    checker = Checker(gold, use_gold=not no_gold)
    check = checker.check
    if against is not None:
        from goldlens.cli.past.against import Since

        check = Since(checker, against, files).check
    held: list[Finding] = []
    troubles: list[Trouble] = []
    severities: Counter[Severity] = Counter()
    for file in files:
        try:
            found = list(check(file))
        except Trouble as trouble:
            trouble.show()
            troubles.append(trouble)
            continue
        severities.update(each.severity for each in found)
        if form == "text":
            put(formats.text(found), None)
        elif form == "github":
            put(formats.github(found), None, machine=True)
        else:
            held += found
    if form == "json":
        put(formats.as_json(held), None, machine=True)
    elif form == "sarif":
        from goldlens.cli.sarif import sarif

        put(sarif(held, troubles, Path.cwd()), None, machine=True)
    number = len(files) - len(troubles)
    if form == "text" and number:
        said = formats.summary(severities, number, since=against, alone=checker.alone)
        complain(f"{said}\n")
    elif checker.alone:
        complain(f"{counted(checker.alone, 'file')} {formats.WITHOUT_GOLD}\n")
    if troubles:
        return 2
    return 1 if severities[Severity.ERROR] else 0


class Files(Protocol):
    """Where golds and configurations come from: the disk, or what was on it."""

    def read(self, path: Path) -> bytes:
        """The bytes of a text file. Raises Unreadable."""
        ...

    def configuration(self, start: Path) -> Path | None:
        """The configuration that holds for a file, None if there is none."""
        ...

    def trouble(self, facing: Pairing) -> Problem | None:
        """Why what a file faces cannot be had, or its profile followed; None if both can."""
        ...


class Disk:
    """The files as they are."""

    def read(self, path: Path) -> bytes:
        """The bytes of a text file. Raises Unreadable."""
        return read(path, any_kind=True)

    def configuration(self, start: Path) -> Path | None:
        """The configuration that holds for a file, None if there is none."""
        return configuration.find(start, None)

    def trouble(self, facing: Pairing) -> Problem | None:
        """Why what a file faces cannot be had, or its profile followed; None if both can."""
        return facing.trouble


class Checker:
    """Checks files one after the other; configurations and golds are read once."""

    def __init__(self, gold: str | None, *, use_gold: bool) -> None:
        """`gold` names the gold of all files. Raises Trouble if it cannot be read."""
        self._use_gold = use_gold
        self._files: Files = Disk()
        self._now = True
        self.alone = 0
        """How many files have been checked by themselves since no gold was found for them."""
        self._named: tuple[str, bytes] | None = None
        self._named_path: Path | None = None
        if gold is not None:
            gold = inputs.located(gold)
            data = inputs.read_bytes(gold)
            if why := not_text(data):
                raise Trouble(inputs.name_of(gold), "encoding", why)
            self._named = inputs.name_of(gold), data
            self._named_path = None if gold == inputs.STDIN else Path(gold)
        self._configs: dict[Path, Config | None] = {}
        self._golds: dict[tuple[Path, Format], Text] = {}
        self._beginnings: dict[str, expected.Beginning] = {}

    def among(self, files: Files) -> Checker:
        """The same, with golds and configurations from elsewhere, and of these no warnings."""
        other = Checker(None, use_gold=self._use_gold)
        other._files, other._now = files, False
        other._named, other._named_path = self._named, self._named_path
        if other._named_path is not None:
            try:
                other._named = str(other._named_path), files.read(other._named_path)
            except Unreadable:
                other._named = None
        return other

    def check(self, file: str) -> Iterator[Finding]:
        """The problems of a file (of standard input, if it is "-"). Raises Trouble."""
        name, path = inputs.name_of(file), None if file == inputs.STDIN else Path(file)
        data = inputs.read_bytes(file)
        if path is not None and self._named_path is not None and path.samefile(self._named_path):
            message = "the file is its own gold; name another with --gold, or use --no-gold"
            raise Trouble(name, "same-file", message)
        yield from self.look(name, path, data)

    def look(self, name: str, path: Path | None, data: bytes) -> Iterator[Finding]:
        """The problems of a file whose bytes are at hand."""
        config = self._config(path or Path.cwd())
        settings = config.settings if config else Settings()
        role = self._role(path, config, data)
        gold, match, trouble = None, "auto", None
        if role.task is not None and self._named is not None:
            gold = self._gold_text(Path(self._named[0]), role.task, *self._named)
        elif self._use_gold:
            gold, match, trouble = self._facing(role)
        if self._now:
            self._require(name, path, data, role, gold)
            by_itself = gold is None and trouble is None and role.side == PRED
            readable = not (_is_configuration(path) or not_text(data))
            self.alone += self._use_gold and by_itself and readable
        try:
            yield from findings(name, data, settings, role, path, gold, match, trouble)
        except Incomparable as error:
            # As in an editor: what can be said without gold is said.
            yield from findings(name, data, settings, role, path, too_large=str(error))

    def _require(
        self, name: str, path: Path | None, data: bytes, role: Role, gold: Text | None
    ) -> None:
        """Raises Trouble if a file or its gold is of another task; warns if the file is empty."""
        if role.task is None or not_text(data) or _is_configuration(path):
            return
        files = [expected.Beginning(name, data)]
        if gold is not None:
            files.insert(0, self._beginnings[gold.name])
        require(role.task, *files, otherwise="rename it, or say its task in goldlens.toml")
        _warn_of_emptiness(name, data, role.task)

    def _role(self, path: Path | None, config: Config | None, data: bytes) -> Role:
        """What a file is; one that was named is annotation, whatever its name."""
        facing = None
        if self._named_path is not None and path is not None:
            # It faces what was named, under what the configuration says of it.
            configured = gold_for(path, config)
            pair = configured.pair if configured else PairConfig(str(self._named_path), str(path))
            facing = Pairing(path, self._named_path, pair, "", "name")
        role = role_of(path, config, data, facing=facing)
        return role if role.task else Role(task_for(PairConfig("", ""), path or Path(), data))

    def _gold_text(self, path: Path, task: Task, name: str, data: bytes) -> Text:
        key = path, task.format(GOLD)
        if key not in self._golds:
            self._golds[key] = gold_text(name, data, task)
            self._beginnings[name] = expected.Beginning(name, data[:LOOKED_AT])
            if self._now:
                _warn_of_emptiness(name, data, task)
        return self._golds[key]

    def _facing(self, role: Role) -> tuple[Text | None, str, Problem | None]:
        """The gold of a file and how it is matched, or why it cannot be had."""
        facing, task = role.facing, role.task
        if facing is None or task is None:
            return None, "auto", None
        if trouble := self._files.trouble(facing):
            return None, "auto", trouble
        if (facing.gold, task.format(GOLD)) not in self._golds:
            try:
                data = self._files.read(facing.gold)
            except Unreadable as error:
                said = f"gold cannot be read: {facing.gold}: {error}"
                return None, "auto", no_gold(said)
            self._gold_text(facing.gold, task, _shown(facing.gold), data)
        return self._golds[facing.gold, task.format(GOLD)], facing.pair.match, None

    def _config(self, start: Path) -> Config | None:
        """The configuration that holds for a file; if it has problems of its own, says so."""
        found = self._files.configuration(start)
        if found is None:
            return None
        if found not in self._configs:
            try:
                text = self._files.read(found).decode("utf-8-sig", "replace")
                config = configuration.parse(text, found)
            except Unreadable as error:
                self._configs[found] = None
                self._warn(found, f"the configuration cannot be read: {error}")
                return None
            self._configs[found] = config
            if config.problems and configuration.lexical(start) != found:
                first = config.problems[0]
                number = counted(len(config.problems), "problem")
                message = f"the configuration has {number}; check it too"
                self._warn(found, message, first.place.line + 1)
        return self._configs[found]

    def _warn(self, path: Path, message: str, number: int = 1) -> None:
        if self._now:
            click.echo(line(_shown(path), number, 1, "warning", "config", message), err=True)


def _warn_of_emptiness(name: str, data: bytes, task: Task) -> None:
    if said := expected.emptiness(name, BytesIO(data), task.name):
        complain("\n".join([*said, ""]))


def _is_configuration(path: Path | None) -> bool:
    return path is not None and path.name in CONFIGURATIONS


def _shown(path: Path) -> str:
    """A path as people would write it: relative to where they are, if it is below."""
    here = Path(os.path.normpath(Path.cwd()))
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
