"""Whatever is sent, the API answers as its schema says, and never with a fault."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.utils import timezone
from hypothesis import HealthCheck, settings
from pytest_django.plugin import DjangoDbBlocker
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from annotation.domain.base.states import JobState, ProblemReason
from annotation.domain.pay.payment_states import PaymentKind
from annotation.models import (
    Assignment,
    Case,
    ExclusionRule,
    ImportFile,
    Job,
    Payment,
    PaymentList,
    ProblemReport,
    Rater,
    Upload,
    Webhook,
)
from annotation.services.base.tokens import make_token, sign_in_token
from annotation.services.pay.single_payments import enter_outside_payment
from scoring.models import FigureSet, FileScoring, Judge, Report, SavedView, ScoreRun, ShareLink
from tests.support.outside.rater_mail import message_to
from tests.support.people import Cast, join, make_cast
from tests.support.running.tables import rows_of_a_module
from tests.support.studies.pay import pay

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
schema = schemathesis.openapi.from_wsgi("/api/schema/", get_wsgi_application())


@dataclass
class World:
    """A study with one of everything, and the arguments of addresses."""

    cast: Cast
    known: dict[str, Any]


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with rows_of_a_module(django_db_blocker):
        cast = make_cast()
        yield World(cast, known_of(cast))


@pytest.fixture
def world(made: World, db: None) -> Iterator[World]:
    """A copy for each test; a request leaves the test's connection open."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield copy.deepcopy(made)
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def known_of(cast: Cast) -> dict[str, Any]:
    rater, client = join(cast.invitation)
    assignment = client.get(f"/api/v1/rate/{cast.slug}/next/").json()["assignment"]
    job = Job.objects.create(study=cast.study, kind="reliability", state=JobState.DONE)
    report = Report.objects.create(study=cast.study, job=job, fingerprint="0", software="groundwork 0")
    # So that filters and orders are read, and not only refused.
    scale = {"name": "quality", "minimum": 1, "maximum": 5, "alpha": None}
    FigureSet.objects.create(study=cast.study, ready=True, criteria=[scale], software="groundwork 0")
    return {
        "studies": cast.slug,
        "studies/{slug}": "prolific",
        "rate": cast.slug,
        "join": cast.invitation.token,
        "items": "L00",
        "published": "hauser",
        "members": cast.study.memberships.get(role="owner").pk,
        "jobs": job.pk,
        "reports": report.pk,
        "uploads": upload(cast).pk,
        "auth/tokens": make_token(user=cast.users["owner"], name="one", scopes=["read"])[0].pk,
        "invitations": cast.invitation.pk,
        "webhooks": Webhook.objects.create(study=cast.study, address="https://example.org/").pk,
        "scores/imports": ImportFile.objects.create(study=cast.study, what="scores", name="scores.csv").pk,
        "imports": ImportFile.objects.create(study=cast.study, name="items.csv").pk,
        "adjudication": up_for_adjudication(cast, assignment),
        "exclusion-rules": ExclusionRule.objects.create(
            study=cast.study, key="few", name="Few", conditions=[{"kind": "too_few_ratings", "fewest": 2}]
        ).pk,
        "disagreement/views": SavedView.objects.create(study=cast.study, name="Split", query="split=any").pk,
        "problems": ProblemReport.objects.create(
            assignment_id=assignment, report_key=uuid4(), reason=ProblemReason.OTHER, text="Cut off."
        ).pk,
        "pay/lists": PaymentList.objects.create(study=cast.study, number=1).number,
        "messages": message_to(cast).number,
        "pay/payments": payment(cast, rater).key,
        "scorings": sent_file(cast).pk,
        "runs": ScoreRun.objects.create(study=cast.study, name="lengths").pk,
        "judges": Judge.objects.create(study=cast.study, name="Judge A", way="file").pk,
        "share-links": shared(cast, report).pk,
        "rate/{slug}": assignment,
        "invitation": rater.invitation.token,
        "token": sign_in_token(user=cast.users["owner"])[1],
    }


def upload(cast: Cast) -> Upload:
    job = Job.objects.create(study=cast.study, kind="read_upload", state=JobState.DONE)
    owner = cast.users["owner"]
    return Upload.objects.create(study=cast.study, job=job, act="items", name="items.csv", created_by=owner)


def payment(cast: Cast, rater: Rater) -> Payment:
    pay(cast)
    return enter_outside_payment(
        rater=Rater.objects.select_related("study").get(pk=rater.pk),
        kind=PaymentKind.BASE,
        amount=Decimal(1),
        reference="transfer 1",
        note="",
        actor=cast.users["owner"],
        beyond_earned=True,
    )


def shared(cast: Cast, report: Report) -> ShareLink:
    return ShareLink.objects.create(
        study=cast.study,
        report=report,
        title="Lamps",
        names={},
        token_digest="0" * 64,
        expires_at=timezone.now(),
    )


def sent_file(cast: Cast) -> FileScoring:
    done = Job.objects.create(kind="score_file", state=JobState.DONE, created_by=cast.users["owner"])
    return FileScoring.objects.create(job=done, owner=cast.users["owner"], name="similes.jsonl")


def up_for_adjudication(cast: Cast, assignment: int) -> int:
    form = Assignment.objects.get(pk=assignment).form
    return Case.objects.create(
        study=cast.study, item=cast.study.items.get(key="L00"), form=form, position=0
    ).pk


@schema.parametrize()
@settings(max_examples=6, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_it_answers_as_described(case: Any, world: World) -> None:
    cast, known = world.cast, world.known
    for name in case.path_parameters:
        collection = case.path.split(f"/{{{name}}}")[0].rpartition("}/")[2].removeprefix("/api/v1/")
        case.path_parameters[name] = known[collection]
    if isinstance(case.body, dict) and "assignment" in case.body:
        case.body["assignment"] = known["rate/{slug}"]
    if case.path.startswith("/api/v1/rate/"):
        header = f"Invitation {known['invitation']}"
    elif not case.path.startswith("/api/v1/auth/"):
        header = f"Token {known['token']}"
    else:  # What is asked here may end the token.
        header = f"Token {sign_in_token(user=cast.users['owner'])[1]}"
    case.call_and_validate(headers={"Authorization": header}, checks=CHECKS)
