"""The ordinal mixed model gives the estimates of R's clmm; `clmm.R` made the figures of `clmm.json`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring.stats.agreement.ordinal.ordinal_model import OrdinalModel, ordinal_model
from tests.stats.agreement.ordinal.designs import DESIGNS, simulated

CLMM: dict[str, Any] = json.loads(Path(__file__).with_name("clmm.json").read_text())
FACTORS = {"item": "items", "rater": "raters", "group": "groups"}

pytestmark = pytest.mark.parametrize("name", DESIGNS)


@cache
def model_of(name: str) -> OrdinalModel:
    return ordinal_model(simulated(DESIGNS[name]))


def test_thresholds_effects_and_their_errors_are_those_of_clmm(name: str) -> None:
    fit, theirs = model_of(name).fit, CLMM[name]
    count = len(theirs["estimates"])
    assert fit.parameters.vector[:count] == pytest.approx(theirs["estimates"], abs=1e-3)
    assert fit.standard_errors[:count] == pytest.approx(theirs["errors"], abs=1e-3)


def test_the_likelihood_is_at_least_as_high_as_clmm_s(name: str) -> None:
    assert model_of(name).fit.log_likelihood == pytest.approx(CLMM[name]["log_likelihood"], abs=1e-4)


def test_standard_deviations_of_random_effects_are_those_of_clmm(name: str) -> None:
    ours = {one.factor: np.sqrt(one.variance) for one in model_of(name).variances}
    theirs = {FACTORS[factor]: one for factor, one in CLMM[name]["deviations"].items()}
    assert {factor: ours[factor] for factor in theirs} == pytest.approx(theirs, abs=1e-3)


def test_the_severity_of_each_rater_is_that_of_clmm_with_the_sign_changed(name: str) -> None:
    ours = {one.rater: -one.logits.value for one in model_of(name).raters if one.logits}
    assert ours == pytest.approx(CLMM[name]["raters"], abs=2e-3)
