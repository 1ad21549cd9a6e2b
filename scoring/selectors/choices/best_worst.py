"""Tables of a report about best–worst choices: scores of items, and whether halves of the answers agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.domain.items.drawn_sets import LETTERS
from annotation.models import Study
from scoring.models import Report
from scoring.selectors.base.figures import MEANINGS
from scoring.selectors.choices.choices import MOST_SHOWN, placed

SCORES, HALVES = "best_worst_scores", "best_worst_halves"
SCORE_COLUMNS = (
    *("criterion", "item", "score", "low", "high", "n", "best", "worst", "interval_method"),
    *("strength", "strength_low", "strength_high", "reason", "n_sets", "caution", "n_raters"),
    "strength_error",
)
HALVES_COLUMNS = (
    "criterion",
    "spearman",
    "corrected",
    "deviation",
    "splits",
    "n_items",
    "n_sets",
    "n",
    "reason",
)
TICKS = [{"label": label, "x": 25 * step} for step, label in enumerate(("−1", "−.5", "0", ".5", "1"))]


def best_worst_groups(report: Report) -> list[dict[str, Any]]:
    """Scores and their split-half reliability, by question.

    Returns
    -------
    list of dict
        `criterion`, `halves`, `no_halves` (why there is no reliability), `scores` with their texts and places
        on the axis from −1 to 1, `ticks`, `n_few_sets` and `n_few_raters` (items of few sets or raters),
        `not_fitted` (why there are no strengths), and `n_more`, how many items are not shown.
    """
    return [_group(report, halves) for halves in report.tables.get(HALVES, [])]


def score_lines(report: Report) -> list[dict[str, Any]]:
    """Scores of the items, as a file has them."""
    return [{key: row.get(key, "") for key in SCORE_COLUMNS} for row in report.tables.get(SCORES, [])]


def halves_lines(report: Report) -> list[dict[str, Any]]:
    """Split-half reliability of the scores, as a file has it."""
    return [{key: row[key] for key in HALVES_COLUMNS} for row in report.tables.get(HALVES, [])]


def best_worst_rows(report: Report) -> Iterator[tuple[Mapping[str, Any], str, float | None, str]]:
    """Reliability, scores and strengths: row, what it is about, estimate and counts of each."""
    for row in report.tables.get(HALVES, []):
        over = {**row, "low": None, "high": None, "interval_method": ""}
        yield over, "split halves, Spearman", row["spearman"], f"n={row['n']}"
        yield over, "split halves, Spearman–Brown", row["corrected"], f"n={row['n']}"
    for row in report.tables.get(SCORES, []):
        counts = f"{row['best']} best, {row['worst']} worst, n={row['n']}"
        yield {**row, "reason": ""}, f"best–worst score, {row['item']}", row["score"], counts
        limits = {"low": row["strength_low"], "high": row["strength_high"]}
        # The method is that of the score; a strength says why it is missing.
        method = row["interval_method"] if row["strength_low"] is None else ""
        yield (
            {**row, **limits, "interval_method": method},
            f"strength, {row['item']}",
            row["strength"],
            f"n={row['n']}",
        )


def _group(report: Report, halves: Mapping[str, Any]) -> dict[str, Any]:
    scores = [row for row in report.tables.get(SCORES, []) if row["criterion"] == halves["criterion"]]
    shown, reason = scores[:MOST_SHOWN], next((row["reason"] for row in scores if row["reason"]), "")
    texts = _texts(report.study, {row["item"] for row in shown})
    return {
        "criterion": halves["criterion"],
        "halves": halves,
        "no_halves": MEANINGS.get(halves["reason"], halves["reason"]),
        "scores": [
            {**placed(row, -1.0, 1.0, row["score"]), "text": texts.get(row["item"], "")} for row in shown
        ],
        "n_more": len(scores) - len(shown),
        "n_few_sets": sum(row.get("caution") == "few_sets" for row in scores),
        "n_few_raters": sum(row.get("caution") == "few_raters" for row in scores),
        "ticks": TICKS,
        "not_fitted": MEANINGS.get(reason, reason),
    }


def _texts(study: Study, names: set[str]) -> dict[str, str]:
    """The texts of items by the names that the metadata of their sets give them."""
    found: dict[str, str] = {}
    for fields, metadata in study.items.values_list("fields", "metadata").iterator():
        for letter in LETTERS:
            name = str(metadata.get(letter, ""))
            if name in names and letter in fields:
                found.setdefault(name, fields[letter])
        if len(found) == len(names):
            break
    return found
