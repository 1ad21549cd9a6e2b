"""The unsaved files of a person: waiting, being read, or refused."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from annotation.domain.base.messages import from_stored, message
from annotation.domain.base.states import JobState
from annotation.models import Job, Membership, Upload, User

LISTED = 10
LISTED_STATES = (JobState.QUEUED, JobState.RUNNING, JobState.FAILED)


@dataclass(frozen=True, slots=True)
class OwnUpload:
    """An uploaded file, its job, and the reason for refusing it; empty while it waits or is being read."""

    upload: Upload
    job: Job
    refusal: str
    further_problems: int
    # The title of the study it was sent into, or of the one that it was to begin; empty for a former member.
    purpose: str


def unstored_uploads(user: User) -> list[OwnUpload]:
    """The newest files that a person sent to pages and of which nothing is stored yet, or will be.

    Those that the person stopped are left out, and those sent to the API, whose sender asks at an address.
    """
    own = Upload.objects.filter(created_by=user, job__state__in=LISTED_STATES, outcome__isnull=True).exclude(
        page=""
    )
    member = Membership.objects.filter(study=OuterRef("study"), user=user)
    found = own.select_related("job", "study").annotate(still_member=Exists(member)).order_by("-pk")[:LISTED]
    return [
        _described(upload, upload.job, _purpose(upload, still_member=upload.still_member))
        for upload in found
        if upload.job is not None
    ]


def _purpose(upload: Upload, *, still_member: bool) -> str:
    if upload.study is None:
        return str(upload.options.get("title", ""))
    return upload.study.title if still_member else ""


def _described(upload: Upload, job: Job, purpose: str) -> OwnUpload:
    if job.state != JobState.FAILED:
        return OwnUpload(upload, job, "", 0, purpose)
    refusal = upload.refusal
    sentence = from_stored(refusal["message"]) if refusal else job.error_words
    return OwnUpload(
        upload,
        job,
        sentence if sentence.endswith(".") else message("%(sentence)s.", sentence=sentence),
        max(0, len(refusal["problems"]) - 1) if refusal else 0,
        purpose,
    )
