"""Intervals of the ICC suppose normal ratings and raters enough: cautions where they hold less often."""

from dataclasses import replace

from scoring.stats.base.cautions import FEW_RATERS, FEW_RATERS_BELOW, SKEWED
from scoring.stats.base.result import Interval
from scoring.stats.data.table import Ratings

OF_SEVERITY = ("icc2", "icc2k")
# Share of ratings with the lowest, or with the highest, value beyond which intervals hold clearly less often.
MOST_AT_ONE_END = 0.5
# With as many items, intervals of ICC2 of few raters still hold; with more, the raters alone decide.
ITEMS_OF_FEW_RATERS = 50


def share_at_one_end(ratings: Ratings) -> float:
    """The greater share of the ratings that have the lowest, or the highest, value that was given.

    Parameters
    ----------
    ratings
        At least one rating.
    """
    lowest, highest = ratings.value.min(), ratings.value.max()
    return float(max((ratings.value == lowest).mean(), (ratings.value == highest).mean()))


def with_cautions(key: str, interval: Interval, ratings: Ratings) -> Interval:
    """The interval of an ICC that supposes normal effects, with the cautions that were measured.

    Parameters
    ----------
    key
        Coefficient key.
    interval
        Limits by the F distribution or by generalised pivots.
    ratings
        The ratings that the figure is of.

    Returns
    -------
    Interval
        Its settings name `skewed_ratings` where more than half of the ratings have the lowest or the highest
        value given, and for ICC2 and ICC2k `few_raters` where fewer than ten raters rate more than 50 items;
        see `docs/statistics/coverage.md`. Unchanged without limits.
    """
    if interval.reason:
        return interval
    few = len(ratings.raters) < FEW_RATERS_BELOW and ratings.n_items > ITEMS_OF_FEW_RATERS
    cautions = [FEW_RATERS] if key in OF_SEVERITY and few else []
    cautions += [SKEWED] if share_at_one_end(ratings) > MOST_AT_ONE_END else []
    return replace(interval, settings="|".join(filter(None, [interval.settings, *cautions])))
