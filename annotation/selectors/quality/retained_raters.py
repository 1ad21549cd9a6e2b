"""Raters with flags that a member has reviewed and decided to keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from annotation.domain.quality.careless_responding import Indicator
from annotation.domain.quality.reviewed_flags import SeenFigure, is_clearly_worse
from annotation.models import AuditEntry, Study

KEEP, LIST_AGAIN = "keep_rater", "list_rater_again"


@dataclass(frozen=True)
class RetainedRater:
    """The newest decision to keep a rater, and the flags that were seen, with their values at that time.

    Decisions of earlier versions of the program have no values.
    """

    flags: frozenset[str]
    by: str  # Name or address of the member; empty for a deleted account
    at: datetime
    figures: Mapping[str, SeenFigure] = field(default_factory=dict)

    def is_new(self, flag: Indicator, n_pages: int) -> bool:
        """Whether a flag of the rater was not seen, or is clearly worse than when it was seen."""
        seen = self.figures.get(flag.key)
        return flag.key not in self.flags or (seen is not None and is_clearly_worse(seen, flag, n_pages))


def retained_raters(study: Study) -> dict[str, RetainedRater]:
    """Find the raters that members decided to keep in spite of some flags, by code.

    Parameters
    ----------
    study : Study
        The study.
    """
    entries = AuditEntry.objects.filter(study=study, act__in=(KEEP, LIST_AGAIN)).select_related("actor")
    found: dict[str, RetainedRater] = {}
    for entry in entries.order_by("pk"):
        code = entry.detail["rater"]
        if entry.act == LIST_AGAIN:
            found.pop(code, None)
            continue
        before = found.get(code)
        flags = (before.flags if before else frozenset()) | set(entry.detail["flags"])
        figures = {**(before.figures if before else {}), **_figures(entry.detail)}
        by = str(entry.actor) if entry.actor else ""
        found[code] = RetainedRater(flags, by, entry.created_at, figures)
    return found


def _figures(detail: Mapping[str, Any]) -> dict[str, SeenFigure]:
    stored = detail.get("figures") or {}
    return {key: SeenFigure(one["value"], one["n"]) for key, one in stored.items()}
