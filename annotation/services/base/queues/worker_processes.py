"""Heartbeats of workers, with the jobs that they work on."""

from __future__ import annotations

import os
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from annotation.models import WorkerProcess

# After so long without a heartbeat, another worker deletes the row.
FORGOTTEN_AFTER = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Presence:
    """The constant properties of a running worker."""

    key: uuid.UUID
    name: str
    host: str
    pid: int
    version: str
    queues: tuple[str, ...]
    slots: int
    started_at: datetime


def arrive(*, presence: Presence) -> None:
    """Register a worker that has started, replacing those that it succeeds.

    Parameters
    ----------
    presence : Presence
        The worker. Rows of the same name on the same host are deleted if their process has ended.
    """
    same = WorkerProcess.objects.filter(name=presence.name, host=presence.host).exclude(key=presence.key)
    gone = [row.key for row in same if row.pid == presence.pid or not _is_running(row.pid)]
    WorkerProcess.objects.filter(key__in=gone).delete()
    beat(presence=presence, jobs=[], slot_beats=[])


def beat(*, presence: Presence, jobs: list[int], slot_beats: list[float]) -> None:
    """Record that a worker is alive.

    Parameters
    ----------
    presence : Presence
        The worker.
    jobs : list of int
        Ids of the jobs that it is working on.
    slot_beats : list of float
        When each process of its pool was last heard of, in seconds since 1970.
    """
    now = timezone.now()
    WorkerProcess.objects.update_or_create(
        key=presence.key,
        defaults={"seen_at": now, "jobs": jobs, "slot_beats": slot_beats},
        create_defaults={
            "name": presence.name,
            "host": presence.host,
            "pid": presence.pid,
            "version": presence.version,
            "queues": list(presence.queues),
            "slots": presence.slots,
            "started_at": presence.started_at,
            "seen_at": now,
            "jobs": jobs,
            "slot_beats": slot_beats,
        },
    )
    WorkerProcess.objects.filter(~Q(key=presence.key), seen_at__lt=now - FORGOTTEN_AFTER).delete()


def leave(*, key: uuid.UUID) -> None:
    """Delete the row of a worker that stops.

    Parameters
    ----------
    key : UUID
        Of its presence.
    """
    WorkerProcess.objects.filter(key=key).delete()


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
