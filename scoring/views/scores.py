"""`/studies/<study>/scores/`: the metrics of a study, and the scores as a file."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.permissions import Act, study_access
from annotation.views.exports import file_response
from annotation.views.studies import page
from scoring.selectors.scores import metric_summaries, scores_table


@login_required
@require_safe
def scores(request: HttpRequest, slug: str) -> HttpResponse:
    access = study_access(request.user, slug, Act.VIEW)
    context = {**page(access, "scores"), "metrics": metric_summaries(access.study)}
    return render(request, "scoring/scores.html", context)


@login_required
@require_safe
def download(request: HttpRequest, slug: str) -> HttpResponseBase:
    access = study_access(request.user, slug, Act.VIEW)
    return file_response(scores_table(access.study), request.GET.get("format", "csv"), f"{slug}-scores")
