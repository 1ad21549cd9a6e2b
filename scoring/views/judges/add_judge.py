"""`/studies/<study>/judges/add/`: a judge from a file, or from a stored metric."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings as site
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import FileRefused, GroundworkError, InvalidContent
from annotation.domain.base.messages import message
from annotation.forms.new_study import TABLE_FILES
from annotation.permissions import Access, Act
from annotation.services.base.uploads.receiving import outcome_of
from annotation.views.base.page import study_page
from annotation.views.base.uploads import receive_on_page, sent_upload, still_reading
from scoring.models import Judge, ScoreRun
from scoring.selectors.judges.criteria import criteria_by_name, is_scale, metrics_of_runs
from scoring.selectors.judges.families import systems_of
from scoring.services.judges.judge_storing import JudgeNotes
from scoring.services.judges.metric_judges import judge_of_metric
from scoring.services.judges.scores_as_answers import Mapped
from scoring.views.base.page import page

NOTES = ("name", "description", "same_family_as", "saw_items")


class FileForm(forms.Form):
    file = forms.FileField()


@study_page(get=Act.EDIT, post=Act.EDIT, files=True)
def from_file(request: HttpRequest, access: Access) -> HttpResponse:
    """The forms for a new judge; a sent file is read by a worker."""
    upload = sent_upload(request, "judgements")
    if request.method != "POST" and upload is None:
        return _page(request, access)
    try:
        if upload is None:
            form = FileForm(request.POST, request.FILES)
            if not form.is_valid():
                raise InvalidContent(message("Choose a file that contains data."), code="no_file")
            file = form.cleaned_data["file"]
            options = {name: request.POST.get(name, "") for name in NOTES} | {"mapped": _mapped(request)}
            upload = receive_on_page(
                request, act="judgements", file=file, study=access.study, options=options
            )
        if waiting := still_reading(request, upload):
            return waiting
        return _added(request, access, outcome_of(upload)["judges"])
    except FileRefused as refusal:
        failure = {"refusal": _("The file could not be imported."), "problems": refusal.problems}
    except GroundworkError as refusal:
        failure = {"refusal": refusal.message}
    return _page(request, access, "file", **failure)


@study_page(post=Act.EDIT)
def from_metric(request: HttpRequest, access: Access) -> HttpResponse:
    """A judge whose answers are the scores of a stored metric."""
    number, __, metric = request.POST.get("metric", "").partition(":")
    run = ScoreRun.objects.filter(
        study=access.study, pk=int(number) if number.isdecimal() and len(number) < 19 else 0
    ).first()
    try:
        if run is None:
            raise InvalidContent(message("Choose a metric."), code="unknown_metric")
        judge = judge_of_metric(
            run=run,
            metric=metric,
            criterion=request.POST.get("criterion", ""),
            notes=JudgeNotes(**{name: request.POST.get(name, "") for name in NOTES}),
            mapped=Mapped(_mapped(request)),
            actor=access.user,
        )
    except GroundworkError as refusal:
        return _page(request, access, "metric", refusal=refusal.message)
    return _added(request, access, [judge.pk])


def _mapped(request: HttpRequest) -> str:
    sent = request.POST.get("mapped", "")
    if sent not in list(Mapped):
        raise InvalidContent(message("Choose what the values are."), code="bad_option")
    return sent


def _added(request: HttpRequest, access: Access, numbers: list[int]) -> HttpResponse:
    for name in Judge.objects.filter(study=access.study, pk__in=numbers).values_list("name", flat=True):
        messages.success(request, _("Judge “%(name)s” added.") % {"name": name})
    return redirect("study-judges", slug=access.slug)


def _page(request: HttpRequest, access: Access, sent: str = "", **failure: Any) -> HttpResponse:
    criteria = criteria_by_name(access.study)
    context: dict[str, Any] = {
        **page(access, "judges"),
        "endings": TABLE_FILES,
        "sent": sent,
        "posted": request.POST,
        "systems": systems_of(access.study),
        "metrics": metrics_of_runs(access.study),
        "chat_available": bool(site.JUDGE_ADDRESS),
        "keys": list(criteria),
        "scales": [
            name for name, one in criteria.items() if is_scale(one, identified=access.study.identified)
        ],
        **failure,
    }
    return render(request, "scoring/judges/add/add_judge.html", context, status=422 if failure else 200)
