"""From initialize to shutdown."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.server.arguments import table, text
from goldlens.server.lsp import actions, completion, executing, renaming, tokens
from goldlens.server.lsp.client import Client
from goldlens.server.lsp.protocol import Stage
from goldlens.server.lsp.sync import configure, folders
from goldlens.server.sources import path_of, uri_of

if TYPE_CHECKING:
    from pathlib import Path

    from goldlens.server.lsp.server import GoldlensServer

NAME: Final = "goldlens"

WATCHED: Final = ("**/goldlens.toml", "**/pyproject.toml", "**/*.{conllu,iob2,bio,tsv,jsonl}")
"""The files whose changes matter to any document."""


def initialize(ls: GoldlensServer, params: Any) -> types.InitializeResult:
    """Learns who the client is, and says what the server can do.

    Raises WrongCall where there is no telling what was meant.
    """
    given = table(params, "params")
    capabilities = given.get("capabilities")
    ls.client = Client.of({} if capabilities is None else table(capabilities, "capabilities"))
    ls.folders = _folders(given)
    roots: list[Path] = [path for uri in ls.folders if (path := path_of(uri)) is not None]
    ls.workspace.set_folders(roots)
    options = given.get("initializationOptions")
    if options is not None:
        configure(ls, options)
    process = given.get("processId")
    if type(process) is int and process > 0:
        ls.on_parent(process)
    ls.protocol.stage = Stage.RUNNING
    return types.InitializeResult(
        capabilities=_capabilities(ls.client),
        server_info=types.ServerInfo(name=NAME, version=version(NAME)),
    )


def _folders(params: Mapping[str, Any]) -> list[str]:
    """The workspace's folders: what has replaced what, newest first."""
    if params.get("workspaceFolders"):
        return folders(params["workspaceFolders"])
    if params.get("rootUri"):
        return [text(params["rootUri"], "rootUri")]
    if params.get("rootPath"):
        root = path_of(text(params["rootPath"], "rootPath"))
        return [uri_of(root)] if root is not None else []
    return []


def _capabilities(client: Client) -> types.ServerCapabilities:
    pull = types.DiagnosticOptions(
        identifier=NAME, inter_file_dependencies=True, workspace_diagnostics=True
    )
    return types.ServerCapabilities(
        position_encoding=client.encoding.value,
        text_document_sync=types.TextDocumentSyncOptions(
            open_close=True,
            change=types.TextDocumentSyncKind.Incremental,
            save=types.SaveOptions(include_text=False),
        ),
        # Announced to those alone who can pull: what is pulled is never pushed too.
        diagnostic_provider=pull if client.pulls else None,
        hover_provider=True,
        definition_provider=True,
        declaration_provider=True,
        references_provider=True,
        document_highlight_provider=True,
        call_hierarchy_provider=True,
        document_symbol_provider=True,
        workspace_symbol_provider=True,
        folding_range_provider=True,
        selection_range_provider=True,
        document_link_provider=types.DocumentLinkOptions(resolve_provider=False),
        code_lens_provider=types.CodeLensOptions(resolve_provider=True),
        semantic_tokens_provider=tokens.PROVIDER,
        rename_provider=renaming.PROVIDER if client.prepares else True,
        completion_provider=completion.PROVIDER,
        signature_help_provider=completion.SIGNATURES,
        code_action_provider=actions.PROVIDER if client.literals else None,
        inlay_hint_provider=types.InlayHintOptions(resolve_provider=False),
        execute_command_provider=types.ExecuteCommandOptions(
            commands=list(executing.COMMANDS), work_done_progress=True
        ),
        workspace=types.WorkspaceOptions(
            workspace_folders=types.WorkspaceFoldersServerCapabilities(
                supported=True, change_notifications=True
            )
        ),
    )


def initialized(ls: GoldlensServer, params: Any) -> None:
    """Begins to watch files, and asks the client to do so too, if it can."""
    ls.shared.watch(ls)
    ls.turns.do(ls.everywhere.refresh)
    if not ls.client.watches:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions(
        watchers=[types.FileSystemWatcher(glob_pattern=pattern) for pattern in WATCHED]
    )
    registration = types.Registration(
        id="goldlens-files",
        method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        register_options=options,
    )
    ls.protocol.send_request(
        types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams(registrations=[registration])
    )


def shutdown(ls: GoldlensServer, params: Any) -> None:
    """Shows what is still to be shown, if that takes no time, and nothing after it."""
    ls.shared.unwatch(ls)
    ls.everywhere.end()
    ls.validation.end()
    ls.publisher.flush()
    ls.protocol.stage = Stage.DOWN


def nothing(ls: GoldlensServer, params: Any) -> None:
    """What is asked though it was not announced, or told though it does not matter: null."""


FEATURES: Final = {
    types.INITIALIZE: initialize,
    types.INITIALIZED: initialized,
    types.SHUTDOWN: shutdown,
    types.SET_TRACE: nothing,
}
"""Each method and what handles it."""
