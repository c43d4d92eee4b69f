"""The plugin in the real Neovim: problems while typing, the score, rows, gold by hand."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.editors.finding import ROOT, environment, neovim
from tests.lsp.conftest import GOLD

PLUGIN = ROOT / "clients" / "neovim"
PRED = GOLD.replace("NOUN\t_\t_\t2", "NOUN\t_\t_\t1")

BEGIN = """
vim.opt.runtimepath:append(arg[1])
vim.cmd("filetype plugin on")
vim.cmd.runtime("plugin/goldlens.lua")
local goldlens = require("goldlens")
local errors = {}
vim.notify = function(text) errors[#errors + 1] = text end
vim.cmd.edit(arg[2])
local buffer = vim.api.nvim_get_current_buf()
local function wait(holds, what)
  assert(vim.wait(20000, holds, 20), what)
end
local function codes()
  return vim.tbl_map(function(d) return d.code end, vim.diagnostic.get(buffer))
end
wait(function() return #codes() > 0 end, "no problems")
wait(function() return goldlens.statusline() ~= "" end, "no score")
"""

Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs Lua in Neovim with the prediction open; what it returns."""
    (tmp_path / "gold.conllu").write_text(GOLD, "utf-8")
    (tmp_path / "pred.conllu").write_text(PRED, "utf-8")
    (tmp_path / "copy.conllu").write_text(PRED, "utf-8")

    def play(script: str) -> Any:
        file = tmp_path / "script.lua"
        told = "io.stdout:write(vim.json.encode(main()))\nvim.cmd('qall!')\n"
        file.write_text(f"local function main()\n{BEGIN}{script}\nend\n{told}", "utf-8")
        command = [neovim(), "--headless", "-u", "NONE", "-i", "NONE", "-n", "-l", str(file)]
        done = subprocess.run(
            [*command, str(PLUGIN), str(tmp_path / "pred.conllu")],
            env=environment(tmp_path),
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    return play


def test_problems_and_the_score_follow_the_typing(run: Run) -> None:
    before, status, after, better = run(
        """
        local found, shown = codes(), goldlens.statusline()
        vim.api.nvim_buf_set_text(buffer, 3, 19, 3, 20, { "2" })
        wait(function() return #codes() == 0 end, "the problem stays")
        wait(function() return goldlens.statusline() ~= shown end, "the score stays")
        return { found, shown, #codes(), goldlens.statusline() }
        """
    )
    assert before == ["las-error"]
    assert status == "LAS 80.00"
    assert after == 0
    assert better == "LAS 100.00 (+20.00)"


def test_tabs_stay_tabs(run: Run) -> None:
    assert run("return { vim.bo.filetype, vim.bo.expandtab, vim.wo.wrap }") == [
        "conllu",
        False,
        False,
    ]


def test_rows_open_in_a_window(run: Run) -> None:
    lines = run(
        """
        vim.cmd("GoldlensRows markdown")
        return vim.api.nvim_buf_get_lines(0, 0, -1, false)
        """
    )
    assert lines[0].startswith("|") and any("LAS" in line for line in lines)


def test_another_gold_by_hand(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other.conllu").write_text(PRED, "utf-8")
    status = run(
        f"""
        vim.cmd("GoldlensSetGold {tmp_path / "other.conllu"}")
        wait(function() return goldlens.statusline() == "LAS 100.00" end, "the score stays")
        return goldlens.statusline()
        """
    )
    assert status == "LAS 100.00"


def test_a_comparison_and_the_scores(run: Run, tmp_path: Path) -> None:
    (tmp_path / "best.conllu").write_text(GOLD, "utf-8")
    lines, told = run(
        f"""
        goldlens.show()
        vim.cmd("GoldlensCompare {tmp_path / "best.conllu"}")
        return {{ vim.api.nvim_buf_get_lines(0, 0, -1, false), errors }}
        """
    )
    assert any(line.startswith("| LAS | 80.00 | 100.00 |") for line in lines)
    assert any("LAS" in text and "80.00" in text for text in told)


def test_the_sentence_with_most_problems(run: Run) -> None:
    assert run(
        """
        local lines = {}
        for _, which in ipairs({ "", " next", " previous" }) do
          vim.api.nvim_win_set_cursor(0, { 1, 0 })
          vim.cmd("GoldlensSeek" .. which)
          table.insert(lines, vim.api.nvim_win_get_cursor(0)[1])
        end
        vim.cmd("GoldlensSetGold " .. arg[2]:gsub("pred", "copy"))
        wait(function() return #codes() == 0 end, "the problems stay")
        vim.cmd("GoldlensSeek")
        return { lines, errors }
        """
    ) == [[4, 4, 4], ["No problems in this file"]]


def test_a_fix_is_offered_and_applied(run: Run) -> None:
    left = run(
        """
        vim.api.nvim_win_set_cursor(0, { 4, 19 })
        local done = false
        vim.lsp.buf.code_action({
          apply = true,
          filter = function(action)
            local first = not done
            done = true
            return first
          end,
        })
        wait(function() return #codes() == 0 end, "the problem stays")
        return vim.api.nvim_buf_get_lines(buffer, 3, 4, false)
        """
    )
    assert left == [GOLD.split("\n")[3]]
