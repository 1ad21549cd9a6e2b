"""Who rates: the rater behind a browser's session, a log-in, or a member on trial."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest
from django.utils import timezone

from annotation.domain.base.states import TEAM
from annotation.models import Membership, Rater
from annotation.selectors.people.of_study import find_enrolled_rater
from annotation.services.quality.reading_time import leave_out_pause
from annotation.services.rating.enrolment import trial_rater
from config.operations.log_context import about_study

SESSION_KEY = "raters"
# By rater: when they came to this browser, and since when they pause.
CAME_KEY, PAUSED_KEY = "raters_came", "raters_paused"


def remember(request: HttpRequest, rater: Rater, *, came_back: bool = False) -> None:
    """Let this browser rate as this rater from now on; the session gets a new key.

    A rater who `came_back` may have been shown a page in another browser: its time is not known here.
    """
    request.session.cycle_key()
    if came_back:
        _note(request, CAME_KEY, rater, timezone.now())
    request.session[SESSION_KEY] = {**request.session.get(SESSION_KEY, {}), str(rater.study_id): rater.pk}


def remembered(request: HttpRequest, *, study_id: int) -> Rater | None:
    """The rater of a study that this browser has joined as."""
    pk = request.session.get(SESSION_KEY, {}).get(str(study_id))
    return None if pk is None else Rater.objects.select_related("study").filter(pk=pk).first()


def list_session_raters(request: HttpRequest) -> list[Rater]:
    """The raters that this browser, or the log-in, has joined as; the newest first."""
    joined = Q(pk__in=list(request.session.get(SESSION_KEY, {}).values()))
    if request.user.is_authenticated:
        joined |= Q(user=request.user)
    return list(Rater.objects.select_related("study", "invitation").filter(joined).order_by("-pk"))


def rater_for(request: HttpRequest, slug: str) -> Rater:
    """The rater of a study that this request comes from; members rate on trial.

    Raises
    ------
    PermissionDenied
        A viewer or an adjudicator does not rate.
    Http404
        This browser has joined no such study. Whether it exists is not revealed.
    """
    if request.user.is_authenticated:
        membership = Membership.objects.select_related("study").filter(study__slug=slug, user=request.user)
        member = membership.first()
        if member is not None:
            about_study(member.study_id)
            if member.role not in TEAM:
                raise PermissionDenied(f"This needs another role than {member.role} in this study.")
            return trial_rater(study=member.study, user=request.user)
    rater = find_enrolled_rater(list(request.session.get(SESSION_KEY, {}).values()), slug=slug)
    if rater is None and request.user.is_authenticated:
        own = Rater.objects.select_related("study").filter(study__slug=slug)
        rater = own.filter(user=request.user).first()
    if rater is None:
        raise Http404("Open your personal link: this browser does not know you yet.")
    about_study(rater.study_id)
    return rater


def note_pause(request: HttpRequest, rater: Rater) -> None:
    """Note since when the rater pauses; a pause that is not over yet goes on."""
    if _noted(request, PAUSED_KEY, rater) is None:
        _note(request, PAUSED_KEY, rater, timezone.now())


def end_pause(request: HttpRequest, rater: Rater) -> bool:
    """Leave a pause that ends with this request out of the time of the pages that were left for it.

    Returns
    -------
    bool
        Whether there was one: the clocks of these pages have changed.
    """
    begun = _noted(request, PAUSED_KEY, rater)
    if begun is None:
        return False
    remaining = {pk: when for pk, when in request.session[PAUSED_KEY].items() if pk != str(rater.pk)}
    request.session[PAUSED_KEY] = remaining
    leave_out_pause(rater=rater, begun=begun, ended=timezone.now())
    return True


def left_at(request: HttpRequest, rater: Rater) -> datetime | None:
    """When the rater last left their pages for a time that is not known: for a pause, or another browser."""
    moments = [_noted(request, key, rater) for key in (CAME_KEY, PAUSED_KEY)]
    return max((moment for moment in moments if moment is not None), default=None)


def _note(request: HttpRequest, key: str, rater: Rater, when: datetime) -> None:
    request.session[key] = {**request.session.get(key, {}), str(rater.pk): when.isoformat()}


def _noted(request: HttpRequest, key: str, rater: Rater) -> datetime | None:
    noted = request.session.get(key, {}).get(str(rater.pk))
    return None if noted is None else datetime.fromisoformat(noted)
