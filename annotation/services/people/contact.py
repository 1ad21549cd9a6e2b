"""Whom the raters of a study can write to, and by which addresses they can be reached."""

from __future__ import annotations

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.text_validation import is_one_line
from annotation.models import Study, User
from annotation.selectors.base.table_types import Table
from annotation.selectors.people.contacts import contacts_of, contacts_table
from annotation.services.base import audit

LONGEST_CONTACT = 200


def set_contact(*, study: Study, actor: User | None, contact: str) -> None:
    """Set whom raters can contact, in a study of any state.

    Parameters
    ----------
    study, actor
        The study, and who decides; None for the program itself.
    contact : str
        A name, an address, or both, on one line; empty for nobody.

    Raises
    ------
    InvalidContent
        `bad_contact`: longer than 200 characters, or not one line of plain text.
    """
    contact = contact.strip()
    if len(contact) > LONGEST_CONTACT or not is_one_line(contact):
        raise InvalidContent(
            f"The contact is one line of at most {LONGEST_CONTACT} characters.", code="bad_contact"
        )
    with transaction.atomic():
        locked = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        before, locked.contact = locked.contact, contact
        if contact != before:
            locked.save(update_fields=["contact"])
            audit.record(study=study, actor=actor, act="set_contact", contact=contact)
    study.contact = contact


def export_contacts(*, study: Study, actor: User, file_format: str) -> Table:
    """Table of the raters' e-mail addresses; its export and format are written to the audit log.

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
        study=study, actor=actor, act="export_contacts", format=file_format, raters=contacts_of(study).count()
    )
    return contacts_table(study)
