"""`/studies/<study>/reliability/repeated/`: how closely another study repeats the results of this one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.http import urlencode

from annotation.domain.base.errors import GroundworkError
from annotation.permissions import Access, Act, study_access
from annotation.selectors.base.table_types import Table
from annotation.selectors.studies.study_list import copyable_studies
from annotation.views.base.downloads import file_response
from annotation.views.base.page import study_page
from scoring.services.metrics.repetition import compare_studies
from scoring.views.base.page import page

COLUMNS = ["criterion", "type", "result", "of", "n", "first", "second", "estimate", "reason"]
TYPES = {"cv": "I", "pearson": "II", "spearman": "II", "alpha": "III", "orders": "IV"}
PARAMETER = "with"


@study_page(get=Act.VIEW)
def repeated_run(request: HttpRequest, access: Access) -> HttpResponse:
    """The results of this study compared with those of a study that repeats it."""
    others = [(slug, title) for slug, title in copyable_studies(access.user) if slug != access.slug]
    asked = request.GET.get(PARAMETER, "")
    context: dict[str, Any] = {
        **page(access, "reliability", "repeated-run"),
        "others": others,
        "asked": asked,
    }
    if asked:
        other = _other(request, access)
        context |= {"other": other.study, "query": urlencode({PARAMETER: asked})}
        try:
            context |= _shown(compare_studies(access.study, other.study))
        except GroundworkError as refusal:
            context["refusal"] = refusal.message
    return render(request, "scoring/metrics/repeated/page.html", context)


@study_page(get=Act.VIEW)
def download(request: HttpRequest, access: Access, file_format: str) -> HttpResponseBase:
    """All results as a file."""
    other = _other(request, access)
    try:
        compared = compare_studies(access.study, other.study)
    except GroundworkError as refusal:
        raise Http404(str(refusal.message)) from refusal
    return file_response(_table(compared), file_format, f"{access.slug}-and-{other.slug}")


def _other(request: HttpRequest, access: Access) -> Access:
    """The study that repeats this one, if the member may see its ratings, too."""
    other = study_access(access.user, request.GET.get(PARAMETER, ""), Act.VIEW)
    if other.study == access.study:
        raise Http404("A study does not repeat itself.")
    return other


def _shown(compared: Mapping[str, Any]) -> dict[str, Any]:
    criteria = []
    for criterion in compared["criteria"]:
        first, second, both = criterion["n_items"]
        criteria.append(
            {
                "criterion": criterion["criterion"],
                "n_first": first,
                "n_second": second,
                "n_both": both,
                "systems": [row for row in criterion["results"] if row["result"] == "cv"],
                "overall": [row for row in criterion["results"] if row["result"] != "cv"],
            }
        )
    return {"criteria": criteria, "has_simulated": compared["has_simulated"]}


def _table(compared: Mapping[str, Any]) -> Table:
    rows = (
        {"criterion": criterion["criterion"], "type": TYPES[row["result"]], **row}
        for criterion in compared["criteria"]
        for row in criterion["results"]
    )
    return COLUMNS, rows
