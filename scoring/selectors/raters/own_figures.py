"""The figures that are stored of one rater, for that person."""

from __future__ import annotations

from typing import Any

from annotation.models import Rater
from scoring.models import RaterFigure

LEFT_OUT = {"id", "made", "rater"}


def figures_of_rater(rater: Rater) -> list[dict[str, Any]]:
    """The stored figures of a rater, by the names of the columns, with the time."""
    names = [field.name for field in RaterFigure._meta.concrete_fields if field.name not in LEFT_OUT]
    stored = RaterFigure.objects.filter(rater=rater).select_related("made").order_by("pk")
    return [
        {"computed_at": one.made.created_at.isoformat(), **{name: getattr(one, name) for name in names}}
        for one in stored
    ]
