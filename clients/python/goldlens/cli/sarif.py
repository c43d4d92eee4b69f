"""SARIF 2.1.0, the form in which code scanning takes results of static analysis.

Specification: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from goldlens.cli.inputs import STDIN_NAME
from goldlens.cli.lines import Trouble
from goldlens.scoring.problems import CODES, Severity
from goldlens.scoring.signature import goldlens_version
from goldlens.server.config import lexical
from goldlens.server.findings import Finding
from goldlens.server.texts import Stretch

SITE: Final = "https://goldlens.readthedocs.io/en/latest/"
ROOT: Final = "%SRCROOT%"
"""What relative paths are relative to; GitHub takes this name for the repository's root."""

_LINK: Final = re.compile(r"\[(?=[^\[\]]*\]\()")
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def sarif(findings: Sequence[Finding], troubles: Sequence[Trouble], folder: Path) -> str:
    """One run. Files under `folder` are named relative to it.

    `troubles`: files that could not be read, for which the run is not a success.
    """
    codes = sorted({found.code for found in findings})
    rules = {code: number for number, code in enumerate(codes)}
    run = {
        "tool": {
            "driver": {
                "name": "goldlens",
                "version": goldlens_version(),
                "informationUri": SITE,
                "rules": [_rule(code) for code in codes],
            }
        },
        "invocations": [
            {
                "executionSuccessful": not troubles,
                "toolExecutionNotifications": [
                    {
                        "level": "error",
                        "message": _message(trouble.message),
                        "descriptor": {"id": trouble.code},
                        "locations": [
                            {"physicalLocation": {"artifactLocation": _file(trouble.path, folder)}}
                        ],
                    }
                    for trouble in troubles
                ],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"uri": _absolute(lexical(folder)).rstrip("/") + "/"}},
        "results": [_result(found, rules, folder) for found in findings],
    }
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(log, ensure_ascii=False) + "\n"


def _rule(code: str) -> dict[str, Any]:
    known, page = CODES[code], f"{SITE}codes/{code}/"
    return {
        "id": code,
        "shortDescription": {"text": known.title},
        # GitHub wants these two as well.
        "fullDescription": {"text": f"{known.title}."},
        "help": {"text": f"What it means, an example and its repair: {page}"},
        "helpUri": page,
        "defaultConfiguration": {"level": _level(known.severity)},
    }


def _result(found: Finding, rules: dict[str, int], folder: Path) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": rules[found.code],
        "level": _level(found.severity),
        "message": _message(found.message),
        "locations": [{"physicalLocation": _location(found.at, folder)}],
    }
    if found.related:
        result["relatedLocations"] = [
            {
                "id": number,
                "physicalLocation": _location(at, folder),
                "message": _message(message),
            }
            for number, (at, message) in enumerate(found.related, 1)
        ]
    return result


def _message(text: str) -> dict[str, str]:
    """A message; what files say in it is no link (see 3.11.6 of the specification)."""
    return {"text": _LINK.sub(r"\\[", text)}


def _location(at: Stretch, folder: Path) -> dict[str, Any]:
    return {
        "artifactLocation": _file(at.path, folder),
        "region": {
            "startLine": at.line,
            "startColumn": at.column,
            "endLine": at.end_line,
            "endColumn": at.end_column,
        },
    }


def _file(path: str, folder: Path) -> dict[str, str]:
    if path == STDIN_NAME:
        return {"uri": quote(path)}
    whole = lexical(folder / path)
    if whole.is_relative_to(lexical(folder)):
        return {"uri": _quoted(whole.relative_to(lexical(folder))), "uriBaseId": ROOT}
    return {"uri": _absolute(whole)}


def _absolute(path: Path) -> str:
    return f"file://{'' if path.as_posix().startswith('/') else '/'}{_quoted(path)}"


def _quoted(path: Path) -> str:
    # By its bytes: a file's name need not be text.
    return quote(path.as_posix().encode("utf-8", "surrogateescape"))


def _level(severity: Severity) -> str:
    return _LEVELS.get(severity, "note")
