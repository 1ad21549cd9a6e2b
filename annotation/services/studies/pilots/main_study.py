"""The main study of a pilot study: created as a copy that names its pilot, with answers of its own."""

from __future__ import annotations

from enum import StrEnum

from django.db import transaction
from django.db.models import Q

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import StudyState
from annotation.models import CalibrationItem, Item, Study, User
from annotation.selectors.questions.counting import submitted
from annotation.selectors.studies.definition import definition_of
from annotation.services.base import audit
from annotation.services.items.item_storage import NewItem
from annotation.services.items.media.copying import copied_contents, copy_media
from annotation.services.people.contact import set_contact
from annotation.services.studies.definitions import CreatedDraft, copied_items, create_from_definition


class MainItems(StrEnum):
    """The items to copy: all, those not retired, or those of them without a response."""

    ALL = "all"
    ACTIVE = "active"
    UNRATED = "unrated"


def create_main_study(
    *,
    pilot: Study,
    slug: str,
    title: str,
    owner: User,
    items: MainItems,
    refuse_raters: bool,
    with_pay: bool,
) -> CreatedDraft:
    """Create a draft as the main study of a pilot: its forms, checks, consent form, settings and items.

    Links, raters and responses stay with the pilot. The statistics of the two studies are separate.

    Parameters
    ----------
    pilot : Study
        Open, paused or closed.
    slug, title, owner
        The address, title and owner of the main study.
    items : MainItems
        Which items are copied.
    refuse_raters : bool
        Raters of the pilot cannot join the main study.
    with_pay : bool
        Copy the pay settings, for members who may see them.

    Returns
    -------
    CreatedDraft
        `left_out` lists the twins and calibration items whose item is not copied.

    Raises
    ------
    NotAllowedNow
        The pilot is a draft (`pilot_draft`) or a published study (`published_study`).
    InvalidContent
        No item is left for the main study (`no_items_left`).
    """
    _check_pilot(pilot)
    rows = tuple(NewItem.of(item) for item in _chosen(pilot, items))
    if not rows:
        left = message("No item is left for the main study. Choose other items.")
        raise InvalidContent(left, code="no_items_left", fields={"items": left})
    with copied_contents(pilot) as contents, transaction.atomic():
        made = create_from_definition(
            definition=definition_of(pilot, with_pay=with_pay),
            slug=slug,
            title=title,
            owner=owner,
            items=rows,
            number=contents.number,
        )
        copy_media(source=pilot, target=made.study, contents=contents)
        if pilot.contact:
            translations = pilot.contact_translations
            set_contact(study=made.study, actor=owner, contact=pilot.contact, translations=translations)
        made.study.pilot, made.study.refuse_pilot_raters = pilot, refuse_raters
        made.study.save(update_fields=["pilot", "refuse_pilot_raters"])
        audit.record(
            study=made.study,
            actor=owner,
            act="create_main_study",
            pilot=pilot.slug,
            items=items.value,
            refuse_pilot_raters=refuse_raters,
        )
        audit.record(study=pilot, actor=owner, act="begin_main_study", main_study=slug, items=items.value)
    return made


def _check_pilot(study: Study) -> None:
    if study.source:
        raise NotAllowedNow(
            message("A published study has no main study. Copy it instead."), code="published_study"
        )
    if study.state == StudyState.DRAFT:
        raise NotAllowedNow(
            message("A draft is no pilot study, because no one has rated in it. Copy it instead."),
            code="pilot_draft",
        )


def _chosen(pilot: Study, items: MainItems) -> list[Item]:
    """The items to copy; calibration items that are items of the study always come along."""
    found = copied_items(pilot)
    if items is not MainItems.ALL:
        found = found.filter(retired_at=None)
    if items is MainItems.UNRATED:
        rated = submitted(pilot).order_by().values("assignment__item")
        picked = CalibrationItem.objects.filter(qualification__study=pilot, picked=True).values("item")
        found = found.filter(~Q(pk__in=rated) | Q(pk__in=picked))
    return list(found)


def set_pilot_raters(*, study: Study, refused: bool, actor: User) -> Study:
    """Set whether raters of the pilot can join a main study; those who have joined stay.

    Parameters
    ----------
    study, actor
        A main study in any state, and the member who decides.
    refused : bool
        Whether they are refused when they come with the same platform ID or account.

    Raises
    ------
    NotAllowedNow
        The study has no pilot (`no_pilot`).
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if study.pilot_id is None:
            raise NotAllowedNow(message("This study has no pilot study."), code="no_pilot")
        if study.refuse_pilot_raters != refused:
            study.refuse_pilot_raters = refused
            study.save(update_fields=["refuse_pilot_raters"])
            audit.record(study=study, actor=actor, act="set_pilot_raters", refused=refused)
    return study
