"""The raters with flags that wait for a review, one after another, and what was decided about others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.models import Exclusion, Study
from annotation.selectors.quality.raters_to_review import RaterToReview, find_flagged_raters
from annotation.selectors.quality.retained_raters import retained_raters

DECIDED_SHOWN = 5


@dataclass(frozen=True)
class Decided:
    """A decision about a rater with flags: excluded or not excluded by a study member."""

    code: str
    excluded: bool
    at: datetime
    by: str


@dataclass(frozen=True)
class ReviewQueue:
    """The queue as a page of one rater shows it.

    Parameters
    ----------
    waiting
        The raters with flags that have not been decided on yet.
    position
        Which of them the rater of the page is, from 1; None where the rater does not wait.
    before, after
        Codes of the waiting raters before and after; empty at an end. For a rater who does not wait, `after`
        is the first of them.
    decided
        The newest decisions.
    """

    waiting: Sequence[RaterToReview]
    position: int | None
    before: str
    after: str
    decided: Sequence[Decided]

    @property
    def following(self) -> str:
        """Who is next after a decision about this rater: the one after, or else the first left."""
        left = [one.code for one in self.waiting]
        if self.position is not None:
            left = left[self.position :] + left[: self.position - 1]
        return left[0] if left else ""


def review_queue(study: Study, code: str) -> ReviewQueue:
    """The queue around a rater, in the order of the overview: those with most flags first.

    Parameters
    ----------
    study : Study
        Study; in a large one, only the raters that the overview examines are examined.
    code : str
        The code of the rater whose page it is.
    """
    waiting = find_flagged_raters(study)
    codes = ["", *(one.code for one in waiting), ""]
    position = codes.index(code) if code in codes else None
    around = (codes[position - 1], codes[position + 1]) if position else ("", codes[1])
    return ReviewQueue(waiting, position, *around, decided=_decided(study))


def _decided(study: Study) -> list[Decided]:
    exclusions = Exclusion.objects.filter(study=study, rater__isnull=False, lift__isnull=True, by_rule=None)
    newest = exclusions.select_related("rater", "author").order_by("-created_at")[:DECIDED_SHOWN]
    found = [
        Decided(one.rater.code, True, one.created_at, str(one.author or "")) for one in newest if one.rater
    ]
    found += [Decided(code, False, one.at, one.by) for code, one in retained_raters(study).items()]
    return sorted(found, key=lambda one: one.at, reverse=True)[:DECIDED_SHOWN]
