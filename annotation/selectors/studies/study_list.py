"""The studies of a member, with their progress."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q

from annotation.domain.adjudication.differences import UNDECIDED
from annotation.domain.base.states import TEAM, Purpose, RaterState, Role, SeatState, StudyState
from annotation.models import Assignment, Case, Item, Membership, Rater, Seat, Study, User
from annotation.selectors.questions.counting import RATER_KINDS
from annotation.selectors.studies.waiting_work import WaitingWork, waiting_work, with_waiting_work

RUNNING = (StudyState.OPEN, StudyState.PAUSED)


@dataclass(frozen=True)
class StudyRow:
    """A study in the list of a member.

    Parameters
    ----------
    study : Study
    role : str
        The role of the member.
    items, raters : int
        Number of items, and of raters without previews.
    filled, slots : int
        Number of filled rating slots, and of all; 0 before the study opens.
    last_answer : datetime or None
        Time of the latest response in the main task.
    waiting : WaitingWork
    """

    study: Study
    role: str
    items: int
    raters: int
    filled: int
    slots: int
    last_answer: datetime | None
    waiting: WaitingWork

    @property
    def is_team(self) -> bool:
        """Whether the member works on the study."""
        return self.role in TEAM

    @property
    def shows_progress(self) -> bool:
        """Whether the member sees more than cases."""
        return self.role != Role.ADJUDICATOR

    @property
    def group(self) -> str:
        """The group in the list: `published`, `running`, `draft` or `closed`."""
        if self.study.source:
            return "published"
        return "running" if self.study.state in RUNNING else self.study.state


def copyable_studies(user: User) -> list[tuple[str, str]]:
    """Address and title of the studies that a member may copy, newest first, with those in the archive."""
    mine = Study.objects.filter(memberships__user=user, memberships__role__in=TEAM).order_by(
        "-created_at", "-pk"
    )
    return list(mine.values_list("slug", "title"))


def has_twin(study: Study, user: User) -> bool:
    """Whether another study of a member has the same title."""
    others = Study.objects.filter(memberships__user=user).exclude(pk=study.pk)
    return others.filter(title__iexact=study.title).exists()


def study_rows(*, user: User, archived: bool = False, words: str = "") -> list[StudyRow]:
    """The studies of a member, newest first, in a constant number of queries; viewers see no drafts.

    Parameters
    ----------
    user : User
        The member.
    archived : bool
        List the archived studies instead of the others.
    words : str
        Search term in title or address, case-insensitive; empty for all studies.
    """
    own = Membership.objects.filter(user=user, archived=archived)
    roles = dict(own.values_list("study", "role"))
    named = Q(title__icontains=words) | Q(slug__icontains=words)
    shut = [study for study, role in roles.items() if role == Role.VIEWER]
    found = (
        Study.objects.filter(named, pk__in=roles)
        .exclude(pk__in=shut, state=StudyState.DRAFT)
        .order_by("-created_at", "-pk")
    )
    studies = list(with_waiting_work(found))
    shown = [study.pk for study in studies]
    items = dict(Item.objects.filter(study__in=shown).order_by().values_list("study").annotate(n=Count("pk")))
    raters = dict(
        Rater.objects.filter(study__in=shown, kind__in=RATER_KINDS)
        .exclude(state=RaterState.INVITED)
        .order_by()
        .values_list("study")
        .annotate(n=Count("pk"))
    )
    filled = Count("pk", filter=Q(state=SeatState.FILLED))
    seats = Seat.objects.filter(form__study__in=shown).order_by().values("form__study")
    slots = {row["form__study"]: row for row in seats.annotate(all=Count("pk"), filled=filled)}
    answered = Assignment.objects.filter(rater__study__in=shown, purpose=Purpose.MAIN).order_by()
    newest = dict(answered.values_list("rater__study").annotate(at=Max("submitted_at")))
    assigned = Case.objects.filter(adjudicator=user, study__in=shown, state__in=UNDECIDED).order_by()
    own_cases = dict(assigned.values_list("study").annotate(n=Count("pk")))
    return [
        StudyRow(
            study=study,
            role=roles[study.pk],
            items=items.get(study.pk, 0),
            raters=raters.get(study.pk, 0),
            filled=slots[study.pk]["filled"] if study.pk in slots else 0,
            slots=slots[study.pk]["all"] if study.pk in slots else 0,
            last_answer=newest.get(study.pk),
            waiting=waiting_work(study)
            if roles[study.pk] in TEAM
            else WaitingWork(0, own_cases.get(study.pk, 0), 0),
        )
        for study in studies
    ]
