"""`/studies/<study>/reliability/groups/`: raters compared by their answers to a demographic question."""

from __future__ import annotations

import math
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy

from annotation.domain.base.errors import GroundworkError
from annotation.permissions import Access, Act
from annotation.views.base.page import study_page
from scoring.services.raters.perspectives import (
    CriterionByGroup,
    compare_perspectives,
    criteria_without_scale,
    questions_with_groups,
)
from scoring.stats.raters.perspectives import FEWEST_RATERS
from scoring.views.base.page import page

NO_RATINGS = "no_ratings"
NOTHING_ON_SCALES = gettext_lazy("No ratings on scales yet. Only these are compared between groups.")


@study_page(get=Act.VIEW)
def perspectives(request: HttpRequest, access: Access) -> HttpResponse:
    """Means and agreement of the groups of one question, and how much disagreement lies between them."""
    questions = questions_with_groups(access.study)
    asked = request.GET.get("question", questions[0].key if questions else "")
    chosen = next((question for question in questions if question.key == asked), None)
    if questions and chosen is None:
        raise Http404("The study has no such question with options.")
    context: dict[str, Any] = {
        **page(access, "reliability", "groups-of-raters"),
        "questions": questions,
        "chosen": chosen,
        "fewest": FEWEST_RATERS,
    }
    if chosen is not None:
        others = criteria_without_scale(access.study)
        context["not_compared"] = [(name, gettext(kind.title)) for name, kind in others]
        try:
            context["criteria"] = [_shown(one) for one in compare_perspectives(access.study, chosen)]
        except GroundworkError as refusal:
            nothing_on_scales = refusal.code == NO_RATINGS and others
            context["refusal"] = NOTHING_ON_SCALES if nothing_on_scales else refusal.message
    return render(request, "scoring/reports/perspectives.html", context)


def _shown(comparison: CriterionByGroup) -> dict[str, Any]:
    """A criterion with means on the scale of its answers: where ratios count, geometric ones."""
    answered = math.exp if comparison.logarithmic else float
    rows = [
        {
            "group": group,
            "mean": answered(group.mean),
            "difference": None if math.isnan(group.difference) else answered(group.difference),
        }
        for group in comparison.found.groups
    ]
    return {
        "criterion": comparison.criterion,
        "logarithmic": comparison.logarithmic,
        "found": comparison.found,
        "rows": rows,
    }
