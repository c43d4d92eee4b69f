"""The pages under docs/: every code has one, and what they show is true.

An example is a fence whose first words say what it is: `conllu faulty`, `conllu repaired`,
`conllu gold`, `toml faulty`, `toml repaired`, `toml goldlens`. Its text is a whole file, byte for
byte; with the word `escapes`, `\\r`, `\\xE9` and `\\u200B` in it stand for what cannot be seen.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from goldlens.scoring.conllu.blocks import split
from goldlens.scoring.problems import CODES, Problem
from goldlens.scoring.segment import Kind
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.unit import parse, sent_id
from goldlens.server import config
from goldlens.server.pairing import gold_for

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = DOCS / "codes"

OTHER_TASKS = frozenset(
    {
        *("id-missing", "id-duplicate", "form-missing", "form-duplicate", "row-format"),
        *("iob2-tag", "iob2-malformed", "iob2-scheme", "token-text", "score-range"),
        *("id-extra", "span-error", "label-unknown", "form-extra"),
    }
)
"""Codes of tasks that are not in yet."""

NAMES = sorted(set(CODES) - OTHER_TASKS)
FILE = frozenset({"bom", "line-ending", "sent-id-duplicate"})
"""Codes of a whole file: no single sentence has them."""
CONFIG = frozenset({"config-key", "config-value", "gold-not-found"})
NO_EXAMPLE = frozenset({"problems-cut"})
BY_SENT_ID = frozenset({"sentence-missing", "sentence-extra"})
ALSO = {"sentence-boundary": {"las-error"}}
"""What comes with a code of necessity: two sentences in one have a root too many."""

_FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.M | re.S)
_ESCAPE = re.compile(rb"\\(?:x([0-9A-F]{2})|u([0-9A-F]{4})|r)")
_FRONT = "| Default severity | Official policy | CoNLL 2018 script | Shown |\n|---|---|---|---|\n"


class Fence(NamedTuple):
    language: str
    words: tuple[str, ...]
    data: bytes


class Front(NamedTuple):
    """The table at the head of a code's page."""

    severity: str
    official: str
    script: str
    shown: str


def fences(page: Path) -> list[Fence]:
    found = []
    for language, words, text in _FENCE.findall(page.read_text("utf-8")):
        data = text.encode()
        if "escapes" in words.split():
            data = _ESCAPE.sub(_unescaped, data)
        found.append(Fence(language, tuple(words.split()), data))
    return found


