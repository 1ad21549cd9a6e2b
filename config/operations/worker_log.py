"""A worker logs as the settings say, where they say JSON; otherwise Celery sets its own lines up."""

from __future__ import annotations

import os
from typing import Any

from celery.signals import celeryd_init, setup_logging


def follow_settings() -> None:
    """Keep Celery from replacing what Django has configured, and from printing its banner among the lines."""
    if os.environ.get("GROUNDWORK_LOG_FORMAT", "").strip() == "json":
        setup_logging.connect(_leave_as_it_is)
        celeryd_init.connect(_without_banner)


def _leave_as_it_is(**_: Any) -> None:
    """A receiver of this signal is what tells Celery that logging is set up already."""


def _without_banner(instance: Any, **_: Any) -> None:
    instance.quiet = True
