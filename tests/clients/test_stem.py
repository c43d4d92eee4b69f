"""`goldlens stem`: a pair, and a study."""

from __future__ import annotations

import csv
import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import Run

GOLD = "unit\tunits\nit\tits\nun\tunify\n"
STEMS = "unit\tunit\tun\tit\nunits\tunit\nit\tit\nits\tit\tits\nun\tun\nunify\tunify\tun\n"
SHORT = "unit\tun\nunits\tun\nit\tit\nits\tit\nun\tun\nunify\tun\n"
GERMAN = "hund\thunde\nNacht\tNächte\n"
GERMAN_STEMS = "hund\thund\nhunde\thund\nNacht\tnacht\nNächte\tnächt\n"

STUDY = """\
[[dictionary]]
id = "en-1"
language = "en"
path = "en.tsv"
version = "1.0"

[[dictionary]]
id = "de-1"
language = "de"
path = "de.tsv"

[[stemmer]]
name = "full"
prediction = "stems/{language}/full.tsv"

[[stemmer]]
name = "short"
prediction = "stems/{language}/short.tsv"
languages = ["en"]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a pair, and a study of two stemmers and two languages."""
    monkeypatch.chdir(tmp_path)
    write("en.tsv", GOLD)
    write("de.tsv", GERMAN)
    write("stems/en/full.tsv", STEMS)
    write("stems/en/short.tsv", SHORT)
    write("stems/de/full.tsv", GERMAN_STEMS)
    write("study.toml", STUDY)
    return tmp_path


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, "utf-8", newline="")


