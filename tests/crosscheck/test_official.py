"""The pinned script beside ours: no figure differs, and everything it refuses is listed.

Needs the script: GOLDLENS_OFFICIAL names it. GOLDLENS_EXAMPLES says how many generated pairs.
"""

from __future__ import annotations

import importlib.util
import io
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from goldlens.cli.main import goldlens
from goldlens.cli.official.options import pinned, script_of
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.evaluate import Evaluation, Options, evaluate
from goldlens.scoring.ud.official.handing import Handed, handed
from tests.crosscheck.test_oracles import SYSTEMS, names, offending_sentences
from tests.strategies import Dice, TextPair, dice, pairs, texts

EXAMPLES = int(os.environ.get("GOLDLENS_EXAMPLES", "500"))

many = settings(
    max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def path() -> str:
    """Where the pinned script is."""
    named = os.environ.get("GOLDLENS_OFFICIAL")
    if not named:
        pytest.skip("set GOLDLENS_OFFICIAL to the pinned conll18_ud_eval.py to compare with it")
    found = script_of(named, False, None)
    assert found is not None and found.sha256 == pinned()
    return named


@pytest.fixture(scope="module")
def script(path: str) -> ModuleType:
    """The script, loaded into this process."""
    spec = importlib.util.spec_from_file_location("conll18_ud_eval", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# Whole files, from the command line, in a process of its own.

PREDICTIONS = [f"{name}.conllu" for name in (
    *(f"{fold}.p{k}" for fold in (
        "cop_scriptorium", "cs_cac", "en_ewt", "fi_tdt", "fr_gsd", "he_htb", "tr_imst", "vi_vtb",
        "zh_gsd") for k in (1, 2, 3)),
    "cs_cac.e1", "en_ewt.e1",
)]  # fmt: skip


def run(path: str, gold: Path, pred: Path, *flags: str) -> dict[str, Any]:
    """What `goldlens score --official --json` says of a pair whose figures must agree."""
    call = ["score", str(gold), str(pred), "--official", path, "--json", *flags]
    result = CliRunner().invoke(goldlens, call)
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    official: dict[str, Any] = found["official"]
    assert official["failed"] is None
    assert official["differences"] == []
    assert list(official["metrics"]) == list(metrics.OFFICIAL)
    for name, ours in official["ours"].items():
        assert official["metrics"][name] == pytest.approx(ours, abs=5e-5), name
    return found


def is_listed(found: Mapping[str, Any], gold: Path, pred: Path) -> None:
    """Each cause for which the script would refuse the pair has been told of, with a repair."""
    match = found["signature"].partition("match:")[2].partition("|")[0]
    with gold.open("rb") as theirs, pred.open("rb") as ours:
        causes = evaluate(theirs, ours, Options(match, "lenient")).causes
    refused = [(c.side, c.sent_id, c.line, c.code) for c in causes if c.script]
    keys = ("side", "sent_id", "line", "code")
    listed = [tuple(each[key] for key in keys) for each in found["official"]["repaired"]]
    assert sorted(listed, key=str) == sorted(refused, key=str)
    assert {tuple(each[key] for key in keys) for each in found["would_refuse"]} >= set(listed)
    assert all(each["repair"] for each in found["official"]["repaired"])


def test_the_list_of_predictions_has_all_there_are(shared: Path) -> None:
    found = {p.name for p in (shared / "data" / "ud").glob("*.conllu")}
    assert {name for name in found if ".gold." not in name} == set(PREDICTIONS)


@pytest.mark.parametrize("name", PREDICTIONS)
def test_predictions_made_from_gold(name: str, path: str, shared: Path) -> None:
    folder = shared / "data" / "ud"
    gold = folder / f"{name.partition('.')[0]}.gold.conllu"
    found = run(path, gold, folder / name)
    assert found["official"]["repaired"] == []
    # Nothing was left out or repaired, so that both were run on what the first table is about.
    assert found["official"]["ours"] == {k: found["metrics"][k] for k in metrics.OFFICIAL}


@pytest.mark.parametrize("name", names(SYSTEMS))
def test_outputs_of_real_systems(name: str, path: str, shared: Path) -> None:
    folder = shared / "data" / "ud" / "systems"
    gold, pred = folder / "gold" / SYSTEMS[name]["gold"], folder / name
    found = run(path, gold, pred)
    is_listed(found, gold, pred)
    trees = {each["line"] for each in found["official"]["repaired"] if each["tree"]}
    offending = list(offending_sentences(pred.read_text("utf-8")))
    assert bool(offending) == ("refused" in SYSTEMS[name])
    named = {next((s for s in offending if s[0] <= line <= s[1]), line) for line in trees}
    assert named == set(offending)


def test_the_cases(path: str, shared: Path) -> None:
    """Those of two files that are text; cases that are refused by themselves have exit status 2."""
    tried = 0
    for gold, pred in pairs_of_cases(shared / "cases"):
        call = ["score", str(gold), str(pred), "--task", "ud", "--official", path, "--json"]
        result = CliRunner().invoke(goldlens, call)
        if result.exit_code == 2:
            assert "error[encoding]" in result.stderr, (gold, result.stderr)
            continue
        found = json.loads(result.stdout)
        is_listed(found, gold, pred)
        tried += 1
        official = found["official"]
        if official["failed"]:
            assert "no sentence is compared" in official["failed"], (gold, official["failed"])
            assert found["covered"]["compared"] == 0
        else:
            assert (result.exit_code, official["differences"]) == (0, []), gold
    assert tried > 15


def pairs_of_cases(folder: Path) -> Iterator[tuple[Path, Path]]:
    for gold in sorted(folder.rglob("*gold*.conllu")):
        for pred in sorted(gold.parent.rglob("*pred*.conllu")):
            yield gold, pred


@pytest.mark.parametrize("flags", [("--match", "sent_id"), ("--predicted-only",)])
def test_sentences_that_are_left_out(
    flags: tuple[str, ...], path: str, shared: Path, tmp_path: Path
) -> None:
    folder = shared / "data" / "ud"
    pred = tmp_path / "pred.conllu"
    blocks = (folder / "fr_gsd.gold.conllu").read_bytes().split(b"\n\n")[:-1]
    pred.write_bytes(b"".join(block + b"\n\n" for k, block in enumerate(blocks) if k % 3))
    found = run(path, folder / "fr_gsd.gold.conllu", pred, *flags)
    kept = sum(bool(k % 3) for k in range(len(blocks)))
    assert found["official"]["compared"] == {"gold": kept, "pred": kept}
    assert found["official"]["metrics"]["Sentences"]["f1"] == 100


# Generated pairs: what the script is given it accepts, and counts as we do.


def compared(script: ModuleType, pair: TextPair, options: Options) -> tuple[Evaluation, Handed]:
    gold, pred = pair.gold.encode(), pair.pred.encode()
    found = evaluate(io.BytesIO(gold), io.BytesIO(pred), options)
    texts = handed(gold, pred, found)
    loaded = [script.load_conllu(io.StringIO(text.decode(), newline=None)) for text in texts.texts]
    assert tuple(len(side.sentences) for side in loaded) == tuple(map(len, texts.sentences))
    ours = evaluate(*map(io.BytesIO, texts.texts), Options(match="stream"))
    assert ours.causes == []
    for name, score in script.evaluate(*loaded).items():
        count = metrics.METRICS[name].count(ours.total)
        counts = (score.correct, score.gold_total, score.system_total, score.aligned_total)
        assert (count.correct, count.gold, count.predicted, count.aligned) == counts, name
    if not any(repair.tree for repair in texts.repairs) and len(
        texts.sentences[0]
    ) == found.sentences == len(texts.sentences[1]):
        event("nothing repaired or left out")
    causes = [(c.side, c.sent_id, c.line, c.column, c.code) for c in found.causes if c.script]
    told = [(r.side, r.sent_id, r.line, r.column, r.code) for r in texts.repairs]
    assert sorted(causes, key=str) == sorted(told, key=str)
    return found, texts


def refused(script: ModuleType, text: str) -> bool:
    try:
        script.load_conllu(io.StringIO(text, newline=None))
    except (script.UDError, ValueError):  # inside multiword tokens it does not look at heads
        return True
    return False


HEADS = ("0", "1", "2", "3", "_", "9", "x", "-1")


@st.composite
def broken(draw: st.DrawFn) -> TextPair:
    """Pairs of one stream, with other heads here and there, on either side."""
    pair, throws = draw(pairs()), draw(dice(60))
    return TextPair(_broken(pair.gold, throws), _broken(pair.pred, throws))


def _broken(text: str, throws: Dice) -> str:
    rows = [line.split("\t") for line in text.split("\n")]
    for row in rows:
        if len(row) == 10 and row[0].isdecimal() and throws.hits(1, 4):
            row[6] = throws.pick(HEADS)
    return "\n".join("\t".join(row) for row in rows)


@many
@given(pair=broken())
def test_broken_trees(script: ModuleType, pair: TextPair) -> None:
    found, texts = compared(script, pair, Options(policy="lenient"))
    assert len(texts.sentences[0]) == found.sentences
    for side, text, mended in zip(
        ("gold", "pred"), (pair.gold, pair.pred), texts.mended, strict=True
    ):
        listed = any(repair.side == side for repair in texts.repairs)
        assert refused(script, text) == listed == (mended > 0)
        event(f"{min(mended, 3)} trees of {side}")
    if texts.mended == (0, 0):
        totals = evaluate(*map(io.BytesIO, texts.texts), Options()).total.tolist()
        # DEPS and the words in empty nodes are no concern of the script.
        assert totals == found.total.tolist()


OPTIONS = st.builds(
    Options,
    st.sampled_from(("auto", "stream", "sent_id")),
    st.just("lenient"),
    st.just(False),
    st.sampled_from(("", "", "predicted", "annotated")),
)


@many
@given(pair=st.builds(TextPair, texts(), texts()), options=OPTIONS)
def test_any_texts(script: ModuleType, pair: TextPair, options: Options) -> None:
    _, found = compared(script, pair, options)
    event(f"{min(len(found.sentences[0]), 3)} sentences compared")


@many
@given(text=texts(), throws=dice(40), options=OPTIONS)
@example(text="", throws=Dice(b""), options=Options(policy="lenient"))
def test_a_text_and_the_same_with_other_heads(
    script: ModuleType, text: str, throws: Dice, options: Options
) -> None:
    _, found = compared(script, TextPair(text, _broken(text, throws)), options)
    event(f"{min(len(found.sentences[0]), 3)} sentences compared")
