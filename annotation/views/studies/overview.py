"""The pages of a study: overview, items, state."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext

from annotation.domain.base.states import TAKING_ANSWERS, DesignKind, StudyState
from annotation.models import FormVersion, Study
from annotation.permissions import Access, Act
from annotation.selectors.base.item_search import json_contains, representative_fields, text_of
from annotation.selectors.quality.setup_warnings import find_setup_warnings
from annotation.selectors.questions.counting import PROGRESS, counted
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.rating.problem_reports import open_problems
from annotation.selectors.seats.stages import flows, outcomes
from annotation.selectors.seats.unfillable_seats import find_unfillable_seats
from annotation.selectors.studies import progress
from annotation.services.pay.admission import admission_to
from annotation.views.base.page import page, shown_page, study_page

ITEMS_PER_PAGE = 50
INACTIVE_NAMED = 5
CHART = {"width": 760, "foot": 116, "height": 94}


@study_page(get=Act.VIEW)
def overview(request: HttpRequest, access: Access) -> HttpResponse:
    study = access.study
    rows = progress.rater_rows(study)
    silent = [row for row in rows if row["silent"]]
    versions = form_versions(study=study)
    coverage = progress.coverage(study)
    context = {
        **page(access, "overview"),
        "totals": progress.totals(study, coverage),
        "flows": flows(study),
        "coverage": coverage,
        "days": _bars(progress.per_day(study)),
        "raters": shown_page(request, rows, "raters"),
        "silent": silent[:INACTIVE_NAMED],
        "more_silent": len(silent[INACTIVE_NAMED:]),
        "setup_warnings": find_setup_warnings(study),
        "lacking": progress.items_lacking_context(study),
        "problems": open_problems(study),
        "held": progress.active_reservations(study),
        "unfillable": find_unfillable_seats(study),
        "has_cap": _has_cap(study, versions),
        "versions": versions,
        "n_items": study.items.count(),
        "excluded": _excluded(study),
        "budget_stop": study.state == StudyState.OPEN and admission_to(study=study, panel=None).is_stopped,
    }
    return render(request, "annotation/studies/overview.html", context)


@study_page(get=Act.VIEW)
def items(request: HttpRequest, access: Access) -> HttpResponse:
    wanted = request.GET.get("q", "").strip()
    found = access.study.items.order_by("position", "pk")
    if wanted:
        found = found.filter(
            Q(key__icontains=wanted) | Q(group=wanted) | Q(system=wanted) | json_contains("fields", wanted)
        )
    counting = Q(assignments__responses__in=counted(access.study, PROGRESS))
    numbered = found.annotate(n_responses=Count("assignments__responses", filter=counting))
    shown = shown_page(request, numbered, size=ITEMS_PER_PAGE)
    staged = outcomes(access.study, [item.pk for item in shown])
    representative = representative_fields(access.study)
    context = {
        **page(access, "items"),
        "items": shown,
        "rows": [(item, text_of(item, representative), staged.get(item.pk, [])) for item in shown],
        "staged": bool(staged),
        "changeable": access.may_manage and access.study.state in TAKING_ANSWERS and not access.study.source,
        "q": wanted,
    }
    return render(request, "annotation/items/items.html", context)


def _excluded(study: Study) -> str:
    """The number of excluded raters, items and responses."""
    counts = study.exclusions.filter(lift__isnull=True).aggregate(
        raters=Count("rater"), items=Count("item"), answers=Count("response")
    )
    parts = (
        ngettext("%(n)d rater", "%(n)d raters", counts["raters"]) % {"n": counts["raters"]},
        ngettext("%(n)d item", "%(n)d items", counts["items"]) % {"n": counts["items"]},
        ngettext("%(n)d response", "%(n)d responses", counts["answers"]) % {"n": counts["answers"]},
    )
    return ", ".join(words for words, n in zip(parts, counts.values(), strict=True) if n)


def _has_cap(study: Study, versions: list[FormVersion]) -> bool:
    """Whether the study has a limit per rater."""
    if study.design in {DesignKind.BATCHES, DesignKind.ALL}:
        return study.batches_per_rater is not None
    return any(version.form.per_rater is not None for version in versions)


def _bars(days: list[tuple[Any, int]]) -> list[dict[str, Any]]:
    """Bars of the chart of responses per day, in its own units."""
    if not days:
        return []
    most, step = max(number for _, number in days) or 1, CHART["width"] / len(days)
    bars = []
    for place, (day, number) in enumerate(days):
        height = CHART["height"] * number / most
        middle = step * (place + 0.5)
        bars.append(
            {
                "day": day,
                "number": number,
                "x": round(middle - 11, 1),
                "middle": round(middle, 1),
                "y": round(CHART["foot"] - height, 1),
                "label_y": round(CHART["foot"] - height - 6, 1),
                "height": round(height, 1),
            }
        )
    return bars
