"""Rows put into files that have some already."""

from __future__ import annotations

import csv
import io
import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from goldlens.scoring.bootstrap import Resampling
from goldlens.scoring.results.files import RowsFileError, merged
from goldlens.scoring.results.formats import FORMATS
from goldlens.scoring.results.rows import Row, rows
from tests.scoring.results.rowmaking import LABELS, row, system

OLD = [row(component="a"), row(component="b"), row("LAS.recall", component="a")]
NEW = row(component="a", references={"LAS": 70.0})
OTHER = row("ELAS", component="c")

TEXTS = st.text(st.sampled_from("ab|&%\\_<>*`~{}#$^\"', :-\n\r\u2028é"), max_size=8)


def refused(form: str, old: str, *, card: bool = False) -> tuple[int, str]:
    with pytest.raises(RowsFileError) as caught:
        merged(form, old, [NEW], card=card)
    return caught.value.line, str(caught.value)


@pytest.mark.parametrize("form", FORMATS)
class TestEveryFormat:
    def test_a_new_file_is_what_would_be_printed(self, form: str) -> None:
        assert merged(form, "", OLD) == FORMATS[form](OLD)

    def test_a_row_of_the_same_key_takes_the_old_ones_place(self, form: str) -> None:
        expected = FORMATS[form]([NEW, *OLD[1:]])
        assert merged(form, FORMATS[form](OLD), [NEW]) == expected

    def test_a_row_of_another_key_goes_to_the_end(self, form: str) -> None:
        expected = FORMATS[form]([*OLD, OTHER])
        assert merged(form, FORMATS[form](OLD), [OTHER]) == expected

    def test_the_same_rows_again_change_nothing(self, form: str) -> None:
        text = FORMATS[form](OLD)
        assert merged(form, text, OLD) == text

    @given(st.data())
    def test_whatever_the_labels(self, form: str, data: st.DataObject) -> None:
        def some() -> Row:
            names = [data.draw(TEXTS) for _ in range(3)]
            return row(component=names[0], language=names[1], dataset=names[2])

        first, second = some(), some()
        text = merged(form, "", [first])
        assert merged(form, text, [first]) == text
        both = merged(form, text, [second])
        assert merged(form, both, [first, second]) == both


