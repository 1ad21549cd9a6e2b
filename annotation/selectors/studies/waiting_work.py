"""Work that waits for study members: reported problems, cases, trial annotations."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import ngettext

from annotation.domain.adjudication.differences import UNDECIDED
from annotation.domain.base.states import ProblemReason, RaterState
from annotation.models import Case, ProblemReport, QualificationAttempt, Study


@dataclass(frozen=True)
class WaitingWork:
    """The number of waiting tasks of each kind.

    Parameters
    ----------
    problems : int
        Unresolved problems that raters reported, without comments.
    cases : int
        Cases of adjudication without a final answer.
    trials : int
        Complete trial annotations whose raters wait for a decision.
    """

    problems: int
    cases: int
    trials: int

    def in_words(self) -> list[str]:
        """The label of each kind with waiting tasks."""
        return [in_words(what, n) for what, n in asdict(self).items() if n]


def with_waiting_work(studies: QuerySet[Study]) -> QuerySet[Study]:
    """Annotate studies with their waiting tasks, for `waiting_work`."""
    problems = ProblemReport.objects.filter(
        assignment__item__study=OuterRef("pk"), resolved_at__isnull=True
    ).exclude(reason=ProblemReason.COMMENT)
    cases = Case.objects.filter(study=OuterRef("pk"), state__in=UNDECIDED)
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
    """The waiting tasks of a study."""
    return waiting_work(with_waiting_work(Study.objects.filter(pk=study.pk)).only("pk").get())


def waiting_work(study: Study) -> WaitingWork:
    """The waiting tasks of a study that `with_waiting_work` annotated."""
    counted: Any = study
    return WaitingWork(counted.waiting_problems, counted.waiting_cases, counted.waiting_trials)


def in_words(what: str, n: int) -> str:
    """The label of a field of `WaitingWork` with its number."""
    words = {
        "problems": ngettext("%(n)d reported problem", "%(n)d reported problems", n),
        "cases": ngettext("%(n)d case to decide", "%(n)d cases to decide", n),
        "trials": ngettext("%(n)d trial annotation to review", "%(n)d trial annotations to review", n),
    }
    return words[what] % {"n": n}


def _number(rows: QuerySet[Any], study: str) -> Coalesce:
    """The number of rows of each study, counted within the query of studies."""
    return Coalesce(Subquery(rows.order_by().values(study).annotate(n=Count("pk")).values("n")), 0)
