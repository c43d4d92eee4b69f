"""UD's own validator beside our problems: the source `udvalidate`, if the settings want it.

A document is validated when it is opened and when it is saved, in a process beside everything
else; then only sentences that have changed are. What it found moves with the text.
"""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from goldlens.scoring.conllu.sentence import sentence
from goldlens.scoring.problems import Severity
from goldlens.server.asked import WorkspaceError
from goldlens.server.engine.document import Document
from goldlens.server.engine.positions import Encoding
from goldlens.server.sources import key_of
from goldlens.server.spot import character
from goldlens.server.validation import process
from goldlens.server.validation.findings import Finding
from goldlens.server.validation.process import Failed, Run
from goldlens.server.validation.validated import Plan, Validated

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer
    from goldlens.server.lsp.views import View

log = logging.getLogger(__name__)

SOURCE: Final = "udvalidate"


@dataclass(slots=True, eq=False)
class _Subject:
    """A document under validation."""

    view: View
    language: str
    found: Validated = field(default_factory=Validated)
    run: Run | None = None
    again: bool = False


class Validation:
    """The validated documents of one client."""

    def __init__(self, ls: GoldlensServer) -> None:
        self._ls = ls
        self._loop = asyncio.get_running_loop()
        self._subjects: dict[str, _Subject] = {}
        self._said: set[str] = set()

    def look(self, uri: str) -> None:
        """A document was opened or saved, or settings are others. To be called in a turn."""
        ls, key = self._ls, key_of(uri)
        view = ls.views.get(key)
        if view is None or not ls.running:
            return
        try:
            settings, document = ls.workspace.settings_of(uri), ls.workspace.document(uri)
        except WorkspaceError:
            return
        subject = self._subjects.get(key)
        wanted = settings.validate == "onSave" and document.format.name == "ud"
        if subject is not None and (
            not wanted or subject.view is not view or subject.language != settings.validate_language
        ):
            self._drop(key)
            ls.publisher.mark([view.uri])
            subject = None
        if not wanted or not self._is_installed():
            return
        if subject is None:
            subject = self._subjects[key] = _Subject(view, settings.validate_language)
        self._begin(subject, document)

    def look_at_all(self) -> None:
        """Settings are others."""
        for view in list(self._ls.views.values()):
            self.look(view.uri)

    def _is_installed(self) -> bool:
        if process.is_installed():
            return True
        self._say("UD's validator is not installed; run pip install 'goldlens[validate]'")
        return False

    def _say(self, message: str) -> None:
        """Says something once."""
        if message not in self._said:
            self._said.add(message)
            self._ls.show(f"goldlens: {message}", "Warning")

    def _begin(self, subject: _Subject, document: Document) -> None:
        if subject.run is not None:
            subject.again = True
            return
        plan = subject.found.plan(document)
        if plan is None:
            return
        name, text = PurePosixPath(subject.view.uri).name, plan.text
        if len(text) > process.LARGEST:
            self._say(f"{name} is too large for UD's validator, which would take minutes")
            return

        def done(outcome: str | Failed) -> None:
            # In the run's thread. The loop is closed if the server has ended in the meantime.
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._done, subject, plan, outcome)

        subject.run = Run(process.command(subject.language, plan.excluded), text, done)

    def _done(self, subject: _Subject, plan: Plan, outcome: str | Failed) -> None:
        ls, uri = self._ls, subject.view.uri
        subject.run = None
        if self._subjects.get(key_of(uri)) is not subject or not ls.running:
            return
        if isinstance(outcome, Failed):
            log.warning("%s could not be validated: %s", uri, outcome.why)
            self._say(f"{PurePosixPath(uri).name} could not be validated: {outcome.why}")
        else:
            subject.found.take(plan, outcome)
            ls.publisher.mark([uri])
            ls.publisher.wake()
        if subject.again:
            subject.again = False
            ls.turns.do(lambda: self.look(uri))

    def closed(self, key: str) -> None:
        """A document was closed."""
        self._drop(key)

    def end(self) -> None:
        """Ends what runs."""
        for key in list(self._subjects):
            self._drop(key)

    def _drop(self, key: str) -> None:
        subject = self._subjects.pop(key, None)
        if subject is not None and subject.run is not None:
            subject.run.kill()

    # What is shown

    def revision(self, view: View) -> int:
        """Another number whenever what was found is something else."""
        subject = self._subject(view)
        return 0 if subject is None else subject.found.revision

    def beside(self, view: View, document: Document, limit: int, diagnostics: str) -> str:
        """An array of diagnostics with what was found in a document behind it."""
        subject = self._subject(view)
        if subject is None:
            return diagnostics
        found = list(subject.found.placed(document))
        more = len(found) - limit
        if more > 0:
            # One place is for the summary.
            more += 1
            found = sorted(sorted(found, key=_is_warning)[: limit - 1], key=itemgetter(0))
        encoding = self._ls.client.encoding
        ours = [_diagnostic(document, line, finding, encoding) for line, finding in found]
        if more > 0:
            ours.append(_cut(more, limit))
        return f"[{','.join([*filter(None, [diagnostics[1:-1]]), *ours])}]"

    def _subject(self, view: View) -> _Subject | None:
        subject = self._subjects.get(key_of(view.uri))
        return subject if subject is not None and subject.view is view else None


def _is_warning(found: tuple[int, Finding]) -> bool:
    return found[1].warning


def _diagnostic(document: Document, line: int, finding: Finding, encoding: Encoding) -> str:
    start, end, rest = _piece(document.line(line), finding, encoding)
    if not line:
        mark = character(document, 0, 0, encoding)
        start, end = start + mark, end + mark
    return (
        f'{{"range":{{"start":{{"line":{line},"character":{start}}},'
        f'"end":{{"line":{line},"character":{end}}}}},{rest}'
    )


@lru_cache(maxsize=1 << 12)
def _piece(text: bytes, finding: Finding, encoding: Encoding) -> tuple[int, int, str]:
    """From where to where in its line a finding is, and all that its JSON has behind the range."""
    start, end = 0, len(text)
    if finding.column is not None and (rows := sentence(text).rows):
        start, end = rows[0].span(finding.column)
    severity = Severity.WARNING if finding.warning else Severity.ERROR
    said = {
        "severity": int(severity),
        "code": finding.test,
        "source": SOURCE,
        "message": f"{finding.message} (level {finding.level})",
    }
    return encoding.from_byte(text, start), encoding.from_byte(text, end), json.dumps(said)[1:]


def _cut(more: int, limit: int) -> str:
    said = "more finding is" if more == 1 else "more findings are"
    place = {"line": 0, "character": 0}
    return json.dumps(
        {
            "range": {"start": place, "end": place},
            "severity": int(Severity.HINT),
            "code": "problems-cut",
            "source": SOURCE,
            "message": f"{more} {said} not shown (maxProblems is {limit})",
        }
    )
