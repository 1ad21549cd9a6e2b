"""What a judge’s call gave, checked by the rules of the form and stored with the state of the call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from django.utils import timezone

from annotation.domain.base.limits import LONGEST_TEXT
from annotation.domain.base.text_validation import storable_text
from annotation.domain.questions.kinds.kind import Answer, Question
from annotation.models import Item
from annotation.models.questions.given_answer import answer_columns
from scoring.judging.answers import OUT_OF_SCALE, MalformedAnswer, read_answers
from scoring.models import Judge, JudgeCall, Judgement
from scoring.services.judges.running.prompts import AskedForm

NOT_ASKED = "not_asked"
ANSWERED = "answered"


@dataclass(frozen=True)
class Outcome:
    """What a call gave for one criterion: an answer, or the reason why there is none."""

    answer: Answer | None
    reason: str = ""
    probabilities: Mapping[str, float] | None = None


@dataclass(frozen=True)
class Called:
    """What a call gave.

    Parameters
    ----------
    outcomes
        By key of the criterion.
    raw
        What the model wrote; empty for probabilities. It is stored with U+FFFD for NUL and lone surrogates.
    tokens_in, tokens_out, milliseconds
        Numbers of the call; None where they were not counted.
    cost
        What it cost at most.
    """

    outcomes: Mapping[str, Outcome]
    raw: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    milliseconds: int | None = None
    cost: Decimal = field(default=Decimal(0))


def outcomes_of_text(text: str, form: AskedForm, item: Item) -> dict[str, Outcome]:
    """Read the answers of a model’s text by the rules of the form.

    Parameters
    ----------
    text : str
        What the model wrote.
    form : AskedForm
        The criteria.
    item : Item
        The item that was judged.

    Returns
    -------
    dict of str to Outcome
        One for each criterion.
    """
    try:
        asked = form.instrument(item)
        parsed = read_answers(text, asked.criteria, cannot_rate=asked.cannot_rate)
    except MalformedAnswer as fault:
        return outcomes_without_answer(form, fault.code)
    outcomes: dict[str, Outcome] = {}
    cells: dict[str, float | str] = {}
    for question in form.questions:
        if not question.is_asked(cells):
            outcomes[question.key] = Outcome(None, NOT_ASKED)
        elif question.key in parsed.reasons:
            outcomes[question.key] = Outcome(None, parsed.reasons[question.key])
        else:
            outcomes[question.key] = found = _checked(question, parsed.values[question.key], item)
            if found.answer is not None:
                cells[question.key] = question.kind.cell(found.answer)
    return outcomes


def outcomes_without_answer(form: AskedForm, reason: str) -> dict[str, Outcome]:
    """No answer to any criterion, for one reason.

    Parameters
    ----------
    form : AskedForm
        The criteria.
    reason : str
        Code of the reason.
    """
    return {criterion.key: Outcome(None, reason) for criterion in form.criteria}


def store_called(judge: Judge, call: JudgeCall, form: AskedForm, called: Called) -> None:
    """Store the answers of a call and that it was answered; called inside a transaction.

    Tokens and time are those of the call, and stored with the first of its criteria.

    Parameters
    ----------
    judge : Judge
        Judge of the call.
    call : JudgeCall
        Call that was answered.
    form : AskedForm
        The criteria.
    called : Called
        What it gave.
    """
    rows = []
    for place, criterion in enumerate(form.criteria):
        outcome = called.outcomes[criterion.key]
        rows.append(
            Judgement(
                judge=judge,
                item_id=call.item_id,
                sample=call.sample,
                reason=outcome.reason,
                raw=storable_text(called.raw)[:LONGEST_TEXT],
                probabilities=dict(outcome.probabilities) if outcome.probabilities else None,
                tokens_in=None if place else called.tokens_in,
                tokens_out=None if place else called.tokens_out,
                latency_ms=None if place else called.milliseconds,
                attempts=call.attempts,
                **answer_columns(criterion, outcome.answer or Answer()),
            )
        )
    Judgement.objects.bulk_create(rows)
    JudgeCall.objects.filter(pk=call.pk).update(state=ANSWERED, answered_at=timezone.now())


def find_reusable_answer(judge: Judge, call: JudgeCall, form: AskedForm) -> Called | None:
    """Find the answer that another judge of the study got to the same prompt.

    Model, settings and sample are the same, too.

    Parameters
    ----------
    judge : Judge
        Judge that needs the answer.
    call : JudgeCall
        Not sent yet.
    form : AskedForm
        The criteria.

    Returns
    -------
    Called or None
        Without tokens and cost, because no call is made. None if no such answer is stored.
    """
    same = JudgeCall.objects.filter(judge__study=judge.study_id, key=call.key, state=ANSWERED)
    found = same.exclude(judge=judge).order_by("pk").first()
    if found is None:
        return None
    rows = Judgement.objects.filter(judge=found.judge_id, item=call.item_id, sample=call.sample)
    known = {row.criterion_id: row for row in rows.select_related("criterion")}
    if any(criterion.pk not in known for criterion in form.criteria):
        return None
    outcomes = {
        criterion.key: Outcome(None if row.reason else row.given, row.reason, row.probabilities)
        for criterion in form.criteria
        for row in [known[criterion.pk]]
    }
    return Called(outcomes, raw=next(iter(known.values())).raw)


def _checked(question: Question, value: str, item: Item) -> Outcome:
    try:
        answer = question.kind.checked(question, value, item.fields)
    except ValueError:
        return Outcome(None, OUT_OF_SCALE)
    return Outcome(answer) if answer is not None else Outcome(None, OUT_OF_SCALE)
