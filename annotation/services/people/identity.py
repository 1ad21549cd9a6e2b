"""Erasing the identity of raters: account, label of their link, platform IDs and submissions there."""

from __future__ import annotations

from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotation.models import Invitation, PlatformIdentity, Rater, Study
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
    Invitation.objects.filter(rater=rater).update(label="")
    erase_messages(rater)
    identity = PlatformIdentity.objects.filter(rater=rater, erased_at__isnull=True).first()
    if identity is not None:
        identity.person = hashed_persons(rater.study, identity.platform, identity.person)[0]
        identity.task = identity.session = identity.submit_to = ""
        identity.erased_at = timezone.now()
        identity.save(update_fields=["person", "task", "session", "submit_to", "erased_at"])
    # After the identity: from then on none is stored by a reading.
    rater.crowd_submissions.all().delete()


def hashed_persons(study: Study, platform: str, person: str) -> list[str]:
    """What is stored of an erased platform ID: a keyed hash, the same for the same person.

    By the present key first, then by those before it that are still accepted.

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
