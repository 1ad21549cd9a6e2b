"""Figures of each kind of question in a reliability report."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, Protocol, TypeVar

import pandas as pd

from ..arrays import Row
from ..binary_sets import add_sums, read_sets
from ..bundle import Bundle
from ..choices.options import compute_choice_figures
from ..choices.orders import compute_order_figures, make_order_tables, read_orders, select_counted_orders
from ..choices.questions import read_choice_answers, select_counted_choices
from ..choices.tables import make_choice_tables
from ..coefficients.kr20 import analyse_tests, compute_kr20
from ..counting import select_counted, undo_exclusions
from ..drawing import Drawing
from ..ratings import make_ratings_table
from ..registry import OF_WORDS, compute_headline, compute_reliability
from ..spans.errors import (
    compute_error_figures,
    list_item_scores,
    read_error_answers,
    select_counted_errors,
)
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
    "graded_wins": (
        ("criterion", "competitor"),
        ("much_wins", "slight_wins", "ties", "slight_losses", "much_losses", "n", "grade", "low", "high"),
    ),
    "strengths": (("criterion", "competitor"), ("n", "strength", "low", "high")),
}

OF_ORDERS = {
    "order_candidates": (
        ("criterion", "candidate"),
        ("n", "mean_rank", "rank_low", "rank_high", "strength", "low", "high"),
    ),
    "order_pairs": (("criterion", "first", "second"), ("above", "ties", "below", *SHARE, "agreement")),
    "best_worst_scores": (
        ("criterion", "item"),
        (
            *("n", "n_sets", "n_raters", "best", "worst", "score", "low", "high"),
            *("strength", "strength_low", "strength_high", "strength_error"),
        ),
    ),
    "best_worst_halves": (
        ("criterion",),
        ("spearman", "corrected", "deviation", "splits", "n_items", "n_sets", "n"),
    ),
}


class Selected(Protocol):
    """The answers that count."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def cannot_rate(self) -> dict[str, int]: ...


Answers = TypeVar("Answers", bound=Selected)


def must_be_computed(bundle: Bundle, row: Row) -> bool:
    """Whether the program must compute a figure; not if its texts were redacted."""
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
    check_tables: Callable[[Check], None]


def compute_scales(bundle: Bundle, report: Row) -> Part | None:
    """Compute the figures of ratings on scales; None if there are none."""
    reported, tables = report["data"], report["tables"]
    drawing, pooled = Drawing(reported["seed"], reported["replicates"]), reported["pool_versions"]
    counting, data = select_counted(bundle, bundle.ratings, pooled=pooled)
    if not counting["value"].notna().any():
        return None
    counting = add_sums(bundle, counting)
    table, before, rows_before = make_ratings_table(bundle, counting), None, []
    without = None
    if data["excluded"]:
        everything, _ = select_counted(
            bundle, undo_exclusions(bundle, bundle.ratings, pooled=pooled), pooled=pooled
        )
        without = make_ratings_table(bundle, add_sums(bundle, everything))
        before, rows_before = without.fingerprint, compute_headline(without, drawing, bundle.coefficients)

    def check_tables(check: Check) -> None:
        check_versions(bundle, counting, report, check)
        if "differences" in reported:
            check_differences(bundle, counting, (table, without), report, check)
        check_scale_tables(table, tables, check)
        check_crossed(bundle, counting, tables.get("crossed") or {}, check)
        again = [row for one_set in sets for row in analyse_tests(one_set)]
        check.rows(
            tables.get("sets", []), again, (("criterion", "test"), ("n", "share", "item_total", "without"))
        )

    sets = read_sets(bundle, counting)
    rows = compute_reliability(table, drawing, bundle.coefficients)
    rows += [compute_kr20(one_set, drawing) for one_set in sets]
    return Part(rows, rows_before, data, table.cannot_rate, table.fingerprint, "before", before, check_tables)


