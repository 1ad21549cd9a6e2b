"""Members of a study: who has which role, and what each role may do."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.states import Role
from annotation.models import Membership, Study, User
from annotation.permissions import RIGHTS, Access, Act
from annotation.services.people.members import (
    NO_MEMBER,
    add_member,
    archive_study,
    only_owner,
    remove_member,
)
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, refusal_shown, shown_page, study_page

ROLES = (Role.VIEWER, Role.ADJUDICATOR, Role.RESEARCHER, Role.ADMIN, Role.OWNER)
# A new member begins as this unless the owner chooses another role.
USUAL = Role.RESEARCHER
ROLE_NAMES = {
    Role.VIEWER: gettext_lazy("Viewer"),
    Role.ADJUDICATOR: gettext_lazy("Adjudicator"),
    Role.RESEARCHER: gettext_lazy("Researcher"),
    Role.ADMIN: gettext_lazy("Admin"),
    Role.OWNER: gettext_lazy("Owner"),
}
ROLE_DESCRIPTIONS = {
    Role.VIEWER: gettext_lazy(
        "Reads results and items, and exports ratings by rater code. Sees no personal data, no comments of "
        "raters and no invitation links. Changes nothing."
    ),
    Role.ADJUDICATOR: gettext_lazy(
        "Sees, discusses and decides the cases assigned to them. Sees nothing else."
    ),
    Role.RESEARCHER: gettext_lazy(
        "Edits drafts, imports files, starts computations and exports data. Declares and applies exclusion "
        "rules only if an owner allows it."
    ),
    Role.ADMIN: gettext_lazy(
        "Does what researchers do, runs the study, reviews raters, applies exclusions, decides cases, and "
        "manages links and pay."
    ),
    Role.OWNER: gettext_lazy("Does everything, including members, deletion and the data of a person."),
}
PERMISSIONS = (
    (gettext_lazy("View items, results, and ratings by rater code"), Act.READ),
    (gettext_lazy("Export without personal data"), Act.READ),
    (gettext_lazy("Decide cases"), Act.DECIDE),
    (gettext_lazy("See comments of raters, settings and the audit log; start jobs"), Act.VIEW),
    (gettext_lazy("Edit drafts; import items and scores"), Act.EDIT),
    (gettext_lazy("Declare, apply and lift exclusion rules"), Act.RULES),
    (gettext_lazy("Review raters; exclude data and lift exclusions"), Act.REVIEW),
    (
        gettext_lazy(
            "Open, pause and close the study; manage invitation links, share links, pay and webhooks"
        ),
        Act.MANAGE,
    ),
    (gettext_lazy("Reopen a closed study; manage members; delete the study or a person’s data"), Act.OWN),
)
# What a role may do in part, in place of yes or no.
IN_PART = {
    (Act.DECIDE, Role.ADJUDICATOR): gettext_lazy("assigned cases"),
    (Act.RULES, Role.RESEARCHER): gettext_lazy("if allowed"),
}


@study_page(get=Act.VIEW, post=Act.OWN)
def members(request: HttpRequest, access: Access) -> HttpResponse:
    """The members, and the form that gives an account a role or changes it."""
    if request.method == "POST":
        _give_role(request, access)
        return redirect("study-members", slug=access.slug)
    shown = shown_page(request, _memberships(access.study))
    context = {
        **page(access, "members"),
        "shown": shown,
        "members": [(one, ROLE_NAMES[Role(one.role)]) for one in shown],
        "only_owner": only_owner(access.study),
        "roles": [(role.value, ROLE_NAMES[role]) for role in ROLES],
        "usual": USUAL.value,
        "descriptions": [(ROLE_NAMES[role], ROLE_DESCRIPTIONS[role]) for role in ROLES],
        "permissions": [(words, [_allowed(act, role) for role in ROLES]) for words, act in PERMISSIONS],
    }
    return render(request, "annotation/people/members.html", context)


@study_page(post=Act.VIEW)
def archive(request: HttpRequest, access: Access) -> HttpResponse:
    """Move a study into the user’s archive, or back."""
    archived = request.POST.get("archived") == "true"
    try:
        archive_study(study=access.study, user=access.user, archived=archived)
    except NotAllowedNow as refusal:
        messages.error(request, translated(refusal.message))
        return redirect("study-settings", slug=access.slug)
    names = {"title": access.study.title}
    messages.success(
        request,
        _("“%(title)s” moved to your archive. Other members still see it in their list.") % names
        if archived
        else _("“%(title)s” moved back to your studies.") % names,
    )
    return redirect("home")


@study_page(post=Act.OWN)
def former_member(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Remove a member."""
    found = get_object_or_404(Membership.objects.select_related("user"), pk=pk, study=access.study)
    with refusal_shown(request):
        remove_member(study=access.study, membership=found, actor=access.user)
        messages.success(request, _("%(name)s removed from the study members.") % {"name": found.user})
        if found.user_id == access.user.pk:
            return redirect("home")
    return redirect("study-members", slug=access.slug)


def _memberships(study: Study) -> QuerySet[Membership]:
    second_factor = Authenticator.objects.filter(user=OuterRef("user"))
    return (
        study.memberships.select_related("user")
        .annotate(has_second_factor=Exists(second_factor))
        .order_by("role", "user__email")
    )


def _allowed(act: Act, role: Role) -> tuple[str | Promise, bool, str | Promise]:
    """The name of a role, whether it may do something, and in what part if only in part."""
    return ROLE_NAMES[role], role in RIGHTS[act], IN_PART.get((act, role), "")


def _give_role(request: HttpRequest, access: Access) -> None:
    """Give or change a role; unknown addresses and those of raters get the same refusal."""
    role, email = request.POST.get("role", ""), request.POST.get("email", "").strip()
    found = User.objects.filter(email__iexact=email).first()
    if found is None or role not in ROLES:
        messages.error(request, translated(NO_MEMBER))
        return
    with refusal_shown(request):
        add_member(
            study=access.study,
            user=found,
            role=Role(role),
            actor=access.user,
            declares_rules=bool(request.POST.get("declares_rules")),
        )
        messages.success(
            request,
            _("%(name)s now has the role %(role)s.") % {"name": found, "role": ROLE_NAMES[Role(role)]},
        )
