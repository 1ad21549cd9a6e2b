"""Each version of a consent text is stored; who agreed to an older one is asked again before going on."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.states import StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import Agreement, Assignment, AuditEntry, ConsentText, Rater, Response, Study
from annotation.selectors.people.consent import agreed_text, raters_table, versions_of
from annotation.services.people.consent import agree_again, change_text, check_agreed
from annotation.services.rating.enrolment import consent, trial_rater
from annotation.services.rating.next_item import next_assignment, open_assignment
from annotation.services.rating.submission import submit
from annotation.services.rating.withdrawal import withdraw
from annotation.services.studies.lifecycle import change_state, edit_study
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=4, overlap=3)


def change(cast: Cast, text: str = "You agree, and more.") -> ConsentText:
    return change_text(study=cast.study, actor=cast.users["admin"], text=text)


def current(rater: Rater) -> Rater:
    return Rater.objects.select_related("study").get(pk=rater.pk)


def answer(page: Assignment) -> Response:
    submission = Submission(page_key=uuid.uuid4(), answers={"quality": "4", "creativity": "3"})
    return submit(assignment=page, version=page.version, submission=submission).response


def test_a_draft_has_no_version_and_opening_keeps_the_first():
    draft = make_cast(opened=False)
    edit_study(study=draft.study, actor=draft.users["owner"], consent="First.")
    edit_study(study=draft.study, actor=draft.users["owner"], consent="Second.")
    assert not draft.study.consent_texts.exists()
    study = change_state(study=draft.study, to=StudyState.OPEN, actor=draft.users["owner"])
    assert list(study.consent_texts.values_list("number", "text")) == [(1, "Second.")]
    for to in (StudyState.PAUSED, StudyState.OPEN):
        study = change_state(study=study, to=to, actor=draft.users["owner"])
    assert study.consent_texts.count() == 1


def test_a_rater_agrees_to_the_version_in_force_at_a_time(cast):
    before = timezone.now()
    rater = consent(invitation=cast.invitation)
    agreement = rater.agreements.get()
    assert (agreement.text.number, agreement.text.text) == (1, "You agree.")
    assert before <= agreement.agreed_at <= timezone.now()
    assert agreement.agreed_at == rater.consented_at
    change(cast)
    later = consent(invitation=cast.invitation)
    assert later.agreements.get().text.number == later.consent_number == 2


def test_a_version_is_never_changed_and_the_same_text_makes_none(cast):
    made = change(cast)
    assert change(cast, " You agree, and more. ") == made
    assert list(cast.study.consent_texts.values_list("number", "text")) == [
        (1, "You agree."),
        (2, "You agree, and more."),
    ]
    assert Study.objects.get(pk=cast.study.pk).consent == "You agree, and more."
    logged = AuditEntry.objects.filter(act="change_consent").latest("pk")
    assert (logged.actor, logged.detail) == (cast.users["admin"], {"version": 2})


def test_another_end_of_the_lines_is_no_other_text(cast):
    made = change(cast, "One line.\nAnother.")
    assert change(cast, "One line.\r\nAnother.\r\n") == made
    assert AuditEntry.objects.filter(act="change_consent").count() == 1


def test_who_agreed_to_an_older_version_gets_no_item_until_they_agree_again(cast):
    rater = consent(invitation=cast.invitation)
    answer(open_assignment(assignment=next_assignment(rater=rater)))
    change(cast)
    with pytest.raises(NotAllowedNow) as asked:
        next_assignment(rater=rater)
    assert asked.value.code == "consent_changed"
    first = rater.agreements.get().agreed_at
    agree_again(rater=rater, number=2)
    assert next_assignment(rater=rater).submitted_at is None
    assert list(rater.agreements.values_list("text__number", flat=True)) == [1, 2]
    assert rater.agreements.get(text__number=1).agreed_at == current(rater).consented_at == first


def test_agreeing_to_a_text_that_was_replaced_meanwhile_is_asked_again(cast):
    rater = consent(invitation=cast.invitation)
    change(cast)
    change(cast, "A third text.")
    agree_again(rater=rater, number=2)
    with pytest.raises(NotAllowedNow):
        next_assignment(rater=rater)
    newcomer = consent(invitation=cast.invitation, version=2)
    with pytest.raises(NotAllowedNow):
        next_assignment(rater=newcomer)
    assert newcomer.agreements.get().text.number == 2


@pytest.mark.parametrize("number", [0, 2])
def test_no_rater_agrees_to_a_version_that_does_not_exist(cast, number):
    joined = Rater.objects.count()
    with pytest.raises(InvalidContent):
        consent(invitation=cast.invitation, version=number)
    assert Rater.objects.count() == joined
    with pytest.raises(InvalidContent):
        agree_again(rater=consent(invitation=cast.invitation), number=number)


def test_what_was_begun_under_the_older_text_is_still_taken_and_nothing_after(cast):
    rater = consent(invitation=cast.invitation)
    page = open_assignment(assignment=next_assignment(rater=rater))
    change(cast)
    Assignment.objects.filter(pk=page.pk).update(opened_at=timezone.now())
    page.refresh_from_db()
    with pytest.raises(NotAllowedNow) as refused:
        answer(page)
    assert refused.value.code == "consent_changed"
    Assignment.objects.filter(pk=page.pk).update(opened_at=timezone.now() - timedelta(minutes=1))
    assert answer(page).revision == 1


def test_trials_and_closed_studies_do_not_ask_for_consent(cast):
    rater, tester = (
        consent(invitation=cast.invitation),
        trial_rater(study=cast.study, user=cast.users["owner"]),
    )
    change(cast)
    check_agreed(current(tester))
    with pytest.raises(NotAllowedNow):
        check_agreed(current(rater))
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    check_agreed(current(rater))


def test_a_text_is_changed_in_an_open_or_paused_study_only(cast):
    draft = make_cast(slug="draft", opened=False)
    with pytest.raises(NotAllowedNow) as refused:
        change(draft)
    assert refused.value.code == "study_draft"
    change_state(study=cast.study, to=StudyState.PAUSED, actor=cast.users["owner"])
    assert change(cast).number == 2
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    with pytest.raises(NotAllowedNow):
        change(cast, "Too late.")


@pytest.mark.parametrize("text", ["", "  \n", "x" * 20_001])
def test_an_empty_or_endless_text_is_refused(cast, text):
    with pytest.raises(InvalidContent) as refused:
        change(cast, text)
    assert refused.value.code == "bad_consent_text"
    assert cast.study.consent_texts.count() == 1


def test_who_withdraws_may_read_what_they_agreed_to_and_agrees_to_nothing_more(cast):
    rater = consent(invitation=cast.invitation)
    change(cast)
    withdraw(rater=rater)
    assert agreed_text(current(rater)) == "You agree."
    with pytest.raises(NotAllowedNow):
        agree_again(rater=rater, number=2)
    assert Agreement.objects.filter(rater=rater).count() == 1


def test_the_versions_say_how_many_agreed_to_each_last(cast):
    first, _ = consent(invitation=cast.invitation), consent(invitation=cast.invitation)
    change(cast)
    agree_again(rater=first, number=2)
    # The cast has a rater of its own, who agreed to version 1.
    assert [(one.number, one.n_raters) for one in versions_of(cast.study)] == [(2, 1), (1, 2)]


def test_the_file_of_raters_has_the_version_and_its_time(cast):
    rater = consent(invitation=cast.invitation)
    change(cast)
    agree_again(rater=rater, number=2)
    columns, rows = raters_table(cast.study)
    found = {row["rater"]: row for row in rows}
    latest = Agreement.objects.get(rater=rater, text__number=2)
    assert found[rater.code]["consent_version"] == 2
    assert found[rater.code]["consented_at"] == latest.agreed_at.isoformat()
    assert found["R-001"]["consent_version"] == 1
    assert all(set(row) == set(columns) for row in found.values())
