"""The audit log: who did what when."""

from __future__ import annotations

from typing import Any

from annotation.models import AuditEntry, Study, User
from annotation.services.base.webhook_events import announce


def record(*, study: Study, actor: User | None, act: str, **detail: Any) -> AuditEntry:
    """Write one entry; called inside the transaction of the act itself.

    Parameters
    ----------
    study : Study
        Where it happened.
    actor : User or None
        Who did it; None for the system or a rater without a log-in.
    act : str
        What, in the words of the contracts.
    **detail
        JSON values that say more.
    """
    announce(study=study, event=act, detail=detail)
    return AuditEntry.objects.create(study=study, actor=actor, act=act, detail=detail)
