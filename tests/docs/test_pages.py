"""The pages under docs/: every code has one, they say what the code says, and links lead on."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from goldlens.cli.main import VERBS, goldlens
from goldlens.scoring.draws import indexes, outputs
from goldlens.scoring.problems import CODES
from goldlens.scoring.stemming.indices import INDICES
from goldlens.scoring.tasks import NAMES as TASKS
from goldlens.scoring.ud import metrics
from goldlens.server import config
from goldlens.server.kinds import EXTENSIONS as KINDS
from goldlens.server.lsp.executing import COMMANDS
from goldlens.server.pairing import gold_for
from tests.docs.pages import (
    CLASSES,
    CONFIG,
    DOCS,
    EXTENSIONS,
    NO_EXAMPLE,
    OTHER_TASKS,
    PAGES,
    ROOT,
    SPANS,
    STEMS,
    fences,
    front,
    languages,
    texts,
)


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert sorted(page.stem for page in PAGES.glob("*.md")) == sorted([*CODES, "index"])


@pytest.mark.parametrize("code", CODES)
def test_a_page_says_what_the_table_of_codes_says(code: str) -> None:
    known, said = CODES[code], front(code)
    assert (PAGES / f"{code}.md").read_text("utf-8").startswith(f"# {code}\n\n{known.title}.\n\n")
    assert said.label == known.severity.label
    assert said.official in ("refuses", "scores", "depends", "not concerned")
    assert said.refuses == known.refuses
    assert said.script in ("refuses", "scores", "depends", "not concerned")
    untouched = code in CONFIG | NO_EXAMPLE
    assert (said.official == "not concerned") == untouched
    assert (said.script == "not concerned") == (untouched or code in OTHER_TASKS)
    assert said.shown == (None if known.on else "when asked for")


@pytest.mark.parametrize("code", CODES)
def test_a_page_has_its_parts(code: str) -> None:
    parts = re.findall(r"^## (.+)$", (PAGES / f"{code}.md").read_text("utf-8"), re.M)
    assert parts == ["What is wrong", "Example", "Why it matters"]
    shown = languages(code)
    assert bool(shown) == (code not in NO_EXAMPLE)
    for language in shown:
        kinds = set(texts(code, language))
        assert kinds in ({"faulty", "repaired"}, {"faulty", "gold"})


def test_the_index_has_a_row_for_each_page() -> None:
    rows = re.findall(
        r"^\| \[([\w-]+)\]\(([\w-]+)\.md\) \| (.+) \| (.+) \| (.+) \| (.+) \| (.+) \|$",
        (PAGES / "index.md").read_text("utf-8"),
        re.M,
    )
    assert [name for name, *_ in rows] == list(CODES)
    for name, link, title, files, *said in rows:
        assert link == name
        assert title == CODES[name].title
        assert files in _files(name)
        assert said == list(front(name)[:3])


def _files(code: str) -> set[str]:
    """What the index may say of the files that have a problem."""
    for codes, files in ((SPANS, "spans"), (CLASSES, "classes"), (STEMS, "stems")):
        if code in codes:
            return {files}
    if code in CONFIG:
        return {"configuration"} if code != "gold-not-found" else {"all"}
    shared = {
        "row-format": "classes, stems",
        "stream-mismatch": "UD, spans",
        **dict.fromkeys(("encoding", "bom", "problems-cut"), "all"),
    }
    return {shared.get(code, "UD")}


@pytest.mark.parametrize("code", ["config-key", "config-value"])
def test_a_faulty_configuration_has_the_one_problem_of_its_page(code: str) -> None:
    files = texts(code, "toml")
    [found] = config.parse(files["faulty"].decode(), Path("/p/goldlens.toml")).problems
    assert found.code == code
    assert not found.refuses
    assert config.parse(files["repaired"].decode(), Path("/p/goldlens.toml")).problems == ()


def test_gold_is_not_found_where_its_page_says_so(tmp_path: Path) -> None:
    gold, pred = tmp_path / "gold" / "garden.conllu", tmp_path / "runs" / "a" / "garden.conllu"
    for path in (gold, pred):
        path.parent.mkdir(parents=True)
        path.touch()
    trouble = {}
    for kind, text in texts("gold-not-found", "toml").items():
        read = config.parse(text.decode(), tmp_path / "goldlens.toml")
        pairing = gold_for(pred, read)
        assert read.problems == ()
        assert pairing is not None
        trouble[kind] = pairing.trouble
    assert trouble["faulty"]
    assert trouble["repaired"] is None


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.stem)
def test_configurations_shown_are_right(page: Path) -> None:
    for fence in fences(page):
        if fence.language == "toml" and fence.words[:1] == ("goldlens",):
            name = "pyproject.toml" if "pyproject" in fence.words else "goldlens.toml"
            read = config.parse(fence.data.decode(), Path("/p") / name)
            assert read.problems == ()
            assert read.pairs or read.settings != config.Settings()


def test_the_configuration_page_names_every_setting_and_no_other() -> None:
    text = (DOCS / "guide" / "configuration.md").read_text("utf-8")
    firsts = re.findall(r"^\| ([^|]+) \|", text, re.M)
    told = {name for first in firsts for name in re.findall(r"`([\w-]+)`", first)}
    also = set(re.findall(r"`([\w-]+)`", text.partition("Also accepted")[2].partition("\n\n")[0]))
    assert told | also == set(config.PAIR) | set(config.SETTINGS)


@pytest.mark.parametrize("verb", VERBS)
def test_the_guide_names_every_verb_and_every_option_of_it(verb: str) -> None:
    guide = {page.stem: page.read_text("utf-8") for page in (DOCS / "guide").glob("*.md")}
    assert re.search(rf"^## {verb}$", guide["command-line"], re.M)
    assert f"goldlens {verb}" in guide["command-line"]
    command = goldlens.get_command(click.Context(goldlens), verb)
    assert command is not None
    commands = [command, *getattr(command, "commands", {}).values()]
    told = {name for text in guide.values() for name in re.findall(r"--[\w-]+", text)}
    options = {name for each in commands for option in each.params for name in option.opts}
    assert {name for name in options if name.startswith("--")} - {"--output"} <= told


def test_the_page_on_the_server_names_every_command_and_every_argument_of_it() -> None:
    text = (DOCS / "reference" / "lsp.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(goldlens\.\w+)` \| ([^|]+) \|", text, re.M))
    told = {name: set(re.findall(r'"(\w+)"', row)) for name, row in rows.items()}
    assert told == {name: set(kinds) for name, (_, kinds, _) in COMMANDS.items()}


def test_the_metrics_page_names_every_metric() -> None:
    text = (DOCS / "reference" / "metrics.md").read_text("utf-8")
    told = re.findall(r"^\| ([\w.-]+(?:, [\w.-]+)*) \|", text, re.M)
    names = {name for names in told for name in names.split(", ")}
    assert names >= {*metrics.NAMES, "Micro", "Macro", "Accuracy", "ROC-AUC", *INDICES.values()}


def test_the_json_page_has_a_key_for_each_index_of_stems() -> None:
    text = (DOCS / "reference" / "json.md").read_text("utf-8")
    part = text.partition("\n## Stem\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"`([\w.]+)`", part)) >= set(INDICES)


def test_the_draws_shown_are_those_that_are_made() -> None:
    [fence] = [
        fence for fence in fences(DOCS / "reference" / "draws.md") if fence.words == ("draws",)
    ]
    stream, drawn = fence.data.decode().strip().split("\n")
    shown = [int(number) for number in stream.removeprefix("seed 1234567, outputs:").split()]
    assert len(shown) == 5
    assert outputs(1234567, 0, 5).tolist() == shown
    shown = [int(number) for number in drawn.removeprefix("seed 20260101, 10 units:").split()]
    assert len(shown) == 20
    assert indexes(20260101, 0, 20, 10).tolist() == shown


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_its_page_and_is_linked_from_home(task: str) -> None:
    page = {"ud": "scores", "span": "spans"}.get(task, task)
    assert (DOCS / "guide" / f"{page}.md").is_file()
    assert f"(guide/{page}.md)" in (DOCS / "index.md").read_text("utf-8")


def test_the_page_on_pairing_names_the_extensions_of_each_task() -> None:
    text = (DOCS / "guide" / "pairing.md").read_text("utf-8")
    told = dict(re.findall(r"^\| `\*(\.\w+)` \| `(\w+)` \|", text, re.M))
    assert told == KINDS
    assert set(EXTENSIONS.values()) <= set(told)


def test_the_navigation_names_every_page() -> None:
    nav = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    named = re.findall(r"([\w/-]+\.md)\b", nav)
    assert sorted(named) == sorted(p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md"))


def test_the_navigation_has_the_codes_in_the_order_of_their_names() -> None:
    nav = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    assert re.findall(r"^ +- ([\w-]+): codes/\1\.md$", nav, re.M) == sorted(CODES)


@pytest.mark.parametrize(
    "page",
    [*sorted(DOCS.rglob("*.md")), ROOT / "README.md", ROOT / "examples" / "README.md"],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_every_link_leads_to_a_page_and_a_heading(page: Path) -> None:
    for path, anchor in re.findall(
        r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)", page.read_text("utf-8")
    ):
        target = (page.parent / path).resolve() if path else page
        assert target.is_file(), f"{page.name}: {path}"
        if anchor:
            assert anchor in _anchors(target), f"{page.name}: {path}#{anchor}"


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", h).lower().strip().replace(" ", "-") for h in headings}
