"""Everything that a permission may be about, and who asks for it."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.test import Client
from django.urls import URLResolver, get_resolver
from django.utils import timezone

from annotation.domain.base.states import JobState, Purpose, RaterState
from annotation.models import (
    Assignment,
    BackgroundPage,
    CalibrationItem,
    Case,
    Exclusion,
    ExclusionRule,
    Item,
    Job,
    MediaFile,
    Payment,
    ProblemReport,
    Qualification,
    QualificationAttempt,
    Rater,
    Response,
    Study,
)
from annotation.selectors.base.archives import archive_path as archive_of
from annotation.services.people.messages.letters import links_of
from annotation.views.rating.media.addresses import Grant
from scoring.models import Judge, Report, SavedView, ScoreRun
from tests.rights.permissions import OTHERS_GROUPS
from tests.rights.request_bodies import BODIES
from tests.support.people import PASSWORD, Cast


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
    share_secret: str
    media: MediaFile
    sessions: dict[str, str] = field(default_factory=dict)

    def sign_in(self) -> None:
        """Everybody signs in once, and stays signed in."""
        for who in self.cast.users:
            signed_in = client_for(self.cast, who)
            self.sessions[who] = signed_in.cookies[settings.SESSION_COOKIE_NAME].value

    def client(self, who: str) -> Client:
        """A user who signed in then, or a visitor who never did."""
        client = Client()
        if who in self.sessions:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[who]
        return client

    def file_of(self, what: str) -> int:
        return self.cast.study.import_files.get(what=what).pk

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of what an address is about, by a word of the address’s name."""
        return {
            "score-act": self.scoring.pk,
            "score_run": self.run.pk,
            "bundle-file": self.bundle.pk,
            "job": self.job.pk,
            "report": self.report.pk,
            "scores-file": self.file_of("scores"),
            "scores-problems": self.file_of("scores"),
            "api_score_import": self.file_of("scores"),
            "import": self.file_of("items"),
            "token-revoke": self.cast.users["owner"].api_tokens.get(signs_in=False).pk,
            "scoped_token": self.cast.users["owner"].api_tokens.get(signs_in=False).pk,
            "webhook": self.cast.study.webhooks.get().pk,
            "rate-feedback": self.calibration.pk,
            "background-page": BackgroundPage.objects.get().pk,
            "calibration-item": CalibrationItem.objects.get().pk,
            "study-trial": QualificationAttempt.objects.get().pk,
            "rate": self.assignment.pk,
            "site-account": self.cast.users["stranger"].pk,
            "link": self.cast.invitation.pk,
            "replace": self.exclusion.pk,
            "lift-exclusion": self.exclusion.pk,
            "exclude-response": self.response.pk,
            "problem": ProblemReport.objects.get().pk,
            "study-rule": ExclusionRule.objects.get().pk,
            "study-judge": Judge.objects.get().pk,
            "api_judge": Judge.objects.get().pk,
            "share": self.cast.study.share_links.get().pk,
            "study-case": Case.objects.get().pk,
            "api_case": Case.objects.get().pk,
            "api_rule": ExclusionRule.objects.get().pk,
            "api_saved_view": SavedView.objects.get().pk,
            "view-forget": SavedView.objects.get().pk,
            "api_member": self.cast.study.memberships.get(user=self.cast.users["researcher"]).pk,
            "api_invitation": self.cast.invitation.pk,
            "study-payment": Payment.objects.get().pk,
            "study-media-file": self.media.pk,
            "study-change-media": self.media.pk,
            "former": self.cast.study.memberships.get(user=self.cast.users["researcher"]).pk,
        }

    def arguments(self, name: str, wanted: tuple[str, ...]) -> dict[str, Any]:
        """The arguments of an address: something that exists."""
        rater = self.assignment.rater
        known = {
            "slug": self.cast.slug,
            "platform": "prolific",
            "study": self.cast.slug,
            "key": "L00",
            "number": 1,
            "what": "ratings",
            "file_format": "csv",
            "code": rater.code,
            "file": self.media.pk,
            "name": "hauser",
            "token": self.cast.invitation.token,
            "address": "statistics/icc",
            "assignment": self.assignment.pk,
            "report": self.report.pk,
            "job": self.job.pk,
            "pk": next((number for word, number in self.numbers.items() if word in name), 0),
        }
        if name == "stop-messages":
            rater = self.cast.study.raters.select_related("study", "invitation").get(code="R-002")
            known["token"] = links_of(rater, "").stop.strip("/").rpartition("/")[2]
        if name == "rate-media":
            known["grant"] = Grant(self.media.pk, self.assignment.pk, int(time.time()) + 3600).token
        if name == "shared-result":
            known["token"] = self.share_secret
        if "check" in name:
            known["key"] = "attentive"
        if name == "api_payment":
            known["key"] = Payment.objects.get().key
        if "question" in name:
            known["key"] = "age"
        if "study-form" in name:
            known["key"] = "similes"
        if "definition" in name:
            known["file_format"] = "yaml"
        return {argument: known[argument] for argument in wanted}


def stored_picture(assignment: Assignment) -> MediaFile:
    """A stored file that the item of an assignment names."""
    name, study = assignment.item.fields["simile"], assignment.item.study
    digest = hashlib.sha256(b"picture").hexdigest()
    file = MediaFile.objects.create(
        study=study, name=name, kind="image", mime="image/png", size=7, sha256=digest, alt="A lamp."
    )
    storages["media"].delete(file.stored_name)
    storages["media"].save(file.stored_name, ContentFile(b"picture"))
    return file


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
    """Every address, with its full name and its parameters."""
    for pattern in (resolver or get_resolver()).url_patterns:
        inside = (*arguments, *pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern, (*names, pattern.namespace) if pattern.namespace else names, inside)
        else:
            name = ":".join((*names, pattern.name or f"unnamed {pattern.pattern}"))
            yield Address(name, pattern.callback, inside)


@cache
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


def client_for(cast: Cast, who: str) -> Client:
    client = Client()
    if who != "anonymous":
        client.force_login(cast.users[who])
    return client
