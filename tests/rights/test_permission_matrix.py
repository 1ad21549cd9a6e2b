"""The table of rights holds for every address, and no address is missing from it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse
from django.utils import timezone

from annotation.domain.base.states import JobState, Purpose, RaterState
from annotation.models import (
    Assignment,
    BackgroundPage,
    CalibrationItem,
    Case,
    Check,
    DemographicQuestion,
    Exclusion,
    ExclusionRule,
    ImportFile,
    Item,
    Job,
    Qualification,
    QualificationAttempt,
    Rater,
    Response,
    Study,
    Webhook,
)
from annotation.selectors.base.archives import archive_path as archive_of
from annotation.services.base.tokens import make_token
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from scoring.models import Report, SavedView, ScoreRun
from scoring.services.similes.score_settings import ScoreSettings
from tests.support.people import PASSWORD, Cast, make_cast
from tests.support.permission_matrix import BODIES, CALLERS, OTHERS_GROUPS, rows

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ROWS = rows()


@dataclass
class World:
    cast: Cast
    assignment: Assignment
    calibration: Assignment
    job: Job
    report: Report
    exclusion: Exclusion
    run: ScoreRun
    scoring: Job
    bundle: Job
    response: Response

    def file_of(self, what: str) -> int:
        return self.cast.study.import_files.get(what=what).pk

    def arguments(self, name: str, wanted: tuple[str, ...]) -> dict[str, Any]:
        """What stands in an address: something that exists."""
        rater = self.assignment.rater
        numbers = {
            "score-act": self.scoring.pk,
            "score_run": self.run.pk,
            "bundle-file": self.bundle.pk,
            "job": self.job.pk,
            "report": self.report.pk,
            "scores-file": self.file_of("scores"),
            "scores-problems": self.file_of("scores"),
            "api_score_import": self.file_of("scores"),
            "import": self.file_of("items"),
            "token-revoke": self.cast.users["owner"].api_tokens.get().pk,
            "scoped_token": self.cast.users["owner"].api_tokens.get().pk,
            "webhook": self.cast.study.webhooks.get().pk,
            "rate-feedback": self.calibration.pk,
            "background-page": BackgroundPage.objects.get().pk,
            "calibration-item": CalibrationItem.objects.get().pk,
            "study-trial": QualificationAttempt.objects.get().pk,
            "rate": self.assignment.pk,
            "link": self.cast.invitation.pk,
            "replace": self.exclusion.pk,
            "lift-exclusion": self.exclusion.pk,
            "exclude-response": self.response.pk,
            "study-rule": ExclusionRule.objects.get().pk,
            "study-case": Case.objects.get().pk,
            "api_case": Case.objects.get().pk,
            "api_rule": ExclusionRule.objects.get().pk,
            "api_saved_view": SavedView.objects.get().pk,
            "view-forget": SavedView.objects.get().pk,
            "former": self.cast.study.memberships.get(user=self.cast.users["researcher"]).pk,
        }
        known = {
            "slug": self.cast.slug,
            "study": self.cast.slug,
            "key": "L00",
            "number": 1,
            "what": "ratings",
            "file_format": "csv",
            "code": rater.code,
            "name": "hauser",
            "token": self.cast.invitation.token,
            "assignment": self.assignment.pk,
            "report": self.report.pk,
            "job": self.job.pk,
            "pk": next((number for word, number in numbers.items() if word in name), 0),
        }
        if "check" in name:
            known["key"] = "attentive"
        if "question" in name:
            known["key"] = "age"
        if "study-form" in name:
            known["key"] = "similes"
        if "definition" in name:
            known["file_format"] = "yaml"
        return {argument: known[argument] for argument in wanted}


@pytest.fixture
def world(db: None) -> World:
    cast = make_cast()
    study = cast.study
    assignment = next_assignment(rater=study.raters.get(user=cast.users["rater"]))
    ended = Job.objects.create(
        study=study, kind="reliability", state=JobState.DONE, finished_at=timezone.now()
    )
    report = Report.objects.create(study=study, job=ended, fingerprint="0", software="groundwork 0")
    job = Job.objects.create(study=study, kind="reliability")
    DemographicQuestion.objects.create(study=study, key="age", text="How old are you?", kind="number")
    other = consent(invitation=cast.invitation)
    study.raters.update(described_at=timezone.now())
    settings = {"criteria": ["quality"], "tolerance": 1}
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
    ExclusionRule.objects.create(study=study, key="fast", name="Fast", reason="Too fast.")
    Case.objects.create(study=study, item=assignment.item, form=assignment.form, position=0)
    SavedView.objects.create(study=study, name="Split", query="split=any")
    calibration, bundle = make_calibrated(assignment), made_bundle(study)
    return World(cast, assignment, calibration, job, report, exclusion, run, scoring, bundle, response)


def made_bundle(study: Study) -> Job:
    """A bundle that is there to be taken."""
    job = Job.objects.create(
        study=study, kind="bundle", params={"pay": False}, state=JobState.DONE, finished_at=timezone.now()
    )
    archive_of(job).parent.mkdir(parents=True, exist_ok=True)
    archive_of(job).write_bytes(b"")
    return job


def make_calibrated(main: Assignment) -> Assignment:
    """A background page and a calibration item, whose answer by the rater waits, the notes shown."""
    study, rater = main.form.study, main.rater
    qualification = Qualification.objects.create(
        study=study, rule="hand", feedback=False, notes_released_at=timezone.now()
    )
    BackgroundPage.objects.create(qualification=qualification, title="Similes", text="Two things.")
    item = Item.everything.create(study=study, key="calibration:1", fields={"simile": "It."}, planted=True)
    CalibrationItem.objects.create(
        qualification=qualification, item=item, form=main.form, reference={"quality": 3}
    )
    Rater.objects.filter(pk=rater.pk).update(state=RaterState.ACTIVE)
    attempt = QualificationAttempt.objects.create(rater=rater, number=1, finished_at=timezone.now())
    return Assignment.objects.create(
        rater=rater,
        item=item,
        form=main.form,
        version=main.version,
        purpose=Purpose.QUALIFICATION,
        attempt=attempt,
    )


@dataclass(frozen=True)
class Address:
    name: str
    view: Any
    arguments: tuple[str, ...]


def addresses(
    resolver: URLResolver | None = None, names: tuple[str, ...] = (), arguments: tuple[str, ...] = ()
) -> Iterator[Address]:
    """Every address, with its full name and what stands in it."""
    for pattern in (resolver or get_resolver()).url_patterns:
        inside = (*arguments, *pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern, (*names, pattern.namespace) if pattern.namespace else names, inside)
        else:
            name = ":".join((*names, pattern.name or f"unnamed {pattern.pattern}"))
            yield Address(name, pattern.callback, inside)


def ours() -> dict[str, Address]:
    return {found.name: found for found in addresses() if not found.name.startswith(OTHERS_GROUPS)}


def send(client: Client, name: str, method: str, path: str, cast: Cast) -> int:
    """The status of an answer; the API is sent JSON, pages are sent forms."""
    body = BODIES.get((name, method), {})
    if (name, method) == ("api_token", "POST"):
        body = {"email": cast.users["owner"].email, "password": PASSWORD}
    if name.startswith("api_") or method not in {"GET", "POST"}:
        return client.generic(method, path, json.dumps(body), "application/json").status_code
    return (client.get if method == "GET" else client.post)(path, body).status_code


def path_of(world: World, name: str) -> str:
    if name == "api_nothing":
        return "/api/v1/nothing/here/"
    return reverse(name, kwargs=world.arguments(name, ours()[name].arguments))


def client_for(cast: Cast, who: str) -> Client:
    client = Client()
    if who != "anonymous":
        client.force_login(cast.users[who])
    return client


def test_no_address_is_missing_from_the_table() -> None:
    listed = {name for name, _ in ROWS}
    assert sorted(ours().keys() - listed) == [], "add rows to tests/support/permission_matrix.py"
    assert sorted(listed - ours().keys()) == [], "these rows name no address any more"


def test_no_method_of_a_view_is_missing_from_the_table() -> None:
    missing = []
    for name, address in ours().items():
        view = getattr(address.view, "cls", None) or getattr(address.view, "view_class", None)
        handled = [method for method in METHODS if view is not None and hasattr(view, method.lower())]
        missing += [f"{name} {method}" for method in handled if (name, method) not in ROWS]
    assert missing == []


@pytest.mark.parametrize(("name", "method"), ROWS)
def test_every_caller_gets_the_status_in_the_table(world: World, name: str, method: str) -> None:
    path, found = path_of(world, name), {}
    for who in CALLERS:
        client = client_for(world.cast, who)
        with transaction.atomic():
            found[who] = send(client, name, method, path, world.cast)
            transaction.set_rollback(True)
    assert found == ROWS[name, method]


@pytest.mark.parametrize("name", sorted({name for name, _ in ROWS} - {"api_nothing"}))
def test_a_method_outside_the_table_is_not_answered(world: World, name: str) -> None:
    path, client, answered = path_of(world, name), client_for(world.cast, "owner"), {}
    for method in METHODS:
        if (name, method) not in ROWS:
            with transaction.atomic():
                answered[method] = send(client, name, method, path, world.cast)
                transaction.set_rollback(True)
    assert set(answered.values()) <= {405}, answered
