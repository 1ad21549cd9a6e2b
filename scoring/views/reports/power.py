"""`/studies/<study>/planner/power/`: the power of a planned study, and what the study found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render

from annotation.domain.base.errors import InvalidContent
from annotation.permissions import Access, Act
from annotation.views.base.downloads import file_response
from annotation.views.base.page import study_page
from scoring.io.latex import latex_table
from scoring.selectors.base.reports import latest_report, unfinished_job
from scoring.selectors.choices.choices import SHARE_TICKS
from scoring.selectors.metrics.power_plans import (
    COLUMNS,
    KIND,
    coefficient_name,
    opening_question,
    outcome_of,
    pilots_of,
    plan_rows,
    plans_of,
    usual_group_size,
)
from scoring.services.metrics.power import request_power
from scoring.services.metrics.power_fields import (
    COUNTED,
    LIKERT,
    LISTS,
    OF_QUESTION,
    STATED,
    Number,
    counts_of,
)
from scoring.services.metrics.power_settings import CORRELATIONS, coefficient_keys
from scoring.views.base.downloads import attachment
from scoring.views.base.page import page

SHOWN_PLANS = 20


@study_page(get=Act.VIEW, post=Act.VIEW)
def power(request: HttpRequest, access: Access) -> HttpResponse:
    """The form, the newest plan or the one asked for, and the earlier ones."""
    if request.method == "POST":
        try:
            request_power(study=access.study, given=request.POST.dict(), actor=access.user)
        except InvalidContent as refusal:
            return _page(request, access, request.POST.dict(), refusal, 422)
        return redirect("study-power", slug=access.slug)
    return _page(request, access, request.GET.dict())


@study_page(get=Act.VIEW)
def download(request: HttpRequest, access: Access, pk: int, file_format: str) -> HttpResponseBase:
    """The designs of a plan as `csv` or `tex`."""
    plan = get_object_or_404(plans_of(access.study), pk=pk)
    rows, name = plan.tables["designs"], f"{access.slug}-power-{pk}"
    if file_format == "csv":
        return file_response((tuple(key for key, _ in COLUMNS), rows), "csv", name)
    if file_format == "tex":
        caption = (
            f"{access.study.title}: power by {plan.method['studies']} simulated studies a design, seed "
            f"{plan.method['seed']}. Computed by {plan.software}."
        )
        return attachment(latex_table(COLUMNS, rows, caption), "application/x-tex", f"{name}.tex")
    raise Http404("This format does not exist.")


def _page(
    request: HttpRequest,
    access: Access,
    given: dict[str, str],
    refusal: InvalidContent | None = None,
    status: int = 200,
) -> HttpResponse:
    plans = list(plans_of(access.study)[:SHOWN_PLANS])
    asked = request.GET.get("plan", "")
    plan = next((one for one in plans if str(one.pk) == asked), None) if asked else next(iter(plans), None)
    if asked and plan is None:
        raise Http404("There is no such plan.")
    question = given.get("question") or opening_question(access.study)
    if question not in OF_QUESTION:
        raise Http404("There is no such question.")
    context = {
        **page(access, "planning"),
        "job": unfinished_job(access.study, KIND),
        "plans": plans,
        "plan": plan,
        "rows": [_placed(row) for row in plan_rows(plan)] if plan else [],
        "undecided": plan is not None and any(row["undecided"] for row in plan.tables["designs"]),
        "outcome": outcome_of(plan) if plan else None,
        "counted": COUNTED[plan.method["question"]] if plan else (),
        "planned_coefficient": coefficient_name(plan.method.get("coefficient", "")) if plan else "",
        "share_ticks": SHARE_TICKS,
        "has_report": latest_report(access.study, "reliability") is not None,
        "refusal": refusal,
        **_form(
            question,
            {"in_group": str(usual_group_size(access.study)), **given},
            pilots_of(access.study, question),
            refusal.fields if refusal else {},
        ),
    }
    return render(request, "scoring/power/power.html", context, status=status)


def _form(
    question: str, given: dict[str, str], pilots: dict[str, Any], wrong: Mapping[str, str]
) -> dict[str, Any]:
    def fields(of: Mapping[str, Number]) -> list[dict[str, Any]]:
        return [
            {
                "key": key,
                "label": one.label,
                "value": given.get(key, f"{one.default:g}"),
                "wrong": key in wrong,
            }
            for key, one in of.items()
        ]

    return {
        "question": question,
        "criterion": given.get("criterion", next(iter(pilots), "")),
        "pilots": list(pilots),
        "is_likert": question in LIKERT,
        "of_question": fields(OF_QUESTION[question]),
        "stated": fields(STATED[question]),
        "lists": [
            {"key": key, "label": label, "value": given.get(key, LISTS[key]), "wrong": key in wrong}
            for key, label in zip(("items", "raters"), COUNTED[question], strict=True)
        ],
        "counts": fields(counts_of(question)),
        "correlations": CORRELATIONS,
        "correlation": given.get("correlation", ""),
        "coefficients": [(key, coefficient_name(key)) for key in coefficient_keys()],
        "coefficient": given.get("coefficient", "icc2k"),
        "crossed": "crossed" in given,
    }


def _placed(row: dict[str, Any]) -> dict[str, Any]:
    """A design with its places on an axis of shares, in per cent."""
    return row | {"x": 100 * row["estimate"], "x_low": 100 * row["low"], "x_high": 100 * row["high"]}
