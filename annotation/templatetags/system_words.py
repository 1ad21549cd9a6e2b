"""Words for workers and the system: times, sizes, and reasons for jobs that do not progress."""

from __future__ import annotations

from datetime import datetime, timedelta

from django import template
from django.utils.translation import gettext as _

from annotation.models import Job
from annotation.selectors.base.worker_words import for_how_long, trouble_of_job
from annotation.selectors.base.workers import workforce
from annotation.services.base.job_kinds import queue_of

register = template.Library()


@register.filter
def ago(at: datetime, now: datetime) -> str:
    """How long ago: “3 seconds ago”."""
    return _("%(span)s ago") % {"span": for_how_long(now - at)}


@register.filter
def since(at: datetime, now: datetime) -> str:
    """How long it has been: “22 minutes”."""
    return for_how_long(now - at)


@register.filter
def span(length: timedelta) -> str:
    return for_how_long(length)


@register.filter
def part_words(part: str) -> str:
    """The name of a folder of the installation."""
    words = {
        "database": _("Database"),
        "uploads": _("Uploaded files and bundles"),
        "knowledge": _("Knowledge bases"),
        "models": _("Models"),
        "logs": _("Logs"),
        "static": _("Static files"),
    }
    return words.get(part, part)


@register.simple_tag
def trouble_of(job: Job) -> str:
    """Why a job does not progress; empty if a worker runs it or will, or if it has ended."""
    return "" if job.ended else trouble_of_job(job, queue_of(job.kind), workforce())
