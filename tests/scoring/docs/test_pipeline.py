"""The scorer that spaCy finds by its name, in spaCy's own training."""

from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.tokens import DocBin
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_model_from_config
from thinc.api import Config

from goldlens.scoring.docs import Unannotated, score
from goldlens.scoring.docs.pipeline import make_scorer
from tests.docs.pages import ROOT
from tests.scoring.docs.making import doc, docs_of

NAME = "goldlens.scorer.v1"

CONFIG = """
[nlp]
lang = "xx"
pipeline = ["tok2vec", "parser"]

[components]

[components.tok2vec]
factory = "tok2vec"

[components.tok2vec.model]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 8
depth = 1
embed_size = 50
window_size = 1
maxout_pieces = 2
subword_features = false

[components.parser]
factory = "parser"

[components.parser.scorer]
@scorers = "goldlens.scorer.v1"
metrics = ["UAS", "LAS"]

[components.parser.model]
@architectures = "spacy.TransitionBasedParser.v2"
state_type = "parser"
extra_state_tokens = false
hidden_width = 8
maxout_pieces = 1
use_upper = true

[components.parser.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 8

[corpora]

[corpora.train]
@readers = "spacy.Corpus.v1"
path = "garden.spacy"

[corpora.dev]
@readers = "spacy.Corpus.v1"
path = "garden.spacy"

[training]
seed = 1
max_steps = 20
eval_frequency = 10
dev_corpus = "corpora.dev"
train_corpus = "corpora.train"

[training.batcher]
@batchers = "spacy.batch_by_sequence.v1"
size = 8

[training.score_weights]
goldlens_las = 1.0
dep_las = null
dep_uas = null
dep_las_per_type = null
sents_p = null
sents_r = null
sents_f = null
"""


def examples(*pairs: tuple[Any, Any]) -> list[Example]:
    return [Example(predicted, reference) for predicted, reference in pairs]


PRED, GOLD = doc("the cat sat", [1, 2, 2]), doc("the cat sat", [2, 2, 2])


def test_the_package_names_its_scorer_for_spacy() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    [(name, value)] = project["entry-points"]["spacy_scorers"].items()
    assert name == NAME
    assert EntryPoint(name, value, "spacy_scorers").load() is make_scorer


def test_spacy_finds_the_scorer() -> None:
    assert spacy.registry.scorers.get(NAME) is make_scorer


def test_a_score_is_a_fraction_under_its_own_name() -> None:
    found = make_scorer(["UAS", "LASFull"])(examples((PRED, GOLD)))
    assert found == pytest.approx({"goldlens_uas": 2 / 3, "goldlens_lasfull": 2 / 3})
    assert {type(value) for value in found.values()} == {float}
    assert found["goldlens_uas"] == score(PRED, GOLD, "UAS") / 100


def test_all_metrics_are_given_where_none_are_named() -> None:
    found = make_scorer()(examples((PRED, GOLD)))
    assert len(found) == 13
    assert found["goldlens_tokens"] == 1.0
    unparsed = make_scorer()(examples((doc("the cat sat"), GOLD)))
    assert unparsed["goldlens_tokens"] == 1.0
    assert unparsed["goldlens_las"] is None


def test_what_was_named_and_cannot_be_had_stops_at_once() -> None:
    with pytest.raises(Unannotated, match=r"^gold\[0\] \(“the cat sat”\) has no parse"):
        make_scorer(["LAS"])(examples((PRED, doc("the cat sat"))))


def test_a_faulty_tree_does_not_stop_a_training_unless_it_is_to() -> None:
    faulty = examples((doc(["\n", "a", "b"], [0, 0, 0]), doc("a b", [0, 0])))
    assert make_scorer(["UAS"])(faulty) == {"goldlens_uas": 0.5}
    with pytest.raises(ValueError, match="multiple-roots"):
        make_scorer(["UAS"], policy="official")(faulty)


def test_a_pipeline_is_evaluated_by_it() -> None:
    nlp = spacy.blank("xx")
    scorer = {"@scorers": NAME, "metrics": ["Tokens", "Sentences"]}
    nlp.add_pipe("sentencizer", config={"scorer": scorer})
    gold = doc("a . b", sent_starts=[True, False, False])
    found = nlp.evaluate(examples((nlp.make_doc("a . b"), gold)))
    assert found["goldlens_tokens"] == 1.0
    assert found["goldlens_sentences"] == 0.0


def test_training_takes_it_for_its_development_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gold = docs_of((ROOT / "examples" / "gold" / "garden.conllu").read_text("utf-8"))
    DocBin(attrs=["HEAD", "DEP", "SENT_START"], docs=gold).to_disk("garden.spacy")
    config = load_model_from_config(Config().from_str(CONFIG), auto_fill=True).config
    table = StringIO()
    train(init_nlp(config), tmp_path, use_gpu=-1, stdout=table)
    assert "GOLDLENS_LAS" in table.getvalue()
    kept = spacy.load(tmp_path / "model-best")
    performance = kept.meta["performance"]["goldlens_las"]
    pred = kept.pipe([one.text for one in gold])
    assert 100 * performance == pytest.approx(score(pred, gold, "LAS", policy="lenient"))
    assert 0 < performance < 1
