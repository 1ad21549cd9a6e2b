"""Taking the list of contacts: that it was taken is written to the audit log."""

from __future__ import annotations

from annotation.models import Study, User
from annotation.selectors.base.table_types import Table
from annotation.selectors.people.contacts import contacts_of, contacts_table
from annotation.services.base import audit


def export_contacts(*, study: Study, actor: User, file_format: str) -> Table:
    """Which rater has which e-mail address, for those who have a log-in.

    Parameters
    ----------
    study : Study
        Whose raters.
    actor : User
        Who takes it.
    file_format : str
        The format of the file, for the log.

    Returns
    -------
    Table
    """
    audit.record(
        study=study, actor=actor, act="export_contacts", format=file_format, raters=contacts_of(study).count()
    )
    return contacts_table(study)
