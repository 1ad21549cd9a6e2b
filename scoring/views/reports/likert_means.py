"""`/studies/<study>/reliability/likert-means/`: best–worst scores and mean ratings of the same items."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from annotation.domain.base.states import Role
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.models import Criterion, Study
from annotation.permissions import Access, Act
from annotation.selectors.questions.criterion_labels import criterion_labels
from annotation.views.base.downloads import file_response
from annotation.views.base.page import study_page
from scoring.models import Report
from scoring.selectors.base.reports import latest_report
from scoring.services.choices.likert_means import compare_with_scales
from scoring.services.reports.reliability import KIND
from scoring.views.base.page import page

COLUMNS = (
    *("criterion", "study", "scale", "coefficient", "estimate", "low", "high", "n"),
    *("interval_method", "reason"),
)
SCORES = "best_worst_scores"


@study_page(get=Act.READ)
def likert_means(request: HttpRequest, access: Access) -> HttpResponse:
    """Correlations with the scales of a study that the member chose."""
    report, other = _asked(request, access)
    context = {**page(access, "reliability"), "report": report, "other": other}
    context["studies"] = _studies(request, access.study)
    if report and other:
        context |= {"names": criterion_labels(access.study), "scale_names": criterion_labels(other)}
        context["rows"] = compare_with_scales(report, other)
    return render(request, "scoring/choices/likert_means.html", context)


@study_page(get=Act.READ)
def download(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The correlations as CSV."""
    report, other = _asked(request, access)
    if report is None or other is None:
        raise Http404
    rows = [{**row, "study": other.slug} for row in compare_with_scales(report, other)]
    return file_response((COLUMNS, rows), "csv", f"{access.slug}-likert-means-{other.slug}")


def _studies(request: HttpRequest, study: Study) -> QuerySet[Study]:
    """This study, and the others of which the member is an owner, where they ask for ratings on scales."""
    own = Q(memberships__user=request.user.pk, memberships__role=Role.OWNER)
    scales = Criterion.objects.filter(kind__in=keys_yielding(Yields.NUMBER), version__form__planted=False)
    with_scales = Study.objects.filter(Q(pk=study.pk) | own, pk__in=scales.values("version__form__study"))
    return with_scales.distinct().order_by("title", "pk")


def _asked(request: HttpRequest, access: Access) -> tuple[Report | None, Study | None]:
    report = latest_report(access.study, KIND)
    scored = report if report and report.tables.get(SCORES) else None
    return scored, _studies(request, access.study).filter(slug=request.GET.get("with", "")).first()
