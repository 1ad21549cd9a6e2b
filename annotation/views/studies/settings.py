"""General settings of a study: its state and its contact for raters."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.base.states import STUDY_MOVES, DesignKind, Role, StudyState
from annotation.models import Study
from annotation.permissions import Access, Act
from annotation.selectors.questions.pilots.pilot_answers import pooling_preview
from annotation.services.people.contact import set_contact
from annotation.services.studies.lifecycle import change_state
from annotation.services.studies.pilots.main_study import set_pilot_raters
from annotation.services.studies.pilots.pilot_pooling import PoolingAct, change_pooling
from annotation.views.base.page import page, refusal_shown, study_page
from config.formats.enumeration import joined

MOVE_WORDS = {StudyState.OPEN: gettext_lazy("Open study"), StudyState.PAUSED: gettext_lazy("Pause study")}
STATE_MESSAGES = {
    StudyState.OPEN: gettext_lazy("Study opened. Raters can join through the invitation links."),
    StudyState.PAUSED: gettext_lazy(
        "Study paused. Raters can still save the item on screen. You can open the study again at any time."
    ),
    StudyState.CLOSED: gettext_lazy("Study closed. Only an owner can reopen it."),
}


@study_page(get=Act.VIEW)
def settings(request: HttpRequest, access: Access) -> HttpResponse:
    study = access.study
    moves = STUDY_MOVES[StudyState(study.state)]
    reopening = study.state == StudyState.CLOSED
    may_act = access.may_own if reopening else access.may_manage
    may_move = may_act and not study.source and study.deleted_after is None
    owners = study.memberships.select_related("user").filter(role=Role.OWNER).order_by("user__email")
    context = {
        **page(access, "settings"),
        "moves": [
            (move.value, words)
            for move, words in MOVE_WORDS.items()
            if may_move and move in moves and study.state != StudyState.DRAFT
        ],
        "may_close": may_move and StudyState.CLOSED in moves,
        "owners": [one.user for one in owners],
        "pilot": study.pilot and pooling_preview(study, study.pilot),
        "pilot_is_mine": study.pilot and study.pilot.memberships.filter(user=access.user).exists(),
        "is_draft": study.state == StudyState.DRAFT,
        "state_sentence": StudyState(study.state).sentence,
    }
    return render(request, "annotation/studies/settings.html", context)


@study_page(post=Act.MANAGE)
def contact(request: HttpRequest, access: Access) -> HttpResponse:
    """Save the contact for raters."""
    with refusal_shown(request):
        set_contact(study=access.study, actor=access.user, contact=request.POST.get("contact", ""))
        messages.success(request, _("Contact saved. Raters see it from their next page on."))
    return redirect("study-settings", slug=access.slug)


@study_page(post=Act.MANAGE)
def pilot_raters(request: HttpRequest, access: Access) -> HttpResponse:
    """Refuse or admit raters of the pilot of a main study."""
    with refusal_shown(request):
        refused = request.POST.get("refused") == "on"
        set_pilot_raters(study=access.study, refused=refused, actor=access.user)
        messages.success(
            request,
            _("Setting saved. Raters of the pilot can no longer join.")
            if refused
            else _("Setting saved. Raters of the pilot can join."),
        )
    return redirect("study-settings", slug=access.slug)


@study_page(post=Act.MANAGE)
def pilot_pooling(request: HttpRequest, access: Access) -> HttpResponse:
    """Declare that a main study is pooled with its pilot, or withdraw that."""
    act = request.POST.get("act", "")
    if act not in set(PoolingAct):
        raise Http404("There is no such act.")
    with refusal_shown(request):
        reason = request.POST.get("reason", "")
        change_pooling(study=access.study, act=PoolingAct(act), reason=reason, actor=access.user)
        messages.success(
            request,
            _("Pilot pooled. Reports must be computed again.")
            if act == PoolingAct.POOL
            else _("Pilot separated. Reports must be computed again."),
        )
    return redirect("study-settings", slug=access.slug)


@study_page(post=Act.MANAGE)
def state(request: HttpRequest, access: Access) -> HttpResponse:
    """Pause, reopen or close the study; only an owner reopens a closed one.

    A draft opens from its checklist instead.
    """
    wanted = request.POST.get("state", "")
    if wanted not in set(StudyState):
        raise Http404("There is no such state.")
    if access.study.state == StudyState.CLOSED:
        access.require(Act.OWN)
    if access.study.state == StudyState.DRAFT and wanted == StudyState.OPEN:
        return redirect("study-open", slug=access.slug)
    with refusal_shown(request):
        change_state(study=access.study, to=StudyState(wanted), actor=access.user)
        messages.success(request, STATE_MESSAGES[StudyState(wanted)])
        if wanted == StudyState.OPEN:
            warn_of_panels(request, access.study)
    return redirect("study-settings", slug=access.slug)


def warn_of_panels(request: HttpRequest, study: Study) -> None:
    """Warn of panels without an invitation link: they get no raters.

    Parameters
    ----------
    request, study
        The request whose next page shows the warning, and a study that has just opened.
    """
    if study.design != DesignKind.PANELS:
        return
    linked = study.invitations.filter(revoked_at__isnull=True, panel__isnull=False).values("panel")
    lacking = study.forms.exclude(pk__in=linked).values_list("title", flat=True)
    if lacking:
        names = joined(f"“{title}”" for title in lacking)
        messages.warning(
            request,
            _("These panels have no invitation link: %(names)s. Create one for each.") % {"names": names},
        )
