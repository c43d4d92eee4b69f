"""What the package of the extension says agrees with what the server and the pages say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from goldlens.scoring.analysis.analysis import OVERVIEW, WHATS
from goldlens.scoring.analysis.differences import COLUMNS
from goldlens.server import config
from goldlens.server.lsp import executing
from goldlens.server.views import colouring

ROOT = Path(__file__).parents[3]
EXTENSION = ROOT / "vscode-extension"
PACKAGE: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text("utf-8"))
CONTRIBUTED = PACKAGE["contributes"]
SETTINGS: dict[str, Any] = CONTRIBUTED["configuration"]["properties"]
PALETTE: list[dict[str, str]] = CONTRIBUTED["menus"]["commandPalette"]
PAGE = (ROOT / "docs" / "guide" / "vscode.md").read_text("utf-8")

OWN = {
    *("goldlens.server.path", "goldlens.daemon", "goldlens.columns.align"),
    *("goldlens.columns.header", "goldlens.statusBar.metric", "goldlens.trace.server"),
}
"""Settings that are the extension's and not the server's."""


def part(title: str) -> str:
    """A section of the page."""
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def sources() -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted((EXTENSION / "src").rglob("*.ts")))


def test_every_setting_of_the_server_is_one_of_the_extension_with_the_same_default() -> None:
    served = {name.removeprefix("goldlens.") for name in SETTINGS.keys() - OWN}
    assert served == set(config.SETTINGS)
    given = {name: SETTINGS[f"goldlens.{name}"]["default"] for name in served}
    settings, wrong = config.Settings().merge(given)
    assert (settings, wrong) == (config.Settings(), [])


def test_every_setting_of_the_server_is_sent_to_it() -> None:
    text = (EXTENSION / "src" / "server" / "settings.ts").read_text("utf-8")
    keys = re.search(r"KEYS = \[(.*?)\]", text, re.S)
    assert keys is not None
    assert set(re.findall(r"'(\w+)'", keys[1])) == set(config.SETTINGS)


def test_every_choice_that_is_offered_is_one_that_the_server_takes() -> None:
    for name in config.SETTINGS:
        for choice in SETTINGS[f"goldlens.{name}"].get("enum", ()):
            assert config.Settings().merge({name: choice})[1] == [], f"{name} = {choice}"
    for choice in SETTINGS["goldlens.severity"]["additionalProperties"]["enum"]:
        assert config.Settings().merge({"severity": {"las-error": choice}})[1] == []


def test_the_extension_has_no_command_of_the_name_of_one_of_the_server() -> None:
    commands = {each["command"] for each in CONTRIBUTED["commands"]}
    assert not commands & set(executing.COMMANDS)


def test_every_command_that_is_contributed_is_there_and_no_other() -> None:
    text = (EXTENSION / "src" / "extension.ts").read_text("utf-8")
    table = text.partition("const commands:")[2].partition("\n  };")[0]
    there = {f"goldlens.ui.{name}" for name in re.findall(r"^    (\w+): \(", table, re.M)}
    assert there == {each["command"] for each in CONTRIBUTED["commands"]}


def test_every_command_that_a_menu_a_key_or_a_text_names_is_there() -> None:
    commands = {each["command"] for each in CONTRIBUTED["commands"]}
    named = set(re.findall(r"goldlens\.ui\.\w+", json.dumps(PACKAGE) + sources()))
    assert named <= commands


def test_every_column_of_confusions_is_one_that_the_server_knows() -> None:
    text = (EXTENSION / "src" / "confusions.ts").read_text("utf-8")
    text = text.partition("COLUMNS:")[2].partition("\n};")[0].replace("ALL", f"'{OVERVIEW}'")
    offered = {
        task: re.findall(r"what: '([\w-]+)'", columns)
        for task, columns in re.findall(r"^  (\w+): \[(.*?)\],$", text, re.M | re.S)
    }
    assert offered.keys() == WHATS.keys()
    assert sorted(offered["ud"]) == sorted((OVERVIEW, *COLUMNS))
    assert set(offered["span"]) < set(WHATS["span"])
    assert set(offered["classification"]) == set(WHATS["classification"])


def test_the_page_has_a_table_of_the_commands_and_one_of_the_settings() -> None:
    hidden = {each["command"] for each in PALETTE if each["when"] == "false"}
    titles = [each["title"] for each in CONTRIBUTED["commands"] if each["command"] not in hidden]
    assert re.findall(r"^\| \*(.+?)\* \|", part("Commands"), re.M) == titles
    first = re.findall(r"^\| (`.+?`) \|", part("Settings"), re.M)
    assert sorted(re.findall(r"`(.+?)`", " ".join(first))) == sorted(SETTINGS)


def test_the_page_names_the_keys() -> None:
    for each in CONTRIBUTED["keybindings"]:
        [title] = [c["title"] for c in CONTRIBUTED["commands"] if c["command"] == each["command"]]
        key = each["key"].title().replace("Pageup", "PageUp").replace("Pagedown", "PageDown")
        assert f"| *{title}* | {key}" in part("Commands")


def test_the_pictures_of_the_readme_are_those_that_the_tests_make() -> None:
    shown = re.findall(
        r"guide/vscode/(.+?)\.png", (EXTENSION / "README.md").read_text("utf-8") + PAGE
    )
    tour = (ROOT / "tests/editors/vscode/tour.test.mjs").read_text("utf-8")
    assert shown
    for name in shown:
        assert (ROOT / "docs/guide/vscode" / f"{name}.png").is_file()
        assert f"workbench.picture('{name}')" in tour


def test_the_package_has_an_icon_and_a_walkthrough_whose_pages_are_there() -> None:
    [walkthrough] = CONTRIBUTED["walkthroughs"]
    pages = [step["media"]["markdown"] for step in walkthrough["steps"]]
    for path in (PACKAGE["icon"], *pages):
        assert (EXTENSION / path).is_file(), path


def test_tabs_stay_tabs_in_every_language() -> None:
    for language in CONTRIBUTED["languages"]:
        defaults = CONTRIBUTED["configurationDefaults"][f"[{language['id']}]"]
        assert defaults["editor.insertSpaces"] is False
        assert defaults["editor.detectIndentation"] is False
        assert defaults["editor.unusualLineTerminators"] == "off"


def test_what_may_run_something_is_restricted_in_a_folder_that_is_not_trusted() -> None:
    trust = PACKAGE["capabilities"]["untrustedWorkspaces"]
    assert trust["supported"] == "limited"
    assert set(trust["restrictedConfigurations"]) == {"goldlens.server.path", "goldlens.daemon"}


def test_what_writes_into_a_folder_is_offered_in_trusted_ones_only() -> None:
    [write] = [each for each in PALETTE if each["command"] == "goldlens.ui.writePair"]
    assert write["when"].startswith("isWorkspaceTrusted && ")


def test_virtual_workspaces_are_declared() -> None:
    assert PACKAGE["capabilities"]["virtualWorkspaces"]["supported"] == "limited"
    assert PACKAGE["extensionKind"] == ["workspace"]


def test_every_semantic_token_of_the_server_has_a_colour() -> None:
    assert [each["id"] for each in CONTRIBUTED["semanticTokenTypes"]] == list(colouring.TYPES)
    assert [each["id"] for each in CONTRIBUTED["semanticTokenModifiers"]] == list(
        colouring.MODIFIERS
    )
    [mapped] = CONTRIBUTED["semanticTokenScopes"]
    assert set(mapped["scopes"]) == set(colouring.TYPES)
