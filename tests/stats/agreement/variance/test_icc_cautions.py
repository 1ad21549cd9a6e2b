"""Cautions of ICCs follow measured coverage, and the program of a bundle finds the same ones."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.bundle.recompute.checking.check import Check, list_cautions
from scoring.bundle.recompute.coefficients.icc.forms import compute_iccs
from scoring.bundle.recompute.drawing import Drawing
from scoring.bundle.recompute.ratings import code_ratings
from scoring.stats.agreement.variance.icc import ONE_WAY, TWO_WAY, one_way_figures, two_way_figures
from scoring.stats.base.cautions import cautions_of
from scoring.stats.base.resampling import Resampling
from scoring.stats.base.result import Figure
from tests.stats.samples import likert, long_form, ratings_of

QUICK = Resampling(replicates=60, seed=1)


def skewed(items: int, raters: int) -> np.ndarray:
    """More than half of the ratings are 5."""
    return np.minimum(likert(1, items, raters) + 2, 5)


def figures(values: np.ndarray) -> dict[str, Figure]:
    ratings = ratings_of(long_form(values))
    return {
        one.coefficient: one for one in [*one_way_figures(ratings, QUICK), *two_way_figures(ratings, QUICK)]
    }


def cautions(values: np.ndarray) -> dict[str, tuple[str, ...]]:
    return {key: cautions_of(one.signature) for key, one in figures(values).items()}


def holed(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values[::7, 0] = np.nan
    return values


def test_intervals_that_suppose_normal_ratings_have_a_caution_where_most_are_at_one_end() -> None:
    for values in (skewed(60, 4), 6 - skewed(60, 4)):
        assert {cautions(values)[key] for key in ONE_WAY} == {("skewed_ratings",)}
    found = cautions(holed(skewed(40, 4)))
    assert {found[key] for key in TWO_WAY} == {("skewed_ratings",)}
    assert {found[key] for key in ONE_WAY} == {()}
    assert set(cautions(likert(1, 40, 4)).values()) == {()}


def test_skewed_complete_ratings_have_intervals_that_suppose_no_distribution() -> None:
    for values, method in (
        (skewed(40, 4), "two-way-jackknife:items+raters"),
        (likert(1, 40, 4), "F"),
        (skewed(40, 2), "F"),
    ):
        found = figures(values)
        assert {found[key].interval_method.split(" ")[0].rstrip(",") for key in TWO_WAY} == {method}
        assert {found[key].interval_method.split(" ")[0] for key in ONE_WAY} == {"F"}
    assert {cautions(skewed(50, 4))[key] for key in TWO_WAY} == {()}
    assert {cautions(skewed(49, 4))[key] for key in TWO_WAY} == {("skewed_ratings",)}
    assert "skewed_ratings" in cautions(skewed(40, 2))["icc3"]


@pytest.mark.parametrize(
    ("items", "raters", "few"), [(200, 3, False), (201, 3, True), (201, 19, True), (201, 20, False)]
)
def test_icc2_has_a_caution_where_few_raters_rate_many_items(items: int, raters: int, few: bool) -> None:
    found = cautions(likert(1, items, raters))
    assert {key for key, codes in found.items() if "few_raters" in codes} == (
        {"icc2", "icc2k"} if few else set()
    )


@pytest.mark.parametrize(
    ("items", "raters", "by_pivots"), [(50, 3, False), (51, 3, True), (51, 19, True), (51, 20, False)]
)
def test_icc2_of_few_raters_and_many_items_is_by_pivots(items: int, raters: int, by_pivots: bool) -> None:
    """Satterthwaite's degrees of freedom are too many for a variance between few raters."""
    found = figures(likert(1, items, raters))
    assert {key for key in TWO_WAY if "pivots" in found[key].interval_method} == (
        {"icc2", "icc2k"} if by_pivots else set()
    )
    assert all(one.low < one.estimate < one.high for one in found.values())


def test_exact_agreement_has_no_caution_but_that_its_interval_has_no_width() -> None:
    assert set(cautions(np.repeat(skewed(60, 1), 3, axis=1)).values()) == {("zero_width",)}


@pytest.mark.parametrize("groups", [None, 8])
@pytest.mark.parametrize(
    "values", [skewed(60, 4), holed(skewed(60, 4)), likert(1, 20, 3), holed(likert(1, 20, 3))], ids=range(4)
)
def test_the_program_of_a_bundle_finds_the_same_cautions(values: np.ndarray, groups: int | None) -> None:
    frame = long_form(values)
    frame["group"] = "" if groups is None else [f"g{int(item.split()[1]) % groups}" for item in frame["item"]]
    ratings = ratings_of(frame if groups else frame.drop(columns="group"))
    stored = {
        one.coefficient: one.to_row()
        for one in [*one_way_figures(ratings, QUICK), *two_way_figures(ratings, QUICK)]
    }
    again = code_ratings("quality", frame[frame["value"].notna()], None, identified=True)
    for keys in (ONE_WAY, TWO_WAY):
        for row in compute_iccs(again, keys, Drawing(1, 60)):
            assert sorted(row["cautions"]) == list_cautions(stored[row["coefficient"]])


def test_a_caution_that_was_taken_out_of_a_report_is_found() -> None:
    icc2 = figures(holed(skewed(40, 4)))["icc2"]
    row = icc2.to_row()
    bare = row | {"signature": icc2.signature.replace("|caution:skewed_ratings", "")}
    for stored, wrong in ((row, 0), (bare, 1)):
        check = Check("reliability")
        check.row("icc2", stored, row | {"cautions": ["skewed_ratings"]}, ("estimate",))
        assert len(check.wrong) == wrong
