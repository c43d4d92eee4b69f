"""Documents opened, edited, saved and closed, and what is pushed of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lsp.conftest import GOLD, Pair
from tests.lsp.session import SocketSession, edited, opened, replace

RIGHT = replace(3, 19, 20, "2")
WRONG = replace(3, 19, 20, "1")


@pytest.fixture
def editor(session: SocketSession) -> SocketSession:
    """A client that pushes suit."""
    session.initialize({"textDocument": {"publishDiagnostics": {"relatedInformation": True}}})
    return session


def test_a_diagnostic_has_all_its_parts(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    [found] = editor.problems(pair.uri, 1)
    related = found.pop("relatedInformation", [])
    assert found == {
        "range": {"start": {"line": 3, "character": 19}, "end": {"line": 3, "character": 20}},
        "severity": 2,
        "code": "las-error",
        "codeDescription": {"href": "https://goldlens.readthedocs.io/en/latest/codes/las-error/"},
        "source": "goldlens",
        "message": found["message"],
    }
    assert "LAS 2/3" in found["message"]
    assert all(r["location"]["uri"] in (pair.uri, pair.gold_uri) for r in related)


def ring(pair: Pair) -> str:
    """Words 1 and 2 of the first sentence are each other's heads."""
    return pair.gold.replace("0\troot", "1\tdep", 1)


def test_related_places_are_exact(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, "\n\n" + ring(pair))
    [cycle] = [p for p in editor.problems(pair.uri, 1) if p["code"] == "head-cycle"]
    assert cycle["range"]["start"] == {"line": 3, "character": 17}
    [other] = cycle["relatedInformation"]
    assert other["location"] == {
        "uri": pair.uri,
        "range": {"start": {"line": 4, "character": 21}, "end": {"line": 4, "character": 22}},
    }


def test_related_places_only_for_those_who_can(session: SocketSession, pair: Pair) -> None:
    session.initialize()
    session.open(pair.uri, ring(pair))
    found = session.problems(pair.uri, 1)
    assert "head-cycle" in [p["code"] for p in found]
    assert all("relatedInformation" not in p for p in found)


@pytest.mark.parametrize(("encoding", "wide"), [("utf-8", 12), ("utf-16", 6), ("utf-32", 3)])
def test_columns_are_in_the_units_agreed_upon(
    session: SocketSession, pair: Pair, encoding: str, wide: int
) -> None:
    """`wide` is how many units the three code points of the form take."""
    session.initialize({"general": {"positionEncodings": [encoding]}})
    text = pair.pred.replace("tea\ttea", "😀👍🏽\t😀👍🏽")
    right = text.replace("NOUN\t_\t_\t1", "NOUN\t_\t_\t2")
    pair.gold_file.write_text(right, "utf-8", newline="\n")
    session.open(pair.uri, text)
    [found] = session.problems(pair.uri, 1)
    column = 13 + 2 * wide
    assert found["range"] == {
        "start": {"line": 3, "character": column},
        "end": {"line": 3, "character": column + 1},
    }
    session.edit(pair.uri, 2, replace(3, column, column + 1, "2"))
    assert session.problems(pair.uri, 2) == []
    assert session.las(pair.uri) == 100


def test_a_byte_order_mark_counts_as_the_editor_counts(editor: SocketSession, pair: Pair) -> None:
    text = pair.pred.split("\n", 1)[1].replace("We\twe", "We\t", 1)
    editor.open(pair.uri, "\ufeff" + text)
    [empty] = [p for p in editor.problems(pair.uri, 1) if p["code"] == "empty-cell"]
    assert empty["range"]["start"] == {"line": 0, "character": 6}


