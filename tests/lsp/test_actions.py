"""Code actions over a real connection: offered, resolved, applied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.lsp.conftest import Pair
from tests.lsp.session import RpcError, SocketSession

CAN = {
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        }
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}
WITHOUT_RESOLVE = {
    "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {}}}}
}


def applied(text: str, edits: list[Any], encoding: str = "utf-16") -> str:
    """A text with an editor's edits made."""
    lines = text.splitlines(keepends=True) + [""]

    def offset(position: Mapping[str, int]) -> int:
        before = sum(map(len, lines[: position["line"]]))
        if encoding == "utf-32":
            return before + position["character"]
        here = lines[position["line"]]
        kind = "utf-16-le" if encoding == "utf-16" else "utf-8"
        size = 2 if encoding == "utf-16" else 1
        return before + len(here.encode(kind)[: position["character"] * size].decode(kind))

    made = sorted(
        ((offset(e["range"]["start"]), offset(e["range"]["end"]), e["newText"]) for e in edits),
        key=lambda edit: edit[:2],
        reverse=True,
    )
    for start, end, new in made:
        text = text[:start] + new + text[end:]
    return text


def edits_of(action: Mapping[str, Any], uri: str, version: int | None = None) -> list[Any]:
    edit = action["edit"]
    if version is None:
        found: list[Any] = edit["changes"][uri]
        return found
    [change] = edit["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": version}
    made: list[Any] = change["edits"]
    return made


def asked(
    session: SocketSession, uri: str, problems: list[Any], line: int = 0, **context: object
) -> list[Any]:
    where = {"line": line, "character": 0}
    span = problems[0]["range"] if problems else {"start": where, "end": where}
    params = {
        "textDocument": {"uri": uri},
        "range": span,
        "context": {"diagnostics": problems, **context},
    }
    found: list[Any] = session.call("textDocument/codeAction", params)
    return found


@pytest.fixture
def editor(session: SocketSession, pair: Pair) -> SocketSession:
    result = session.initialize(CAN, folder=pair.folder)
    kinds = result["capabilities"]["codeActionProvider"]["codeActionKinds"]
    assert kinds == ["quickfix", "refactor.rewrite", "source.fixAll.goldlens"]
    return session


