"""Pages that accept files: a worker reads each file while its sender waits, if necessary on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from annotation.domain.base.states import StudyState
from annotation.models import Study, Upload, User
from annotation.selectors.base.own_uploads import OwnUpload, unstored_uploads
from annotation.selectors.base.worker_words import trouble_of_job
from annotation.selectors.base.workers import workforce
from annotation.services.base.job_kinds import queue_of
from annotation.services.base.jobs import cancel
from annotation.services.base.uploads.receiving import dismiss_upload, has_ended, receive_upload, wait_for
from annotation.views.base.jobs import OUTDATED, SECONDS_ON_PAGE, STOP_POLLING
from annotation.views.base.page import person, redirect_back, refusal_shown


def receive_on_page(
    request: HttpRequest,
    *,
    act: str,
    file: UploadedFile[Any] | Sequence[UploadedFile[Any]],
    study: Study | None = None,
    options: dict[str, Any] | None = None,
) -> Upload:
    """Store what was sent to this page, and wait a moment until it is read; raises as `receive_upload`."""
    upload = receive_upload(
        act=act, file=file, actor=person(request), study=study, options=options, page=request.path
    )
    wait_for(upload, seconds=SECONDS_ON_PAGE)
    return upload


def sent_upload(request: HttpRequest, *acts: str) -> Upload | None:
    """The upload that the address names, if the visitor sent it to this page for one of these acts."""
    number = request.GET.get("upload", "")
    if request.method == "POST" or not (number.isdecimal() and len(number) < 19):
        return None
    uploads = Upload.objects.select_related("job", "study").filter(page=request.path, act__in=acts)
    return uploads.filter(pk=number, created_by=person(request)).first()


def still_reading(request: HttpRequest, upload: Upload) -> HttpResponse | None:
    """The page that waits for an upload; None if it has been read or refused."""
    polled = getattr(request, "htmx", False)
    if has_ended(upload):
        if request.method == "POST" and upload.refusal is not None:
            # The answer to this request gives the reason, so no list needs it.
            dismiss_upload(upload=upload)
        if not polled:
            return None
        return HttpResponse(status=STOP_POLLING, headers={"HX-Trigger": OUTDATED, "HX-Reswap": "none"})
    if request.method == "POST":
        return redirect(f"{upload.page}?upload={upload.pk}")
    template = "components/upload.html" if polled else "annotation/base/upload.html"
    context: dict[str, Any] = {"upload": upload, "job": upload.job, "study": upload.study}
    response = render(request, template, context)
    response["Cache-Control"] = "no-store"
    return response


def items_added(count: int, name: str, study: Study) -> str:
    """The message with the number of items added from a file, and how to undo it."""
    sentence = ngettext("%(n)s item added from %(file)s.", "%(n)s items added from %(file)s.", count)
    added = sentence % {"n": f"{count:,}", "file": name}
    if study.state == StudyState.DRAFT:
        undo = _("To undo this, remove the items under “Items”.")
    else:
        undo = _("To undo this, retire the items under “Change items”.")
    return f"{added} {undo}" if count else added


def report_encoding(request: HttpRequest, title: str) -> None:
    """Report an encoding other than UTF-8, so that the sender checks the texts."""
    if title:
        sentence = _("The file is encoded as %(name)s, not UTF-8. Check that the texts below look right.")
        messages.info(request, sentence % {"name": title})


def listed_uploads(user: User) -> list[tuple[OwnUpload, str]]:
    """The unsaved files of a person, each with the reason why it does not progress."""
    found = unstored_uploads(user)
    if all(one.job.ended for one in found):
        return [(one, "") for one in found]
    force = workforce()
    return [(one, trouble_of_job(one.job, queue_of(one.job.kind), force)) for one in found]


@login_required
@require_POST
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop reading a file of the user."""
    upload = _sent_on_page(request, pk)
    with refusal_shown(request):
        if upload.job is not None:
            cancel(job=upload.job)
        if "next" in request.POST:
            messages.success(
                request, _("Stopped reading %(name)s. Nothing was saved.") % {"name": upload.name}
            )
    return redirect_back(request, f"{upload.page}?upload={upload.pk}")


@login_required
@require_POST
def dismiss(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a refused file of the user from the list."""
    upload = _sent_on_page(request, pk)
    with refusal_shown(request):
        dismiss_upload(upload=upload)
    return redirect_back(request, upload.page)


def _sent_on_page(request: HttpRequest, pk: int) -> Upload:
    own = Upload.objects.filter(created_by=person(request)).exclude(page="")
    return get_object_or_404(own.select_related("job"), pk=pk)
