"""How far a judge that answers by a model has come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, Sum

from annotation.models import Job
from scoring.models import Judge, JudgeCall, Judgement

# Kind of the jobs that run judges.
RUN = "judge"
REFUSED = "refused"
PRICES = ("price_read", "price_written")
# Reasons why a text was no answer, other than a refusal.
NOT_READ = frozenset(
    (
        *("cut_off", "malformed", "empty_answer", "answered_twice"),
        *("criterion_missing", "not_a_value", "out_of_scale"),
    )
)


@dataclass(frozen=True)
class RunState:
    """Numbers of calls and answers of all runs of a judge.

    Parameters
    ----------
    n_items, planned
        Items of the study, and the calls that it takes to ask about all of them, as of now.
    asked
        Calls that were made, with or without an answer.
    answered
        Calls with an answer, whatever it says.
    failed
        Calls that were given up; a further run makes them again.
    answers
        Answers to single criteria that can be used.
    without
        By reason: criteria of answered calls for which there is no value.
    tokens_in, tokens_out
        Sums of what the endpoint counted.
    spent, is_priced
        Cost at most, and whether it is known: without prices of tokens it is 0.
    failures, repeated
        Tries without an answer; calls that were made again after a run was killed.
    job
        The newest run.
    """

    n_items: int
    planned: int
    asked: int
    answered: int
    failed: int
    answers: int
    without: Mapping[str, int]
    tokens_in: int
    tokens_out: int
    spent: str
    is_priced: bool
    failures: int
    repeated: int
    job: Job | None

    @property
    def refused(self) -> int:
        """Criteria that the model declined to answer."""
        return self.without.get(REFUSED, 0)

    @property
    def not_read(self) -> int:
        """Criteria of answers that cannot be read."""
        return sum(n for reason, n in self.without.items() if reason in NOT_READ)

    @property
    def missing_otherwise(self) -> int:
        """Criteria without a value that the model neither refused nor answered unreadably."""
        return sum(self.without.values()) - self.refused - self.not_read

    @property
    def is_complete(self) -> bool:
        """Whether every call has its answer."""
        return self.answered == self.planned

    @property
    def is_running(self) -> bool:
        """Whether a run has not ended."""
        return self.job is not None and not self.job.ended


def run_state(judge: Judge) -> RunState:
    """Count calls and answers of a judge.

    Parameters
    ----------
    judge : Judge
        Judge that answers by a model.
    """
    calls = JudgeCall.objects.filter(judge=judge).aggregate(
        asked=Count("pk", filter=Q(attempts__gt=0) | Q(state="answered")),
        answered=Count("pk", filter=Q(state="answered")),
        failed=Count("pk", filter=Q(state="failed")),
    )
    own = Judgement.objects.filter(judge=judge).order_by()
    totals = own.aggregate(tokens_in=Sum("tokens_in"), tokens_out=Sum("tokens_out"))
    by_reason = dict(own.values_list("reason").annotate(n=Count("pk")))
    counts: Mapping[str, Any] = judge.settings.get("counts", {})
    chat = judge.settings.get("chat", {})
    samples = chat.get("samples", 1)
    n_items = judge.study.items.count()
    return RunState(
        n_items=n_items,
        planned=samples * n_items,
        **calls,
        answers=by_reason.pop("", 0),
        without=dict(sorted(by_reason.items())),
        tokens_in=totals["tokens_in"] or 0,
        tokens_out=totals["tokens_out"] or 0,
        spent=counts.get("spent", "0"),
        is_priced=any(Decimal(chat.get(price, "0")) for price in PRICES),
        failures=counts.get("failures", 0),
        repeated=counts.get("repeated", 0),
        job=Job.objects.filter(study=judge.study_id, kind=RUN, params__judge=judge.pk)
        .order_by("-pk")
        .first(),
    )
