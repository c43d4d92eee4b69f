"""The pinned official scorer, fetched once from the package that carries it, never kept here."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from benchmarks.data import WORK
from goldlens.cli.official.options import pinned

MEMBER = "stanfordnlp/utils/conll18_ud_eval.py"


def script() -> Path | None:
    """Where the script is; None if it cannot be had.

    `GOLDLENS_OFFICIAL` names it; otherwise it is taken from the PyPI package stanfordnlp 0.2.0.
    """
    named = os.environ.get("GOLDLENS_OFFICIAL")
    path = Path(named) if named else WORK / "conll18_ud_eval.py"
    if not named and not path.exists():
        _fetch(path)
    if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == pinned():
        return path
    return None


def _fetch(path: Path) -> None:
    WORK.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        call = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder]
        done = subprocess.run([*call, "stanfordnlp==0.2.0"], capture_output=True, check=False)
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or not wheels:
            return
        with zipfile.ZipFile(wheels[0]) as wheel:
            path.write_bytes(wheel.read(MEMBER))
