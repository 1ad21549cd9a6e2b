"""`/jobs/<id>/`: the progress of a job, and stopping it."""

from __future__ import annotations

import time

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.domain.base.states import JobState
from annotation.models import ImportFile, Job
from annotation.permissions import Access, Act, acts_to_start, job_access, stop_access
from annotation.selectors.base.worker_words import (
    silence_of_job,
    trouble_of_queue,
    trouble_of_workforce,
)
from annotation.selectors.base.workers import Workforce, workforce
from annotation.services.base.job_kinds import queue_of
from annotation.services.base.jobs import cancel
from annotation.views.base.page import page, refusal_shown, shown_page, study_page

STOP_POLLING = 286
# `static/js/outdated.js` then reloads the page.
OUTDATED = "outdated"
# Most short work is done within this time; then the user does not notice the wait.
SECONDS_ON_PAGE = 2.0
LOOK_EVERY = 0.1
IMPORTS = {"import_items", "import_scores"}


@login_required
@require_safe
@never_cache
def job(request: HttpRequest, pk: int) -> HttpResponse:
    """The page, or only the part that changes for a request by htmx."""
    found, access = job_access(request.user, pk)
    locked = not all(map(access.may, acts_to_start(found)))
    context = {**page(access, "jobs"), "job": found, "cannot_stop": locked}
    if not getattr(request, "htmx", False):
        return render(request, "annotation/base/job.html", {**context, "file": _imported_file(found)})
    if not found.ended:
        return render(request, "components/job.html", context)
    response = render(request, "components/job.html", context, status=STOP_POLLING)
    response["HX-Trigger"] = OUTDATED
    return response


def _imported_file(job: Job) -> ImportFile | None:
    """The file that a job has imported."""
    if job.kind not in IMPORTS or job.state != JobState.DONE:
        return None
    return ImportFile.objects.filter(pk=job.params["file"], study=job.study).defer("rows").first()


def ended_soon(job: Job) -> bool:
    """Wait a moment for a job that was just asked for; whether it has ended, by what is stored now."""
    if connection.in_atomic_block or not workforce().takes(queue_of(job.kind).broker_name):
        return False
    until = time.monotonic() + SECONDS_ON_PAGE
    while time.monotonic() < until:
        time.sleep(LOOK_EVERY)
        job.refresh_from_db()
        if job.ended:
            return True
    return False


@study_page(get=Act.VIEW)
@never_cache
def jobs(request: HttpRequest, access: Access) -> HttpResponse:
    """The jobs of a study, newest first."""
    shown = shown_page(request, access.study.jobs.select_related("created_by").order_by("-pk"))
    force = workforce()
    context = {
        **page(access, "jobs"),
        "jobs": shown,
        "trouble_of_workforce": trouble_of_workforce(force),
        "troubles": {job.pk: words for job in shown if (words := _trouble_in_list(job, force))},
    }
    return render(request, "annotation/base/jobs.html", context)


def _trouble_in_list(job: Job, force: Workforce) -> str:
    """The problem of this job alone; problems of all jobs are shown above the list."""
    if job.state == JobState.QUEUED and not trouble_of_workforce(force):
        return trouble_of_queue(queue_of(job.kind), force)
    return silence_of_job(job, force)


@login_required
@require_POST
def cancel_job(request: HttpRequest, pk: int) -> HttpResponse:
    found = stop_access(request.user, pk)
    with refusal_shown(request):
        cancel(job=found)
        messages.success(request, _("Job stopped. Anything it saved before remains."))
    return redirect("job", pk=pk)
