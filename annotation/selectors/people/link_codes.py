"""The codes and return addresses of a link for a crowd platform, as members see them."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.platforms import FIELDS, Outcome, Platform
from annotation.models import Invitation, Study

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

LENGTH_OF_CODE = 8
PLATFORMS_WITH_CODES = (Platform.PROLIFIC.value, Platform.OTHER.value)
CODE_NAMES: Mapping[Outcome, _StrPromise] = {
    Outcome.FINISHED: _("Completion code"),
    Outcome.SCREENED_OUT: _("Screen-out code"),
    Outcome.NO_CONSENT: _("Code for people who do not consent"),
    Outcome.FAILED_CHECKS: _("Code for failed attention checks"),
}


@dataclass(frozen=True)
class LinkCode:
    """What people get with one outcome.

    `failed_from` is the number of failed attention checks that lead to it, None for the other outcomes.
    """

    name: _StrPromise
    code: str
    address: str
    failed_from: int | None = None


def proposed_codes(study: Study) -> dict[str, str]:
    """A code for each outcome of the next link of a study, by the field of the link.

    They are the same until a link is created, and cannot be guessed.

    Parameters
    ----------
    study : Study
        Without attention checks, no code is proposed for failed ones.
    """
    outcomes = [one for one in Outcome if one is not Outcome.FAILED_CHECKS or study.checks.exists()]
    link = f"{study.pk}/{study.invitations.count()}"
    return {f"{FIELDS[one]}_code": _code(f"{link}/{one.value}") for one in outcomes}


def _code(of: str) -> str:
    digest = salted_hmac("annotation.link_codes", of, algorithm="sha256").digest()
    return base64.b32encode(digest).decode()[:LENGTH_OF_CODE]


def lacks_completion_code(invitation: Invitation) -> bool:
    """Whether raters who finish could not prove it on the platform: no code and no return address."""
    has_way = bool(invitation.completion_code or invitation.completion_url)
    return invitation.platform in PLATFORMS_WITH_CODES and not has_way


def codes_of(invitation: Invitation) -> list[LinkCode]:
    """The outcomes for which a link has a code or a return address, in the order of the form."""
    found = [_code_of(invitation, outcome) for outcome in Outcome]
    return [one for one in found if one.code or one.address]


def _code_of(invitation: Invitation, outcome: Outcome) -> LinkCode:
    failed_from = invitation.failed_checks_from if outcome is Outcome.FAILED_CHECKS else None
    code, address = (getattr(invitation, f"{FIELDS[outcome]}_{part}") for part in ("code", "url"))
    return LinkCode(CODE_NAMES[outcome], code, address, failed_from)
