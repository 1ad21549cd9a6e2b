"""The places of the study on a platform, matched to open rating slots."""

from __future__ import annotations

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.crowd import STUDY_JOB
from annotation.domain.pay.mturk import MOST_CHEAP_PLACES
from annotation.models import Job, Study, User
from annotation.services.base import audit
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.pay.crowd.connection import client_of, token_of
from annotation.services.pay.crowd.outside_studies import MOST_PLACES, outside_study, store


def request_places(*, study: Study, platform: Platform, places: int, actor: User) -> Job:
    """Enqueue the raising of the places on a platform to a total.

    Parameters
    ----------
    study, platform, actor
        With a study on the platform, and who raises its places.
    places : int
        The new total.

    Raises
    ------
    InvalidContent
        `bad_places`: not above the total that was last read, or not possible.
    NotAllowedNow
        `no_prolific_study` or `no_mturk_study`; `not_connected`.
    """
    row = outside_study(study, platform)
    token_of(study, platform)
    _check(row.places, places, platform)
    params = {"platform": platform.value, "act": "places", "places": places}
    return enqueue(kind=STUDY_JOB, study=study, params=params, created_by=actor)


def raise_places(*, lease: Lease, platform: Platform) -> None:
    """Read the present total, then raise it; a job that is begun again finds what it has done.

    Parameters
    ----------
    lease, platform
        Lease of a job from `request_places`, and its platform.

    Raises
    ------
    InvalidContent
        `bad_places`.
    GroundworkError
        Of the interface. The total is absolute, so asking again after a lost answer changes nothing more.
    """
    study, places = Study.objects.get(jobs__pk=lease.job.pk), lease.job.params["places"]
    row, client = outside_study(study, platform), client_of(study, platform)
    found = client.study(row.number)
    store(row, found)
    if lease.job.attempt > 1 and found.places == places:
        # The worker before this one has raised them.
        lease.complete(lambda: None)
        return
    _check(found.places, places, platform)
    with transaction.atomic():
        act = f"raise_{platform.value}_places"
        audit.record(study=study, actor=lease.job.created_by, act=act, before=found.places, after=places)
        lease.renew()
    raised = client.change_places(row.number, before=found.places, after=places)
    lease.complete(lambda: store(row, raised))


def _check(now: int, places: int, platform: Platform) -> None:
    sentence = ""
    if not now < places <= MOST_PLACES:
        sentence = message(
            "Enter a total above %(now)d and of at most %(most)d places.", now=now, most=MOST_PLACES
        )
    elif platform is Platform.MTURK and now <= MOST_CHEAP_PLACES < places:
        sentence = message(
            "Mechanical Turk does not extend a HIT of at most %(most)d assignments beyond that. Enter at "
            "most %(most)d, or separate the study and create another HIT.",
            most=MOST_CHEAP_PLACES,
        )
    if sentence:
        raise InvalidContent(sentence, code="bad_places", fields={"places": sentence})