class TestMarkdown:
    TABLE = FORMATS["markdown"]([row(component="a")])

    def test_the_text_around_the_table_stays_byte_for_byte(self) -> None:
        around = (
            "# Title\r\n\n  text\u2028 | x\n\n",
            "\n\nafter\t\n| not | ours |\n| --- | --- |\n",
        )
        found = merged("markdown", around[0] + self.TABLE + around[1], [NEW, OTHER])
        assert found == around[0] + FORMATS["markdown"]([NEW, OTHER]) + around[1]

    def test_a_text_without_table_gets_one_at_its_end(self) -> None:
        for text, gap in [("# T\n", "\n"), ("# T", "\n\n"), ("# T\n\n", "")]:
            assert merged("markdown", text, [NEW]) == text + gap + FORMATS["markdown"]([NEW])

    def test_lines_that_somebody_has_aligned_are_found_and_others_kept(self) -> None:
        lines = [
            "|Component|Language|Metric|Score|95% CI|Reference|Within noise",
            ":--|:-:|---|--:|---|---|---",
            "|   a     |  en    |  LAS | 1   | n/a  |     |     |",
            "b | en | LAS | **2** | n/a | | |",
            "",
        ]
        found = merged("markdown", "\n".join(lines), [NEW]).split("\n")
        assert found[2] == FORMATS["markdown"]([NEW]).split("\n")[2]
        assert [*found[:2], *found[3:]] == [*lines[:2], *lines[3:]]

    def test_a_table_in_a_code_fence_is_an_example(self) -> None:
        text = f"```\n{self.TABLE}```\n"
        assert merged("markdown", text, [NEW]) == f"{text}\n{FORMATS['markdown']([NEW])}"

    def test_a_code_fence_that_is_not_closed_is_refused(self) -> None:
        line, message = refused("markdown", f"text\n~~~ x\n{self.TABLE}")
        assert (line, message) == (2, "this code fence is not closed; close it")

    def test_a_table_in_a_comment_is_not_seen(self) -> None:
        text = f"<!-- old:\n{self.TABLE}``` -->\n<!-- new --> `<!--`\n"
        assert merged("markdown", text, [NEW]) == f"{text}\n{FORMATS['markdown']([NEW])}"

    def test_a_comment_that_is_not_closed_is_refused(self) -> None:
        line, message = refused("markdown", f"text\n  <!-- x\n{self.TABLE}")
        assert (line, message) == (2, "this comment is not closed; close it")

    def test_a_table_in_a_list_stays_in_it(self) -> None:
        def inside(table: str) -> str:
            return (
                "- item\n\n" + "".join(f"  {line}\n" for line in table.splitlines()) + "\nafter\n"
            )

        found = merged("markdown", inside(self.TABLE), [NEW, OTHER])
        assert found == inside(FORMATS["markdown"]([NEW, OTHER]))

    def test_of_two_tables_that_which_has_the_row_gets_it(self) -> None:
        first, second = FORMATS["markdown"]([OLD[1]]), self.TABLE
        found = merged("markdown", f"{first}\ntext\n\n{second}\nend\n", [OTHER, NEW])
        both = [FORMATS["markdown"]([OLD[1], OTHER]), FORMATS["markdown"]([NEW])]
        assert found == f"{both[0]}\ntext\n\n{both[1]}\nend\n"

    def test_a_row_that_two_tables_have_is_refused(self) -> None:
        """They may be of two datasets, which the table does not show."""
        line, message = refused("markdown", f"{self.TABLE}\n{self.TABLE}")
        assert (line, message) == (
            5,
            "a second table has the row a, en, LAS; give each table a file of its own",
        )

    def test_of_two_tables_that_of_the_rows_level_gets_it(self) -> None:
        [narrow] = rows(system(), ["LAS"], LABELS, 5, Resampling(level=0.9))
        second = FORMATS["markdown"]([narrow])
        assert merged("markdown", f"{self.TABLE}\n{second}", [narrow]) == f"{self.TABLE}\n{second}"

    def test_a_doubled_key_leaves_one_row(self) -> None:
        twice = FORMATS["markdown"]([OLD[0], OLD[1], OLD[0]])
        assert merged("markdown", twice, [NEW]) == FORMATS["markdown"]([NEW, OLD[1]])

    def test_line_ends_are_those_of_the_table(self) -> None:
        crlf = self.TABLE.replace("\n", "\r\n")
        expected = FORMATS["markdown"]([NEW, OTHER]).replace("\n", "\r\n")
        assert merged("markdown", crlf, [NEW, OTHER]) == expected

    def test_a_table_without_rows_gets_some(self) -> None:
        empty = FORMATS["markdown"]([])
        assert merged("markdown", f"{empty}\nafter\n", [NEW]) == (
            f"{FORMATS['markdown']([NEW])}\nafter\n"
        )

    def test_a_line_with_other_cells_is_refused_by_its_number(self) -> None:
        line, message = refused("markdown", f"top\n\n{self.TABLE}| a | b |\n")
        assert (line, message) == (
            6,
            "2 cells where the table's header has 7; repair the line",
        )

    def test_rows_of_another_level_are_refused(self) -> None:
        narrow = rows(system(), ["LAS"], LABELS, 5, Resampling(level=0.9))
        with pytest.raises(RowsFileError, match="has the 95% CI, not the 90% CI") as caught:
            merged("markdown", self.TABLE, narrow)
        assert caught.value.line == 1


