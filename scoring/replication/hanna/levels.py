"""Correlations over systems, prompt by prompt and of the systems' means, as the authors computed them."""

from __future__ import annotations

import numpy as np

from scoring.replication.hanna.data import HannaData
from scoring.stats.base.association import COEFFICIENTS, Coefficient, associations
from scoring.stats.base.resampling import FloatArray

LEVELS = ("story", "system")


def level_correlations(data: HannaData) -> dict[tuple[str, Coefficient], FloatArray]:
    """Correlations among all criteria and metrics at both levels, without the human stories.

    Parameters
    ----------
    data : HannaData
        Mean ratings and metric scores.

    Returns
    -------
    dict of ndarray, shape (columns, columns)
        By level and coefficient. At story level the mean over the prompts where it is defined.


    Notes
    -----
    System means are taken as floating point leaves them, as the authors did: two pairs of systems have equal
    mean complexity on paper, and rounding orders one of them. The library's own figures tie both.
    """
    means = data.system_means
    found: dict[tuple[str, Coefficient], FloatArray] = {}
    for coefficient in COEFFICIENTS:
        if coefficient == "pearson":
            by_prompt = np.stack([_pearson(values) for values in data.machines])
        else:
            by_prompt = np.stack([associations(values, values, coefficient) for values in data.machines])
        found["story", coefficient] = np.nanmean(by_prompt, axis=0)
        found["system", coefficient] = associations(means, means, coefficient, tie_rounding=False)
    return found


def _pearson(values: FloatArray) -> FloatArray:
    """Pearson's r among columns in the order of operations of scipy, shape (columns, columns).

    CIDEr holds values down to 1e-318; what is left of them depends on when they are scaled.
    """
    centred = values - values.mean(axis=0)
    greatest = np.abs(centred).max(axis=0)
    flat = (values == values[0]).all(axis=0)
    safe = np.where(greatest > 0, greatest, 1.0)
    norm = safe * np.sqrt(((centred / safe) ** 2).sum(axis=0))
    unit = centred / np.where(norm > 0, norm, 1.0)
    product = np.clip(unit.T @ unit, -1.0, 1.0)
    return np.where(flat[:, None] | flat, np.nan, product)
