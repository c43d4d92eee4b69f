"""What is published of a prediction: rows, comparisons, analyses, reports, receipts.

What takes long is made in two steps: first, in turn with edits, what is needed of the prediction as
it is now; then, in any thread, the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from goldlens.scoring.analysis.analysis import Question
from goldlens.scoring.bootstrap import Resampling, Told
from goldlens.scoring.task import PRED, Incomparable
from goldlens.server import config as configuration
from goldlens.server.analyzing import document_of
from goldlens.server.asked import WorkspaceError, as_workspace_errors
from goldlens.server.buffers import OpenDocument
from goldlens.server.desk import Desk
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.results import comparison_of, receipt_of, rows_of
from goldlens.server.sources import Unreadable, path_of, read

T = TypeVar("T")


class Publishing:
    """The predictions of a desk, as far as results are made of them."""

    def __init__(self, desk: Desk, found: Callable[[str], OpenDocument]) -> None:
        """`found`: the document of a URI, open or on disk; it raises WorkspaceError."""
        self._desk, self._found = desk, found

    def rows_later(
        self, uri: str, format: str, metrics: Sequence[str] | None = None, **fields: Any
    ) -> Callable[[Told], str]:
        """What makes results rows of a prediction as it is now, whatever becomes of it meanwhile.

        They are text (see `results`). It may run in any thread, and tells how the draw gets on.
        Both raise WorkspaceError.
        """
        entry, digest = self._faced(uri)
        with as_workspace_errors():
            return _later(
                rows_of(
                    entry, digest, format, metrics, fields, lambda path: self._beside(entry, path)
                )
            )

    def compare_later(
        self, uri: str, other: str, metrics: Sequence[str] | None = None, **fields: Any
    ) -> Callable[[Told], list[dict[str, Any]]]:
        """What compares a prediction as it is now with another of its gold, like `rows_later`.

        Both raise WorkspaceError.
        """
        entry, _ = self._faced(uri)
        with as_workspace_errors():
            return _later(comparison_of(entry, self._beside(entry, other), metrics, fields))

    def analyze_later(self, uri: str, question: Question) -> Callable[[Told], dict[str, object]]:
        """What analyses a prediction as it is now, like `rows_later`. Both raise WorkspaceError."""
        pair, gold, pred = self._said(uri)
        return _later(document_of(pair, gold, pred, question))

    def report_later(self, uri: str, resampling: Resampling) -> Callable[[Told], str]:
        """What makes the report of a prediction as it is now. Both raise WorkspaceError."""
        # Not sooner: few ask for one.
        from goldlens.server.report.making import page_of

        pair, gold, pred = self._said(uri)
        return _later(page_of(pair, gold, pred, resampling))

    def receipt(self, uri: str, **fields: Any) -> dict[str, object]:
        """The receipt of a prediction's evaluation (see `results`). Raises WorkspaceError."""
        entry, digest = self._faced(uri)
        with as_workspace_errors():
            return receipt_of(entry, digest, fields)

    def _faced(self, uri: str) -> tuple[OpenDocument, str]:
        """A document that faces gold, and the SHA-256 of that. Raises WorkspaceError."""
        entry = self._found(uri)
        if entry.pair is None or entry.facing is None:
            raise WorkspaceError("this file has no gold; name one with goldlens.setGold")
        return entry, self._desk.gold_digest(entry, whole=True)

    def _said(self, uri: str) -> tuple[Pair, dict[str, object], dict[str, object]]:
        """The pair of a document, and what to say of its two files. Raises WorkspaceError."""
        entry, digest = self._faced(uri)
        assert entry.pair is not None and entry.facing is not None
        gold: dict[str, object] = {"path": str(entry.facing.gold), "sha256": digest}
        path = str(entry.path or entry.uri)
        pred: dict[str, object] = {"path": path, "sha256": entry.sha256(whole=True)}
        return entry.pair, gold, pred

    def _beside(self, entry: OpenDocument, other: str) -> Pair:
        """Another prediction, held against the gold of a document. Raises WorkspaceError.

        `other` is a file URI or a path; a path is relative to the configuration's folder, or else
        to that of the document.
        """
        assert entry.pair is not None and entry.facing is not None
        path = path_of(other)
        if path is None:
            raise WorkspaceError(f"the other prediction must be a path or a file URI: {other!r}")
        if not path.is_absolute() and entry.path is not None:
            config = self._desk.config(entry.path)
            by_config = entry.facing.rule == "config" and config is not None
            path = (config.folder if by_config and config else entry.path.parent) / path
        path = configuration.lexical(path)
        opened = self._desk.documents.get(str(path))
        try:
            data = opened.buffer.text() if opened else read(path)
            pair = entry.pair
            document = Document(pair.task.format(PRED), data, checks=False)
            return Pair(pair.task, pair.gold, document, pair.match)
        except (Unreadable, Incomparable) as error:
            raise WorkspaceError(f"{path}: {error}") from error


def _later(job: Callable[[Told], T]) -> Callable[[Told], T]:
    def later(told: Told) -> T:
        with as_workspace_errors():
            return job(told)

    return later
