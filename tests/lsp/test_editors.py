"""With the abilities of real editors, as pytest-lsp has recorded them."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import (
    ClientServerConfig,
    LanguageClient,
    client_capabilities,
    make_test_lsp_client,
)

from tests.lsp.conftest import GOLD

EDITORS = {"neovim": "utf-8", "visual_studio_code": "utf-16", "emacs": "utf-32"}
PRED = GOLD.replace("tea\ttea\tNOUN\t_\t_\t2", "😀\ttea\tNOUN\t_\t_\t1")


def make_client() -> LanguageClient:
    client = make_test_lsp_client()
    client.registered = []  # type: ignore[attr-defined]

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        client.registered += params.registrations  # type: ignore[attr-defined]

    return client


@pytest_lsp.fixture(
    config=ClientServerConfig(
        server_command=[sys.executable, "-m", "goldlens.server.lsp"], client_factory=make_client
    ),
    params=list(EDITORS),
    scope="module",
)
async def client(lsp_client: LanguageClient, request: pytest.FixtureRequest) -> AsyncIterator[None]:
    lsp_client.editor = request.param  # type: ignore[attr-defined]
    params = types.InitializeParams(capabilities=client_capabilities(request.param))
    lsp_client.found = await lsp_client.initialize_session(params)  # type: ignore[attr-defined]
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio(loop_scope="module")
async def test_the_encoding_it_wants(client: LanguageClient) -> None:
    found: types.InitializeResult = client.found  # type: ignore[attr-defined]
    editor: str = client.editor  # type: ignore[attr-defined]
    assert found.capabilities.position_encoding == EDITORS[editor]


async def problems_of(client: LanguageClient, uri: str) -> list[types.Diagnostic]:
    """By whichever way this editor gets them."""
    assert client.capabilities is not None
    document = client.capabilities.text_document
    if document is not None and document.diagnostic is not None:
        asked = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
        report = await client.text_document_diagnostic_async(asked)
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        assert uri not in client.diagnostics
        return list(report.items)
    while uri not in client.diagnostics:
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return list(client.diagnostics.pop(uri))


@pytest.mark.asyncio(loop_scope="module")
async def test_open_edit_close(client: LanguageClient, tmp_path: Path) -> None:
    gold = GOLD.replace("tea\ttea", "😀\ttea")
    (tmp_path / "gold.conllu").write_text(gold, "utf-8", newline="\n")
    uri = (tmp_path / "pred.conllu").as_uri()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "conllu", 1, PRED))
    )
    [found] = await problems_of(client, uri)
    width = {"utf-8": 4, "utf-16": 2, "utf-32": 1}[EDITORS[client.editor]]  # type: ignore[attr-defined]
    column = 16 + width
    assert found.range.start == types.Position(3, column)
    assert (found.code, found.source) == ("las-error", "goldlens")
    where = types.Range(types.Position(3, column), types.Position(3, column + 1))
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(2, uri),
            [types.TextDocumentContentChangePartial(range=where, text="2")],
        )
    )
    assert await problems_of(client, uri) == []
    command = types.ExecuteCommandParams("goldlens.score", [{"uri": uri}])
    board = await client.workspace_execute_command_async(command)
    assert board["metrics"]["LAS"]["f1"] == 100
    client.text_document_did_close(
        types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
    )
    assert await problems_of(client, uri) == []
    assert client.error is None
