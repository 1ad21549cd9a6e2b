"""`/join/<token>/`: the consent text, and agreeing to it; entry from crowd platforms."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.domain.base.errors import GroundworkError, TooManyJoins
from annotation.domain.base.platforms import Entry, Outcome, Platform, read_entry
from annotation.domain.base.sealing import digest_of
from annotation.domain.base.states import TEAM, RaterState, StudyState
from annotation.models import Invitation, Membership, Rater, Study, User
from annotation.selectors.pay.costs import estimated_per_hour, pay_shown_to_raters
from annotation.selectors.people.platform_return import (
    PlatformReturn,
    parameters_of,
    return_of,
    return_with,
)
from annotation.selectors.quality.qualification import count_preparation
from annotation.selectors.quality.reading_time import page_seconds
from annotation.selectors.seats.remaining_capacity import more_may_follow
from annotation.selectors.seats.study_features import features_of
from annotation.services.people.invitations import check_admits
from annotation.services.quality.check_places import expected_checks
from annotation.services.rating.enrolment import (
    check_capacity,
    check_open,
    check_same_session,
    consent,
    find_person,
    refuse_pilot_rater,
    revisit,
)
from annotation.services.rating.next_item import target_for
from annotation.views.base.frame_policy import framed_by_platforms
from annotation.views.rating.before_rating import posted_number
from annotation.views.rating.outbox import Outbox, outbox_of, outbox_of_study
from annotation.views.rating.rater_pages import has_withdrawn
from annotation.views.rating.rater_session import remember, remembered
from annotation.views.rating.shown_texts import shown_study
from config.client_address import network_of
from config.interface_language import begin_in


@method_decorator(framed_by_platforms, name="dispatch")
@method_decorator(never_cache, name="dispatch")
class JoinView(View):
    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        invitation, entry, own = _invitation(request, token), None, None
        study = invitation.study
        role = _role(request, study)
        if invitation.revoked_at is None and role:
            return redirect("rate" if role in TEAM else "study", slug=study.slug)
        try:
            entry = _entry(request, invitation)
            known = _known(request, invitation, entry)
            _check_visit(request, known, entry)
            own = known
            if known is not None and known.state == RaterState.WITHDRAWN:
                return _withdrawn(request, known, invitation)
            check_open(invitation, study)
            if known is not None and known.consented_at:
                return _continue(request, known, invitation, entry)
            account = request.user if isinstance(request.user, User) else None
            # By account only: anyone can open this page, and it must not reveal which platform IDs took part.
            refuse_pilot_rater(study=study, user=account, entry=None)
            check_admits(invitation)
            check_capacity(invitation=invitation, study=study)
        except GroundworkError as refusal:
            return _refused(request, invitation, refusal, entry, own)
        context = _consent_page(request, invitation, entry, token)
        return render(request, "annotation/rating/join.html", context)

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        invitation, entry, own = _invitation(request, token), None, None
        user = request.user if isinstance(request.user, User) else None
        try:
            entry = _entry(request, invitation)
            known = _known(request, invitation, entry)
            _check_visit(request, known, entry)
            own = known
            if known is not None and known.state == RaterState.WITHDRAWN:
                return _withdrawn(request, known, invitation, status=409)
            check_open(invitation, invitation.study)
            if known is not None and known.consented_at and not _role(request, invitation.study):
                return _continue(request, known, invitation, entry)
            rater = consent(
                invitation=invitation,
                user=user,
                join_key=_join_key(request),
                entry=_without_preview(entry),
                version=posted_number(request),
                network=network_of(request),
                interface_language=request.POST.get("interface_language", ""),
            )
        except TooManyJoins as refusal:
            return _put_off(request, invitation, refusal, entry, token)
        except GroundworkError as refusal:
            return _refused(request, invitation, refusal, entry, own)
        remember(request, rater)
        return redirect("rate", slug=invitation.study.slug)


@require_safe
@never_cache
def declined(request: HttpRequest, token: str) -> HttpResponse:
    """The page for a visitor who does not consent: nothing is stored, and the return link is shown."""
    invitation = _invitation(request, token)
    try:
        entry = _entry(request, invitation)
    except GroundworkError:
        entry = None
    context = {
        "study": shown_study(invitation.study),
        "way_back": return_with(invitation, _without_preview(entry), Outcome.NO_CONSENT),
        "join_url": f"{reverse('join', args=[token])}?{request.GET.urlencode()}",
    }
    return render(request, "annotation/rating/declined.html", context)


def _invitation(request: HttpRequest, token: str) -> Invitation:
    """The link that was followed; from here on the page speaks the language of its study."""
    found = (
        Invitation.objects.select_related("study__pay", "rater").filter(token_digest=digest_of(token)).first()
    )
    if found is None:
        raise Http404("There is no such link. Check that it was copied whole.")
    begin_in(request, found.study.interface_language)
    return found


def _entry(request: HttpRequest, invitation: Invitation) -> Entry | None:
    if invitation.platform == Platform.NONE:
        return None
    given = {name: value for name, value in request.GET.items() if isinstance(value, str)}
    hosts = frozenset(settings.MTURK_ORIGINS)
    return read_entry(Platform(invitation.platform), given, parameters_of(invitation), submit_hosts=hosts)


def _without_preview(entry: Entry | None) -> Entry | None:
    """The entry of a person who has accepted the task; None for a preview."""
    return None if entry is None or entry.preview else entry


def _continue(
    request: HttpRequest, rater: Rater, invitation: Invitation, entry: Entry | None
) -> HttpResponse:
    if entry is not None and not entry.preview:
        revisit(rater=rater, invitation=invitation, entry=entry)
    if remembered(request, study_id=rater.study_id) != rater:
        remember(request, rater, came_back=True)
    return redirect("rate", slug=invitation.study.slug)


def _withdrawn(
    request: HttpRequest, rater: Rater, invitation: Invitation, *, status: int = 200
) -> HttpResponse:
    """The notice of withdrawal, in a session of the rater: they can download their data in any browser."""
    # A link that was replaced or revoked must not give the data to anyone who still has it.
    own_account = rater.user_id is not None and rater.user_id == request.user.pk
    known = own_account or remembered(request, study_id=rater.study_id) == rater
    if invitation.revoked_at is None and not known:
        remember(request, rater)
        known = True
    return has_withdrawn(request, rater, status=status, offers_data=known)


def _join_key(request: HttpRequest) -> uuid.UUID | None:
    """The key of the consent page that was sent; a page without one is taken all the same."""
    try:
        return uuid.UUID(request.POST.get("join_key", ""))
    except ValueError:
        return None


def _role(request: HttpRequest, study: Study) -> str:
    """The role of a member; empty for anybody else."""
    if not request.user.is_authenticated:
        return ""
    found = Membership.objects.filter(study=study, user=request.user).values_list("role", flat=True)
    return found.first() or ""


def _known(request: HttpRequest, invitation: Invitation, entry: Entry | None) -> Rater | None:
    """The rater a personal link names, the platform's person, or who joined with this log-in or browser."""
    if invitation.rater is not None:
        return invitation.rater
    if entry is not None:
        return find_person(study=invitation.study, entry=entry)
    own = Rater.objects.filter(study=invitation.study_id, user=request.user.pk)
    found = own.first() if request.user.is_authenticated else None
    return found or remembered(request, study_id=invitation.study_id)


