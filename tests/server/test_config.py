"""Reading the configuration: values, what is wrong with them and where, and editor settings."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldlens.scoring.problems import Severity
from goldlens.server.config import Config, PairConfig, Settings, find, parse
from goldlens.server.config_places import Scanner

EXAMPLES = Path(__file__).parents[2] / "examples"
PAIR = '[[pair]]\ngold = "g.conllu"\npred = "p.conllu"\n'


def read(text: str, name: str = "goldlens.toml") -> Config:
    return parse(text, Path("/project") / name)


def wrong(text: str, name: str = "goldlens.toml") -> list[tuple[str, int, str]]:
    """Each problem as its code, its line from 1, and the text it stands under."""
    lines = [line.encode() for line in text.split("\n")]
    return [
        (p.code, p.place.line + 1, lines[p.place.line][p.place.start : p.place.end].decode())
        for p in read(text, name).problems
    ]


def message(text: str) -> str:
    [only] = read(text).problems
    assert (only.severity, only.refuses, only.place.unit) == (Severity.ERROR, False, 0)
    return only.message


def test_every_key_of_a_pair_is_read() -> None:
    config = read(
        """
        maxProblems = 40
        run = "onSave"
        scope = "workspace"
        watch = "poll"
        severity = { las-error = "hint" }
        [[pair]]
        task = "ud"
        gold = "gold/x.conllu"
        pred = "runs/*/x.conllu"
        component = "parser"
        language = "en"
        dataset = "EWT"
        metrics = ["UPOS", "LAS.recall"]
        match = "sent_id"
        policy = "lenient"
        reference = { UPOS = 96.4, LAS = 88 }
        reference-source = "a paper"
        reference-pred = "base/x.conllu"
        resamples = 500
        level = 0.9
        seed = 7
        threshold = 0.4
        token-column = 2
        tag-column = -2
        profile = "profile.toml"
        """
    )
    assert config.problems == ()
    assert config.folder == Path("/project")
    assert config.settings == Settings(40, "onSave", "workspace", "poll", {"las-error": "hint"})
    assert config.pairs == (
        PairConfig(
            gold="gold/x.conllu",
            pred="runs/*/x.conllu",
            task="ud",
            component="parser",
            language="en",
            dataset="EWT",
            metrics=("UPOS", "LAS.recall"),
            match="sent_id",
            policy="lenient",
            reference={"UPOS": 96.4, "LAS": 88},
            reference_source="a paper",
            reference_pred="base/x.conllu",
            resamples=500,
            level=0.9,
            seed=7,
            threshold=0.4,
            token_column=2,
            tag_column=-2,
            profile="/project/profile.toml",
        ),
    )


def test_the_example_has_nothing_wrong() -> None:
    path = EXAMPLES / "goldlens.toml"
    config = parse(path.read_text("utf-8"), path)
    assert config.problems == ()
    golds = ["garden.conllu", "places.iob2", "letters.jsonl", "words.groups.tsv"]
    assert [pair.gold for pair in config.pairs] == [f"gold/{name}" for name in golds]


@pytest.mark.parametrize(
    ("text", "code", "line", "under"),
    [
        ("maxProblem = 3", "config-key", 1, "maxProblem"),
        ('run = "onsave"', "config-value", 1, '"onsave"'),
        ("maxProblems = 0 # none", "config-value", 1, "0"),
        ("maxProblems = true", "config-value", 1, "true"),
        ('[severity]\nlas-eror = "off"', "config-key", 2, "las-eror"),
        ('[severity]\nbom = "loud"', "config-value", 2, '"loud"'),
        ('severity.bom = "loud"', "config-value", 1, '"loud"'),
        ('severity = "off"', "config-value", 1, '"off"'),
        ("[pairs]\na = 1", "config-key", 1, "pairs"),
        ("[[pairs]]\n[[pairs]]", "config-key", 1, "pairs"),
        ("[pair]\na = 1", "config-value", 1, "pair"),
        ("pair = [3]", "config-value", 1, "3"),
        (PAIR + "token_column = 2", "config-key", 4, "token_column"),
        (PAIR + '"é😀" = 2', "config-key", 4, '"é😀"'),
        (PAIR + 'dataset = "é😀"\nlevel =  95', "config-value", 5, "95"),
        (PAIR + "level = nan", "config-value", 4, "nan"),
        (PAIR + "resamples = 99", "config-value", 4, "99"),
        (PAIR + "tag-column = 0", "config-value", 4, "0"),
        (PAIR + "seed = -1", "config-value", 4, "-1"),
        (PAIR + 'task = "tree"', "config-value", 4, '"tree"'),
        (PAIR + 'metrics = "LAS"', "config-value", 4, '"LAS"'),
        (PAIR + 'metrics = ["LAS",\n  "LSA", # ]\n]', "config-value", 5, '"LSA"'),
        (PAIR + 'metrics = ["LAS.f1"]', "config-value", 4, '"LAS.f1"'),
        (PAIR + "reference = { UPOS = 1, LASS = 2 }", "config-key", 4, "LASS"),
        (PAIR + "reference = { UPOS = 1, LAS = '2' }", "config-value", 4, "'2'"),
        (PAIR + "[pair.reference]\nLASS = 2", "config-key", 5, "LASS"),
        (PAIR + "reference = { UPOS = 881 }", "config-value", 4, "881"),
        (PAIR + PAIR + "levle = 1", "config-key", 7, "levle"),
        (PAIR + "level = '''\nmuch'''", "config-value", 4, "'''"),
        (PAIR + "level = '''\r\nmuch'''", "config-value", 4, "'''"),
        ('[[pair]]\ngold = "g"', "config-value", 1, "pair"),
        ('[[pair]]\ngold = 3\npred = "p"', "config-value", 2, "3"),
        (PAIR + 'reference-pred = "a\\u0000b"', "config-value", 4, '"a\\u0000b"'),
        (PAIR + 'profile = "a\\u0000b.toml"', "config-value", 4, '"a\\u0000b.toml"'),
    ],
)
def test_what_is_wrong_is_found_at_its_place(text: str, code: str, line: int, under: str) -> None:
    assert wrong(text) == [(code, line, under)]


def test_a_column_counts_bytes() -> None:
    [only] = read(PAIR + 'reference = { "é" = 1 }\nlanguage = "é"').problems
    assert (only.place.line, only.place.start, only.place.end) == (3, 14, 18)


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("maxproblems = 3", "maxProblems"),
        ('run = "ontype"', "onType"),
        ('severity.tag-eror = "off"', "tag-error"),
        (PAIR + "reference_source = ''", "reference-source"),
        (PAIR + "metrics = ['las']", "LAS"),
        (PAIR + "metrics = ['UPOS.recal']", "UPOS.recall"),
        (PAIR + "match = 'sentid'", "sent_id"),
    ],
)
def test_the_nearest_right_name_is_offered(text: str, nearest: str) -> None:
    assert message(text).endswith(f"did you mean “{nearest}”?")


def test_no_name_is_offered_where_none_is_near() -> None:
    assert message("zzz = 1") == "unknown key “zzz”"


def test_the_rest_of_the_file_still_counts() -> None:
    config = read(
        'maxProblems = 9\nscope = "all"\nnothing = 1\nseverity = { bom = "off", bam = "off" }\n'
        '[[pair]]\ngold = "only"\n'
        + PAIR
        + 'level = 3\nseed = 5\nmetrics = ["LAS", "X", 3]\nreference = { LAS = 1, X = 2 }\n'
    )
    assert len(config.problems) == 8
    assert config.settings == Settings(9, severity={"bom": "off"})
    assert config.pairs == (
        PairConfig("g.conllu", "p.conllu", seed=5, metrics=("LAS",), reference={"LAS": 1}),
    )


def test_problems_come_in_the_order_of_the_file() -> None:
    found = wrong(PAIR + "metrics = ['X']\nlevle = 1\nlevel = 2\n")
    assert [line for _, line, _ in found] == [4, 5, 6]


@pytest.mark.parametrize(
    ("pair", "right", "bad"),
    [
        ('task = "span"', "Micro", "LAS"),
        ('task = "classification"', "ROC-AUC", "LAS"),
        ('task = "ud"', "MLAS.precision", "Macro"),
    ],
)
def test_metrics_are_those_of_the_task(pair: str, right: str, bad: str) -> None:
    text = f'[[pair]]\n{pair}\ngold = "g"\npred = "p"\nmetrics = ["{right}", "{bad}"]'
    assert wrong(text) == [("config-value", 5, f'"{bad}"')]


@pytest.mark.parametrize("pair", ['task = "stemming"\ngold = "g"', 'gold = "g.tsv"', 'gold = "g"'])
def test_any_metric_will_do_for_stems_and_where_the_task_is_open(pair: str) -> None:
    text = f'[[pair]]\n{pair}\npred = "p"\nmetrics = ["UI"]\nreference = {{ "F0.5" = 1 }}'
    assert wrong(text) == []
    [read_pair] = read(text).pairs
    assert (read_pair.metrics, read_pair.reference) == (("UI",), {"F0.5": 1})


@pytest.mark.parametrize(
    ("text", "line", "start"),
    [
        ("run = \n", 1, 6),
        ('run = "onSave"\né = 1', 2, 0),
        ("a = 'x'\n[[pair", 2, 6),
        ("a = 1\na = 2", 2, 5),
        (f"a = {'9' * 5000}", 1, 0),
        (f"a = {'[' * 5000}", 1, 0),
    ],
)
def test_text_that_is_no_toml_is_one_problem(text: str, line: int, start: int) -> None:
    config = read(text)
    assert message(text).startswith("this is not TOML: ")
    assert "at line" not in message(text)
    assert (config.pairs, config.settings) == ((), Settings())
    [only] = config.problems
    assert (only.code, only.place.line + 1, only.place.start) == ("config-value", line, start)


def test_of_pyproject_only_the_section_is_looked_at() -> None:
    text = (
        '[project]\nname = "x"\nrun = 3\n[tool.goldlens]\nrun = "onSave"\nscoop = 1\n'
        '[[tool.goldlens.pair]]\ngold = "g"\npred = "p"\nlevel = 2\n[tool.ruff]\nrun = 4\n'
    )
    config = read(text, "pyproject.toml")
    assert config.settings.run == "onSave"
    assert [pair.gold for pair in config.pairs] == ["g"]
    assert wrong(text, "pyproject.toml") == [
        ("config-key", 6, "scoop"),
        ("config-value", 10, "2"),
    ]
    assert wrong("tool.goldlens = 3", "pyproject.toml") == [("config-value", 1, "3")]
    assert wrong("tool = 3", "pyproject.toml") == []


NAMES = st.sampled_from(["a", "b-1", "", "é", "x.y", 'q"', "#", "[", "new\nline"])
SCALARS = (
    st.integers(-9, 9)
    | st.booleans()
    | st.sampled_from(["", "]", "}", "#", ",", "=", '"', "'", "a\\", '"""', "'''", "é\n"])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3)
)


