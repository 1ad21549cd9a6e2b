"""`/studies/<study>/raters/…`: one rater on one page, the review queue, excluding and lifting."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.domain.errors import GroundworkError
from annotation.models import Exclusion, Rater, RaterKind
from annotation.permissions import Access, Act, study_access
from annotation.selectors.rater_profile import answers_of, evidence_for, profile_of, profiles, verdicts_of
from annotation.services.exclusions import exclude_rater, lift_exclusion
from annotation.views.studies import page

RATERS_PER_PAGE = 20


@login_required
@require_safe
def rater(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    access = study_access(request.user, slug, Act.VIEW)
    found = _rater(access, code)
    answers = answers_of(found)
    context: dict[str, Any] = {
        **page(access, "raters"),
        "rater": found,
        "profile": profile_of(found),
        "verdicts": verdicts_of(found),
        "answers": answers,
        "evidence": evidence_for(access.study, len(answers)),
        "exclusions": found.exclusions.select_related("author", "lift").order_by("-pk"),
    }
    return render(request, "annotation/rater.html", context)


@login_required
@require_safe
def review(request: HttpRequest, slug: str) -> HttpResponse:
    """The raters with what is flagged about each, those with most flags first within a page."""
    access = study_access(request.user, slug, Act.VIEW)
    people = access.study.raters.exclude(kind=RaterKind.TRIAL).order_by("code")
    shown = Paginator(people, RATERS_PER_PAGE).get_page(request.GET.get("page"))
    made = sorted(
        profiles(access.study, list(shown.object_list)), key=lambda one: (-len(one.flagged), one.rater.code)
    )
    return render(
        request, "annotation/review.html", {**page(access, "raters"), "shown": shown, "profiled": made}
    )


@login_required
@require_POST
def exclude(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Exclude a rater with a reason, or lift an exclusion that stands."""
    access = study_access(request.user, slug, Act.REVIEW)
    found = _rater(access, code)
    reason = request.POST.get("reason", "")
    standing = Exclusion.objects.filter(rater=found, lift__isnull=True).first()
    try:
        if request.POST.get("act") == "lift" and standing is not None:
            lift_exclusion(exclusion=standing, reason=reason, actor=access.user)
        else:
            exclude_rater(rater=found, reason=reason, actor=access.user)
    except GroundworkError as refusal:
        messages.error(request, refusal.message)
    return redirect("study-rater", slug=slug, code=code)


def _rater(access: Access, code: str) -> Rater:
    people = Rater.objects.select_related("study").exclude(kind=RaterKind.TRIAL)
    return get_object_or_404(people, study=access.study, code=code)
