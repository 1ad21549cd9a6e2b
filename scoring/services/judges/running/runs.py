"""Runs of judges: calls are planned as rows, marked before they are sent, and stored with their answers."""

from __future__ import annotations

import time
from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import GroundworkError, LeaseLost, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.models import Item, Job, Study, User
from annotation.services.base import audit
from annotation.services.base.jobs import Lease, enqueue
from scoring.backends.judges.chat import TryAgain
from scoring.judging.budget import Budget
from scoring.judging.pace import Pace, PaceRules
from scoring.models import Judge, JudgeCall
from scoring.services.judges.running.asking import WAYS_THAT_RUN, Asker, ChatAsker, asker_of
from scoring.services.judges.running.permission import check_allowed
from scoring.services.judges.running.planning import (
    Counts,
    key_of,
    plan_calls,
    return_to_plan,
    use_current_template,
)
from scoring.services.judges.running.prompts import AskedForm, stored_form
from scoring.services.judges.running.settings import CHAT
from scoring.services.judges.running.storing import Called, find_reusable_answer, store_called

KIND = "judge"
STEP = message("Judging items")
# After so many calls in a row without an answer, the endpoint is considered unavailable.
MOST_IN_A_ROW = 3
SLICE = 0.5
NO_LIMIT = PaceRules(per_minute=1_000_000)


def request_run(*, judge: Judge, actor: User | None, announce: bool = True) -> Job:
    """Ask workers for the answers of a judge that are still missing.

    Parameters
    ----------
    judge : Judge
        Judge of the way `chat` or `model`.
    actor : User or None
        Who asks; None on the command line.
    announce : bool
        Whether workers are notified; False where the caller does the job.

    Raises
    ------
    NotAllowedNow
        `judge_without_model`: the answers of the judge came from a file or a metric; `texts_may_not_leave`;
        `other_prompt_template`: its answers so far are to prompts with other words.
    """
    if judge.way not in WAYS_THAT_RUN:
        raise NotAllowedNow(
            message("The answers of this judge were imported. It has no model to run."),
            code="judge_without_model",
        )
    if judge.way == CHAT:
        check_allowed(judge)
    params = {"judge": judge.pk}
    with transaction.atomic():
        # A deletion of items and a change of the model, refused while a run is queued, hold these rows.
        Study.objects.select_for_update(no_key=True).get(pk=judge.study_id)
        use_current_template(judge)
        return enqueue(kind=KIND, study=judge.study, params=params, created_by=actor, announce=announce)


def resume_run(*, job: Job, actor: User | None) -> Job:
    """Continue a run that was paused, cancelled or failed; what was answered is not asked again.

    Parameters
    ----------
    job : Job
        Job of kind `judge`.
    actor : User or None
        Who asks.

    Raises
    ------
    NotAllowedNow
        `judge_deleted`, or as `request_run`.
    """
    return request_run(judge=_judge_of(job), actor=actor)


def run_judge(*, lease: Lease) -> None:
    """Make the calls of a judge that have no answer, one after the other.

    Calls that an interrupted run left as sent are made again, and counted as repeated.

    Parameters
    ----------
    lease : Lease
        Lease of a job from `request_run`.

    Raises
    ------
    GroundworkError
        `judge_budget_spent`, `judge_rate_limited`, `judge_gives_no_answers`, `texts_may_not_leave`,
        `other_prompt_template`, or what the endpoint or the checkpoint is refused for. What was answered
        stays.
    LeaseLost
        Another worker has taken the job over, or it was cancelled.
    """
    judge = _judge_of(lease.job)
    use_current_template(judge)
    form = stored_form(judge.study, judge.settings["criteria"])
    asker = asker_of(judge, form)
    return_to_plan(judge, asker.highest_cost)
    plan_calls(judge, asker, lease)
    _Run(judge, form, asker, lease).work()


def _judge_of(job: Job, *, locked: bool = False) -> Judge:
    judges = Judge.objects.select_related("study").filter(pk=job.params["judge"])
    judge = (judges.select_for_update(of=("self",)) if locked else judges).first()
    if judge is None:
        raise NotAllowedNow(message("The judge was deleted."), code="judge_deleted")
    return judge


