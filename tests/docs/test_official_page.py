"""What the page on the official script shows of it, where the script is at hand."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT, fences
from tests.docs.test_commands import Shell, agrees, commands

PAGE = DOCS / "guide" / "official.md"
SHOWN = [fence for fence in fences(PAGE) if fence.words == ("official",)]


def test_the_page_shows_the_script_at_work() -> None:
    assert len(SHOWN) == 2


def test_the_page_shows_what_the_commands_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = os.environ.get("GOLDLENS_OFFICIAL")
    if not named:
        pytest.skip("set GOLDLENS_OFFICIAL to the pinned conll18_ud_eval.py to see it at work")
    script = Path(named).absolute()
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", "examples")
    shutil.copy(script, "conll18_ud_eval.py")
    for fence in SHOWN:
        for command, shown in commands(fence):
            printed = Shell().run(command)
            assert agrees(shown, printed), "\n".join([f"$ {command}", *printed])
