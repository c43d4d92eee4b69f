"""What the page on editors shows is what is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/guide/editors.md").read_text("utf-8")
NEOVIM = (ROOT / "clients/neovim/plugin/goldlens.lua").read_text("utf-8")
EMACS = (ROOT / "clients/emacs/goldlens.el").read_text("utf-8")


def test_the_configuration_of_helix_is_the_one_that_is_there() -> None:
    [shown] = re.findall(r"```toml\n(.*?)\n```", PAGE, re.DOTALL)
    there = (ROOT / "clients/helix/languages.toml").read_text("utf-8")
    assert shown in there
    config = tomllib.loads(shown)
    assert config["language-server"]["goldlens"]["args"] == ["lsp"]
    assert [language["name"] for language in config["language"]] == ["conllu", "iob2"]


def test_all_commands_of_neovim_are_named_and_there() -> None:
    named = set(re.findall(r"`:(Goldlens\w+)", PAGE))
    assert named == set(re.findall(r'command\("(\w+)"', NEOVIM))


def test_all_commands_of_emacs_are_named_and_there() -> None:
    named = set(re.findall(r"`(goldlens-[a-z-]+)`", PAGE)) - {"goldlens-command"}
    commands = re.findall(r"\(defun (goldlens-[a-z-]+) .*?\n\n", EMACS, re.DOTALL)
    bodies = {name: EMACS.split(f"(defun {name} ")[1].split("\n\n")[0] for name in commands}
    assert named == {name for name, body in bodies.items() if "(interactive" in body}