def _check_visit(request: HttpRequest, known: Rater | None, entry: Entry | None) -> None:
    """Let a platform's person back in by the same session or browser only: ids are no secrets."""
    if known is None or entry is None or remembered(request, study_id=known.study_id) == known:
        return
    check_same_session(rater=known, entry=entry)


def _consent_page(
    request: HttpRequest, invitation: Invitation, entry: Entry | None, token: str
) -> dict[str, object]:
    panel = invitation.panel or (invitation.rater.panel if invitation.rater else None)
    study = invitation.study
    count = target_for(study=study, panel=panel)
    # A check looks like an item, and counts among them wherever a rater sees a number.
    count += expected_checks(study=study, items=count)
    pay = pay_shown_to_raters(study)
    usual = pay.page_seconds if pay and pay.page_seconds else page_seconds(study)
    each = max(usual, study.least_seconds or 0)
    return {
        "study": shown_study(study),
        "outbox": outbox_of_study(study.slug),
        "invitation": invitation,
        "action": request.get_full_path(),
        "declined_url": f"{reverse('join-declined', args=[token])}?{request.GET.urlencode()}",
        "join_key": uuid.uuid4(),
        "refused": "",
        "preview": entry is not None and entry.preview,
        "framed": request.headers.get("Sec-Fetch-Dest") == "iframe",
        "before": count_preparation(study, panel),
        "items_count": count,
        "minutes": max(1, round(count * each / 60)),
        "more_may_come": more_may_follow(study, panel),
        "pay": pay,
        "per_hour": estimated_per_hour(pay, each, count) if pay and pay.page_seconds else None,
        "about_them": features_of(study).questions,
    }


def _put_off(
    request: HttpRequest,
    invitation: Invitation,
    refusal: TooManyJoins,
    entry: Entry | None,
    token: str,
) -> HttpResponse:
    """The same page with the time from which it can be sent: the key of the page stays."""
    context = _consent_page(request, invitation, entry, token) | {"later": refusal.message}
    context["join_key"] = _join_key(request) or context["join_key"]
    response = render(request, "annotation/rating/join.html", context, status=429)
    response["Retry-After"] = str(refusal.seconds)
    return response


def _refused(
    request: HttpRequest,
    invitation: Invitation,
    refusal: GroundworkError,
    entry: Entry | None,
    own: Rater | None,
) -> HttpResponse:
    """Why no rater can join now, and the return link; for a known rater it depends on their progress."""
    elsewhere = refusal.code == "came_elsewhere"
    status = 410 if refusal.code == "link_revoked" else 409
    context = {
        "study": shown_study(invitation.study),
        "outbox": _outbox(request, invitation, refusal),
        "invitation": invitation,
        "refused": refusal.message,
        "elsewhere": elsewhere,
        "way_back": None if elsewhere else _platform_return(invitation, entry, own),
    }
    return render(request, "annotation/rating/join.html", context, status=status)


def _platform_return(invitation: Invitation, entry: Entry | None, own: Rater | None) -> PlatformReturn | None:
    if own is not None and own.consented_at is not None:
        return return_of(own, nothing_left=own.study.state == StudyState.CLOSED)
    return return_with(invitation, _without_preview(entry), Outcome.SCREENED_OUT)


def _outbox(request: HttpRequest, invitation: Invitation, refusal: GroundworkError) -> Outbox:
    """A personal link lets its rater back after the end too, to deliver or account for a waiting answer."""
    rater = invitation.rater
    if refusal.code != "study_closed" or rater is None or rater.consented_at is None:
        return outbox_of_study(invitation.study.slug)
    remember(request, rater)
    return outbox_of(rater)
