"""`goldlens report`: one page that says what the other verbs say, and needs nothing else."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from goldlens.cli.main import goldlens

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
GOLD, ALPHA = EXAMPLES / "gold/garden.conllu", EXAMPLES / "runs/alpha/garden.conllu"
BETA = EXAMPLES / "runs/beta/garden.conllu"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(goldlens, [str(each) for each in arguments])


class Page(HTMLParser):
    """What stands in a page: its elements, ids, texts, and tables by the heading above them."""

    VOID = frozenset(("meta", "br", "link", "img"))

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.title, self._row, self._text = "", [], ""
        self.feed(text)
        self.close()
        assert self.open == [], "an element is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), "a script"
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "xlink:href"):
                self.links.append(value or "")
        if tag == "tr":
            self._row = []
        self._text = ""
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, f"</{tag}> closes something else"
        if tag in ("td", "th"):
            self._row.append(self._text)
        if tag == "tr":
            self.tables.setdefault(self.title, []).append(self._row)
        if tag == "h2":
            self.title = self._text

    def handle_data(self, data: str) -> None:
        self._text += data


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Page]:
    path = tmp_path_factory.mktemp("report") / "page.html"
    done = run("report", GOLD, ALPHA, "-o", path, "--resamples", 100)
    assert done.exit_code == 0, done.output
    text = path.read_text("utf-8")
    return text, Page(text)


def test_it_holds_all_it_needs(garden: tuple[str, Page]) -> None:
    text, page = garden
    assert not {"script", "link", "img", "iframe", "object", "embed"}.intersection(page.tags)
    assert all(link.startswith("#") for link in page.links)
    assert not re.search(r"url\((?!#)", text)
    assert "@import" not in text
    assert "default-src 'none'" in text


def test_every_id_is_one_of_its_own_and_every_link_leads_somewhere(
    garden: tuple[str, Page],
) -> None:
    text, page = garden
    assert len(page.ids) == len(set(page.ids))
    named = {*page.links, *re.findall(r"url\((#[^)]*)\)", text)}
    assert {link.removeprefix("#") for link in named} <= set(page.ids)


def test_the_scores_and_intervals_are_those_of_the_other_verbs(garden: tuple[str, Page]) -> None:
    _, page = garden
    shown = {row[0]: row[1:] for row in page.tables["Scores"][1:]}
    scores = json.loads(run("score", GOLD, ALPHA, "--json").stdout)["metrics"]
    metrics = [name for name, count in scores.items() if count is not None]
    call = ("rows", "ud", "--gold", GOLD, "--pred", ALPHA, "--resamples", 100, "--json", "-")
    rows = json.loads(run(*call, "--metrics", ",".join(metrics)).stdout)
    assert [row["metric"] for row in rows] == metrics
    for row in rows:
        count = scores[row["metric"]]
        low, high = row["ci"]
        assert shown[row["metric"]] == [
            f"{count['f1']:.2f}",
            f"{low:.2f} – {high:.2f}",
            *(f"{count[part]:,}" for part in ("correct", "gold", "predicted")),
        ]


def test_the_confusions_are_those_of_the_analysis(garden: tuple[str, Page]) -> None:
    _, page = garden
    call = ("analyze", GOLD, ALPHA, "--what", "deprel", "--top", 20, "--json")
    told = json.loads(run(*call).stdout)["sections"][0]["confusions"]["listed"]
    assert told
    shown = [row[:3] for row in page.tables["Relations"]]
    for one in told:
        assert [one["gold"], one["pred"], f"{one['count']:,}"] in shown


def test_the_worst_sentences_come_first(garden: tuple[str, Page]) -> None:
    text, _ = garden
    counts = [int(n) for n in re.findall(r": (\d+) of \d+ wrong</h3>", text)]
    assert counts
    assert counts == sorted(counts, reverse=True)
    assert text.count('class="tree"') == len(counts) <= 10


def test_right_to_left_sentences_begin_at_the_right(
    garden: tuple[str, Page], tmp_path: Path
) -> None:
    assert 'dir="rtl"' not in garden[0] or re.search("[֐-ۿ]", garden[0])
    gold, pred, page = tmp_path / "gold.conllu", tmp_path / "pred.conllu", tmp_path / "p.html"
    text = "1\tשלום\t_\tNOUN\t_\t_\t0\troot\t_\t_\n2\tעולם\t_\tNOUN\t_\t_\t1\t{}\t_\t_\n\n"
    gold.write_text(text.format("nmod"), "utf-8")
    pred.write_text(text.format("obj"), "utf-8")
    assert run("report", gold, pred, "-o", page, "--resamples", 100).exit_code == 0
    assert page.read_text("utf-8").count('dir="rtl"') == 1


def test_confidences_get_a_section(tmp_path: Path) -> None:
    pred, page = tmp_path / "pred.conllu", tmp_path / "page.html"
    lines = ALPHA.read_text("utf-8").split("\n")
    for k, line in enumerate(lines):
        cells = line.split("\t")
        if len(cells) == 10 and cells[0].isdigit():
            lines[k] = "\t".join([*cells[:9], f"Conf=0.{k % 10}"])
    pred.write_text("\n".join(lines), "utf-8")
    assert run("report", GOLD, pred, "-o", page, "--resamples", 100).exit_code == 0
    told = json.loads(run("calibration", GOLD, pred, "--json").stdout)["calibration"]
    text = page.read_text("utf-8")
    assert f"Expected calibration error: {told['error']:.2f} points" in text
    cells = [row[1] for row in Page(text).tables["Calibration"][1 : 1 + len(told["bins"])]]
    assert cells == [f"{each['cells']:,}" for each in told["bins"]]


@pytest.mark.parametrize("name", ["places.iob2", "letters.jsonl"])
def test_other_tasks_have_pages_too(name: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    files = EXAMPLES / "gold" / name, EXAMPLES / "runs/alpha" / name
    done = run("report", *files, "-o", page, "--resamples", 100)
    assert done.exit_code == 0, done.output
    assert "Labels" in Page(page.read_text("utf-8")).tables


def test_what_files_hold_is_not_taken_for_markup(tmp_path: Path) -> None:
    gold, pred, page = (tmp_path / name for name in ("g.conllu", "p.conllu", "p.html"))
    row = (
        "# sent_id = <i>\n1\t<b>\t<u>\t{}\t<s>\t_\t0\troot\t_\t_\n2\tx\ta\tX\ta\t_\t1\t{}\t_\t_\n\n"
    )
    gold.write_text(row.format("<p>", "dep"), "utf-8")
    pred.write_text(row.format("<q>", "<a>"), "utf-8")
    assert (
        run("report", gold, pred, "-o", page, "--title", "<h1>", "--resamples", 100).exit_code == 0
    )
    text = page.read_text("utf-8")
    for markup in ("<b>", "<i>", "<u>", "<q>", "<a>", "<h1><h1>"):
        assert markup not in text
    Page(text)


@pytest.mark.parametrize("label", [r"$\frob{$", "$x$", "组织", "L" * 600])
def test_any_label_can_be_drawn(label: str, tmp_path: Path) -> None:
    """A formula that is none, one that is, letters that the font lacks, and no end of a name."""
    gold, pred, page = (tmp_path / name for name in ("g.iob2", "p.iob2", "p.html"))
    gold.write_text(f"a B-{label}\nb O\n\nc B-x\n\n", "utf-8")
    pred.write_text(f"a B-x\nb B-{label}\n\nc B-x\n\n", "utf-8")
    done = run("report", gold, pred, "-o", page, "--resamples", 100)
    assert (done.exit_code, done.output) == (0, "")
    drawn = re.findall(r"<text[^>]*>([^<]*)</text>", page.read_text("utf-8"))
    assert (label if len(label) < 40 else "L" * 39 + "…") in drawn


def test_a_sentence_without_end_is_named_and_not_drawn(tmp_path: Path) -> None:
    gold, pred, page = (tmp_path / name for name in ("g.conllu", "p.conllu", "p.html"))
    rows = [f"{k}\tw\t_\tX\t_\t_\t{k - 1}\t{{}}\t_\t_\n" for k in range(1, 402)]
    text = "# sent_id = long\n" + "".join(rows) + "\n"
    gold.write_text(text.replace("{}", "root", 1).replace("{}", "dep"), "utf-8")
    pred.write_text(text.replace("{}", "root", 1).replace("{}", "obj"), "utf-8")
    assert run("report", gold, pred, "-o", page, "--resamples", 100).exit_code == 0
    found = page.read_text("utf-8")
    assert "long, line 1: 400 of 401 wrong</h3>" in found
    assert "Too long to be drawn." in found
    assert 'class="tree"' not in found


def test_nothing_is_written_of_what_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run("report", GOLD, BETA, "-o", page)
    assert done.exit_code == 2
    assert "error[" in done.stderr
    assert not page.exists()
    call = ("report", GOLD, BETA, "-o", page, "--policy", "lenient", "--resamples", 100)
    assert run(*call).exit_code == 0


def test_stems_have_no_report(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    files = EXAMPLES / "gold/words.groups.tsv", EXAMPLES / "runs/alpha/words.stems.tsv"
    done = run("report", *files, "-o", page)
    assert done.exit_code == 2
    assert "error[report]: stems are right or wrong in pairs" in done.stderr
    assert not page.exists()


def test_a_report_does_not_replace_what_it_reports_on() -> None:
    before = ALPHA.read_bytes()
    done = run("report", GOLD, ALPHA, "-o", ALPHA)
    assert done.exit_code == 2
    assert ALPHA.read_bytes() == before


def test_without_matplotlib_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    done = run("report", GOLD, ALPHA, "-o", tmp_path / "page.html", "--resamples", 100)
    assert done.exit_code == 2
    assert "pip install 'goldlens[plot]'" in done.stderr
    assert not (tmp_path / "page.html").exists()


def test_the_same_files_make_the_same_page(garden: tuple[str, Page], tmp_path: Path) -> None:
    again = tmp_path / "page.html"
    assert run("report", GOLD, ALPHA, "-o", again, "--resamples", 100).exit_code == 0
    assert again.read_text("utf-8") == garden[0]
