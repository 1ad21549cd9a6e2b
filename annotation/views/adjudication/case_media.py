"""`/studies/<study>/adjudication/<case>/media/<file>/`: a media file for those who see its case."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404

from annotation.models import MediaFile
from annotation.permissions import Access, Act
from annotation.selectors.adjudication.second_opinions import reachable_cases
from annotation.views.base.page import study_page
from annotation.views.items.media.files import CACHE_SECONDS
from annotation.views.items.media.sending import send_media


@study_page(get=Act.CASES)
def case_media(request: HttpRequest, access: Access, pk: int, file: int) -> HttpResponseBase:
    """A file that the item of the case names."""
    cases = reachable_cases(access.study, access.own_cases_of).select_related("item")
    found = get_object_or_404(cases, pk=pk)
    named = get_object_or_404(MediaFile, pk=file, study=access.study)
    if named.name not in found.item.fields.values():
        raise Http404("The item of this case does not name this file.")
    return send_media(request, named, seconds=CACHE_SECONDS)
