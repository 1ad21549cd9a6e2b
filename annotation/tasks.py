"""What workers do for the collecting side."""

from __future__ import annotations

import logging

from django.db import DatabaseError, close_old_connections

from annotation.services import jobs

logger = logging.getLogger(__name__)


def sweep_jobs(*, starting: bool = False) -> None:
    """Run by a timer inside every worker process; a database that is away is tried again next time."""
    close_old_connections()
    try:
        found = jobs.sweep(starting=starting)
    except DatabaseError:
        logger.exception("The sweep for unclaimed jobs failed")
        return
    if found:
        logger.info("Published %s unclaimed jobs again", found)
