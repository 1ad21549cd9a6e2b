"""The interfaces of the platforms, with a token."""

from __future__ import annotations

from django.conf import settings

from annotation.domain.base.platforms import Platform
from annotation.io.pay.crowd import CrowdClient
from annotation.io.pay.mturk import MechanicalTurk, check_installed
from annotation.io.pay.prolific import Prolific


def client_with(platform: Platform, token: str) -> CrowdClient:
    """The interface of a platform with a token.

    Parameters
    ----------
    platform, token
        Where the account is, and its token.

    Raises
    ------
    NotAllowedNow
        `mturk_not_installed`: the extra `mturk` is missing.
    """
    return mturk_with(token) if platform is Platform.MTURK else prolific_with(token)


def prolific_with(token: str) -> Prolific:
    """The interface of Prolific with a token.

    Parameters
    ----------
    token : str
        Of an account.
    """
    return Prolific(token=token, address=settings.PROLIFIC_ADDRESS, private_allowed=settings.WEBHOOKS_PRIVATE)


def mturk_with(token: str) -> MechanicalTurk:
    """The interface of Mechanical Turk with the ID and the secret of an access key.

    Parameters
    ----------
    token : str
        Both, with a colon between them.

    Raises
    ------
    NotAllowedNow
        `mturk_not_installed`.
    """
    check_installed()
    key, _, secret = token.partition(":")
    address, private_allowed = settings.MTURK_ADDRESS, settings.WEBHOOKS_PRIVATE
    return MechanicalTurk(key=key, secret=secret, address=address, private_allowed=private_allowed)


def check_available(platform: Platform) -> None:
    """Refuse a platform that this installation cannot connect to.

    Parameters
    ----------
    platform : Platform
        One that has an interface.

    Raises
    ------
    NotAllowedNow
        `mturk_not_installed`.
    """
    if platform is Platform.MTURK:
        check_installed()
