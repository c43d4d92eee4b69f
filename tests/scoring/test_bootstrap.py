"""The percentile bootstrap: which resamples are drawn, and what is made of them."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring import bootstrap
from goldlens.scoring.bootstrap import Interval, Resampling, interval, resampled
from goldlens.scoring.draws import indexes
from goldlens.scoring.sample import Sample, f1, ratio, share


def sample(rows: object) -> Sample:
    return Sample(np.array(rows, np.int64).reshape(-1, 3), {"F1": f1(0, 1, 2)})


def literally(counts: np.ndarray, seed: int, resamples: int) -> np.ndarray:
    """The definition, one resample at a time."""
    n = len(counts)
    return np.array([counts[indexes(seed, r * n, n, n)].sum(axis=0) for r in range(resamples)])


class TestResamples:
    @given(
        st.integers(1, 40),
        st.integers(1, 5),
        st.integers(0, 2**64 - 1),
        st.sampled_from([2**3, 2**40]),
    )
    def test_each_sums_the_counts_of_the_units_it_draws(
        self, units: int, width: int, seed: int, most: int
    ) -> None:
        counts = np.random.default_rng(seed).integers(0, most, (units, width))
        found = resampled([Sample(counts, {})], seed, 100)[0]
        assert np.array_equal(found, literally(counts, seed, 100))

    @pytest.mark.parametrize("units", [1, 700, 40_000])
    def test_whatever_is_done_at_a_time(self, monkeypatch: pytest.MonkeyPatch, units: int) -> None:
        counts = np.random.default_rng(3).integers(0, 9, (units, 2))
        expected = literally(counts, 11, 100)
        for multiplied, drawn in [(1, 1), (1 << 12, 1 << 15), (1 << 21, 1 << 10)]:
            monkeypatch.setattr(bootstrap, "_MULTIPLIED", multiplied)
            monkeypatch.setattr(bootstrap, "_DRAWN", drawn)
            assert np.array_equal(resampled([Sample(counts, {})], 11, 100)[0], expected)

    @pytest.mark.parametrize("density", [0.0, 0.001, 0.03, 0.5])
    def test_counts_that_are_mostly_zero(self, density: float) -> None:
        generator = np.random.default_rng(6)
        counts = generator.integers(1, 9, (300, 400)) * (generator.random((300, 400)) < density)
        found = resampled([Sample(counts, {})], 11, 100)[0]
        assert np.array_equal(found, literally(counts, 11, 100))

    def test_counts_may_be_less_than_nothing(self) -> None:
        counts = np.array([[-3, 2], [5, -7]])
        assert np.array_equal(resampled([Sample(counts, {})], 1, 100)[0], literally(counts, 1, 100))

    def test_sums_beyond_32_bits_are_exact(self) -> None:
        counts = np.full((3, 1), 2**31 - 1)
        assert resampled([Sample(counts, {})], 1, 100)[0].tolist() == [[3 * (2**31 - 1)]] * 100

    def test_all_systems_take_the_same_draws(self) -> None:
        generator = np.random.default_rng(5)
        a, b = generator.integers(0, 9, (50, 3)), generator.integers(0, 9, (50, 7))
        both = resampled([Sample(a, {}), Sample(b, {})], 1, 100)
        alone = [resampled([Sample(counts, {})], 1, 100)[0] for counts in (a, b)]
        assert [found.tolist() for found in both] == [found.tolist() for found in alone]

    def test_another_seed_draws_otherwise(self) -> None:
        counts = np.arange(50)[:, None]
        one, other = (resampled([Sample(counts, {})], seed, 100)[0] for seed in (1, 2))
        assert not np.array_equal(one, other)

    def test_systems_of_different_test_sets_are_refused(self) -> None:
        with pytest.raises(ValueError, match="2 and 3 units"):
            resampled([sample([[1, 1, 1]] * 2), sample([[1, 1, 1]] * 3)], 1, 100)

    def test_no_units_sum_to_nothing(self) -> None:
        assert resampled([sample([])], 1, 100)[0].tolist() == [[0, 0, 0]] * 100

    def test_no_threads_are_started(self) -> None:
        """BLAS would take all cores; here no thread but the one that asked does any work."""
        code = (
            "import time, numpy as np\n"
            "from goldlens.scoring.bootstrap import resampled\n"
            "from goldlens.scoring.sample import Sample\n"
            "s = Sample(np.ones((60_000, 36), np.int64), {})\n"
            "other = time.process_time() - time.thread_time()\n"
            "resampled([s], 1, 300)\n"
            "print(time.process_time() - time.thread_time() - other)"
        )
        environment = {k: v for k, v in os.environ.items() if "THREADS" not in k}
        said = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env=environment
        )
        assert float(said.stdout) < 0.05


class TestInterval:
    def test_of_a_thousand_it_runs_from_entry_25_to_entry_974(self) -> None:
        values = np.random.default_rng(1).permutation(1000).astype(float)
        assert interval(values, 0.95) == Interval(25, 974)

    @given(st.integers(100, 5000), st.integers(1, 999))
    def test_other_levels_likewise(self, size: int, mille: int) -> None:
        outside = Fraction(1000 - mille, 2000)
        low = size * outside.numerator // outside.denominator
        inside = 1 - outside
        high = -(-size * inside.numerator // inside.denominator) - 1
        assert interval(np.arange(size), mille / 1000) == Interval(low, high)

    @pytest.mark.parametrize(
        ("size", "level", "low", "high"),
        [(1000, 0.9, 50, 949), (1000, 0.99, 5, 994), (100, 0.95, 2, 97), (200, 0.95, 5, 194)],
    )
    def test_binary_fractions_shift_nothing(
        self, size: int, level: float, low: int, high: int
    ) -> None:
        assert interval(np.arange(size), level) == Interval(low, high)

    def test_needs_values(self) -> None:
        with pytest.raises(ValueError, match="needs some"):
            interval(np.array([]), 0.95)

    def test_its_bounds_are_closed(self) -> None:
        assert 1.0 in Interval(1, 2) and 2.0 in Interval(1, 2)
        assert 0.99 not in Interval(1, 2) and 2.01 not in Interval(1, 2)
        assert Interval(1, 2).overlaps(Interval(2, 3)) and Interval(2, 3).overlaps(Interval(1, 2))
        assert not Interval(1, 2).overlaps(Interval(2.01, 3))
        assert Interval(1, 9).overlaps(Interval(3, 4)) and Interval(3, 4).overlaps(Interval(1, 9))


class TestResampling:
    def test_the_defaults(self) -> None:
        assert (Resampling().resamples, Resampling().level) == (1000, 0.95)

    def test_at_least_100_resamples(self) -> None:
        assert Resampling(100).resamples == 100
        with pytest.raises(ValueError, match="99 resamples are too few"):
            Resampling(99)

    def test_at_most_so_many_that_their_sums_fit_into_memory(self) -> None:
        assert Resampling(1_000_000).resamples == 1_000_000
        with pytest.raises(ValueError, match="1000001 resamples are too many; 1000000 are enough"):
            Resampling(1_000_001)

    @pytest.mark.parametrize("seed", [-1, 2**64])
    def test_a_seed_has_64_bits(self, seed: int) -> None:
        assert [Resampling(seed=each).seed for each in (0, 2**64 - 1)] == [0, 2**64 - 1]
        with pytest.raises(ValueError, match="give one from 0 to 18446744073709551615"):
            Resampling(seed=seed)

    @pytest.mark.parametrize("level", [0.0, 1.0, -0.5, 95, float("nan")])
    def test_a_level_lies_between_0_and_1(self, level: float) -> None:
        with pytest.raises(ValueError, match="between 0 and 1"):
            Resampling(level=level)


class TestStatistics:
    def test_f1_and_ratios_are_points(self) -> None:
        sums = np.array([[3, 4, 6], [0, 0, 0], [0, 5, 0]])
        assert f1(0, 1, 2)(sums).tolist() == [60.0, 0.0, 0.0]
        assert ratio(0, 2)(sums).tolist() == [50.0, 0.0, 0.0]
        assert f1(0, 1, 2)(sums[0]) == 60.0

    def test_nothing_of_nothing_is_0(self) -> None:
        assert share(np.array([0, 2]), np.array([0, 4])).tolist() == [0.0, 50.0]


class TestMeaning:
    def test_the_interval_of_a_known_f1_covers_it_as_often_as_it_says(self) -> None:
        """1,000 test sets of 250 sentences from a population whose F1 is known."""
        generator = np.random.default_rng(20260101)
        population = _sentences(generator, 400_000)
        truth = float(f1(0, 1, 2)(population.sum(axis=0)))
        held = 0
        for trial in range(1000):
            counts = _sentences(generator, 250)
            sums = resampled([Sample(counts, {})], trial, 1000)[0]
            held += truth in interval(f1(0, 1, 2)(sums), 0.95)
        assert 930 <= held <= 970

    def test_scipy_finds_nearly_the_same_interval(self) -> None:
        counts = _sentences(np.random.default_rng(4), 400)

        def statistic(*columns: np.ndarray, axis: int = -1) -> np.ndarray:
            sums = np.stack([column.sum(axis=axis) for column in columns], axis=-1)
            return f1(0, 1, 2)(sums)

        theirs = scipy.stats.bootstrap(
            tuple(counts.T), statistic, n_resamples=4000, method="percentile", paired=True,
            vectorized=True, random_state=1,
        ).confidence_interval  # fmt: skip
        ours = interval(f1(0, 1, 2)(resampled([Sample(counts, {})], 1, 4000)[0]), 0.95)
        assert ours.low == pytest.approx(theirs.low, abs=0.35)
        assert ours.high == pytest.approx(theirs.high, abs=0.35)


def _sentences(generator: np.random.Generator, size: int) -> np.ndarray:
    """Sentences of some spans each: of some most are found, and some are found that are not."""
    gold = generator.poisson(3, size)
    skill = generator.beta(8, 2, size)
    correct = generator.binomial(gold, skill)
    spurious = generator.poisson(0.5, size)
    return np.stack([correct, gold, correct + spurious], axis=1)
