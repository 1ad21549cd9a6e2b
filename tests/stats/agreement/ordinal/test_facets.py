"""The many-facet view: who rates as the model expects, and how well levels are distinguished."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scoring.stats.agreement.ordinal.as_json import model_json
from scoring.stats.agreement.ordinal.facets import Separation
from scoring.stats.agreement.ordinal.fit import NotFitted
from scoring.stats.agreement.ordinal.ordinal_model import OrdinalModel, ordinal_model
from tests.stats.agreement.ordinal.designs import DESIGNS, Simulated, simulated

DESIGN = Simulated(77, 300, 10, 5, deviations=(1.2, 0.8, 0.0))


@pytest.fixture(scope="module")
def ratings() -> pd.DataFrame:
    return simulated(DESIGN)


@pytest.fixture(scope="module")
def model(ratings: pd.DataFrame) -> OrdinalModel:
    return ordinal_model(ratings)


def of(model: OrdinalModel, factor: str) -> Separation:
    return next(one for one in model.separations if one.factor == factor)


def test_raters_who_follow_the_model_have_mean_squares_near_1(model: OrdinalModel) -> None:
    infit, outfit = np.array([(one.infit, one.outfit) for one in model.raters]).T
    assert infit.mean() == pytest.approx(1, abs=0.1)
    assert outfit.mean() == pytest.approx(1, abs=0.1)
    assert np.abs(infit - 1).max() < 0.3


def test_fair_averages_differ_by_the_severities(model: OrdinalModel) -> None:
    together = [
        one.fair_average + one.severity.value for one in model.raters if one.fair_average and one.severity
    ]
    assert len(together) == DESIGN.raters
    assert together == pytest.approx([together[0]] * DESIGN.raters)


def test_a_rater_who_answers_at_random_is_the_least_predictable(ratings: pd.DataFrame) -> None:
    erratic = ratings["rater"] == ratings["rater"].iloc[0]
    values = np.random.default_rng(5).integers(1, 6, int(erratic.sum()))
    mixed = ratings.copy()
    mixed.loc[erratic, "value"] = values
    raters = {one.rater: one for one in ordinal_model(mixed).raters}
    found = raters.pop(str(ratings["rater"].iloc[0]))
    assert found.infit > 1.3
    assert found.infit > max(one.infit for one in raters.values())
    assert found.outfit > max(one.outfit for one in raters.values())


def test_a_rater_who_always_gives_the_middle_is_too_predictable(ratings: pd.DataFrame) -> None:
    same = ratings["rater"] == ratings["rater"].iloc[0]
    mixed = ratings.copy()
    mixed.loc[same, "value"] = 3
    raters = {one.rater: one for one in ordinal_model(mixed).raters}
    found = raters.pop(str(ratings["rater"].iloc[0]))
    assert found.infit < 0.6
    assert found.infit < min(one.infit for one in raters.values())


def test_reliability_of_items_is_their_squared_correlation_with_the_truth() -> None:
    """Of effects with a normal prior, it is the share of variance that the ratings explain."""
    rng = np.random.default_rng(12)
    truth, raters = rng.normal(0, 1.2, 600), rng.normal(0, 0.6, 8)
    item, rater = (grid.ravel() for grid in np.meshgrid(np.arange(600), np.arange(8), indexing="ij"))
    latent = truth[item] + raters[rater] + rng.logistic(size=len(item))
    frame = pd.DataFrame(
        {
            "item": [f"{one:04d}" for one in item],
            "rater": rater,
            "criterion": "quality",
            "value": 1 + np.searchsorted([-2.0, -0.7, 0.7, 2.0], latent),
        }
    )
    model = ordinal_model(frame)
    recovered = np.corrcoef(model.fit.effects["items"], truth)[0, 1] ** 2
    found = of(model, "items")
    assert found.reliability == pytest.approx(recovered, abs=0.03)
    assert found.separation == pytest.approx(math.sqrt(found.reliability / (1 - found.reliability)))
    assert model.locations == pytest.approx(model.fit.effects["items"])


def test_more_ratings_of_a_rater_distinguish_raters_better(model: OrdinalModel) -> None:
    few = ordinal_model(simulated(Simulated(77, 40, 10, 5, deviations=(1.2, 0.8, 0.0))))
    assert of(few, "raters").reliability < of(model, "raters").reliability


def test_a_factor_without_variance_has_no_separation() -> None:
    alike = Simulated(30, 40, 6, 3, deviations=(1.0, 0.0, 0.0))
    models = (ordinal_model(simulated(replace(alike, seed=seed))) for seed in range(30, 60))
    model = next(one for one in models if "raters" in one.fit.at_zero)
    assert math.isnan(of(model, "raters").reliability)
    assert next(one for one in model_json(model)["separations"] if one["factor"] == "raters") == {
        "factor": "raters",
        "reliability": None,
        "separation": None,
    }


def test_the_histogram_counts_every_item_once() -> None:
    model = ordinal_model(simulated(DESIGNS["groups"]))
    found = model_json(model)["items"]
    ends = found["start"] + found["width"] * np.arange(len(found["counts"]) + 1)
    assert found["counts"] == np.histogram(model.locations, ends)[0].tolist()
    assert sum(found["counts"]) == len(model.locations)


def test_locations_of_items_have_the_effects_of_their_groups() -> None:
    """Items of a group that is rated high are high on the map, although they differ little within it."""
    rng = np.random.default_rng(31)
    group, item = rng.normal(0, 1.5, 20), rng.normal(0, 0.4, 200)
    truth = group[np.arange(200) % 20] + item
    codes = np.repeat(np.arange(200), 6)
    latent = truth[codes] + rng.logistic(size=len(codes))
    frame = pd.DataFrame(
        {
            "item": [f"{one:03d}" for one in codes],
            "rater": np.tile(np.arange(6), 200),
            "group": [f"{one % 20:02d}" for one in codes],
            "criterion": "quality",
            "value": 1 + np.searchsorted([-2.0, -0.7, 0.7, 2.0], latent),
        }
    )
    locations = ordinal_model(frame).locations
    assert np.corrcoef(locations, truth)[0, 1] > 0.9
    assert locations.std() == pytest.approx(truth.std(), rel=0.25)


def test_raters_who_agree_almost_always_are_refused_with_that_reason() -> None:
    rng = np.random.default_rng(3)
    quality = rng.integers(1, 6, 100)
    item = np.repeat(np.arange(100), 4)
    value = np.where(rng.random(400) < 0.03, np.clip(quality[item] + 1, 1, 5), quality[item])
    frame = pd.DataFrame(
        {"item": item, "rater": np.tile(np.arange(4), 100), "criterion": "quality", "value": value}
    )
    with pytest.raises(NotFitted) as caught:
        ordinal_model(frame)
    assert caught.value.code == "unbounded_scale"
