"""An ordinal mixed model as JSON."""

import math
from dataclasses import asdict
from typing import Any

import numpy as np

from scoring.stats.agreement.ordinal.facets import Separation
from scoring.stats.agreement.ordinal.fit import NotFitted
from scoring.stats.agreement.ordinal.ordinal_model import OrdinalModel
from scoring.stats.agreement.ordinal.rater_thresholds import RaterThresholds
from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.result import finite_or_none

# Logits
BIN = 0.25


def model_json(model: OrdinalModel, own: RaterThresholds | NotFitted | None = None) -> dict[str, Any]:
    """All estimates of a model, in points of the scale, with those of the logit scale.

    Parameters
    ----------
    model : OrdinalModel
        Of one criterion.
    own : RaterThresholds or NotFitted, optional
        The same ratings with thresholds of each rater, or why there are none.
    """
    parameters, count = model.fit.parameters, len(model.fit.parameters.thresholds)
    errors = model.fit.standard_errors
    return {
        "criterion": model.criterion,
        "values": model.values.tolist(),
        "systems": [
            {
                "system": name if model.has_systems else "",
                "items": int(items),
                "ratings": int(n),
                "mean": float(mean),
                "adjusted": asdict(adjusted),
            }
            for name, items, n, mean, adjusted in zip(
                model.systems, model.items, model.counts, model.plain, model.adjusted.means, strict=True
            )
        ],
        "differences": [
            {"first": model.systems[one.first], "second": model.systems[one.second], "p_adjusted": one.p}
            | asdict(one.difference)
            for one in model.adjusted.contrasts
        ],
        "critical_value": model.adjusted.critical_value if model.adjusted.contrasts else None,
        "n_raters": len(model.raters),
        "raters": [asdict(one) for one in model.raters],
        "variances": [asdict(one) for one in model.variances],
        "separations": [_separation(one) for one in model.separations],
        "items": _histogram(model.locations),
        "estimated_as_0": list(model.fit.at_zero),
        "thresholds": parameters.thresholds.tolist(),
        "threshold_errors": errors[:count].tolist(),
        "effects": dict(zip(model.systems[1:], parameters.fixed.tolist(), strict=True)),
        "effect_errors": dict(
            zip(model.systems[1:], errors[count : count + len(parameters.fixed)].tolist(), strict=True)
        ),
        "log_likelihood": model.fit.log_likelihood,
    } | ({} if own is None else {"rater_thresholds": _own_thresholds(own)})


def _own_thresholds(own: RaterThresholds | NotFitted) -> dict[str, Any]:
    """Thresholds of each rater and the test of whether they differ; only a reason where there are none."""
    if isinstance(own, NotFitted):
        return {"reason": own.code, "raters": []}
    rows = zip(own.raters, own.thresholds, own.errors, own.ranges, strict=True)
    return {
        "reason": "",
        "statistic": finite_or_none(own.statistic),
        "freedom": own.freedom,
        "p": finite_or_none(own.p),
        "log_likelihood": own.fit.log_likelihood,
        "raters": [
            {"rater": rater, "thresholds": of.tolist(), "errors": errors.tolist(), "range": float(length)}
            for rater, of, errors, length in rows
        ],
    }


def _separation(found: Separation) -> dict[str, Any]:
    figures = {"reliability": found.reliability, "separation": found.separation}
    return {"factor": found.factor} | {
        name: None if math.isnan(one) else one for name, one in figures.items()
    }


def _histogram(locations: FloatArray) -> dict[str, Any]:
    """How many items are in each quarter of a logit, from `start` on."""
    quarters = np.floor(locations / BIN).astype(np.int64)
    return {
        "start": float(quarters.min() * BIN),
        "width": BIN,
        "counts": np.bincount(quarters - quarters.min()).tolist(),
    }


def refusal_json(criterion: str, refusal: NotFitted) -> dict[str, str]:
    """A criterion without a model, with the reason.

    Parameters
    ----------
    criterion : str
        Name of the criterion.
    refusal : NotFitted
        Why there is none.
    """
    return {"criterion": criterion, "reason": refusal.code, "message": str(refusal)}
