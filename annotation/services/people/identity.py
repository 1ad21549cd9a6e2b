"""Identity of raters: erasure on demand, and matching of raters of a pilot and its main study."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotation.models import Invitation, PilotMatch, PlatformIdentity, Rater, Study
from annotation.models.base.sealed import installation_keys
from annotation.services.people.messages.stopping import erase_messages


def erase_identity(rater: Rater) -> None:
    """Erase a rater's identity and the messages to them.

    A keyed hash of the platform ID remains, to recognise a return.

    Parameters
    ----------
    rater : Rater
        Locked by the caller's transaction, which saves `user` and `join_key`.
    """
    rater.user, rater.join_key = None, None
    Invitation.objects.filter(rater=rater).update(label="", person_hash="")
    erase_messages(rater)
    identity = PlatformIdentity.objects.filter(rater=rater, erased_at__isnull=True).first()
    if identity is not None:
        identity.person = hashed_persons(rater.study, identity.platform, identity.person)[0]
        identity.task = identity.session = identity.submit_to = ""
        identity.erased_at = timezone.now()
        identity.save(update_fields=["person", "task", "session", "submit_to", "erased_at"])
    # Deleted after the identity is erased: from then on reading submissions stores none.
    rater.crowd_submissions.all().delete()


def hashed_persons(study: Study, platform: str, person: str) -> list[str]:
    """Keyed hashes that identify an erased platform ID: equal for the same person.

    The hash by the current key comes first, then those by earlier keys that are still accepted.

    Parameters
    ----------
    study : Study
        They took part in.
    platform, person : str
        Where they came from, and their id there.
    """
    value = f"{study.pk} {platform} {person}"
    return [
        salted_hmac("erased person", value, secret=key, algorithm="sha256").hexdigest()
        for key in installation_keys()
    ]


def store_matches(*, study: Study, pilot: Study, main_rater: Rater | None = None) -> None:
    """Store which raters of a pilot rate in a pooled main study too, to know it after their IDs are erased.

    They have the same account or platform ID. Of an ID that was erased in one of the studies, the keyed hash
    is compared. No ID is stored.

    Parameters
    ----------
    study, pilot
        A main study and its pilot, both locked by the caller or about to lose IDs.
    main_rater : Rater or None
        The only rater of the main study to look for; None for all.
    """
    own = study.raters.all() if main_rater is None else study.raters.filter(pk=main_rater.pk)
    accounts = dict(own.filter(user__isnull=False).values_list("user", "pk"))
    joined = pilot.raters.filter(user__in=list(accounts)).values_list("pk", "user") if accounts else ()
    pairs = [(pk, accounts[user]) for pk, user in joined]
    identities = list(PlatformIdentity.objects.filter(study=study, rater__in=own))
    known = PlatformIdentity.objects.filter(study=pilot) if identities else PlatformIdentity.objects.none()
    theirs = {(one.platform, one.person): one.rater_id for one in known}
    pairs += _same_ids(identities, theirs, study, pilot)
    PilotMatch.objects.bulk_create(
        [PilotMatch(rater_id=rater, main_rater_id=own_rater) for rater, own_rater in pairs],
        ignore_conflicts=True,
    )


def _same_ids(
    identities: list[PlatformIdentity], theirs: dict[tuple[str, str], int], study: Study, pilot: Study
) -> Iterator[tuple[int, int]]:
    """Pairs of a rater of the pilot and one of the main study with the same platform ID, erased or not."""
    erased = {(one.platform, one.person): one.rater_id for one in identities if one.erased_at}
    for one in identities:
        hashes = [] if one.erased_at else hashed_persons(pilot, one.platform, one.person)
        for person in (one.person, *hashes):
            if (one.platform, person) in theirs:
                yield theirs[one.platform, person], one.rater_id
    for (platform, person), rater in theirs.items() if erased else ():
        for hashed in hashed_persons(study, platform, person):
            if (platform, hashed) in erased:
                yield rater, erased[platform, hashed]


def store_matches_of(study: Study) -> None:
    """Store the matches of a study with its pilot and with its main studies, where they are pooled.

    Parameters
    ----------
    study : Study
        Whose raters are about to lose their IDs.
    """
    if study.pilot is not None and study.pilot_pooled_at is not None:
        store_matches(study=study, pilot=study.pilot)
    for main in study.main_studies.filter(pilot_pooled_at__isnull=False):
        store_matches(study=main, pilot=study)
