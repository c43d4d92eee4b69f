"""Fixtures for all tests."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes depends on what else the machine does, so no test fails for that; what
# a run finds is in its output, not in a file that the next run would read; and each run tries the
# same examples, so that it fails for what was changed. GOLDLENS_EXPLORE=1 looks at others.
settings.register_profile(
    "goldlens",
    deadline=None,
    database=None,
    derandomize=not os.environ.get("GOLDLENS_EXPLORE"),
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("goldlens")

# What runs in the background of a shell ignores Ctrl-C, and so would all that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What a test opens comes from nowhere else, and stays nowhere.
os.environ["GOLDLENS_CACHE"] = "off"
# Where nothing can be: a test of data sets names a folder of its own.
os.environ["GOLDLENS_DATA_DIR"] = f"{os.devnull}/data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of corpora and oracle figures that are not in the repository.

    A test that asks for it is skipped where the environment does not name it.
    """
    named = os.environ.get("GOLDLENS_SHARED")
    if not named:
        pytest.skip("needs the shared corpora: set GOLDLENS_SHARED to their folder")
    folder = Path(named).absolute()
    if not folder.is_dir():
        pytest.fail(f"GOLDLENS_SHARED names no folder: {folder}")
    return folder