class TestLatex:
    TABLE = FORMATS["latex"]([row(component="a")])

    def test_a_paper_around_the_tabular_stays_byte_for_byte(self) -> None:
        paper = ("\\begin{document}\n% a & b \\\\\n", "\\end{document}\n% \u2028\n")
        found = merged("latex", paper[0] + self.TABLE + paper[1], [NEW, OTHER])
        assert found == paper[0] + FORMATS["latex"]([NEW, OTHER]) + paper[1]

    def test_a_paper_without_tabular_gets_one_before_its_end(self) -> None:
        found = merged("latex", "\\begin{document}\nText.\n\\end{document}\n", [NEW])
        table = FORMATS["latex"]([NEW])
        assert found == f"\\begin{{document}}\nText.\n\n{table}\n\\end{{document}}\n"

    def test_rules_and_comments_between_rows_stay(self) -> None:
        lines = self.TABLE.split("\n")
        lines[5:5] = ["\\addlinespace", "% a & b \\\\", "% b & en & LAS & 1 & 2 & 3 & 4 \\\\"]
        found = merged("latex", "\n".join(lines), [NEW]).split("\n")
        assert found == [*lines[:4], FORMATS["latex"]([NEW]).split("\n")[4], *lines[5:]]

    def test_a_tabular_without_rows_gets_some(self) -> None:
        assert merged("latex", FORMATS["latex"]([]), [NEW]) == FORMATS["latex"]([NEW])

    def test_a_line_with_other_cells_is_refused_by_its_number(self) -> None:
        broken = self.TABLE.replace("75.00 &", "", 1)
        assert refused("latex", broken)[0] == 5

    @pytest.mark.parametrize("kind", ["tabular*", "tabularx", "longtable", "NiceTabular", "tblr"])
    def test_tables_of_other_packages_end_too(self, kind: str) -> None:
        other = self.TABLE.replace("{tabular}", f"{{{kind}}}")
        after = "text & a & b \\\\\n\\end{tabular}\n"
        found = merged("latex", other + after, [NEW, OTHER])
        both = FORMATS["latex"]([NEW, OTHER]).replace("{tabular}", f"{{{kind}}}")
        assert found == both + after

    def test_a_longtable_has_its_header_twice(self) -> None:
        lines = FORMATS["latex"]([]).splitlines(keepends=True)
        head = [*lines[1:4], "\\endfirsthead\n", *lines[1:4], "\\endhead\n"]
        table = ["\\begin{longtable}{lllrrrl}\n", *head, "\\end{longtable}\n"]
        once = merged("latex", "".join(table), [NEW])
        assert once.splitlines()[9] == FORMATS["latex"]([NEW]).splitlines()[4]
        twice = merged("latex", once, [NEW, OTHER]).splitlines()
        assert twice[9:11] == FORMATS["latex"]([NEW, OTHER]).splitlines()[4:6]
        assert twice[11:] == ["\\end{longtable}"]

    @pytest.mark.parametrize("kind", ["verbatim", "lstlisting", "comment"])
    def test_an_example_is_no_tabular(self, kind: str) -> None:
        text = f"\\begin{{{kind}}}\n{self.TABLE}\\end{{{kind}}}\n"
        assert merged("latex", text, [NEW]) == f"{text}\n{FORMATS['latex']([NEW])}"

    def test_a_row_that_two_tabulars_have_is_refused(self) -> None:
        assert refused("latex", self.TABLE * 2)[0] == 10

    def test_indented_rows_stay_so(self) -> None:
        indented = "".join(f"\t{line}\n" for line in self.TABLE.splitlines())
        expected = FORMATS["latex"]([NEW, OTHER]).splitlines()
        found = merged("latex", indented, [NEW, OTHER])
        assert found == "".join(f"\t{line}\n" for line in expected)

    @pytest.mark.parametrize("name", ["[a]", "*a"])
    def test_a_row_is_no_argument_of_the_line_before(self, name: str) -> None:
        text = FORMATS["latex"]([row(component=name)])
        assert f"\n{{}}{name} & en" in text
        assert merged("latex", text, [row(component=name)]) == text

    def test_a_tabular_that_does_not_end_is_refused(self) -> None:
        broken = self.TABLE.replace("\\end{tabular}", "")
        assert refused("latex", f"\n{broken}") == (
            4,
            "no \\end{tabular} after this header; add it",
        )

    def test_rows_of_another_level_are_refused(self) -> None:
        narrow = rows(system(), ["LAS"], LABELS, 5, Resampling(level=0.9))
        with pytest.raises(RowsFileError, match="has the 95% CI, not the 90% CI"):
            merged("latex", self.TABLE, narrow)


