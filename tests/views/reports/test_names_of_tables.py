"""The tables of several criteria have names of their own, which distinguish them in a list of regions."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.template.loader import render_to_string

from scoring.selectors.choices.choices import preference_groups

NAMED = re.compile(r'role="region"\s+aria-label="([^"]*)"')
ESTIMATE = {"estimate": 0.6, "low": 0.4, "high": 0.8, "confidence": 0.95, "reason": "", "interval_method": ""}


def of_criterion(criterion: str) -> dict[str, list[dict[str, Any]]]:
    """Two competitors compared by one criterion."""
    base = {**ESTIMATE, "criterion": criterion, "wins": 3, "ties": 0, "n": 5, "share": 0.6}
    wins = [{**base, "competitor": name, "percent": None} for name in ("crow", "owl")]
    return {
        "win_rates": wins,
        "wins_by_percent": [{**base, "percent": 10.0, "competitor": ""}],
        "strengths": [{**base, "competitor": row["competitor"], "strength": 0.1} for row in wins],
    }


@pytest.mark.django_db
def test_the_tables_of_preferences_are_named_after_their_criterion() -> None:
    tables: dict[str, list[Any]] = {}
    for criterion in ("quality", "creativity"):
        for name, rows in of_criterion(criterion).items():
            tables.setdefault(name, []).extend(rows)
    report: Any = SimpleNamespace(tables=tables, figures=[], study_id=None)
    context = {"preferences": preference_groups(report), "names": {"quality": "Quality"}, "public": True}
    found = NAMED.findall(render_to_string("scoring/choices/preferences.html", context))
    assert {"Preference by competitor: Quality", "Bradley–Terry strengths: Creativity"} <= set(found)
    assert len(found) == len(set(found)) == 2 * len({name.partition(":")[0] for name in found})
