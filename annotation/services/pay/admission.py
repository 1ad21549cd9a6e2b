"""Admission of new raters as far as the budget of the study goes."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.cache import caches

from annotation.domain.base.errors import NoSeatLeft
from annotation.domain.base.messages import message
from annotation.domain.base.states import IN_BATCHES, StudyState
from annotation.domain.pay.budget import Budget
from annotation.models import Form, Pay, Study
from annotation.selectors.pay.budget import budget_of
from annotation.selectors.people.of_study import begun_raters
from annotation.selectors.seats.remaining_capacity import items_for_new_rater
from annotation.services.quality.check_places import expected_checks
from annotation.services.seats.batches import pages_left

RECENT_SECONDS = 30


@dataclass(frozen=True)
class Admission:
    """The budget of a study, and how many raters had begun when it was computed; None without a budget."""

    budget: Budget | None
    begun: int

    @property
    def is_stopped(self) -> bool:
        """Whether the budget does not pay another rater."""
        return self.budget is not None and not self.budget.pays_another()


def admission_to(*, study: Study, panel: Form | None, items: int | None = None) -> Admission:
    """Compute, before a study is locked, whether its budget pays another rater.

    Parameters
    ----------
    study, panel
        A study, and the panel that the rater would join, where it has panels.
    items : int or None
        How many items a new rater can expect, where it is known already.
    """
    pay: Pay | None = getattr(study, "pay", None)
    if pay is None or pay.budget is None:
        return Admission(None, 0)
    begun = begun_raters(study).count()
    pages = pages_of_newcomer(study=study, panel=panel, items=items)
    return Admission(budget_of(study, pay, newcomer_pages=pages), begun)


def recent_admission(*, study: Study, panel: Form | None) -> Admission:
    """Admission as it was within the last half minute, for pages that anybody can ask for at any rate.

    Parameters
    ----------
    study, panel
        As in `admission_to`.
    """
    pay: Pay | None = getattr(study, "pay", None)
    if pay is None or pay.budget is None:
        return Admission(None, 0)
    made, begun = study.created_at.timestamp(), begun_raters(study).count()
    key = f"admission-{study.pk}-{made}-{panel.pk if panel else 0}-{pay.budget}-{study.state}-{begun}"
    found: Admission | None = caches["fragments"].get(key)
    if found is None:
        found = admission_to(study=study, panel=panel)
        caches["fragments"].set(key, found, RECENT_SECONDS)
    return found


def pages_of_newcomer(*, study: Study, panel: Form | None = None, items: int | None = None) -> int:
    """Number of pages that a new rater can expect, checks included; 0 if no rater can join.

    Parameters
    ----------
    study, panel, items
        As in `admission_to`.
    """
    if study.state != StudyState.OPEN:
        return 0
    if items is None:
        in_batches = study.design in IN_BATCHES
        items = pages_left(study) if in_batches else items_for_new_rater(study, panel)
    return items + expected_checks(study=study, items=items)


def check_budget(*, study: Study, admission: Admission, panel: Form | None = None) -> None:
    """Refuse a new rater if the budget is used up; raters who have begun are never refused.

    Parameters
    ----------
    study : Study
        Locked by the caller's transaction where the rater joins, so that raters who join at once are counted.
    admission : Admission
        Of `admission_to`.
    panel : Form or None
        The panel that the rater would join, where the study has panels.

    Raises
    ------
    NoSeatLeft
        `budget_used`.
    """
    if admission.budget is None:
        return
    joined = begun_raters(study).count() - admission.begun
    if admission.budget.pays_another(max(0, joined)):
        return
    # A rater who joined between the count and the sums is counted twice.
    if joined <= 0 or admission_to(study=study, panel=panel).is_stopped:
        raise NoSeatLeft(
            message("The budget of this study does not cover another rater. Thank you for your interest."),
            code="budget_used",
        )
