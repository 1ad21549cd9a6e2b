"""Thresholds of each rater are those of R's clmm2; `clmm2.R` made the figures of `clmm2.json`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scoring.stats.agreement.ordinal.fit import NotFitted
from scoring.stats.agreement.ordinal.rater_thresholds import RaterThresholds, rater_thresholds
from scoring.stats.base.resampling import FloatArray
from tests.stats.agreement.ordinal.against_r.rasch_designs import RASCH_DESIGNS
from tests.stats.agreement.ordinal.designs import DESIGNS, simulated

CLMM2: dict[str, Any] = json.loads(Path(__file__).with_name("clmm2.json").read_text())


@cache
def model_of(name: str) -> RaterThresholds:
    return rater_thresholds(simulated(RASCH_DESIGNS[name]))


@pytest.mark.parametrize("name", CLMM2)
def test_thresholds_effects_and_errors_are_those_of_clmm2(name: str) -> None:
    model, theirs = model_of(name), CLMM2[name]
    # clmm2 stops a little short of the maximum, most of all with seven points.
    assert model.thresholds == pytest.approx(np.array(theirs["thresholds"]), abs=2e-3)
    assert model.errors[0] == pytest.approx(theirs["first_errors"], abs=2e-3)
    assert model.fit.parameters.fixed == pytest.approx(theirs["effects"], abs=1e-3)
    assert model.fit.parameters.scales[0] == pytest.approx(theirs["deviation"], abs=2e-3)
    assert theirs["log_likelihood"] - 1e-4 < model.fit.log_likelihood < theirs["log_likelihood"] + 0.01
    twice = 2 * (theirs["log_likelihood"] - theirs["shared_log_likelihood"])
    assert model.statistic == pytest.approx(twice, abs=0.02)
    assert model.freedom == (len(model.raters) - 1) * (len(model.values) - 2)


def ratings_by(thresholds: FloatArray, seed: int, items: int = 250) -> pd.DataFrame:
    """Every rater rates every item, each with thresholds of their own."""
    rng = np.random.default_rng(seed)
    raters = len(thresholds)
    item, rater = np.repeat(np.arange(items), raters), np.tile(np.arange(raters), items)
    latent = rng.normal(0, 1.0, items)[item] + rng.logistic(size=len(item))
    return pd.DataFrame(
        {
            "item": item,
            "rater": [f"R-{one}" for one in rater],
            "criterion": "quality",
            "value": 1 + (latent[:, None] > thresholds[rater]).sum(axis=1),
        }
    )


def test_raters_who_use_the_scale_otherwise_are_recovered() -> None:
    usual = np.array([-2.0, -0.7, 0.7, 2.0])
    truth = np.stack((usual, usual + 0.8, 0.4 * usual, 1.5 * usual))
    model = rater_thresholds(ratings_by(truth, 1))
    assert model.p < 1e-6
    assert np.abs(model.thresholds - truth).max() < 4 * model.errors.max()
    assert model.ranges[2] < model.ranges[:2].min() < model.ranges[:2].max() < model.ranges[3]


def test_raters_who_differ_in_severity_alone_are_seldom_found_to_use_the_scale_otherwise() -> None:
    severe = np.array([-2.0, -0.7, 0.7, 2.0]) + np.array([-0.8, 0.0, 0.8])[:, None]
    found = [rater_thresholds(ratings_by(severe, seed, 80)).p for seed in range(5)]
    assert sum(p < 0.05 for p in found) <= 1


def test_with_two_values_raters_differ_in_severity_alone() -> None:
    model = rater_thresholds(ratings_by(np.array([[-0.5], [0.0], [0.5]]), 3))
    assert model.freedom == 0
    assert np.isnan(model.p)
    assert (np.diff(model.thresholds[:, 0]) > 0).all()


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (lambda: ratings_by(np.array([[-1.0, 1.0], [-1.0, 1.0], [-1.0, 90.0]]), 4), "unused_value"),
        (lambda: simulated(DESIGNS["incomplete"]), "unused_value"),
        (lambda: ratings_by(np.tile([-1.0, 0.0, 1.0], (41, 1)), 5, 20), "too_many_thresholds"),
        (lambda: simulated(DESIGNS["complete"]).assign(value=3), "constant_ratings"),
    ],
)
def test_what_is_not_identified_is_refused_with_its_reason(frame: Any, code: str) -> None:
    with pytest.raises(NotFitted) as refused:
        rater_thresholds(frame())
    assert refused.value.code == code
