"""goldlens.analyze, for editors and for programs of a daemon."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from click.testing import CliRunner

from goldlens.cli.main import goldlens
from tests.lsp.conftest import Pair
from tests.lsp.session import RpcError, SocketSession, replace


@pytest.fixture(params=["alone", "daemon"])
def via(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def editor(connect: Callable[[], SocketSession], pair: Pair) -> SocketSession:
    session = connect()
    session.initialize(folder=pair.folder)
    session.open(pair.uri, pair.pred)
    session.problems(pair.uri, 1)
    return session


def test_the_json_is_that_of_the_command_line(editor: SocketSession, pair: Pair) -> None:
    found = editor.command("goldlens.analyze", {"uri": pair.uri, "what": "heads", "top": 2})
    paths = (str(pair.gold_file), str(pair.folder / "pred.conllu"))
    call = ["analyze", *paths, "--what", "heads", "--top", "2", "--json"]
    assert found == json.loads(CliRunner().invoke(goldlens, call).stdout)
    [wrong] = found["costliest"]
    assert (wrong["gold"], wrong["pred"], wrong["gain"]) == ("VERB", "PRON", 20)


def test_it_is_of_what_is_in_the_editor(editor: SocketSession, pair: Pair) -> None:
    asked = {"uri": pair.uri}
    assert editor.command("goldlens.analyze", asked)["score"] == 80
    editor.edit(pair.uri, 2, replace(3, 19, 20, "2"))
    found = editor.command("goldlens.analyze", asked)
    assert (found["score"], found["costliest"]) == (100, [])
    assert found["pred"]["sha256"] == "unsaved buffer"


def test_a_file_that_nobody_has_open(editor: SocketSession, pair: Pair) -> None:
    editor.send("textDocument/didClose", {"textDocument": {"uri": pair.uri}})
    asked = {"uri": pair.uri, "what": "upos", "metric": "UPOS"}
    assert editor.command("goldlens.analyze", asked)["metric"] == "UPOS"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, "expects “uri”"),
        ({"uri": "x", "what": "tags"}, "expected what to be one of overview, upos, .*, not 'tags'"),
        ({"uri": "x", "what": 7}, "expected what to be one of overview"),
        ({"uri": "x", "top": 0}, "expected top to be a whole number from 1, not 0"),
        ({"uri": "x", "examples": 0}, "expected examples to be a whole number from 1, not 0"),
        ({"uri": "x", "metric": 1}, "expected metric to be a string, not 1"),
        ({"uri": "x", "wat": "upos"}, "did you mean “what”"),
        ({"metric": "NAS"}, "unknown metric 'NAS'; expected one of UPOS"),
        ({"what": "class"}, "unknown what 'class'; expected one of overview, upos"),
        ({"what": "document"}, "nothing is said of document: gold has no “# newdoc”"),
    ],
)
def test_bad_arguments_say_what_was_expected(
    editor: SocketSession, pair: Pair, asked: dict[str, object], expected: str
) -> None:
    if asked and "uri" not in asked:
        asked = {"uri": pair.uri, **asked}
    with pytest.raises(RpcError, match=expected) as caught:
        editor.command("goldlens.analyze", asked)
    assert caught.value.code == -32602


def test_a_file_without_gold_cannot_be_analysed(editor: SocketSession, pair: Pair) -> None:
    alone = (pair.folder / "alone.conllu").as_uri()
    editor.open(alone, pair.gold)
    with pytest.raises(RpcError, match="has no gold") as caught:
        editor.command("goldlens.analyze", {"uri": alone})
    assert caught.value.code == -32803


def test_one_that_is_cancelled_has_no_answer_and_others_go_on(
    editor: SocketSession, pair: Pair
) -> None:
    large = pair.folder / "large"
    large.mkdir()
    for name, text in (("gold.conllu", pair.gold), ("pred.conllu", pair.pred)):
        (large / name).write_text(text.replace("# sent_id", "# id") * 8000, "utf-8")
    asked = {"uri": (large / "pred.conllu").as_uri(), "metric": "MLAS"}
    number = editor.ask(
        "workspace/executeCommand", {"command": "goldlens.analyze", "arguments": [asked]}
    )
    editor.send("$/cancelRequest", {"id": number})
    with pytest.raises(RpcError, match="cancelled") as caught:
        editor.answer(number)
    assert caught.value.code == -32800
    assert editor.las(pair.uri) == 80
