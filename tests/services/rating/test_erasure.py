"""An owner can hand over and erase what is held of one person; copies made before are named or deleted."""

from __future__ import annotations

import contextlib
import io
import json
import uuid

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.states import RaterState, SeatState, StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import AuditEntry, Exclusion, ExclusionRule, Job, Rater, Rating, Response, Seat
from annotation.selectors.base.archives import archive_path, part_path
from annotation.selectors.people.erasures import erasures_of
from annotation.selectors.rating.personal_data import personal_data
from annotation.services.quality.exclusions import (
    exclude_items,
    exclude_rater,
    exclude_response,
    lift_exclusion,
)
from annotation.services.rating.enrolment import consent, trial_rater
from annotation.services.rating.erasure import erase_rater
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
REMARK = "My grandmother in Porto says so"


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=1)


@pytest.fixture
def rater(cast: Cast) -> Rater:
    rater = consent(invitation=cast.invitation)
    for answer in ("4", "2"):
        page = next_assignment(rater=rater)
        answers = {"quality": answer, "creativity": "3"}
        submission = Submission(page_key=uuid.uuid4(), answers=answers, remark=REMARK)
        submit(assignment=page, version=page.version, submission=submission)
    return rater


def owner(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.users["owner"])
    return client


def browser_of(rater: Rater) -> Client:
    client = Client()
    session = client.session
    session["raters"] = {str(rater.study_id): rater.pk}
    session.save()
    return client


def test_what_is_handed_over_holds_every_answer_with_the_texts_that_were_shown(cast, rater):
    document = personal_data(rater, with_review=True)
    assert [one["ratings"]["Quality"] for one in document["responses"]] == [4, 2]
    assert {one["remark"] for one in document["responses"]} == {REMARK}
    shown = {text for one in document["responses"] for text in one["texts"].values()}
    rated = Response.objects.filter(assignment__rater=rater)
    fields = rated.values_list("assignment__item__fields", flat=True)
    assert shown
    assert shown <= {text for texts in fields for text in texts.values()}
    assert document["taking_part"]["agreed"][0]["text"] == cast.study.consent


def test_a_rater_at_work_is_not_shown_what_was_concluded_of_their_work(cast, rater):
    exclude_rater(rater=rater, reason="Too fast.", actor=cast.users["owner"])
    browser, address = browser_of(rater), reverse("rate-my-data", args=[cast.slug])
    assert "review" not in browser.get(address).json()
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    assert browser.get(address).json()["review"]["exclusions"][0]["reason"] == "Too fast."


def test_no_one_else_downloads_the_data_of_a_rater(cast, rater):
    other = consent(invitation=cast.invitation)
    address = reverse("rate-my-data", args=[cast.slug])
    assert browser_of(other).get(address).json()["rater"] == other.code != rater.code
    assert Client().get(address).status_code == 404


def test_erasing_leaves_no_answer_and_no_word_of_the_rater_and_frees_the_items(cast, rater):
    assert erase_rater(rater=rater, actor=cast.users["owner"]) == 2
    assert not Rating.objects.filter(response__assignment__rater=rater).exists()
    assert not Seat.objects.exclude(state=SeatState.FREE).exists()
    rater.refresh_from_db()
    assert (rater.state, rater.user, rater.join_key) == (RaterState.WITHDRAWN, None, None)
    assert REMARK not in json.dumps(personal_data(rater, with_review=True))


def test_erasing_does_not_depend_on_what_becomes_of_those_who_withdraw(cast, rater):
    assert cast.study.on_withdrawal == "keep"
    Rater.objects.filter(pk=rater.pk).update(state=RaterState.WITHDRAWN)
    assert erase_rater(rater=rater, actor=cast.users["owner"]) == 2


def test_a_study_that_is_closed_erases_too(cast, rater):
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    assert erase_rater(rater=rater, actor=cast.users["owner"]) == 2


def test_a_trial_is_nobodys_data(cast):
    trial = trial_rater(study=cast.study, user=cast.users["owner"])
    with pytest.raises(NotAllowedNow) as refusal:
        erase_rater(rater=trial, actor=cast.users["owner"])
    assert refusal.value.code == "no_person"


