"""Settings of a study: its state, its invitation links, its members."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.platforms import PARAMETERS, Platform
from annotation.domain.base.states import STUDY_MOVES, Role, StudyState
from annotation.forms.links import LinkForm
from annotation.models import Invitation, Membership, Study, User
from annotation.permissions import Access, Act
from annotation.selectors.people.link_codes import codes_of
from annotation.services.people.contact import set_contact
from annotation.services.people.invitations import invite, replace_link, revoke
from annotation.services.studies.lifecycle import NO_MEMBER, add_member, remove_member
from annotation.views.base.page import page, refusal_shown, study_page

MOVE_WORDS = {StudyState.OPEN: "Open the study", StudyState.PAUSED: "Pause the study"}


@study_page(get=Act.VIEW)
def settings(request: HttpRequest, access: Access) -> HttpResponse:
    return _settings_page(request, access, LinkForm(access.study))


def _settings_page(request: HttpRequest, access: Access, link_form: LinkForm) -> HttpResponse:
    study = access.study
    moves = STUDY_MOVES[StudyState(study.state)]
    reopening = study.state == StudyState.CLOSED
    may_move = (access.may_own if reopening else access.may_manage) and not study.source
    members = list(study.memberships.select_related("user").order_by("role", "user__email"))
    context = {
        **page(access, "settings"),
        "moves": [(move.value, words) for move, words in MOVE_WORDS.items() if may_move and move in moves],
        "may_close": may_move and StudyState.CLOSED in moves,
        "owners": [one.user for one in members if one.role == Role.OWNER],
        "is_draft": study.state == StudyState.DRAFT,
        "links": shown_links(request, study) if access.may_manage else [],
        "link_form": link_form,
        "members": members,
        "roles": [Role.RESEARCHER.value, Role.ADMIN.value, Role.OWNER.value],
    }
    status = 422 if link_form.errors else 200
    return render(request, "annotation/studies/settings.html", context, status=status)


def shown_links(request: HttpRequest, study: Study) -> list[dict[str, Any]]:
    """The invitation links, newest first, with addresses, codes and how many joined by each."""
    links = study.invitations.select_related("rater").filter(_for_members()).order_by("-created_at")
    joined = dict(study.raters.values_list("came_by").annotate(n=Count("pk")))
    return [
        {
            "link": link,
            "address": _address(request, link),
            "codes": codes_of(link),
            "joined": joined.get(link.pk, 0),
        }
        for link in links
    ]


def _for_members() -> Q:
    """Links that members made: open ones, and personal ones of raters who came by no other."""
    return Q(rater__isnull=True) | Q(rater__came_by__isnull=True)


def _address(request: HttpRequest, link: Invitation) -> str:
    """The link as it is handed on, for Prolific with its placeholders; empty where it is unreadable."""
    token = link.token
    if not token:
        return ""
    address = request.build_absolute_uri(reverse("join", args=[token]))
    if link.platform == Platform.PROLIFIC:
        names = PARAMETERS[Platform.PROLIFIC]
        filled = "&".join(f"{name}={{{{%{name}%}}}}" for name in (names.person, names.task, names.session))
        return f"{address}?{filled}"
    return address


@study_page(post=Act.MANAGE)
def contact(request: HttpRequest, access: Access) -> HttpResponse:
    """Name whom raters can write to."""
    with refusal_shown(request):
        set_contact(study=access.study, actor=access.user, contact=request.POST.get("contact", ""))
    return redirect("study-settings", slug=access.slug)


@study_page(post=Act.MANAGE)
def new_link(request: HttpRequest, access: Access) -> HttpResponse:
    form = LinkForm(access.study, {"kind": Platform.NONE.value, **request.POST.dict()})
    if form.is_valid():
        try:
            invite(study=access.study, actor=access.user, **form.invitation())
        except InvalidContent as refused:
            for name, sentence in refused.fields.items():
                form.add_error(name, sentence)
            if not refused.fields:
                form.add_error(None, refused.message)
    if form.errors:
        messages.error(request, _("Link not created. Correct the fields marked below."))
        return _settings_page(request, access, form)
    return redirect("study-settings", slug=access.slug)


@study_page(post=Act.MANAGE)
def revoke_link(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    link = get_object_or_404(Invitation, pk=pk, study=access.study)
    revoke(invitation=link, actor=access.user)
    return redirect("study-settings", slug=access.slug)


@study_page(post=Act.MANAGE)
def new_address(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Give an invitation another link in place of the one it has."""
    link = get_object_or_404(Invitation, pk=pk, study=access.study)
    with refusal_shown(request):
        replace_link(invitation=link, actor=access.user)
        messages.success(request, _("Link replaced. The old one no longer works."))
    return redirect("study-settings", slug=access.slug)


@study_page(post=Act.OWN)
def member(request: HttpRequest, access: Access) -> HttpResponse:
    """Give somebody with an account a role; unknown addresses are refused in words."""
    role, email = request.POST.get("role", ""), request.POST.get("email", "").strip()
    found = User.objects.filter(email__iexact=email).first()
    if found is None or role not in {Role.OWNER, Role.ADMIN, Role.RESEARCHER}:
        messages.error(request, NO_MEMBER)
        return redirect("study-settings", slug=access.slug)
    with refusal_shown(request):
        add_member(study=access.study, user=found, role=Role(role), actor=access.user)
    return redirect("study-settings", slug=access.slug)


@study_page(post=Act.OWN)
def former_member(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Take a member's role away."""
    found = get_object_or_404(Membership.objects.select_related("user"), pk=pk, study=access.study)
    with refusal_shown(request):
        remove_member(study=access.study, membership=found, actor=access.user)
    if found.user_id == access.user.pk and not Membership.objects.filter(pk=pk).exists():
        return redirect("home")
    return redirect("study-settings", slug=access.slug)
