"""Coefficients of ratings on scales: their keys and how they are computed."""

from __future__ import annotations

from .arrays import Level, Row
from .coefficients.alpha import alpha
from .coefficients.fleiss import fleiss
from .coefficients.gwet import gwet
from .coefficients.held_out import held_out
from .coefficients.icc.forms import iccs
from .drawing import Drawing
from .ratings import Table

LEVELS_OF_ALPHA: tuple[Level, ...] = ("ordinal", "interval")
OF_WORDS = ("precision", "recall", "f1")
KNOWN = {
    *("held_out_pearson", "held_out_spearman", "icc1", "icc1k", "icc2", "icc2k", "icc3", "icc3k"),
    *("alpha", "fleiss", "ac1", "ac2", "exact", "within_one", "brennan_prediger"),
    *OF_WORDS,
}
# Pairs and distributions of more raters than this are not stored.
MOST_RATERS = 30
HEADLINE = {"held_out_pearson", "held_out_spearman", "icc2", "icc2k", "alpha", "fleiss", "ac2"}


def reliability(table: Table, drawing: Drawing) -> list[Row]:
    """Every reliability figure of a table of ratings."""
    rows: list[Row] = []
    for ratings in table.criteria.values():
        rows += held_out(ratings, drawing)
        rows += iccs(ratings, ("icc1", "icc1k"), drawing)
        rows += iccs(ratings, ("icc2", "icc2k", "icc3", "icc3k"), drawing)
        rows += [alpha(ratings, drawing, level) for level in LEVELS_OF_ALPHA]
        rows.append(fleiss(ratings, drawing))
        rows += [gwet(ratings, drawing, key) for key in ("ac1", "ac2", "exact", "within_one")]
    return rows


def headline(table: Table, drawing: Drawing) -> list[Row]:
    """The figures that stand beside each other before and after exclusions."""
    rows = [row for row in reliability(table, drawing) if row["coefficient"] in HEADLINE]
    return [row for row in rows if not row["variant"].startswith("rater:")]
