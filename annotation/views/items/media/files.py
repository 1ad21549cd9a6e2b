"""`/studies/<study>/settings/media/`: the media files of a study, sent, described and removed."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.errors import FileRefused, GroundworkError, InvalidContent
from annotation.domain.base.states import StudyState
from annotation.models import MediaFile, Upload
from annotation.permissions import Access, Act
from annotation.selectors.items.media import files_of, media_gaps
from annotation.services.base.uploads.receiving import outcome_of
from annotation.services.items.media.sent import reading_options
from annotation.services.items.media.storing import describe_media, remove_media
from annotation.views.base.page import page, refusal_shown, shown_page, study_page
from annotation.views.base.uploads import receive_on_page, sent_upload, still_reading
from annotation.views.items.media.sending import send_media

ACT = "media"
ROWS = 50
# Members may see a file as long as they see the page.
CACHE_SECONDS = 600
ACCEPTED = ".png,.jpg,.jpeg,.gif,.webp,.mp3,.wav,.ogg,.oga,.opus,.flac,.m4a,.mp4,.webm,.zip,.csv,.tsv,.xlsx"


@study_page(get=Act.READ, post=Act.EDIT, files=True)
def media_files(request: HttpRequest, access: Access) -> HttpResponse:
    refusal, status = None, 200
    upload = sent_upload(request, ACT)
    sent = request.FILES.getlist("files") if request.method == "POST" else []
    if upload is not None or sent:
        try:
            upload = upload or _receive(request, access, sent)
            return still_reading(request, upload) or _stored(request, upload, access)
        except GroundworkError as found:
            refusal, status = found, 422 if isinstance(found, InvalidContent) else 409
    context = {
        **page(access, "items"),
        "files": shown_page(request, files_of(access.study), size=ROWS),
        "gaps": media_gaps(access.study),
        "refusal": refusal,
        "problems": refusal.problems if isinstance(refusal, FileRefused) else [],
        "accepted": ACCEPTED,
        "may_add": access.may_edit if access.study.state == StudyState.DRAFT else access.may_manage,
        "is_draft": access.study.state == StudyState.DRAFT,
    }
    return render(request, "annotation/items/media/files.html", context, status=status)


@study_page(post=Act.EDIT)
def change_media(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Describe or remove one file."""
    access.require_for_items()
    file = get_object_or_404(MediaFile, pk=pk, study=access.study)
    with refusal_shown(request):
        if request.POST.get("act") == "remove":
            remove_media(study=access.study, name=file.name, actor=access.user)
            messages.success(request, _("%(file)s removed.") % {"file": file.name})
        else:
            words: dict[str, Any] = {
                name: request.POST.get(name, getattr(file, name)).replace("\r\n", "\n")
                for name in ("alt", "transcript")
            }
            describe_media(study=access.study, name=file.name, actor=access.user, **words)
            messages.success(request, _("%(file)s described.") % {"file": file.name})
    return redirect("study-media", slug=access.slug)


@study_page(get=Act.READ)
def media_file(request: HttpRequest, access: Access, pk: int) -> HttpResponseBase:
    """The file itself, for a member of the study."""
    return send_media(request, get_object_or_404(MediaFile, pk=pk, study=access.study), seconds=CACHE_SECONDS)


def _receive(request: HttpRequest, access: Access, sent: list[Any]) -> Upload:
    access.require_for_items()
    return receive_on_page(
        request, act=ACT, file=sent, study=access.study, options=reading_options(access.study)
    )


def _stored(request: HttpRequest, upload: Upload, access: Access) -> HttpResponse:
    outcome = outcome_of(upload)
    added = ngettext("%(n)s media file added.", "%(n)s media files added.", outcome["added"])
    messages.success(request, added % {"n": f"{outcome['added']:,}"})
    return redirect("study-media", slug=access.slug)
