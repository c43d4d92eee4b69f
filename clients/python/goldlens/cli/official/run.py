"""The official script run on the sentences that were compared, and ours on the same texts."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO

from goldlens.cli.official.beside import Beside, Garbage, beside, read
from goldlens.cli.official.options import Script
from goldlens.cli.official.process import Failed, run
from goldlens.scoring.counts import Count
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.evaluate import Evaluation, Options, evaluate
from goldlens.scoring.ud.official.handing import Handed, deepest, handed
from goldlens.scoring.ud.score import figures


@dataclass(frozen=True, slots=True)
class Official:
    """What came of the script: the texts that it was given, and its figures beside ours.

    `found` is our evaluation of the files as they stand; `failed` says why there are no figures
    of the script.
    """

    script: Script
    found: Evaluation
    handed: Handed
    beside: Beside | None
    failed: str = ""


def officially(script: Script, gold: bytes, pred: bytes, found: Evaluation) -> Official:
    """Runs the script on the sentences that `found` compares in two files."""
    texts = handed(gold, pred, found)
    if found.sentences and not texts.sentences[0]:
        return Official(script, found, texts, None, "no sentence is compared: nothing to run it on")
    try:
        with _waiting(script):
            told = read(run(script.data, *texts.texts, script.seconds))
        both = beside(_ours(texts, found), told)
    except Failed as error:
        return Official(script, found, texts, None, _why(error, texts))
    except Garbage as error:
        return Official(script, found, texts, None, str(error))
    except OSError as error:
        return Official(script, found, texts, None, f"it cannot be run: {error.strerror or error}")
    if not both.ours:
        return Official(script, found, texts, None, "it tells none of the metrics")
    return Official(script, found, texts, both)


def _ours(texts: Handed, found: Evaluation) -> Mapping[str, Count | None]:
    """Our figures of the very texts that the script was given."""
    gold, pred = map(BytesIO, texts.texts)
    counted = evaluate(gold, pred, Options(match="stream")).total
    ours = figures(counted, tagging=found.tagging, strict=False)
    return {name: ours[name] for name in metrics.OFFICIAL}


def _why(error: Failed, texts: Handed) -> str:
    chain = deepest(texts) if error.recursion else None
    if chain is None:
        return str(error)
    return (
        f"it calls itself for each head on the way to a root, and Python allows about a thousand; "
        f"the sentence of {chain.side} at line {chain.line} has a chain of {chain.depth:,}; this "
        "is a limit of the script, and our own figures have none"
    )


@contextmanager
def _waiting(script: Script) -> Iterator[None]:
    """Says on a terminal that the script is at work."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    text = f"The official script is at work (at most {script.seconds:g} seconds)"
    with Console(stderr=True).status(text):
        yield
