"""Each repair over a real connection: asked for, applied as editors do, and its problem is gone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.session import SocketSession
from tests.lsp.test_actions import CAN, WITHOUT_RESOLVE, applied, asked, edits_of
from tests.server.views.test_repairing import ASKED, COMPARED, FAULTS, GOOD

ALL = "Repair all of this kind"
IOBES = "so\tO\n\nEU\tS-ORG\nNew\tB-LOC\nYork\tE-LOC\n\nAnn\tS-PER\n\n"
IOB2 = "so\tO\n\nEU\tB-ORG\nNew\tB-LOC\nYork\tI-LOC\n\nAnn\tB-PER\n\n"

TASKS = {
    "a scheme": (".iob2", "iob2-scheme", None, IOBES),
    "I- for B-": (".iob2", "iob2-malformed", None, "a\tI-X\nb\tI-X\n\n"),
    "a bare tag": (".iob2", "iob2-tag", None, "a\tB\nb\tO\n\n"),
    "a span": (".iob2", "span-error", IOB2, IOB2.replace("B-ORG", "B-LOC")),
    "a token": (".iob2", "token-text", IOB2, IOB2.replace("York", "york")),
    "a sentence": (".iob2", "stream-mismatch", IOB2, IOB2.replace("\n\nAnn", "\nAnn")),
    "scores": (
        ".jsonl",
        "class-error",
        '{"id": "🧀", "label": "ü"}\n',
        '{"id": "🧀", "scores": {"ä": 0.9}}\n',
    ),
    "a row that is broken": (
        ".jsonl",
        "row-format",
        '{"id": "d", "label": "x"}\n',
        '{"id": "d", "label": x}\n',
    ),
    "a document too few": (".tsv", "id-missing", "a\tx\nb\ty\n", "a\tx\n"),
    "a document too many": (".tsv", "id-extra", "a\tx\n", "a\tx\nb\ty\n"),
    "a document twice": (".tsv", "id-duplicate", "a\tx\nb\ty\n", "a\tx\na\ty\n"),
    "a form without a stem": (".stems.tsv", "form-missing", "ab\tabs\n", "ab\tab\n"),
    "a form too many": (".stems.tsv", "form-extra", "ab\tabs\n", "ab\tab\nabs\tab\nx\tx\n"),
}


def check(session: SocketSession, uri: str, code: str, text: str) -> None:
    """Takes the first that is offered for a code: that leaves fewer of it, and of none more."""
    session.open(uri, text)
    problems = session.problems(uri, 1)
    problem = next(each for each in problems if each["code"] == code)
    action = next(a for a in asked(session, uri, [problem]) if not a["title"].startswith(ALL))
    assert action["diagnostics"] == [problem] and action["title"]
    if "edit" not in action:
        action = session.call("codeAction/resolve", action)
    version = 1 if "documentChanges" in action["edit"] else None
    session.open(uri, applied(text, edits_of(action, uri, version)), 2)
    was, now = (
        Counter(each["code"] for each in found) for found in (problems, session.problems(uri, 2))
    )
    assert now[code] < was[code]
    assert not {name for name in now - was if name not in COMPARED}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_of_a_tree(session: SocketSession, tmp_path: Path, fault: str) -> None:
    code, change = FAULTS[fault]
    severity = dict.fromkeys(ASKED, "warning")
    session.initialize(CAN, options={"severity": severity})
    check(session, (tmp_path / "alone.conllu").as_uri(), code, change(GOOD))


@pytest.mark.parametrize("capabilities", [CAN, WITHOUT_RESOLVE], ids=["resolving", "at once"])
@pytest.mark.parametrize("fault", TASKS)
def test_every_fault_of_other_tasks(
    session: SocketSession, tmp_path: Path, fault: str, capabilities: Any
) -> None:
    suffix, code, gold, pred = TASKS[fault]
    name = ".tsv" if suffix == ".stems.tsv" else suffix
    task = {".iob2": "span", ".stems.tsv": "stemming"}.get(suffix, "classification")
    if gold is not None:
        (tmp_path / f"gold{name}").write_text(gold, "utf-8")
        (tmp_path / "goldlens.toml").write_text(
            f'[[pair]]\ntask = "{task}"\ngold = "gold{name}"\npred = "pred{name}"\n', "utf-8"
        )
    session.initialize(capabilities, folder=tmp_path)
    check(session, (tmp_path / f"pred{name}").as_uri(), code, pred)


def test_a_scheme_is_converted_all_through(session: SocketSession, tmp_path: Path) -> None:
    session.initialize(CAN)
    uri = (tmp_path / "pred.iob2").as_uri()
    session.open(uri, IOBES)
    [problem] = [each for each in session.problems(uri, 1) if each["code"] == "iob2-scheme"]
    [action] = asked(session, uri, [problem])
    assert action["title"] == "Convert the tags of the file from IOBES to IOB2"
    assert action["isPreferred"] and "edit" not in action
    made = session.call("codeAction/resolve", action)
    assert applied(IOBES, edits_of(made, uri, 1)) == IOB2


def test_a_row_that_a_blank_line_parts_is_joined(session: SocketSession, tmp_path: Path) -> None:
    session.initialize(CAN)
    uri = (tmp_path / "alone.conllu").as_uri()
    first = "# sent_id = ß🧀\n1\tß🧀\tx\tX\t_\t_\t0\troot\t_\t_\n2\t"
    text = first + "\n\t\n\tX\t_\t_\t1\tdep\t_\tSpaceAfter=No\n\n"
    session.open(uri, text)
    torn = [each for each in session.problems(uri, 1) if each["code"] == "column-count"]
    assert len(torn) == 2
    for problem in torn:
        [action, *_] = asked(session, uri, [problem])
        assert action["title"] == "Join the 3 lines of the row"
        now = applied(text, edits_of(action, uri, 1))
        assert now == first + "_\t_\tX\t_\t_\t1\tdep\t_\tSpaceAfter=No\n\n"