def _unescaped(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return bytes([int(match[1], 16)])
    return chr(int(match[2], 16)).encode() if match[2] else b"\r"


def examples(code: str) -> dict[str, bytes]:
    """The examples on a code's page, by what they are: faulty, repaired or gold."""
    language = "toml" if code in CONFIG else "conllu"
    found = [f for f in fences(PAGES / f"{code}.md") if f.language == language and f.words]
    by_kind = {f.words[0]: f.data for f in found}
    assert len(by_kind) == len(found), "one example of a kind"
    return by_kind


def front(code: str) -> Front:
    text = (PAGES / f"{code}.md").read_text("utf-8")
    row = text.partition(_FRONT)[2].partition("\n")[0]
    return Front(*(cell.strip() for cell in row.strip("|").split("|")))


def own_problems(text: bytes, code: str) -> list[Problem]:
    """What is wrong with a CoNLL-U file by itself; `code` is asked for if it is off by default."""
    extra = () if CODES[code].on else (code,)
    return [p for unit in parse(split(text), extra=extra) for p in unit.problems]


def problems_against_gold(gold: bytes, pred: bytes, code: str) -> list[Problem]:
    """What is wrong with a prediction against gold, matched as the code needs it."""
    from goldlens.scoring.ud.task import UD

    theirs, ours = parse(split(gold)), parse(split(pred))
    assert not any(unit.problems for unit in [*theirs, *ours])
    pairing = UD.pair(theirs, ours, "sent_id" if code in BY_SENT_ID else "auto")
    return [
        problem for k in range(len(pairing)) for problem in UD.problems(theirs, ours, pairing[k], 0)
    ]


NEEDS_GOLD = frozenset(metrics.PROBLEMS) | BY_SENT_ID | {"stream-mismatch"}
SENTENCES = [c for c in NAMES if c not in NEEDS_GOLD | FILE | CONFIG | NO_EXAMPLE]


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert sorted(page.stem for page in PAGES.glob("*.md")) == sorted([*NAMES, "index"])


@pytest.mark.parametrize("code", NAMES)
def test_a_page_says_what_the_table_of_codes_says(code: str) -> None:
    known, said = CODES[code], front(code)
    assert (PAGES / f"{code}.md").read_text("utf-8").startswith(f"# {code}\n\n{known.title}.\n\n")
    assert said.severity == known.severity.label
    assert said.official in ("refuses", "scores", "not concerned")
    assert (said.official == "refuses") == known.refuses
    assert said.script in ("refuses", "scores", "depends", "not concerned")
    assert (said.script == "not concerned") == (said.official == "not concerned")
    assert said.shown == ("by default" if known.on else "when asked for")


@pytest.mark.parametrize("code", NAMES)
def test_a_page_has_its_parts(code: str) -> None:
    parts = re.findall(r"^## (.+)$", (PAGES / f"{code}.md").read_text("utf-8"), re.M)
    assert parts == ["What is wrong", "Example", "Why it matters"]
    kinds = set(examples(code))
    if code in NO_EXAMPLE:
        assert not kinds
    else:
        assert kinds == {"faulty", "gold" if code in NEEDS_GOLD else "repaired"}


def test_the_index_has_a_row_for_each_page() -> None:
    rows = re.findall(
        r"^\| \[([\w-]+)\]\(([\w-]+)\.md\) \| (.+) \| (.+) \| (.+) \| (.+) \| (.+) \|$",
        (PAGES / "index.md").read_text("utf-8"),
        re.M,
    )
    assert [name for name, *_ in rows] == [code for code in CODES if code not in OTHER_TASKS]
    for name, link, title, *said in rows:
        assert link == name
        assert title == CODES[name].title
        assert Front(*said) == front(name)


@pytest.mark.parametrize("code", SENTENCES)
def test_a_faulty_sentence_has_the_one_problem_of_its_page(code: str) -> None:
    [found] = own_problems(examples(code)["faulty"], code)
    assert found.code == code
    said = front(code)
    assert found.severity.label == said.severity
    assert found.refuses == (said.official == "refuses")
    if said.script != "depends":
        assert found.script == (said.script == "refuses")


@pytest.mark.parametrize("code", SENTENCES)
def test_a_repaired_sentence_has_no_problem(code: str) -> None:
    assert own_problems(examples(code)["repaired"], code) == []


@pytest.mark.parametrize("code", sorted(NEEDS_GOLD))
def test_a_prediction_has_the_problem_of_its_page_and_gold_has_none(code: str) -> None:
    files = examples(code)
    gold, faulty = files["gold"], files["faulty"]
    found = {problem.code for problem in problems_against_gold(gold, faulty, code)}
    assert {code} <= found <= {code} | ALSO.get(code, set())
    assert problems_against_gold(gold, gold, code) == []


@pytest.mark.parametrize("code", sorted(NEEDS_GOLD))
def test_a_page_tells_of_an_error_that_the_counts_know_too(code: str) -> None:
    from goldlens.scoring.ud.task import UD

    files = examples(code)
    theirs, ours = parse(split(files["gold"])), parse(split(files["faulty"]))
    pairing = UD.pair(theirs, ours, "sent_id" if code in BY_SENT_ID else "auto")
    segments = [pairing[k] for k in range(len(pairing))]
    counts = UD.compare(theirs, ours, segments)
    told: Counter[str] = Counter()
    for segment, count in zip(segments, counts, strict=True):
        row = UD.tallies(theirs, ours, [segment], [count])[0].tolist()
        told.update({name: n for name, n in zip(UD.codes, row, strict=True) if n})
    kinds = {segment.kind for segment in segments}
    assert told[code] >= 1
    assert (Kind.MISMATCH in kinds) == (code == "stream-mismatch")


@pytest.mark.parametrize("code", sorted(FILE))
def test_what_is_wrong_with_a_whole_file_is_so_in_its_example(code: str) -> None:
    def is_so(text: bytes) -> bool:
        if code == "bom":
            return text.startswith(b"\xef\xbb\xbf")
        if code == "line-ending":
            return b"\r" in text
        ids = Counter(sent_id(block) for block in split(text))
        return max(ids.values()) > 1

    files = examples(code)
    assert is_so(files["faulty"])
    assert not is_so(files["repaired"])
    for text in files.values():
        assert own_problems(text.removeprefix(b"\xef\xbb\xbf"), code) == []


@pytest.mark.parametrize("code", ["config-key", "config-value"])
def test_a_faulty_configuration_has_the_one_problem_of_its_page(code: str) -> None:
    files = examples(code)
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
    for kind, text in examples("gold-not-found").items():
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
    told = set(re.findall(r"^\| `([\w-]+)` \|", text, re.M))
    also = set(re.findall(r"`([\w-]+)`", text.partition("Also accepted")[2].partition("\n\n")[0]))
    assert told | also == set(config._PAIR) | set(config._SETTINGS)


def test_the_metrics_page_names_every_metric() -> None:
    text = (DOCS / "reference" / "metrics.md").read_text("utf-8")
    told = re.findall(r"^\| ((?:\w+(?:, )?)+) \|", text, re.M)
    assert {name for names in told for name in names.split(", ")} >= set(metrics.NAMES)


def test_the_navigation_names_every_page() -> None:
    nav = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    named = re.findall(r"([\w/-]+\.md)\b", nav)
    assert sorted(named) == sorted(p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md"))


def test_every_link_leads_to_a_page_and_a_heading() -> None:
    for page in DOCS.rglob("*.md"):
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
