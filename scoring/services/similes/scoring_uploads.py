"""Uploaded files of candidates: stored, scored by a worker, returned to their sender."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import GroundworkError, InvalidContent, NotAllowedNow
from annotation.domain.base.states import ENDED_JOBS, JobState
from annotation.models import Upload, User
from annotation.services.base.jobs import Lease, enqueue
from config.command_line import command
from scoring.hauser.base.candidates import Group, Simile
from scoring.io.similes import BadTexts, read_similes
from scoring.models import FileScoring
from scoring.services.similes.file_scores import FileScores, score_file
from scoring.services.similes.score_settings import ScoreSettings

KIND = "score_file"
MOST_CANDIDATES = 5_000
NAME_LENGTH = 200


def send_file(
    *, owner: User, path: Path, name: str, asked: ScoreSettings, bad_texts: BadTexts
) -> FileScoring:
    """Store the candidates of a file and ask a worker to score them.

    Parameters
    ----------
    owner : User
        User who uploads it; no other user sees the results.
    path : Path
        As for `read_similes`.
    name : str
        Name of the file.
    asked : ScoreSettings
        Settings from `checked_settings`.
    bad_texts : str
        As for `read_similes`.

    Raises
    ------
    FileRefused
        As `read_similes`; nothing was stored.
    InvalidContent
        `too_many_candidates`.
    NotAllowedNow
        An earlier file of the same user is not scored yet (`scoring_under_way`).
    """
    read = read_similes(path, name=name, bad_texts=bad_texts)
    number = sum(len(group.candidates) for group in read.groups)
    if number > MOST_CANDIDATES:
        message = (
            f"{name} has {number} candidates. Send at most {MOST_CANDIDATES} at a time, "
            f"or use `{command('score')}`."
        )
        raise InvalidContent(message, code="too_many_candidates")
    with transaction.atomic():
        # Two files that are sent at once: the second is refused.
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        if FileScoring.objects.filter(owner=owner).exclude(job__state__in=ENDED_JOBS).exists():
            message = "Your previous file is still being scored. Wait until it is complete, or delete it."
            raise NotAllowedNow(message, code="scoring_under_way")
        params = {**asked.as_json(), "file": uuid.uuid4().hex}
        job = enqueue(kind=KIND, study=None, params=params, created_by=owner)
        return FileScoring.objects.create(
            job=job,
            owner=owner,
            name=name[:NAME_LENGTH],
            groups=_as_text([asdict(group) for group in read.groups]),
            told=list(read.messages),
        )


def score_uploaded_candidates(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Store the candidates of an uploaded file and ask a worker to score them, as `send_file`."""
    scoring = send_file(
        owner=upload.created_by,
        path=path,
        name=upload.name,
        asked=ScoreSettings.from_json(upload.options["settings"]),
        bad_texts=upload.options["bad_texts"],
    )
    return {"scoring": scoring.pk}


def compute_file(*, lease: Lease) -> FileScoring:
    """Score the candidates of a file and store the result while the lease still holds.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `score_file`.

    Raises
    ------
    GroundworkError
        The knowledge base or a checkpoint cannot be used.
    LeaseLost
        Another worker has taken the job over, or the file was deleted; nothing was stored.
    """
    scoring = FileScoring.objects.filter(job=lease.job).first()
    if scoring is None:
        raise GroundworkError("The file has been deleted.", code="no_such_file")
    groups = [_group(stored) for stored in _as_entries(scoring.groups)]
    total = sum(len(group.candidates) for group in groups)
    done = 0

    def advance(by: int) -> None:
        nonlocal done
        done += by
        lease.beat(done, total, "Scoring")

    lease.beat(0, total, "Scoring")
    settings = ScoreSettings.from_json(lease.job.params)
    found = score_file(groups=groups, settings=settings, progress=advance, beat=lease.renew)
    return lease.complete(lambda: _stored(scoring, found))


def delete_file(*, scoring: FileScoring) -> None:
    """Delete a file with its scores; a worker that is scoring it stops."""
    scoring.job.delete()


def scores_of_file(scoring: FileScoring) -> Iterator[dict[str, Any]]:
    """The scores in long form, in the columns of `file_scores`.

    Raises
    ------
    NotAllowedNow
        They are not computed (`not_done`).
    """
    for one in scored_candidates(scoring):
        for metric, score in one["scores"].items():
            yield {
                "item": one["item"],
                "group": one["group"],
                "metric": metric,
                **score,
                "run": scoring.name,
                "profile": scoring.made_with["profile"],
                "truncated": True if metric in one["truncated"] else None,
                "caution": scoring.caution,
            }


def scored_candidates(scoring: FileScoring) -> list[dict[str, Any]]:
    """Scores and explanation of each candidate; raises as `scores_of_file`."""
    if scoring.job.state != JobState.DONE:
        raise NotAllowedNow(
            f"{scoring.name} has no scores. The state of its job is “{scoring.job.state}”.", code="not_done"
        )
    return _as_entries(scoring.scored)


def _as_text(entries: list[dict[str, Any]]) -> str:
    """Entries as ASCII text, because databases do not accept the control characters of skipped texts."""
    return json.dumps(entries)


def _as_entries(stored: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Stored entries; earlier versions stored them as lists, not as text."""
    found: list[dict[str, Any]] = json.loads(stored) if isinstance(stored, str) else stored
    return found


def _group(stored: dict[str, Any]) -> Group:
    similes = (
        Simile(**{**candidate, "references": tuple(candidate["references"])})
        for candidate in stored["candidates"]
    )
    return Group(stored["key"], tuple(similes))


def _stored(scoring: FileScoring, found: FileScores) -> FileScoring:
    entries = [
        {
            "item": member.key,
            "group": group.key,
            "scores": {name: asdict(score) for name, score in member.scores.items()},
            "truncated": list(member.truncated),
            "explanation": dict(member.explanation),
        }
        for group, members in zip(found.groups, found.scored, strict=True)
        for member in members
    ]
    scoring.scored = _as_text(entries)
    scoring.made_with, scoring.caution = dict(found.made_with), found.caution
    scoring.save(update_fields=["scored", "made_with", "caution"])
    return scoring
