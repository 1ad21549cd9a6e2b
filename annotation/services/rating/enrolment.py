"""Enrolment of raters: joining by a link, returning, and previews by members."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import NoSeatLeft, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.platforms import Entry, Platform
from annotation.domain.base.states import DesignKind, RaterState, StudyState
from annotation.domain.items.rater_codes import trial_codes
from annotation.models import Invitation, Membership, PlatformIdentity, Rater, RaterKind, Study, User
from annotation.selectors.seats.no_work_reason import explain_no_work_for_new_rater
from annotation.services.pay.admission import admission_to, check_budget, recent_admission
from annotation.services.people.consent import note_agreement
from annotation.services.people.identity import hashed_persons, store_matches
from annotation.services.people.invitations import _new_rater, check_admits
from annotation.services.quality.check_places import planned_checks
from annotation.services.rating.join_limits import counted_join
from annotation.services.rating.next_item import seats_left, target_for

# Fields of a link that a member may change while a rater joins by it.
LIMITS = ("revoked_at", "paused_at", "expires_at", "cap")


def consent(
    *,
    invitation: Invitation,
    user: User | None = None,
    join_key: uuid.UUID | None = None,
    entry: Entry | None = None,
    version: int | None = None,
    network: str | None = None,
    interface_language: str = "",
) -> Rater:
    """Join a study: the rater has read the consent text and agrees.

    Parameters
    ----------
    invitation, user
        The link that was followed, and the account, where there is one.
    join_key : UUID or None
        Key of the page that was sent; the same page again is the same rater.
    entry : Entry or None
        Who comes from a crowd platform; the same person again is the same rater.
    version : int or None
        The version of the consent text that was read; None for the one in force. If a newer one is in
        force by now, the rater is asked again at the next page.
    network : str or None
        Where the request comes from; so many new raters may join from one network in ten minutes.
        None where no request asks: a simulation joins as many as it was asked for.
    interface_language : str
        Language of the page on which the consent text was read; empty where it is not known.

    Returns
    -------
    Rater
        The link's own rater, or a new one with a personal link to come back by.

    Raises
    ------
    NotAllowedNow
        The link is revoked, paused or expired, the study is not open, the person is a member, has withdrawn,
        rates already, or took part in the pilot of a study that refuses its raters (`took_part_in_pilot`);
        or the link is a platform's and the person is unknown (`not_from_platform`).
    NoSeatLeft
        There is nothing to rate, the link has brought as many raters as it may, or the budget of the study
        does not pay another rater (`budget_used`).
    InvalidContent
        There is no such version of the consent text (`no_such_consent_text`).
    TooManyJoins
        Too many joined by this link just now (`too_many_joins`).
    """
    # Counted before the study is locked: in a large one it takes longer than all the rest.
    study = Study.objects.select_related("pay").get(pk=invitation.study_id)
    items = target_for(study=study, panel=invitation.panel)
    admission = admission_to(study=study, panel=invitation.panel, items=items)
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=invitation.study_id)
        # A link that was revoked or paused since it was read admits no rater.
        invitation.refresh_from_db(fields=LIMITS)
        check_open(invitation, study)
        _check_who(invitation, study, user, entry)
        rater = _find(invitation, study, user, join_key, entry)
        if rater is None or rater.consented_at is None:
            refuse_pilot_rater(study=study, user=user, entry=entry)
        with counted_join(invitation=invitation, network=network if rater is None else None):
            rater = rater or _newcomer(invitation, study, join_key if entry is None else None)
            if rater.state == RaterState.WITHDRAWN:
                raise NotAllowedNow(message("You have withdrawn from this study."), code="rater_withdrawn")
            if entry is not None:
                _note_identity(rater, invitation, entry)
            if rater.consented_at is None:
                check_admits(invitation)
                check_budget(study=study, admission=admission, panel=invitation.panel)
                _check_log_in(rater, user)
                rater.study = study
                _agree(rater, user, version, _join_panel(rater, invitation, items), interface_language)
                if study.pilot is not None and study.pilot_pooled_at is not None:
                    store_matches(study=study, pilot=study.pilot, main_rater=rater)
    return rater


def _join_panel(rater: Rater, invitation: Invitation, items: int) -> int:
    """Put a rater into the panel of the link, unless they have one; how many items their panel has for them.

    `items` is how many the panel of the link has.
    """
    if rater.panel_id not in {None, invitation.panel_id}:
        return target_for(study=rater.study, panel=rater.panel)
    rater.panel = rater.panel or invitation.panel
    return items


def _find(
    invitation: Invitation, study: Study, user: User | None, join_key: uuid.UUID | None, entry: Entry | None
) -> Rater | None:
    """The rater known by the link, the platform, the account or the page."""
    rater = _locked(invitation.rater or find_person(study=study, entry=entry))
    if rater is None and entry is None:
        rater = _rater_of(study, user) or _rater_by_page(study, join_key)
    return rater


def _newcomer(invitation: Invitation, study: Study, join_key: uuid.UUID | None) -> Rater:
    """A new rater with a personal link."""
    check_places(invitation=invitation, study=study)
    rater = _new_rater(study, RaterState.INVITED, join_key, came_by=invitation)
    Invitation.objects.create(study=study, rater=rater, created_by=invitation.created_by)
    return rater


def _check_who(invitation: Invitation, study: Study, user: User | None, entry: Entry | None) -> None:
    if invitation.platform != Platform.NONE and entry is None:
        raise NotAllowedNow(
            message("This link is for a crowd platform. Open the study from there."),
            code="not_from_platform",
        )
    if user is not None and Membership.objects.filter(study=study, user=user).exists():
        raise NotAllowedNow(
            message("You are a member of this study. Open a preview instead."), code="is_member"
        )


def find_person(*, study: Study, entry: Entry | None) -> Rater | None:
    """The existing rater of a person from a platform, through any link or session.

    Parameters
    ----------
    study : Study
        The study to join.
    entry : Entry or None
        Platform and ID of the person; None where no platform sent them.
    """
    if entry is None or entry.preview:
        return None
    found = PlatformIdentity.objects.filter(
        study=study,
        platform=entry.platform,
        person__in=[entry.person, *hashed_persons(study, entry.platform.value, entry.person)],
    )
    identity = found.select_related("rater__study").first()
    return None if identity is None else identity.rater


def refuse_pilot_rater(*, study: Study, user: User | None, entry: Entry | None) -> None:
    """Refuse a person who joined the pilot of a study with the same platform ID or account, if it says so.

    Parameters
    ----------
    study : Study
        The study to join.
    user, entry
        The account and the platform ID of the person, where they are known.

    Raises
    ------
    NotAllowedNow
        `took_part_in_pilot`.
    """
    pilot = study.pilot
    if pilot is None or not study.refuse_pilot_raters:
        return
    if find_person(study=pilot, entry=entry) is not None or _rater_of(pilot, user) is not None:
        raise NotAllowedNow(
            message(
                "You took part in the pilot of this study, so you cannot take part again. Thank you for your "
                "interest."
            ),
            code="took_part_in_pilot",
        )


def check_same_session(*, rater: Rater, entry: Entry) -> None:
    """Refuse a rater's platform ID in an unknown browser, without the session in which that rater came.

    Parameters
    ----------
    rater : Rater
        From a crowd platform.
    entry : Entry
        Who comes, in a browser that is not known to be the rater's.

    Raises
    ------
    NotAllowedNow
        `came_elsewhere`: a platform's ids are known to many, so the id alone opens nothing.
    """
    identity = PlatformIdentity.objects.get(rater=rater)
    if entry.session and (entry.task, entry.session) == (identity.task, identity.session):
        return
    raise NotAllowedNow(
        message(
            "This ID already takes part from another device or browser, or in another session of the "
            "platform."
        ),
        code="came_elsewhere",
    )


def check_capacity(*, invitation: Invitation, study: Study) -> None:
    """Refuse a new rater if no items are left, the link has reached its limit or the budget is used.

    Parameters
    ----------
    invitation, study
        An open link, and its study.

    Raises
    ------
    NoSeatLeft
        `no_seat_left`, `link_full` or `budget_used`.
    """
    check_places(invitation=invitation, study=study)
    check_budget(study=study, admission=recent_admission(study=study, panel=invitation.panel))


def check_places(*, invitation: Invitation, study: Study) -> None:
    """Refuse a new rater if no items are left or the link has reached its limit.

    Parameters
    ----------
    invitation, study
        An open link, and its study.

    Raises
    ------
    NoSeatLeft
        `no_seat_left`, or `link_full`.
    """
    if invitation.cap is not None and invitation.joined.count() >= invitation.cap:
        raise NoSeatLeft(
            message("This link has reached its maximum number of raters. Thank you for your interest."),
            code="link_full",
        )
    if study.design == DesignKind.PANELS and invitation.panel is None:
        raise NotAllowedNow(
            message("This link belongs to no panel. Ask the research team for another link."), code="no_panel"
        )
    if not seats_left(study=study, panel=invitation.panel):
        raise NoSeatLeft(explain_no_work_for_new_rater(study=study, panel=invitation.panel))


def revisit(*, rater: Rater, invitation: Invitation, entry: Entry) -> None:
    """Record the latest session of a rater from a platform; the return to the platform uses it.

    Nothing is recorded for a rater who has withdrawn.

    Parameters
    ----------
    rater, invitation
        A rater who returns, and the link they followed.
    entry : Entry
        Platform, ID and session of this visit.
    """
    with transaction.atomic():
        found = _locked(rater)
        if found is not None and found.state != RaterState.WITHDRAWN:
            _note_identity(found, invitation, entry)


def _locked(rater: Rater | None) -> Rater | None:
    """Lock the rater and read the row again: earlier values may be out of date."""
    if rater is None:
        return None
    return Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)


def _note_identity(rater: Rater, invitation: Invitation, entry: Entry) -> None:
    PlatformIdentity.objects.update_or_create(
        rater=rater,
        defaults={
            "study_id": rater.study_id,
            "invitation": invitation,
            "platform": entry.platform.value,
            "person": entry.person,
            "task": entry.task,
            "session": entry.session,
            "submit_to": entry.submit_to,
        },
    )


def _check_log_in(rater: Rater, user: User | None) -> None:
    other = None if user is None else Rater.objects.filter(study=rater.study, user=user).exclude(pk=rater.pk)
    if other is not None and other.exists():
        raise NotAllowedNow(
            message(
                "Your account already takes part in this study. Continue there, or sign out to use this link."
            ),
            code="already_rates",
        )


def check_open(invitation: Invitation, study: Study) -> None:
    """Refuse a revoked link and a study that is not open, in words for the rater.

    Parameters
    ----------
    invitation, study
        A link, and its study.

    Raises
    ------
    NotAllowedNow
        `study_draft`, `study_paused` or `study_closed`, or the link is revoked (`link_revoked`).
    """
    if invitation.revoked_at is not None:
        raise NotAllowedNow(
            message("This link no longer works. Ask the research team for a new one."), code="link_revoked"
        )
    if study.state == StudyState.OPEN:
        return
    if study.state == StudyState.PAUSED and invitation.rater is not None and invitation.rater.consented_at:
        return
    words = {
        StudyState.DRAFT: message("This study has not started yet."),
        StudyState.PAUSED: message("This study is paused. Please come back later."),
        StudyState.CLOSED: message("This study is closed. Thank you for your interest."),
    }
    raise NotAllowedNow(words[StudyState(study.state)], code=f"study_{study.state}")


def trial_rater(*, study: Study, user: User) -> Rater:
    """Return the rater as which a member previews the task; its answers are never counted.

    Parameters
    ----------
    study, user
        A study in any state, and the member who tries it.
    """
    codes = trial_codes(user.pk)
    found = study.raters.filter(kind=RaterKind.TRIAL, code__in=codes).first()
    if found is not None:
        return found
    imported = study.raters.filter(code=codes[0]).exclude(kind=RaterKind.TRIAL).exists()
    rater, _ = study.raters.get_or_create(
        code=codes[imported],
        kind=RaterKind.TRIAL,
        defaults={
            "state": RaterState.ACTIVE,
            "consented_at": timezone.now(),
            "seed": 0,
        },
    )
    return rater


def _rater_of(study: Study, user: User | None) -> Rater | None:
    return None if user is None else Rater.objects.filter(study=study, user=user).first()


def _rater_by_page(study: Study, join_key: uuid.UUID | None) -> Rater | None:
    return None if join_key is None else Rater.objects.filter(study=study, join_key=join_key).first()


def _agree(rater: Rater, user: User | None, version: int | None, items: int, interface_language: str) -> None:
    rater.consented_at = timezone.now()
    note_agreement(
        rater=rater, number=version, when=rater.consented_at, interface_language=interface_language
    )
    rater.state = RaterState.CONSENTED
    rater.target = items + sum(planted.after <= items for planted in planned_checks(rater, items=items))
    if user is not None and rater.user_id is None:
        rater.user = user
    rater.save(update_fields=["consented_at", "consent_number", "state", "target", "user", "panel"])
