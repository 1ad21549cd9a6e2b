"""Figures of each kind of question in a reliability report."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ..arrays import Row
from ..bundle import Bundle
from ..choices.options import choice_figures
from ..choices.questions import choice_answers, choices_that_count
from ..choices.tables import choice_tables
from ..counting import as_if_counting, counted
from ..drawing import Drawing
from ..ratings import ratings_table
from ..registry import KNOWN, OF_WORDS, headline, reliability
from ..spans.figures import tuple_figures
from ..spans.marks import tuples_that_count
from .check import FIGURE, NUMBERS, Check
from .scales import check_beside, check_crossed, check_versions

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


def must_come_out(bundle: Bundle, row: Row) -> bool:
    """Whether this programme must come to a figure; not to one of words that were taken out of the bundle."""
    of_words = row["coefficient"] in OF_WORDS and bundle.facts["redacted_tuples"]
    return row["coefficient"] in KNOWN and not of_words


@dataclass(frozen=True)
class Part:
    """What is computed of one kind of question: figures, counts, fingerprints, and tables beside them."""

    rows: list[Row]
    rows_before: list[Row]
    data: Row
    cannot_rate: dict[str, int]
    fingerprint: str
    before_key: str
    before: str | None
    beside: Callable[[Check], None]


def of_scales(bundle: Bundle, report: Row) -> Part | None:
    """Ratings on scales; None where there are none."""
    said, tables = report["data"], report["tables"]
    drawing, pooled = Drawing(said["seed"], said["replicates"]), said["pool_versions"]
    kept, data = counted(bundle, bundle.ratings, pooled=pooled)
    if not kept["value"].notna().any():
        return None
    table, before, rows_before = ratings_table(bundle, kept), None, []
    if data["excluded"]:
        everything, _ = counted(bundle, as_if_counting(bundle, bundle.ratings, pooled=pooled), pooled=pooled)
        without = ratings_table(bundle, everything)
        before, rows_before = without.fingerprint, headline(without, drawing)

    def beside(check: Check) -> None:
        check_versions(bundle, kept, report, check)
        check_beside(table, tables, check)
        check_crossed(bundle, kept, tables.get("crossed") or {}, check)

    rows = reliability(table, drawing)
    return Part(rows, rows_before, data, table.cannot_rate, table.fingerprint, "before", before, beside)


def of_choices(bundle: Bundle, report: Row) -> Part | None:
    """Questions with options; None where nobody has chosen anything."""
    said, tables = report["data"], report["tables"]
    drawing, pooled = Drawing(said["seed"], said["replicates"]), said["pool_versions"]
    frame = choice_answers(bundle)
    choices, data = choices_that_count(bundle, frame, pooled=pooled)
    if choices is None:
        return None
    before, rows_before = None, []
    if data["excluded"]:
        everything = as_if_counting(bundle, frame, pooled=pooled)
        without, _ = choices_that_count(bundle, everything, pooled=pooled)
        if without is not None:
            before, rows_before = without.fingerprint, choice_figures(without, drawing)

    def beside(check: Check) -> None:
        again = choice_tables(choices, drawing)
        for name, how in OF_CHOICES.items():
            check.rows(tables.get(name, []), again.get(name, []), how)

    rows = choice_figures(choices, drawing)
    return Part(
        rows,
        rows_before,
        data,
        choices.cannot_rate,
        choices.fingerprint,
        "choices_before",
        before,
        beside,
    )


def of_tuples(bundle: Bundle, report: Row) -> Part | None:
    """Marked tuples; None where nobody has looked for any."""
    said = report["data"]
    drawing = Drawing(said["seed"], said["replicates"])
    criteria, data = tuples_that_count(bundle, pooled=said["pool_versions"])
    if not criteria:
        return None
    known = partial(must_come_out, bundle)
    found = [tuple_figures(one, drawing) for one in criteria]
    rows = [row for figures, _ in found for row in figures if known(row)]
    pairs = [row for _, of_pairs in found for row in of_pairs if known(row)]
    prints = [one.fingerprint for one in criteria]
    cannot_rate = {one.name: one.cannot_rate for one in criteria}

    def beside(check: Check) -> None:
        check.rows(report["tables"].get("tuple_pairs", []), pairs, (FIGURE, NUMBERS), known)

    return Part(rows, [], data, cannot_rate, together(prints), "", None, beside)


KINDS = {"scale": of_scales, "choice": of_choices, "tuples": of_tuples}


def together(prints: Sequence[str]) -> str:
    """One fingerprint of several."""
    return prints[0] if len(prints) == 1 else hashlib.sha256("".join(prints).encode()).hexdigest()
