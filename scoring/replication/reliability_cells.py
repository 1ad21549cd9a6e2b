"""Reliability figures of a complete study that no table prints, as cells."""

from __future__ import annotations

import numpy as np

from scoring.replication.linearised import Agreement
from scoring.replication.sheet import Sheet
from scoring.stats.agreement.alpha import Level, alpha
from scoring.stats.agreement.gwet import agreement_weights
from scoring.stats.agreement.variance.anova import coefficient, f_interval, mean_squares
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.data.table import Ratings

TAILS = (0.025, 0.975)
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
ESTIMATE_ONLY = Resampling(replicates=1)


def add_icc(
    sheet: Sheet, criterion: str, ratings: Ratings, source: str, definitions: tuple[str, str]
) -> None:
    """The six intraclass correlations with their F intervals.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    criterion : str
        Row of the cells.
    ratings : Ratings
        Complete ratings of the criterion.
    source : str
        Source of the cells.
    definitions : tuple of str
        Keys of the definitions of the one-way and of the two-way figures.
    """
    squares = mean_squares(ratings)
    for key in ("icc1", "icc2", "icc3", "icc1k", "icc2k", "icc3k"):
        interval = f_interval(key, squares, TAILS)
        name = key.upper().replace("K", "k")
        definition = definitions[0] if key.startswith("icc1") else definitions[1]
        for suffix, value in (("", coefficient(key, squares)), ("_lo", interval.low), ("_hi", interval.high)):
            sheet.add((source, criterion, name + suffix), value, definition)


def add_alpha(sheet: Sheet, criterion: str, ratings: Ratings) -> None:
    """Add Krippendorff's α of a criterion at three levels.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    criterion : str
        Row of the cells.
    ratings : Ratings
        Ratings of the criterion.
    """
    for level in LEVELS:
        value = alpha(ratings, level, ESTIMATE_ONLY).estimate
        sheet.add(("derived: alpha", criterion, level), value, "alpha")


def add_kappa(sheet: Sheet, criterion: str, ratings: FloatArray, scale: tuple[float, float]) -> None:
    """Fleiss's κ and Gwet's AC1 and AC2.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    criterion : str
        Row of the cells.
    ratings : ndarray, shape (items, raters)
        Complete ratings of the criterion.
    scale : tuple of float
        Least and greatest value of the scale.
    """
    points = np.arange(scale[0], scale[1] + 1)
    plain = Agreement.of(ratings, scale, np.eye(len(points)))
    quadratic = Agreement.of(ratings, scale, agreement_weights("quadratic", points))
    source = "derived: kappa"
    sheet.add((source, criterion, "Fleiss"), plain.fleiss().estimate, "fleiss")
    sheet.add((source, criterion, "Gwet AC1"), plain.gwet().estimate, "gwet")
    sheet.add((source, criterion, "Gwet AC2 quadratic"), quadratic.gwet().estimate, "gwet")
