"""A study summed up: summaries, comparisons, rankings, correlations, the worst groups, reports."""

from __future__ import annotations

import csv
import io
import random

import pytest

from goldlens.scoring.stemming.audit import worst
from goldlens.scoring.stemming.correlation import (
    NO_VARIANCE,
    TOO_FEW,
    UNDEFINED,
    Correlation,
    correlation,
    ranks,
)
from goldlens.scoring.stemming.evaluate import read_dictionary, read_outputs
from goldlens.scoring.stemming.indices import INDICES
from goldlens.scoring.stemming.policies import (
    ALL_WORDS,
    ANY_CANDIDATE,
    POLICIES,
    PRIMARY_OUTPUT,
    Pairs,
)
from goldlens.scoring.stemming.report import (
    correlations_csv,
    markdown,
    rows_csv,
)
from goldlens.scoring.stemming.study import (
    DictionaryEntry,
    Filter,
    Key,
    Row,
    StemmerEntry,
    Study,
    wrong_keys,
)
from goldlens.scoring.stemming.summaries import (
    comparisons,
    correlations,
    rankings,
    summaries,
)
from tests.scoring.stemming.brute import Case, counted, random_case

STUDY = Study(
    (
        DictionaryEntry("en", "en", "en.tsv"),
        DictionaryEntry("de", "de", "de.tsv"),
        DictionaryEntry("de-old", "de", "old.tsv", default=False),
    ),
    (
        StemmerEntry("one", "{language}/one.tsv"),
        StemmerEntry("two", "two/{dictionary}.tsv", ("de",)),
    ),
    (ALL_WORDS,),
    (PRIMARY_OUTPUT, ANY_CANDIDATE),
)


def row(
    stemmer: str,
    language: str,
    pairs: Pairs,
    *,
    policy: str = PRIMARY_OUTPUT,
    default: bool = True,
) -> Row:
    return Row(Key(stemmer, language, language, ALL_WORDS, policy), pairs, "1", "f" * 64, default)


GOOD, MIDDLE, BAD = Pairs(9, 1, 10, 0, 26), Pairs(9, 5, 10, 1, 26), Pairs(9, 9, 10, 9, 26)
NO_GROUPS = Pairs(5, 0, 0, 1, 10)


def test_a_study_has_each_stemmer_with_each_dictionary_of_its_languages() -> None:
    assert [(s.name, d.id, s.path(d)) for s, d in STUDY.runs()] == [
        ("one", "en", "en/one.tsv"),
        ("one", "de", "de/one.tsv"),
        ("one", "de-old", "de/one.tsv"),
        ("two", "de", "two/de.tsv"),
        ("two", "de-old", "two/de-old.tsv"),
    ]
    assert len(STUDY.keys()) == 5 * 1 * 2
    assert STUDY.keys()[0] == Key("one", "en", "en", ALL_WORDS, PRIMARY_OUTPUT)


def test_a_filter_leaves_what_is_wanted() -> None:
    found = STUDY.filtered(Filter(stemmers=("one",), languages=("de",), policies=(ANY_CANDIDATE,)))
    keys = found.keys()
    assert list(map(str, keys)) == [
        "one / de / de / ALL_WORDS / ANY_CANDIDATE",
        "one / de / de-old / ALL_WORDS / ANY_CANDIDATE",
    ]
    assert STUDY.filtered(Filter()) == STUDY
    assert not Filter()
    assert Filter(modes=(ALL_WORDS,))


def test_keys_are_missing_or_there_twice_or_unexpected() -> None:
    first, second, third = STUDY.keys()[:3]
    assert wrong_keys([first, second], [first, second]) == []
    assert wrong_keys([first, second], [first, first, third]) == [
        ("duplicate", first),
        ("missing", second),
        ("unexpected", third),
    ]


def test_micro_adds_counts_and_macro_averages_what_is_defined() -> None:
    [summary] = summaries(
        [row("one", "en", GOOD), row("one", "de", BAD), row("one", "x", NO_GROUPS)]
    )
    assert summary.languages == ("en", "de", "x")
    assert summary.pairs == Pairs(23, 10, 20, 10, 62)
    assert summary.micro["UI"] == 50
    assert (summary.macro["UI"].value, summary.macro["UI"].defined) == (50, 2)
    assert summary.macro["OI"].value == pytest.approx((0 + 100 * 9 / 26 + 10) / 3)
    assert summary.macro["OI"].defined == 3


def test_a_dictionary_that_is_not_the_default_is_in_no_summary() -> None:
    rows = [row("one", "en", GOOD), row("one", "en", BAD, default=False)]
    [summary] = summaries(rows)
    assert summary.pairs == GOOD
    assert rankings(rows, "F0.5")[0].places[0][2].value == rows[0].indices["F0.5"]
    assert correlations(rows)[0].observations == 1


def test_stemmers_are_compared_in_the_languages_that_both_have() -> None:
    rows = [
        row("one", "en", GOOD),
        row("one", "de", BAD),
        row("two", "de", MIDDLE),
        row("two", "fr", GOOD),
        row("three", "is", GOOD),
    ]
    [found] = comparisons(rows, "UI")
    assert (found.a, found.b, found.languages) == ("one", "two", ("de",))
    assert found.micro == (90, 50)
    assert found.as_dict()["macro_difference"] == 40


def test_a_ranking_is_over_the_languages_that_all_have_best_first() -> None:
    rows = [
        row("worse", "de", MIDDLE),
        row("worse", "en", GOOD),
        row("best", "de", GOOD),
        row("same", "de", GOOD),
        row("none", "de", Pairs(5, 0, 0, 0, 10)),
    ]
    [found] = rankings(rows, "F0.5")
    assert found.languages == ("de",)
    assert [(rank, name) for rank, name, _ in found.places] == [
        (1, "best"),
        (1, "same"),
        (3, "worse"),
        (None, "none"),
    ]
    [found] = rankings(rows, "UI")
    assert [name for _, name, _ in found.places] == ["best", "same", "worse", "none"]


