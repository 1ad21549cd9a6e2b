"""Pages that take files: a worker reads them; the sender waits a moment, then on a page that says so."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotation.models import Study, Upload
from annotation.selectors.base.worker_words import trouble_of_job
from annotation.selectors.base.workers import workforce
from annotation.services.base.job_kinds import queue_of
from annotation.services.base.uploads.receiving import has_ended, receive_upload, wait_for
from annotation.views.base.page import person

# Most files are read within it; then nobody sees that they had to wait.
SECONDS_ON_PAGE = 2.0
STOP_POLLING = 286


def receive_on_page(
    request: HttpRequest,
    *,
    act: str,
    file: UploadedFile[Any],
    study: Study | None = None,
    options: dict[str, Any] | None = None,
) -> Upload:
    """Keep a file sent to this page, and wait a moment for it to be read; raises as `receive_upload`."""
    upload = receive_upload(
        act=act, file=file, actor=person(request), study=study, options=options, page=request.path
    )
    wait_for(upload, seconds=SECONDS_ON_PAGE)
    return upload


def sent_upload(request: HttpRequest, *acts: str) -> Upload | None:
    """The upload that the address names, where the visitor has sent it to this page for one of these acts."""
    number = request.GET.get("upload", "")
    if request.method == "POST" or not (number.isdecimal() and len(number) < 19):
        return None
    uploads = Upload.objects.select_related("job", "study").filter(page=request.path, act__in=acts)
    return uploads.filter(pk=number, created_by=person(request)).first()


def still_reading(request: HttpRequest, upload: Upload) -> HttpResponse | None:
    """Where to wait for an upload that is still being read; None for one that is read or refused."""
    polled = getattr(request, "htmx", False)
    if has_ended(upload):
        if not polled:
            return None
        response = HttpResponse(status=STOP_POLLING)
        response["HX-Refresh"] = "true"
        return response
    if request.method == "POST":
        return redirect(f"{upload.page}?upload={upload.pk}")
    template = "components/upload.html" if polled else "annotation/base/upload.html"
    context: dict[str, Any] = {"upload": upload, "job": upload.job, "study": upload.study}
    if upload.job is not None:
        context["trouble"] = trouble_of_job(upload.job, queue_of(upload.job.kind), workforce())
    response = render(request, template, context)
    response["Cache-Control"] = "no-store"
    return response
