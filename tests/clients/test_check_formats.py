"""The forms in which `goldlens check` prints for machines: JSON, GitHub's commands, SARIF."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from goldlens.scoring.problems import CODES
from tests.clients.rows import row, write

pytestmark = pytest.mark.usefixtures("folder")


# JSON


def test_json_is_a_list_of_places(run: Any) -> None:
    result = run("check", "--format", "json", "--gold", "g.conllu", "p.conllu")
    assert (result.exit_code, result.stderr) == (0, "")
    las, tag = json.loads(result.stdout)
    assert las.pop("message").startswith("The relation is obj, gold has nsubj")
    [related] = las.pop("related")
    assert las == {
        "path": "p.conllu",
        "line": 3,
        "column": 22,
        "end_line": 3,
        "end_column": 25,
        "severity": "warning",
        "code": "las-error",
    }
    assert set(related) == {"path", "line", "column", "end_line", "end_column", "message"}
    assert (related["path"], related["line"], related["column"]) == ("g.conllu", 3, 22)
    assert (tag["line"], tag["column"], tag["end_column"]) == (7, 11, 15)


def test_json_names_the_other_words_concerned(run: Any) -> None:
    write("ring.conllu", row(1, 2, form="é") + row(2, 1) + row(3, 0) + "\n")
    [found] = json.loads(run("check", "--format", "json", "ring.conllu").stdout)
    assert (found["code"], found["line"], found["column"]) == ("head-cycle", 1, 16)
    [other] = found["related"]
    assert (other["path"], other["line"], other["column"]) == ("ring.conllu", 2, 16)


def test_json_of_nothing_is_an_empty_list(run: Any) -> None:
    assert json.loads(run("check", "--format", "json", "g.conllu").stdout) == []


def test_json_has_the_problems_of_all_files(run: Any) -> None:
    write("a.conllu", row(1, 7) + "\n")
    write("b.conllu", row(1, 8) + "\n")
    result = run("check", "--format", "json", "a.conllu", "none", "b.conllu")
    assert result.exit_code == 2
    assert [found["path"] for found in json.loads(result.stdout)] == ["a.conllu", "b.conllu"]


# GitHub


def test_github_gets_workflow_commands(run: Any) -> None:
    write("x.conllu", row(1, 7, upos="FOO") + "\n")
    write("y.pred.conllu", row(1, 0) + "\n")
    result = run("check", "--format", "github", "x.conllu", "y.pred.conllu")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith(
        "::warning file=x.conllu,line=1,endLine=1,col=7,endColumn=10,"
        "title=goldlens upos-unknown::UPOS 'FOO' is unknown"
    )
    assert lines[1].startswith("::error file=x.conllu,line=1,endLine=1,col=15,endColumn=16,title=")
    assert lines[2].startswith("::notice file=y.pred.conllu,")
    assert len(lines) == 3


def test_github_escapes_what_would_end_a_property_or_a_command(run: Any) -> None:
    name = write("a,b:100%\n.conllu", row(1, 0, upos="50%") + "\n")
    [line] = run("check", "--format", "github", name).stdout.splitlines()
    assert line.startswith("::warning file=a%2Cb%3A100%25%0A.conllu,line=1,")
    assert "UPOS '50%25' is unknown" in line


# SARIF


def well_formed(log: dict[str, Any]) -> None:
    """Asserts what SARIF 2.1.0 requires of the objects that are used."""
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    [run] = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    driver = run["tool"]["driver"]
    assert driver["name"] == "goldlens" and driver["version"]
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    for rule in driver["rules"]:
        assert rule["id"] in CODES
        assert rule["shortDescription"]["text"]
        url = f"https://goldlens.readthedocs.io/en/latest/codes/{rule['id']}/"
        assert rule["helpUri"] == url
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
    bases = run["originalUriBaseIds"]
    for base in bases.values():
        assert base["uri"].startswith("file:///") and base["uri"].endswith("/")
    for invocation in run["invocations"]:
        assert isinstance(invocation["executionSuccessful"], bool)
        for notification in invocation["toolExecutionNotifications"]:
            assert notification["message"]["text"]
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        assert len(result["locations"]) == 1
        related = result.get("relatedLocations", [])
        assert len({location["id"] for location in related}) == len(related)
        assert all(location["message"]["text"] for location in related)
        for location in [*result["locations"], *related]:
            physical = location["physicalLocation"]
            artifact, region = physical["artifactLocation"], physical["region"]
            # RFC 3986: nothing but what a URI may have; a base is one that is defined.
            assert re.fullmatch(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+", artifact["uri"])
            base_id = artifact.get("uriBaseId")
            assert base_id in bases if base_id else True
            assert base_id is None or not urlsplit(artifact["uri"]).scheme
            assert 1 <= region["startLine"] <= region["endLine"]
            assert 1 <= region["startColumn"] <= region["endColumn"]


def test_sarif_is_well_formed_and_complete(run: Any, folder: Path, tmp_path_factory: Any) -> None:
    outside = tmp_path_factory.mktemp("outside") / "ring é.conllu"
    outside.write_text(row(1, 2) + row(2, 1) + row(3, 0) + "\n", "utf-8")
    write("sub/a b#.conllu", row(1, 0, upos="FOO") + "\n")
    write("y.pred.conllu", row(1, 0) + "\n")
    result = run("check", "--format", "sarif", "sub/a b#.conllu", str(outside), "y.pred.conllu")
    assert result.exit_code == 1
    log = json.loads(result.stdout)
    well_formed(log)
    found = log["runs"][0]["results"]
    assert [(each["ruleId"], each["level"]) for each in found] == [
        ("upos-unknown", "warning"),
        ("head-cycle", "error"),
        ("gold-not-found", "note"),
    ]
    below = found[0]["locations"][0]["physicalLocation"]
    assert below["artifactLocation"] == {"uri": "sub/a%20b%23.conllu", "uriBaseId": "%SRCROOT%"}
    assert below["region"] == {"startLine": 1, "startColumn": 7, "endLine": 1, "endColumn": 10}
    base = log["runs"][0]["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    assert unquote(urlsplit(base).path) == f"{folder}/"
    elsewhere = found[1]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert set(elsewhere) == {"uri"}
    assert unquote(elsewhere["uri"]) == f"file://{outside}"
    [other] = found[1]["relatedLocations"]
    assert other["physicalLocation"]["region"]["startLine"] == 2
    assert log["runs"][0]["invocations"][0]["executionSuccessful"] is True


def test_sarif_says_which_files_could_not_be_read(run: Any) -> None:
    result = run("check", "--format", "sarif", "none.conllu", "g.conllu")
    assert result.exit_code == 2
    log = json.loads(result.stdout)
    well_formed(log)
    [invocation] = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    [notification] = invocation["toolExecutionNotifications"]
    where = notification["locations"][0]["physicalLocation"]["artifactLocation"]
    assert where == {"uri": "none.conllu", "uriBaseId": "%SRCROOT%"}


def test_sarif_of_nothing_and_of_standard_input(run: Any) -> None:
    log = json.loads(run("check", "--format", "sarif", "g.conllu").stdout)
    well_formed(log)
    assert log["runs"][0]["results"] == []
    stdin = run("check", "--format", "sarif", "-", stdin=row(1, 7).encode() + b"\n")
    well_formed(json.loads(stdin.stdout))


def test_machines_get_utf8_whatever_the_terminal_has(process: Any) -> None:
    write("x.conllu", row(1, 0, upos="É") + "\n")
    for form in ("json", "sarif", "github"):
        done = process("check", "--format", form, "x.conllu", PYTHONIOENCODING="ascii")
        assert "'É'" in done.stdout.decode("utf-8")
    done = process("check", "x.conllu", PYTHONIOENCODING="ascii")
    assert rb"'\xc9'" in done.stdout
