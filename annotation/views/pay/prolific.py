"""`/studies/<study>/settings/prolific/` and `submissions/` below it: a study on Prolific, its submissions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from annotation.domain.base.errors import GroundworkError
from annotation.domain.pay.prolific import SUBMISSIONS_JOB, UNPUBLISHED, Decision
from annotation.forms.pay import DraftForm, LinkedStudyForm, PlacesForm
from annotation.models import Invitation, Job, ProlificConnection, ProlificStudy
from annotation.permissions import Access, Act
from annotation.selectors.pay.costs import pay_of
from annotation.selectors.pay.prolific import (
    counts_by_status,
    links_for_prolific,
    places_needed,
    raters_from_prolific,
    reviewed,
    submissions_of,
)
from annotation.services.pay.admission import pages_of_newcomer
from annotation.services.pay.prolific.connection import connect, disconnect
from annotation.services.pay.prolific.drafts import (
    create_draft,
    find_draft,
    link_study,
    raise_places,
    refresh_study,
    unlink_study,
)
from annotation.services.pay.prolific.submissions import decide, request_reading
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, refusal_shown, shown_page, study_page

RESEARCHER_PAGE = "https://app.prolific.com/researcher/workspaces/studies/{number}"


@study_page(get=Act.MANAGE, post=Act.MANAGE)
@never_cache
def prolific(request: HttpRequest, access: Access) -> HttpResponse:
    """The connection with Prolific, and the study there."""
    if request.method != "POST":
        return render(request, "annotation/pay/prolific.html", _context(access))
    act = ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Http404("There is no such act.")
    refused = act(request, access)
    if refused is not None:
        return render(request, "annotation/pay/prolific.html", {**_context(access), **refused}, status=422)
    return redirect("study-prolific", slug=access.slug)


@study_page(get=Act.MANAGE, post=Act.MANAGE)
def submissions(request: HttpRequest, access: Access) -> HttpResponse:
    """Submissions with what the rules propose; nothing is sent before a member confirms the selection."""
    if request.method == "POST":
        with refusal_shown(request):
            messages.success(request, _read_or_decide(request, access))
        return redirect("study-prolific-submissions", slug=access.slug)
    row = ProlificStudy.objects.filter(study=access.study).first()
    shown = shown_page(request, submissions_of(access.study))
    can_screen_out = bool(row and row.screen_out_code)
    context = {
        **page(access, "prolific"),
        "row": row,
        "shown": shown,
        "rows": reviewed(list(shown.object_list), can_screen_out=can_screen_out),
        "counts": counts_by_status(access.study),
        "decisions": [one for one in Decision if can_screen_out or one is not Decision.SCREEN_OUT],
        "job": Job.objects.filter(study=access.study, kind=SUBMISSIONS_JOB).order_by("-pk").first(),
        "connected": ProlificConnection.objects.filter(study=access.study).exists(),
    }
    return render(request, "annotation/pay/prolific_submissions.html", context)


def _read_or_decide(request: HttpRequest, access: Access) -> str:
    if request.POST.get("act") == "read":
        request_reading(study=access.study, actor=access.user)
        return _("Submissions are being read.")
    known = {one.value: one for one in Decision}
    chosen = {
        int(number): known[decision]
        for number in request.POST.getlist("submission")
        if number.isascii()
        and number.isdigit()
        and (decision := request.POST.get(f"decision-{number}", "")) in known
    }
    decide(study=access.study, decisions=chosen, actor=access.user)
    n = len(chosen)
    return ngettext("%(n)d decision is being sent.", "%(n)d decisions are being sent.", n) % {"n": n}


def _context(access: Access) -> dict[str, Any]:
    study = access.study
    row = ProlificStudy.objects.select_related("invitation").filter(study=study).first()
    pay, links = pay_of(study), links_for_prolific(study)
    link = row.invitation if row else links.first()
    panel = link.panel if link else None
    pages = pages_of_newcomer(study=study, panel=panel)
    needed = places_needed(study, pages=pages, panel=panel)
    found: dict[str, Any] = {
        **page(access, "prolific"),
        "connection": ProlificConnection.objects.select_related("connected_by").filter(study=study).first(),
        "row": row,
        "pay": pay,
        "needed": needed,
        "has_link": link is not None,
    }
    if row is None:
        found["draft_form"] = DraftForm(study, pay, needed, pages)
        found["linked_form"] = LinkedStudyForm(study)
    else:
        found["is_draft"] = row.status == UNPUBLISHED
        found["outside_page"] = RESEARCHER_PAGE.format(number=row.number)
        found["reward"] = f"{row.reward / 100:.2f}"
        found["came"] = raters_from_prolific(study)
        found["places_form"] = PlacesForm(initial={"places": max(row.places, found["came"] + needed)})
    return found


# What an act gives back where the page is shown again with its mistakes.
Refused = dict[str, Any] | None


def _connect(request: HttpRequest, access: Access) -> Refused:
    try:
        made = connect(study=access.study, actor=access.user, token=request.POST.get("token", ""))
    except GroundworkError as refusal:
        return {"refusal": refusal.message}
    messages.success(request, _("Connected to the account %(account)s.") % {"account": made.account})
    return None


def _disconnect(request: HttpRequest, access: Access) -> Refused:
    with refusal_shown(request):
        disconnect(study=access.study, actor=access.user)
        messages.success(request, _("Token removed."))
    return None


def _draft(request: HttpRequest, access: Access) -> Refused:
    form = DraftForm(access.study, pay_of(access.study), 0, 0, request.POST)
    if form.is_valid():
        invitation, draft = form.draft()
        try:
            create_draft(
                study=access.study,
                invitation=invitation,
                address=_address_of(request, invitation),
                draft=draft,
                actor=access.user,
            )
        except GroundworkError as refusal:
            _add_errors(form, refusal)
        else:
            messages.success(request, _("Draft created. Publish it on Prolific."))
    return {"draft_form": form} if form.errors else None


def _link(request: HttpRequest, access: Access) -> Refused:
    form = LinkedStudyForm(access.study, request.POST)
    if form.is_valid():
        try:
            link_study(study=access.study, actor=access.user, **form.cleaned_data)
        except GroundworkError as refusal:
            _add_errors(form, refusal)
        else:
            messages.success(request, _("Study on Prolific linked."))
    return {"linked_form": form} if form.errors else None


def _places(request: HttpRequest, access: Access) -> Refused:
    form = PlacesForm(request.POST)
    if form.is_valid():
        try:
            row = raise_places(study=access.study, actor=access.user, **form.cleaned_data)
        except GroundworkError as refusal:
            _add_errors(form, refusal)
        else:
            words = ngettext("%(n)d place on Prolific.", "%(n)d places on Prolific.", row.places)
            messages.success(request, words % {"n": row.places})
    return {"places_form": form} if form.errors else None


def _find(request: HttpRequest, access: Access) -> Refused:
    with refusal_shown(request):
        if find_draft(study=access.study, actor=access.user) is None:
            messages.info(request, _("There is no such draft on Prolific. You can create it again."))
        else:
            messages.success(request, _("Draft found."))
    return None


def _refresh(request: HttpRequest, access: Access) -> Refused:
    with refusal_shown(request):
        refresh_study(study=access.study)
        messages.success(request, _("State read from Prolific."))
    return None


def _unlink(request: HttpRequest, access: Access) -> Refused:
    with refusal_shown(request):
        unlink_study(study=access.study, actor=access.user)
        messages.success(request, _("Study on Prolific separated. It stays on Prolific as it is."))
    return None


ACTS: dict[str, Callable[[HttpRequest, Access], Refused]] = {
    "connect": _connect,
    "disconnect": _disconnect,
    "draft": _draft,
    "find": _find,
    "link": _link,
    "places": _places,
    "refresh": _refresh,
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
