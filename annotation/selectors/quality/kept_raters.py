"""Which raters with flags somebody has reviewed and keeps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from annotation.models import AuditEntry, Study

KEPT, LISTED_AGAIN = "keep_rater", "list_rater_again"


@dataclass(frozen=True)
class KeptRater:
    """The newest decision to keep a rater, and the flags that were seen."""

    flags: frozenset[str]
    by: str  # Name or address of the member; empty for a deleted account
    at: datetime


def kept_raters(study: Study) -> dict[str, KeptRater]:
    """By code, the raters who are kept in spite of some flags.

    Parameters
    ----------
    study : Study
        The study.
    """
    entries = AuditEntry.objects.filter(study=study, act__in=(KEPT, LISTED_AGAIN)).select_related("actor")
    found: dict[str, KeptRater] = {}
    for entry in entries.order_by("pk"):
        code = entry.detail["rater"]
        if entry.act == LISTED_AGAIN:
            found.pop(code, None)
            continue
        before = found[code].flags if code in found else frozenset()
        by = str(entry.actor) if entry.actor else ""
        found[code] = KeptRater(before | set(entry.detail["flags"]), by, entry.created_at)
    return found