class TestJson:
    def test_the_dataset_belongs_to_the_key(self) -> None:
        one, other = row(dataset="x"), row(dataset="y")
        found = json.loads(merged("json", merged("json", "", [one]), [other]))
        assert [each["dataset"] for each in found] == ["x", "y"]

    def test_a_doubled_key_leaves_one_row(self) -> None:
        twice = FORMATS["json"]([OLD[0], OLD[1], OLD[0]])
        assert merged("json", twice, [NEW]) == FORMATS["json"]([NEW, OLD[1]])

    def test_what_others_have_added_is_kept(self) -> None:
        old = '[{"component": "z", "metric": "LAS", "note": "é"}]'
        found = json.loads(merged("json", old, [NEW]))
        assert found[0] == {"component": "z", "metric": "LAS", "note": "é"}
        assert len(found) == 2

    @pytest.mark.parametrize(
        "theirs",
        ['{"n": 1e400, "n": 1.10, "s": "\\ud800"}', '{\n"n": 12345678901234567890123}', "{ }"],
    )
    def test_what_others_have_written_stays_as_they_wrote_it(self, theirs: str) -> None:
        for old, gap in [(f"[{theirs}]", ","), (f"\ufeff[\r\n\t{theirs}\r\n]", ",\r\n\t")]:
            found = merged("json", old, [NEW, OTHER])
            begin, _, end = old.partition(theirs)
            assert found.startswith(begin + theirs + gap) and found.endswith(end)
            ours = found.removeprefix(begin + theirs).removesuffix(end)
            assert ours.count("\n") == ours.count("\r\n") and ("\n" in ours) == ("\n" in gap)
            assert [each.get("component") for each in json.loads(found.removeprefix("\ufeff"))] == [
                None, "a", "c",
            ]  # fmt: skip
            assert merged("json", found, [OTHER, NEW]) == found

    def test_a_list_in_one_line_stays_in_one(self) -> None:
        found = merged("json", '[{"component": "z"}, {"metric": "LAS"}]\n', [NEW])
        assert found.startswith('[{"component": "z"}, {"metric": "LAS"}, {"component": "a", ')
        assert found.count("\n") == 1

    @pytest.mark.parametrize("old", ["", " \n", "[]", "[ ]\n", "\ufeff"])
    def test_a_file_without_rows_gets_some(self, old: str) -> None:
        bom = "\ufeff" if old.startswith("\ufeff") else ""
        assert merged("json", old, [NEW]) == bom + FORMATS["json"]([NEW])

    @pytest.mark.parametrize(
        ("old", "line", "what"),
        [
            ("[\n{]", 2, "is no JSON"),
            ('[{"score": NaN}]', 1, "NaN is no number"),
            ('{"rows": []}', 1, "no list of rows"),
            ("[1]", 1, "no list of rows"),
            ("[" * 100_000, 1, "is no JSON"),
        ],
    )
    def test_what_cannot_be_read(self, old: str, line: int, what: str) -> None:
        at, message = refused("json", old)
        assert at == line and what in message


class TestCsv:
    def test_columns_stay_and_missing_ones_are_added(self) -> None:
        old = "note,metric,dataset,language,component\nn,LAS,EWT test,en,a\n,UAS,,,b\n"
        first, second = csv.DictReader(io.StringIO(merged("csv", old, [NEW]), newline=""))
        assert list(first)[:6] == ["note", "metric", "dataset", "language", "component", "score"]
        assert (first["score"], first["note"]) == ("75.0", "")
        assert (second["metric"], second["score"]) == ("UAS", "")

    def test_line_ends_and_bom_are_kept(self) -> None:
        old = "\ufeff" + FORMATS["csv"](OLD).replace("\n", "\r\n")
        assert merged("csv", old, OLD) == old

    @pytest.mark.parametrize(
        ("old", "line", "what"),
        [
            ("a,b\n1,2\n", 1, "no header with component, language, dataset, metric"),
            ("component,language,dataset,metric\na,b,c\n", 2, "3 cells where the header has 4"),
            ('component,language,dataset,metric\n"a,b,c,d\n', 2, "is no CSV"),
        ],
    )
    def test_what_cannot_be_read(self, old: str, line: int, what: str) -> None:
        at, message = refused("csv", old)
        assert at == line and what in message


