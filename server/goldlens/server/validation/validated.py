"""What is known of a document from its validator, sentence by sentence.

Findings are kept by the text of the sentence: an edit elsewhere moves them, and one in it takes
them away until the sentence is validated again. So only what has changed is sent.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from goldlens.scoring.conllu.blocks import with_lf
from goldlens.server.engine.document import Document
from goldlens.server.validation.findings import WHOLE_FILE, Finding, read

# A row with a feature.
_FEATURE: Final = re.compile(rb"^[0-9][^\t\n]*(?:\t[^\t\n]*){4}\t[^\t\n]*=", re.M)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be validated: sentences, and whether these are the whole file.

    `witness`: a sentence that is known already goes in front of them, since features are missed
    only in files that have any.
    """

    sentences: tuple[bytes, ...]
    whole: bool
    witness: bytes = b""

    @property
    def text(self) -> bytes:
        """The text for the validator, with LF for every line end.

        It has a finding in every line that ends otherwise, and of some ends it finds no rows at
        all. How lines end is a problem of ours, told once.
        """
        return with_lf(self.witness + b"".join(self.sentences))

    @property
    def excluded(self) -> tuple[str, ...]:
        """Tests that make no sense of a part of a file."""
        return () if self.whole else WHOLE_FILE


class Validated:
    """The findings of one document. `revision` is another number whenever they are others."""

    def __init__(self) -> None:
        self.revision = 0
        self._featured = False
        self._known: dict[bytes, tuple[Finding, ...]] | None = None
        self._some = False

    def plan(self, document: Document) -> Plan | None:
        """What has to be validated now; None if there is nothing."""
        every = [text for _, text in _sentences(document)]
        witness = next((text for text in every if _FEATURE.search(text)), b"")
        known = self._known
        if known is None or bool(witness) != self._featured:
            # The first features of a file make the validator miss them in all other sentences.
            return Plan(tuple(every), True) if every else None
        new = tuple(dict.fromkeys(text for text in every if text not in known))
        self._known = {text: known[text] for text in every if text in known}
        if not new:
            return None
        return Plan(new, False, b"" if witness in new else witness)

    def take(self, plan: Plan, output: str) -> None:
        """Takes in what the validator said of what was planned."""
        if plan.whole or self._known is None:
            self._known = {}
            self._featured = any(map(_FEATURE.search, plan.sentences))
        known = self._known
        texts = (plan.witness, *plan.sentences) if plan.witness else plan.sentences
        ends = list(accumulate(map(_lines, texts)))
        # Sentences that are the same have the findings of all of them.
        found: dict[bytes, dict[Finding, None]] = {text: {} for text in plan.sentences}
        for finding in read(output):
            at = min(bisect_right(ends, finding.line), len(texts) - 1)
            first = ends[at - 1] if at else 0
            if texts[at] in found:
                found[texts[at]][finding._replace(line=finding.line - first)] = None
        known.update({text: tuple(findings) for text, findings in found.items()})
        self._some = any(known.values())
        self.revision += 1

    def placed(self, document: Document) -> Iterator[tuple[int, Finding]]:
        """The findings of a text as it is now, each with its line."""
        known = self._known
        if known is None or not self._some:
            return
        for line, text in _sentences(document):
            for finding in known.get(text, ()):
                yield line + finding.line, finding


def _sentences(document: Document) -> Iterator[tuple[int, bytes]]:
    """Where each sentence begins and its text; what hangs together is one."""
    units: Any = document.units
    start, texts = 0, list[bytes]()
    for unit, line in zip(units, document.line_starts.tolist(), strict=False):
        if not unit.glued:
            if texts:
                yield start, texts[0] if len(texts) == 1 else b"".join(texts)
            start, texts = line, []
        texts.append(unit.text)
    if texts:
        yield start, texts[0] if len(texts) == 1 else b"".join(texts)


def _lines(text: bytes) -> int:
    """How many lines a text has, as the validator counts them."""
    ends = text.count(b"\n") + text.count(b"\r") - text.count(b"\r\n")
    return ends + (not text.endswith((b"\n", b"\r")))