@dataclass(frozen=True)
class Steps(Generic[Answers]):
    """How answers of one kind of question are read, counted and computed, and which tables are compared."""

    read: Callable[[Bundle], pd.DataFrame]
    select: Callable[..., tuple[Answers | None, Row]]
    figures: Callable[[Answers, Drawing], list[Row]]
    tables: Callable[[Answers, Drawing], dict[str, list[Row]]]
    compared: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
    before_key: str

    def compute(self, bundle: Bundle, report: Row) -> Part | None:
        """Compute the figures of these questions; None if no rater answered any."""
        reported, stored = report["data"], report["tables"]
        drawing, pooled = Drawing(reported["seed"], reported["replicates"]), reported["pool_versions"]
        frame = self.read(bundle)
        answers, data = self.select(bundle, frame, pooled=pooled)
        if answers is None:
            return None
        before, rows_before = None, []
        if data["excluded"]:
            everything = undo_exclusions(bundle, frame, pooled=pooled)
            without, _ = self.select(bundle, everything, pooled=pooled)
            if without is not None:
                before, rows_before = without.fingerprint, self.figures(without, drawing)

        def check_tables(check: Check) -> None:
            again = self.tables(answers, drawing)
            for name, how in self.compared.items():
                check.rows(stored.get(name, []), again.get(name, []), how)

        rows = self.figures(answers, drawing)
        return Part(
            rows,
            rows_before,
            data,
            answers.cannot_rate,
            answers.fingerprint,
            self.before_key,
            before,
            check_tables,
        )


CHOICES = Steps(
    read_choice_answers,
    select_counted_choices,
    compute_choice_figures,
    make_choice_tables,
    OF_CHOICES,
    "choices_before",
)
ORDERS = Steps(
    read_orders,
    select_counted_orders,
    compute_order_figures,
    make_order_tables,
    OF_ORDERS,
    "orders_before",
)


def compute_tuples(bundle: Bundle, report: Row) -> Part | None:
    """Compute the figures of marked tuples; None if no rater looked for any."""
    reported = report["data"]
    drawing = Drawing(reported["seed"], reported["replicates"])
    criteria, data = select_counted_tuples(bundle, pooled=reported["pool_versions"])
    if not criteria:
        return None
    known = partial(must_be_computed, bundle)
    found = [compute_tuple_figures(criterion, drawing) for criterion in criteria]
    rows = [row for figures, _ in found for row in figures if known(row)]
    pairs = [row for _, of_pairs in found for row in of_pairs if known(row)]
    prints = [criterion.fingerprint for criterion in criteria]
    cannot_rate = {criterion.name: criterion.cannot_rate for criterion in criteria}

    def check_tables(check: Check) -> None:
        check.rows(report["tables"].get("tuple_pairs", []), pairs, (FIGURE, NUMBERS), known)

    return Part(rows, [], data, cannot_rate, combine_fingerprints(prints), "", None, check_tables)


def compute_errors(bundle: Bundle, report: Row) -> Part | None:
    """Compute the figures of marked errors and of their scores; None if no rater answered."""
    reported, stored = report["data"], report["tables"]
    drawing, pooled = Drawing(reported["seed"], reported["replicates"]), reported["pool_versions"]
    frame = read_error_answers(bundle)
    answers, data = select_counted_errors(bundle, frame, pooled=pooled)
    if answers is None:
        return None
    before, rows_before = None, []
    if data["excluded"]:
        everything = undo_exclusions(bundle, frame, pooled=pooled)
        without, _ = select_counted_errors(bundle, everything, pooled=pooled)
        if without is not None:
            before = without.fingerprint
            rows_before = compute_headline(without.scores, drawing, bundle.coefficients)
    figures, pairs = compute_error_figures(answers, drawing)
    rows = [*figures, *compute_reliability(answers.scores, drawing, bundle.coefficients)]

    def check_tables(check: Check) -> None:
        check.rows(stored.get("error_pairs", []), pairs, (FIGURE, NUMBERS))
        scores = list_item_scores(answers)
        check.rows(stored.get("error_scores", []), scores, (("criterion", "item"), ("n", "score")))

    return Part(
        rows,
        rows_before,
        data,
        answers.cannot_rate,
        answers.fingerprint,
        "errors_before",
        before,
        check_tables,
    )


KINDS = {
    "scale": compute_scales,
    "choice": CHOICES.compute,
    "order": ORDERS.compute,
    "tuples": compute_tuples,
    "errors": compute_errors,
}


def combine_fingerprints(prints: Sequence[str]) -> str:
    """Combine several fingerprints into one."""
    return prints[0] if len(prints) == 1 else hashlib.sha256("".join(prints).encode()).hexdigest()
