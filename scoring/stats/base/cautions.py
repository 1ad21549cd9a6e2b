"""Cautions about a figure or its interval, as its signature has them."""

import math

# Parts of a signature, and the code of the caution for each.
WITHIN_RANGE = "limits:within range"
FEW_ITEMS = "caution:few_items"
FEW_GROUPS = "caution:few_groups"
FEW_RATERS = "caution:few_raters"
SKEWED = "caution:skewed_ratings"
FEW_FOR_RANKS = "caution:few_for_ranks"
ZERO_WIDTH = "caution:zero_width"
BOUNDARY = "flag:boundary"
CAUTIONS = {
    WITHIN_RANGE: "edge_of_range",
    FEW_ITEMS: "few_items",
    FEW_GROUPS: "few_groups",
    FEW_RATERS: "few_raters",
    SKEWED: "skewed_ratings",
    FEW_FOR_RANKS: "few_for_ranks",
    ZERO_WIDTH: "zero_width",
    BOUNDARY: "boundary",
}
AT_MEAN_K = "at-mean-k:"
# With fewer raters, intervals that hold for new raters contain the true value less often than stated, see
# `docs/statistics/coverage.md`.
FEW_RATERS_BELOW = 10
# Limits that differ by less are the same but for rounding.
ROUNDING = 1e-12


def cautions_of(signature: str) -> tuple[str, ...]:
    """Codes of the cautions of a figure, in the order of its signature.

    Parameters
    ----------
    signature
        Signature of the figure, with its parts separated by `|`.
    """
    return tuple(CAUTIONS[part] for part in signature.split("|") if part in CAUTIONS)


def zero_width_part(low: float, high: float) -> str:
    """The part of a signature that says that an interval has no width.

    Parameters
    ----------
    low, high
        Limits of the interval, NaN without one.

    Returns
    -------
    str
        The caution `zero_width` where both limits are the same: every resample gives the same value, as where
        all raters agree on everything, which does not show that others would. Empty otherwise.
    """
    return ZERO_WIDTH if math.isclose(low, high, rel_tol=ROUNDING, abs_tol=ROUNDING) else ""


def mean_k_part(k: float, estimate: float) -> str:
    """The part of a signature that gives an averaged ICC for the arithmetic mean of the ratings per item.

    Parameters
    ----------
    k
        That mean.
    estimate
        The coefficient for it.

    Returns
    -------
    str
        Empty where the coefficient has no value for that mean.
    """
    if not math.isfinite(estimate):
        return ""
    return f"{AT_MEAN_K}{k:.4g}={estimate:.4f}"


def at_mean_k(signature: str) -> tuple[float, float] | None:
    """The arithmetic mean of the ratings per item, and the averaged ICC for it.

    Parameters
    ----------
    signature
        Signature of the figure, with its parts separated by `|`.

    Returns
    -------
    tuple of float or None
        None where every item has the same number of ratings, and for other coefficients.
    """
    for part in signature.split("|"):
        if part.startswith(AT_MEAN_K):
            k, _, estimate = part.removeprefix(AT_MEAN_K).partition("=")
            return float(k), float(estimate)
    return None
