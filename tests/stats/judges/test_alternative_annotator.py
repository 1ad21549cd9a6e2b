"""The alternative annotator test equals the paper's definition, written again item by item."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.base.cautions import cautions_of
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import Ratings, RatingsTable
from scoring.stats.judges.alternative_annotator import alternative_annotator_test
from scoring.stats.judges.closeness import compare_with_raters

ONCE = Resampling(replicates=50, seed=3)


def simulated(
    seed: int, *, items: int = 60, raters: int = 4, share: float = 0.8, groups: int = 0
) -> pd.DataFrame:
    """Ratings from 1 to 5 by raters who each rated a share of the items, at least two an item."""
    draw = np.random.default_rng(seed)
    truth = draw.normal(3, 1, items)
    rows = []
    for item in range(items):
        rated = np.flatnonzero(draw.random(raters) < share)
        for rater in rated if len(rated) > 1 else range(2):
            value = int(np.clip(round(truth[item] + draw.normal(0, 0.8)), 1, 5))
            rows.append((f"i{item:03}", f"r{rater}", "quality", value, f"g{item % groups}" if groups else ""))
    frame = pd.DataFrame(rows, columns=["item", "rater", "criterion", "value", "group"])
    return frame if groups else frame.drop(columns="group")


def ratings_of(frame: pd.DataFrame, *, identified: bool = True) -> Ratings:
    return RatingsTable.from_frame(frame, identified=identified).criteria["quality"]


def judge_of(ratings: Ratings, seed: int = 9, missing: float = 0.1) -> np.ndarray:
    draw = np.random.default_rng(seed)
    values = draw.integers(1, 6, ratings.n_items).astype(float)
    values[draw.random(ratings.n_items) < missing] = np.nan
    return values


def closer_by_definition(ratings: Ratings, judge: np.ndarray) -> dict[tuple[int, int], tuple[bool, bool]]:
    """S(f, x, j) >= S(h, x, j) and the reverse, with minus the root mean squared difference, or the share."""
    found = {}
    for item, rater, value in zip(ratings.item, ratings.rater, ratings.value, strict=True):
        others = [
            other
            for one, who, other in zip(ratings.item, ratings.rater, ratings.value, strict=True)
            if one == item and who != rater
        ]
        if not others or math.isnan(judge[item]):
            continue
        if ratings.nominal:
            score = [sum(one == other for other in others) / len(others) for one in (judge[item], value)]
        else:
            squares = [[(one - other) ** 2 for other in others] for one in (judge[item], value)]
            score = [-math.sqrt(math.fsum(one) / len(one)) for one in squares]
        equal = math.isclose(*score, rel_tol=0, abs_tol=1e-12)
        found[int(item), int(rater)] = (score[0] > score[1] or equal, score[1] > score[0] or equal)
    return found


@given(seed=st.integers(0, 10_000), nominal=st.booleans())
def test_closeness_is_that_of_the_paper_on_any_incomplete_design(seed, nominal):
    frame = simulated(seed, items=12, share=0.5)
    ratings = ratings_of(frame)
    ratings = type(ratings)(**{**vars_of(ratings), "nominal": nominal})
    judge = judge_of(ratings, seed)
    found = compare_with_raters(ratings, judge)
    ours = {
        (int(item), int(rater)): (bool(one), bool(other))
        for item, rater, one, other in zip(found.item, found.rater, found.judge, found.person, strict=True)
    }
    assert ours == closer_by_definition(ratings, judge)


def vars_of(ratings: Ratings) -> dict[str, object]:
    return {name: getattr(ratings, name) for name in Ratings.__dataclass_fields__}


@pytest.mark.parametrize("seed", range(5))
def test_p_values_shares_and_the_winning_rate_equal_an_independent_implementation(seed):
    ratings = ratings_of(simulated(seed))
    draw = np.random.default_rng(seed)
    means = np.bincount(ratings.item, ratings.value) / ratings.sizes
    judge = np.clip(np.round(means + draw.normal(0, 0.7, ratings.n_items)), 1, 5)
    found = alternative_annotator_test(ratings, judge, "model", epsilon=0.15, resampling=ONCE)
    closer = closer_by_definition(ratings, judge)
    p = []
    for code, one in enumerate(found.raters):
        own = [pair for (_, rater), pair in closer.items() if rater == code]
        difference = np.array([person - judge for judge, person in np.array(own, dtype=float)])
        wanted = scipy.stats.ttest_1samp(difference - 0.15, 0, alternative="less").pvalue
        assert one.p == pytest.approx(wanted, abs=1e-12)
        assert one.judge_share == pytest.approx(np.mean([judge for judge, _ in own]), abs=1e-12)
        assert one.n_items == len(own)
        p.append(wanted)
    harmonic = sum(1 / rank for rank in range(1, len(p) + 1))
    ordered = sorted(p)
    passed = [rank for rank, one in enumerate(ordered, 1) if one <= 0.05 * rank / (len(p) * harmonic)]
    assert found.n_beaten == max(passed, default=0)
    assert found.winning_rate == found.n_beaten / len(p)
    shares = [one.judge_share for one in found.raters]
    assert found.advantage == pytest.approx(np.mean(shares), abs=1e-12)
    assert found.interval.low <= found.advantage <= found.interval.high


def test_a_judge_who_always_agrees_beats_every_rater_and_one_who_never_does_beats_none():
    rows = [
        (f"i{item:02}", f"r{rater}", "quality", 3 + (item % 2)) for item in range(40) for rater in range(4)
    ]
    ratings = ratings_of(pd.DataFrame(rows, columns=["item", "rater", "criterion", "value"]))
    same = np.array([3.0 + (item % 2) for item in range(40)])
    alike = alternative_annotator_test(ratings, same, "same", epsilon=0.1, resampling=ONCE)
    assert (alike.advantage, alike.winning_rate) == (1.0, 1.0)
    assert "zero_width" in cautions_of(alike.interval_settings)
    other = alternative_annotator_test(ratings, same + 1, "other", epsilon=0.1, resampling=ONCE)
    assert (other.advantage, other.winning_rate) == (0.0, 0.0)


def test_slots_in_which_different_people_sit_leave_the_comparison_over_all_ratings():
    """That comparison does not depend on who sits in which slot."""
    frame = simulated(2, share=1.0)
    ratings = ratings_of(frame, identified=False)
    judge = judge_of(ratings, missing=0)
    found = alternative_annotator_test(ratings, judge, "m", epsilon=0.1, resampling=ONCE)
    assert (found.reason, found.raters) == ("anonymous_raters", ())
    assert np.isnan([found.advantage, found.winning_rate]).all()
    limits = found.all_interval
    assert 0 <= limits.low < found.all_raters.judge_share < limits.high <= 1
    assert limits.method == "t:items"
    moved = frame.assign(
        rater=[
            f"r{(int(rater[1]) + int(item[1:])) % 4}"
            for item, rater in zip(frame["item"], frame["rater"], strict=True)
        ]
    )
    other = alternative_annotator_test(
        ratings_of(moved, identified=False), judge, "m", epsilon=0.1, resampling=ONCE
    )
    assert 0 < found.all_raters.p < 1
    assert other.all_raters.p == pytest.approx(found.all_raters.p, abs=1e-12)


@pytest.mark.parametrize(
    ("items", "raters", "groups", "reason", "of_raters"),
    [
        (20, 4, 0, "too_few_raters", "too_few_items"),
        (60, 2, 0, "too_few_raters", ""),
        (60, 4, 6, "too_few_raters", "too_few_groups"),
    ],
)
def test_too_little_data_has_a_reason_and_no_number(items, raters, groups, reason, of_raters):
    ratings = ratings_of(simulated(1, items=items, raters=raters, share=1.0, groups=groups))
    found = alternative_annotator_test(
        ratings, judge_of(ratings, missing=0), "m", epsilon=0.1, resampling=ONCE
    )
    assert found.reason == reason
    assert np.isnan([found.advantage, found.winning_rate]).all()
    assert {one.reason for one in found.raters} == {of_raters}
    assert found.to_row()["passes"] is None
    beaten = {one.to_row()["beaten"] for one in found.raters}
    assert (None in beaten) == bool(of_raters)


def test_a_test_of_anonymous_raters_of_too_few_items_neither_passes_nor_fails():
    ratings = ratings_of(simulated(1, items=20, share=1.0), identified=False)
    found = alternative_annotator_test(
        ratings, judge_of(ratings, missing=0), "m", epsilon=0.1, resampling=ONCE
    )
    assert found.all_raters.reason == "too_few_items"
    assert found.passes is None
    assert (found.to_row()["all_low"], found.all_interval.reason) == (None, "too_few_items")


@pytest.mark.parametrize("unit", [2.0**660, 2.0**-40, 2.0**-990])
def test_the_unit_of_the_ratings_makes_no_judge_closer(unit):
    """A fixed tolerance would tie all distances of small units: every judge would be as close as anyone."""
    frame = simulated(4)
    judge = judge_of(ratings_of(frame))
    plain, other = (
        alternative_annotator_test(
            ratings_of(frame.assign(value=frame["value"] * factor)),
            judge * factor,
            "m",
            epsilon=0.1,
            resampling=ONCE,
        )
        for factor in (1.0, unit)
    )
    assert plain.advantage < 0.6
    assert other.to_row() == plain.to_row()


def test_a_judge_without_a_score_in_common_is_refused():
    ratings = ratings_of(simulated(1))
    nothing = np.full(ratings.n_items, np.nan)
    found = alternative_annotator_test(ratings, nothing, "m", epsilon=0.1, resampling=ONCE)
    assert (found.reason, found.all_raters.reason, found.all_raters.n_items) == (
        "too_few_raters",
        "too_few_items",
        0,
    )


@given(
    seed=st.integers(0, 10_000),
    value=st.sampled_from([1.0, 3.0, 5.0]),
    identified=st.booleans(),
    nominal=st.booleans(),
    groups=st.sampled_from([0, 30]),
)
def test_ratings_that_never_vary_test_nothing(seed, value, identified, nominal, groups):
    """Every judge that gives this answer would pass, whatever it knows."""
    frame = simulated(seed, items=80, groups=groups).assign(value=value)
    ratings = ratings_of(frame, identified=identified)
    ratings = type(ratings)(**{**vars_of(ratings), "nominal": nominal})
    for judge in (np.full(ratings.n_items, value), judge_of(ratings, seed)):
        found = alternative_annotator_test(ratings, judge, "m", epsilon=0.1, resampling=ONCE)
        assert {one.reason for one in found.raters} <= {"constant_ratings", "too_few_items"}
        assert found.reason == found.all_raters.reason == "constant_ratings"
        assert np.isnan([found.advantage, found.winning_rate, found.all_raters.p]).all()
        assert found.passes is None


def test_a_rater_whose_items_all_have_one_rating_is_not_tested():
    frame = simulated(3, raters=5, share=1.0)
    easy = [f"i{item:03}" for item in range(40)]
    frame.loc[frame["item"].isin(easy), "value"] = 3
    frame = frame[(frame["rater"] != "r0") | frame["item"].isin(easy)]
    ratings = ratings_of(frame)
    means = np.round(np.bincount(ratings.item, ratings.value) / ratings.sizes)
    found = alternative_annotator_test(ratings, means, "m", epsilon=0.1, resampling=ONCE)
    assert [one.reason for one in found.raters] == ["constant_ratings", "", "", "", ""]
    assert (found.reason, found.n_tested) == ("", 4)
