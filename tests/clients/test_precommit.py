"""The hook for pre-commit, and what the guide on continuous integration shows of files in YAML."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from typing import Any

import click
import pytest
import yaml

from goldlens.cli.main import goldlens
from tests.docs.pages import DOCS, ROOT, fences

HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
PAGE = DOCS / "guide" / "ci.md"


def shown(kind: str) -> list[Any]:
    """The examples of a kind on the page, as YAML has them."""
    return [yaml.safe_load(f.data) for f in fences(PAGE) if f.words[:1] == (kind,)]


def parsed(command: str) -> click.Context:
    """A command line as the verb reads it. Raises UsageError for what it does not know."""
    name, verb, *arguments = shlex.split(command.partition(" > ")[0])
    assert name == "goldlens"
    found = goldlens.get_command(click.Context(goldlens), verb)
    assert found is not None
    return found.make_context(verb, arguments)


def test_the_hook_starts_a_command_that_is_installed() -> None:
    [hook] = HOOKS
    assert (hook["id"], hook["language"]) == ("goldlens-check", "python")
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert hook["entry"].split()[0] in scripts
    assert parsed(f"{hook['entry']} a.conllu").params["files"] == ("a.conllu",)


def test_the_hook_has_what_pre_commit_asks_for_and_nothing_it_does_not_know() -> None:
    needed = {"id", "name", "entry", "language"}
    known = needed | {"description", "files", "exclude", "types", "types_or", "require_serial"}
    for hook in HOOKS:
        assert needed <= set(hook) <= known
    # One process for all files: golds are read once, and lines of two are not mixed.
    assert HOOKS[0]["require_serial"] is True


@pytest.mark.parametrize(
    ("path", "checked"),
    [
        ("a.conllu", True),
        ("runs/b/dev.conllu", True),
        ("ner.iob2", True),
        ("ner.bio", True),
        ("goldlens.toml", True),
        ("sub/goldlens.toml", True),
        ("mygoldlens.toml", False),
        ("pyproject.toml", False),
        ("a.conllu.gz", False),
        ("conllu", False),
        ("table.tsv", False),
    ],
)
def test_the_hook_checks_files_that_are_annotation_for_sure(path: str, checked: bool) -> None:
    assert bool(re.search(HOOKS[0]["files"], path)) == checked


def test_the_page_configures_hooks_that_there_are() -> None:
    [configured] = shown("precommit")
    known = {hook["id"]: hook for hook in HOOKS}
    for repository in configured["repos"]:
        assert {"repo", "rev", "hooks"} == set(repository)
        for hook in repository["hooks"]:
            entry = known[hook["id"]]["entry"]
            assert parsed(shlex.join([*entry.split(), *hook["args"], "a"])).params["against"]


def commands() -> Iterator[str]:
    """Every command of goldlens in the workflows that the page shows."""
    for workflow in shown("github"):
        for job in workflow["jobs"].values():
            for step in job["steps"]:
                assert ("run" in step) != ("uses" in step)
                yield step.get("run", "")
    for pipeline in shown("gitlab"):
        for job in pipeline.values():
            yield from job["script"]


def test_workflows_use_verbs_and_flags_that_there_are() -> None:
    found = [command for command in commands() if command.startswith("goldlens ")]
    assert len(found) == 3
    forms = [parsed(command).params for command in found]
    assert [form["form"] for form in forms] == ["github", "sarif", "text"]
    assert [bool(form["against"]) for form in forms] == [True, False, True]


def test_a_workflow_that_compares_has_the_history_to_compare_with() -> None:
    for workflow in shown("github"):
        for job in workflow["jobs"].values():
            [checkout] = [
                s for s in job["steps"] if s.get("uses", "").startswith("actions/checkout")
            ]
            compares = any("--against" in step.get("run", "") for step in job["steps"])
            assert (checkout.get("with", {}).get("fetch-depth") == 0) == compares
    for pipeline in shown("gitlab"):
        assert all(job["variables"]["GIT_DEPTH"] == 0 for job in pipeline.values())
