"""What waits for the members of a study: reported problems, cases, trial annotations."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import ngettext

from annotation.domain.adjudication.differences import CaseState
from annotation.domain.base.states import ProblemReason, RaterState
from annotation.models import Case, ProblemReport, QualificationAttempt, Study


@dataclass(frozen=True)
class WaitingWork:
    """How many of each wait.

    Parameters
    ----------
    problems : int
        Reports of raters about items that nobody has resolved, comments left out.
    cases : int
        Cases of adjudication without a final answer.
    trials : int
        Complete trial annotations whose raters wait for a decision.
    """

    problems: int
    cases: int
    trials: int

    def in_words(self) -> list[str]:
        """What there is of each."""
        return [in_words(what, n) for what, n in asdict(self).items() if n]


def with_waiting_work(studies: QuerySet[Study]) -> QuerySet[Study]:
    """Annotate studies with what waits, for `waiting_work`."""
    problems = ProblemReport.objects.filter(
        assignment__item__study=OuterRef("pk"), resolved_at__isnull=True
    ).exclude(reason=ProblemReason.COMMENT)
    cases = Case.objects.filter(study=OuterRef("pk"), state=CaseState.OPEN)
    trials = QualificationAttempt.objects.filter(
        rater__study=OuterRef("pk"),
        rater__state=RaterState.QUALIFYING,
        finished_at__isnull=False,
        passed__isnull=True,
    )
    return studies.annotate(
        waiting_problems=_number(problems, "assignment__item__study"),
        waiting_cases=_number(cases, "study"),
        waiting_trials=_number(trials, "rater__study"),
    )


def work_in(study: Study) -> WaitingWork:
    """What waits in a study."""
    return waiting_work(with_waiting_work(Study.objects.filter(pk=study.pk)).only("pk").get())


def waiting_work(study: Study) -> WaitingWork:
    """What waits in a study that `with_waiting_work` annotated."""
    counted: Any = study
    return WaitingWork(counted.waiting_problems, counted.waiting_cases, counted.waiting_trials)


def in_words(what: str, n: int) -> str:
    """How much of a field of `WaitingWork` waits, as a label."""
    words = {
        "problems": ngettext("%(n)d reported problem", "%(n)d reported problems", n),
        "cases": ngettext("%(n)d case to decide", "%(n)d cases to decide", n),
        "trials": ngettext(
            "%(n)d trial annotation to approve or decline", "%(n)d trial annotations to approve or decline", n
        ),
    }
    return words[what] % {"n": n}


def _number(rows: QuerySet[Any], study: str) -> Coalesce:
    """How many rows there are of each study, counted within the query of studies."""
    return Coalesce(Subquery(rows.order_by().values(study).annotate(n=Count("pk")).values("n")), 0)
