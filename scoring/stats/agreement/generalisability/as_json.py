"""Generalisability of ratings as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from scoring.stats.agreement.generalisability.analysis import Generalisability, Reading
from scoring.stats.agreement.generalisability.estimation import NotEstimated

JOINED = " + "


def set_name(criteria: Sequence[str]) -> str:
    """The name of one criterion, or of several together.

    Parameters
    ----------
    criteria : sequence of str
        Names of criteria.
    """
    return JOINED.join(criteria)


def analysis_json(found: Generalisability) -> dict[str, Any]:
    """Components, coefficients and D studies; variances are in squared points of the scale.

    Parameters
    ----------
    found : Generalisability
        Of one criterion, or of several on one scale.
    """
    return {
        "criterion": set_name(found.criteria),
        "criteria": list(found.criteria),
        "counts": found.counts,
        "raters_per_item": found.raters_per_item,
        "criteria_per_item": found.criteria_per_item,
        "components": [
            {**asdict(one), "at_boundary": one.name in found.fit.at_boundary} for one in found.components
        ],
        "left_out": [{"name": one.name, "same_as": list(one.same_as)} for one in found.fit.left_out],
        "readings": [_reading(one) for one in found.readings],
        "cautions": list(found.cautions),
        "log_likelihood": found.fit.log_likelihood,
    }


def _reading(reading: Reading) -> dict[str, Any]:
    return {
        "criteria": reading.criteria,
        "at_hand": asdict(reading.at_hand),
        "d_study": [asdict(row) for row in reading.study],
    }


def refused_json(criteria: Sequence[str], refusal: NotEstimated) -> dict[str, Any]:
    """Ratings without components, with the reason.

    Parameters
    ----------
    criteria : sequence of str
        Names of the criteria.
    refusal : NotEstimated
        Why there are none.
    """
    return {
        "criterion": set_name(criteria),
        "criteria": list(criteria),
        "reason": refusal.code,
        "message": str(refusal),
    }
