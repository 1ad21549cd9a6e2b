"""Coefficients that the program knows: their keys and how they are computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .arrays import Level, Row
from .bundle import Coefficients
from .coefficients.alpha import compute_alpha
from .coefficients.brennan_prediger import compute_kappa_n
from .coefficients.fleiss import compute_fleiss
from .coefficients.gwet import compute_gwet
from .coefficients.held_out import compute_held_out
from .coefficients.icc.forms import compute_iccs
from .drawing import Drawing
from .ratings import Ratings, Table

ONE_WAY = ("icc1", "icc1k")
TWO_WAY = ("icc2", "icc2k", "icc3", "icc3k")
OF_COUNTS = ("ac1", "ac2", "exact", "within_one")
LEVELS_OF_ALPHA: tuple[Level, ...] = ("ordinal", "interval")


@dataclass(frozen=True)
class Family:
    """Coefficients that are computed together from the ratings of one criterion on a scale."""

    keys: tuple[str, ...]
    compute: Callable[[Ratings, Drawing], list[Row]]
    corrects: bool = False


FAMILIES = (
    Family(("held_out_pearson", "held_out_spearman"), compute_held_out),
    Family(ONE_WAY, lambda ratings, drawing: compute_iccs(ratings, ONE_WAY, drawing)),
    Family(TWO_WAY, lambda ratings, drawing: compute_iccs(ratings, TWO_WAY, drawing)),
    Family(
        ("alpha",),
        lambda ratings, drawing: [compute_alpha(ratings, drawing, level) for level in LEVELS_OF_ALPHA],
        corrects=True,
    ),
    Family(("fleiss",), lambda ratings, drawing: [compute_fleiss(ratings, drawing)], corrects=True),
    Family(OF_COUNTS, lambda ratings, drawing: [compute_gwet(ratings, drawing, key) for key in OF_COUNTS]),
    Family(("kappa_n",), compute_kappa_n),
)
# Computed for questions with options, in addition to keys of the families.
OF_OPTIONS = ("brennan_prediger",)
# Computed for orders.
OF_ORDERS = ("kendall_w", "kendall_tau", "pair_order")
# Computed for marked tuples, in addition to α.
OF_WORDS = ("precision", "recall", "f1")
# Computed for sets of yes/no tests, in addition to the figures of their sums.
OF_SETS = ("kr20",)
COMPUTED = {
    *(key for family in FAMILIES for key in family.keys),
    *OF_OPTIONS,
    *OF_ORDERS,
    *OF_SETS,
    *OF_WORDS,
}


def compute_reliability(table: Table, drawing: Drawing, coefficients: Coefficients) -> list[Row]:
    """Compute every reliability figure of a table of ratings that the bundle's list names."""
    return [
        row
        for ratings in table.criteria.values()
        for family in FAMILIES
        if coefficients.known.intersection(family.keys)
        for row in family.compute(ratings, replace(drawing, corrects=family.corrects))
    ]


def compute_headline(table: Table, drawing: Drawing, coefficients: Coefficients) -> list[Row]:
    """Compute the figures that are reported before and after exclusions."""
    rows = compute_reliability(table, drawing, coefficients)
    headline = [row for row in rows if row["coefficient"] in coefficients.headline]
    return [row for row in headline if not row["variant"].startswith("rater:")]