class _Run:
    """One worker's run of a judge."""

    def __init__(self, judge: Judge, form: AskedForm, asker: Asker, lease: Lease) -> None:
        self.judge, self.form, self.asker, self.lease = judge, form, asker, lease
        rules, seed, self.budget = NO_LIMIT, 0, Budget(None)
        if isinstance(asker, ChatAsker):
            rules, seed = asker.asked.rules, asker.asked.seed
            self.budget = Budget(asker.asked.most_spent, Counts.of(judge).spent)
        self.pace = Pace(rules, seed)
        self._continue_pace()
        calls = JudgeCall.objects.filter(judge=judge)
        self.total = calls.count()
        self.done = calls.filter(state="answered").count()
        self.silent = 0

    def work(self) -> None:
        """Make all calls, and end the job."""
        self.lease.beat(self.done, self.total, STEP)
        planned = JudgeCall.objects.filter(judge=self.judge, state="planned").order_by("pk")
        for call in list(planned):
            item = Item.everything.get(pk=call.item_id)
            if self._answered(call, item):
                self.done += 1
                self.silent = 0
            else:
                self._note_silence()
            self.lease.beat(self.done, self.total, STEP)
        self.lease.complete(self._finish)

    def _answered(self, call: JudgeCall, item: Item) -> bool:
        """Whether the call has an answer in the end."""
        # The item may have been changed since the call was planned.
        call.key = key_of(self.asker, item, call.sample)
        known = find_reusable_answer(self.judge, call, self.form)
        if known is not None:
            self._store(call, known)
            return True
        failures = 0
        while True:
            highest = self.asker.highest_cost(item)
            self._refuse_above_budget(highest)
            self._wait(self.pace.wait_before(time.monotonic()))
            self._mark_sent(call)
            try:
                called = self.asker.ask(item, call, self._check_held)
            except TryAgain as fault:
                failures += 1
                wait = self.pace.wait_after(failures, fault.asked)
                self._note_failure(call, fault, highest, again=wait is not None)
                if wait is None:
                    self._refuse_limited(fault)
                    return False
                self._wait(wait)
            except GroundworkError:
                self._return(call)
                raise
            else:
                self._store(call, called)
                return True

    def _mark_sent(self, call: JudgeCall) -> None:
        """Store that the call is sent, in a transaction of its own: a killed run leaves it so."""
        self.pace.note_call(time.monotonic())
        call.attempts += 1
        with transaction.atomic():
            self.lease.renew()
            self.asker.check(_judge_of(self.lease.job))
            JudgeCall.objects.filter(pk=call.pk).update(
                state="sent", sent_at=timezone.now(), attempts=call.attempts, key=call.key
            )

    def _check_held(self) -> None:
        """Check the lease: a worker that was suspended must not send after another has taken over."""
        if not self.lease.hold():
            raise LeaseLost(f"Job {self.lease.job.pk} is no longer held by this worker.")

    def _store(self, call: JudgeCall, called: Called) -> None:
        with transaction.atomic():
            self.lease.renew()
            _judge_of(self.lease.job, locked=True)
            store_called(self.judge, call, self.form, called)
            Counts.add(self.judge, spent=called.cost)
        self.budget.add(called.cost)

    def _note_failure(self, call: JudgeCall, fault: TryAgain, highest: Decimal, *, again: bool) -> None:
        cost = highest if fault.was_begun else Decimal(0)
        with transaction.atomic():
            self.lease.renew()
            JudgeCall.objects.filter(pk=call.pk).update(
                state="planned" if again or fault.code == "rate_limited" else "failed", error=fault.code
            )
            Counts.add(self.judge, spent=cost, failures=1)
        self.budget.add(cost)

    def _return(self, call: JudgeCall) -> None:
        JudgeCall.objects.filter(pk=call.pk, state="sent").update(state="planned")

    def _refuse_above_budget(self, highest: Decimal) -> None:
        if not self.budget.allows(highest):
            raise NotAllowedNow(
                message(
                    "The budget of %(most)s does not cover another call: %(spent)s may have been spent for "
                    "%(done)d of %(total)d calls. Raise the budget, then resume.",
                    most=str(self.budget.most),
                    spent=str(self.budget.spent),
                    done=self.done,
                    total=self.total,
                ),
                code="judge_budget_spent",
            )

    def _refuse_limited(self, fault: TryAgain) -> None:
        if fault.code == "rate_limited":
            raise NotAllowedNow(
                message("The endpoint takes no more calls now. Resume later, or lower the calls per minute."),
                code="judge_rate_limited",
            )

    def _note_silence(self) -> None:
        self.silent += 1
        if self.silent >= MOST_IN_A_ROW:
            raise NotAllowedNow(
                message(
                    "The endpoint gave no answer to %(n)d items in a row. Check it, then resume.",
                    n=self.silent,
                ),
                code="judge_gives_no_answers",
            )

    def _wait(self, seconds: float) -> None:
        """Sleep, but notice within half a second that the job was cancelled."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.lease.beat(self.done, self.total, STEP)
            time.sleep(min(left, SLICE))

    def _continue_pace(self) -> None:
        """Continue the pace: calls of the last minute count, also those of an earlier run."""
        now, clock = timezone.now(), time.monotonic()
        sent = JudgeCall.objects.filter(judge=self.judge, sent_at__isnull=False).order_by("sent_at")
        for at in sent.values_list("sent_at", flat=True):
            if at is not None and (age := (now - at).total_seconds()) < 60:
                self.pace.note_call(clock - max(0.0, age))

    def _finish(self) -> None:
        counts = Counts.of(Judge.objects.get(pk=self.judge.pk))
        calls = JudgeCall.objects.filter(judge=self.judge)
        audit.record(
            study=self.judge.study,
            actor=self.lease.job.created_by,
            act="run_judge",
            name=self.judge.name,
            answered=calls.filter(state="answered").count(),
            failed=calls.filter(state="failed").count(),
            repeated=counts.repeated,
            spent=str(counts.spent),
        )
