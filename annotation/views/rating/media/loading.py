"""`/rate/<study>/media/<grant>/`: a media file for the rater who has its item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase
from django.views import View

from annotation.domain.base.states import RaterState
from annotation.models import Assignment, MediaFile, Rater
from annotation.selectors.items.media import guide_files
from annotation.selectors.rating.practice import practice_page
from annotation.views.items.media.sending import send_media
from annotation.views.rating.media.addresses import GUIDE, PRACTICE, Grant
from annotation.views.rating.rater_session import rater_for

NOT_FOUND = "There is no such file, or its address has expired. Load the page again."


class MediaView(View):
    """Only the browser of the rater gets the file: an address that is passed on is worth nothing."""

    def get(self, request: HttpRequest, slug: str, grant: str, **_: Any) -> HttpResponseBase:
        granted = Grant.read(grant)
        if granted is None:
            raise Http404(NOT_FOUND)
        rater = rater_for(request, slug)
        if rater.state == RaterState.WITHDRAWN:
            raise Http404(NOT_FOUND)
        file = MediaFile.objects.filter(pk=granted.file, study=rater.study_id).first()
        if file is None or file.name not in _fields(rater, granted.assignment).values():
            raise Http404(NOT_FOUND)
        return send_media(request, file, seconds=granted.seconds_left)


def _fields(rater: Rater, assignment: int) -> Mapping[str, str]:
    """The texts of the rater's item, of the practice item or names in the guide; none if not theirs."""
    if assignment == GUIDE:
        return {name: name for name in guide_files(rater.study)}
    if assignment == PRACTICE:
        own = practice_page(rater)
    else:
        own = Assignment.objects.filter(pk=assignment, rater=rater).select_related("item").first()
    return own.item.fields if own else {}
