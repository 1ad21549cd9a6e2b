"""Checks of a reliability report."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..arrays import Row
from ..bundle import Bundle
from .check import FIGURE, NUMBERS, Check
from .parts import KINDS, OF_CHOICES, OF_ORDERS, Part, combine_fingerprints, must_be_computed
from .scales import OF_SCALES


def check_reliability(bundle: Bundle, report: Row, check: Check) -> None:
    """Check a reliability report on scales, questions with options, orders and tuples."""
    reported, tables = report["data"], report["tables"]
    by_kind = {kind: part for kind, of in KINDS.items() if (part := of(bundle, report))}
    parts = list(by_kind.values())
    other_tables = (
        OF_CHOICES.keys() | OF_ORDERS.keys() | {"before", "tuple_pairs", "error_pairs", "error_scores"}
    )
    for name in tables.keys() - OF_SCALES - other_tables:
        check.count_skipped(name, tables[name])
    check_data(check, reported, parts[0].data)
    several = by_kind if len(parts) > 1 else {}
    check.same("kinds of questions", sorted(reported.get("by_kind", {})), sorted(several))
    for kind, part in several.items():
        check_data(check, reported["by_kind"][kind], part.data)
    check_sources(bundle, reported, parts, check)
    known = partial(must_be_computed, bundle)
    before_is = {
        key: reported[key]
        for key in ("before", "choices_before", "orders_before", "errors_before")
        if key in reported
    }
    again = {part.before_key: part.before for part in parts if part.before is not None}
    check.same("fingerprint before", before_is, again)
    rows = [row for part in parts for row in part.rows]
    check.rows(report["results"], rows, (FIGURE, NUMBERS), known)
    before = [row for part in parts for row in part.rows_before]
    check.rows(tables.get("before", []), before, (FIGURE, NUMBERS), known)
    for part in parts:
        part.check_tables(check)
    if not any(part.before_key == "before" for part in parts):
        check.same("tables of scales", [], sorted(tables.keys() & OF_SCALES))


def check_sources(bundle: Bundle, reported: Row, parts: Sequence[Part], check: Check) -> None:
    """Check the numbers of answers without a value, and the fingerprint of all answers."""
    again = {name: number for part in parts for name, number in part.cannot_rate.items()}
    check.same("cannot_rate", reported["cannot_rate"], again)
    if bundle.facts["redacted_tuples"]:
        check.count_skipped("fingerprint", 1)
    else:
        check.same(
            "fingerprint", reported["fingerprint"], combine_fingerprints([part.fingerprint for part in parts])
        )


def check_data(check: Check, reported: Row, data: Row) -> None:
    """Check what was counted, excluded and left out."""
    for key, value in data.items():
        # Reports from before there were corrections do not count responses by version.
        if key in reported or key != "by_version":
            check.same(key, reported[key], value)
