"""`verify` names nothing in what the product itself does with a study, from its opening to its erasure."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from annotation.domain.base.states import SeatState, StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Invitation, Job, Rater, Response, Seat, Study, Withdrawal
from annotation.selectors.base.archives import archive_path
from annotation.selectors.people.retention import PERIODS
from annotation.services.adjudication.decisions import comment, write
from annotation.services.adjudication.queue import withdraw_case
from annotation.services.base.jobs import claim
from annotation.services.base.key_rotation import reseal_secrets
from annotation.services.people.retention import erase_expired, set_retention
from annotation.services.quality.exclusions import (
    exclude_items,
    exclude_rater,
    exclude_response,
    lift_exclusion,
)
from annotation.services.quality.replacements import collect_replacement
from annotation.services.rating.enrolment import consent
from annotation.services.rating.erasure import erase_rater
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.rating.withdrawal import withdraw
from annotation.services.seats.more_ratings import raise_overlap
from annotation.services.studies.lifecycle import change_state
from scoring.services.reports.bundles import MOST_STORED, make_bundle, request_bundle
from scoring.services.reports.verification import verify
from tests.concurrency.simultaneous import rate_everything
from tests.support.people import Cast, make_cast
from tests.support.studies.adjudication_study import look_for, make_case_study, owner_of, sent
from tests.support.studies.staged_study import answer, first_stage, keys, staged_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=2)


def bundle(study: Study) -> Job:
    lease = claim(job_id=request_bundle(study=study, actor=None).pk)
    assert lease is not None
    make_bundle(lease=lease)
    return lease.job


def rated(cast: Cast) -> Rater:
    rater = consent(invitation=cast.invitation)
    assert rate_everything(rater)
    return rater


def more_wanted(cast: Cast, to: int) -> None:
    raise_overlap(form=cast.study.forms.get(), items=cast.study.items.all(), to=to, actor=cast.users["owner"])


def test_replacing_what_was_excluded_and_letting_it_count_again_breaks_no_rule(cast: Cast) -> None:
    owner = cast.users["owner"]
    first, _ = rated(cast), rated(cast)
    assert verify() == []
    exclusion = exclude_rater(rater=first, reason="a bot", actor=owner)
    assert verify() == []
    collect_replacement(exclusion=exclusion, actor=owner)
    assert verify() == []
    third = rated(cast)
    assert verify() == []
    lift_exclusion(exclusion=exclusion, reason="A slip.", actor=owner)
    # Now three answers count where two were asked for: that is what was decided.
    assert verify() == []
    response = Response.objects.filter(assignment__rater=third).latest("pk")
    single = exclude_response(response=response, reason="slipped", actor=owner)
    collect_replacement(exclusion=single, actor=owner)
    exclude_items(study=cast.study, keys=["L01"], reason="garbled", actor=owner)
    assert verify() == []
    lift_exclusion(exclusion=single, reason="A slip.", actor=owner)
    assert verify() == []


def test_a_slot_that_ran_out_and_its_late_answer_break_no_rule(cast: Cast) -> None:
    slow = consent(invitation=cast.invitation)
    page = next_assignment(rater=slow)
    assert verify() == []
    Seat.objects.filter(assignments=page).update(until=timezone.now() - timedelta(hours=1))
    assert verify() == []
    rated(cast)
    rated(cast)
    assert Seat.objects.filter(state=SeatState.FILLED).count() == 6
    late = Submission(page_key=uuid.uuid4(), answers={"quality": "1", "creativity": "2"})
    assert submit(assignment=page, version=page.version, submission=late).response.late
    assert verify() == []
    more_wanted(cast, 3)
    change_state(study=cast.study, to=StudyState.PAUSED, actor=None)
    assert verify() == []
    change_state(study=cast.study, to=StudyState.OPEN, actor=None)
    rated(cast)
    assert verify() == []


@pytest.mark.parametrize("policy", Withdrawal.values)
def test_leaving_a_study_breaks_no_rule_whatever_becomes_of_the_answers(
    cast: Cast, policy: str, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal=policy)
    rater = rated(cast)
    made = bundle(cast.study)
    with django_capture_on_commit_callbacks(execute=True):
        withdraw(rater=rater)
    assert archive_path(made).is_file() is (policy != Withdrawal.ERASE)
    assert verify() == []
    rated(cast)
    assert verify() == []


def test_an_erasure_that_an_owner_asks_for_deletes_bundles_and_breaks_no_rule(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    rater = rated(cast)
    made = [bundle(cast.study) for _ in range(MOST_STORED + 1)]
    assert verify() == []
    archive_path(made[-1]).rename(archive_path(made[-1]).with_suffix(".away"))
    assert [breach.code for breach in verify()] == ["file_missing"]
    archive_path(made[-1]).with_suffix(".away").rename(archive_path(made[-1]))
    with django_capture_on_commit_callbacks(execute=True):
        erase_rater(rater=rater, actor=cast.users["owner"])
    assert not any(archive_path(job).exists() for job in made)
    assert verify() == []
    later = bundle(cast.study)
    assert verify() == []
    archive_path(later).unlink()
    assert [(breach.code, breach.row) for breach in verify()] == [
        ("file_missing", f"annotation_job {later.pk}")
    ]


def test_what_expires_after_closing_and_every_step_of_a_new_key_break_no_rule(
    cast: Cast, settings: Any
) -> None:
    owner = cast.users["owner"]
    rated(cast)
    bundle(cast.study)
    set_retention(study=cast.study, actor=owner, periods=dict.fromkeys(PERIODS, 0))
    study = change_state(study=cast.study, to=StudyState.CLOSED, actor=owner)
    assert verify() == []
    assert erase_expired(study=study, now=timezone.now() + timedelta(days=1))
    assert verify() == []
    before = settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new key of this installation", [before]
    assert verify() == []
    assert any(counted.renewed for counted in reseal_secrets())
    assert verify() == []
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a key that opens nothing", []
    assert verify() == []


def test_what_comes_to_a_next_stage_and_is_taken_back_breaks_no_rule() -> None:
    cast = staged_cast(items=3)
    study, owner = cast.study, cast.users["owner"]
    link = Invitation.objects.get(pk=cast.invitation.pk)
    people = [consent(invitation=link) for _ in range(4)]
    for rater in people[:2]:
        first_stage(rater, dict.fromkeys(keys(study), "yes"))
        assert verify() == []
    given = [next_assignment(rater=rater) for rater in people[2:4]]
    answer(given[0], {"quality": "3", "creativity": "4"})
    assert verify() == []
    exclusion = exclude_rater(rater=people[0], reason="a bot", actor=owner)
    assert Seat.objects.filter(form=given[0].form).count() == 1
    assert verify() == []
    answer(given[1], {"quality": "3", "creativity": "4"})
    assert verify() == []
    lift_exclusion(exclusion=exclusion, reason="A slip.", actor=owner)
    assert verify() == []
    assert Assignment.objects.filter(seat=None).count() == 1


def test_a_decided_case_that_comes_into_dispute_again_breaks_no_rule() -> None:
    study = make_case_study()
    owner = owner_of(study)
    look_for(study, "all_differ", "quality")
    case = study.cases.get(item__key="I-0")
    comment(case=case, text="What is it?", actor=owner)
    assert verify() == []
    version = case.form.versions.get()
    write(case=case, version=version, sent=sent({"quality": "2"}), actor=owner)
    assert verify() == []
    look_for(study, "all_differ", "genuine")
    case.refresh_from_db()
    assert case.state == "discussed"
    assert verify() == []
    withdraw_case(case=case, reason="a doublet", actor=owner)
    assert verify() == []