def test_an_edit_moves_what_lies_below(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    [before] = editor.problems(pair.uri, 1)
    editor.edit(pair.uri, 2, replace(0, 0, 0, "# one\n# two\n"))
    [after] = editor.problems(pair.uri, 2)
    assert after["range"]["start"]["line"] == before["range"]["start"]["line"] + 2
    assert {**after, "range": None} == {**before, "range": None}


def test_edits_that_wait_together_are_answered_once(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    editor.problems(pair.uri, 1)
    editor.put(*[edited(pair.uri, k, (RIGHT, WRONG)[k % 2]) for k in range(2, 42)])
    assert len(editor.problems(pair.uri, 41)) == 1
    editor.settle()
    versions = [push["version"] for push in editor.pushed(pair.uri)]
    assert versions[-1] == 41
    assert len(versions) < 6  # what has not arrived yet cannot be waited for


def test_versions_never_go_down(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred, 7)
    editor.settle()
    for version, change in ((8, RIGHT), (3, WRONG), (None, RIGHT), (9, WRONG)):
        editor.put(edited(pair.uri, version, change))
        editor.settle()
    versions = [push["version"] for push in editor.pushed(pair.uri)]
    assert versions == [7, 8, 8, 8, 9]
    assert [len(push["diagnostics"]) for push in editor.pushed(pair.uri)] == [1, 0, 1, 0, 1]


def test_edits_of_one_version_count_in_the_order_they_come(
    editor: SocketSession, pair: Pair
) -> None:
    editor.open(pair.uri, pair.pred, 1)
    editor.put(*[edited(pair.uri, 1, (RIGHT, WRONG)[k % 2]) for k in range(41)])
    editor.settle()
    assert editor.pushed(pair.uri)[-1] == {"uri": pair.uri, "version": 1, "diagnostics": []}


def test_several_changes_in_one_message_are_applied_in_order(
    editor: SocketSession, pair: Pair
) -> None:
    editor.open(pair.uri, pair.pred)
    editor.edit(pair.uri, 2, replace(0, 0, 0, "# x\n"), replace(4, 19, 20, "2"), {"text": GOLD})
    assert editor.problems(pair.uri, 2) == []


def test_a_change_without_a_range_is_the_whole_text(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    editor.edit(pair.uri, 2, {"text": pair.gold})
    assert editor.problems(pair.uri, 2) == []


def test_an_edit_of_an_unknown_document_is_ignored(editor: SocketSession, pair: Pair) -> None:
    editor.edit(pair.uri, 7, replace(0, 0, 0, "x"))
    editor.settle()
    assert editor.pushed(pair.uri) == []
    editor.open(pair.uri, pair.pred)
    assert len(editor.problems(pair.uri, 1)) == 1


def test_a_second_opening_replaces_the_first(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred, 9)
    assert len(editor.problems(pair.uri, 9)) == 1
    editor.open(pair.uri, pair.gold, 5)
    assert editor.problems(pair.uri, 5) == []
    assert editor.las(pair.uri) == 100


def test_closing_empties_the_list_once_and_for_all(editor: SocketSession, pair: Pair) -> None:
    editor.put(opened(pair.uri, pair.pred, 4))
    editor.problems(pair.uri, 4)
    # The edit's own problems must not come after those of the closing.
    editor.put(
        edited(pair.uri, 5, RIGHT),
        {
            "jsonrpc": "2.0",
            "method": "textDocument/didClose",
            "params": {"textDocument": {"uri": pair.uri}},
        },
    )
    editor.close(pair.uri)
    editor.save(pair.uri)
    editor.edit(pair.uri, 6, WRONG)
    pair.gold_file.write_text(pair.pred, "utf-8")
    changed = {"changes": [{"uri": pair.gold_uri, "type": 2}]}
    editor.send("workspace/didChangeWatchedFiles", changed)
    editor.settle()
    assert [push["diagnostics"] for push in editor.pushed(pair.uri)][1:] == [[]]
    assert "version" in editor.pushed(pair.uri)[-1]


def test_uris_come_back_letter_for_letter(editor: SocketSession, pair: Pair) -> None:
    odd = pair.uri.replace("pred", "%70re%64")
    editor.open(odd, pair.pred)
    assert len(editor.problems(odd, 1)) == 1
    # Another spelling is the same document, and what is said of it keeps the first.
    editor.edit(pair.uri, 2, RIGHT)
    assert editor.problems(odd, 2) == []
    editor.close(pair.uri)
    editor.settle()
    assert editor.pushed(pair.uri) == []
    assert len(editor.pushed(odd)) == 3


def test_links_are_documents_of_their_own(editor: SocketSession, pair: Pair) -> None:
    link = pair.folder / "link"
    link.symlink_to(pair.folder, target_is_directory=True)
    other = (link / "pred.conllu").as_uri()
    editor.open(other, pair.pred)
    editor.open(pair.uri, pair.pred)
    assert len(editor.problems(other, 1)) == len(editor.problems(pair.uri, 1)) == 1
    editor.edit(pair.uri, 2, RIGHT)
    assert editor.problems(pair.uri, 2) == []
    assert editor.las(other) == 80


def test_an_untitled_document_is_checked_without_gold(editor: SocketSession, pair: Pair) -> None:
    editor.open("untitled:Untitled-1", ring(pair))
    assert "head-cycle" in [p["code"] for p in editor.problems("untitled:Untitled-1", 1)]


def test_an_open_gold_wins_over_the_disk(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    assert len(editor.problems(pair.uri, 1)) == 1
    editor.open(pair.gold_uri, pair.pred)
    assert editor.problems(pair.uri, 1) == []
    editor.edit(pair.gold_uri, 2, RIGHT)
    assert len(editor.problems(pair.uri, 1)) == 1
    editor.close(pair.gold_uri)
    assert len(editor.problems(pair.uri, 1)) == 1


def test_gold_that_changes_on_disk_is_seen(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    assert len(editor.problems(pair.uri, 1)) == 1
    pair.gold_file.write_text(pair.pred, "utf-8")
    changed = {"changes": [{"uri": pair.gold_uri, "type": 2}]}
    editor.send("workspace/didChangeWatchedFiles", changed)
    assert editor.problems(pair.uri, 1) == []


def test_at_most_so_many_problems_and_one_that_says_so(session: SocketSession, pair: Pair) -> None:
    session.initialize(options={"maxProblems": 3})
    text = "".join(f"# sent_id = x{k}\n1\tWe\twe\tPRON\t_\t_\t0\troot\t_\t_\n\n" for k in range(10))
    pair.gold_file.write_text(text.replace("PRON", "X"), "utf-8", newline="\n")
    # The last sentence has an Error, the others have tags that differ from gold.
    session.open(pair.uri, text.removesuffix("\t_\n\n") + "\n\n")
    found = session.problems(pair.uri, 1)
    assert [p["code"] for p in found] == ["tag-error", "column-count", "problems-cut"]
    cut = found[-1]
    assert cut["severity"] == 4 and cut["code"] == "problems-cut"
    assert cut["range"] == {
        "start": {"line": 0, "character": 0},
        "end": {"line": 0, "character": 0},
    }
    assert cut["message"] == "8 more problems are not shown (maxProblems is 3)"


def test_scores_are_told_when_they_change(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    told = editor.notification("goldlens/scores")
    assert (told["uri"], told["version"]) == (pair.uri, 1)
    assert told["metrics"]["LAS"]["f1"] == 80
    assert told == editor.command("goldlens.score", {"uri": pair.uri})
    # Another cell that no metric counts.
    editor.edit(pair.uri, 2, replace(0, 0, 0, "# x = y\n"))
    editor.settle()
    editor.edit(pair.uri, 3, replace(4, 19, 20, "2"))
    told = editor.notification("goldlens/scores")
    assert told["version"] == 3
    assert told["metrics"]["LAS"]["f1"] == 100
    assert round(told["since_open"]["LAS"], 4) == 20


def test_scores_follow_gold(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    editor.notification("goldlens/scores")
    pair.gold_file.write_text(pair.pred, "utf-8")
    changed = {"changes": [{"uri": pair.gold_uri, "type": 2}]}
    editor.send("workspace/didChangeWatchedFiles", changed)
    assert editor.notification("goldlens/scores")["metrics"]["LAS"]["f1"] == 100


def test_on_save_nothing_is_pushed_before(session: SocketSession, pair: Pair) -> None:
    session.initialize(options={"run": "onSave"})
    session.open(pair.uri, pair.pred)
    assert len(session.problems(pair.uri, 1)) == 1
    session.edit(pair.uri, 2, RIGHT)
    session.settle()
    assert len(session.pushed(pair.uri)) == 1
    (pair.folder / "pred.conllu").write_text(pair.gold, "utf-8")
    session.save(pair.uri)
    assert session.problems(pair.uri, 2) == []
    assert session.las(pair.uri) == 100


def test_bad_options_are_told_and_the_others_count(session: SocketSession, pair: Pair) -> None:
    session.initialize(
        options={"maxProblems": "many", "runn": "onSave", "severity": {"las-error": "hint"}}
    )
    said = [session.notification("window/showMessage") for _ in range(2)]
    assert all(message["type"] == 2 for message in said)
    text = " ".join(message["message"] for message in said)
    assert "maxProblems" in text and "did you mean “run”?" in text
    session.open(pair.uri, pair.pred)
    assert [p["severity"] for p in session.problems(pair.uri, 1)] == [4]


@pytest.mark.parametrize("options", [None, {}, {"goldlens": {}}])
def test_no_options_are_fine(session: SocketSession, options: object) -> None:
    session.initialize(options=options)
    session.settle()
    assert not session.has("window/showMessage")


def test_settings_can_change(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    editor.problems(pair.uri, 1)
    settings = {"goldlens": {"severity": {"las-error": "off"}}}
    editor.send("workspace/didChangeConfiguration", {"settings": settings})
    assert editor.problems(pair.uri, 1) == []
    editor.send("workspace/didChangeConfiguration", {"settings": None})
    editor.send("workspace/didChangeConfiguration", {"settings": 5})
    assert "settings" in editor.notification("window/showMessage")["message"]


@pytest.mark.parametrize("told", ["rootUri", "rootPath", "workspaceFolders", "later"])
def test_the_configuration_of_a_folder_is_found(
    session: SocketSession, tmp_path: Path, told: str
) -> None:
    root, elsewhere = tmp_path / "root", tmp_path / "elsewhere"
    root.mkdir()
    elsewhere.mkdir()
    (root / "goldlens.toml").write_text('[severity]\nlas-error = "hint"\n', "utf-8")
    (elsewhere / "gold.conllu").write_text(GOLD, "utf-8")
    where: dict[str, object] = {
        "rootUri": {"rootUri": root.as_uri()},
        "rootPath": {"rootPath": str(root)},
        "workspaceFolders": {"workspaceFolders": [{"uri": root.as_uri(), "name": "root"}]},
        "later": {},
    }[told]
    session.initialize(**where)
    if told == "later":
        folder = {"uri": root.as_uri(), "name": "root"}
        event = {"event": {"added": [folder], "removed": []}}
        session.send("workspace/didChangeWorkspaceFolders", event)
    session.command("goldlens.pairs", {})
    uri = (root / "pred.conllu").as_uri()
    (root / "gold.conllu").write_text(GOLD, "utf-8")
    session.open(uri, GOLD.replace("NOUN\t_\t_\t2", "NOUN\t_\t_\t1"))
    assert [p["severity"] for p in session.problems(uri, 1)] == [4]


def test_a_folder_that_leaves_takes_its_pairs_along(session: SocketSession, tmp_path: Path) -> None:
    roots = [tmp_path / name for name in ("a", "b")]
    for root in roots:
        root.mkdir()
        for name in ("gold.conllu", "pred.conllu"):
            (root / name).write_text(GOLD, "utf-8")
        config = '[[pair]]\ngold = "gold.conllu"\npred = "pred.conllu"\n'
        (root / "goldlens.toml").write_text(config, "utf-8")
    folders = [{"uri": root.as_uri(), "name": root.name} for root in roots]
    session.initialize(workspaceFolders=folders)

    def pairs() -> list[str]:
        return [pair["pred"] for pair in session.command("goldlens.pairs", {})]

    assert pairs() == [(root / "pred.conllu").as_uri() for root in roots]
    event = {"event": {"added": [], "removed": folders[:1]}}
    session.send("workspace/didChangeWorkspaceFolders", event)
    assert pairs() == [(roots[1] / "pred.conllu").as_uri()]


def test_files_are_watched_by_those_who_can(connect: Callable[[], SocketSession]) -> None:
    session = connect()
    session.initialize({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
    [registration] = session.notification("client/registerCapability")["registrations"]
    assert registration["method"] == "workspace/didChangeWatchedFiles"
    patterns = [w["globPattern"] for w in registration["registerOptions"]["watchers"]]
    assert patterns == ["**/goldlens.toml", "**/pyproject.toml", "**/*.{conllu,iob2,bio,tsv,jsonl}"]
    other = connect()
    other.initialize()
    other.settle()
    assert not other.has("client/registerCapability")
