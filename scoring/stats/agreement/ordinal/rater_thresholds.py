"""Thresholds of each rater: whether raters use the points of the scale alike, once severity is removed."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import scipy

from scoring.stats.agreement.ordinal.crossed_effects import Factors
from scoring.stats.agreement.ordinal.fit import NotFitted, OrdinalFit, fit
from scoring.stats.agreement.ordinal.laplace import OrdinalDesign
from scoring.stats.agreement.ordinal.ordinal_model import (
    GROUPS,
    ITEMS,
    RATERS,
    check_levels,
    check_systems,
    level_codes,
)
from scoring.stats.base.resampling import FloatArray, IntArray, Tick, ignore_progress

# The curvature is computed threshold by threshold.
MOST_THRESHOLDS = 120
MOST_NAMED = 3


@dataclass(frozen=True)
class RaterThresholds:
    """A cumulative logit mixed model with thresholds for each rater."""

    criterion: str
    values: FloatArray  # The values that occur, in order
    raters: tuple[str, ...]
    thresholds: FloatArray  # On the logit scale, for the first system; shape (raters, values − 1)
    errors: FloatArray  # Their standard errors
    # Twice the log likelihood above that of raters who differ in severity alone, with its degrees of freedom
    # and p; NaN with two values, where severity is all that can differ
    statistic: float
    freedom: int
    p: float
    fit: OrdinalFit

    @property
    def ranges(self) -> FloatArray:
        """Distance of each rater's last threshold from the first, shape (raters,).

        A rater with a short one gives the values at the ends often, one with a long one those between them.
        """
        return np.asarray(self.thresholds[:, -1] - self.thresholds[:, 0], dtype=np.float64)


def rater_thresholds(frame: pd.DataFrame, *, tick: Tick = ignore_progress) -> RaterThresholds:
    """Fit ratings of one criterion with thresholds for each rater.

    Parameters
    ----------
    frame : pandas.DataFrame
        As for `ordinal_model`.
    tick : callable
        Called with 0 at each evaluation of the likelihood.

    Returns
    -------
    RaterThresholds
        Systems and raters are fixed, items and groups random. The test compares the likelihoods of both
        models by the Laplace approximation.

    Raises
    ------
    NotFitted
        As `ordinal_model`; `unused_value` where a rater never gives one of the values, so that a distance
        between thresholds has no estimate, and `too_many_thresholds`.

    References
    ----------
    Tutz & Hennevogl (1996), Random effects in ordinal regression models; Christensen (2019), section 2.4 on
    nominal effects.
    """
    rated = frame[frame["value"].notna()]
    values, category = np.unique(rated["value"].to_numpy(dtype=np.float64), return_inverse=True)
    systems, system = level_codes(rated["system"] if "system" in rated else rated["criterion"])
    raters, rater = level_codes(rated["rater"])
    codes = {ITEMS: level_codes(rated["item"])[1]}
    if "group" in rated:
        codes[GROUPS] = level_codes(rated["group"])[1]
    check_levels(values, codes | {RATERS: rater})
    check_systems(systems, system, category, len(values))
    _check_use(raters, rater, category, len(values))
    of_systems = np.eye(len(systems))[system][:, 1:]
    own = OrdinalDesign(category, len(values), of_systems, Factors.of(codes), rater, len(raters))
    of_raters = np.concatenate((of_systems, np.eye(len(raters))[rater][:, 1:]), axis=1)
    fitted = fit(own, tick)
    freedom = (len(raters) - 1) * (len(values) - 2)
    statistic = np.nan
    if freedom:
        shared = fit(replace(own, fixed=of_raters, of_set=0, sets=1), tick)
        statistic = max(0.0, 2 * (fitted.log_likelihood - shared.log_likelihood))
    shape = (len(raters), len(values) - 1)
    count = shape[0] * shape[1]
    return RaterThresholds(
        str(rated["criterion"].iloc[0]),
        values,
        raters,
        fitted.parameters.thresholds.reshape(shape),
        fitted.standard_errors[:count].reshape(shape),
        statistic,
        freedom,
        float(scipy.stats.chi2.sf(statistic, freedom)) if freedom else np.nan,
        fitted,
    )


def _check_use(raters: tuple[str, ...], rater: IntArray, category: IntArray, categories: int) -> None:
    """Refuse raters without ratings of each category."""
    if len(raters) * (categories - 1) > MOST_THRESHOLDS:
        raise NotFitted(
            "too_many_thresholds",
            f"{len(raters)} raters with {categories - 1} thresholds each: the model is for at most"
            f" {MOST_THRESHOLDS} thresholds",
        )
    used = np.zeros((len(raters), categories), dtype=np.bool_)
    used[rater, category] = True
    without = [raters[at] for at in np.flatnonzero(~used.all(axis=1))]
    if without:
        more = f" and {len(without) - MOST_NAMED} more" if len(without) > MOST_NAMED else ""
        raise NotFitted(
            "unused_value",
            f"{', '.join(without[:MOST_NAMED])}{more} never gave one of the values: their thresholds around"
            " it have no estimate",
        )
