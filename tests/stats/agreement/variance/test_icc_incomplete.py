"""Intraclass correlations of incomplete ratings: REML, moments, one-way ANOVA, and their intervals."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import fmin
from statsmodels.regression.mixed_linear_model import MixedLM

from scoring.bundle.recompute.coefficients.icc.forms import compute_iccs
from scoring.bundle.recompute.drawing import Drawing
from scoring.bundle.recompute.ratings import code_ratings
from scoring.stats.agreement.variance import crossed as crossed_module
from scoring.stats.agreement.variance import icc, moments, reml
from scoring.stats.agreement.variance.crossed import Crossed
from scoring.stats.agreement.variance.icc import ONE_WAY, TWO_WAY, one_way_figures, two_way_figures
from scoring.stats.base.cautions import at_mean_k
from scoring.stats.base.resampling import FloatArray, Resampling
from tests.stats.samples import likert, long_form, ratings_of

QUICK = Resampling(replicates=200, seed=2)


def crossed(seed, items=30, raters=5, missing=0.3, **spread):
    return Crossed.of(ratings_of(long_form(likert(seed, items, raters, missing=missing, **spread))))


def fitted(design):
    return reml.fit(design, moments.from_sums_of_squares(design))


def restricted_likelihood(design: Crossed, variances: FloatArray) -> float:
    """Straight from the definition, with the whole covariance."""
    rows, columns = np.eye(design.n_rows)[design.row], np.eye(design.n_columns)[design.column]
    covariance = variances[0] * rows @ rows.T + variances[1] * columns @ columns.T
    covariance += variances[2] * np.eye(len(design.value))
    sign, determinant = np.linalg.slogdet(covariance)
    if sign <= 0 or np.linalg.eigvalsh(covariance)[0] <= 0:
        return -np.inf
    inverse, ones = np.linalg.inv(covariance), np.ones(len(design.value))
    precision = ones @ inverse @ ones
    centred = design.value - (ones @ inverse @ design.value) / precision
    return float(-(determinant + np.log(precision) + centred @ inverse @ centred) / 2)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_reml_equals_anova_on_complete_ratings(seed):
    values = likert(seed, 25, 4)
    n, k = values.shape
    rows = k * values.mean(axis=1).var(ddof=1)
    columns = n * values.mean(axis=0).var(ddof=1)
    rest = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    error = (rest**2).sum() / ((n - 1) * (k - 1))
    design = crossed(seed, 25, 4, 0)
    expected = [(rows - error) / k, (columns - error) / n, error]
    assert fitted(design).variances == pytest.approx(expected, abs=1e-10)
    assert reml.fit(design, np.ones(3)).variances == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_reml_maximises_the_restricted_likelihood_of_the_definition(seed):
    design = crossed(seed, 20, 5, 0.4)
    found = fitted(design).variances

    def badness(variances: FloatArray) -> float:
        return -restricted_likelihood(design, variances)

    best = fmin(
        badness,
        found * 1.2,
        xtol=1e-9,
        ftol=1e-12,
        maxiter=4000,
        disp=False,
    )
    assert found == pytest.approx(best, abs=2e-6)


def test_reml_equals_statsmodels_on_incomplete_ratings():
    design = crossed(8, 40, 6, 0.3)
    data = pd.DataFrame({"y": design.value, "item": design.row, "rater": design.column})
    model = MixedLM.from_formula(
        "y ~ 1", groups=np.ones(len(data)), data=data, re_formula="0",
        vc_formula={"item": "0 + C(item)", "rater": "0 + C(rater)"},
    )  # fmt: skip
    result = model.fit(reml=True)
    assert fitted(design).variances == pytest.approx([*result.vcomp, result.scale], rel=2e-3)


def test_it_gives_the_same_components_whichever_factor_is_larger():
    values = likert(9, 12, 12, missing=0.3)
    tall = Crossed.of(ratings_of(long_form(values)))
    wide = Crossed(tall.column, tall.row, tall.value, not tall.items_are_rows)
    assert tall.components(*fitted(tall).variances).item == pytest.approx(
        wide.components(*fitted(wide).variances).item, abs=1e-8
    )


def test_a_negative_component_inside_the_admissible_region_is_not_set_to_zero():
    rng = np.random.default_rng(0)
    values = rng.permuted(np.tile(np.arange(1.0, 6.0), (30, 1)), axis=1)
    values[0, 0] = np.nan
    figure = next(f for f in two_way_figures(ratings_of(long_form(values)), QUICK) if f.coefficient == "icc2")
    assert figure.estimate < 0


def test_residuals_of_exactly_zero_carry_the_flag_boundary():
    values = np.arange(1.0, 13.0)[:, None] + np.array([[0.0, 2.0, 5.0]])
    values[0, 0] = np.nan
    figures = {f.coefficient: f for f in two_way_figures(ratings_of(long_form(values)), QUICK)}
    assert figures["icc3"].estimate == pytest.approx(1, abs=1e-9)
    assert figures["icc2"].flags == ("boundary",)
    assert "flag:boundary" in figures["icc2"].signature


def test_moments_equal_anova_on_complete_ratings():
    design = crossed(10, 25, 4, 0)
    assert moments.gao_owen(design) == pytest.approx(fitted(design).variances, abs=1e-10)


def test_large_designs_have_the_sums_of_squares_and_intervals_of_small_ones(monkeypatch):
    values = likert(14, 90, 40, missing=0.85)
    exact = Crossed.of(ratings_of(long_form(values)))
    expected, by_exact = exact.sums_of_squares, two_way_figures(ratings_of(long_form(values)), QUICK)
    monkeypatch.setattr(crossed_module, "EXACT_SPECTRUM", 0)
    iterated = Crossed.of(ratings_of(long_form(values)))
    assert iterated.sums_of_squares == pytest.approx(expected, rel=1e-9)
    assert iterated.row_spectrum.trace == pytest.approx(exact.row_spectrum.trace, rel=1e-9)
    assert iterated.column_spectrum.trace == pytest.approx(exact.column_spectrum.trace, rel=1e-9)
    for small, large in zip(by_exact, two_way_figures(ratings_of(long_form(values)), QUICK), strict=True):
        assert [large.low, large.high] == pytest.approx([small.low, small.high], abs=0.015)


def test_it_does_not_matter_whether_rows_are_counted_by_size(monkeypatch):
    design = crossed(15, 60, 12, 0.6)
    by_size = fitted(design).variances
    monkeypatch.setattr(crossed_module, "FEW_SIZES", 0)
    assert fitted(crossed(15, 60, 12, 0.6)).variances == pytest.approx(by_size, abs=1e-10)


def test_moments_take_over_beyond_the_limit_and_say_so(monkeypatch):
    ratings = ratings_of(long_form(likert(11, 400, 30, missing=0.8)))
    by_reml = two_way_figures(ratings, QUICK)[0]
    monkeypatch.setattr(icc, "REML_LIMIT", 5)
    by_moments = two_way_figures(ratings, QUICK)[0]
    assert (by_reml.variant, by_moments.variant) == ("REML", "moments (Gao & Owen 2017)")
    assert by_moments.estimate == pytest.approx(by_reml.estimate, abs=0.05)


def test_one_empty_cell_hardly_moves_estimate_and_interval():
    values = likert(12, 60, 4)
    complete = two_way_figures(ratings_of(long_form(values)), QUICK)
    values[7, 2] = np.nan
    incomplete = two_way_figures(ratings_of(long_form(values)), QUICK)
    for before, after in zip(complete, incomplete, strict=True):
        assert after.estimate == pytest.approx(before.estimate, abs=0.02)
        # The pivots give ICC2 a longer lower tail than Satterthwaite's approximation does.
        close = 0.03 if before.coefficient.startswith("icc3") else 0.15
        assert [after.low, after.high] == pytest.approx([before.low, before.high], abs=close)


def test_the_unbalanced_one_way_estimate_is_that_of_the_textbook():
    values = likert(13, 15, 5, missing=0.4)
    groups = [row[~np.isnan(row)] for row in values if not np.isnan(row).all()]
    sizes = np.array([len(group) for group in groups])
    total, n = sizes.sum(), len(groups)
    grand = np.concatenate(groups).mean()
    between = sum(len(g) * (g.mean() - grand) ** 2 for g in groups) / (n - 1)
    within = sum(((g - g.mean()) ** 2).sum() for g in groups) / (total - n)
    k0 = (total - (sizes**2).sum() / total) / (n - 1)
    single = one_way_figures(ratings_of(long_form(values)), QUICK)[0]
    assert single.estimate == pytest.approx((between - within) / (between + (k0 - 1) * within), abs=1e-12)


@pytest.mark.parametrize(("items", "raters", "missing"), [(40, 3, 0.2), (60, 6, 0.5)])
@pytest.mark.slow
def test_the_intervals_of_incomplete_ratings_cover_what_they_promise(items, raters, missing):
    rng = np.random.default_rng(20)
    covered = {"icc2": 0, "icc3": 0}
    truth = {"icc2": 1 / (1 + 0.4 + 0.6), "icc3": 1 / (1 + 0.6)}
    studies = 200
    for study in range(studies):
        values = rng.normal(0, 1, (items, 1)) + rng.normal(0, 0.4**0.5, (1, raters))
        values = values + rng.normal(0, 0.6**0.5, (items, raters))
        values[rng.random(values.shape) < missing] = np.nan
        for figure in two_way_figures(ratings_of(long_form(values)), Resampling(seed=study)):
            if figure.coefficient in covered:
                covered[figure.coefficient] += figure.low <= truth[figure.coefficient] <= figure.high
    # 95 % less three standard errors of 200 studies.
    for number in covered.values():
        assert number / studies >= 0.904


def unequal_ratings(
    n_items: int = 400, n_raters: int = 40, residual: float = 2
) -> tuple[pd.DataFrame, np.ndarray]:
    """Half of the items rated once, half nine times; and the true values, of variance 1."""
    rng = np.random.default_rng(5)
    truth = rng.normal(size=n_items)
    values = truth[:, None] + rng.normal(0, np.sqrt(residual), (n_items, n_raters))
    for item in range(n_items):
        rated = rng.choice(n_raters, 1 if item < n_items // 2 else 9, replace=False)
        values[item, np.setdiff1d(np.arange(n_raters), rated)] = np.nan
    return long_form(values), truth


def test_averages_of_unequal_ratings_are_as_reliable_as_the_means_in_the_table():
    """The reliability of means is their squared correlation with the true values of the items."""
    frame, truth = unequal_ratings()
    figures = {one.coefficient: one for one in two_way_figures(ratings_of(frame), Resampling(replicates=10))}
    reached = reliability_of_means(frame, truth)
    harmonic, arithmetic = 2 / (1 + 1 / 9), 5
    # ICC3k has a share of the raters' variance too, of which these ratings have next to nothing.
    for key, near in (("icc2", 1e-6), ("icc3", 0.02)):
        single, average = figures[key].estimate, figures[f"{key}k"]
        assert average.estimate == pytest.approx(harmonic * single / (1 + (harmonic - 1) * single), abs=near)
        assert average.estimate == pytest.approx(reached, abs=0.05)
        both = at_mean_k(average.signature)
        assert both is not None
        k, other = both
        assert k == arithmetic
        assert other == pytest.approx(arithmetic * single / (1 + 4 * single), abs=max(near, 1e-4))
        assert other > reached + 0.15
        assert average.variant == "REML, k=1.8"
        assert at_mean_k(figures[key].signature) is None


def reliability_of_means(frame: pd.DataFrame, truth: np.ndarray) -> float:
    """Squared correlation of the means in the table with the true values of the items."""
    means = frame.groupby("item")["value"].mean().to_numpy()
    return float(np.corrcoef(means, truth)[0, 1] ** 2)


def test_the_one_way_average_of_unequal_ratings_is_as_reliable_as_the_means_in_the_table():
    """By k₀ it would be .83 here, where the means have .64."""
    frame, truth = unequal_ratings(n_items=2000, residual=1)
    ratings = ratings_of(frame, identified=False)
    single, average = one_way_figures(ratings, Resampling(replicates=200, seed=1))
    harmonic = 1.8
    assert average.variant == "unbalanced one-way ANOVA, k=1.8"
    for stepped, one in (
        (average.estimate, single.estimate),
        (average.low, single.low),
        (average.high, single.high),
    ):
        assert stepped == pytest.approx(harmonic * one / (1 + (harmonic - 1) * one), abs=1e-12)
    assert average.estimate == pytest.approx(reliability_of_means(frame, truth), abs=0.03)
    both = at_mean_k(average.signature)
    assert both is not None
    assert both[0] == 5
    assert both[1] == pytest.approx(5 * single.estimate / (1 + 4 * single.estimate), abs=1e-4)
    assert at_mean_k(single.signature) is None


def test_a_one_way_average_without_a_value_for_the_arithmetic_mean_does_not_show_one():
    rng = np.random.default_rng(0)
    rows = [np.array([5.0] + [np.nan] * 8)] * 8 + [rng.permutation(np.arange(1.0, 10.0))] * 8
    average = one_way_figures(ratings_of(long_form(np.array(rows))), QUICK)[1]
    assert average.estimate < 0
    assert "inf" not in average.signature


def by_some_raters(
    rng: np.random.Generator, items: int = 300, raters: int = 30, each: int = 3
) -> tuple[pd.DataFrame, np.ndarray]:
    """Items by different raters, with variances of 1 of item, rater and residual; and the true values."""
    truth = rng.normal(size=items)
    values = truth[:, None] + rng.normal(size=(1, raters)) + rng.normal(size=(items, raters))
    for item in range(items):
        left = rng.permutation(raters)[each:]
        values[item, left] = np.nan
    return long_form(values), truth


def test_consistency_of_means_by_different_raters_counts_their_severity():
    """Severity cancels between means by the same raters only; without it ICC3k would be .75 here, not .62."""
    reached, found = [], []
    for seed in range(5):
        frame, truth = by_some_raters(np.random.default_rng(seed))
        reached.append(reliability_of_means(frame, truth))
        figures = two_way_figures(ratings_of(frame), Resampling(replicates=10))
        average = next(one for one in figures if one.coefficient == "icc3k")
        assert average.low < average.estimate < average.high
        found.append(average.estimate)
    assert np.mean(found) == pytest.approx(np.mean(reached), abs=0.03)


def test_the_share_of_severity_is_that_of_the_definition():
    """Mean of the diagonal of ZZᵀ less the mean of the rest, Z with 1/m for each rater of an item."""
    values = likert(3, 20, 6, missing=0.5)
    rated = ~np.isnan(values[~np.isnan(values).all(axis=1)])
    z = rated / rated.sum(axis=1, keepdims=True)
    shared = z @ z.T
    n = len(shared)
    rest = (shared.sum() - np.trace(shared)) / (n * (n - 1))
    ratings = ratings_of(long_form(values))
    assert icc.severity_shared(ratings) == pytest.approx(rest, abs=1e-12)
    components = icc.estimate_components(Crossed.of(ratings), QUICK)[0]
    noise = (np.trace(shared) / n - rest) * components.rater + np.trace(shared) / n * components.residual
    average = next(one for one in two_way_figures(ratings, QUICK) if one.coefficient == "icc3k")
    assert average.estimate == pytest.approx(components.item / (components.item + noise), abs=1e-12)


@pytest.mark.slow
def test_the_interval_of_consistent_means_by_different_raters_covers_what_it_promises():
    rng = np.random.default_rng(21)
    studies, covered = 200, 0
    # 4 of 12 raters: the means share 1/12 of the raters' variance.
    truth = 1 / (1 + (1 / 4 - 1 / 12) + 1 / 4)
    for study in range(studies):
        frame, _ = by_some_raters(rng, items=60, raters=12, each=4)
        figures = two_way_figures(ratings_of(frame), Resampling(seed=study))
        average = next(one for one in figures if one.coefficient == "icc3k")
        covered += average.low <= truth <= average.high
    # 95 % less three standard errors of 200 studies.
    assert covered / studies >= 0.904


@pytest.mark.parametrize("shape", [(30, 6), (8, 14)])
def test_the_recomputing_programme_comes_to_the_same(shape):
    """It has code of its own: for more items than raters, and for fewer."""
    frame = long_form(likert(5, *shape, missing=0.4, rater_sd=1.0)).astype({"item": str, "rater": str})
    ratings, drawing = ratings_of(frame), Drawing(QUICK.seed, QUICK.replicates)
    coded = code_ratings(ratings.criterion, frame.assign(group=""), None, True)
    rows = [row for keys in (ONE_WAY, TWO_WAY) for row in compute_iccs(coded, keys, drawing)]
    figures = [*one_way_figures(ratings, QUICK), *two_way_figures(ratings, QUICK)]
    for row, figure in zip(rows, figures, strict=True):
        assert (row["coefficient"], row["variant"]) == (figure.coefficient, figure.variant)
        expected = [figure.estimate, figure.low, figure.high]
        assert [row[key] for key in ("estimate", "low", "high")] == pytest.approx(expected, abs=1e-9)


def test_equal_numbers_of_ratings_have_one_k():
    values = likert(2, 30, 5)
    values[np.arange(30), np.arange(30) % 5] = np.nan
    figures = two_way_figures(ratings_of(long_form(values)), Resampling(replicates=10))
    assert {one.variant for one in figures if one.coefficient.endswith("k")} == {"REML, k=4"}
    assert {at_mean_k(one.signature) for one in figures} == {None}


@pytest.mark.parametrize("seed", range(6))
def test_raters_who_differ_alone_leave_nothing_to_divide(seed):
    """Components of items and residual are rounding then; their ratio is anything."""
    generator = np.random.default_rng(seed)
    severity = {"a": 2.0, "b": 4.0, "c": 4.0, "d": 2.0}
    rows = [
        {"item": f"i{item}", "rater": rater, "criterion": "rating", "value": value}
        for item in range(9)
        for rater, value in severity.items()
        if generator.random() < 0.78
    ]
    frame = pd.DataFrame(rows)
    assert {one.reason for one in two_way_figures(ratings_of(frame), QUICK)} == {"no_item_variance"}
    coded = code_ratings("rating", frame.assign(group=""), None, True)
    again = compute_iccs(coded, TWO_WAY, Drawing(2, 200))
    assert [np.isnan(row["estimate"]) for row in again] == [True] * len(TWO_WAY)
