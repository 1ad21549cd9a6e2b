"""`/studies/<study>/qualification/trials/` and `…/round/`: trial annotations, group discussion."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import CalibrationItem, Qualification, QualificationAttempt
from annotation.permissions import Access, Act
from annotation.selectors.quality.calibration_tables import compare_attempts, latest_attempts
from annotation.services.quality.approval import (
    decide,
    release_notes,
    start_all,
    waiting_attempts,
    write_note,
)
from annotation.views.base.page import page, refusal_shown, shown_page, study_page

TRIALS_PER_PAGE = 10
RATERS_PER_PAGE = 20
REVIEWING = {"release", "hide", "start"}


@study_page(get=Act.VIEW)
def trials(request: HttpRequest, access: Access) -> HttpResponse:
    """The trial annotations that wait for a decision, each with the reference values."""
    qualification = get_object_or_404(Qualification.objects.select_related("study"), study=access.study)
    shown = shown_page(request, waiting_attempts(access.study), size=TRIALS_PER_PAGE)
    attempts = list(shown.object_list)
    rows = compare_attempts(qualification, attempts)
    context = {
        **page(access, "qualification"),
        "shown": shown,
        "trials": [
            {"attempt": attempt, "rows": [(row, row.cells[place]) for row in rows]}
            for place, attempt in enumerate(attempts)
        ],
    }
    return render(request, "annotation/quality/trials.html", context)


@study_page(post=Act.REVIEW)
def decide_trial(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    attempts = QualificationAttempt.objects.select_related("rater__study")
    found = get_object_or_404(attempts, pk=pk, rater__study=access.study)
    approved = request.POST.get("act") == "approve"
    with refusal_shown(request):
        decide(attempt=found, approved=approved, reason=request.POST.get("reason", ""), actor=access.user)
        message = _("%(code)s approved.") if approved else _("%(code)s declined.")
        messages.success(request, message % {"code": found.rater.code})
    return redirect("study-trials", slug=access.slug)


@study_page(get=Act.EDIT, post=Act.EDIT)
def group_round(request: HttpRequest, access: Access) -> HttpResponse:
    """All raters' ratings of the same items, a note for each item, and the approval of all raters."""
    act = request.POST.get("act", "")
    if act in REVIEWING:
        access.require(Act.REVIEW)
    qualification = get_object_or_404(Qualification.objects.select_related("study"), study=access.study)
    if request.method == "POST":
        with refusal_shown(request):
            _act(request, access, qualification, act)
        return redirect("study-calibration-round", slug=access.slug)
    shown = shown_page(request, latest_attempts(access.study), size=RATERS_PER_PAGE)
    attempts = list(shown.object_list)
    context = {
        **page(access, "qualification"),
        "qualification": qualification,
        "shown": shown,
        "attempts": attempts,
        "rows": compare_attempts(qualification, attempts),
        "n_waiting": waiting_attempts(access.study).count(),
    }
    return render(request, "annotation/quality/group_discussion.html", context)


def _act(request: HttpRequest, access: Access, qualification: Qualification, act: str) -> None:
    if act == "start":
        count = start_all(study=access.study, actor=access.user, reason=request.POST.get("reason", ""))
        message = ngettext("%(n)d rater approved.", "%(n)d raters approved.", count)
        messages.success(request, message % {"n": count})
    elif act in REVIEWING:
        released = act == "release"
        release_notes(qualification=qualification, released=released, actor=access.user)
        messages.success(
            request,
            _("Notes and reference values are visible to raters who have rated the calibration items.")
            if released
            else _("Notes hidden from raters."),
        )
    elif act == "note":
        number = request.POST.get("item", "")
        wanted = qualification.items.select_related("item", "qualification__study")
        pk = int(number) if number.isascii() and number.isdecimal() and len(number) < 18 else 0
        calibration: CalibrationItem = get_object_or_404(wanted, pk=pk)
        write_note(calibration=calibration, note=request.POST.get("note", ""), actor=access.user)
        messages.success(request, _("Note saved."))
    else:
        raise Http404("There is no such act.")
