"""The contact of a study, and the email addresses of its raters."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.limits import LONGEST_CONTACT
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import is_one_line
from annotation.models import Study, User
from annotation.selectors.base.table_types import Table
from annotation.selectors.people.contacts import contacts_of, contacts_table
from annotation.services.base import audit
from annotation.services.questions.text_languages import offered_translations


def set_contact(
    *, study: Study, actor: User | None, contact: str, translations: Mapping[str, str] | None = None
) -> None:
    """Set the contact for raters, in a study of any state.

    Parameters
    ----------
    study, actor
        The study, and who decides; None for the program itself.
    contact : str
        A name, an address, or both, on one line; empty for no contact.
    translations : mapping of str to str or None
        Language of raters’ pages → the contact in it; None for as it is, or none where the contact changes.
        Not stored where the contact is empty.

    Raises
    ------
    InvalidContent
        `bad_contact`: longer than 200 characters, or not one line of plain text; `language_not_offered`.
    """
    contact = contact.strip()
    given = {language: text.strip() for language, text in (translations or {}).items() if text.strip()}
    offered_translations(given)
    if not contact:
        given = {}
    if any(len(text) > LONGEST_CONTACT or not is_one_line(text) for text in [contact, *given.values()]):
        raise InvalidContent(
            message("Enter the contact on one line of at most %(n)d characters.", n=LONGEST_CONTACT),
            code="bad_contact",
        )
    with transaction.atomic():
        locked = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        same = contact == locked.contact
        translated = locked.contact_translations if same and translations is None else given
        if not same or translated != locked.contact_translations:
            locked.contact, locked.contact_translations = contact, translated
            locked.save(update_fields=["contact", "contact_translations"])
            audit.record(study=study, actor=actor, act="set_contact", contact=contact)
    study.contact, study.contact_translations = contact, translated


def export_contacts(*, study: Study, actor: User, file_format: str) -> Table:
    """Table of the raters' email addresses; the audit log records the export.

    Parameters
    ----------
    study : Study
        Study of the raters.
    actor : User
        User who exports it.
    file_format : str
        The format of the file, for the log.
    """
    audit.record(
        study=study, actor=actor, act="export_contacts", format=file_format, raters=contacts_of(study).count()
    )
    return contacts_table(study)
