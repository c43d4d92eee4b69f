"""Helix, as far as that goes without it: its file has keys that Helix knows, and a client with its
capabilities is served by the command that the file names.

What Helix knows and says is as of its sources: helix-core/src/syntax/config.rs (which refuses a
language with an unknown key) and helix-lsp/src/client.rs.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.conftest import Pair
from tests.lsp.session import StdioSession

ROOT = Path(__file__).resolve().parents[2]
CONFIG = tomllib.loads((ROOT / "clients/helix/languages.toml").read_text("utf-8"))

LANGUAGE_KEYS = frozenset(
    (
        "name", "language-id", "scope", "file-types", "shebangs", "roots", "comment-token",
        "comment-tokens", "block-comment-tokens", "text-width", "soft-wrap", "auto-format",
        "formatter", "path-completion", "word-completion", "diagnostic-severity", "grammar",
        "injection-regex", "language-servers", "indent", "debugger", "auto-pairs", "rulers",
        "workspace-lsp-roots", "persistent-diagnostic-sources", "rainbow-brackets",
    )
)  # fmt: skip
SERVER_KEYS = frozenset(
    ("command", "args", "environment", "config", "timeout", "required-root-patterns")
)

CAPABILITIES: dict[str, Any] = {
    "workspace": {
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": False},
        "workspaceFolders": True,
        "applyEdit": True,
        "symbol": {"dynamicRegistration": False},
        "executeCommand": {"dynamicRegistration": False},
        "inlayHint": {"refreshSupport": False},
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
            "failureHandling": "abort",
            "normalizesLineEndings": False,
        },
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": False},
        "fileOperations": {"willRename": True, "didRename": True},
    },
    "textDocument": {
        "completion": {
            "completionItem": {
                "snippetSupport": True,
                "resolveSupport": {"properties": ["documentation", "detail"]},
                "insertReplaceSupport": True,
                "deprecatedSupport": True,
                "tagSupport": {"valueSet": [1]},
            },
            "completionItemKind": {},
        },
        "hover": {"contentFormat": ["markdown"]},
        "signatureHelp": {
            "signatureInformation": {
                "documentationFormat": ["markdown"],
                "parameterInformation": {"labelOffsetSupport": True},
                "activeParameterSupport": True,
            }
        },
        "rename": {"dynamicRegistration": False, "prepareSupport": True},
        "formatting": {"dynamicRegistration": False},
        "codeAction": {
            "codeActionLiteralSupport": {
                "codeActionKind": {
                    "valueSet": ["", "quickfix", "refactor", "refactor.rewrite", "source"]
                }
            },
            "isPreferredSupport": True,
            "disabledSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit", "command"]},
        },
        "publishDiagnostics": {"versionSupport": True, "tagSupport": {"valueSet": [1, 2]}},
        "inlayHint": {"dynamicRegistration": False},
    },
    "window": {"workDoneProgress": True},
    "general": {"positionEncodings": ["utf-8", "utf-32", "utf-16"]},
}


def test_helix_knows_every_key() -> None:
    assert CONFIG.keys() <= {"language", "language-server", "grammar", "use-grammars"}
    for language in CONFIG["language"]:
        assert language.keys() <= LANGUAGE_KEYS
        assert language.keys() >= {"name", "scope", "file-types"}
        assert language["indent"].keys() == {"tab-width", "unit"}
        # What a language names is there.
        assert set(language["language-servers"]) <= CONFIG["language-server"].keys()
    for server in CONFIG["language-server"].values():
        assert server.keys() <= SERVER_KEYS


@pytest.fixture
def editor(start: Callable[..., StdioSession], pair: Pair) -> StdioSession:
    """The command of the file, started from where Python's own commands are, and greeted."""
    server = CONFIG["language-server"]["goldlens"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    command = [server["command"], *server["args"]]
    session = start(command=command, env={"PATH": path, "XDG_RUNTIME_DIR": str(pair.folder)})
    folders = [{"uri": pair.folder.as_uri(), "name": pair.folder.name}]
    told = session.initialize(
        CAPABILITIES,
        folder=pair.folder,
        rootPath=str(pair.folder),
        workspaceFolders=folders,
        clientInfo={"name": "helix", "version": "25.07"},
    )
    assert told["capabilities"]["positionEncoding"] == "utf-8"
    return session


def test_what_helix_asks_is_answered(editor: StdioSession, pair: Pair) -> None:
    language = CONFIG["language"][0]["name"]
    document = {"uri": pair.uri, "languageId": language, "version": 0, "text": pair.pred}
    editor.send("textDocument/didOpen", {"textDocument": document})
    [problem] = editor.problems(pair.uri, 0)
    about: dict[str, Any] = {"textDocument": {"uri": pair.uri}}
    at = {**about, "position": problem["range"]["start"]}
    assert "**tea**" in editor.call("textDocument/hover", at)["contents"]["value"]
    [definition] = _listed(editor.call("textDocument/definition", at))
    assert definition["range"]["start"]["line"] == 1
    assert editor.call("textDocument/completion", at)["items"][0]["label"] == "2 → like"
    assert editor.call("textDocument/signatureHelp", at)["activeParameter"] == 6
    assert len(editor.call("textDocument/documentSymbol", about)) == 2
    assert editor.call("workspace/symbol", {"query": "s2"})
    screen = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    [hint] = editor.call("textDocument/inlayHint", {**about, "range": screen})
    assert hint["label"] == "gold: 2 obj"
    context = {"diagnostics": [problem], "triggerKind": 1}
    [first, *_] = editor.call(
        "textDocument/codeAction", {**about, "range": problem["range"], "context": context}
    )
    [change] = first["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": pair.uri, "version": 0}
    [edit] = change["edits"]
    editor.send(
        "textDocument/didChange",
        {
            "textDocument": {"uri": pair.uri, "version": 1},
            "contentChanges": [{"range": edit["range"], "text": edit["newText"]}],
        },
    )
    assert editor.problems(pair.uri, 1) == []
    assert editor.leave() == 0


def _listed(found: Any) -> list[Any]:
    return found if isinstance(found, list) else [found]
