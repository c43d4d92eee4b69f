"""How `check` prints what it found: as text, as JSON, for GitHub; SARIF has its own module."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from goldlens.cli.lines import counted, line, one_line
from goldlens.scoring.problems import Severity
from goldlens.server.findings import Finding

WITHOUT_GOLD: Final = "checked without gold (none was found; --gold names one)"
"""What is said of files that were checked by themselves."""

_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def text(findings: Iterable[Finding]) -> str:
    """A line each: `PATH:LINE:COL: severity[code]: message`."""
    return "".join(
        line(f.at.path, f.at.line, f.at.column, f.severity.label, f.code, f.message) + "\n"
        for f in findings
    )


def as_json(findings: Sequence[Finding]) -> str:
    """A list of objects, one a line, so that line tools can be used on it too."""
    rows = [json.dumps(found.as_dict(), ensure_ascii=False) for found in findings]
    return "[" + ",".join(f"\n{row}" for row in rows) + "\n]\n"


def github(findings: Iterable[Finding]) -> str:
    """Workflow commands that GitHub Actions shows beside the changed lines."""
    return "".join(_command(found) for found in findings)


def _command(found: Finding) -> str:
    at = found.at
    properties = {
        "file": at.path,
        "line": at.line,
        "endLine": at.end_line,
        "col": at.column,
        "endColumn": at.end_column,
        "title": f"goldlens {found.code}",
    }
    named = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    level = _GITHUB.get(found.severity, "notice")
    return f"::{level} {named}::{one_line(_data(found.message))}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def summary(
    severities: Counter[Severity], files: int, since: str | None = None, alone: int = 0
) -> str:
    """How many problems of each severity: "3 errors, 12 warnings in 2 files".

    `since`: the revision since which they are new. `alone`: so many of the
    files have no gold.
    """
    nouns = {
        Severity.ERROR: ("error", None),
        Severity.WARNING: ("warning", None),
        Severity.INFORMATION: ("information", "information"),
        Severity.HINT: ("hint", None),
    }
    parts = [
        counted(severities[severity], *nouns[severity])
        for severity in Severity
        if severities[severity]
    ]
    new = "" if since is None else f" new since {one_line(since)}"
    found = f"{', '.join(parts) or 'no problems'}{new} in {counted(files, 'file')}"
    if not alone:
        return found
    return f"{found}, {'' if alone == files else f'{alone:,} of them '}{WITHOUT_GOLD}"
