"""Every coefficient of agreement: its key, its title, its page, and what computes it.

Pages, LaTeX, the API, bundles and documentation read this list. A new coefficient is one more entry here,
in addition to its own module, its counterpart in the recomputing program and its page of documentation.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from scoring.stats.agreement import alpha, brennan_prediger, fleiss, gwet, held_out
from scoring.stats.agreement.alpha import LEVELS, Level
from scoring.stats.agreement.gwet import Weights
from scoring.stats.agreement.variance import icc
from scoring.stats.base.resampling import Resampling
from scoring.stats.base.result import Figure
from scoring.stats.data.refusals import NOTHING, Needs
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
    needs: Needs = NOTHING  # What it refuses ratings for, whatever their values
    of_constant: bool = False  # Whether ratings that are all the same have it: as agreement they are 1
    # What it does not depend on: at `nominal` which values there are, at `ordinal` the distances between
    # them, at `interval` their unit and zero; None where it depends on the points, or its variants differ
    level: Level | None = None


@dataclass(frozen=True)
class Family:
    """Coefficients that are computed together from the ratings of one criterion on a scale."""

    coefficients: tuple[Coefficient, ...]  # Results of one computation, such as ICC2 and ICC2k
    compute: Compute  # From ratings and resampling to the figures
    by_default: bool = True  # Whether every report has them


def _alpha(ratings: Ratings, resampling: Resampling, level: Level) -> list[Figure]:
    return [alpha.alpha(ratings, level, resampling)]


def _fleiss(ratings: Ratings, resampling: Resampling) -> list[Figure]:
    return [fleiss.fleiss(ratings, resampling)]


def _gwet(ratings: Ratings, resampling: Resampling, weighting: Weights) -> list[Figure]:
    return [gwet.gwet(ratings, weighting, resampling)]


def _kappa_n(ratings: Ratings, resampling: Resampling) -> list[Figure]:
    return [brennan_prediger.kappa_n(ratings, resampling)]


def _raw_agreement(ratings: Ratings, resampling: Resampling, within: float) -> list[Figure]:
    return [gwet.raw_agreement(ratings, within, resampling)]


def _two_way(key: str, title: str, *, headline: bool = False) -> Coefficient:
    return Coefficient(key, title, "icc", headline=headline, needs=icc.TWO_WAY_NEEDS, level="interval")


def _raw(key: str, title: str, *, level: Level | None = None) -> Coefficient:
    return Coefficient(
        key, title, "raw-agreement", axis=SHARE, plain=True, needs=gwet.NEEDS, of_constant=True, level=level
    )


HELD_OUT = Family(
    (
        Coefficient(
            "held_out_pearson",
            "Held-out Pearson",
            "held-out",
            headline=True,
            needs=held_out.NEEDS,
            level="interval",
        ),
        Coefficient(
            "held_out_spearman", "Held-out Spearman", "held-out", headline=True, needs=held_out.NEEDS
        ),
    ),
    held_out.held_out_figures,
)
ONE_WAY = Family(
    (
        Coefficient("icc1", "ICC1, one rating", "icc", level="interval"),
        Coefficient("icc1k", "ICC1, mean of ratings", "icc", level="interval"),
    ),
    icc.one_way_figures,
)
TWO_WAY = Family(
    (
        _two_way("icc2", "ICC2, one rating", headline=True),
        _two_way("icc2k", "ICC2, mean of ratings", headline=True),
        _two_way("icc3", "ICC3, one rating"),
        _two_way("icc3k", "ICC3, mean of ratings"),
    ),
    icc.two_way_figures,
)
ALPHA = Coefficient("alpha", "Krippendorff α", "alpha", headline=True)
ALPHAS: Mapping[Level, Family] = {
    level: Family((ALPHA,), partial(_alpha, level=level), by_default=level in LEVELS_BY_DEFAULT)
    for level in LEVELS
}
FLEISS = Family(
    (
        Coefficient(
            "fleiss", "Fleiss κ", "fleiss", headline=True, plain=True, needs=fleiss.NEEDS, level="nominal"
        ),
    ),
    _fleiss,
)
AC1 = Family(
    (
        Coefficient(
            "ac1", "Gwet AC1", "gwet", plain=True, needs=gwet.NEEDS, of_constant=True, level="nominal"
        ),
    ),
    partial(_gwet, weighting="identity"),
)
AC2 = Family(
    (Coefficient("ac2", "Gwet AC2", "gwet", headline=True, needs=gwet.NEEDS, of_constant=True),),
    partial(_gwet, weighting="quadratic"),
)
KAPPA_N = Family(
    (Coefficient("kappa_n", "Brennan–Prediger κ", "brennan-prediger", needs=brennan_prediger.NEEDS),),
    _kappa_n,
)
EXACT = Family(
    (_raw("exact", "Equal ratings", level="nominal"),),
    partial(_raw_agreement, within=0),
)
WITHIN_ONE = Family(
    (_raw("within_one", "Ratings within 1 point"),),
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

# Of every criterion on a scale that a report has.
BY_DEFAULT = tuple(
    dict.fromkeys(one.key for family in FAMILIES if family.by_default for one in family.coefficients)
)

# Computed for questions with options, for orders and for marked tuples, besides those of the families.
OF_OPTIONS = (
    Coefficient(
        "brennan_prediger",
        "Brennan–Prediger S",
        "raw-agreement",
        plain=True,
        needs=brennan_prediger.NEEDS,
        level="nominal",
    ),
)
# Computed for sets of yes/no tests, in addition to the coefficients of their sum.
OF_SETS = (Coefficient("kr20", "KR-20", "kr20", plain=True),)
OF_ORDERS = (
    Coefficient("kendall_w", "Kendall W", "orders", axis=SHARE, plain=True, level="ordinal"),
    Coefficient("kendall_tau", "Kendall τ-b", "orders", plain=True, level="ordinal"),
    Coefficient("pair_order", "Pairs in equal order", "orders", axis=SHARE, plain=True, level="ordinal"),
)
OF_TUPLES = (
    Coefficient("precision", "Precision", "sets-and-spans", axis=SHARE),
    Coefficient("recall", "Recall", "sets-and-spans", axis=SHARE),
    Coefficient("f1", "F1", "sets-and-spans", axis=SHARE),
)

COEFFICIENTS: Mapping[str, Coefficient] = {
    one.key: one
    for one in (
        *(one for family in FAMILIES for one in family.coefficients),
        *OF_OPTIONS,
        *OF_SETS,
        *OF_ORDERS,
        *OF_TUPLES,
    )
}
HEADLINE = frozenset(one.key for one in COEFFICIENTS.values() if one.headline)
