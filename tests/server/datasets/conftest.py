"""A folder for data sets, and a data set that is on no network."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldlens.server.datasets.registry import Entry
from tests.server.datasets.made import entry_of


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of data sets, which is not there yet."""
    folder = tmp_path / "above" / "data"
    monkeypatch.setenv("GOLDLENS_DATA_DIR", str(folder))
    return folder


@pytest.fixture
def entry(home: Path) -> Entry:
    return entry_of()
