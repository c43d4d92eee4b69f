"""Reading files that somebody names."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from goldlens.server.asked import WorkspaceError
from goldlens.server.config import find
from goldlens.server.profiles import BadProfile, profile_of
from goldlens.server.sources import NoFile, Unreadable, read
from goldlens.server.views.naming import Kept
from goldlens.server.workspace import Workspace

ROW = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    made = tmp_path / "pipe.conllu"
    os.mkfifo(made)
    return made


def test_a_pipe_is_not_waited_for(pipe: Path) -> None:
    with pytest.raises(Unreadable, match="a pipe or a device, not a file; name a file"):
        read(pipe)


def test_nor_is_a_device_read() -> None:
    with pytest.raises(Unreadable, match="a pipe or a device"):
        read(Path("/dev/zero"))


def test_a_link_to_a_file_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "text")
    assert read(tmp_path / "link") == b"x"


def test_a_command_may_be_handed_a_pipe(pipe: Path) -> None:
    writing = threading.Thread(target=pipe.write_bytes, args=(b"x",))
    writing.start()
    assert read(pipe, any_kind=True) == b"x"
    writing.join()


def test_a_workspace_names_a_pipe_as_no_file(pipe: Path, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    uri = (tmp_path / "pred.conllu").as_uri()
    workspace.open(uri, ROW, 1)
    with pytest.raises(WorkspaceError, match="a pipe or a device"):
        workspace.set_gold(uri, str(pipe))
    with pytest.raises(WorkspaceError, match="a pipe or a device"):
        workspace.scores(pipe.as_uri())


def test_a_gold_that_the_configuration_names_may_be_a_pipe_too(pipe: Path, tmp_path: Path) -> None:
    pair = '[[pair]]\ngold = "pipe.conllu"\npred = "pred.conllu"\n'
    (tmp_path / "goldlens.toml").write_text(pair)
    workspace = Workspace(tmp_path)
    uri = (tmp_path / "pred.conllu").as_uri()
    workspace.open(uri, ROW, 1)
    assert workspace.scores(uri) is None
    assert [f.problem.code for f in workspace.listing(uri, None).shown] == ["gold-not-found"]


def test_a_profile_may_be_none(pipe: Path) -> None:
    with pytest.raises(BadProfile, match="a pipe or a device"):
        profile_of(str(pipe))


def test_a_pyproject_that_is_a_pipe_has_no_settings(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pyproject.toml")
    assert find(tmp_path / "pred.conllu", tmp_path) is None


def test_no_names_are_looked_for_in_a_pipe(pipe: Path) -> None:
    with pytest.raises(NoFile):
        next(Kept().reading(pipe))
