"""The audit log: who did what, and when."""

from __future__ import annotations

from typing import Any

from annotation.models import AuditEntry, Study, User
from annotation.services.base.webhook_events import announce


def record(*, study: Study, actor: User | None, act: str, **detail: Any) -> AuditEntry:
    """Write one entry; called inside the transaction of the act itself.

    Parameters
    ----------
    study, actor, act
        Where it happened, who did it (None for the system or a rater without an account), and its name.
    **detail
        Further JSON values.
    """
    announce(study=study, event=act, detail=detail)
    return AuditEntry.objects.create(study=study, actor=actor, act=act, detail=detail)


def record_download(*, study: Study, actor: User, what: str, file_format: str) -> AuditEntry:
    """Write that a member took data of a study as a file, on a page or by the API.

    Parameters
    ----------
    study, actor
        Whose data, and who took them.
    what : str
        The table or document, such as `ratings`; `bundle` for an archive.
    file_format : str
        Its format.
    """
    return record(study=study, actor=actor, act="download", what=what, format=file_format)


def record_for_site(*, actor: User | None, act: str, **detail: Any) -> AuditEntry:
    """Write an entry about the installation as a whole; called inside the transaction of the act itself.

    Parameters
    ----------
    actor, act
        Who did it (None on the command line, or for the program itself), and its name.
    **detail
        Further JSON values; `account` is the address of the account that it is about.
    """
    return AuditEntry.objects.create(study=None, actor=actor, act=act, detail=detail)
