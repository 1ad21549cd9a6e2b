"""`/studies/<study>/settings/prolific/`, `…/mturk/`, and `submissions/` below: a study on a platform."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.crowd import OFFERS, STUDY_JOB, SUBMISSIONS_JOB, UNPUBLISHED, Decision
from annotation.forms.pay.crowd import DraftForm, HitForm, LinkedStudyForm, PlacesForm
from annotation.models import Invitation
from annotation.permissions import Access, Act
from annotation.selectors.pay.costs import pay_of
from annotation.selectors.pay.crowd import (
    connection_of,
    counts_by_status,
    last_job,
    links_for,
    outside_study_of,
    places_needed,
    raters_from,
    reviewed,
    submissions_of,
)
from annotation.services.pay.admission import pages_of_newcomer
from annotation.services.pay.crowd.connection import disconnect, request_connection
from annotation.services.pay.crowd.creation import request_finding
from annotation.services.pay.crowd.outside_studies import request_link, request_state, unlink_study
from annotation.services.pay.crowd.places import request_places
from annotation.services.pay.crowd.submissions import decide, request_reading
from annotation.services.pay.mturk.hits import request_hit
from annotation.services.pay.prolific.drafts import request_draft
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, refusal_shown, shown_page, study_page

OUTSIDE_PAGES = {
    Platform.PROLIFIC: "https://app.prolific.com/researcher/workspaces/studies/{number}",
    Platform.MTURK: "",
}


@study_page(get=Act.MANAGE, post=Act.MANAGE)
@never_cache
def outside(request: HttpRequest, access: Access, platform: Platform) -> HttpResponse:
    """The connection with a platform, and the study there: what is asked for is done by jobs."""
    if request.method != "POST":
        return render(request, "annotation/pay/crowd.html", _context(access, platform))
    act = ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Http404("There is no such act.")
    refused = act(request, access, platform)
    if refused is not None:
        context = {**_context(access, platform), **refused}
        return render(request, "annotation/pay/crowd.html", context, status=422)
    return redirect(f"study-{platform.value}", slug=access.slug)


@study_page(get=Act.MANAGE, post=Act.MANAGE)
def submissions(request: HttpRequest, access: Access, platform: Platform) -> HttpResponse:
    """Submissions with what the rules propose; nothing is sent before a member confirms the selection."""
    if request.method == "POST":
        with refusal_shown(request):
            messages.success(request, _read_or_decide(request, access, platform))
        return redirect(f"study-{platform.value}-submissions", slug=access.slug)
    row = outside_study_of(access.study, platform)
    shown = shown_page(request, submissions_of(access.study, platform))
    can_screen_out = bool(row and row.screen_out_code)
    offered = OFFERS[platform].decisions
    context = {
        **_names(access, platform),
        "row": row,
        "shown": shown,
        "rows": reviewed(list(shown.object_list), platform=platform, can_screen_out=can_screen_out),
        "counts": counts_by_status(access.study, platform),
        "decisions": [one for one in offered if can_screen_out or one is not Decision.SCREEN_OUT],
        "job": last_job(access.study, platform, SUBMISSIONS_JOB),
        "connected": connection_of(access.study, platform) is not None,
    }
    return render(request, "annotation/pay/crowd_submissions.html", context)


def _names(access: Access, platform: Platform) -> dict[str, Any]:
    return {
        **page(access, platform.value),
        "platform": platform.value,
        "platform_name": OFFERS[platform].name,
        "outside_url": reverse(f"study-{platform.value}", args=[access.slug]),
        "submissions_url": reverse(f"study-{platform.value}-submissions", args=[access.slug]),
    }


def _read_or_decide(request: HttpRequest, access: Access, platform: Platform) -> str:
    if request.POST.get("act") == "read":
        request_reading(study=access.study, platform=platform, actor=access.user)
        return _("Submissions are being read.")
    known = {one.value: one for one in Decision}
    chosen = {
        int(number): known[decision]
        for number in request.POST.getlist("submission")
        if number.isascii()
        and number.isdigit()
        and (decision := request.POST.get(f"decision-{number}", "")) in known
    }
    reason = request.POST.get("reason", "")
    decide(study=access.study, platform=platform, decisions=chosen, actor=access.user, reason=reason)
    n = len(chosen)
    return ngettext("%(n)d decision is being sent.", "%(n)d decisions are being sent.", n) % {"n": n}


def _context(access: Access, platform: Platform) -> dict[str, Any]:
    study, row = access.study, outside_study_of(access.study, platform)
    pay, links = pay_of(study), links_for(study, platform)
    link = row.invitation if row else links.first()
    panel = link.panel if link else None
    pages = pages_of_newcomer(study=study, panel=panel)
    needed = places_needed(study, pages=pages, panel=panel)
    job = last_job(study, platform, STUDY_JOB)
    found: dict[str, Any] = {
        **_names(access, platform),
        "connection": connection_of(study, platform),
        "row": row,
        "pay": pay,
        "needed": needed,
        "has_link": link is not None,
        "job": job,
        "is_under_way": job is not None and not job.ended,
        "host": urlsplit(settings.MTURK_ADDRESS).hostname if platform is Platform.MTURK else "",
    }
    if row is None:
        form = HitForm if platform is Platform.MTURK else DraftForm
        found["draft_form"] = form(study, pay, needed, pages)
        found["linked_form"] = LinkedStudyForm(study, platform)
    else:
        found["is_draft"] = row.status == UNPUBLISHED
        found["outside_page"] = OUTSIDE_PAGES[platform].format(number=row.number)
        found["reward"] = f"{row.reward / 100:.2f}"
        found["came"] = raters_from(study, platform)
        found["places_form"] = PlacesForm(initial={"places": max(row.places, found["came"] + needed)})
    return found


# What an act gives back where the page is shown again with its mistakes.
Refused = dict[str, Any] | None


def _connect(request: HttpRequest, access: Access, platform: Platform) -> Refused:
    token = request.POST.get("token", "").strip()
    if platform is Platform.MTURK:
        token = f"{request.POST.get('key', '').strip()}:{token}"
    try:
        request_connection(study=access.study, platform=platform, actor=access.user, token=token)
    except GroundworkError as refusal:
        return {"refusal": refusal.message}
    return None


def _disconnect(request: HttpRequest, access: Access, platform: Platform) -> Refused:
    with refusal_shown(request):
        disconnect(study=access.study, platform=platform, actor=access.user)
        messages.success(request, _("Token removed."))
    return None


def _create(request: HttpRequest, access: Access, platform: Platform) -> Refused:
    form = (HitForm if platform is Platform.MTURK else DraftForm)(
        access.study, pay_of(access.study), 0, 0, request.POST
    )
    if form.is_valid():
        try:
            _request_creation(request, access, form)
        except GroundworkError as refusal:
            _add_errors(form, refusal)
    return {"draft_form": form} if form.errors else None


def _request_creation(request: HttpRequest, access: Access, form: DraftForm | HitForm) -> None:
    given: dict[str, Any] = {"study": access.study, "actor": access.user}
    if isinstance(form, HitForm):
        invitation, hit = form.hit()
        request_hit(**given, invitation=invitation, address=_address_of(request, invitation), hit=hit)
    else:
        invitation, draft = form.draft()
        address = _address_of(request, invitation)
        request_draft(**given, invitation=invitation, address=address, draft=draft)


def _link(request: HttpRequest, access: Access, platform: Platform) -> Refused:
    form = LinkedStudyForm(access.study, platform, request.POST)
    if form.is_valid():
        try:
            request_link(study=access.study, platform=platform, actor=access.user, **form.cleaned_data)
        except GroundworkError as refusal:
            _add_errors(form, refusal)
    return {"linked_form": form} if form.errors else None


def _places(request: HttpRequest, access: Access, platform: Platform) -> Refused:
    form = PlacesForm(request.POST)
    if form.is_valid():
        try:
            request_places(study=access.study, platform=platform, actor=access.user, **form.cleaned_data)
        except GroundworkError as refusal:
            _add_errors(form, refusal)
    return {"places_form": form} if form.errors else None


def _find(request: HttpRequest, access: Access, platform: Platform) -> Refused:
    with refusal_shown(request):
        request_finding(study=access.study, platform=platform, actor=access.user)
    return None


def _read(request: HttpRequest, access: Access, platform: Platform) -> Refused:
    with refusal_shown(request):
        request_state(study=access.study, platform=platform, actor=access.user)
    return None


def _unlink(request: HttpRequest, access: Access, platform: Platform) -> Refused:
    with refusal_shown(request):
        unlink_study(study=access.study, platform=platform, actor=access.user)
        name = OFFERS[platform].name
        sentence = _("The study was separated from %(platform)s, where it stays as it is.")
        messages.success(request, sentence % {"platform": name})
    return None


ACTS: dict[str, Callable[[HttpRequest, Access, Platform], Refused]] = {
    "connect": _connect,
    "disconnect": _disconnect,
    "draft": _create,
    "find": _find,
    "link": _link,
    "places": _places,
    "refresh": _read,
    "unlink": _unlink,
}


def _address_of(request: HttpRequest, link: Invitation) -> str:
    return request.build_absolute_uri(reverse("join", args=[link.token]))


def _add_errors(form: Form, refusal: GroundworkError) -> None:
    named = {name: sentence for name, sentence in refusal.fields.items() if name in form.fields}
    for name, sentence in named.items():
        form.add_error(name, translated(sentence))
    if not named:
        form.add_error(next(iter(form.fields)), translated(refusal.message))
