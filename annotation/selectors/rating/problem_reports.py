"""Problems and comments that raters sent about the items of a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotation.domain.base.codebook import PROBLEMS
from annotation.domain.base.states import ProblemReason
from annotation.domain.base.timestamps import utc_timestamp
from annotation.models import Assignment, Item, ProblemReport, Study
from annotation.selectors.base.table_types import Table

ITEMS_SHOWN = 5


def problems_of_study(study: Study) -> QuerySet[ProblemReport]:
    """All reports of a study in order of submission, with item, form and rater loaded."""
    found = ProblemReport.objects.filter(assignment__rater__study=study)
    return found.select_related("assignment__item", "assignment__form", "assignment__rater")


def problems_of_item(item: Item) -> list[ProblemReport]:
    """The reports about an item; those to be resolved come first."""
    found = ProblemReport.objects.filter(assignment__item=item).select_related("assignment__rater")
    return sorted(found, key=lambda one: (not is_open(one), one.reported_at, one.pk))


def problems_of_page(assignment: Assignment) -> list[ProblemReport]:
    """What the rater of a page has reported about its item so far, the oldest first."""
    return list(assignment.problems.order_by("reported_at", "pk"))


def is_open(problem: ProblemReport) -> bool:
    """Whether a report needs action; comments do not."""
    return problem.resolved_at is None and problem.reason != ProblemReason.COMMENT


@dataclass(frozen=True)
class OpenProblems:
    """The items with the most unresolved reports, how many items there are beyond these, and all comments."""

    items: Sequence[Mapping[str, Any]]
    more: int
    comments: int


def open_problems(study: Study, *, most: int = ITEMS_SHOWN) -> OpenProblems:
    """The items with unresolved reports, each with its `key` and their number `n`, the most first."""
    comment = Q(reason=ProblemReason.COMMENT)
    # Reports are few, and pages many: a join would begin with the pages.
    of_study = Assignment.objects.filter(pk=OuterRef("assignment"), rater__study=study)
    reports = ProblemReport.objects.filter(Exists(of_study))
    by_item = list(
        reports.values(key=F("assignment__item__key"))
        .annotate(n=Count("pk", filter=~comment & Q(resolved_at=None)), comments=Count("pk", filter=comment))
        .order_by("-n", "key")
    )
    rows = [{"key": one["key"], "n": one["n"]} for one in by_item if one["n"]]
    comments = sum(one["comments"] for one in by_item)
    return OpenProblems(items=rows[:most], more=max(0, len(rows) - most), comments=comments)


def problems_table(study: Study) -> Table:
    """One row per report; raters appear under their codes."""
    rows = (
        {
            "study": study.slug,
            "item": one.assignment.item.key,
            "form": one.assignment.form.key,
            "rater": one.assignment.rater.code,
            "purpose": one.assignment.purpose,
            "reason": one.reason,
            "text": one.text,
            "reported_at": utc_timestamp(one.reported_at),
            "resolved_at": utc_timestamp(one.resolved_at) if one.resolved_at else "",
        }
        for one in problems_of_study(study).iterator(chunk_size=1000)
    )
    return tuple(PROBLEMS), rows
