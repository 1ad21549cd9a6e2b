"""The report as a whole: reasons, rows, progress, seeds."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from scoring.stats.agreement.coefficients import FAMILIES
from scoring.stats.agreement.reliability import reliability
from scoring.stats.data.table import RatingsTable
from tests.stats.declared import OF_COMPLETE_DESIGNS
from tests.stats.samples import figures_of, likert, long_form

KEYS = [
    "criterion", "coefficient", "variant", "estimate", "low", "high", "confidence", "interval_method",
    "n_items", "n_raters", "n_ratings", "reason", "signature",
]  # fmt: skip


def reasons(frame, **options):
    return {figure.coefficient: figure.reason for figure in figures_of(frame, **options).values()}


def test_ratings_without_two_on_any_item_have_no_overlap():
    values = np.full((12, 3), np.nan)
    values[np.arange(12), np.arange(12) % 3] = np.arange(12) % 5
    assert set(reasons(long_form(values)).values()) == {"no_overlap"}


def test_a_single_rater_is_too_few():
    assert set(reasons(long_form(likert(1, 12, 1))).values()) == {"too_few_raters"}


def test_answers_without_any_value_leave_reasons_not_errors():
    frame = long_form(likert(1, 5, 2)).assign(value=None)
    assert set(reasons(frame).values()) == {"too_few_items"}


def test_anonymous_slots_do_not_count_raters():
    figures = figures_of(long_form(likert(2, 20, 3)), identified=False)
    assert {figure.n_raters for figure in figures.values()} == {None}


def test_disjoint_pairs_of_raters_and_items_have_no_two_way_components():
    values = np.full((4, 8), np.nan)
    for item in range(4):
        values[item, 2 * item : 2 * item + 2] = [item, item + 1]
    found = reasons(long_form(values))
    assert found["icc2"] == "no_overlap"
    assert not found["icc1"]


def test_exact_agreement_is_one_everywhere():
    for figure in figures_of(long_form(np.tile(np.arange(1.0, 13.0)[:, None], (1, 3)))).values():
        assert figure.estimate == 1
        assert figure.high == 1


def test_exact_agreement_of_an_incomplete_design_is_one_everywhere():
    rng = np.random.default_rng(8)
    values, truth = np.full((200, 8), np.nan), rng.integers(1, 6, 200)
    for item in range(200):
        values[item, rng.choice(8, 3, replace=False)] = truth[item]
    found = figures_of(long_form(values)).values()
    estimates = {figure.estimate for figure in found if figure.coefficient not in OF_COMPLETE_DESIGNS}
    assert estimates == {1.0}


def test_a_row_has_the_keys_of_the_contract_and_is_json():
    for frame in (long_form(likert(3, 15, 3)), long_form(np.full((12, 3), 4.0))):
        for figure in figures_of(frame).values():
            row = json.loads(json.dumps(figure.to_row(), allow_nan=False))
            assert list(row) == KEYS
            assert (row["estimate"] is None) == bool(row["reason"])
            assert (row["low"] is None) == row["interval_method"].startswith("none:")


def test_every_criterion_has_every_coefficient():
    frame = pd.concat([long_form(likert(4, 15, 3), name) for name in ("quality", "creativity")])
    result = reliability(RatingsTable.from_frame(frame), seed=1, replicates=50)
    by_criterion = {
        name: [(f.coefficient, f.variant) for f in result.figures if f.criterion == name]
        for name in ("quality", "creativity")
    }
    assert by_criterion["quality"] == by_criterion["creativity"]
    listed = {one.key for family in FAMILIES if family.by_default for one in family.coefficients}
    assert {key for key, _ in by_criterion["quality"]} == listed
    # A held-out correlation has a mean, a maximum and one figure a rater; α has two levels.
    assert len(by_criterion["quality"]) == len(listed) + 2 * (2 + 3 - 1) + 1


def test_progress_rises_to_its_total():
    calls: list[tuple[int, int]] = []
    table = RatingsTable.from_frame(long_form(likert(5, 40, 4, missing=0.3)))
    reliability(table, seed=1, replicates=500, progress=lambda done, total: calls.append((done, total)))
    done = [call[0] for call in calls]
    assert done == sorted(done)
    assert calls[-1] == (done[-1], done[-1])
    assert {total for _, total in calls} == {done[-1]}


def test_what_progress_raises_ends_the_computation():
    class LeaseLostError(Exception):
        pass

    def lose(done: int, total: int) -> None:
        raise LeaseLostError

    with pytest.raises(LeaseLostError):
        reliability(RatingsTable.from_frame(long_form(likert(6, 15, 3))), seed=1, progress=lose)


def test_the_same_seed_gives_the_same_figures_whatever_the_order_of_rows():
    frame = long_form(likert(7, 30, 4, missing=0.3))
    shuffled = frame.sample(frac=1, random_state=1)
    first, second = figures_of(frame), figures_of(shuffled)
    assert first == second
    other = figures_of(frame, seed=2)
    assert other["alpha", "ordinal"].low != first["alpha", "ordinal"].low


def test_a_crowd_of_a_thousand_raters_has_its_iccs_with_intervals():
    rng = np.random.default_rng(0)
    item = np.repeat(np.arange(4000), 5)
    rater = (rng.permuted(np.tile(np.arange(1000), (20, 1)), axis=1)).ravel()
    latent = rng.normal(0, 1, 4000)[item] + rng.normal(0, 0.5, 1000)[rater] + rng.normal(0, 1, len(item))
    frame = pd.DataFrame({"item": item, "rater": rater, "criterion": "quality"})
    frame["value"] = np.clip(np.round(3 + latent), 1, 5)
    result = reliability(RatingsTable.from_frame(frame), seed=1)
    assert not any(math.isnan(f.low) for f in result.figures if f.coefficient.startswith("icc"))
