"""Figures of each kind of question in a reliability report."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ..arrays import Row
from ..bundle import Bundle
from ..choices.options import compute_choice_figures
from ..choices.questions import read_choice_answers, select_counted_choices
from ..choices.tables import make_choice_tables
from ..counting import select_counted, undo_exclusions
from ..drawing import Drawing
from ..ratings import make_ratings_table
from ..registry import OF_WORDS, compute_headline, compute_reliability
from ..spans.figures import compute_tuple_figures
from ..spans.marks import select_counted_tuples
from .check import FIGURE, NUMBERS, Check
from .scales import check_crossed, check_differences, check_scale_tables, check_versions

SHARE = ("n", "share", "low", "high")
WINS = ("wins", "ties", "losses", *SHARE)
OF_CHOICES = {
    "accuracy": (
        ("criterion", "who", "name", "by", "category"),
        ("right", "wrong", "unsure", "cannot_rate", "tie", *SHARE, "share_decided"),
    ),
    "without_key": (("criterion",), ("n_items",)),
    "win_rates": (("criterion", "competitor"), WINS),
    "wins_by_percent": (("criterion", "percent"), WINS),
    "first_shown": (("criterion",), WINS),
    "strengths": (("criterion", "competitor"), ("n", "strength", "low", "high")),
}


def must_be_computed(bundle: Bundle, row: Row) -> bool:
    """Whether the programme must compute a figure; not if its texts were redacted."""
    of_words = row["coefficient"] in OF_WORDS and bundle.facts["redacted_tuples"]
    return row["coefficient"] in bundle.coefficients.known and not of_words


@dataclass(frozen=True)
class Part:
    """Figures, counts, fingerprints and tables of one kind of question."""

    rows: list[Row]
    rows_before: list[Row]
    data: Row
    cannot_rate: dict[str, int]
    fingerprint: str
    before_key: str
    before: str | None
    beside: Callable[[Check], None]


def compute_scales(bundle: Bundle, report: Row) -> Part | None:
    """Compute the figures of ratings on scales; None if there are none."""
    said, tables = report["data"], report["tables"]
    drawing, pooled = Drawing(said["seed"], said["replicates"]), said["pool_versions"]
    counting, data = select_counted(bundle, bundle.ratings, pooled=pooled)
    if not counting["value"].notna().any():
        return None
    table, before, rows_before = make_ratings_table(bundle, counting), None, []
    without = None
    if data["excluded"]:
        everything, _ = select_counted(
            bundle, undo_exclusions(bundle, bundle.ratings, pooled=pooled), pooled=pooled
        )
        without = make_ratings_table(bundle, everything)
        before, rows_before = without.fingerprint, compute_headline(without, drawing, bundle.coefficients)

    def beside(check: Check) -> None:
        check_versions(bundle, counting, report, check)
        if "differences" in said:
            check_differences(bundle, counting, (table, without), report, check)
        check_scale_tables(table, tables, check)
        check_crossed(bundle, counting, tables.get("crossed") or {}, check)

    rows = compute_reliability(table, drawing, bundle.coefficients)
    return Part(rows, rows_before, data, table.cannot_rate, table.fingerprint, "before", before, beside)


def compute_choices(bundle: Bundle, report: Row) -> Part | None:
    """Compute the figures of questions with options; None if no option was chosen."""
    said, tables = report["data"], report["tables"]
    drawing, pooled = Drawing(said["seed"], said["replicates"]), said["pool_versions"]
    frame = read_choice_answers(bundle)
    choices, data = select_counted_choices(bundle, frame, pooled=pooled)
    if choices is None:
        return None
    before, rows_before = None, []
    if data["excluded"]:
        everything = undo_exclusions(bundle, frame, pooled=pooled)
        without, _ = select_counted_choices(bundle, everything, pooled=pooled)
        if without is not None:
            before, rows_before = without.fingerprint, compute_choice_figures(without, drawing)

    def beside(check: Check) -> None:
        again = make_choice_tables(choices, drawing)
        for name, how in OF_CHOICES.items():
            check.rows(tables.get(name, []), again.get(name, []), how)

    rows = compute_choice_figures(choices, drawing)
    return Part(
        rows, rows_before, data, choices.cannot_rate, choices.fingerprint, "choices_before", before, beside
    )


def compute_tuples(bundle: Bundle, report: Row) -> Part | None:
    """Compute the figures of marked tuples; None if no rater looked for any."""
    said = report["data"]
    drawing = Drawing(said["seed"], said["replicates"])
    criteria, data = select_counted_tuples(bundle, pooled=said["pool_versions"])
    if not criteria:
        return None
    known = partial(must_be_computed, bundle)
    found = [compute_tuple_figures(one, drawing) for one in criteria]
    rows = [row for figures, _ in found for row in figures if known(row)]
    pairs = [row for _, of_pairs in found for row in of_pairs if known(row)]
    prints = [one.fingerprint for one in criteria]
    cannot_rate = {one.name: one.cannot_rate for one in criteria}

    def beside(check: Check) -> None:
        check.rows(report["tables"].get("tuple_pairs", []), pairs, (FIGURE, NUMBERS), known)

    return Part(rows, [], data, cannot_rate, combine_fingerprints(prints), "", None, beside)


KINDS = {"scale": compute_scales, "choice": compute_choices, "tuples": compute_tuples}


def combine_fingerprints(prints: Sequence[str]) -> str:
    """Combine several fingerprints into one."""
    return prints[0] if len(prints) == 1 else hashlib.sha256("".join(prints).encode()).hexdigest()
