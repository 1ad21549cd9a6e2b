"""`/studies/<study>/reliability/new-raters/`: intervals for these raters and for new raters side by side."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotation.permissions import Access, Act
from annotation.views.base.page import study_page
from scoring.selectors.agreement.new_raters import (
    KIND,
    are_of_same_ratings,
    both_intervals,
    latest_new_raters,
)
from scoring.selectors.base.reports import latest_report, unfinished_job
from scoring.selectors.data.staleness import is_stale
from scoring.services.agreement.new_raters import request_new_raters
from scoring.services.reports.reliability import KIND as RELIABILITY
from scoring.views.base.page import page


@study_page(get=Act.READ, post=Act.VIEW)
def new_raters(request: HttpRequest, access: Access) -> HttpResponse:
    """The newest intervals, and starting their computation."""
    study = access.study
    reliability = latest_report(study, RELIABILITY)
    if request.method == "POST":
        pooled = bool(reliability and reliability.method.get("pool_versions"))
        request_new_raters(study=study, actor=access.user, pool_versions=pooled)
        return redirect("study-new-raters", slug=access.slug)
    report = latest_new_raters(study)
    context = {
        **page(access, "reliability", "new-raters"),
        "report": report,
        "job": unfinished_job(study, KIND),
    }
    if report:
        context |= {
            "stale": is_stale(study, report),
            "groups": both_intervals(report, reliability),
            "of_other_ratings": reliability and not are_of_same_ratings(report, reliability),
        }
    return render(request, "scoring/new_raters/new_raters.html", context)
