"""What is shown beside the text: lenses, hints, colours; and rows that are put into it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from goldlens.server.views.colouring import MODIFIERS, TYPES
from tests.lsp.conftest import Pair
from tests.lsp.session import RpcError, SocketSession, replace

EDITS = {"workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}}}


@pytest.fixture
def editor(session: SocketSession, pair: Pair) -> SocketSession:
    session.initialize(EDITS, folder=pair.folder)
    session.open(pair.uri, pair.pred)
    session.problems(pair.uri, 1)
    return session


def named(uri: str) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}}


def lenses(editor: SocketSession, uri: str) -> list[tuple[int, str]]:
    """The lenses of a document, each with its line, when all are resolved."""
    found = []
    for lens in editor.call("textDocument/codeLens", named(uri)) or []:
        if "command" not in lens:
            lens = editor.call("codeLens/resolve", lens)
        found.append((lens["range"]["start"]["line"], lens["command"]["title"]))
    return found


def inserting(editor: SocketSession, asked: dict[str, Any], *, applied: bool = True) -> Any:
    """Asks for rows, and answers the edit that comes; the edit, and what the command gives."""
    params = {"command": "goldlens.insertRows", "arguments": [asked]}
    number = editor.ask("workspace/executeCommand", params)
    edit = editor.expect(lambda m: m.get("method") == "workspace/applyEdit", "the edit")
    answer = {"applied": applied, **({} if applied else {"failureReason": "it has changed"})}
    editor.put({"jsonrpc": "2.0", "id": edit["id"], "result": answer})
    return edit["params"]["edit"], editor.answer(number)


def test_lenses_say_what_is_right(editor: SocketSession, pair: Pair) -> None:
    assert lenses(editor, pair.uri) == [
        (0, "LAS 80.00 · UAS 80.00 · UPOS 100.00"),
        (0, "Insert results rows"),
        (0, "LAS 2/3 · UAS 2/3"),
        (5, "LAS 2/2 · right"),
    ]


def test_a_lens_says_how_the_file_has_changed_since_it_was_saved(
    editor: SocketSession, pair: Pair
) -> None:
    editor.edit(pair.uri, 2, replace(3, 19, 20, "2"))
    assert lenses(editor, pair.uri)[0] == (
        0,
        "LAS 100.00 (+20.00) · UAS 100.00 (+20.00) · UPOS 100.00",
    )
    editor.save(pair.uri)
    assert lenses(editor, pair.uri)[0] == (0, "LAS 100.00 · UAS 100.00 · UPOS 100.00")


def test_a_sentence_that_is_not_compared_says_why(editor: SocketSession, pair: Pair) -> None:
    editor.edit(pair.uri, 2, replace(7, 2, 5, "sleep"))
    assert lenses(editor, pair.uri)[-1] == (5, "Not compared: the text differs from gold")


def test_blocks_without_a_sentence_have_no_lens(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, f"\n# only a comment\n\n{pair.pred}\n\n", 2)
    assert [line for line, _ in lenses(editor, pair.uri)] == [0, 0, 3, 8]


def test_a_file_without_gold_has_no_lenses(editor: SocketSession, pair: Pair) -> None:
    alone = (pair.folder / "alone.conllu").as_uri()
    editor.open(alone, pair.gold)
    assert editor.call("textDocument/codeLens", named(alone)) == []
    closed = (pair.folder / "closed.conllu").as_uri()
    assert editor.call("textDocument/codeLens", named(closed)) is None
    lens = {"range": {}, "data": {"uri": closed, "line": 3}}
    assert editor.call("codeLens/resolve", lens)["command"]["title"] == ""


def test_spans_and_classes_have_lenses_of_their_own(editor: SocketSession, pair: Pair) -> None:
    (pair.folder / "gold.iob2").write_text("a\tB-X\nb\tO\n\nc\tB-X\n\nd\tO\n\n")
    spans = (pair.folder / "pred.iob2").as_uri()
    editor.open(spans, "a\tB-X\nb\tB-Y\n\nc\tB-X\n\nd\tO\n\n")
    assert lenses(editor, spans) == [
        (0, "Micro 80.00"),
        (0, "Insert results rows"),
        (0, "Micro 1/1 (+1)"),
        (3, "Micro 1/1 · right"),
        (5, ""),
    ]
    (pair.folder / "gold.jsonl").write_text(
        '{"id": "a", "label": "x"}\n{"id": "b", "label": "y"}\n'
    )
    classes = (pair.folder / "pred.jsonl").as_uri()
    editor.open(classes, '{"id": "a", "label": "x"}\n{"id": "b", "label": "x"}\n')
    [(line, title)] = lenses(editor, classes)
    assert line == 0 and "Accuracy 50.00" in title


def test_scored_on_saving_only_the_file_has_a_lens(session: SocketSession, pair: Pair) -> None:
    session.initialize(folder=pair.folder, options={"run": "onSave"})
    session.open(pair.uri, pair.pred)
    assert lenses(session, pair.uri) == [(0, "LAS 80.00 · UAS 80.00 · UPOS 100.00")]


@pytest.mark.parametrize("data", [None, {}, {"uri": 3}, {"uri": "file:///a", "line": -1}])
def test_what_is_no_lens_of_ours_is_refused(editor: SocketSession, data: object) -> None:
    with pytest.raises(RpcError, match="data") as caught:
        editor.call("codeLens/resolve", {"range": {}, "data": data})
    assert caught.value.code == -32602


def test_rows_are_comments_in_front_of_the_sentence(editor: SocketSession, pair: Pair) -> None:
    asked = {"uri": pair.uri, "metrics": ["LAS"], "position": {"line": 7, "character": 3}}
    edit, answer = inserting(editor, asked)
    [change] = edit["documentChanges"]
    assert change["textDocument"] == {"uri": pair.uri, "version": 1}
    [made] = change["edits"]
    assert made["range"]["start"] == made["range"]["end"] == {"line": 5, "character": 0}
    assert answer["applied"] is True
    assert made["newText"] == "".join(f"# {line}\n" for line in answer["text"].splitlines())
    editor.edit(pair.uri, 2, {"range": made["range"], "text": made["newText"]})
    assert len(editor.problems(pair.uri, 2)) == 1
    assert editor.las(pair.uri) == 80


def test_rows_end_as_the_lines_around_them(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred.replace("\n", "\r\n"), 2)
    edit, _ = inserting(editor, {"uri": pair.uri, "metrics": ["LAS"]})
    [made] = edit["documentChanges"][0]["edits"]
    assert made["newText"].count("\n") == made["newText"].count("\r\n") > 0


@pytest.mark.parametrize(("line", "before"), [(None, 0), (3, 0), (4, 0), (5, 5), (99, 5)])
def test_rows_never_part_a_sentence(
    editor: SocketSession, pair: Pair, line: int | None, before: int
) -> None:
    position = None if line is None else {"line": line, "character": 3}
    asked = {"uri": pair.uri, "metrics": ["LAS"], "position": position}
    edit, _ = inserting(editor, asked)
    [made] = edit["documentChanges"][0]["edits"]
    assert made["range"]["start"] == {"line": before, "character": 0}


def test_rows_of_a_text_that_has_changed_meanwhile_go_nowhere(
    editor: SocketSession, pair: Pair
) -> None:
    where = {"line": 5, "character": 0}
    asked = {"uri": pair.uri, **MANY, "position": where}
    params = {"command": "goldlens.insertRows", "arguments": [asked]}
    number = editor.ask("workspace/executeCommand", params)
    editor.edit(pair.uri, 2, replace(0, 0, 0, "# new = 1\n"))
    with pytest.raises(RpcError, match="has changed while the rows were made") as caught:
        editor.answer(number)
    assert caught.value.code == -32803
    assert not editor.has("workspace/applyEdit")


def test_rows_go_into_another_document_as_they_are(editor: SocketSession, pair: Pair) -> None:
    paper = (pair.folder / "paper.tex").as_uri()
    where = {"line": 4, "character": 2}
    asked = {"uri": pair.uri, "format": "latex", "into": paper, "position": where}
    edit, answer = inserting(editor, asked)
    [change] = edit["documentChanges"]
    assert change["textDocument"]["uri"] == paper
    [made] = change["edits"]
    assert made["range"] == {"start": where, "end": where}
    assert made["newText"].rstrip("\n") == answer["text"].rstrip("\n")
    assert "LAS" in made["newText"]


def test_a_refused_edit_is_told(editor: SocketSession, pair: Pair) -> None:
    with pytest.raises(RpcError, match="did not insert the rows: it has changed") as caught:
        inserting(editor, {"uri": pair.uri}, applied=False)
    assert caught.value.code == -32803


def test_who_cannot_edit_gets_the_rows(session: SocketSession, pair: Pair) -> None:
    session.initialize(folder=pair.folder)
    session.open(pair.uri, pair.pred)
    assert "Insert results rows" not in [title for _, title in lenses(session, pair.uri)]
    asked = {"uri": pair.uri, "format": "json", "metrics": ["LAS"]}
    answer = session.command("goldlens.insertRows", asked)
    assert answer["applied"] is False
    assert json.loads(answer["text"])[0]["score"] == 80


def test_tables_have_no_place_for_rows(editor: SocketSession, pair: Pair) -> None:
    (pair.folder / "gold.jsonl").write_text('{"id": "a", "label": "x"}\n')
    classes = (pair.folder / "pred.jsonl").as_uri()
    editor.open(classes, '{"id": "a", "label": "x"}\n')
    with pytest.raises(RpcError, match="give a position, or another document"):
        editor.command("goldlens.insertRows", {"uri": classes})
    bad = {"uri": pair.uri, "position": {"line": "1", "character": 0}}
    with pytest.raises(RpcError, match=r"position\.line to be a whole number") as caught:
        editor.command("goldlens.insertRows", bad)
    assert caught.value.code == -32602


def hints(
    editor: SocketSession, uri: str, first: int = 0, last: int = 99
) -> list[tuple[int, int, str]]:
    """The hints of some lines: line, character and text."""
    where = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
    found = editor.call("textDocument/inlayHint", {**named(uri), "range": where})
    return [
        (hint["position"]["line"], hint["position"]["character"], hint["label"]) for hint in found
    ]


def test_hints_say_what_gold_has(editor: SocketSession, pair: Pair) -> None:
    end = len(pair.pred.split("\n")[3])
    assert hints(editor, pair.uri) == [(3, end, "gold: 2 obj")]
    assert hints(editor, pair.uri, 4, 9) == []
    text = pair.pred.replace("3\ttea\ttea\tNOUN\t_\t_", "3\ttea\tte\tX\tY\tCase=Nom|Number=Sing")
    editor.open(pair.uri, text, 2)
    end = len(text.split("\n")[3])
    said = "gold: 2 obj · NOUN · _ · lemma tea · no Case no Number"
    assert hints(editor, pair.uri) == [(3, end, said)]


def test_heads_are_those_of_the_prediction_also_where_words_are_others(
    editor: SocketSession, pair: Pair
) -> None:
    gold = (
        "1\tI\t_\tPRON\t_\t_\t3\tnsubj\t_\t_\n2-3\tdont\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "2\tdo\t_\tAUX\t_\t_\t4\taux\t_\t_\n3\tnt\t_\tPART\t_\t_\t4\tadvmod\t_\t_\n"
        "4\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n5\t𝄞\t_\tX\t_\t_\t2\tdep\t_\t_\n\n"
    )
    pred = (
        "1\tI\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tdont\t_\tAUX\t_\t_\t3\taux\t_\t_\n"
        "3\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n4\t𝄞\t_\tX\t_\t_\t3\tdep\t_\t_\n\n"
    )
    editor.open(pair.gold_uri, gold)
    editor.open(pair.uri, pred, 2)
    assert [(line, said) for line, _, said in hints(editor, pair.uri)] == [
        (0, "gold: “nt” nsubj"),
        (1, "gold: do + nt"),
        (3, "gold: “do” dep"),
    ]
    # The clef is two units of UTF-16.
    assert hints(editor, pair.uri)[-1][1] == len(pred.split("\n")[3]) + 1


def test_hints_can_be_turned_off(editor: SocketSession, pair: Pair) -> None:
    settings = {"settings": {"goldlens": {"inlayHints": "off"}}}
    editor.send("workspace/didChangeConfiguration", settings)
    assert hints(editor, pair.uri) == []


def test_hints_of_spans_and_classes(editor: SocketSession, pair: Pair) -> None:
    (pair.folder / "gold.iob2").write_text("a\tB-X\nb\tI-X\n\nc\tO\n\n")
    spans = (pair.folder / "pred.iob2").as_uri()
    editor.open(spans, "a\tB-X\nb\tO\n\nc\tB-Y\n\n")
    assert hints(editor, spans) == [(1, 3, "gold: I-X"), (3, 5, "gold: O")]
    (pair.folder / "gold.tsv").write_text("a\tx\nb\ty\n")
    (pair.folder / "goldlens.toml").write_text(
        '[[pair]]\ntask = "classification"\ngold = "gold.tsv"\npred = "pred.tsv"\n'
    )
    classes = (pair.folder / "pred.tsv").as_uri()
    editor.open(classes, "a\tx\nb\tx\n")
    assert hints(editor, classes) == [(1, 3, "gold: y")]


def tokens(editor: SocketSession, uri: str, text: str, answer: Any) -> list[tuple[str, str]]:
    """What is coloured, each text with its type and modifiers."""
    data = answer["data"]
    lines, found, line, column = text.split("\n"), [], 0, 0
    for k in range(0, len(data), 5):
        down, right, length, kind, modifiers = data[k : k + 5]
        column = right if down else column + right
        line += down
        cell = lines[line].encode("utf-16-le")[2 * column : 2 * (column + length)]
        bits = "".join(f" {name}" for n, name in enumerate(MODIFIERS) if modifiers & 1 << n)
        found.append((cell.decode("utf-16-le"), TYPES[kind] + bits))
    return found


def test_tokens_are_columns(editor: SocketSession, pair: Pair) -> None:
    text = pair.pred.replace("3\ttea\ttea\tNOUN\t_\t_", "3\t𝄞\ttea\tNO\t_\tCase=Nom|Bad")
    editor.open(pair.uri, text, 2)
    found = tokens(
        editor, pair.uri, text, editor.call("textDocument/semanticTokens/full", named(pair.uri))
    )
    assert found[:5] == [
        ("sent_id", "commentKey"),
        ("1", "id"),
        ("We", "form"),
        ("we", "lemma"),
        ("PRON", "upos"),
    ]
    at = found.index(("𝄞", "form"))
    assert found[at - 1 : at + 8] == [
        ("3", "id"),
        ("𝄞", "form"),
        ("tea", "lemma"),
        ("NO", "upos wrong"),
        ("Case", "feature"),
        ("Nom", "featureValue"),
        ("Bad", "feature wrong"),
        ("1", "head"),
        ("obj", "deprel"),
    ]


def test_tokens_say_where_gold_differs_and_the_range_alone(
    editor: SocketSession, pair: Pair
) -> None:
    where = {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 5}}
    asked = {**named(pair.uri), "range": where}
    answer = editor.call("textDocument/semanticTokens/range", asked)
    found = tokens(editor, pair.uri, pair.pred, answer)
    assert [cell for cell in found if "differs" in cell[1]] == [("1", "head differs")]
    assert found[0] == ("3", "id") and len(found) == 6


def test_a_delta_makes_what_a_full_answer_has(editor: SocketSession, pair: Pair) -> None:
    has = editor.call("textDocument/semanticTokens/full", named(pair.uri))
    edits = [
        replace(3, 19, 20, "2"),
        replace(0, 0, 0, "# new = 1\n"),
        replace(5, 0, 0, "\n"),
        {"text": ""},
        {"text": pair.gold},
        replace(4, 0, 0, "4\tx\tx\tX\t_\t_\t2\tdep\t_\t_\n"),
        replace(5, 0, 0, ""),
    ]
    for version, edit in enumerate(edits, 2):
        editor.edit(pair.uri, version, edit)
        asked = {**named(pair.uri), "previousResultId": has["resultId"]}
        delta = editor.call("textDocument/semanticTokens/full/delta", asked)
        data = list(has["data"])
        for each in delta["edits"]:
            data[each["start"] : each["start"] + each["deleteCount"]] = each["data"]
        has = editor.call("textDocument/semanticTokens/full", named(pair.uri))
        assert data == has["data"]
        assert delta["resultId"] != has["resultId"]
    unknown = {**named(pair.uri), "previousResultId": "other"}
    answer = editor.call("textDocument/semanticTokens/full/delta", unknown)
    assert answer["data"] == has["data"]


def test_a_change_of_gold_changes_tokens(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.gold_uri, pair.gold)
    has = editor.call("textDocument/semanticTokens/full", named(pair.uri))
    editor.edit(pair.gold_uri, 2, replace(3, 19, 20, "1"))
    asked = {**named(pair.uri), "previousResultId": has["resultId"]}
    [edit] = editor.call("textDocument/semanticTokens/full/delta", asked)["edits"]
    # The first sentence is another one, and nothing else.
    assert edit["start"] == 0 and edit["deleteCount"] == len(edit["data"]) == 5 * 19


def test_tokens_of_spans_and_of_tables(editor: SocketSession, pair: Pair) -> None:
    text = "# sent_id = 1\na\tB-X\nb\tQ\nc\tO\nd\tB-Y\ne\tI-Y\nf\tO\n\n"
    (pair.folder / "gold.iob2").write_text("a\tB-X\nb\tO\nc\tB-Z\nd\tB-Y\ne\tI-Y\nf\tO\n\n")
    spans = (pair.folder / "pred.iob2").as_uri()
    editor.open(spans, text)
    found = editor.call("textDocument/semanticTokens/full", named(spans))
    assert tokens(editor, spans, text, found) == [
        ("a", "form"),
        ("X", "tag"),
        ("b", "form"),
        ("Q", "tag wrong differs"),
        ("c", "form"),
        ("O", "tag differs"),
        ("d", "form"),
        ("Y", "tag"),
        ("e", "form"),
        ("Y", "tag"),
        ("f", "form"),
    ]
    classes = (pair.folder / "pred.jsonl").as_uri()
    editor.open(classes, '{"id": "a", "label": "x"}\n')
    assert editor.call("textDocument/semanticTokens/full", named(classes))["data"] == []


REFRESHES = ["codeLens", "inlayHint", "semanticTokens"]


def refreshes(editor: SocketSession) -> list[Any]:
    return [m for m in editor.log if str(m.get("method")).endswith("/refresh")]


def answer_refreshes(editor: SocketSession) -> None:
    """Waits until the client is asked to ask again for everything, and says yes."""
    for name in REFRESHES:
        method = f"workspace/{name}/refresh"
        asked = editor.expect(lambda m, method=method: m.get("method") == method, method)
        editor.put({"jsonrpc": "2.0", "id": asked["id"], "result": None})


def test_a_client_is_asked_to_ask_again_when_gold_changes_or_it_saves(
    session: SocketSession, pair: Pair
) -> None:
    can = {name: {"refreshSupport": True} for name in REFRESHES}
    session.initialize({"workspace": can}, folder=pair.folder)
    session.open(pair.gold_uri, pair.gold)
    session.open(pair.uri, pair.pred)
    session.edit(pair.uri, 2, replace(3, 19, 20, "2"))
    session.settle()
    assert refreshes(session) == []
    session.edit(pair.gold_uri, 2, replace(3, 19, 20, "1"))
    # Not again and again before the client has answered.
    for version in range(3, 9):
        session.edit(pair.gold_uri, version, replace(3, 19, 20, str(version)))
        session.settle()
    assert len(refreshes(session)) == len(REFRESHES)
    answer_refreshes(session)
    answer_refreshes(session)
    session.save(pair.uri)
    answer_refreshes(session)


def test_who_cannot_ask_again_is_not_asked(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.gold_uri, pair.gold)
    editor.edit(pair.gold_uri, 2, replace(3, 19, 20, "1"))
    editor.save(pair.uri)
    editor.settle()
    assert refreshes(editor) == []


MANY = {"format": "json", "metrics": ["LAS"], "resamples": 1_000_000}


def values(editor: SocketSession, token: object) -> list[Any]:
    return [
        m["params"]["value"]
        for m in editor.log
        if m.get("method") == "$/progress" and m["params"]["token"] == token
    ]


@pytest.mark.parametrize("token", ["t", 7])
def test_the_display_of_a_draw(editor: SocketSession, pair: Pair, token: object) -> None:
    asked = {"uri": pair.uri, **MANY}
    params = {"command": "goldlens.rows", "arguments": [asked], "workDoneToken": token}
    [row] = json.loads(editor.call("workspace/executeCommand", params))
    assert row["score"] == 80
    kinds = [value["kind"] for value in values(editor, token)]
    assert (kinds[0], kinds[-1]) == ("begin", "end")
    assert set(kinds[1:-1]) <= {"report"}
    assert values(editor, token)[0] == {
        "kind": "begin",
        "title": "Making results rows",
        "percentage": 0,
        "cancellable": True,
    }


@pytest.mark.parametrize(
    ("command", "title", "more"),
    [
        ("compare", "Comparing", {"other": "gold.conllu", "resamples": 100}),
        ("receipt", "Making a receipt", {}),
    ],
)
def test_the_display_of_other_commands(
    editor: SocketSession, pair: Pair, command: str, title: str, more: dict[str, object]
) -> None:
    asked = {"uri": pair.uri, **more}
    params = {"command": f"goldlens.{command}", "arguments": [asked], "workDoneToken": "t"}
    assert editor.call("workspace/executeCommand", params)
    told = values(editor, "t")
    assert [told[0]["kind"], told[-1]["kind"]] == ["begin", "end"]
    assert told[0]["title"] == title


@pytest.mark.parametrize("how", ["request", "display"])
def test_a_draw_that_is_cancelled_frees_the_way_for_others(
    editor: SocketSession, pair: Pair, how: str
) -> None:
    params: dict[str, Any] = {
        "command": "goldlens.rows",
        "arguments": [{"uri": pair.uri, **MANY}],
        "workDoneToken": "t",
    }
    number = editor.ask("workspace/executeCommand", params)
    editor.notification("$/progress")
    if how == "request":
        editor.send("$/cancelRequest", {"id": number})
    else:
        editor.send("window/workDoneProgress/cancel", {"token": "t"})
    with pytest.raises(RpcError, match="cancelled") as caught:
        editor.answer(number)
    assert caught.value.code == -32800
    assert values(editor, "t")[-1]["kind"] == "end"
    few = {"uri": pair.uri, "format": "json", "metrics": ["LAS"], "resamples": 100}
    assert json.loads(editor.command("goldlens.rows", few))[0]["score"] == 80