def test_bundles_made_before_are_deleted_from_the_disk(cast, rater, django_capture_on_commit_callbacks):
    job = Job.objects.create(study=cast.study, kind="bundle", params={}, state="done")
    archive_path(job).parent.mkdir(parents=True, exist_ok=True)
    archive_path(job).write_bytes(b"ratings")
    with django_capture_on_commit_callbacks(execute=True):
        erase_rater(rater=rater, actor=cast.users["owner"])
    assert not archive_path(job).exists()


def test_a_bundle_that_a_killed_worker_left_half_is_deleted_too_and_none_that_is_being_written(
    cast, rater, django_capture_on_commit_callbacks
):
    writing = Job.objects.create(
        study=cast.study, kind="bundle", params={}, state="running", lease=uuid.uuid4()
    )
    assert writing.lease is not None
    left, now = part_path(writing, uuid.uuid4()), part_path(writing, writing.lease)
    left.parent.mkdir(parents=True, exist_ok=True)
    for path in (left, now):
        path.write_bytes(b"ratings")
    with django_capture_on_commit_callbacks(execute=True):
        erase_rater(rater=rater, actor=cast.users["owner"])
    assert (left.exists(), now.exists()) == (False, True)


def test_nothing_is_erased_before_the_code_of_the_rater_is_typed(cast, rater):
    client, address = owner(cast), reverse("study-rater-erase", args=[cast.slug, rater.code])
    client.post(address, {"confirmed": "yes"})
    assert Response.objects.filter(assignment__rater=rater).count() == 2
    page = client.post(address, {"confirmed": rater.code}, follow=True)
    assert not Response.objects.filter(assignment__rater=rater).exists()
    assert "Backups created before" in " ".join(page.content.decode().split())


def test_handing_over_is_written_to_the_log_and_named_after_erasing(cast, rater):
    client = owner(cast)
    client.get(reverse("study-rater-file", args=[cast.slug, rater.code]))
    assert AuditEntry.objects.get(act="export_personal_data").detail == {"rater": rater.code}
    erase_rater(rater=rater, actor=cast.users["owner"])
    page = client.get(reverse("study-rater-data", args=[cast.slug, rater.code])).content.decode()
    assert "Rater’s data downloaded" in page


def test_a_second_erasure_moves_no_time_and_is_not_offered(cast, rater):
    """Backups made between the two hold no answers: the first time is the one that counts."""
    client, address = owner(cast), reverse("study-rater-data", args=[cast.slug, rater.code])
    assert "Erase data" in client.get(address).content.decode()
    erase_rater(rater=rater, actor=cast.users["owner"])
    (first,) = erasures_of(cast.study)
    exclude_rater(rater=rater, reason="Pat is my cousin", actor=cast.users["owner"])
    erase_rater(rater=rater, actor=cast.users["owner"])
    assert not Exclusion.objects.filter(reason__contains="Pat").exists()
    assert erasures_of(cast.study) == [first]
    assert "Erase data" not in client.get(address).content.decode()


def test_the_latest_erasure_is_listed_first(cast, rater):
    other = consent(invitation=cast.invitation)
    for one in (rater, other, rater):
        erase_rater(rater=one, actor=None)
    assert [one.rater for one in erasures_of(cast.study)] == [other.code, rater.code]


def test_the_page_of_an_erased_rater_names_downloads_and_says_which_copies_are_not_recorded(cast, rater):
    client = owner(cast)
    address = reverse("study-rater-data", args=[cast.slug, rater.code])
    client.get(reverse("study-download", args=[cast.slug, "tuple_parts"]))
    erase_rater(rater=rater, actor=cast.users["owner"])
    client.get(reverse("study-download", args=[cast.slug, "ratings"]))
    page = " ".join(client.get(address).content.decode().split())
    assert '<td> Data downloaded <span class="muted">tuple parts</span> </td>' in page
    assert "Data downloaded: ratings" not in page
    assert "It does not record exports on the command line, files with results or other API requests." in page


def test_what_was_erased_is_erased_again_after_an_older_backup_is_restored(cast, rater, tmp_path):
    listed = tmp_path / "erased.json"
    erase_rater(rater=rater, actor=None)
    call_command("personal_data", "erased", "--out", str(listed))
    assert [one["rater"] for one in json.loads(listed.read_text())] == [rater.code]
    # As an older backup brings it back.
    Rater.objects.filter(pk=rater.pk).update(user=cast.users["stranger"])
    call_command("personal_data", "repeat", str(listed))
    rater.refresh_from_db()
    assert rater.user is None
    assert AuditEntry.objects.filter(act="erase_rater", detail__rater=rater.code).count() == 2