def test_golds_head_is_taken(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    problems = editor.problems(pair.uri, 1)
    [action] = asked(editor, pair.uri, problems)
    assert action["title"] == "Take gold's HEAD: 2 → like"
    assert (action["kind"], action["isPreferred"]) == ("quickfix", True)
    assert action["diagnostics"] == problems
    assert applied(pair.pred, edits_of(action, pair.uri, 1)) == pair.gold


def test_at_the_cursor_without_diagnostics(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    editor.problems(pair.uri, 1)
    # In the line above the problem there is nothing but gold's sentence to take.
    [whole] = asked(editor, pair.uri, [], 2)
    assert (whole["title"], whole["kind"]) == ("Take gold's sentence", "refactor.rewrite")
    assert applied(pair.pred, edits_of(whole, pair.uri, 1)) == pair.gold
    assert asked(editor, pair.uri, [], 2, only=["quickfix"]) == []
    assert asked(editor, pair.uri, [], 6) == []


def test_golds_word_is_taken(editor: SocketSession, pair: Pair) -> None:
    text = pair.pred.replace("3\ttea\ttea\tNOUN", "3\ttea\tte\tVERB")
    editor.open(pair.uri, text)
    editor.problems(pair.uri, 1)
    actions = asked(editor, pair.uri, [], 3, only=["refactor"])
    assert [action["title"] for action in actions] == [
        "Take gold's LEMMA, UPOS and HEAD for word 3 (tea)"
    ]
    assert applied(text, edits_of(actions[0], pair.uri, 1)) == pair.gold


def test_foreign_diagnostics_are_left_alone(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    [problem] = editor.problems(pair.uri, 1)
    foreign = {**problem, "source": "spell", "code": {"value": 1}, "range": None}
    assert asked(editor, pair.uri, [problem, foreign], 3)[0]["diagnostics"] == [problem]
    foreign["range"] = problem["range"]
    assert asked(editor, pair.uri, [foreign], 3, only=["quickfix"]) == []
    assert asked(editor, pair.uri, [{**problem, "code": ["x"]}], 3, only=["quickfix"]) == []


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_all_of_a_kind(session: SocketSession, pair: Pair, encoding: str, ending: str) -> None:
    can = {**CAN, "general": {"positionEncodings": [encoding]}}
    session.initialize(can)
    uri = (pair.folder / "alone.conllu").as_uri()
    text = (
        "\ufeff1\t🧀\t🧀\tNOUN\t_\tNumber=Sing|Case=Acc\t0\troot\t_\tA=🧀|A=🧀\n"
        "2\tß\tß\tPUNCT\t_\tB=1|A=1\t1\tpunct\t_\t_\n\n\n"
        "1\tz\tz\tX\t_\tB=1|A=1\t0\troot\t_\t_\n"
    ).replace("\n", ending)
    session.open(uri, text, 7)
    problems = session.problems(uri, 7)
    order = next(each for each in problems if each["code"] == "feats-order")
    first, every = asked(session, uri, [order])
    assert first["title"] == "Sort the features: Case=Acc|Number=Sing"
    made = session.call("codeAction/resolve", every)
    now = applied(text, edits_of(made, uri, 7), encoding)
    assert now == text.replace("Number=Sing|Case=Acc", "Case=Acc|Number=Sing").replace(
        "B=1|A=1", "A=1|B=1"
    )
    [everything] = asked(session, uri, [], only=["source.fixAll"])
    assert everything["kind"] == "source.fixAll.goldlens" and "edit" not in everything
    made = session.call("codeAction/resolve", everything)
    session.open(uri, applied(text, edits_of(made, uri, 7), encoding), 8)
    left = [] if ending == "\n" else ["line-ending"]
    assert [each["code"] for each in session.problems(uri, 8)] == left


def test_without_resolving(session: SocketSession, pair: Pair) -> None:
    session.initialize(WITHOUT_RESOLVE)
    uri = (pair.folder / "alone.conllu").as_uri()
    text = "1\tz\tz\tX\t_\tB=1|A=1\t0\troot\t_\t_\n\n" * 2
    session.open(uri, text)
    problems = session.problems(uri, 1)
    one, every = asked(session, uri, problems[:1])
    assert len(edits_of(one, uri)) == 1
    fixed = text.replace("B=1|A=1", "A=1|B=1")
    assert applied(text, edits_of(every, uri)) == fixed
    [everything] = asked(session, uri, [], only=["source"])
    assert applied(text, edits_of(everything, uri)) == fixed
    session.open(uri, fixed, 2)
    assert asked(session, uri, [], only=["source.fixAll.goldlens"]) == []


def test_all_of_a_kind_is_offered_only_where_it_does_something(
    editor: SocketSession, pair: Pair
) -> None:
    def titles(uri: str, text: str) -> set[str]:
        editor.open(uri, text)
        problems = editor.problems(uri, 1)
        found = [each for problem in problems for each in asked(editor, uri, [problem])]
        for action in found:
            made = action if "edit" in action else editor.call("codeAction/resolve", action)
            assert edits_of(made, uri, 1), action["title"]
        return {action["title"] for action in found}

    torn = pair.gold.replace("3\ttea\ttea", "3\ttea\nx\ttea")
    found = titles((pair.folder / "torn.conllu").as_uri(), torn)
    assert "Join the 2 lines of the row" in found
    (pair.folder / "gold.tsv").write_text("id\tlabel\n1\tx\n")
    found = titles((pair.folder / "pred.tsv").as_uri(), "id\tlabel\n1\tx\n2\tx\n")
    assert found == {"Take the row out"}


def test_who_knows_only_commands_gets_none(session: SocketSession, pair: Pair) -> None:
    assert "codeActionProvider" not in session.initialize(folder=pair.folder)["capabilities"]
    session.open(pair.uri, pair.pred)
    params = {
        "textDocument": {"uri": pair.uri},
        "range": session.problems(pair.uri, 1)[0]["range"],
        "context": {"diagnostics": []},
    }
    assert session.call("textDocument/codeAction", params) is None


def test_positions_outside_and_other_files(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    editor.problems(pair.uri, 1)
    assert asked(editor, pair.uri, [], 99) == []
    empty = (pair.folder / "empty.conllu").as_uri()
    editor.open(empty, "")
    assert asked(editor, empty, []) == []
    notes = (pair.folder / "goldlens.toml").as_uri()
    editor.open(notes, "a = 1\n")
    assert asked(editor, notes, []) == []
    assert asked(editor, (pair.folder / "closed.conllu").as_uri(), []) is None
    tags = (pair.folder / "tags.iob2").as_uri()
    document = {"uri": tags, "languageId": "iob2", "version": 1, "text": "a\tO\nb\tI-X\n\n"}
    editor.send("textDocument/didOpen", {"textDocument": document})
    action, *_ = asked(editor, tags, editor.problems(tags, 1))
    assert action["title"] == "Change I-X to B-X"


@pytest.mark.parametrize(
    "params",
    [
        {"textDocument": {"uri": "file:///a"}},
        {"textDocument": {"uri": "file:///a"}, "range": {"start": 1, "end": 2}},
        {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}},
    ],
)
def test_wrong_parameters(editor: SocketSession, params: object) -> None:
    with pytest.raises(RpcError) as caught:
        editor.call("textDocument/codeAction", params)
    assert caught.value.code == -32602
    with pytest.raises(RpcError) as caught:
        editor.call("codeAction/resolve", {"title": "x", "data": {"uri": "a", "codes": ["zz"]}})
    assert caught.value.code == -32602
