"""`verify` names each row that breaks a rule, and nothing where all is well."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from annotation.domain.base.states import JobState, Purpose, StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import (
    Assignment,
    Criterion,
    Invitation,
    Item,
    Job,
    Rating,
    Response,
    Seat,
    Study,
)
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.seats.seat_creation import make_seats
from annotation.services.studies.lifecycle import change_state
from scoring.services.reports.verification import verify
from tests.backup.breaking import run_sql
from tests.support.people import make_cast
from tests.support.studies.rated_study import rated_study

pytestmark = pytest.mark.django_db


def breaches_by_hand(study: Study) -> dict[str, str]:
    """Break ten rules and more, each on another row; what is expected, code by row."""
    seats = list(Seat.objects.filter(form__study=study).order_by("pk"))
    pages = list(Assignment.objects.filter(rater__study=study).order_by("pk"))
    ratings = list(Rating.objects.filter(response__assignment__rater__study=study).order_by("pk"))
    answers = list(Response.objects.filter(assignment__rater__study=study).order_by("pk"))
    expected = {}
    spare = Seat.objects.create(form=seats[0].form, item=seats[0].item, slot=3)
    idle = study.raters.exclude(pk__in=[page.rater_id for page in pages]).get()
    run_sql("UPDATE annotation_seat SET state = 'filled', rater_id = %s WHERE id = %s", idle.pk, spare.pk)
    expected[f"annotation_seat {spare.pk}"] = "seat_without_answer"
    Response.objects.filter(pk=answers[0].pk).update(current=False)
    expected[f"annotation_assignment {answers[0].assignment_id}"] = "no_current_revision"
    Response.objects.filter(pk=answers[1].pk).update(revision=3)
    expected[f"annotation_assignment {answers[1].assignment_id}"] = "revision_missing"
    first = pages[2]
    doubled = Assignment.objects.create(
        rater=first.rater, item=first.item, form=first.form, version=first.version, purpose=Purpose.MAIN
    )
    expected[f"annotation_assignment {doubled.pk}"] = "doubled_row"
    Rating.objects.filter(pk=ratings[6].pk).update(value=9)
    expected[f"annotation_rating {ratings[6].pk}"] = "broken_rule"
    Rating.objects.filter(pk=ratings[7].pk).update(maximum=7)
    expected[f"annotation_rating {ratings[7].pk}"] = "scale_differs"
    Rating.objects.filter(pk=ratings[8].pk).update(value=None, answer="four")
    expected[f"annotation_rating {ratings[8].pk}"] = "answer_of_another_kind"
    run_sql("DELETE FROM annotation_rating WHERE id = %s", ratings[10].pk)
    expected[f"annotation_response {ratings[10].response_id}"] = "rating_missing"
    item = Item.objects.filter(study=study).latest("pk")
    run_sql("UPDATE annotation_item SET metadata = '[]' WHERE id = %s", item.pk)
    expected[f"annotation_item {item.pk}"] = "odd_json"
    Study.objects.filter(pk=study.pk).update(consent_number=7)
    expected[f"annotation_study {study.pk}"] = "consent_miscounted"
    long_ago = timezone.now() - timedelta(days=1)
    held = {"state": JobState.RUNNING, "lease": "12345678-1234-5678-1234-567812345678"}
    job = Job.objects.create(study=study, kind="reliability", lease_until=long_ago, **held)
    expected[f"annotation_job {job.pk}"] = "job_abandoned"
    job = Job.objects.create(study=study, kind="bundle", state=JobState.DONE, finished_at=long_ago)
    expected[f"annotation_job {job.pk}"] = "file_missing"
    if connection.vendor == "sqlite":
        run_sql("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'annotation_item'")
    else:
        run_sql("SELECT setval(pg_get_serial_sequence('annotation_item', 'id'), 1)")
    expected["annotation_item"] = "late_sequence"
    run_sql("UPDATE annotation_rating SET criterion_id = 999999 WHERE id = %s", ratings[9].pk)
    expected[f"annotation_rating {ratings[9].pk}"] = "lost_reference"
    # So its answer lacks what it was the rating of.
    expected[f"annotation_response {ratings[9].response_id}"] = "rating_missing"
    return expected


def test_each_breach_put_in_manually_is_named_with_its_study_and_how_to_correct_it(study):
    expected = breaches_by_hand(study)
    found = verify()
    assert {breach.row: breach.code for breach in found} == expected
    assert len(found) == len(expected) >= 10
    of_none = {"annotation_item"}
    assert all(breach.study == study.slug for breach in found if breach.row not in of_none)
    assert all(breach.mend and breach.message for breach in found)


def test_the_command_ends_with_1_where_a_rule_is_broken_and_prints_json(study, capsys):
    call_command("verify")
    assert "Nothing is wrong" in capsys.readouterr().out
    Study.objects.filter(pk=study.pk).update(consent_number=7)
    with pytest.raises(SystemExit) as ended:
        call_command("verify", "--json")
    assert ended.value.code == 1
    (breach,) = json.loads(capsys.readouterr().out)
    assert (breach["code"], breach["study"]) == ("consent_miscounted", study.slug)


def test_more_breaches_of_one_kind_than_are_named_are_counted(study):
    Item.objects.bulk_create(Item(study=study, key=f"N{n}", position=n, fields={}) for n in range(25))
    run_sql("UPDATE annotation_item SET fields = '[]' WHERE key LIKE 'N%%'")
    odd = [breach for breach in verify() if breach.code == "odd_json"]
    assert len(odd) == 20
    assert sum(breach.rows for breach in odd) == 25


def test_imported_answers_break_no_rule():
    # What opening the draft does with them, into which they are imported.
    make_seats(study=rated_study())
    assert verify() == []


def answered(assignment: Assignment, **answers: str) -> Response:
    sent = Submission(page_key=uuid.uuid4(), answers=answers, cannot_rate="" if answers else "lacks_context")
    return submit(assignment=assignment, version=assignment.version, submission=sent).response


@pytest.mark.parametrize("condition", ["4", ">=4"])
def test_a_rating_lacks_only_where_its_criterion_was_asked_and_must_be_answered(condition: str) -> None:
    cast = make_cast(items=5, overlap=1, opened=False)
    criteria = Criterion.objects.filter(version__form__study=cast.study)
    criteria.filter(key="creativity").update(asked_after="quality", asked_when=condition)
    optional = Criterion.objects.get(pk=criteria.get(key="quality").pk)
    optional.pk, optional.key, optional.required, optional.position = None, "optional", False, 2
    optional.save()
    study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    rater = consent(invitation=Invitation.objects.get(pk=cast.invitation.pk))
    given: list[dict[str, str]] = [
        {"quality": "4", "creativity": "3"},
        {"quality": "4", "creativity": "3", "optional": "3"},
        {"quality": "2", "optional": "3"},
        {},
    ]
    responses = [answered(next_assignment(rater=rater), **one) for one in given]
    assert verify() == []
    Rating.objects.filter(response=responses[1], criterion__key="optional").delete()
    assert verify() == []
    Rating.objects.filter(response=responses[0], criterion__key="creativity").delete()
    Rating.objects.filter(response=responses[2], criterion__key="quality").delete()
    lacking = {f"annotation_response {responses[number].pk}" for number in (0, 2)}
    assert {(one.row, one.code, one.study) for one in verify()} == {
        (row, "rating_missing", study.slug) for row in lacking
    }


def test_imported_answers_may_lack_a_rating():
    study = rated_study()
    make_seats(study=study)
    Rating.objects.filter(response__assignment__rater__study=study).order_by("pk")[0].delete()
    assert verify() == []