def test_a_new_person_with_the_code_of_an_erased_one_is_not_erased(cast, rater, tmp_path):
    """The code is free again where the backup is older than the rater who was erased."""
    listed = tmp_path / "erased.json"
    erase_rater(rater=rater, actor=None)
    call_command("personal_data", "erased", "--out", str(listed))
    Rater.objects.filter(pk=rater.pk).update(
        state=RaterState.ACTIVE, user=cast.users["stranger"], created_at=timezone.now()
    )
    output = io.StringIO()
    call_command("personal_data", "repeat", str(listed), stdout=output)
    rater.refresh_from_db()
    assert (rater.state, rater.user) == (RaterState.ACTIVE, cast.users["stranger"])
    assert f"{rater.code} joined after that code was erased" in output.getvalue()


@pytest.mark.parametrize(("typed", "left"), [("", 2), ("R-999\n", 2), ("{code}\n", 0)])
def test_the_command_erases_when_the_code_was_typed(cast, rater, monkeypatch, typed, left):
    monkeypatch.setattr("sys.stdin", io.StringIO(typed.format(code=rater.code)))
    refused = pytest.raises(CommandError, match="not_confirmed") if left else contextlib.nullcontext()
    with refused:
        call_command("personal_data", "erase", cast.slug, rater.code, stdout=io.StringIO())
    assert Response.objects.filter(assignment__rater=rater).count() == left


def test_the_command_asks_nothing_with_no_input(cast, rater):
    call_command("personal_data", "erase", cast.slug, rater.code, "--no-input", stdout=io.StringIO())
    assert not Response.objects.filter(assignment__rater=rater).exists()


@pytest.mark.parametrize("at", [{}, {"at": "yesterday"}, {"at": "2026-01-01T00:00:00"}])
def test_a_list_without_usable_times_erases_no_one(cast, rater, tmp_path, at):
    listed = tmp_path / "erased.json"
    listed.write_text(json.dumps([{"study": cast.slug, "rater": rater.code, **at}]))
    with pytest.raises(CommandError, match="is not a list written by `personal_data erased`"):
        call_command("personal_data", "repeat", str(listed))
    assert Response.objects.filter(assignment__rater=rater).count() == 2


def test_what_members_wrote_about_the_rater_goes_from_the_log_and_of_others_it_stays(cast, rater):
    """Reasons are free words about a person; that there was an exclusion stays under the code."""
    owner, other = cast.users["owner"], consent(invitation=cast.invitation)
    answer = Response.objects.filter(assignment__rater=rater)[0]
    lift_exclusion(
        exclusion=exclude_response(response=answer, reason="Pat dozed", actor=owner),
        reason="Pat woke up",
        actor=owner,
    )
    exclude_rater(rater=rater, reason="Pat is my cousin", actor=owner)
    exclude_rater(rater=other, reason="Kim is a bot", actor=owner)
    exclude_items(study=cast.study, keys=["L02"], reason="A typo", actor=owner)
    erase_rater(rater=rater, actor=None)
    log = json.dumps(list(AuditEntry.objects.values_list("act", "detail")))
    stored = "".join(Exclusion.objects.values_list("reason", flat=True))
    assert "Pat" not in log + stored
    for remaining in ("Kim is a bot", "A typo"):
        assert remaining in log
        assert remaining in stored
    assert AuditEntry.objects.filter(act="exclude_rater", detail__rater=rater.code).exists()


def test_reasons_of_rules_stay_since_they_name_no_one(cast, rater):
    rule = ExclusionRule.objects.create(study=cast.study, key="fast", name="Fast", reason="Too fast.")
    Exclusion.objects.create(study=cast.study, rater=rater, rule="fast", by_rule=rule, reason=rule.reason)
    erase_rater(rater=rater, actor=None)
    assert Exclusion.objects.get().reason == "Too fast."


def test_exclusions_of_single_answers_outlive_their_answers(cast, rater):
    response = Response.objects.filter(assignment__rater=rater).first()
    Exclusion.objects.create(study=cast.study, response=response, reason="Odd.")
    erase_rater(rater=rater, actor=cast.users["owner"])
    assert Exclusion.objects.get().rater == rater
