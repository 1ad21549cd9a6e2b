"""The bundle's program has code of its own for intervals of new raters and of skewed ratings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.simulated_studies import Population
from scoring.bundle.recompute.coefficients.icc.forms import compute_iccs
from scoring.bundle.recompute.coefficients.new_raters.limits import compute_for_new_raters
from scoring.bundle.recompute.drawing import Drawing
from scoring.bundle.recompute.ratings import Ratings as Recomputed
from scoring.stats.agreement.new_raters.figures import figures_for_new_raters
from scoring.stats.agreement.variance.icc import TWO_WAY, two_way_figures
from scoring.stats.base.cautions import cautions_of
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import RatingsTable

pytestmark = pytest.mark.pure
SKEWED = Population(1.0, 0.5, 0.9, edges=(0.8, 1.4, 2.0, 2.8))
EVEN = Population(1.0, 0.5, 0.9)


def table_of(population: Population, seed: int, items: int, raters: int, an_item: int | None = None):
    rng = np.random.default_rng(seed)
    frame = population.rate(rng, items, population.draw_raters(rng, raters), an_item)
    if an_item:
        frame = frame[rng.random(len(frame)) > 0.1]
    return RatingsTable.from_frame(frame, scales={"quality": (1, 5)})


def as_recomputed(table: RatingsTable) -> Recomputed:
    of = table.criteria["quality"]
    names = np.array(of.items), np.array(of.raters)
    ordered = (of.criterion, of.item, of.rater, of.value, *names, of.group, of.categories)
    return Recomputed(*ordered, identified=True, declared=True)


@pytest.mark.parametrize(
    ("population", "items", "raters", "an_item"),
    [
        (EVEN, 12, 5, None),
        (SKEWED, 25, 4, None),
        (EVEN, 20, 4, None),
        (EVEN, 40, 12, 4),
        (replace(EVEN, residual=0.0, rater=0.0), 20, 5, None),
        (replace(SKEWED, item=0.7, group=0.7, items_a_group=4), 48, 9, 3),
        (replace(EVEN, item=0.0, rater=0.0), 20, 4, None),
        (replace(EVEN, item=0.0, rater=0.0, items_a_group=4), 24, 6, None),
        (replace(EVEN, item=0.3, group=0.95, items_a_group=4), 20, 5, None),
        (SKEWED, 230, 5, None),
    ],
)
def test_limits_and_cautions_for_new_raters_are_the_same(population, items, raters, an_item):
    table = table_of(population, items, items, raters, an_item)
    ours = figures_for_new_raters(table, seed=5, replicates=40).figures
    rows = compute_for_new_raters(as_recomputed(table), Drawing(5, 40))
    for figure, row in zip(ours, rows, strict=True):
        found = (row["estimate"], row["low"], row["high"])
        assert found == pytest.approx((figure.estimate, figure.low, figure.high), abs=1e-9, nan_ok=True)
        expected = set(cautions_of(figure.signature)) - {"edge_of_range", "zero_width"}
        assert set(row.get("cautions", [])) == expected, figure.coefficient


@pytest.mark.parametrize(("items", "raters", "groups_of"), [(12, 4, 0), (40, 3, 0), (60, 6, 4), (12, 4, 4)])
def test_limits_and_cautions_of_skewed_iccs_are_the_same(items, raters, groups_of):
    population = replace(SKEWED, group=0.5, items_a_group=groups_of) if groups_of else SKEWED
    table = table_of(population, items, items, raters)
    ours = two_way_figures(table.criteria["quality"], Resampling(1, 1))
    rows = compute_iccs(as_recomputed(table), TWO_WAY, Drawing(1, 1))
    for figure, row in zip(ours, rows, strict=True):
        found = (row["estimate"], row["low"], row["high"])
        assert found == pytest.approx((figure.estimate, figure.low, figure.high), abs=1e-9, nan_ok=True)
        if np.isfinite(figure.low):
            assert set(row["cautions"]) == set(cautions_of(figure.signature)) - {"edge_of_range"}
