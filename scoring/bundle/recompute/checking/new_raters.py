"""Checks of a report with intervals for new raters."""

from __future__ import annotations

from ..arrays import Row
from ..binary_sets import add_sums
from ..bundle import Bundle
from ..coefficients.new_raters.limits import compute_for_new_raters
from ..counting import select_counted
from ..drawing import Drawing
from ..ratings import make_ratings_table
from .check import FIGURE, NUMBERS, Check
from .reliability import check_data


def check_new_raters(bundle: Bundle, report: Row, check: Check) -> None:
    """Check counts, fingerprint and every figure."""
    reported = report["data"]
    counting, data = select_counted(bundle, bundle.ratings, pooled=reported["pool_versions"])
    table = make_ratings_table(bundle, add_sums(bundle, counting))
    check_data(check, reported, data)
    check.same("fingerprint", reported["fingerprint"], table.fingerprint)
    drawing = Drawing(reported["seed"], reported["replicates"])
    rows = [row for one in table.criteria.values() for row in compute_for_new_raters(one, drawing)]
    check.rows(report["results"], rows, (FIGURE, NUMBERS))
