"""What every test of rights asks about."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Iterator

import pytest
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from annotation.domain.base.states import JobState, Role
from annotation.models import (
    Case,
    Check,
    DemographicQuestion,
    Exclusion,
    ExclusionRule,
    ImportFile,
    Job,
    MessageDelivery,
    Payment,
    PaymentEntry,
    PaymentList,
    ProblemReport,
    RaterMessage,
    Response,
    User,
    Webhook,
)
from annotation.services.adjudication.assignments import assign_cases
from annotation.services.adjudication.case_selection import send_items
from annotation.services.base.tokens import make_token
from annotation.services.people.members import add_member
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from scoring.models import Report, SavedView, ScoreRun
from scoring.services.reports.share_links import create_share_link
from scoring.services.similes.score_settings import ScoreSettings
from tests.rights.world import World, made_bundle, make_calibrated, stored_picture
from tests.services.judges.judged_study import chat_judge
from tests.support.people import PASSWORD, make_cast
from tests.support.running.tables import rows_of_a_module
from tests.support.studies.adjudication_study import Desk, cases_of, make_case_study, owner_of


@pytest.fixture
def world(world_of_the_module: World, db: None) -> World:
    return copy.deepcopy(world_of_the_module)


@pytest.fixture(scope="module")
def world_of_the_module(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with rows_of_a_module(django_db_blocker):
        made = made_world()
        made.sign_in()
        # Looked up once: each test has a copy of them.
        assert made.numbers
        yield made


def made_world() -> World:
    cast = make_cast()
    study = cast.study
    for role in (Role.VIEWER, Role.ADJUDICATOR):
        cast.users[role.value] = User.objects.create_user(f"{role.value}@example.org", PASSWORD)
        add_member(study=study, user=cast.users[role.value], role=role, actor=cast.users["owner"])
    assignment = next_assignment(rater=study.raters.get(user=cast.users["rater"]))
    ended = Job.objects.create(
        study=study, kind="reliability", state=JobState.DONE, finished_at=timezone.now()
    )
    report = Report.objects.create(study=study, job=ended, fingerprint="0", software="groundwork 0")
    job = Job.objects.create(study=study, kind="reliability")
    DemographicQuestion.objects.create(study=study, key="age", text="How old are you?", kind="number")
    other = consent(invitation=cast.invitation)
    study.raters.update(described_at=timezone.now())
    settings = {"criteria": ["quality", "creativity"], "tolerance": 1}
    Check.objects.create(
        study=study, key="attentive", kind="repeat", form=study.forms.get(), settings=settings
    )
    exclusion = Exclusion.objects.create(study=study, rater=other, reason="a bot")
    run = ScoreRun.objects.create(study=study, name="one")
    make_token(user=cast.users["owner"], name="a token", scopes=["read"])
    Webhook.objects.create(study=study, address="https://example.org/", events=["change_state"])
    ImportFile.objects.create(study=study, name="items.csv", columns=["item", "simile"])
    ImportFile.objects.create(study=study, what="scores", name="scores.csv", columns=["item", "bleu"])
    scoring = Job.objects.create(study=study, kind="score", params=ScoreSettings("embedded").as_json())
    response = Response.objects.create(
        assignment=assignment,
        submission_key=uuid.uuid4(),
        version=assignment.version,
        cannot_rate="other",
        submitted_at=timezone.now(),
        seconds=5.0,
    )
    ProblemReport.objects.create(assignment=assignment, report_key=uuid.uuid4(), reason="upsetting")
    ExclusionRule.objects.create(study=study, key="fast", name="Fast", reason="Too fast.")
    Case.objects.create(
        study=study,
        item=assignment.item,
        form=assignment.form,
        position=0,
        adjudicator=cast.users["adjudicator"],
    )
    chat_judge(study)
    _, secret = create_share_link(
        study=study, report=report, names={}, label="reviewers", days=14, actor=cast.users["owner"]
    )
    listed = PaymentList.objects.create(study=study, number=1)
    owed = {"kind": "base", "number": 1, "amount": 10, "currency": "EUR"}
    payment = Payment.objects.create(study=study, rater=other, payment_list=listed, **owed)
    PaymentEntry.objects.create(payment=payment, number=1, state="due")
    message = RaterMessage.objects.create(study=study, number=1, kind="thanks", site="-")
    MessageDelivery.objects.create(message=message, rater=other, state="sent", language="en")
    SavedView.objects.create(study=study, name="Split", query="split=any")
    calibration, bundle = make_calibrated(assignment), made_bundle(study)
    return World(
        *(cast, assignment, calibration, job, report, exclusion, run, scoring, bundle, response, secret),
        media=stored_picture(assignment),
    )


@pytest.fixture
def desk(db: None) -> Desk:
    """A study with cases, of which an adjudicator has one."""
    study = make_case_study()
    owner = owner_of(study)
    adjudicator = User.objects.create_user("judge@example.org", PASSWORD)
    add_member(study=study, user=adjudicator, role=Role.ADJUDICATOR, actor=owner)
    send_items(study=study, keys=["I-0", "I-1", "I-2"], actor=owner)
    cases = cases_of(study)
    assign_cases(study=study, cases=[cases["I-1"].pk], adjudicator=adjudicator, actor=owner)
    return Desk(study, owner, adjudicator, cases["I-1"], cases["I-0"])
