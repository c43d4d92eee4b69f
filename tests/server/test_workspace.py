"""The workspace: which gold a buffer faces, and what an edit, a save or a file change sets off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goldlens.scoring.bootstrap import nobody
from goldlens.server import desk, library
from goldlens.server import workspace as module
from goldlens.server.asked import WorkspaceError
from goldlens.server.engine.positions import Encoding
from goldlens.server.sources import uri_of
from goldlens.server.workspace import Workspace

GOLD = (
    "# sent_id = s1\n"
    "1\tWe\twe\tPRON\t_\t_\t2\tnsubj\t_\t_\n"
    "2\tlike\tlike\tVERB\t_\t_\t0\troot\t_\t_\n"
    "3\ttea\ttea\tNOUN\t_\t_\t2\tobj\t_\t_\n"
    "\n"
    "# sent_id = s2\n"
    "1\tYou\tyou\tPRON\t_\t_\t2\tnsubj\t_\t_\n"
    "2\tnap\tnap\tVERB\t_\t_\t0\troot\t_\t_\n"
    "\n"
)
PRED = GOLD.replace("\t2\tobj", "\t1\tobj")
HEAD = {"start": {"line": 3, "character": 19}, "end": {"line": 3, "character": 20}}

Put = Callable[[str, str], str]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Writes a file and gives its URI."""

    def write(name: str, text: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return uri_of(path)

    return write


def las(workspace: Workspace, uri: str) -> float | None:
    scores = workspace.scores(uri)
    if scores is None:
        return None
    metrics = scores["metrics"]
    assert isinstance(metrics, dict)
    return float(metrics["LAS"]["f1"])


def codes(workspace: Workspace, uri: str) -> list[tuple[str, int]]:
    shown = workspace.listing(uri, None).shown
    return [(found.problem.code, found.line) for found in shown]


def opened(put: Put, tmp_path: Path) -> tuple[Workspace, str]:
    put("gold.conllu", GOLD)
    uri = put("pred.conllu", PRED)
    workspace = Workspace(tmp_path)
    workspace.open(uri, PRED, 1)
    return workspace, uri


def test_an_opened_prediction_is_scored_against_the_gold_its_name_says(
    put: Put, tmp_path: Path
) -> None:
    workspace, uri = opened(put, tmp_path)
    assert las(workspace, uri) == 80
    assert codes(workspace, uri) == [("las-error", 3)]


def test_an_edit_rescores_and_says_by_how_much(put: Put, tmp_path: Path) -> None:
    workspace, uri = opened(put, tmp_path)
    assert workspace.change(uri, 2, [{"range": HEAD, "text": "2"}], Encoding.UTF16) == {uri}
    assert las(workspace, uri) == 100
    assert codes(workspace, uri) == []
    scores = workspace.scores(uri)
    assert scores is not None
    assert scores["version"] == 2
    assert scores["since_open"]["LAS"] == pytest.approx(20)  # type: ignore[index]
    workspace.save(uri)
    scores = workspace.scores(uri)
    assert scores is not None
    assert scores["since_save"]["LAS"] == 0  # type: ignore[index]
    assert scores["since_open"]["LAS"] == pytest.approx(20)  # type: ignore[index]


def test_an_edit_of_an_unknown_document_does_nothing(put: Put, tmp_path: Path) -> None:
    assert Workspace(tmp_path).change("file:///none", 1, [{"text": "x"}], Encoding.UTF16) == set()


def test_a_gold_opened_in_the_editor_wins_over_the_file(put: Put, tmp_path: Path) -> None:
    workspace, uri = opened(put, tmp_path)
    gold = uri_of(tmp_path / "gold.conllu")
    assert workspace.open(gold, PRED, 1) == {gold, uri}
    assert las(workspace, uri) == 100
    back = {"text": GOLD}
    assert workspace.change(gold, 2, [back], Encoding.UTF16) == {gold, uri}
    assert las(workspace, uri) == 80
    workspace.change(gold, 3, [{"text": PRED}], Encoding.UTF16)
    assert workspace.close(gold) == {uri}
    assert las(workspace, uri) == 80


def test_a_gold_changed_on_disk_is_read_again(put: Put, tmp_path: Path) -> None:
    workspace, uri = opened(put, tmp_path)
    gold = put("gold.conllu", PRED)
    assert workspace.files_changed([gold]) == {uri}
    assert las(workspace, uri) == 100
    put("gold.conllu", PRED)
    assert workspace.files_changed([gold]) == set(), "the same bytes change nothing"


def test_a_gold_that_goes_and_comes_back(put: Put, tmp_path: Path) -> None:
    workspace, uri = opened(put, tmp_path)
    gold = tmp_path / "gold.conllu"
    gold.unlink()
    assert workspace.files_changed([uri_of(gold)]) == {uri}
    assert las(workspace, uri) is None
    assert codes(workspace, uri) == [("gold-not-found", 0)]
    put("gold.conllu", GOLD)
    assert workspace.files_changed([uri_of(gold)]) == {uri}
    assert las(workspace, uri) == 80


@pytest.mark.parametrize(
    ("data", "word"),
    [(b"\xff\xfe1\x00", "UTF-16"), (b"\0\0\0binary", "binary")],
)
def test_a_gold_that_is_no_text_is_told_not_scored(
    put: Put, tmp_path: Path, data: bytes, word: str
) -> None:
    (tmp_path / "gold.conllu").write_bytes(data)
    uri = put("pred.conllu", PRED)
    workspace = Workspace(tmp_path)
    workspace.open(uri, PRED, 1)
    (found,) = workspace.listing(uri, None).shown
    assert found.problem.code == "gold-not-found"
    assert word in found.problem.message


def test_gold_named_by_hand(put: Put, tmp_path: Path) -> None:
    put("elsewhere/best.conllu", GOLD)
    uri = put("mine.conllu", PRED)
    workspace = Workspace(tmp_path)
    workspace.open(uri, PRED, 1)
    assert las(workspace, uri) is None
    assert codes(workspace, uri) == []
    assert workspace.set_gold(uri, "elsewhere/best.conllu") == {uri}
    assert las(workspace, uri) == 80
    for wrong in ("nowhere.conllu", "mine.conllu", "elsewhere"):
        with pytest.raises(WorkspaceError):
            workspace.set_gold(uri, wrong)
    assert las(workspace, uri) == 80
    assert workspace.set_gold(uri, None) == {uri}
    assert las(workspace, uri) is None
    assert workspace.set_gold(uri_of(tmp_path / "nobody.conllu"), None) == set()


@pytest.mark.parametrize("named", ["uri", "path"])
def test_gold_named_by_hand_for_what_was_never_saved(put: Put, tmp_path: Path, named: str) -> None:
    gold = put("gold.conllu", GOLD)
    uri = "untitled:Untitled-1"
    workspace = Workspace(tmp_path)
    workspace.open(uri, PRED, 1)
    with pytest.raises(WorkspaceError, match="whole path"):
        workspace.set_gold(uri, "gold.conllu")
    assert las(workspace, uri) is None
    assert workspace.set_gold(uri, gold if named == "uri" else str(tmp_path / "gold.conllu")) == {
        uri
    }
    assert (las(workspace, uri), codes(workspace, uri)) == (80, [("las-error", 3)])
    assert [(pair["pred"], pair["task"]) for pair in workspace.pairs()] == [(uri, "ud")]
    workspace.change(uri, 2, [{"range": HEAD, "text": "2"}], Encoding.UTF16)
    assert (las(workspace, uri), codes(workspace, uri)) == (100, [])
    put("gold.conllu", PRED)
    assert workspace.files_changed([gold]) == {uri}
    assert las(workspace, uri) == 80
    assert workspace.set_gold(uri, None) == {uri}
    assert las(workspace, uri) is None


def test_gold_named_by_hand_and_forgotten_gives_way_to_the_configuration(
    put: Put, tmp_path: Path
) -> None:
    put("gold.conllu", GOLD)
    put("same.conllu", PRED)
    uri = put("mine.conllu", PRED)
    put("goldlens.toml", '[[pair]]\ngold = "gold.conllu"\npred = "mine.conllu"\n')
    workspace = Workspace(tmp_path)
    workspace.open(uri, PRED, 1)
    workspace.set_gold(uri, "same.conllu")
    assert las(workspace, uri) == 100
    workspace.set_gold(uri, None)
    assert las(workspace, uri) == 80


def test_run_on_save_scores_the_buffer_whatever_the_disk_has(put: Put, tmp_path: Path) -> None:
    put("gold.conllu", GOLD)
    uri = put("pred.conllu", PRED)
    workspace = Workspace(tmp_path)
    assert workspace.configure({"run": "onSave"})[0] == []
    workspace.open(uri, PRED, 1)
    workspace.change(uri, 2, [{"range": HEAD, "text": "2"}], Encoding.UTF16)
    assert las(workspace, uri) == 80, "nothing is rescored while typing"
    put("pred.conllu", GOLD.replace("\tobj", "\tdep"))
    assert uri in workspace.save(uri)
    assert las(workspace, uri) == 100
    assert codes(workspace, uri) == []


def test_a_severity_set_in_the_configuration_holds(put: Put, tmp_path: Path) -> None:
    put("goldlens.toml", '[severity]\nlas-error = "error"\nsent-id-missing = "on"\n')
    put("gold.conllu", GOLD)
    text = PRED.replace("# sent_id = s2\n", "")
    uri = put("pred.conllu", text)
    workspace = Workspace(tmp_path)
    workspace.open(uri, text, 1)
    found = {f.problem.code: f.severity.label for f in workspace.listing(uri, None).shown}
    assert found == {"las-error": "error", "sent-id-missing": "warning"}
    put("goldlens.toml", '[severity]\nlas-error = "off"\n')
    assert uri in workspace.files_changed([uri_of(tmp_path / "goldlens.toml")])
    assert codes(workspace, uri) == []


def test_a_configuration_that_is_open_shows_its_own_problems(put: Put, tmp_path: Path) -> None:
    text = '[[pair]]\ngold = "g.conllu"\npred = "p.conllu"\nmatsch = "auto"\n'
    uri = put("goldlens.toml", text)
    workspace = Workspace(tmp_path)
    workspace.open(uri, text, 1)
    (found,) = workspace.listing(uri, None).shown
    assert (found.problem.code, found.line) == ("config-key", 3)
    assert "match" in found.problem.message
    end = {"start": {"line": 3, "character": 3}, "end": {"line": 3, "character": 6}}
    workspace.change(uri, 2, [{"range": end, "text": "ch"}], Encoding.UTF16)
    assert codes(workspace, uri) == []


def test_a_prediction_without_any_head_is_a_tagging_prediction(put: Put, tmp_path: Path) -> None:
    put("gold.conllu", GOLD)
    text = GOLD
    for head, relation in (("2", "nsubj"), ("0", "root"), ("2", "obj")):
        text = text.replace(f"\t{head}\t{relation}\t", "\t_\t_\t")
    uri = put("pred.conllu", text)
    workspace = Workspace(tmp_path)
    workspace.open(uri, text, 1)
    scores = workspace.scores(uri)
    assert scores is not None
    metrics = scores["metrics"]
    assert isinstance(metrics, dict)
    assert metrics["LAS"] is None
    assert metrics["UPOS"]["f1"] == 100
    (found,) = workspace.listing(uri, None).shown
    assert (found.problem.code, found.severity.label) == ("head-missing", "information")
    # With one head it is a parse again, and what lacks heads is said sentence by sentence.
    at = {"start": {"line": 2, "character": 21}, "end": {"line": 2, "character": 22}}
    workspace.change(uri, 2, [{"range": at, "text": "0"}], Encoding.UTF16)
    assert ("head-missing", 6) in codes(workspace, uri)


def test_uris_are_one_document_however_they_are_spelt(put: Put, tmp_path: Path) -> None:
    put("gold.conllu", GOLD)
    uri = put("pred.conllu", PRED)
    odd = uri.replace("pred", "%70red")
    workspace = Workspace(tmp_path)
    workspace.open(odd, PRED, 1)
    assert workspace.is_open(uri)
    assert workspace.change(uri, 2, [{"range": HEAD, "text": "2"}], Encoding.UTF16) == {odd}
    scores = workspace.scores(uri)
    assert scores is not None
    assert scores["uri"] == odd


def test_drive_letters_are_one_in_either_case() -> None:
    workspace = Workspace()
    workspace.open("file:///C%3A/a/pred.conllu", PRED, 1)
    assert workspace.is_open("file:///c:/a/pred.conllu")


def test_untitled_never_touches_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> None:
        raise AssertionError("the disk was touched")

    for where, name in (
        (module, "read"),
        (desk, "read"),
        (desk, "stamp"),
        (library, "read"),
        (library, "stamp"),
    ):
        monkeypatch.setattr(where, name, forbidden)
    workspace = Workspace()
    workspace.open("untitled:pred.conllu", PRED.replace("\t0\t", "\t9\t"), 1)
    assert {code for code, _ in codes(workspace, "untitled:pred.conllu")} == {"head-out-of-range"}
    assert workspace.scores("untitled:pred.conllu") is None


def test_links_are_documents_of_their_own(put: Put, tmp_path: Path) -> None:
    put("gold.conllu", GOLD)
    put("run/pred.conllu", PRED)
    (tmp_path / "run" / "gold.conllu").symlink_to(tmp_path / "gold.conllu")
    (tmp_path / "latest").symlink_to(tmp_path / "run")
    workspace = Workspace(tmp_path)
    direct, linked = (uri_of(tmp_path / name / "pred.conllu") for name in ("run", "latest"))
    workspace.open(direct, PRED, 1)
    workspace.open(linked, PRED, 1)
    assert workspace.change(linked, 2, [{"range": HEAD, "text": "2"}], Encoding.UTF16) == {linked}
    assert (las(workspace, direct), las(workspace, linked)) == (80, 100)


def test_the_cap_shows_errors_first_then_what_is_near_the_last_edit(
    put: Put, tmp_path: Path
) -> None:
    sentences = [
        f"# sent_id = s{k}\n1\tWe\twe\tPRON\t_\t_\t2\tnsubj\t_\t_\n"
        "2\tnap\tnap\tVERB\t_\t_\t0\troot\t_\t_\n\n"
        for k in range(60)
    ]
    put("gold.conllu", "".join(sentences))
    wrong = [text.replace("nsubj", "obj") for text in sentences]
    wrong[50] = wrong[50].replace("\t0\troot\t_\t_", "\t0\troot\t_")
    text = "".join(wrong)
    uri = put("pred.conllu", text)
    workspace = Workspace(tmp_path)
    workspace.open(uri, text, 1)
    listing = workspace.listing(uri, 10)
    assert len(listing.shown) == 9
    assert listing.more == 60 - 9
    assert listing.shown[-1].problem.code == "column-count"
    assert [found.line for found in listing.shown[:8]] == [4 * k + 1 for k in range(8)]
    start, end = ({"line": 4 * 30 + 2, "character": column} for column in (6, 9))
    change = {"range": {"start": start, "end": end}, "text": "nab"}
    workspace.change(uri, 2, [change], Encoding.UTF16)
    near = [found.line // 4 for found in workspace.listing(uri, 10).shown[:8]]
    assert near == [27, 28, 29, 30, 30, 31, 32, 33]
    assert len(workspace.listing(uri, None).shown) == 61


def test_a_large_text_is_checked_by_and_by_to_the_same_end(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(PRED.replace("NOUN", "NOUM") for _ in range(200))
    put("gold.conllu", "".join(GOLD for _ in range(200)))
    uri = put("pred.conllu", text)
    plain = Workspace(tmp_path)
    plain.open(uri, text, 1)
    monkeypatch.setattr(desk, "LARGE", 1000)
    large = Workspace(tmp_path)
    large.open(uri, text, 1)
    assert large.scores(uri) == plain.scores(uri)
    assert large.busy
    assert ("upos-unknown", 3) not in codes(large, uri)
    large.change(uri, 2, [{"range": HEAD, "text": "2"}], Encoding.UTF16)
    plain.change(uri, 2, [{"range": HEAD, "text": "2"}], Encoding.UTF16)
    done: set[str] = set()
    while large.busy:
        done |= large.idle()
    assert done == {uri}
    assert codes(large, uri) == codes(plain, uri)
    assert large.scores(uri) == plain.scores(uri)


def rows(workspace: Workspace, uri: str, form: str, *metrics: Any, **fields: Any) -> str:
    """Results rows, at once."""
    return workspace.publishing.rows_later(uri, form, *metrics, **fields)(nobody)


def test_rows_as_text(put: Put, tmp_path: Path) -> None:
    workspace, uri = opened(put, tmp_path)
    table = rows(workspace, uri, "markdown", ["LAS"], component="parser", reference={"LAS": 80.4})
    assert table.splitlines()[2] == "| parser |  | LAS | 80.00 | [66.67, 100.00] | 80.40 | yes |"
    for wrong in (
        lambda: rows(workspace, uri, "word"),
        lambda: rows(workspace, uri, "csv", ["LASS"]),
        lambda: rows(workspace, "file:///none", "csv"),
    ):
        with pytest.raises(WorkspaceError):
            wrong()


def test_the_tree_at_a_line(put: Put, tmp_path: Path) -> None:
    workspace, uri = opened(put, tmp_path)
    tree = workspace.tree(uri, 2)
    assert tree is not None
    assert tree["sent_id"] == "s1"
    words = tree["words"]
    assert isinstance(words, list)
    assert [(w["form"], w["head"], w["gold"]["head"], w["correct"]) for w in words] == [
        ("We", 2, 2, True),
        ("like", 0, 0, True),
        ("tea", 1, 2, False),
    ]
    assert [p["code"] for p in tree["problems"]] == ["las-error"]  # type: ignore[attr-defined]
    assert workspace.tree(uri, 999) is None


def test_pairs_open_and_configured(put: Put, tmp_path: Path) -> None:
    put("goldlens.toml", '[[pair]]\ngold = "gold.conllu"\npred = "runs/*/p.conllu"\n')
    put("runs/a/p.conllu", PRED)
    put("runs/b/p.conllu", PRED)
    workspace, _ = opened(put, tmp_path)
    found = [(pair["system"], pair["open"]) for pair in workspace.pairs()]
    assert sorted(found) == [("a", False), ("b", False), ("pred", True)]


def test_pairs_have_what_the_configuration_says_of_rows(put: Put, tmp_path: Path) -> None:
    pair = '[[pair]]\ngold = "gold.conllu"\npred = "p.conllu"\n'
    put("goldlens.toml", f'{pair}component = "parser"\nmetrics = ["LAS"]\n')
    put("p.conllu", PRED)
    workspace, _ = opened(put, tmp_path)
    found = {pair["system"]: (pair["component"], pair["metrics"]) for pair in workspace.pairs()}
    assert found == {"p.conllu": ("parser", ["LAS"]), "pred": ("", [])}


def test_a_closed_file_is_scored_from_the_disk(put: Put, tmp_path: Path) -> None:
    put("gold.conllu", GOLD)
    uri = put("pred.conllu", PRED)
    workspace = Workspace(tmp_path)
    assert las(workspace, uri) == 80
    assert not workspace.is_open(uri)
    put("pred.conllu", GOLD)
    assert las(workspace, uri) == 100
    assert workspace.tree(uri, 2) is not None
    with pytest.raises(WorkspaceError, match="no such file"):
        workspace.scores(uri_of(tmp_path / "none.conllu"))


def test_several_roots_are_one_problem_whichever_is_right(put: Put, tmp_path: Path) -> None:
    put("gold.conllu", GOLD)
    text = GOLD.replace("1\tWe\twe\tPRON\t_\t_\t2\tnsubj", "1\tWe\twe\tPRON\t_\t_\t0\troot")
    uri = put("pred.conllu", text)
    workspace = Workspace(tmp_path)
    workspace.open(uri, text, 1)
    assert codes(workspace, uri) == [("multiple-roots", 2)]


def test_the_same_sentences_in_another_order_would_be_refused(put: Put, tmp_path: Path) -> None:
    put("gold.conllu", GOLD)
    first, second, _ = GOLD.split("\n\n")
    text = f"{second}\n\n{first}\n\n"
    uri = put("pred.conllu", text)
    workspace = Workspace(tmp_path)
    workspace.open(uri, text, 1)
    scores = workspace.scores(uri)
    assert scores is not None
    assert [found["code"] for found in scores["would_refuse"]] == ["stream-mismatch"]  # type: ignore[attr-defined]
