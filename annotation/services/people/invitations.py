"""Invitation links: created, checked, paused, changed and revoked."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import LONGEST_LINK_LABEL
from annotation.domain.base.messages import message
from annotation.domain.base.platforms import FIELDS, Outcome, Platform, check_addresses, check_codes
from annotation.domain.base.states import RaterState
from annotation.models import Form, Invitation, Rater, Study, User
from annotation.models.base.accounts import new_token
from annotation.services.base import audit


def invite(
    *,
    study: Study,
    actor: User,
    label: str = "",
    personal: bool = False,
    cap: int | None = None,
    platform: Platform = Platform.NONE,
    panel: Form | None = None,
    failed_checks_from: int | None = None,
    expires_at: datetime | None = None,
    **ways: str,
) -> Invitation:
    """Create a link: open to anyone who has it, or personal, with a reserved rater code.

    Parameters
    ----------
    study, actor
        The study to join, and who invites.
    label, personal, cap
        A name for members only; whether the link is for one rater; how many raters may join by an open one.
    platform : Platform
        The crowd platform it is for.
    panel : Form or None
        The form whose panel its raters join; needed where the design is `panels`.
    failed_checks_from : int or None
        From how many failed attention checks on, at least 1, a rater goes back with the code for them.
    expires_at : datetime or None
        Time after which no new rater can join by the link.
    **ways
        For a platform, one code for each outcome: `completion_code`, `screenout_code`, `no_consent_code`,
        `failed_checks_code`; for another than the two built in also an address for each (`completion_url`
        and so on), `person_param`, `task_param`, `session_param`.

    Raises
    ------
    InvalidContent
        A personal link for a crowd (`personal_crowd`), no name for the person's parameter
        (`no_person_param`), a return address that cannot work (`bad_return_address`), the same code for two
        outcomes (`duplicate_code`), a way back for failed checks without their number
        (`no_failed_checks_number`), or an expiry in the past (`expiry_passed`).
    """
    _check_platform(platform, ways, personal=personal)
    _check_outcomes(ways, failed_checks_from)
    check_expiry(expires_at)
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        rater = _new_rater(study, RaterState.INVITED) if personal else None
        invitation = Invitation.objects.create(
            study=study,
            rater=rater,
            label=label[:LONGEST_LINK_LABEL],
            created_by=actor,
            cap=cap,
            platform=platform.value,
            panel=panel,
            failed_checks_from=failed_checks_from,
            expires_at=expires_at,
            **ways,
        )
        _record(invitation, actor)
    return invitation


def _record(invitation: Invitation, actor: User) -> None:
    """Write a new link to the audit log, which names no person and none of the codes."""
    audit.record(
        study=invitation.study,
        actor=actor,
        act="invite",
        # Readers of the log know raters only by their codes; the label of a personal link may name a person.
        label="" if invitation.rater else invitation.label,
        personal=invitation.rater is not None,
        platform=invitation.platform,
        cap=invitation.cap,
        panel=invitation.panel.key if invitation.panel else "",
        expires_at=invitation.expires_at.isoformat() if invitation.expires_at else "",
        codes=[outcome.value for outcome, name in FIELDS.items() if getattr(invitation, f"{name}_code")],
    )


def _check_platform(platform: Platform, ways: Mapping[str, str], *, personal: bool) -> None:
    if platform is Platform.NONE:
        return
    if personal:
        raise InvalidContent(message("Links for a crowd platform cannot be personal."), code="personal_crowd")
    if platform is Platform.OTHER and not ways.get("person_param"):
        problem = message("Enter the URL parameter with the platform’s ID of the person.")
        raise InvalidContent(problem, code="no_person_param", fields={"person_param": problem})
    check_addresses({outcome: ways.get(f"{name}_url", "") for outcome, name in FIELDS.items()})


def _check_outcomes(ways: Mapping[str, str], failed_checks_from: int | None) -> None:
    check_codes({outcome: ways.get(f"{name}_code", "") for outcome, name in FIELDS.items()})
    has_way = ways.get("failed_checks_code") or ways.get("failed_checks_url")
    if has_way and not failed_checks_from:
        problem = message("Enter how many failed attention checks lead to this code.")
        raise InvalidContent(problem, code="no_failed_checks_number", fields={"failed_checks_from": problem})


def check_expiry(expires_at: datetime | None) -> None:
    """Refuse a new expiry that has passed already.

    Parameters
    ----------
    expires_at : datetime or None
        None for no expiry.

    Raises
    ------
    InvalidContent
        `expiry_passed`.
    """
    if expires_at is not None and expires_at <= timezone.now():
        problem = message("Choose an expiry date in the future.")
        raise InvalidContent(problem, code="expiry_passed", fields={"expires_at": problem})


def set_paused(*, invitation: Invitation, paused: bool, actor: User) -> Invitation:
    """Pause a link, or resume it. Raters who have joined continue while it is paused.

    Parameters
    ----------
    invitation : Invitation
        Any link.
    paused : bool
        Whether new raters are refused for now.
    actor : User
        User who pauses or resumes it.

    Raises
    ------
    NotAllowedNow
        The link is revoked (`link_revoked`).
    """
    with transaction.atomic():
        found = _usable(invitation)
        if (found.paused_at is not None) != paused:
            found.paused_at = timezone.now() if paused else None
            found.save(update_fields=["paused_at"])
            act = "pause_invitation" if paused else "resume_invitation"
            audit.record(study=found.study, actor=actor, act=act, invitation=found.pk)
    return found


def change_link(
    *,
    invitation: Invitation,
    actor: User,
    label: str,
    cap: int | None,
    expires_at: datetime | None,
    completion_code: str | None = None,
) -> Invitation:
    """Change the name, the limit, the expiry and the completion code of a link.

    Parameters
    ----------
    invitation, actor
        A link, and who changes it.
    label : str
        A name for members only.
    cap : int or None
        How many raters may join; raters who have joined stay. A personal link has none.
    expires_at : datetime or None
        Time after which no new rater can join; None for no expiry.
    completion_code : str or None
        The code with which finished raters return to the platform; None leaves it as it is.

    Raises
    ------
    InvalidContent
        A changed expiry has passed (`expiry_passed`), a personal link has a limit (`personal_limit`), a link
        that is for no platform gets a code (`code_without_platform`), or the code is that of another outcome
        (`duplicate_code`).
    NotAllowedNow
        The link is revoked (`link_revoked`).
    """
    with transaction.atomic():
        found = _usable(invitation)
        if cap is not None and found.rater_id is not None:
            problem = message("A personal link is for one rater. Leave the limit empty.")
            raise InvalidContent(problem, code="personal_limit", fields={"cap": problem})
        if expires_at != found.expires_at:
            check_expiry(expires_at)
        if completion_code is not None and completion_code != found.completion_code:
            _change_code(found, completion_code)
        found.label, found.cap, found.expires_at = label[:LONGEST_LINK_LABEL], cap, expires_at
        found.save(update_fields=["label", "cap", "expires_at", "completion_code"])
        audit.record(
            study=found.study,
            actor=actor,
            act="change_invitation",
            invitation=found.pk,
            cap=cap,
            expires_at=expires_at.isoformat() if expires_at else "",
        )
    return found


def _change_code(found: Invitation, code: str) -> None:
    if found.platform == Platform.NONE:
        problem = message("Only links for a crowd platform have codes. Leave the code empty.")
        raise InvalidContent(problem, code="code_without_platform", fields={"completion_code": problem})
    codes = {outcome: getattr(found, f"{name}_code") for outcome, name in FIELDS.items()}
    check_codes({**codes, Outcome.FINISHED: code})
    found.completion_code = code


def revoke(*, invitation: Invitation, actor: User) -> Invitation:
    """Make a link stop working; raters who joined through it continue."""
    with transaction.atomic():
        invitation.revoked_at = invitation.revoked_at or timezone.now()
        invitation.save(update_fields=["revoked_at"])
        audit.record(study=invitation.study, actor=actor, act="revoke_invitation", invitation=invitation.pk)
    return invitation


def replace_link(*, invitation: Invitation, actor: User | None) -> Invitation:
    """Give an invitation a new link; the old one stops working; raters who joined through it continue.

    Parameters
    ----------
    invitation : Invitation
        Open or personal, not revoked.
    actor : User or None
        User who replaces it; None for the rater of a personal link.

    Raises
    ------
    NotAllowedNow
        The link is revoked (`link_revoked`).
    """
    with transaction.atomic():
        found = _usable(invitation)
        found.token = new_token()
        found.save(update_fields=["token_digest", "sealed_token"])
        audit.record(study=found.study, actor=actor, act="replace_invitation", invitation=found.pk)
    return found


def _usable(invitation: Invitation) -> Invitation:
    """The link under the lock of its row, which is not revoked."""
    found = Invitation.objects.select_for_update(of=("self",)).get(pk=invitation.pk)
    if found.revoked_at is not None:
        raise NotAllowedNow(message("This link has been revoked. Create a new one."), code="link_revoked")
    return found


def next_rater_number(study: Study) -> int:
    """The number of the next free code of a study, 1 for `R-001`.

    Parameters
    ----------
    study : Study
        Locked by the caller.
    """
    codes = Rater.objects.filter(study=study, code__regex=r"^R-[0-9]{3,6}$").values_list("code", flat=True)
    return max((int(code.removeprefix("R-")) for code in codes), default=0) + 1


def _new_rater(
    study: Study,
    state: RaterState,
    join_key: uuid.UUID | None = None,
    came_by: Invitation | None = None,
) -> Rater:
    """The next free code of the study, `R-001` first; the caller holds the study's lock."""
    return Rater.objects.create(
        study=study,
        code=f"R-{next_rater_number(study):03d}",
        state=state,
        seed=secrets.randbelow(2**31),
        join_key=join_key,
        came_by=came_by,
    )


def check_admits(invitation: Invitation) -> None:
    """Refuse a new rater if the link is paused or has expired.

    Parameters
    ----------
    invitation : Invitation
        Open or personal.

    Raises
    ------
    NotAllowedNow
        `link_paused`, or `link_expired`.
    """
    if invitation.expires_at is not None and invitation.expires_at <= timezone.now():
        raise NotAllowedNow(
            message("This link has expired. Ask the research team for a new one."), code="link_expired"
        )
    if invitation.paused_at is not None:
        raise NotAllowedNow(message("This link is paused. Please come back later."), code="link_paused")
