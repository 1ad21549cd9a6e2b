"""Adjudicators at the same time: one decision is stored, and the others get an error."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from annotation.domain.base.errors import AnsweredElsewhere
from annotation.models import FinalAnswer, Rater, Response, Study, Verdict, Withdrawal
from annotation.services.adjudication.decisions import choose
from annotation.services.rating.withdrawal import withdraw
from scoring.services.reports.verification import verify
from tests.concurrency.simultaneous import at_once
from tests.support.studies.adjudication_study import cases_of, look_for, make_case_study, owner_of, sent

pytestmark = pytest.mark.django_db(transaction=True)


def outcome(act: Callable[[], object]) -> str:
    try:
        act()
    except AnsweredElsewhere as refusal:
        return refusal.code
    return "done"


def choosing(study: Study, rater: str) -> Callable[[], object]:
    case = cases_of(study)["I-0"]
    annotation = Response.objects.get(assignment__item=case.item, assignment__rater__code=rater)
    return partial(choose, case=case, annotation=annotation.pk, sent=sent(), actor=owner_of(study))


def test_of_three_decisions_at_once_one_is_stored_and_two_are_refused() -> None:
    study = make_case_study()
    look_for(study, "all_differ", "quality")
    acts = [partial(outcome, choosing(study, f"R-00{number}")) for number in (1, 2, 3)]
    assert sorted(at_once(acts)) == ["decided_elsewhere", "decided_elsewhere", "done"]
    verdict = Verdict.objects.get()
    assert (verdict.revision, verdict.answers.count()) == (1, 6)
    assert verify() == []


def test_a_rater_who_erases_their_answers_meanwhile_is_not_named() -> None:
    study = make_case_study()
    Study.objects.filter(pk=study.pk).update(on_withdrawal=Withdrawal.ERASE)
    look_for(study, "all_differ", "quality")
    rater = Rater.objects.get(study=study, code="R-002")
    outcomes = at_once(
        [partial(outcome, choosing(study, "R-002")), partial(outcome, partial(withdraw, rater=rater))]
    )
    assert outcomes[0] in {"done", "annotation_gone"}
    assert not FinalAnswer.objects.filter(chosen_from=rater).exists()
    assert verify() == []