class TestModelCard:
    CARD = "---\nlanguage: en  # ours\n{}tags:\n- parsing\n---\n# Model\n\n---\n: {{\n"

    def test_front_matter_and_text_stay_byte_for_byte(self) -> None:
        found = merged("hf", self.CARD.format(""), [NEW], card=True)
        block = FORMATS["hf"]([NEW])
        assert found == self.CARD.format("").replace("- parsing\n", f"- parsing\n{block}")

    def test_an_index_that_is_there_is_extended_in_its_place(self) -> None:
        old = self.CARD.format(FORMATS["hf"](OLD) + "# a comment\n\n")
        found = merged("hf", old, [NEW, OTHER], card=True)
        block = FORMATS["hf"]([NEW, *OLD[1:], OTHER])
        matter = yaml.safe_load(found.split("---\n")[1])
        assert [model["name"] for model in matter["model-index"]] == ["a", "b", "c"]
        assert found == self.CARD.format(f"{block}# a comment\n\n")

    def test_what_others_have_measured_is_kept(self) -> None:
        theirs = {
            "name": "a",
            "results": [
                {
                    "task": {"type": "token-classification"},
                    "dataset": {
                        "name": "EWT test", "type": "x", "revision": "r", "args": {"language": "en"}
                    },
                    "metrics": [{"type": "bleu", "value": 3}],
                    "source": {"url": "https://example.org"},
                }
            ],
        }  # fmt: skip
        old = yaml.safe_dump({"model-index": [theirs]})
        [model] = yaml.safe_load(merged("hf", old, [NEW]))["model-index"]
        [result] = model["results"]
        assert result["source"] == {"url": "https://example.org"}
        assert result["dataset"]["revision"] == "r"
        assert [each.get("name") for each in result["metrics"]] == [None, "LAS"]

    def test_a_doubled_metric_is_left_once(self) -> None:
        found = yaml.safe_load(FORMATS["hf"]([OLD[0]]))
        metrics = found["model-index"][0]["results"][0]["metrics"]
        metrics *= 2
        assert merged("hf", yaml.safe_dump(found, sort_keys=False), [NEW]) == FORMATS["hf"]([NEW])

    def test_a_card_without_front_matter_gets_some(self) -> None:
        block = FORMATS["hf"]([NEW])
        assert merged("hf", "# Model\n", [NEW], card=True) == f"---\n{block}---\n\n# Model\n"
        assert merged("hf", "", [NEW], card=True) == f"---\n{block}---\n"

    def test_an_empty_front_matter_is_filled(self) -> None:
        assert merged("hf", "---\n---\nx\n", [NEW], card=True) == (
            f"---\n{FORMATS['hf']([NEW])}---\nx\n"
        )

    def test_an_index_without_anything_is_filled(self) -> None:
        for empty in ("", " null", " ~"):
            found = merged("hf", f"a: 1\nmodel-index:{empty}\nb: 2\n", [NEW])
            assert found == f"a: 1\n{FORMATS['hf']([NEW])}b: 2\n"

    def test_an_index_in_one_line_is_replaced_whole(self) -> None:
        old = "a: 1\nmodel-index: []\nb: 2\n"
        assert merged("hf", old, [NEW]) == f"a: 1\n{FORMATS['hf']([NEW])}b: 2\n"

    def test_what_others_have_written_keeps_its_spelling(self) -> None:
        """Norwegian is not false, a version is no octal number, and 1.50 has its digits."""
        theirs = (
            "model-index:\n- name: b\n  results:\n  - dataset:\n      args: no\n"
            "      config: 0123\n"
            "      revision: 1_000\n      note: 'yes'\n      nothing:\n"
            "    metrics:\n    - value: 1.50\n      at: 12:30:45\n"
        )
        found = merged("hf", theirs, [NEW])
        assert found.startswith(theirs)
        assert merged("hf", found, [NEW]) == found

    def test_a_result_in_norwegian_is_found_again(self) -> None:
        new = row(language="no")
        text = FORMATS["hf"]([new]).replace("language: 'no'", "language: no")
        assert merged("hf", text, [new]).count("name: LAS") == 1

    def test_a_file_of_yaml_may_begin_and_end_as_a_document(self) -> None:
        block = FORMATS["hf"]([NEW])
        assert merged("hf", "---\na: 1\n", [NEW]) == f"---\na: 1\n{block}"
        assert merged("hf", "a: 1\n...\n", [NEW]) == f"a: 1\n{block}...\n"

    def test_line_ends_are_those_of_the_card(self) -> None:
        old = self.CARD.format("").replace("\n", "\r\n")
        found = merged("hf", old, [NEW], card=True)
        assert found == merged("hf", self.CARD.format(""), [NEW], card=True).replace("\n", "\r\n")

    @pytest.mark.parametrize(
        ("old", "line", "what"),
        [
            ("---\na: 1\n", 1, "does not end"),
            ("---\na: 1\nb: [\n---\n", 4, "is no YAML"),
            ("---\n- a\n---\n", 2, "no block of keys"),
            ("---\n a: 1\n---\n", 2, "keys are indented"),
            ("---\na: 1\nmodel-index: x\n---\n", 3, "no list of models"),
            ("---\nmodel-index:\n- 1\n---\n", 2, "no list of models"),
            ("---\nmodel-index: &a\n- *b\n---\n", 3, "is no YAML"),
            ("---\nmodel-index: []\na: 1\nmodel-index: []\n---\n", 4, "stands twice"),
            ("---\na: \x07\n---\n", 2, "is no YAML"),
        ],
    )
    def test_what_cannot_be_read(self, old: str, line: int, what: str) -> None:
        at, message = refused("hf", old, card=True)
        assert what in message
        assert at == line


