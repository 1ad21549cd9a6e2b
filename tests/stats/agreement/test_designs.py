"""Every coefficient against an independent implementation, over random designs.

A few hundred designs every day, more than two thousand in the proofs marked `slow`.
"""

import warnings
from collections.abc import Callable
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pingouin
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.regression.mixed_linear_model import MixedLM, MixedLMParams
from statsmodels.stats.inter_rater import fleiss_kappa

from scoring.stats.agreement import alpha as alpha_module
from scoring.stats.agreement.alpha import Level, alpha
from scoring.stats.agreement.fleiss import fleiss
from scoring.stats.agreement.variance import moments, reml
from scoring.stats.agreement.variance.crossed import Crossed
from scoring.stats.agreement.variance.icc import one_way_figures, two_way_figures
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.data.bootstrap.count_patterns import patterns_of
from scoring.stats.data.bootstrap.distinct_patterns import distinct_sequences
from tests.stats.samples import likert, long_form, ratings_of

ONCE = Resampling(replicates=1)
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
PINGOUIN = {
    "ICC(1,1)": "icc1",
    "ICC(A,1)": "icc2",
    "ICC(C,1)": "icc3",
    "ICC(1,k)": "icc1k",
    "ICC(A,k)": "icc2k",
    "ICC(C,k)": "icc3k",
}


def matrices(values: list[float], most_raters: int = 5) -> st.SearchStrategy[FloatArray]:
    """Items × raters of some of the values."""
    shapes = st.tuples(st.integers(2, 12), st.integers(2, most_raters))
    return shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=st.sampled_from(values)))


complete = matrices([1.0, 2.0, 3.0, 4.0, 5.0])
incomplete = matrices([1.0, 2.0, 3.0, 4.5, np.nan, np.nan])


def designs(everyday: int, thorough: int) -> pytest.MarkDecorator:
    """How many designs a proof goes through every day, and when it is run as slow."""
    return pytest.mark.parametrize("number", [everyday, pytest.param(thorough, marks=pytest.mark.slow)])


def prove(number: int, check: Callable[..., None], *given_by: st.SearchStrategy[Any]) -> None:
    """Run the check over so many random designs."""
    limits = settings(max_examples=number, deadline=None, suppress_health_check=list(HealthCheck))
    limits(given(*given_by)(check))()


def package_alpha(values: FloatArray, level: Level) -> float:
    """α of items × raters by the package; NaN where it has none."""
    try:
        with np.errstate(all="ignore"):
            return float(krippendorff.alpha(reliability_data=values.T, level_of_measurement=level))
    except ValueError:
        return np.nan


@designs(100, 700)
def test_alpha_of_any_incomplete_design_is_that_of_the_package(number):
    def check(values: FloatArray) -> None:
        assume(not np.isnan(values).all())
        ratings = ratings_of(long_form(values))
        paired = ((~np.isnan(values)).sum(axis=1) >= 2).sum()
        for level in LEVELS:
            # Of one item the package says 0, but nothing is known of how far items differ.
            number = package_alpha(values, level) if paired > 1 else np.nan
            expected = pytest.approx(number, abs=1e-9, nan_ok=True)
            assert alpha(ratings, level, ONCE).estimate == expected, level
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(alpha_module, "PACKAGE_CELLS", 0)
                assert alpha(ratings, level, ONCE).estimate == expected, level

    prove(number, check, incomplete)


@designs(100, 700)
def test_every_bootstrap_replicate_of_alpha_is_that_of_the_package_on_the_items_drawn(number):
    def check(values: FloatArray, seed: int) -> None:
        values = values[(~np.isnan(values)).sum(axis=1) >= 2]
        assume(len(values))
        ratings = ratings_of(long_form(values))
        patterns = patterns_of(ratings)
        category = np.searchsorted(ratings.categories, ratings.value)
        pattern = distinct_sequences(ratings, category, in_order=False).of_item
        drawn = np.random.default_rng(seed).integers(0, len(values), len(values))
        weights = np.bincount(pattern[drawn], minlength=len(patterns.frequency)).astype(float)
        for level in LEVELS:
            (replicate,) = alpha_module._alphas(weights[None, :], ratings, patterns, level)
            expected = package_alpha(values[drawn], level)
            assert replicate == pytest.approx(expected, abs=1e-9, nan_ok=True), level

    prove(number, check, incomplete, st.integers(0, 10_000))


