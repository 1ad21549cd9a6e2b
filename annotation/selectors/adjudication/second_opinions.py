"""Second opinions on cases: who is asked, what each member sees of the decisions, how often they agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from annotation.domain.adjudication.differences import CaseState
from annotation.models import Case, FinalAnswer, Study, User, Verdict
from annotation.selectors.adjudication.case_page import Answered, verdicts_of
from annotation.selectors.adjudication.queue import cases_of

GIVEN = Exists(Verdict.objects.filter(case=OuterRef("pk"), second=True))


def reachable_cases(study: Study, adjudicator: User | None) -> QuerySet[Case]:
    """The cases that a member can open; an adjudicator only as first or second adjudicator of the case.

    Parameters
    ----------
    study, adjudicator
        A study, and an adjudicator; None for members who see all cases.
    """
    if adjudicator is None:
        return cases_of(study)
    return cases_of(study).filter(Q(adjudicator=adjudicator) | Q(second=adjudicator))


def opinions_to_give(study: Study, adjudicator: User) -> list[Case]:
    """Cases on which an adjudicator was asked for a second opinion and has not given it, in their order.

    Parameters
    ----------
    study, adjudicator
        A study, and one of its adjudicators.
    """
    asked = Case.objects.filter(~GIVEN, study=study, second=adjudicator).exclude(adjudicator=adjudicator)
    asked = asked.exclude(state=CaseState.WITHDRAWN)
    return list(asked.select_related("item").order_by("position", "pk"))


def opinions_given(study: Study, adjudicator: User) -> list[Case]:
    """Cases on which an adjudicator has given the second opinion, in their order.

    Parameters
    ----------
    study, adjudicator
        A study, and one of its adjudicators.
    """
    given = Case.objects.filter(GIVEN, study=study, second=adjudicator).exclude(adjudicator=adjudicator)
    return list(given.select_related("item").order_by("position", "pk"))


def is_second(case: Case, user: User) -> bool:
    """Whether a member decides a case as its second adjudicator.

    Parameters
    ----------
    case, user
        A case, and a member of its study.
    """
    return case.second_id == user.pk and case.adjudicator_id != user.pk


@dataclass(frozen=True)
class Decisions:
    """The decisions on a case that a member sees, each list with the newest first.

    Parameters
    ----------
    final
        Decisions of the first adjudicator, or of admins and owners; the newest has the final answer.
    second
        Second opinions.
    own
        Decisions that the member's next decision follows.
    is_blind
        The member is asked for a second opinion and sees nothing of the others before it is given.
    opinion_given
        There is a second opinion, seen or not.
    """

    final: Sequence[Verdict]
    second: Sequence[Verdict]
    own: Sequence[Verdict]
    is_blind: bool
    opinion_given: bool


def decisions_for(case: Case, user: User, *, is_adjudicator: bool) -> Decisions:
    """What a member sees of the decisions: neither adjudicator sees the other's before they have decided.

    Parameters
    ----------
    case, user
        A case, and a member of its study.
    is_adjudicator : bool
        Whether the member has that role. Others see all decisions.
    """
    found = list(verdicts_of(case))
    final, second = ([one for one in found if one.second is kind] for kind in (False, True))
    if is_second(case, user):
        return Decisions(final if second else (), second, second, not second, bool(second))
    seen = second if final or not is_adjudicator else ()
    return Decisions(final, seen, final, is_blind=False, opinion_given=bool(second))


@dataclass(frozen=True)
class ComparedAnswer:
    """The answers of two decisions to one criterion in words; empty where one of them has none."""

    name: str
    final: str
    second: str

    @property
    def differs(self) -> bool:
        return self.final != self.second


def compared_rows(
    final: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]
) -> list[ComparedAnswer]:
    """Two decisions side by side, criterion by criterion.

    Parameters
    ----------
    final, second
        From `verdict_rows`.
    """
    here, there = ({row["answer"].key: row["answer"] for row in rows} for rows in (final, second))
    return [
        ComparedAnswer(
            name=answer.name,
            final=_with_label(here.get(key)),
            second=_with_label(there.get(key)),
        )
        for key, answer in {**there, **here}.items()
    ]


def _with_label(answer: Answered | None) -> str:
    return "" if answer is None else f"{answer.words} {answer.label}".rstrip()


@dataclass(frozen=True)
class OpinionSummary:
    """Numbers of cases with a second adjudicator and with both decisions, and of criteria answered alike."""

    asked: int
    given: int
    criteria: int
    alike: int


def opinion_summary(study: Study) -> OpinionSummary:
    """How often second opinions agree with first decisions, over the criteria that both answered.

    Both count as they were before either adjudicator could see the other's: what was decided again counts no
    more here.

    Parameters
    ----------
    study : Study
        The study of the cases.
    """
    answers = FinalAnswer.objects.select_related("criterion")
    verdicts = Verdict.objects.order_by("revision").prefetch_related(Prefetch("answers", answers))
    asked = Case.objects.filter(Q(second__isnull=False) | GIVEN, study=study)
    cases = list(asked.prefetch_related(Prefetch("verdicts", verdicts)))
    given = criteria = alike = 0
    for case in cases:
        independent = _independent(case.verdicts.all())
        if independent is None:
            continue
        given += 1
        here, there = ({one.criterion.key: str(one) for one in by.answers.all()} for by in independent)
        criteria += len(here.keys() & there.keys())
        alike += len(here.items() & there.items())
    return OpinionSummary(len(cases), given, criteria, alike)


def _independent(verdicts: Iterable[Verdict]) -> tuple[Verdict, Verdict] | None:
    """The first decision and the second opinion, in order of revisions, before either could be seen."""
    first: Verdict | None = None
    second: Verdict | None = None
    for one in verdicts:
        if one.second:
            second = second or one
        elif second is None or first is None:
            first = one
    return None if first is None or second is None else (first, second)
