"""`rate/<study>/background/`, `…/qualification/`: the qualification of a rater."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base.operations import operation
from annotation.api.base.requests import validated
from annotation.api.rating.rate import RaterView
from annotation.api.rating.rate_pages import qualification_at, rater_of
from annotation.api.rating.rate_serializers import (
    BackgroundPageSerializer,
    NoteSerializer,
    QualificationSerializer,
    ReadSerializer,
)
from annotation.domain.base.errors import NotAllowedNow
from annotation.models import BackgroundPage, Rater
from annotation.selectors.quality.qualification import (
    notes_for,
    qualification_for,
    qualification_status,
    sees_notes,
)
from annotation.services.people.consent import check_consented
from annotation.services.quality.qualification_progress import read_page, start_attempt


class BackgroundView(RaterView):
    @operation("rate_background", gives=BackgroundPageSerializer(many=True), refuses=(409,))
    def get(self, request: Request, slug: str) -> Response:
        """The pages to read before the calibration items."""
        rater = rater_of(request, slug)
        check_consented(rater)
        return Response(BackgroundPageSerializer(_pages(rater), many=True).data)

    @operation(
        "rate_background_read",
        takes=ReadSerializer,
        gives=BackgroundPageSerializer(many=True),
        refuses=(409,),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Record that a page was read; pages are read in order."""
        rater = rater_of(request, slug)
        check_consented(rater)
        given = validated(ReadSerializer, request)
        rater = read_page(rater=rater, number=given["number"])
        return Response(BackgroundPageSerializer(_pages(rater), many=True).data)


class QualificationView(RaterView):
    @operation("rate_qualification", gives=QualificationSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Progress of the qualification; 404 if the study has none."""
        return Response(QualificationSerializer(_progress(rater_of(request, slug))).data)

    @operation("rate_qualification_again", gives={201: QualificationSerializer}, refuses=(409,))
    def post(self, request: Request, slug: str) -> Response:
        """Start another attempt after a failed one."""
        rater = rater_of(request, slug)
        start_attempt(rater=rater)
        return Response(QualificationSerializer(_progress(rater)).data, status=status.HTTP_201_CREATED)


class NotesView(RaterView):
    @operation("rate_notes", gives=NoteSerializer(many=True), refuses=(409,))
    def get(self, request: Request, slug: str) -> Response:
        """The calibration items with reference values and notes; 409 while they are hidden."""
        rater = rater_of(request, slug)
        qualification = qualification_for(rater)
        if qualification is None:
            raise Http404
        now = qualification_status(rater, qualification)
        if not sees_notes(qualification, now) or now.attempt is None:
            raise NotAllowedNow("The notes are not visible to raters.", code="notes_not_released")
        return Response(NoteSerializer(notes_for(rater, qualification, now.attempt), many=True).data)


def _pages(rater: Rater) -> list[dict[str, Any]]:
    pages = BackgroundPage.objects.filter(qualification__study=rater.study_id)
    return [
        {
            "number": number,
            "title": page.title,
            "text": page.text,
            "read": number <= rater.pages_read,
            "translations": page.translations,
        }
        for number, page in enumerate(pages, start=1)
    ]


def _progress(rater: Rater) -> dict[str, Any]:
    found = qualification_at(rater)
    if found is None:
        raise Http404
    return found