@designs(100, 600)
def test_fleiss_of_any_complete_design_is_that_of_statsmodels(number):
    def check(values: FloatArray) -> None:
        counts = np.stack([(values == value).sum(axis=1) for value in range(1, 6)], axis=1)
        figure = fleiss(ratings_of(long_form(values)), ONCE)
        if len(np.unique(values)) == 1:
            assert figure.reason == "constant_ratings"
        else:
            assert figure.estimate == pytest.approx(fleiss_kappa(counts), abs=1e-9)

    prove(number, check, complete)


@designs(100, 600)
def test_the_icc_of_any_complete_design_are_those_of_pingouin(number):
    def check(values: FloatArray) -> None:
        # pingouin takes five ratings or more, and divides by what agreement leaves: nothing.
        within = values - values.mean(axis=1, keepdims=True)
        assume(values.size >= 5 and np.ptp(within - within.mean(axis=0)) > 1e-9)
        assume(np.ptp(values.mean(axis=1)) > 1e-9)
        frame = long_form(values)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            table = pingouin.intraclass_corr(frame, targets="item", raters="rater", ratings="value")
        expected = dict(zip(table["Type"].map(PINGOUIN), table["ICC"], strict=True))
        ratings = ratings_of(frame)
        for figure in one_way_figures(ratings, ONCE) + two_way_figures(ratings, ONCE):
            if not figure.reason:
                assert figure.estimate == pytest.approx(expected[figure.coefficient], rel=1e-9, abs=1e-9)

    prove(number, check, complete)


@designs(60, 400)
def test_reml_of_any_incomplete_design_is_at_least_as_likely_as_that_of_statsmodels(number):
    def check(seed: int, items: int, raters: int) -> None:
        values = likert(seed, items, raters, missing=0.3)
        assume((~np.isnan(values)).sum(axis=0).all())
        design = Crossed.of(ratings_of(long_form(values)))
        assume(min(design.residual_df, design.n_rows - design.pieces, design.n_columns - design.pieces) >= 1)
        fit = reml.fit(design, moments.from_sums_of_squares(design))
        # statsmodels admits no negative variance and loses its way near zero.
        assume(not fit.boundary and fit.variances.min() > 0.02)
        model = statsmodels_model(design)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = model.fit(reml=True)
            # Of few ratings the likelihood may have another maximum, near zero: see the page on the ICC.
            assume(min(theirs.vcomp) > 0.02)
            ours = model.loglike(
                MixedLMParams.from_components(
                    fe_params=np.zeros(1), cov_re=np.zeros((0, 0)), vcomp=fit.variances[:2] / fit.variances[2]
                )
            )
        assert ours >= theirs.llf - 1e-11 * abs(theirs.llf)
        # Where its optimiser came as far as this one, the components agree as far as its own digits go.
        if ours - theirs.llf < 1e-7:
            found = [*theirs.vcomp, theirs.scale]
            assert fit.variances == pytest.approx(found, rel=5e-3, abs=1e-3)

    prove(number, check, st.integers(0, 10_000), st.integers(8, 25), st.integers(3, 6))


def statsmodels_model(design: Crossed) -> MixedLM:
    data = pd.DataFrame({"y": design.value, "larger": design.row, "smaller": design.column})
    return MixedLM.from_formula(
        "y ~ 1",
        groups=np.ones(len(data)),
        data=data,
        re_formula="0",
        vc_formula={"larger": "0 + C(larger)", "smaller": "0 + C(smaller)"},
    )
