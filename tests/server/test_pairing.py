"""Which prediction faces which gold, by configuration and by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldlens.server.config import Config, PairConfig, parse
from goldlens.server.kinds import task_of
from goldlens.server.pairing import expand, gold_for, predictions_for

EXAMPLES = Path(__file__).parents[2] / "examples"
HERE = Path("/project/data")


def config(*pairs: tuple[str, str], folder: Path = HERE) -> Config:
    return Config(folder / "goldlens.toml", tuple(PairConfig(g, p) for g, p in pairs))


def system(glob: str, path: str) -> str | None:
    """What the wildcards of `glob` match in `path`, None where it faces nothing."""
    found = gold_for(HERE / path, config(("the.gold", glob)))
    return None if found is None else found.system


@pytest.mark.parametrize(
    ("pred", "gold", "said"),
    [
        ("en.pred.conllu", "en.gold.conllu", "pred"),
        ("en.test.pred.conllu", "en.test.gold.conllu", "pred"),
        ("pred.conllu", "gold.conllu", "pred"),
        ("pred/en.conllu", "gold/en.conllu", "pred"),
        ("preds/en.conllu", "gold/en.conllu", "preds"),
        ("predicted/en.conllu", "gold/en.conllu", "predicted"),
        ("predictions/en.conllu", "gold/en.conllu", "predictions"),
        ("preds/en.pred.conllu", "preds/en.gold.conllu", "pred"),
        ("gold/en.pred.conllu", "gold/en.gold.conllu", "pred"),
        ("pred.stems.tsv", "gold.groups.tsv", "pred"),
        ("en.pred.stems.tsv", "en.gold.groups.tsv", "pred"),
        ("pred/en.stems.tsv", "gold/en.groups.tsv", "pred"),
    ],
)
def test_by_name(pred: str, gold: str, said: str) -> None:
    found = gold_for(HERE / pred, None)
    assert found is not None
    assert (found.pred, found.gold, found.system, found.rule) == (
        HERE / pred,
        HERE / gold,
        said,
        "name",
    )
    assert found.pair == PairConfig(str(HERE / gold), str(HERE / pred))


@pytest.mark.parametrize(
    "path",
    [
        "en.gold.conllu",
        "gold.conllu",
        "gold/en.conllu",
        "preds/en.gold.conllu",
        "en.conllu",
        "pred",
        "en.pred",
        "spread.conllu",
        "enpred.conllu",
        "pred/deeper/en.conllu",
    ],
)
def test_what_faces_nothing_by_name(path: str) -> None:
    assert gold_for(HERE / path, None) is None


def test_the_configuration_goes_before_the_names() -> None:
    given = config(("other.conllu", "*.pred.conllu"))
    found = gold_for(HERE / "en.pred.conllu", given)
    assert found is not None
    assert (found.gold, found.rule, found.system) == (HERE / "other.conllu", "config", "en")
    assert found.pair is given.pairs[0]
    named = gold_for(HERE / "pred" / "en.conllu", given)
    assert named is not None
    assert named.rule == "name"


def test_the_first_pair_that_matches_wins() -> None:
    found = gold_for(HERE / "x.conllu", config(("a.gold", "y*"), ("b.gold", "x*"), ("c.gold", "*")))
    assert found is not None
    assert found.gold == HERE / "b.gold"


def test_a_gold_has_no_gold_though_a_glob_matches_it() -> None:
    given = config(("sub/../gold.conllu", "**/*.conllu"))
    assert gold_for(HERE / "gold.conllu", given) is None
    assert gold_for(HERE / "run" / "gold.conllu", given) is not None


@pytest.mark.parametrize(
    ("glob", "path", "name"),
    [
        ("runs/*/x.conllu", "runs/alpha/x.conllu", "alpha"),
        ("runs/*/x.conllu", "runs/x.conllu", None),
        ("runs/*/x.conllu", "runs/a/b/x.conllu", None),
        ("runs/*/x.conllu", "runs/alpha/xxconllu", None),
        ("*/x-*.conllu", "alpha/x-1.conllu", "alpha/1"),
        ("**/x.conllu", "x.conllu", "x.conllu"),
        ("**/x.conllu", "a/b/x.conllu", "a/b"),
        ("**/x.conllu", "a/bx.conllu", None),
        ("a/**/b/*.c", "a/b/1.c", "1"),
        ("a/**/b/*.c", "a/x/y/b/1.c", "x/y/1"),
        ("a/**", "a/b/c", "b/c"),
        ("a/**", "a/c", "c"),
        ("a**/x", "abc/x", "bc"),
        ("a**/x", "ab/c/x", None),
        ("run?.c", "run1.c", "1"),
        ("run??.c", "run12.c", "12"),
        ("run?.c", "run.c", None),
        ("a?b", "a/b", None),
        ("run[0-9].c", "run7.c", "7"),
        ("run[!0-9].c", "run7.c", None),
        ("run[!0-9].c", "runx.c", "x"),
        ("run[!0-9]c", "run/c", None),
        ("run[]x].c", "run].c", "]"),
        ("run[a&&b^~-].c", "run&.c", "&"),
        ("run[z-a].c", "runz.c", None),
        ("run[!].c", "run!.c", "!"),
        ("run[!].c", "runx.c", None),
        ("run[.c", "run[.c", "run[.c"),
        ("x+(1).c", "x+(1).c", "x+(1).c"),
        ("x.c", "x.c", "x.c"),
        ("./runs//x.c", "runs/x.c", "runs/x.c"),
        ("runs/../x.c", "x.c", "x.c"),
        ("../other/*.c", "../other/x.c", "x"),
        ("/project/data/*.c", "x.c", "x"),
        ("*", ".hidden", ".hidden"),
        ("*.c", "new\nline.c", "new\nline"),
    ],
)
def test_globs(glob: str, path: str, name: str | None) -> None:
    assert system(glob, path) == name


def test_a_folder_with_wildcards_in_its_name_stands_for_itself() -> None:
    given = config(("g", "*.c"), folder=Path("/project/[ab]*"))
    found = gold_for(Path("/project/[ab]*/x.c"), given)
    assert found is not None
    assert found.system == "x"
    assert gold_for(Path("/project/a/x.c"), given) is None


def test_whether_the_gold_is_there_is_asked_anew(tmp_path: Path) -> None:
    found = gold_for(tmp_path / "pred.conllu", None)
    assert found is not None
    assert found.trouble is not None
    assert str(tmp_path / "gold.conllu") in found.trouble.message
    (tmp_path / "gold.conllu").touch()
    assert found.trouble is None


def test_a_name_that_no_file_can_have_is_a_gold_that_is_not_there(tmp_path: Path) -> None:
    text = f'[[pair]]\ngold = "{"a" * 5000}"\npred = "p.conllu"\n'
    facing = gold_for(tmp_path / "p.conllu", parse(text, tmp_path / "goldlens.toml"))
    assert facing is not None
    assert facing.trouble is not None
    assert facing.trouble.message.startswith("no gold at ")


def test_an_unknown_data_set_is_kept_as_it_is_written() -> None:
    found = gold_for(HERE / "x.conllu", config(("data:ud/en_ewt", "x.conllu")))
    assert found is not None
    assert str(found.gold) == "data:ud/en_ewt"
    assert found.trouble is not None
    assert "there is no data set “ud/en_ewt”" in found.trouble.message


def test_the_way_back_from_gold_to_predictions() -> None:
    given = config(("gold.conllu", "runs/*.conllu"))
    there = ["runs/b.conllu", "runs/a.conllu", "pred.conllu", "gold.conllu", "x/pred.conllu"]
    found = predictions_for(HERE / "gold.conllu", given, [HERE / name for name in there])
    assert [(each.pred.name, each.rule) for each in found] == [
        ("b.conllu", "config"),
        ("a.conllu", "config"),
        ("pred.conllu", "name"),
    ]


def test_globs_are_walked_in_order_and_leave_golds_out(tmp_path: Path) -> None:
    for name in ("b/x.c", "a/x.c", "a/deep/x.c", "a/y.c", "gold/x.c", "x.c/other"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    given = config(
        ("gold/x.c", "**/x.c"), ("g", "a/y.c"), ("g", "none/*"), ("g", "a/*.c"), folder=tmp_path
    )
    assert [(p.pred, path, name) for p, path, name in expand(given)] == [
        ("**/x.c", tmp_path / "a/deep/x.c", "a/deep"),
        ("**/x.c", tmp_path / "a/x.c", "a"),
        ("**/x.c", tmp_path / "b/x.c", "b"),
        ("a/y.c", tmp_path / "a/y.c", "a/y.c"),
        ("a/*.c", tmp_path / "a/x.c", "x"),
        ("a/*.c", tmp_path / "a/y.c", "y"),
    ]


def test_two_asterisks_inside_a_name_are_one(tmp_path: Path) -> None:
    (tmp_path / "run-1.c").touch()
    found = expand(config(("g", "run**.c"), folder=tmp_path))
    assert [name for _, _, name in found] == ["-1"]


def test_symbolic_links_are_not_resolved(tmp_path: Path) -> None:
    (tmp_path / "run_a").mkdir()
    (tmp_path / "run_a" / "pred.conllu").touch()
    (tmp_path / "latest").symlink_to("run_a")
    found = gold_for(
        tmp_path / "latest" / "pred.conllu", config(("g", "*/pred.conllu"), folder=tmp_path)
    )
    assert found is not None
    assert (found.pred, found.system) == (tmp_path / "latest" / "pred.conllu", "latest")


def test_the_examples() -> None:
    path = EXAMPLES / "goldlens.toml"
    given = parse(path.read_text("utf-8"), path)
    assert [(pair.task, name) for pair, _, name in expand(given)] == [
        ("ud", "alpha"),
        ("ud", "beta"),
        ("span", "alpha"),
        ("span", "beta"),
        ("classification", "alpha"),
        ("classification", "beta"),
        ("stemming", "alpha"),
        ("stemming", "beta"),
    ]
    found = gold_for(EXAMPLES / "runs" / "beta" / "garden.conllu", given)
    assert found is not None
    assert (found.gold, found.trouble) == (EXAMPLES / "gold" / "garden.conllu", None)
    assert found.task == "ud"


ROW = "1\tx\tx\tX\t_\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    ("name", "text", "task"),
    [
        ("x.conllu", "", "ud"),
        ("x.iob2", "", "span"),
        ("x.bio", "", "span"),
        ("x.jsonl", "", "classification"),
        ("x.tsv", "", "classification"),
        ("x.txt", "", None),
        ("x.txt", "# a comment\n\n" + ROW, "ud"),
        ("x.txt", "1\tx\n" + ROW, None),
        ("x.txt", "Ada B-PER\nran O\n\nBo I\n", "span"),
        ("x.txt", "-DOCSTART- -X- O\n\nAda NNP B-PER\n", "span"),
        ("x.txt", "Ada ran\n", None),
        ("x.txt", '{"id": 1}\n', "classification"),
        ("x.stems.tsv", "", "stemming"),
        ("groups.tsv", "", "stemming"),
    ],
)
def test_the_task_is_guessed(name: str, text: str, task: str | None) -> None:
    assert task_of(Path(name), text) == task


def test_a_configured_task_goes_before_the_guess() -> None:
    pair = PairConfig("g", "x.tsv", task="stemming")
    found = gold_for(HERE / "x.tsv", Config(HERE / "goldlens.toml", (pair,)))
    assert found is not None
    assert found.task == "stemming"
