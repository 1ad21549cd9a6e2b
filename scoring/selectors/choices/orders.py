"""Tables of a report about orders: mean ranks and strengths of candidates, and pairs of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from scoring.models import Report
from scoring.selectors.base.figures import MEANINGS
from scoring.selectors.choices.choices import MOST_SHOWN, SHARE, placed, position

RANK = ("mean_rank", "rank_low", "rank_high")
CANDIDATE_COLUMNS = (
    *("criterion", "candidate", "n", *RANK, "rank_interval_method"),
    *("strength", "low", "high", "interval_method", "reason"),
)
PAIR_COLUMNS = ("criterion", "first", "second", "n", "above", "ties", "below", *SHARE, "agreement")


def order_groups(report: Report) -> list[dict[str, Any]]:
    """Candidates and their pairs, by question.

    Returns
    -------
    list of dict
        `criterion`, `candidates` (each with `rank`, its place on the axis of mean ranks), `ticks` of that
        axis, `not_fitted` (why there are no strengths), `pairs`, and `n_more` and `n_more_pairs`, how many
        candidates and pairs are not shown.
    """
    names = dict.fromkeys(row["criterion"] for row in report.tables.get("order_candidates", []))
    return [_group(report, name) for name in names]


def candidate_lines(report: Report) -> list[dict[str, Any]]:
    """Mean ranks and strengths of the candidates, as a file has them."""
    return [{key: row[key] for key in CANDIDATE_COLUMNS} for row in report.tables.get("order_candidates", [])]


def pair_lines(report: Report) -> list[dict[str, Any]]:
    """Pairs of candidates, as a file has them."""
    return [{key: row[key] for key in PAIR_COLUMNS} for row in report.tables.get("order_pairs", [])]


def order_rows(report: Report) -> Iterator[tuple[Mapping[str, Any], str, float | None, str]]:
    """Strengths, mean ranks and pairs: row, what it is about, estimate and counts of each."""
    for row in report.tables.get("order_candidates", []):
        ranks = {"low": row["rank_low"], "high": row["rank_high"], "reason": ""}
        yield (
            {**row, **ranks, "interval_method": row["rank_interval_method"]},
            f"mean rank, {row['candidate']}",
            row["mean_rank"],
            f"n={row['n']}",
        )
        yield row, f"strength, {row['candidate']}", row["strength"], f"n={row['n']}"
    for row in report.tables.get("order_pairs", []):
        counts = f"{row['above']}/{row['n']}, {row['ties']} tied"
        yield row, f"above, {row['first']} – {row['second']}", row["share"], counts


def _group(report: Report, name: str) -> dict[str, Any]:
    def of(table: str) -> list[dict[str, Any]]:
        return [row for row in report.tables.get(table, []) if row["criterion"] == name]

    candidates, pairs = of("order_candidates"), of("order_pairs")
    low, high = _ends(candidates)
    reason = next((row["reason"] for row in candidates if row["reason"]), "")
    return {
        "criterion": name,
        "candidates": [_ranked(row, low, high) for row in candidates[:MOST_SHOWN]],
        "n_more": max(0, len(candidates) - MOST_SHOWN),
        "not_fitted": MEANINGS.get(reason, reason),
        "pairs": [placed(row, 0.0, 1.0, row["share"]) for row in pairs[:MOST_SHOWN]],
        "n_more_pairs": max(0, len(pairs) - MOST_SHOWN),
        "ticks": [
            {"label": str(tick), "x": position(tick, low, high)} for tick in range(int(low), int(high) + 1)
        ],
    }


def _ends(rows: list[dict[str, Any]]) -> tuple[float, float]:
    """From rank 1 to the whole rank that none of the means and limits exceeds."""
    found = [row[key] for row in rows for key in RANK if row[key] is not None]
    return 1.0, float(math.ceil(max(found, default=2.0)))


def _ranked(row: Mapping[str, Any], low: float, high: float) -> dict[str, Any]:
    estimate, *limits = (row[key] for key in RANK)
    x_low, x_high = (position(limit, low, high) for limit in limits)
    drawn = {"x": position(estimate, low, high), "x_low": x_low, "x_high": x_high}
    return {**row, "rank": {"estimate": estimate, "low": limits[0], "high": limits[1], **drawn}}
