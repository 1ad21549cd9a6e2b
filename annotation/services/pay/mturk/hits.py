"""A HIT on Mechanical Turk, made from our study, by the documentation of its interface (docs/mturk.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import joined, message
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.crowd import OFFERS
from annotation.models import CrowdStudy, Invitation, Job, Study, User
from annotation.selectors.pay.costs import pay_of
from annotation.services.pay.crowd.clients import check_available
from annotation.services.pay.crowd.creation import request_creation
from annotation.services.pay.crowd.outside_studies import MOST_PLACES

LONGEST_TITLE = 128
LONGEST_TEXT = 2000
LONGEST_KEYWORDS = 1000
MOST_REWARD = 50_000
MOST_MINUTES = 24 * 60
MOST_DAYS = 365
MOST_APPROVAL_DAYS = 30
MOST_APPROVED_WORK = 99_999
MOST_COUNTRIES = 50
# Integer settings of a HIT, with their minimum and maximum.
BOUNDS = {
    "places": (1, MOST_PLACES),
    "reward": (1, MOST_REWARD),
    "minutes": (1, MOST_MINUTES),
    "days": (1, MOST_DAYS),
    "approval_days": (1, MOST_APPROVAL_DAYS),
    "least_percent": (0, 100),
    "least_approved": (0, MOST_APPROVED_WORK),
}
SCHEMA = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd"
PERCENT_APPROVED = "000000000000000000L0"
NUMBER_APPROVED = "00000000000000000040"
LOCALE = "00000000000000000071"
COUNTRY = re.compile(r"[A-Z]{2}")


@dataclass(frozen=True)
class Hit:
    """The settings of a HIT.

    Parameters
    ----------
    title, description, keywords : str
        What workers read; keywords with commas between them.
    places : int
        How many workers can take part: the assignments of the HIT.
    reward : int
        What each is paid when the assignment is approved, in cents of a dollar.
    minutes : int
        The time from accepting to submitting.
    days : int
        For how long workers can accept it.
    approval_days : int
        After so long a submitted assignment is approved by itself.
    least_percent, least_approved : int
        How many of their assignments must have been approved, in percent, and how many in all; 0 for any.
    countries : tuple of str
        Two-letter codes of the countries of workers; empty for all.
    """

    title: str
    description: str
    keywords: str
    places: int
    reward: int
    minutes: int
    days: int
    approval_days: int
    least_percent: int = 0
    least_approved: int = 0
    countries: tuple[str, ...] = ()


def request_hit(*, study: Study, invitation: Invitation, address: str, hit: Hit, actor: User) -> Job:
    """Enqueue the creation of a HIT, which workers can accept as soon as it exists.

    Parameters
    ----------
    study, actor
        A connected study, paid in dollars, and who creates the HIT.
    invitation : Invitation
        An open link of the study for Mechanical Turk.
    address : str
        The full address of the link.
    hit : Hit
        What workers read, and what they are paid.

    Raises
    ------
    InvalidContent
        `bad_draft`: `fields` says what is wrong.
    NotAllowedNow
        `currency_not_on_mturk`, `mturk_not_installed`; and as of `request_creation`.
    """
    check_available(Platform.MTURK)
    check_hit(study=study, invitation=invitation, address=address, hit=hit)
    return request_creation(
        study=study,
        platform=Platform.MTURK,
        invitation=invitation,
        places=hit.places,
        reward=hit.reward,
        content=lambda row: fields_of(row, address=address, hit=hit),
        actor=actor,
    )


def check_hit(*, study: Study, invitation: Invitation, address: str, hit: Hit) -> None:
    """Refuse a HIT that Mechanical Turk could not take.

    Parameters
    ----------
    study, invitation, address, hit
        As in `request_hit`.

    Raises
    ------
    InvalidContent
        `bad_draft`: `fields` says what is wrong.
    NotAllowedNow
        `currency_not_on_mturk`.
    """
    pay = pay_of(study)
    if pay is not None and pay.currency not in OFFERS[Platform.MTURK].currencies:
        sentence = message("Mechanical Turk pays in USD, and this study in %(own)s.", own=pay.currency)
        raise NotAllowedNow(sentence, code="currency_not_on_mturk")
    problems = _problems(hit)
    if invitation.study_id != study.pk or invitation.platform != Platform.MTURK:
        problems["invitation"] = message("Choose a link for Mechanical Turk.")
    elif not address.startswith("https://"):
        problems["invitation"] = message(
            "The address of this installation does not begin with https://. Mechanical Turk shows no others."
        )
    if problems:
        raise InvalidContent(joined(problems.values()), code="bad_draft", fields=problems)


def _problems(hit: Hit) -> dict[str, str]:
    problems: dict[str, str] = {}
    texts = {"title": LONGEST_TITLE, "description": LONGEST_TEXT, "keywords": LONGEST_KEYWORDS}
    for name, most in texts.items():
        if not 0 < len(getattr(hit, name).strip()) <= most:
            problems[name] = message("Enter between 1 and %(most)d characters.", most=most)
    for name, (least, most) in BOUNDS.items():
        if not least <= getattr(hit, name) <= most:
            problems[name] = message("Enter a number between %(least)d and %(most)d.", least=least, most=most)
    if len(hit.countries) > MOST_COUNTRIES or not all(COUNTRY.fullmatch(one) for one in hit.countries):
        problems["countries"] = message(
            "Enter two-letter codes of countries, such as US, with spaces between them."
        )
    return problems


def fields_of(row: CrowdStudy, *, address: str, hit: Hit) -> dict[str, Any]:
    """The body of the call that creates a HIT.

    Parameters
    ----------
    row : CrowdStudy
        With its internal name, by which a second creation is refused and the HIT is found.
    address : str
        The full address of the link.
    hit : Hit
        What workers read, and what they are paid.
    """
    return {
        "Title": hit.title.strip(),
        "Description": hit.description.strip(),
        "Keywords": hit.keywords.strip(),
        "Reward": f"{hit.reward / 100:.2f}",
        "MaxAssignments": hit.places,
        "AssignmentDurationInSeconds": hit.minutes * 60,
        "LifetimeInSeconds": hit.days * 86_400,
        "AutoApprovalDelayInSeconds": hit.approval_days * 86_400,
        "Question": question(address),
        "QualificationRequirements": _requirements(hit),
        "RequesterAnnotation": row.internal_name,
        "UniqueRequestToken": row.internal_name,
    }


def question(address: str) -> str:
    """The document by which Mechanical Turk shows an address of ours in a frame, as high as the window.

    Parameters
    ----------
    address : str
        Of a link; Mechanical Turk adds the IDs of the worker, the HIT and the assignment to it.
    """
    return (
        f'<ExternalQuestion xmlns="{SCHEMA}"><ExternalURL>{escape(address)}</ExternalURL>'
        "<FrameHeight>0</FrameHeight></ExternalQuestion>"
    )


def _requirements(hit: Hit) -> list[dict[str, Any]]:
    at_least = {PERCENT_APPROVED: hit.least_percent, NUMBER_APPROVED: hit.least_approved}
    found: list[dict[str, Any]] = [
        {"QualificationTypeId": kind, "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [least]}
        for kind, least in at_least.items()
        if least
    ]
    if hit.countries:
        places = [{"Country": one} for one in hit.countries]
        found.append({"QualificationTypeId": LOCALE, "Comparator": "In", "LocaleValues": places})
    return [{**one, "ActionsGuarded": "DiscoverPreviewAndAccept"} for one in found]
