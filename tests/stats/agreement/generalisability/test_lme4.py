"""Variance components are those of R's lme4; `lme4.R` made the figures of `lme4.json`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scoring.stats.agreement.generalisability.analysis import generalisability
from scoring.stats.agreement.generalisability.estimation import ComponentFit
from tests.stats.agreement.generalisability.designs import DESIGNS, simulated

LME4: dict[str, Any] = json.loads(Path(__file__).with_name("lme4.json").read_text())

pytestmark = pytest.mark.parametrize("name", DESIGNS)


@cache
def fit_of(name: str) -> ComponentFit:
    return generalisability(simulated(DESIGNS[name])).fit


def test_the_components_are_those_of_lme4(name: str) -> None:
    fit = fit_of(name)
    ours = dict(zip(fit.names, fit.variances.tolist(), strict=True))
    assert ours == pytest.approx(LME4[name]["variances"], abs=1e-6)


def test_the_restricted_likelihood_is_that_of_lme4(name: str) -> None:
    assert fit_of(name).log_likelihood == pytest.approx(LME4[name]["log_likelihood"], abs=1e-7)
