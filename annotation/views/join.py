"""`/join/<token>/`: the consent text, and agreeing to it."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache

from annotation.domain.errors import GroundworkError, NoSeatLeft
from annotation.domain.states import RaterState
from annotation.models import Invitation, Membership, Rater, Study, User
from annotation.services.assignment import seats_left, target_for
from annotation.services.raters import check_open, consent
from annotation.views.rater_pages import has_withdrawn
from annotation.views.raters_session import remember, remembered

SECONDS_PER_ITEM = 30


@method_decorator(never_cache, name="dispatch")
class JoinView(View):
    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        invitation = _invitation(token)
        study = invitation.study
        if invitation.revoked_at is None and _is_member(request, study):
            return redirect("rate", slug=study.slug)
        known = _known(request, invitation)
        if known is not None and known.state == RaterState.WITHDRAWN:
            return has_withdrawn(request, known)
        try:
            check_open(invitation, study)
            if known is not None and known.consented_at:
                if remembered(request, study_id=study.pk) != known:
                    remember(request, known)
                return redirect("rate", slug=study.slug)
            if not seats_left(study=study):
                raise NoSeatLeft("Every item of this study has enough raters. Thank you for coming.")
        except GroundworkError as refusal:
            return _refused(request, invitation, refusal)
        return render(request, "annotation/join.html", _consent_page(request, invitation))

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        invitation = _invitation(token)
        user = request.user if isinstance(request.user, User) else None
        known = _known(request, invitation)
        if known is not None and known.consented_at and not _is_member(request, invitation.study):
            remember(request, known)
            return redirect("rate", slug=invitation.study.slug)
        try:
            rater = consent(invitation=invitation, user=user, join_key=_join_key(request))
        except GroundworkError as refusal:
            return _refused(request, invitation, refusal)
        remember(request, rater)
        return redirect("rate", slug=invitation.study.slug)


def _invitation(token: str) -> Invitation:
    found = Invitation.objects.select_related("study", "rater").filter(token=token).first()
    if found is None:
        raise Http404("There is no such link. Check that it was copied whole.")
    return found


def _join_key(request: HttpRequest) -> uuid.UUID | None:
    """The key of the consent page that was sent; a page without one is taken all the same."""
    try:
        return uuid.UUID(request.POST.get("join_key", ""))
    except ValueError:
        return None


def _is_member(request: HttpRequest, study: Study) -> bool:
    return (
        request.user.is_authenticated and Membership.objects.filter(study=study, user=request.user).exists()
    )


def _known(request: HttpRequest, invitation: Invitation) -> Rater | None:
    """The rater a personal link names, or who joined before with this log-in or in this browser."""
    if invitation.rater is not None:
        return invitation.rater
    own = Rater.objects.filter(study=invitation.study_id, user=request.user.pk)
    found = own.first() if request.user.is_authenticated else None
    return found or remembered(request, study_id=invitation.study_id)


def _consent_page(request: HttpRequest, invitation: Invitation) -> dict[str, object]:
    count = target_for(study=invitation.study)
    return {
        "study": invitation.study,
        "invitation": invitation,
        "action": request.path,
        "join_key": uuid.uuid4(),
        "refused": "",
        "items_count": count,
        "minutes": max(1, round(count * SECONDS_PER_ITEM / 60)),
    }


def _refused(request: HttpRequest, invitation: Invitation, refusal: GroundworkError) -> HttpResponse:
    status = 410 if refusal.code == "link_revoked" else 409
    context = {"study": invitation.study, "invitation": invitation, "refused": refusal.message}
    return render(request, "annotation/join.html", context, status=status)
