"""HAUSER's agreement: Table 2, and the reliability figures it does not print."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from scoring.replication.hauser.data import CRITERIA, RATERS, HauserData
from scoring.replication.hauser.table_2 import COLUMNS, PRINTED, SOURCE
from scoring.replication.linearised import Agreement
from scoring.replication.reliability_cells import add_alpha, add_icc, add_kappa
from scoring.replication.sheet import Sheet
from scoring.stats.agreement.gwet import agreement_weights
from scoring.stats.agreement.variance.anova import mean_squares
from scoring.stats.base.association import Coefficient, associations
from scoring.stats.base.resampling import FloatArray
from scoring.stats.data.table import Ratings, RatingsTable

BEFORE = {
    "Quality": ("0.573", "0.626", "0.542", "0.595"),
    "Creativity": ("0.537", "0.671", "0.550", "0.678"),
    "Informativeness": ("0.833", "0.857", "0.799", "0.816"),
}
NO_BEFORE = "the ratings before the removal are not public"
SCALE = (1.0, 5.0)
POINTS = np.arange(1.0, 6.0)


def add_agreement(sheet: Sheet, data: HauserData) -> None:
    """Add Table 2 and the derived reliability cells of the three criteria.

    Parameters
    ----------
    sheet : Sheet
        Sheet for the cells.
    data : HauserData
        The published ratings.
    """
    table = ratings_table(data)
    for criterion in CRITERIA:
        for (column, _, _), printed in zip(COLUMNS, BEFORE[criterion], strict=True):
            definition = f"heldout_{column.split()[0].lower()}"
            sheet.add(("Table 2 (Before)", criterion, column), None, definition, printed, NO_BEFORE)
    for criterion in CRITERIA:
        ratings = data.ratings(criterion)
        _add_held_out(sheet, criterion, ratings)
        _add_pairs(sheet, criterion, ratings)
        coded = table.criteria[criterion]
        add_icc(sheet, criterion, coded, "derived: ICC", ("icc", "icc"))
        _add_mean_squares(sheet, criterion, coded)
        add_alpha(sheet, criterion, coded)
        _add_ordinal_weights(sheet, criterion, ratings)
        add_kappa(sheet, criterion, ratings, SCALE)
        _add_intervals(sheet, criterion, ratings)


def ratings_table(data: HauserData) -> RatingsTable:
    """The ratings of three identified raters on three criteria, scale 1 to 5, checked and coded.

    Parameters
    ----------
    data : HauserData
        The published ratings.
    """
    parts = [
        pd.DataFrame(
            {
                "item": np.arange(len(data.table)),
                "rater": f"rater{rater}",
                "criterion": criterion,
                "value": data.ratings(criterion)[:, position],
            }
        )
        for criterion in CRITERIA
        for position, rater in enumerate(RATERS)
    ]
    return RatingsTable.from_frame(pd.concat(parts), scales=dict.fromkeys(CRITERIA, SCALE))


def _add_held_out(sheet: Sheet, criterion: str, ratings: FloatArray) -> None:
    others = (ratings.sum(axis=1, keepdims=True) - ratings) / (ratings.shape[1] - 1)
    found: dict[str, FloatArray] = {}
    for name in ("Pearson", "Spearman"):
        found[name] = _diagonal(ratings, others, "pearson" if name == "Pearson" else "spearman")
        for position, rater in enumerate(RATERS):
            cell = ("derived: held-out per rater", criterion, f"rater{rater} {name}")
            sheet.add(cell, found[name][position], f"heldout_{name.lower()}")
    for (column, _, summary), printed in zip(COLUMNS, PRINTED[criterion], strict=True):
        name = column.split()[0]
        value = found[name].mean() if summary == "mean" else found[name].max()
        sheet.add((SOURCE, criterion, column), value, f"heldout_{name.lower()}", printed)


def _diagonal(x: FloatArray, y: FloatArray, coefficient: Coefficient) -> FloatArray:
    return np.asarray(np.diagonal(associations(x, y, coefficient)), dtype=np.float64)


def _add_pairs(sheet: Sheet, criterion: str, ratings: FloatArray) -> None:
    note = "pair of raters directly, no averaging"
    for name in ("Pearson", "Spearman"):
        matrix = associations(ratings, ratings, "pearson" if name == "Pearson" else "spearman")
        for one, other in combinations(range(len(RATERS)), 2):
            column = f"rater{RATERS[one]}-rater{RATERS[other]} {name}"
            cell = ("derived: pairwise raters", criterion, column)
            sheet.add(cell, matrix[one, other], f"heldout_{name.lower()}", note=note)


def _add_mean_squares(sheet: Sheet, criterion: str, ratings: Ratings) -> None:
    squares = mean_squares(ratings)
    named = {"MSR": squares.rows, "MSC": squares.columns, "MSE": squares.error, "MSW": squares.within}
    for name, value in named.items():
        sheet.add(("derived: ANOVA", criterion, name), value, "icc")


def _add_ordinal_weights(sheet: Sheet, criterion: str, ratings: FloatArray) -> None:
    value = Agreement.of(ratings, SCALE, agreement_weights("ordinal", POINTS)).alpha().estimate
    sheet.add(("derived: alpha", criterion, "irrCAC ordinal weights"), value, "alpha_gwet_ordinal")


def _add_intervals(sheet: Sheet, criterion: str, ratings: FloatArray) -> None:
    quadratic = Agreement.of(ratings, SCALE, agreement_weights("quadratic", POINTS))
    figures = {
        "alpha interval": quadratic.alpha(),
        "AC2 quadratic": quadratic.gwet(),
        "Fleiss": Agreement.of(ratings, SCALE, np.eye(5)).fleiss(),
    }
    for name, figure in figures.items():
        for end, value in (("lo", figure.low), ("hi", figure.high)):
            sheet.add(("derived: irrCAC intervals", criterion, f"{name} {end}"), value, "irrcac_ci")
