"""`goldlens data`, and `data:NAME` as the GOLD of other commands."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldlens.server.datasets import cached
from goldlens.server.datasets.registry import Entry, shipped
from tests.clients.conftest import GOLD, Process, Run, on_terminal
from tests.server.datasets.made import Server, entry_of, serving, table_of

NAMES = list(shipped())


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving(GOLD.encode()) as server:
        yield server


@pytest.fixture
def entry(folder: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Entry:
    """A data set with the bytes of g.conllu, in the goldlens.toml of the current folder."""
    monkeypatch.setenv("GOLDLENS_DATA_DIR", str(folder / "home" / "data"))
    return registered(server.url("right"))


def registered(url: str, name: str = "mine") -> Entry:
    entry = entry_of(GOLD.encode(), url, name=name, size=len(GOLD))
    with Path("goldlens.toml").open("a", encoding="utf-8") as file:
        file.write(table_of(entry))
    return entry


def kept() -> list[str]:
    """The files in the cache, by their names."""
    return sorted(path.name for path in cached.folder().rglob("*") if path.is_file())


def test_the_list_has_licences_uses_and_states(entry: Entry, run: Run) -> None:
    shown = run("data", "list").stdout
    lines = shown.split("\n\n")[0].splitlines()
    assert lines[0].split() == ["Name", "Kind", "Licence", "Bytes", "State"]
    assert [line.split()[0] for line in lines[1:]] == [*NAMES, "mine"]
    assert lines[-1].split() == ["mine", "gold", "CC-BY-4.0", str(len(GOLD)), "absent"]
    assert "    Use: A test fold: evaluate on it; never train or tune on it.\n" in shown
    run("data", "fetch", "mine")
    assert run("data", "list").stdout.split("\n\n")[0].endswith("cached")


def test_the_list_as_json(entry: Entry, run: Run) -> None:
    found = json.loads(run("data", "list", "--json").stdout)
    assert [each["name"] for each in found] == [*NAMES, "mine"]
    assert found[-1] == {
        **entry.as_dict(),
        "path": str(cached.place(entry)),
        "state": "absent",
    }


def test_fetched_once(entry: Entry, server: Server, run: Run) -> None:
    result = run("data", "fetch", "mine")
    assert (result.exit_code, result.stderr) == (0, "")
    path, *terms = result.stdout.splitlines()
    assert Path(path).read_text("utf-8") == GOLD
    assert terms == ["    Mine (v1)", "    Licence: CC-BY-4.0", "    Use: For tests."]
    again = run("data", "fetch", "data:mine", "--json")
    assert json.loads(again.stdout)[0]["state"] == "cached"
    assert server.asked == ["right"]


def test_a_wrong_hash_is_refused_and_removed(entry: Entry, server: Server, run: Run) -> None:
    registered(server.url("wrong"), "other")
    result = run("data", "fetch", "other", "mine")
    assert result.exit_code == 2
    [said] = result.stderr.splitlines()
    assert said.startswith("data:other:1:1: error[data]: http://127.0.0.1:")
    assert "other bytes came than those registered" in said
    assert kept() == ["mine.conllu"], "the other one is fetched all the same"
    assert "Mine" in result.stdout


@pytest.mark.parametrize("source", ["g.conllu", "-"])
def test_a_copy_is_taken_without_a_network(
    entry: Entry, server: Server, run: Run, source: str
) -> None:
    result = run("data", "fetch", "mine", "--from", source, stdin=GOLD.encode())
    assert result.exit_code == 0
    assert (kept(), server.asked) == (["mine.conllu"], [])
    assert Path("g.conllu").read_text("utf-8") == GOLD


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("p.conllu", "data:mine:1:1: error[data]: other bytes than those registered (SHA-256 "),
        ("nowhere.conllu", "nowhere.conllu:1:1: error[file]: there is no such file"),
        (".", ".:1:1: error[file]: this is a folder"),
    ],
)
def test_a_copy_of_something_else_is_refused_and_stays_where_it_is(
    entry: Entry, run: Run, source: str, said: str
) -> None:
    result = run("data", "fetch", "mine", "--from", source)
    assert result.exit_code == 2
    assert result.stderr.startswith(said)
    assert len(result.stderr.splitlines()) == 1
    assert kept() == []
    assert Path("p.conllu").exists()


def test_a_copy_that_was_asked_for_is_looked_at_even_if_one_is_there(
    entry: Entry, run: Run
) -> None:
    assert run("data", "fetch", "mine", "--from", "g.conllu").exit_code == 0
    assert run("data", "fetch", "mine", "--from", "p.conllu").exit_code == 2
    assert run("data", "verify", "mine").exit_code == 0


def test_verify_says_what_is_right_absent_and_damaged(entry: Entry, run: Run) -> None:
    absent = run("data", "verify")
    assert absent.exit_code == 0
    assert absent.stdout.splitlines()[-1] == ("mine: absent; “goldlens data fetch mine” brings it")
    assert run("data", "verify", "mine").exit_code == 1, "it was asked for, and is not there"
    run("data", "fetch", "mine")
    path = cached.place(entry)
    assert run("data", "verify", "mine").stdout == f"mine: right, {path}\n"
    path.chmod(0o644)
    path.write_text(GOLD.replace("cat", "cot"), "utf-8")
    damaged = run("data", "verify")
    assert damaged.exit_code == 1
    assert f"mine: damaged, {path}; “goldlens data fetch mine” replaces it\n" in damaged.stdout
    assert json.loads(run("data", "verify", "mine", "--json").stdout)[0]["state"] == "damaged"
    assert run("score", "data:mine", "p.conllu").exit_code == 2
    run("data", "fetch", "mine")
    assert run("data", "verify").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fetch", "mien"), "data:mien:1:1: error[data]: there is no data set “mien”; did you"),
        (("verify", "zzz"), "data:zzz:1:1: error[data]: there is no data set “zzz”; “goldlens"),
        (("fetch",), "error[usage]: "),
        (("fetch", "mine", NAMES[0], "--from", "g.conllu"), "error[usage]: --from is a copy of"),
    ],
)
def test_a_wrong_call(entry: Entry, run: Run, arguments: tuple[str, ...], said: str) -> None:
    result = run("data", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(said)
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        ('licence = "CC-BY-4.0"\n', "", "1:3: error[config-value]: a data set needs “licence”"),
        ('licence = "CC-BY-4.0"', 'license = "MIT"', "6:1: error[config-key]: unknown key “lic"),
        ('sha256 = "', 'sha256 = "Z', "5:10: error[config-value]: expected the SHA-256"),
        ('url = "http', 'url = "ftp', "3:7: error[config-value]: expected a URL of http"),
        ("[[dataset]]", "[[dataset]", "1:10: error[config-value]: this is not TOML"),
    ],
)
def test_a_faulty_registry_is_an_error_at_its_place(
    entry: Entry, run: Run, line: str, instead: str, said: str
) -> None:
    text = Path("goldlens.toml").read_text("utf-8")
    Path("goldlens.toml").write_text(text.replace(line, instead), "utf-8")
    for arguments in (["list"], ["verify"], ["fetch", "mine"]):
        result = run("data", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"goldlens.toml:{said}" in result.stderr
    assert run("score", "data:mine", "p.conllu").stderr == result.stderr
    # What is shipped is not concerned.
    assert run("data", "verify", NAMES[0]).stdout.startswith(f"{NAMES[0]}: absent")


def test_other_mistakes_of_a_configuration_are_not_those_of_data_sets(
    entry: Entry, run: Run
) -> None:
    text = Path("goldlens.toml").read_text("utf-8")
    Path("goldlens.toml").write_text(f"maxProblms = 3\n{text}", "utf-8")
    assert run("data", "list").exit_code == 0


def test_a_folder_without_a_configuration_knows_what_is_shipped(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDLENS_DATA_DIR", str(folder / "data"))
    assert [each["name"] for each in json.loads(run("data", "list", "--json").stdout)] == NAMES


ROWS = ("--component", "x", "--language", "en", "--dataset", "d", "--resamples", 100)


@pytest.mark.parametrize(
    "command",
    [
        ("score", "GOLD", "p.conllu"),
        ("score", "GOLD", "p.conllu", "--json"),
        ("rows", "ud", "--gold", "GOLD", "--pred", "p.conllu", *ROWS, "--json", "-"),
        ("check", "--gold", "GOLD", "p.conllu", "--format", "json"),
        ("compare", "GOLD", "p.conllu", "p.conllu", "--resamples", 100),
        ("perturb", "GOLD"),
        ("receipt", "make", "GOLD", "p.conllu"),
        ("batch", "--gold", "GOLD", "--pred", "p.conllu", "--force", *ROWS[:-2], "--jobs", 1),
    ],
    ids=lambda command: " ".join(map(str, command[:2])),
)
def test_a_data_set_is_a_gold_wherever_one_is_asked_for(
    entry: Entry, run: Run, command: tuple[object, ...]
) -> None:
    def with_gold(gold: str) -> tuple[object, ...]:
        return tuple(gold if word == "GOLD" else word for word in command)

    missing = run(*with_gold("data:mine"))
    assert missing.exit_code == 2
    assert missing.stderr.startswith("data:mine:1:1: error[data]: “mine” is not on this machine")
    assert "goldlens data fetch mine" in missing.stderr
    run("data", "fetch", "mine")
    named, plain = run(*with_gold("data:mine")), run(*with_gold("g.conllu"))
    assert named.exit_code == plain.exit_code
    assert named.exit_code < 2
    assert named.stdout == plain.stdout.replace('"g.conllu"', json.dumps(str(cached.place(entry))))


@pytest.mark.parametrize("verb", ["score", "analyze", "compare", "calibration"])
def test_a_data_set_is_no_prediction(run: Run, folder: Path, verb: str) -> None:
    """Gold and prediction are swapped: their scores would look like scores."""
    more = ("p.conllu",) if verb == "compare" else ()
    for preds in {("data:mine", *more), (*more, "data:mine")}:
        found = run(verb, "p.conllu", *preds)
        assert found.exit_code == 2
        assert found.stderr == (
            "data:mine:1:1: error[swapped]: this is a gold, and stands where a prediction should; "
            "gold comes first\n"
        )


def test_a_dictionary_may_be_a_data_set(entry: Entry, run: Run) -> None:
    Path("words.groups.tsv").write_text("go\tgoes\tgone\nsee\tsees\n", "utf-8")
    Path("words.stems.tsv").write_text(
        "go\tgo\ngoes\tgo\ngone\tgon\nsee\tsee\nsees\tsee\n", "utf-8"
    )
    data = Path("words.groups.tsv").read_bytes()
    other = entry_of(data, name="words", file="words.groups.tsv")
    Path("goldlens.toml").write_text(table_of(other), "utf-8")
    run("data", "fetch", "words", "--from", "words.groups.tsv")
    named = run("stem", "data:words", "words.stems.tsv")
    assert named.exit_code == 0
    assert named.stdout == run("stem", "words.groups.tsv", "words.stems.tsv").stdout


def test_a_data_set_in_a_configuration_that_batch_and_check_read(entry: Entry, run: Run) -> None:
    with Path("goldlens.toml").open("a", encoding="utf-8") as file:
        file.write('[[pair]]\ngold = "data:mine"\npred = "p.conllu"\n')
    missing = run("batch", "goldlens.toml", "--jobs", 1)
    assert missing.exit_code == 1
    assert "error[gold-not-found]: “mine” is not on this machine" in missing.stderr
    assert "gold-not-found" in run("check", "p.conllu").stdout
    run("data", "fetch", "mine")
    assert "| LAS |" in run("batch", "goldlens.toml", "--jobs", 1).stdout
    assert "las-error" in run("check", "p.conllu").stdout
    assert run("check", "goldlens.toml").exit_code == 0


def test_a_data_set_is_the_same_in_every_revision(entry: Entry, run: Run) -> None:
    with Path("goldlens.toml").open("a", encoding="utf-8") as file:
        file.write('[[pair]]\ngold = "data:mine"\npred = "p.conllu"\n')
    run("data", "fetch", "mine")
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@x.test"]
    for words in (["init", "-q"], ["add", "p.conllu", "goldlens.toml"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    assert run("check", "p.conllu", "--against", "HEAD").stdout == ""
    cached.place(entry).chmod(0o644)
    cached.place(entry).write_text(GOLD.replace("cat", "cot"), "utf-8")
    assert run("check", "p.conllu", "--against", "HEAD").stdout == ""


def test_a_file_that_is_really_called_so(entry: Entry, run: Run) -> None:
    Path("data:g").write_text(GOLD, "utf-8")
    assert run("score", "./data:g", "p.conllu").exit_code == 0
    assert run("score", "data:g", "p.conllu").exit_code == 2


def test_a_progress_bar_and_a_log_are_nothing_for_a_pipe(
    entry: Entry, server: Server, process: Process
) -> None:
    done = process("data", "fetch", "mine", NO_PROXY="127.0.0.1")
    assert (done.returncode, done.stderr) == (0, b"")
    registered(server.url("missing"), "other")
    done = process("data", "fetch", "other", NO_PROXY="127.0.0.1")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_a_terminal_gets_a_table_and_how_each_may_be_used(entry: Entry) -> None:
    text = on_terminal(["data", "list"], 80)
    assert "\x1b[1m" in text
    assert re.search(r"mine +gold +CC-BY-4\.0 +182 +absent", text)
    assert "    Use: For tests." in text
