"""Who may do what in a study. Views fetch a study together with the right to it, in one step."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import BigIntegerField, CharField, Exists, OuterRef, Q, QuerySet, Subquery
from django.http import Http404

from annotation.domain.base.errors import UnknownJobKind
from annotation.domain.base.states import TEAM, Role, StudyState
from annotation.models import Job, Membership, Rater, Study, User
from annotation.selectors.base.prepared_queries import Compiled
from annotation.services.base.job_kinds import kind_named
from config.operations.log_context import about_study


class Act(StrEnum):
    """The rows of the table of rights in the contracts."""

    ENTER = "enter"  # open the study at all
    READ = "read"  # results and exports without personal data and comments of raters
    CASES = "cases"  # see cases of adjudication and discuss them; an adjudicator those assigned to them
    DECIDE = "decide"  # decide cases; an adjudicator those assigned to them
    VIEW = "view"  # see study, items, ratings under pseudonyms, scores, reports; start jobs; export
    EDIT = "edit"  # edit a draft, import
    RULES = "rules"  # declare, apply and lift exclusion rules; a researcher who was given the right
    REVIEW = "review"  # review raters, exclude and lift
    MANAGE = "manage"  # open, pause, close, invite
    OWN = "own"  # members and roles, reopen a closed study, erase a person's data


RIGHTS: dict[Act, frozenset[Role]] = {
    Act.ENTER: frozenset({Role.VIEWER, Role.ADJUDICATOR, *TEAM}),
    Act.READ: frozenset({Role.VIEWER, *TEAM}),
    Act.CASES: frozenset({Role.ADJUDICATOR, *TEAM}),
    Act.DECIDE: frozenset({Role.ADJUDICATOR, Role.ADMIN, Role.OWNER}),
    Act.VIEW: frozenset(TEAM),
    Act.EDIT: frozenset(TEAM),
    Act.RULES: frozenset({Role.ADMIN, Role.OWNER}),
    Act.REVIEW: frozenset({Role.ADMIN, Role.OWNER}),
    Act.MANAGE: frozenset({Role.ADMIN, Role.OWNER}),
    Act.OWN: frozenset({Role.OWNER}),
}


class ForSiteAdministrators(PermissionDenied):
    """The page belongs to the site administration."""


class RoleRefused(PermissionDenied):
    """The role of a user in a study, `access`, does not allow an act."""

    def __init__(self, access: Access) -> None:
        super().__init__(f"This needs another role than {access.role.value} in this study.")
        self.access = access


@dataclass(frozen=True)
class Access:
    """A study, and the role of the user who reached it."""

    study: Study
    role: Role
    user: User
    declares_rules: bool = False

    def may(self, act: Act) -> bool:
        if act is Act.RULES and self.declares_rules:
            return True
        # A draft has no results.
        if self.role is Role.VIEWER and self.study.state == StudyState.DRAFT:
            return False
        return self.role in RIGHTS[act]

    def require(self, act: Act) -> None:
        if not self.may(act):
            raise RoleRefused(self)

    def require_for_items(self) -> None:
        """Adding items to a study that raters work in needs the right to manage it."""
        self.require(Act.EDIT if self.study.state == StudyState.DRAFT else Act.MANAGE)

    @property
    def slug(self) -> str:
        return self.study.slug

    @property
    def own_cases_of(self) -> User | None:
        """The adjudicator to whose cases this access is limited; None for all cases."""
        return self.user if self.role is Role.ADJUDICATOR else None

    @property
    def may_view(self) -> bool:
        """Whether the member works on the study: sees what raters wrote, and starts jobs."""
        return self.may(Act.VIEW)

    @property
    def may_edit(self) -> bool:
        return self.may(Act.EDIT)

    @property
    def may_declare_rules(self) -> bool:
        return self.may(Act.RULES)

    @property
    def may_review(self) -> bool:
        return self.may(Act.REVIEW)

    @property
    def may_manage(self) -> bool:
        return self.may(Act.MANAGE)

    @property
    def may_own(self) -> bool:
        return self.may(Act.OWN)


def _with_role(slug: Any, user: Any) -> QuerySet[Any]:
    """The study, if the user is its member or rater: `own_role`, `declares_rules`, `enrolled`."""
    membership = Membership.objects.filter(study=OuterRef("pk"), user=user)
    enrolment = Rater.objects.filter(study=OuterRef("pk"), user=user)
    return (
        Study.objects.filter(slug=slug)
        .annotate(
            own_role=Subquery(membership.values("role")[:1]),
            declares_rules=Subquery(membership.values("declares_rules")[:1]),
            enrolled=Exists(enrolment),
        )
        .filter(Q(own_role__isnull=False) | Q(enrolled=True))
    )


_STUDY = Compiled(_with_role, slug=CharField(), user=BigIntegerField())


def study_access(user: User | AnonymousUser, slug: str, act: Act) -> Access:
    """Return the study with the user's role in it, which must allow the act.

    Raises
    ------
    Http404
        No such study, or one in which the user has no role.
    PermissionDenied
        The user's role does not reach that far.
    """
    if not user.is_authenticated:
        raise Http404("No such study.")
    study: Any = _STUDY.first(slug=slug, user=user.pk)
    if study is None:
        raise Http404("No such study.")
    about_study(study.pk)
    access = Access(study, Role(study.own_role or Role.RATER), user, bool(study.declares_rules))
    access.require(act)
    return access


def job_access(user: User | AnonymousUser, pk: int) -> tuple[Job, Access]:
    """Return a job with the access to its study; raises as `study_access` does."""
    job = Job.objects.select_related("study").filter(pk=pk, study__isnull=False).first()
    if job is None or job.study is None:
        raise Http404("No such job.")
    return job, study_access(user, job.study.slug, Act.VIEW)


def stop_access(user: User | AnonymousUser, pk: int) -> Job:
    """Return a job that the user may stop; raises as `study_access` does.

    Users who may start a job may stop it.
    """
    job, access = job_access(user, pk)
    for act in acts_to_start(job):
        access.require(act)
    return job


def acts_to_start(job: Job) -> list[Act]:
    """The rights that starting such a job needs; the owner's for a kind that is not registered."""
    try:
        kind = kind_named(job.kind)
    except UnknownJobKind:
        return [Act.OWN]
    return [Act(kind.right), *([Act.MANAGE] if job.params.get(kind.managed_by) else [])]
