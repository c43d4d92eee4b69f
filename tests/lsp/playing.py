"""The shared cases: a copy of a case, what is expected, and its sessions played as written."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tests.lsp.session import Message, Session


def copied(shared: Path, number: str, there: Path) -> Path:
    """A copy of a case's folder that may be written to."""
    [folder] = (shared / "cases").glob(f"{number}-*")
    shutil.copytree(folder, there)
    there.chmod(0o755)
    for path in there.rglob("*"):
        path.chmod(path.stat().st_mode | 0o200)
    return there


def expected(folder: Path) -> Any:
    return json.loads((folder / "expected.json").read_text("utf-8"))


def lines(folder: Path, name: str = "session.jsonl") -> list[Message]:
    text = (folder / name).read_text("utf-8").replace("${DIR}", folder.as_uri())
    return [json.loads(line) for line in text.splitlines()]


def play(session: Session, folder: Path, name: str = "session.jsonl") -> None:
    """Plays a session; a pause lasts at least until all before it has been dealt with."""
    for line in lines(folder, name):
        if "wait" in line:
            session.settle()
        elif "run" in line:
            run(folder, line["run"])
        else:
            session.put(line)
            if line.get("method") == "initialize":
                session.answer(line["id"])


def run(folder: Path, script: str) -> None:
    """Runs a script of a case in its folder. Its status says nothing of it."""
    found = subprocess.run(["sh", script], cwd=folder, check=False, stderr=subprocess.PIPE)
    assert not found.stderr, found.stderr


def pred(folder: Path) -> str:
    return (folder / "pred.conllu").as_uri()
