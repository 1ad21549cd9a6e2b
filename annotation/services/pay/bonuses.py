"""Bonuses and the lists for their payment."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import MOST_MONEY
from annotation.domain.base.messages import message
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.wages import BonusLayout, BonusRow
from annotation.models import Bonus, Pay, PlatformIdentity, Rater, RaterKind, Study, User
from annotation.selectors.base.table_types import Table
from annotation.selectors.pay.costs import pay_figures, pay_of
from annotation.selectors.people.platform_ids import identities_of, platform_ids_table
from annotation.services.base import audit

PLATFORMS = {BonusLayout.PROLIFIC: Platform.PROLIFIC, BonusLayout.MTURK: Platform.MTURK}
COLUMNS = {
    BonusLayout.TABLE: ("rater", "amount", "currency", "reason", "note"),
    BonusLayout.PROLIFIC: ("person", "amount"),
    BonusLayout.MTURK: ("WorkerId", "AssignmentId", "BonusAmount", "Reason"),
}
ID_COLUMNS = ("platform", "person", "session")
REASONS = {
    "top_up": "Top-up to the minimum hourly rate of this study.",
    "bonus": "Bonus for your work.",
    "top_up+bonus": "Top-up to the minimum hourly rate of this study, and a bonus.",
}


def grant_bonus(*, rater: Rater, amount: Decimal, note: str, actor: User) -> Bonus | None:
    """Grant a rater a bonus, which replaces an earlier one; 0 removes it.

    Parameters
    ----------
    rater, amount, actor
        A person, not simulated; the amount in the currency of the study's pay; and who grants it.
    note : str
        What it is for, seen by members and on the list.

    Raises
    ------
    NotAllowedNow
        `no_pay`: the study's currency is not set yet.
    InvalidContent
        `bad_bonus`: the amount is negative or too great, the note too long, or the rater not a person.
    """
    _check_bonus(rater, amount, note)
    with transaction.atomic():
        rater = Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
        if pay_of(rater.study) is None:
            raise NotAllowedNow(message("Set the pay rate first. A bonus needs a currency."), code="no_pay")
        if amount:
            granted = {"amount": amount, "note": note.strip(), "author": actor}
            bonus, _ = Bonus.objects.update_or_create(rater=rater, defaults=granted)
        else:
            bonus = None
            Bonus.objects.filter(rater=rater).delete()
        audit.record(
            study=rater.study, actor=actor, act="grant_bonus", rater=rater.code, amount=str(amount), note=note
        )
    return bonus


def _check_bonus(rater: Rater, amount: Decimal, note: str) -> None:
    if not 0 <= amount <= MOST_MONEY or len(note) > 200:
        sentence = message(
            "Enter a bonus between 0 and %(most)s and a reason of at most 200 characters.", most=MOST_MONEY
        )
        raise InvalidContent(sentence, code="bad_bonus")
    if rater.simulated or rater.kind != RaterKind.PERSON:
        sentence = message("%(code)s is not a person and cannot be paid.", code=rater.code)
        raise InvalidContent(sentence, code="bad_bonus")


def export_bonuses(*, study: Study, actor: User, layout: BonusLayout, with_ids: bool) -> Table:
    """The current bonus list; its export is written to the audit log.

    Parameters
    ----------
    study, actor
        A study with its pay set, and who exports.
    layout : BonusLayout
        A platform's list has only the raters who came from it.
    with_ids : bool
        Include the platform's IDs.

    Raises
    ------
    NotAllowedNow
        `no_pay`: no pay rate is set; `nobody_from_platform`: no rater of the list came from the platform.
    InvalidContent
        `ids_needed`: a platform's list needs its IDs.
    """
    if layout is not BonusLayout.TABLE and not with_ids:
        raise InvalidContent(
            message("Crowd platforms need their own IDs. Include platform IDs or choose the table format."),
            code="ids_needed",
        )
    pay = pay_of(study)
    if pay is None:
        raise NotAllowedNow(message("Set the pay rate first. Bonuses need a currency."), code="no_pay")
    bonuses = pay_figures(study, pay).bonuses
    known = {one.rater.code: one for one in identities_of(study)} if with_ids else {}
    if layout in PLATFORMS:
        bonuses = tuple(row for row in bonuses if _platform(known.get(row.rater)) == PLATFORMS[layout])
        if not bonuses:
            raise NotAllowedNow(
                message("No rater with a top-up or bonus came from this platform."),
                code="nobody_from_platform",
            )
    rows = _rows(study, pay, layout, bonuses, known)
    columns = COLUMNS[layout] + (ID_COLUMNS if with_ids and layout is BonusLayout.TABLE else ())
    audit.record(
        study=study,
        actor=actor,
        act="export_bonuses",
        layout=layout.value,
        platform_ids=with_ids,
        raters=len(rows),
        total=str(sum((row.amount for row in bonuses), Decimal(0))),
    )
    return columns, rows


def export_platform_ids(*, study: Study, actor: User, file_format: str) -> Table:
    """Table of the raters' platform IDs; its export, with the file's format, is written to the audit log.

    Parameters
    ----------
    study : Study
        Whose raters.
    actor : User
        Who takes it.
    file_format : str
        The format of the file, for the log.
    """
    audit.record(
        study=study,
        actor=actor,
        act="export_platform_ids",
        format=file_format,
        raters=identities_of(study).count(),
    )
    return platform_ids_table(study)


def _platform(identity: PlatformIdentity | None) -> str:
    return "" if identity is None else identity.platform


def _rows(
    study: Study,
    pay: Pay,
    layout: BonusLayout,
    bonuses: tuple[BonusRow, ...],
    known: Mapping[str, PlatformIdentity],
) -> list[dict[str, Any]]:
    notes = dict(Bonus.objects.filter(rater__study=study).values_list("rater__code", "note"))
    rows: list[dict[str, Any]] = []
    for row in bonuses:
        identity = known.get(row.rater)
        note = notes.get(row.rater, "")
        person, session = (identity.person, identity.session) if identity else ("", "")
        rows.append(
            {
                "rater": row.rater,
                "amount": str(row.amount),
                "currency": pay.currency,
                "reason": row.reason,
                "note": note,
                "platform": _platform(identity),
                "person": person,
                "session": session,
            }
            if layout is not BonusLayout.MTURK
            else {
                "WorkerId": person,
                "AssignmentId": session,
                "BonusAmount": str(row.amount),
                "Reason": note or REASONS[row.reason],
            }
        )
    return rows
