"""Raters are as severe as another estimator finds them: eRm, with texts as persons and raters as items.

eRm conditions on the sums of persons and has steps between neighbouring points; our thresholds are cumulative
and our effects normal. So severities are on other scales, and their order is compared. `erm.R` made the
figures of `erm.json`. A rater of eRm is one item, so that effects of systems are part of the persons.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy

from scoring.stats.agreement.ordinal.ordinal_model import ordinal_model
from tests.stats.agreement.ordinal.against_r.rasch_designs import RASCH_DESIGNS
from tests.stats.agreement.ordinal.designs import simulated

ERM: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("erm.json").read_text())
FITS = [(design, model) for design, models in ERM.items() for model in models]


@cache
def severities(name: str) -> dict[str, tuple[float, float]]:
    """Severity of each rater in logits, and half the width of its interval."""
    model = ordinal_model(simulated(RASCH_DESIGNS[name]))
    return {
        one.rater: (one.logits.value, (one.logits.high - one.logits.low) / 2)
        for one in model.raters
        if one.logits is not None
    }


def test_every_design_was_fitted_by_erm() -> None:
    assert set(ERM) == set(RASCH_DESIGNS)
    assert all(ERM[design][model]["converged"] for design, model in FITS)


@pytest.mark.parametrize(("design", "model"), FITS)
def test_severities_have_the_order_of_erm_s(design: str, model: str) -> None:
    ours, theirs = severities(design), ERM[design][model]["severity"]
    assert set(ours) == set(theirs)
    found = np.array([ours[rater][0] for rater in theirs])
    listed = np.array(list(theirs.values()))
    assert np.corrcoef(found, listed)[0, 1] > 0.98
    # Where each rater has thresholds of their own, four of six raters who hardly differ change their ranks.
    if (design, model) != ("seven points", "partial_credit"):
        assert scipy.stats.spearmanr(found, listed).statistic > 0.97


@pytest.mark.parametrize(("design", "model"), FITS)
def test_raters_who_clearly_differ_are_in_the_same_order(design: str, model: str) -> None:
    ours, theirs = severities(design), ERM[design][model]["severity"]
    distinct = [
        (one, other)
        for one in ours
        for other in ours
        if ours[one][0] - ours[other][0] > np.hypot(ours[one][1], ours[other][1])
    ]
    assert len(distinct) > 5
    assert all(theirs[one] > theirs[other] for one, other in distinct)
