"""Releases: a data bundle for publication with a version, and what changed since the last one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import LONGEST_REASON
from annotation.domain.base.messages import message
from annotation.domain.base.states import ENDED_JOBS
from annotation.domain.base.text_validation import validated_text
from annotation.domain.base.timestamps import DAY, EXACT, ROUNDINGS
from annotation.models import Job, Release, Study, User
from annotation.selectors.base.archives import archive_path, part_path
from annotation.services.base import audit
from annotation.services.base.archives import delete_parts
from annotation.services.base.jobs import Lease, enqueue
from scoring.bundle.release.difference import NOTHING, Digests, digests_of
from scoring.bundle.release.publication import Publication
from scoring.services.base.report_store import study_of
from scoring.services.reports.bundles import delete_outdated, publication_of, write_bundle

KIND = "release"


def next_version(study: Study, *, major: bool) -> tuple[int, int]:
    """The version that a release of a study would have: 1.0, then 1.1, and 2.0 for a major one.

    Parameters
    ----------
    study : Study
        To release.
    major : bool
        Whether results that used the earlier version no longer hold.
    """
    last = Release.objects.filter(study=study).first()
    if last is None:
        return 1, 0
    return (last.major + 1, 0) if major else (last.major, last.minor + 1)


def request_release(
    *,
    study: Study,
    actor: User | None,
    licence: str = "",
    authors: Sequence[str] = (),
    note: str = "",
    major: bool = False,
    judges: bool = False,
    texts_licence: str = "",
    times: str = DAY,
    announce: bool = True,
) -> Job:
    """Ask a worker for a release, which has the raters' pay like every bundle of a manager.

    Parameters
    ----------
    study, actor
        What to release, and who does; None on the command line.
    licence, authors
        As for `request_bundle`.
    note : str
        What is new; a part of the list of releases.
    major : bool
        As for `next_version`.
    judges, texts_licence
        As for `request_bundle`.
    times : str
        As for `write_bundle`.
    announce : bool
        Whether workers are notified; False where the caller does the job.

    Raises
    ------
    InvalidContent
        `unknown_licence`, `bad_author`, `bad_orcid`, `too_many_authors`, `unknown_rounding` or `not_text`.
    NotAllowedNow
        `release_under_way`: the last one is not ready.
    """
    Publication.read(licence, authors, texts_licence)
    if times not in ROUNDINGS:
        refused = message("Times are exact, or rounded to the hour or the day.")
        raise InvalidContent(refused, code="unknown_rounding", fields={"times": refused})
    params = {
        "pay": True,
        "licence": licence,
        "authors": [author.strip() for author in authors if author.strip()],
        "note": validated_text(note)[:LONGEST_REASON],
        "major": major,
        "judges": judges,
        "texts_licence": texts_licence,
        "times": times,
    }
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if Job.objects.filter(study=study, kind=KIND).exclude(state__in=ENDED_JOBS).exists():
            sentence = message("A release is being made. Wait until it is ready.")
            raise NotAllowedNow(sentence, code="release_under_way")
        return enqueue(kind=KIND, study=study, params=params, created_by=actor, announce=announce)


def make_release(*, lease: Lease) -> Path:
    """Write the archive of a release, compare it with the last one, and store both while the lease holds.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `release`.

    Raises
    ------
    GroundworkError
        `data_changed`: answers were saved during each attempt to write it.
    LeaseLost
        Another worker has taken the job over, or it was cancelled; nothing is stored.
    """
    job, study = lease.job, study_of(lease.job)
    target, partial = archive_path(job), part_path(job, lease.token)
    target.parent.mkdir(parents=True, exist_ok=True)
    delete_parts(study)
    delete_outdated(study)
    major, minor = next_version(study, major=bool(job.params.get("major")))
    try:
        with partial.open("w+b") as file:
            _write(study, file, lease, f"{major}.{minor}")
        found = digests_of(partial)
        earlier = Release.objects.filter(study=study).first()
        release = Release(
            study=study,
            job=job,
            major=major,
            minor=minor,
            note=job.params.get("note", ""),
            licence=job.params.get("licence", ""),
            digest=_sha256(partial),
            counts={name: len(digests.keys) for name, digests in found.items()},
            earlier=earlier,
            difference=_difference(found, earlier),
            created_by=job.created_by,
        )
        lease.complete(lambda: _keep(release, partial, target))
    finally:
        partial.unlink(missing_ok=True)
    return target


def _write(study: Study, file: IO[bytes], lease: Lease, version: str) -> None:
    asked = lease.job.params
    write_bundle(
        study=study,
        target=file,
        formats=(),
        bom=False,
        with_pay=bool(asked.get("pay")),
        judges=bool(asked.get("judges")),
        publication=publication_of(asked),
        version=version,
        times=asked.get("times", EXACT),
        progress=lease.beat,
    )


def _difference(found: dict[str, Digests], earlier: Release | None) -> dict[str, Any]:
    """The changes since the earlier release; empty where there is none, or where its archive is gone."""
    if earlier is None or not archive_path(earlier.job).is_file():
        return {}
    before = digests_of(archive_path(earlier.job))
    return {
        name: asdict(found.get(name, NOTHING).since(before.get(name, NOTHING)))
        for name in {**found, **before}
    }


def _keep(release: Release, partial: Path, target: Path) -> None:
    release.save()
    audit.record(
        study=release.study,
        actor=release.created_by,
        act="make_release",
        version=release.version,
        job=release.job_id,
    )
    partial.replace(target)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def open_release(release: Release) -> IO[bytes] | None:
    """Open the archive of a release, or return None where a rater's data were erased since.

    Parameters
    ----------
    release : Release
        The release.
    """
    delete_outdated(release.study)
    path = archive_path(release.job)
    return path.open("rb") if path.is_file() else None
