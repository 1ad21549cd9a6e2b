"""`/site/system/`: the state of the installation, for site administrators."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from annotation.models import User
from annotation.selectors.base.job_counts import failures_of_a_day, recent_work, unfinished_upkeep
from annotation.selectors.base.readiness import OK, readiness
from annotation.selectors.base.system import disk, versions
from annotation.selectors.base.worker_words import troubles
from annotation.selectors.base.workers import workforce
from annotation.views.base.page import site_page


@site_page("GET")
def system(request: HttpRequest, administrator: User) -> HttpResponse:
    """What needs attention first; then workers, work, disk and versions. Studies appear as numbers."""
    force, work = workforce(), recent_work()
    waiting = [kind for kind in work if kind.waiting]
    context = {
        "tab": "system",
        "now": timezone.now(),
        "attention": [
            *troubles(force),
            *unfinished_upkeep(),
            *(check.message for check in readiness() if check.state != OK and check.part != "workers"),
        ],
        "force": force,
        "work": work,
        "n_waiting": sum(kind.waiting for kind in waiting),
        "oldest": min((kind.oldest for kind in waiting if kind.oldest), default=None),
        "failures": failures_of_a_day(),
        "n_failed": sum(kind.failed for kind in work),
        "disk": disk(),
        "versions": versions(),
    }
    return render(request, "annotation/base/system.html", context)