def documents(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.mark.usefixtures("here")
class TestAPair:
    """DICTIONARY PRED."""

    def test_the_table_has_a_column_for_each_policy(self, run: Run) -> None:
        result = run("stem", "en.tsv", "stems/en/full.tsv", "--mode", "ALL_WORDS")
        assert result.exit_code == 0
        lines = [line.split("  ") for line in result.stdout.splitlines()]
        cells = {line[0]: [cell.strip() for cell in line[1:] if cell] for line in lines}
        assert cells["ALL_WORDS"] == ["PRIMARY_OUTPUT", "ALL_CANDIDATES", "ANY_CANDIDATE"]
        assert cells["Forms"] == ["6", "6", "6"]
        assert cells["Under-stemmed pairs"] == ["1 / 3", "0 / 3", "0 / 3"]
        assert cells["Over-stemmed pairs"] == ["0 / 12", "4 / 12", "0 / 12"]
        assert cells["UI"] == ["33.33", "0.00", "0.00"]
        assert cells["F1"] == ["80.00", "60.00", "n/a"]
        assert "LOWERCASE_GROUPS_ONLY" not in result.stdout

    def test_json_has_a_row_for_each_mode_and_policy(self, run: Run) -> None:
        result = run("stem", "de.tsv", "stems/de/full.tsv", "--json")
        rows = documents(result.stdout)["rows"]
        assert [(row["mode"], row["policy"], row["forms"]) for row in rows] == [
            ("ALL_WORDS", "PRIMARY_OUTPUT", 4),
            ("ALL_WORDS", "ALL_CANDIDATES", 4),
            ("ALL_WORDS", "ANY_CANDIDATE", 4),
            ("LOWERCASE_GROUPS_ONLY", "PRIMARY_OUTPUT", 2),
            ("LOWERCASE_GROUPS_ONLY", "ALL_CANDIDATES", 2),
            ("LOWERCASE_GROUPS_ONLY", "ANY_CANDIDATE", 2),
        ]
        first = rows[0]
        assert (first["under_error"], first["under_possible"]) == (1, 2)
        assert (first["over_error"], first["over_possible"]) == (0, 4)
        assert (first["UI"], first["OI"], first["precision"]) == (50, 0, 100)
        assert (first["stemmer"], first["language"]) == ("full.tsv", None)
        assert first["dictionary"] == "de.tsv"
        assert first["sha256"] == sha256(GERMAN.encode()).hexdigest()
        assert rows[2]["F1"] is rows[3]["OI"] is None

    def test_the_worst_groups(self, run: Run) -> None:
        args = ("stem", "en.tsv", "stems/en/full.tsv", "--mode", "ALL_WORDS", "--audit")
        told = documents(run(*args, "--json").stdout)["audit"]
        assert [(each["policy"], each["rank"], each["lemma"], each["line"]) for each in told] == [
            ("PRIMARY_OUTPUT", 1, "un", 3),
            ("ALL_CANDIDATES", 1, "unit", 1),
            ("ALL_CANDIDATES", 2, "it", 2),
            ("ALL_CANDIDATES", 3, "un", 3),
        ]
        assert told[0]["stems"] == {"un": ["un"], "unify": ["unify"]}
        short = documents(run(*args, "--audit-limit", 1, "--json").stdout)["audit"]
        assert [each["rank"] for each in short] == [1, 1]
        assert "Worst groups" in run(*args).stdout

    def test_output_goes_to_a_file(self, run: Run) -> None:
        result = run("stem", "en.tsv", "stems/en/full.tsv", "-o", "out.txt")
        assert (result.exit_code, result.stdout) == (0, "")
        assert "Under-stemmed pairs" in Path("out.txt").read_text("utf-8")
        again = run("stem", "en.tsv", "stems/en/full.tsv", "-o", "en.tsv")
        assert again.exit_code == 2
        assert Path("en.tsv").read_text("utf-8") == GOLD

    def test_what_is_wrong_is_said_line_by_line(self, run: Run) -> None:
        write("bad.tsv", "unit\tunit\nunits\tunit\nit\t\nits\tit\nits\tits\nun\tun\n")
        write("gold.tsv", "\ufeffé\t\n" + GOLD)
        result = run("stem", "gold.tsv", "bad.tsv")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.splitlines() == [
            "gold.tsv:1:3: error[row-format]: This form is empty; write the form, or take the "
            "tab out",
            "bad.tsv:3:4: error[row-format]: This stem of it is empty; write it",
            "bad.tsv:5:1: error[form-duplicate]: The form its has other stems than before; leave "
            "one row (the first one: line 4)",
            "bad.tsv:6:6: error[form-missing]: The form é has no row here; add a row with its "
            "stem (its dictionary row: gold.tsv:1)",
            "bad.tsv:6:6: error[form-missing]: The form unify has no row here; add a row with its "
            "stem (its dictionary row: gold.tsv:4)",
            "error[refused]: this pair cannot be scored, for 5 causes; repair what is listed",
        ]

    @pytest.mark.parametrize(
        ("args", "said"),
        [
            ((), "two files are wanted"),
            (("en.tsv",), "two files are wanted"),
            (("en.tsv", "en.tsv"), "same file"),
            (("en.tsv", "nowhere.tsv"), "nowhere.tsv:1:1: error[file]"),
            (("en.tsv", "stems/en/full.tsv", "--study", "study.toml"), "a study names its files"),
            (("en.tsv", "stems/en/full.tsv", "--stemmer", "x"), "choose from a study"),
            (("en.tsv", "stems/en/full.tsv", "--audit-limit", "3"), "--audit"),
            (("en.tsv", "stems/en/full.tsv", "--policy", "BEST"), "BEST"),
        ],
    )
    def test_a_wrong_call(self, run: Run, args: tuple[str, ...], said: str) -> None:
        result = run("stem", *args)
        assert result.exit_code == 2
        assert said in result.stderr

    def test_standard_input(self, run: Run) -> None:
        result = run("stem", "en.tsv", "-", "--json", stdin=STEMS.encode())
        assert result.exit_code == 0
        assert documents(result.stdout)["rows"][0]["under_error"] == 1


@pytest.mark.usefixtures("here")
class TestAStudy:
    """--study FILE."""

    def test_the_files_that_it_writes(self, run: Run) -> None:
        result = run("stem", "--study", "study.toml", "--output", "out", "--audit")
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
        assert sorted(path.name for path in Path("out").iterdir()) == [
            "stems-audit.csv",
            "stems-pearson.csv",
            "stems-spearman.csv",
            "stems.csv",
            "stems.json",
            "stems.md",
        ]
        document = documents(Path("out/stems.json").read_text("utf-8"))
        rows = document["rows"]
        keys = {(row["stemmer"], row["language"], row["mode"], row["policy"]) for row in rows}
        assert len(rows) == len(keys) == 3 * 2 * 3
        english = [row for row in rows if row["language"] == "en"]
        assert {(row["dictionary"], row["version"], row["sha256"]) for row in english} == {
            ("en-1", "1.0", sha256(GOLD.encode()).hexdigest())
        }
        with Path("out/stems.csv").open(encoding="utf-8") as file:
            assert len(list(csv.DictReader(file))) == 18
        assert Path("out/stems.md").read_text("utf-8").startswith("# Stemming quality\n")

    def test_stemmers_are_compared_and_ranked_where_both_are(self, run: Run) -> None:
        result = run("stem", "--study", "study.toml", "--json", "--rank-metric", "OI")
        document = documents(result.stdout)
        assert {tuple(each["languages"]) for each in document["comparisons"]} == {("en",)}
        first = document["rankings"][0]
        assert (first["metric"], first["languages"]) == ("OI", ["en"])
        assert [place["stemmer"] for place in first["places"]] == ["full", "short"]
        of_short = [each for each in document["summaries"] if each["stemmer"] == "short"]
        assert {tuple(each["languages"]) for each in of_short} == {("en",)}

    def test_markdown_goes_to_standard_output(self, run: Run) -> None:
        result = run("stem", "--study", "study.toml")
        assert result.exit_code == 0
        assert result.stdout.startswith("# Stemming quality\n")
        assert run("stem", "--study", "study.toml", "-o", "-").stdout == result.stdout
        assert not Path("out").exists()

    @pytest.mark.parametrize(
        ("option", "value", "rows"),
        [
            ("--stemmer", "short", 6),
            ("--language", "de", 6),
            ("--mode", "ALL_WORDS", 9),
            ("--policy", "ANY_CANDIDATE", 6),
        ],
    )
    def test_a_filtered_run_never_replaces_a_full_one(
        self, run: Run, option: str, value: str, rows: int
    ) -> None:
        run("stem", "--study", "study.toml", "--output", "out")
        before = {path.name: path.read_bytes() for path in Path("out").iterdir()}
        result = run("stem", "--study", "study.toml", "--output", "out", option, value)
        assert result.exit_code == 0
        after = {path.name: path.read_bytes() for path in Path("out").iterdir()}
        assert before.items() <= after.items()
        assert {name.rpartition(".")[0] for name in after.keys() - before.keys()} == {
            "stems-filtered",
            "stems-pearson-filtered",
            "stems-spearman-filtered",
        }
        document = documents(after["stems-filtered.json"].decode())
        assert len(document["rows"]) == rows

    def test_stems_that_are_missing(self, run: Run) -> None:
        Path("stems/de/full.tsv").unlink()
        result = run("stem", "--study", "study.toml", "--output", "out")
        assert result.exit_code == 2
        assert "stems/de/full.tsv:1:1: error[missing]: there are no stems of full" in result.stderr
        assert not Path("out").exists()

    @pytest.mark.parametrize("name", ["stems/de/short.tsv", "stems/fr/full.tsv"])
    def test_stems_that_are_unexpected(self, run: Run, name: str) -> None:
        write(name, STEMS)
        result = run("stem", "--study", "study.toml")
        assert result.exit_code == 2
        assert result.stderr.startswith(f"{name}:1:1: error[unexpected]: ")

    def test_a_dictionary_that_is_stale(self, run: Run) -> None:
        digest = sha256(GOLD.encode()).hexdigest()
        write("study.toml", STUDY.replace('"1.0"', f'"1.0"\nsha256 = "{digest.upper()}"'))
        assert run("stem", "--study", "study.toml").exit_code == 0
        write("en.tsv", GOLD + "# another version\n")
        result = run("stem", "--study", "study.toml")
        assert result.exit_code == 2
        assert result.stderr.startswith("en.tsv:1:1: error[stale]: the dictionary en-1 is not")

    def test_a_full_run_of_another_dictionary_is_stale_beside_a_filtered_one(
        self, run: Run
    ) -> None:
        run("stem", "--study", "study.toml", "--output", "out")
        write("en.tsv", GOLD + "# another version\n")
        args = ("stem", "--study", "study.toml", "--output", "out")
        assert run(*args, "--language", "de").exit_code == 0
        result = run(*args, "--language", "en")
        assert result.exit_code == 2
        assert "error[stale]" in result.stderr
        assert run(*args).exit_code == run(*args, "--language", "en").exit_code == 0

    def test_a_key_that_is_there_twice(self, run: Run) -> None:
        write("study.toml", STUDY.replace('"short"', '"full"'))
        result = run("stem", "--study", "study.toml")
        assert result.exit_code == 2
        assert result.stderr.startswith("study.toml:17:8: error[duplicate]: ")

    def test_each_language_has_one_default_dictionary(self, run: Run) -> None:
        more = '\n[[dictionary]]\nid = "en-2"\nlanguage = "en"\npath = "en.tsv"\n'
        write("study.toml", STUDY + more)
        result = run("stem", "--study", "study.toml")
        assert result.exit_code == 2
        assert result.stderr.startswith("study.toml:23:12: error[duplicate]: en has a default")
        write("study.toml", STUDY + more + "default = false\n")
        document = documents(run("stem", "--study", "study.toml", "--json").stdout)
        assert len(document["rows"]) == 5 * 6
        assert {tuple(each["languages"]) for each in document["summaries"]} == {
            ("en", "de"),
            ("en",),
        }
        write("study.toml", STUDY.replace('version = "1.0"', "default = false"))
        result = run("stem", "--study", "study.toml")
        assert "study.toml:5:11: error[config-value]: en has no default" in result.stderr

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ("version", "verison", "5:1: error[config-key]: unknown key verison"),
            ('path = "de.tsv"', "", "7:3: error[config-key]: this [[dictionary]] has no path"),
            ('"en.tsv"', "3", "4:8: error[config-value]: path is not a text"),
            ('["en"]', '["fr"]', "19:13: error[unexpected]: no dictionary is for fr"),
            ('["en"]', '["en", "en"]', "19:13: error[duplicate]: en stands twice"),
            ("{language}/full", "full", "14:14: error[duplicate]: one path for several"),
            ("[[stemmer]]", "[[stemmer]", "error[config-value]: this is not TOML"),
            ("[[stemmer]]", "[[stammer]]", "error[config-key]: unknown key stammer"),
            ("[[dictionary]]\nid = \"en-1\"", 'modes = ["ALL"]\n[[dictionary]]\nid = "en-1"',
             "1:9: error[config-value]: modes is not a list of some of ALL_WORDS"),
        ],
    )  # fmt: skip
    def test_a_study_that_is_wrong(self, run: Run, old: str, new: str, said: str) -> None:
        write("study.toml", STUDY.replace(old, new))
        result = run("stem", "--study", "study.toml")
        assert result.exit_code == 2
        assert re.search(rf"^study\.toml:(\d+:\d+: )?{re.escape(said)}", result.stderr, re.M)

    def test_stems_that_refuse_are_said_for_every_pair(self, run: Run) -> None:
        write("stems/en/full.tsv", STEMS + "more\t\n")
        write("stems/de/full.tsv", "")
        result = run("stem", "--study", "study.toml")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "stems/en/full.tsv:7:6: error[row-format]" in result.stderr
        assert result.stderr.count("stems/de/full.tsv:1:1: error[form-missing]") == 4

    @pytest.mark.parametrize(
        ("args", "said"),
        [
            (("--stemmer", "none"), "the study has no none; it has full, short"),
            (("--language", "fr"), "the study has no fr; it has en, de"),
            (("--stemmer", "short", "--language", "de"), "no stemmer that is wanted"),
            (("--rank-metric", "ARI"), "ARI"),
            (("--output", "en.tsv"), "error[file]"),
        ],
    )
    def test_a_wrong_call(self, run: Run, args: tuple[str, ...], said: str) -> None:
        result = run("stem", "--study", "study.toml", *args)
        assert result.exit_code == 2
        assert said in result.stderr