def test_stemmers_without_a_common_language_are_not_ranked() -> None:
    [found] = rankings([row("one", "en", GOOD), row("two", "de", BAD)], "F0.5")
    assert found.languages == ()
    assert [(rank, mean.defined) for rank, _, mean in found.places] == [(None, 0), (None, 0)]


def test_a_policy_without_the_index_has_no_ranking() -> None:
    rows = [row("one", "en", GOOD, policy=ANY_CANDIDATE)]
    assert rankings(rows, "F0.5") == []
    assert len(rankings(rows, "OI")) == 1


def test_ties_have_the_mean_of_their_ranks() -> None:
    assert ranks([3.0, 1.0, 3.0, 2.0, 3.0]) == [4, 1, 4, 2, 4]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([(1.0, 2.0), (2.0, 3.0)], TOO_FEW),
        ([(1.0, None), (2.0, 3.0)], TOO_FEW),
        ([(1.0, 2.0), (2.0, 3.0), (3.0, None), (4.0, 5.0)], UNDEFINED),
        ([(1.0, 2.0), (1.0, 3.0), (1.0, 1.0)], NO_VARIANCE),
        ([(1.0, 2.0), (3.0, 2.0), (2.0, 2.0)], NO_VARIANCE),
    ],
)
def test_a_missing_correlation_says_why(
    values: list[tuple[float | None, float | None]], why: str
) -> None:
    found = correlation("m", "p", "a", "b", values)
    assert found == Correlation("m", "p", "a", "b", len(values), None, None, why)


def test_values_that_differ_a_little_vary() -> None:
    values = [(1.0, 5.0), (1.0 + 1e-15, 6.0), (1.0, 5.0)]
    assert correlation("", "", "a", "b", values).pearson == 1
    tiny = [(1e-200, 1.0), (2e-200, 2.0), (3e-200, 3.5)]
    assert correlation("", "", "a", "b", tiny).pearson == pytest.approx(0.9933992677987828)


def test_correlations_are_of_each_two_indices_a_mode_and_policy() -> None:
    rows = [row("one", name, pairs) for name, pairs in zip("abc", (GOOD, MIDDLE, BAD), strict=True)]
    found = correlations(rows)
    assert len(found) == len(INDICES) * (len(INDICES) - 1) // 2
    first = found[0]
    assert (first.a, first.b, first.observations, first.spearman) == ("UI", "OI", 3, 1)
    bound = correlations([row("one", "a", GOOD, policy=ANY_CANDIDATE)])
    assert [(each.a, each.b, each.missing) for each in bound] == [("UI", "OI", TOO_FEW)]


@pytest.mark.parametrize("policy", POLICIES)
def test_the_worst_groups_are_those_with_the_most_wrong_pairs(policy: str) -> None:
    chance = random.Random(5)
    for _ in range(80):
        case = random_case(chance)
        gold, found = read_dictionary(case.gold), read_outputs(case.pred)
        audited = worst(gold.groups, found.output, policy, 100)
        expected = sorted(
            (
                (-under - over, number, under, over)
                for number, group in enumerate(case.groups)
                for under, over in [wrong_pairs(case, group, policy)]
                if under + over
            )
        )
        assert [(each.group, each.under_error, each.over_error) for each in audited] == [
            each[1:] for each in expected
        ]
        assert worst(gold.groups, found.output, policy, 1) == audited[:1]


def wrong_pairs(case: Case, group: object, policy: str) -> tuple[int, int]:
    """Pair by pair: separated pairs of a group, and conflated ones of it and unrelated forms."""
    assert isinstance(group, list)
    inside = counted(Case([group], case.stems))[policy].under_error
    over = 0
    everything = {form for its in case.groups for form in its}
    for form in group:
        for other in everything - set(group):
            if any(form in its and other in its for its in case.groups):
                continue
            over += counted(Case([[form], [other]], case.stems))[policy].over_error
    return inside, over


def test_csv_is_unrounded_and_leaves_undefined_cells_empty() -> None:
    rows = [row("one", "en", MIDDLE), row("a,b", "de", NO_GROUPS)]
    first, second = csv.DictReader(io.StringIO(rows_csv(rows)))
    assert float(first["precision"]) == 100 * 5 / 6
    assert (first["under_error"], first["version"], first["sha256"]) == ("5", "1", "f" * 64)
    assert (second["stemmer"], second["UI"], second["OI"]) == ("a,b", "", "10.0")
    text = correlations_csv([correlation("m", "p", "UI", "OI", [(1.0, 2.0)])], "pearson")
    assert text == f"mode,policy,a,b,observations,pearson,missing\nm,p,UI,OI,1,,{TOO_FEW}\n"


def test_markdown_shows_two_decimals_and_names_what_is_undefined() -> None:
    rows = [row("one|two", "en", MIDDLE), row("one|two", "de", NO_GROUPS)]
    text = markdown(
        rows,
        summaries(rows),
        comparisons(rows, "F0.5"),
        rankings(rows, "F0.5"),
        correlations(rows),
        [],
        "F0.5",
    )
    assert (
        "| one\\|two | en | en | ALL_WORDS | PRIMARY_OUTPUT | 9 | 5 / 10 | 1 / 26 | 50.00 |" in text
    )
    assert "| 0 / 0 | 1 / 10 | n/a | 10.00 |" in text
    assert "| 50.00 (1) |" in text
    assert text.count(TOO_FEW) == 2 * (len(INDICES) - 1)
    assert "f" * 64 in text