def toml(value: Any) -> str:
    """A value in TOML, with comments and line ends wherever an array allows them."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} ={toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[ # ]\n" + "".join(f"{toml(each)} , #}}\r\n" for each in value) + "]"
    if isinstance(value, str) and not {"'", "\\", "\n"} & set(value):
        return f"'{value}'"
    if isinstance(value, str) and '"' not in value and "\\" not in value:
        return f'"""\n{value}"""'
    return json.dumps(value)


def ways(value: Any, way: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Any]]:
    """Every value in `value`, and the way to it."""
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    return [(way, value), *(found for key, each in items for found in ways(each, (*way, key)))]


@settings(deadline=None)
@given(st.lists(st.dictionaries(NAMES, VALUES, max_size=4), max_size=3))
def test_every_value_is_found_where_it_stands(tables: list[dict[str, Any]]) -> None:
    text = "".join(
        "[[ p . 'q' ]] # [\n" + "".join(f"{json.dumps(k)} = {toml(v)}\n" for k, v in t.items())
        for t in tables
    )
    document = tomllib.loads(text)
    spots = Scanner(text).spots
    for way, value in ways(document):
        if len(way) <= 3:  # the root, p, p.q and its tables: where they are named
            assert way == () or spots[way]
            continue
        start, end = spots[way]["config-value"]
        assert tomllib.loads(f"x = {text[start:end]}") == {"x": value}
        if isinstance(way[-1], str):
            start, end = spots[way]["config-key"]
            assert tomllib.loads(f"{text[start:end]} = 0") == {way[-1]: 0}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('a = """x""""', '"""x""""'),
        ("a = 1979-05-27 07:32:00 # then", "1979-05-27 07:32:00"),
        ("a = -0.5e3# none", "-0.5e3"),
        ('a = "\\"#" # "', '"\\"#"'),
    ],
)
def test_a_value_is_found_whole(text: str, value: str) -> None:
    start, end = Scanner(text).spots["a",]["config-value"]
    assert text[start:end] == value


def test_the_nearest_configuration_wins(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    deep = root / "a" / "b"
    deep.mkdir(parents=True)
    file = deep / "x.conllu"
    (root / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert find(file, root) is None
    (root / "pyproject.toml").write_text("[[tool.goldlens.pair]]\nbroken")
    assert find(file, root) == root / "pyproject.toml"
    (root / "goldlens.toml").touch()
    assert find(file, None) == root / "goldlens.toml"
    (deep / "goldlens.toml").touch()
    assert find(file, root) == deep / "goldlens.toml"
    assert find(deep, root) == deep / "goldlens.toml"
    elsewhere = tmp_path / "elsewhere" / "x.conllu"
    assert find(elsewhere, root) == root / "goldlens.toml"
    assert find(elsewhere, None) is None


def test_editor_settings_go_over_those_of_the_file() -> None:
    file = Settings(max_problems=9, severity={"bom": "off", "las-error": "hint"})
    merged, messages = file.merge(
        {"goldlens": {"run": "onSave", "scope": None, "severity": {"bom": "on"}, "trace": {}}}
    )
    assert merged == Settings(9, "onSave", "open", "events", {"bom": "on", "las-error": "hint"})
    assert messages == []


def test_bad_editor_settings_fall_back_with_a_message() -> None:
    before = Settings(max_problems=9)
    after, messages = before.merge(
        {"maxProblems": "many", "rum": "onSave", "severity": {"bom": 3, "las-error": "off"}}
    )
    assert after == Settings(9, severity={"las-error": "off"})
    assert messages == [
        "maxProblems: expected a whole number from 1, not “many”",
        "rum: unknown key “rum”; did you mean “run”?",
        "severity.bom: expected error, warning, information, hint, off or on, not 3",
    ]
    assert before.merge({"goldlens": []}) == (
        before,
        ["goldlens: expected a table of settings, not an array"],
    )


def test_settings_of_what_is_beside_the_text() -> None:
    plain = Settings()
    assert (plain.inlay_hints, plain.validate, plain.validate_language) == ("on", "off", "ud")
    wanted = {"inlayHints": "off", "validate": "onSave", "validateLanguage": "grc"}
    asked, messages = plain.merge(wanted)
    assert (asked.inlay_hints, asked.validate, asked.validate_language) == ("off", "onSave", "grc")
    assert messages == []
    # What goes to another program as an argument is never anything else than a code.
    for language in ("", "EN", "--help", "en; rm", "english", 3):
        after, messages = plain.merge({"validateLanguage": language})
        assert after == plain
        assert messages[0].startswith("validateLanguage: expected a language's code, such as “en”")


def test_the_severity_under_which_a_code_shows() -> None:
    plain = Settings()
    assert plain.severity_of("las-error") is Severity.WARNING
    assert plain.severity_of("text-missing") is None
    asked = Settings(severity={"text-missing": "on", "las-error": "off", "bom": "error"})
    assert asked.severity_of("text-missing") is Severity.WARNING
    assert asked.severity_of("las-error") is None
    assert asked.severity_of("bom") is Severity.ERROR
    with pytest.raises(KeyError):
        plain.severity_of("no-such-code")
