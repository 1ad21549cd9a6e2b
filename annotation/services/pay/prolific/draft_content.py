"""What a draft of a study on Prolific consists of, by the documentation of Prolific (docs/prolific.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import joined, message
from annotation.domain.base.platforms import FIELDS, PARAMETERS, Outcome, Platform
from annotation.domain.pay.crowd import OFFERS, RETURN_REASONS
from annotation.models import CrowdStudy, Invitation, Study
from annotation.selectors.pay.costs import pay_of
from annotation.services.pay.crowd.outside_studies import MOST_PLACES

LONGEST_TITLE = 120
LONGEST_TEXT = 3000
MOST_MINUTES = 600
MOST_REWARD = 50_000
CODE_TYPES = {
    Outcome.FINISHED: "COMPLETED",
    Outcome.FAILED_CHECKS: "FAILED_ATTENTION_CHECK",
    Outcome.NO_CONSENT: "NO_CONSENT",
    Outcome.SCREENED_OUT: "OTHER",
}
# With these codes, a person who came by mistake is asked to return the submission; no review is needed.
RETURNED = frozenset({Outcome.NO_CONSENT, Outcome.SCREENED_OUT})


@dataclass(frozen=True)
class Draft:
    """The settings of a draft.

    Parameters
    ----------
    title, description : str
        What people read on Prolific.
    places : int
        How many people can take part.
    reward : int
        What each is paid, in cents of the study's currency.
    minutes : int
        The expected time.
    screen_out_reward : int or None
        Pay of a person who is screened out, in cents, below the reward; None where the workspace on Prolific
        has no paid screen-outs.
    screen_out_places : int
        How many can be screened out before Prolific pauses the study.
    """

    title: str
    description: str
    places: int
    reward: int
    minutes: int
    screen_out_reward: int | None = None
    screen_out_places: int = 0


def check_draft(*, study: Study, invitation: Invitation, draft: Draft) -> None:
    """Refuse a draft that Prolific could not take.

    Parameters
    ----------
    study, invitation, draft
        As in `request_draft`.

    Raises
    ------
    InvalidContent
        `bad_draft`: `fields` says what is wrong.
    NotAllowedNow
        `currency_not_on_prolific`.
    """
    pay, currencies = pay_of(study), OFFERS[Platform.PROLIFIC].currencies
    if pay is not None and pay.currency not in currencies:
        sentence = message(
            "Prolific pays in %(currencies)s, and this study in %(own)s.",
            currencies=", ".join(currencies),
            own=pay.currency,
        )
        raise NotAllowedNow(sentence, code="currency_not_on_prolific")
    problems = _problems(draft)
    if invitation.study_id != study.pk or invitation.platform != Platform.PROLIFIC:
        problems["invitation"] = message("Choose a link for Prolific.")
    elif not invitation.completion_code:
        problems["invitation"] = message("Enter a completion code for this link first.")
    if problems:
        raise InvalidContent(joined(problems.values()), code="bad_draft", fields=problems)


def _problems(draft: Draft) -> dict[str, str]:
    problems: dict[str, str] = {}
    for name, most in (("title", LONGEST_TITLE), ("description", LONGEST_TEXT)):
        if not 0 < len(getattr(draft, name).strip()) <= most:
            problems[name] = message("Enter between 1 and %(most)d characters.", most=most)
    for name, most in (("places", MOST_PLACES), ("reward", MOST_REWARD), ("minutes", MOST_MINUTES)):
        if not 1 <= getattr(draft, name) <= most:
            problems[name] = message("Enter a number between 1 and %(most)d.", most=most)
    if draft.screen_out_reward is not None:
        if not 1 <= draft.screen_out_reward < draft.reward:
            problems["screen_out_reward"] = message("Enter an amount above 0 and below the reward.")
        if not 1 <= draft.screen_out_places <= MOST_PLACES:
            problems["screen_out_places"] = message(
                "Enter a number between 1 and %(most)d.", most=MOST_PLACES
            )
    return problems


def fields_of(row: CrowdStudy, *, address: str, draft: Draft) -> dict[str, Any]:
    """The body of the call that creates a draft.

    Parameters
    ----------
    row : CrowdStudy
        With its link, its internal name and its code for screen-outs.
    address : str
        The full address of the link.
    draft : Draft
        What people read, and what they are paid.
    """
    return {
        "name": draft.title.strip(),
        "internal_name": row.internal_name,
        "description": draft.description.strip(),
        "external_study_url": with_placeholders(address),
        "prolific_id_option": "url_parameters",
        "completion_codes": _codes(row, draft),
        "estimated_completion_time": draft.minutes,
        "total_available_places": draft.places,
        "reward": draft.reward,
        "device_compatibility": ["desktop", "mobile", "tablet"],
        "peripheral_requirements": [],
    }


def with_placeholders(address: str) -> str:
    """The address of a link with the places that Prolific fills in.

    Parameters
    ----------
    address : str
        Of a link, without parameters.
    """
    names = PARAMETERS[Platform.PROLIFIC]
    places = {
        names.person: "{{%PROLIFIC_PID%}}",
        names.task: "{{%STUDY_ID%}}",
        names.session: "{{%SESSION_ID%}}",
    }
    return f"{address}?{urlencode(places, safe='{}%')}"


def _codes(row: CrowdStudy, draft: Draft) -> list[dict[str, Any]]:
    found = []
    for outcome, code_type in CODE_TYPES.items():
        code = getattr(row.invitation, f"{FIELDS[outcome]}_code")
        if code:
            found.append({"code": code, "code_type": code_type, "actions": [_action(outcome)]})
    if row.screen_out_code:
        paid = {
            "action": "FIXED_SCREEN_OUT_PAYMENT",
            "fixed_screen_out_reward": draft.screen_out_reward,
            "slots": draft.screen_out_places,
        }
        screen_out = {"code": row.screen_out_code, "code_type": "FIXED_SCREENOUT", "actor": "researcher"}
        found.append({**screen_out, "actions": [paid]})
    return found


def _action(outcome: Outcome) -> dict[str, str]:
    if outcome in RETURNED:
        return {"action": "REQUEST_RETURN", "return_reason": RETURN_REASONS[outcome]}
    return {"action": "MANUALLY_REVIEW"}