PIECES = {
    "markdown": [
        *FORMATS["markdown"](OLD).split("\n"), "```", "~~~~", "text", "| a | b |",
        "a|b", "\\|", "-",
    ],
    "latex": [
        *FORMATS["latex"](OLD).split("\n"), "\\begin{document}", "\\end{document}", "% x & y \\\\",
        "a & b \\\\", "\\hline",
    ],
    "json": ["[", "]", "{", "}", ",", '"component": "a"', '"metric": null', "NaN", "1"],
    "csv": [
        *FORMATS["csv"](OLD).split("\n"), "a,b", '"', "component,language,dataset,metric",
        ",,,",
    ],
    "hf": [
        *FORMATS["hf"](OLD).split("\n"), "---", "a: 1", "model-index:", "- name: a",
        "  results: []",
        "# c", "- 1", "  results: {}", "b: &x 1", "c: *x", "? y", "!!t z", "a: 2024-01-01", "\t",
    ],
}  # fmt: skip
"""What files are made of, for some that are nearly right."""


@pytest.mark.parametrize("form", FORMATS)
@given(data=st.data())
@settings(max_examples=300)
def test_whatever_the_old_text(form: str, data: st.DataObject) -> None:
    """Refused, or right: the row is in it once, and once more changes nothing."""
    pieces = data.draw(st.lists(st.sampled_from(PIECES[form]), max_size=12))
    ends = data.draw(st.sampled_from(["\n", "\r\n", "\n\n", ""]))
    old, card = ends.join(pieces), data.draw(st.booleans())
    try:
        new = merged(form, old, [NEW], card=card)
    except RowsFileError as error:
        assert 1 <= error.line <= old.count("\n") + 1 and str(error)
        return
    assert merged(form, new, [NEW], card=card) == new
    if form in ("markdown", "latex"):
        # No line is lost but rows of the same key.
        kept = [line for line in old.split("\n") if "a & en & LAS" not in line]
        kept = [line for line in kept if "| a | en | LAS |" not in line]
        lines = iter(new.split("\n"))
        assert all(line in lines for line in kept)


def test_an_unknown_format() -> None:
    with pytest.raises(KeyError, match="use one of markdown, json, csv, latex, hf"):
        merged("word", "", OLD)
