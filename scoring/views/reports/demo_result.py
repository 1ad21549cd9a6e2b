"""`/result/`: the Reliability page of the demo study, without an account and without anything to press."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.selectors.questions.criterion_labels import criterion_labels
from annotation.selectors.studies.demo_study import public_demo
from scoring.selectors.reports.demo_report import demo_report
from scoring.views.reports.reliability import report_context


@require_safe
def demo_result(request: HttpRequest) -> HttpResponse:
    demo = public_demo()
    if demo is None:
        raise Http404("This installation has no demo study.")
    report = demo_report(demo)
    context = {"study": demo, "public": True, "report": report, "names": criterion_labels(demo)}
    context["form_titles"] = dict(demo.forms.values_list("key", "title"))
    if report is not None:
        context |= report_context(request, demo, report)
    return render(request, "scoring/reports/demo_result.html", context)
