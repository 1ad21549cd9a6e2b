"""Tables of a report about questions with options: answers against the key, and preferences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.models import Criterion, Study
from annotation.selectors.questions.shown_options import differ_between_items
from scoring.models import Report
from scoring.selectors.base.figures import MEANINGS

COUNTS = ("right", "wrong", "unsure", "cannot_rate", "tie", "n")
SHARE = ("share", "low", "high", "interval_method", "reason")
ACCURACY_COLUMNS = ("criterion", "who", "name", "by", "category", *COUNTS, *SHARE, "share_decided")
WIN_COLUMNS = ("criterion", "what", "n", "wins", "ties", "losses", *SHARE)
GRADE_COLUMNS = (
    *("criterion", "competitor", "n", "much_wins", "slight_wins", "ties", "slight_losses", "much_losses"),
    *("grade", "low", "high", "interval_method", "reason"),
)
STRENGTH_COLUMNS = ("criterion", "competitor", "n", "strength", "low", "high", "interval_method", "reason")
MOST_SHOWN = 100
SHARE_TICKS = [
    {"label": label, "x": 25 * step} for step, label in enumerate(("0", "0.25", "0.5", "0.75", "1"))
]


def has_single_choices(study: Study) -> bool:
    """Whether a form of a study asks for one option among those that all items have.

    Parameters
    ----------
    study : Study
        The study.
    """
    asked = Criterion.objects.filter(version__form__study=study, version__form__planted=False)
    single = asked.filter(kind__in=keys_yielding(Yields.LABEL)).select_related("version")
    return not all(map(differ_between_items, single))


def accuracy_groups(report: Report) -> list[dict[str, Any]]:
    """Answers against the key by question: together and by category, the majority, then each rater.

    Returns
    -------
    list of dict
        `criterion`, `without_key` (items that have none), `rows`, `raters` and `n_more`, how many raters are
        not shown.
    """
    without = {row["criterion"]: row["n_items"] for row in report.tables.get("without_key", [])}
    groups: dict[str, dict[str, Any]] = {}
    for row in report.tables.get("accuracy", []):
        name = row["criterion"]
        group = groups.setdefault(
            name, {"criterion": name, "without_key": without.get(name, 0), "rows": [], "raters": []}
        )
        group["raters" if row["who"] == "rater" else "rows"].append(placed(row, 0.0, 1.0, row["share"]))
    return [
        {**group, "raters": group["raters"][:MOST_SHOWN], "n_more": max(0, len(group["raters"]) - MOST_SHOWN)}
        for group in groups.values()
    ]


def preference_groups(report: Report) -> list[dict[str, Any]]:
    """Preferences by question: wins for each share of the top, win rates, and strengths.

    Returns
    -------
    list of dict
        `criterion`, `by_percent`, `first_shown`, `win_rates`, `graded` and `strengths` with places on their
        axis in per cent, `ticks` of the strengths, `not_fitted` (why there are none), `n_more`, how many
        competitors are not shown, and `adaptive`, whether the pairs were chosen adaptively.
    """
    names = dict.fromkeys(row["criterion"] for row in report.tables.get("win_rates", []))
    adaptive = _asked_of_adaptive_pairs(report) if names else frozenset()
    return [_preferences(report, name) | {"adaptive": name in adaptive} for name in names]


def accuracy_lines(report: Report) -> list[dict[str, Any]]:
    """The table of answers against the key, as a file has it."""
    return [{key: row[key] for key in ACCURACY_COLUMNS} for row in report.tables.get("accuracy", [])]


def win_lines(report: Report) -> list[dict[str, Any]]:
    """Wins of each competitor, of the top p %, and of the side that was shown first."""
    rows = [
        *({**row, "what": row["competitor"]} for row in report.tables.get("win_rates", [])),
        *({**row, "what": f"top {row['percent']:g} %"} for row in report.tables.get("wins_by_percent", [])),
        *({**row, "what": "shown first"} for row in report.tables.get("first_shown", [])),
    ]
    return [{key: row[key] for key in WIN_COLUMNS} for row in rows]


def grade_lines(report: Report) -> list[dict[str, Any]]:
    """How much each competitor was preferred, as a file has it."""
    return [{key: row[key] for key in GRADE_COLUMNS} for row in report.tables.get("graded_wins", [])]


def strength_lines(report: Report) -> list[dict[str, Any]]:
    """Strengths of the competitors, as a file has them."""
    return [{key: row[key] for key in STRENGTH_COLUMNS} for row in report.tables.get("strengths", [])]


def choice_rows(report: Report) -> Iterator[tuple[Mapping[str, Any], str, float | None, str]]:
    """Answers against the key, wins and strengths: row, what it is about, estimate and counts of each."""
    for row in report.tables.get("accuracy", []):
        whose = " ".join(part for part in (row["who"], row["name"], row["category"]) if part)
        counts = f"{row['right']}/{row['n']} right, {row['unsure']} not sure, {row['tie']} tied"
        yield row, f"accuracy, {whose}", row["share"], counts
    for row in win_lines(report):
        yield row, f"wins, {row['what']}", row["share"], f"{row['wins']}/{row['n']}, {row['ties']} tied"
    for row in report.tables.get("graded_wins", []):
        counts = f"n={row['n']}, {row['much_wins']} much, {row['slight_wins']} slightly better"
        yield row, f"grade, {row['competitor']}", row["grade"], counts
    for row in report.tables.get("strengths", []):
        yield row, f"strength, {row['competitor']}", row["strength"], f"n={row['n']}"


def _asked_of_adaptive_pairs(report: Report) -> frozenset[str]:
    """The questions of forms whose pairs were chosen by earlier answers."""
    asked = Criterion.objects.filter(
        version__form__study=report.study_id, version__form__pairing__isnull=False
    )
    return frozenset(asked.order_by().values_list("key", flat=True).distinct())


def _preferences(report: Report, name: str) -> dict[str, Any]:
    def of(table: str) -> list[dict[str, Any]]:
        return [row for row in report.tables.get(table, []) if row["criterion"] == name]

    strengths = of("strengths")
    ends = [row[key] for row in strengths for key in ("strength", "low", "high") if row[key] is not None]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    reason = next((row["reason"] for row in strengths if row["reason"]), "")
    rates = [placed(row, 0.0, 1.0, row["share"]) for row in of("win_rates")]
    return {
        "criterion": name,
        "by_percent": [placed(row, 0.0, 1.0, row["share"]) for row in of("wins_by_percent")],
        "first_shown": [placed(row, 0.0, 1.0, row["share"]) for row in of("first_shown")],
        "win_rates": rates[:MOST_SHOWN],
        "graded": [placed(row, 0.0, 1.0, row["grade"]) for row in of("graded_wins")[:MOST_SHOWN]],
        "n_more": max(0, len(rates) - MOST_SHOWN),
        "strengths": [] if reason else [placed(row, low, high, row["strength"]) for row in strengths],
        "not_fitted": MEANINGS.get(reason, reason),
        "ticks": [
            {"label": f"{tick:d}".replace("-", "−"), "x": position(tick, low, high)}
            for tick in range(math.ceil(low), math.floor(high) + 1)
        ],
    }


def placed(row: Mapping[str, Any], low: float, high: float, estimate: float | None) -> dict[str, Any]:
    """A row with its estimate and limits as places on an axis, in per cent."""
    return {
        **row,
        "estimate": estimate,
        "shape": "circle",
        "x": position(estimate, low, high),
        "x_low": position(row["low"], low, high),
        "x_high": position(row["high"], low, high),
        "no_interval": row["interval_method"].removeprefix("none:")
        if row["interval_method"].startswith("none:")
        else "",
    }


def position(value: float | None, low: float, high: float) -> float | None:
    """Where a value is between the ends of an axis, in per cent."""
    return None if value is None else round(100 * (value - low) / ((high - low) or 1.0), 2)
