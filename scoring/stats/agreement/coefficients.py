"""Every coefficient of agreement: its key, its title, its page, and what computes it.

Pages, LaTeX, the API, bundles and documentation read this list. A new coefficient is one more entry here,
beside its own module, its counterpart in the recomputing programme and its page of documentation.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from scoring.stats.agreement.alpha import LEVELS, Level, alpha
from scoring.stats.agreement.brennan_prediger import kappa_n
from scoring.stats.agreement.fleiss import fleiss
from scoring.stats.agreement.gwet import Weights, gwet, raw_agreement
from scoring.stats.agreement.held_out import held_out_figures
from scoring.stats.agreement.variance.icc import one_way_figures, two_way_figures
from scoring.stats.base.resampling import Resampling
from scoring.stats.base.result import Figure
from scoring.stats.data.table import Ratings

Compute = Callable[[Ratings, Resampling], list[Figure]]

LEVELS_BY_DEFAULT: tuple[Level, ...] = ("ordinal", "interval")
SHARE = (0.0, 1.0)


@dataclass(frozen=True)
class Coefficient:
    """One coefficient, whatever variants of it there are."""

    key: str  # What reports, the API and LaTeX store
    title: str  # What pages and tables for papers call it
    page: str  # Page in `docs/statistics`, without the extension
    headline: bool = False  # Whether pages show it before and after exclusions
    axis: tuple[float, float] = (-1.0, 1.0)  # Limits of the axis in charts
    plain: bool = False  # Whether its variant says how it was computed, and not which figure it is


@dataclass(frozen=True)
class Family:
    """Coefficients that are computed together from the ratings of one criterion on a scale."""

    coefficients: tuple[Coefficient, ...]  # Results of one computation, such as ICC2 and ICC2k
    compute: Compute  # From ratings and resampling to the figures
    by_default: bool = True  # Whether every report has them


def _alpha(ratings: Ratings, resampling: Resampling, level: Level) -> list[Figure]:
    return [alpha(ratings, level, resampling)]


def _fleiss(ratings: Ratings, resampling: Resampling) -> list[Figure]:
    return [fleiss(ratings, resampling)]


def _gwet(ratings: Ratings, resampling: Resampling, weighting: Weights) -> list[Figure]:
    return [gwet(ratings, weighting, resampling)]


def _kappa_n(ratings: Ratings, resampling: Resampling) -> list[Figure]:
    return [kappa_n(ratings, resampling)]


def _raw_agreement(ratings: Ratings, resampling: Resampling, within: float) -> list[Figure]:
    return [raw_agreement(ratings, within, resampling)]


HELD_OUT = Family(
    (
        Coefficient("held_out_pearson", "Held-out Pearson", "held-out", headline=True),
        Coefficient("held_out_spearman", "Held-out Spearman", "held-out", headline=True),
    ),
    held_out_figures,
)
ONE_WAY = Family(
    (Coefficient("icc1", "ICC1, one rating", "icc"), Coefficient("icc1k", "ICC1, mean of ratings", "icc")),
    one_way_figures,
)
TWO_WAY = Family(
    (
        Coefficient("icc2", "ICC2, one rating", "icc", headline=True),
        Coefficient("icc2k", "ICC2, mean of ratings", "icc", headline=True),
        Coefficient("icc3", "ICC3, one rating", "icc"),
        Coefficient("icc3k", "ICC3, mean of ratings", "icc"),
    ),
    two_way_figures,
)
ALPHA = Coefficient("alpha", "Krippendorff α", "alpha", headline=True)
ALPHAS: Mapping[Level, Family] = {
    level: Family((ALPHA,), partial(_alpha, level=level), by_default=level in LEVELS_BY_DEFAULT)
    for level in LEVELS
}
FLEISS = Family((Coefficient("fleiss", "Fleiss κ", "fleiss", headline=True, plain=True),), _fleiss)
AC1 = Family((Coefficient("ac1", "Gwet AC1", "gwet", plain=True),), partial(_gwet, weighting="identity"))
AC2 = Family((Coefficient("ac2", "Gwet AC2", "gwet", headline=True),), partial(_gwet, weighting="quadratic"))
KAPPA_N = Family((Coefficient("kappa_n", "Brennan–Prediger κ", "brennan-prediger"),), _kappa_n)
EXACT = Family(
    (Coefficient("exact", "Equal ratings", "raw-agreement", axis=SHARE, plain=True),),
    partial(_raw_agreement, within=0),
)
WITHIN_ONE = Family(
    (Coefficient("within_one", "Ratings at most one apart", "raw-agreement", axis=SHARE, plain=True),),
    partial(_raw_agreement, within=1),
)
FAMILIES: tuple[Family, ...] = (
    HELD_OUT,
    ONE_WAY,
    TWO_WAY,
    *ALPHAS.values(),
    FLEISS,
    AC1,
    AC2,
    KAPPA_N,
    EXACT,
    WITHIN_ONE,
)

# Computed for questions with options and for marked tuples, beside coefficients of the families.
OF_OPTIONS = (Coefficient("brennan_prediger", "Brennan–Prediger S", "raw-agreement", plain=True),)
OF_TUPLES = (
    Coefficient("precision", "Precision", "sets-and-spans", axis=SHARE),
    Coefficient("recall", "Recall", "sets-and-spans", axis=SHARE),
    Coefficient("f1", "F1", "sets-and-spans", axis=SHARE),
)

COEFFICIENTS: Mapping[str, Coefficient] = {
    one.key: one
    for one in (*(one for family in FAMILIES for one in family.coefficients), *OF_OPTIONS, *OF_TUPLES)
}
HEADLINE = frozenset(one.key for one in COEFFICIENTS.values() if one.headline)
