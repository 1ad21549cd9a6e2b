"""`releases/`: versions of the data that were made for publication, and what reviewers will miss."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import listed, study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import LONGEST_REASON
from annotation.domain.base.timestamps import DAY, EXACT, ROUNDINGS
from annotation.models import Release
from annotation.permissions import Access, Act
from scoring.api.base.jobs import STARTED, started
from scoring.api.reports.sheet import SECTION
from scoring.bundle.release.publication import LICENCES, LONGEST_AUTHOR, MOST_AUTHORS, TEXT_LICENCES
from scoring.services.reports.release_findings import HEADS
from scoring.services.reports.release_state import release_state
from scoring.services.reports.releases import request_release


class ReleaseSerializer(serializers.Serializer[Release]):
    version = serializers.CharField(help_text="Such as 1.0.")
    created_at = serializers.DateTimeField()
    note = serializers.CharField(allow_blank=True)
    licence = serializers.CharField(allow_blank=True)
    judges = serializers.BooleanField(
        source="job.params.judges", default=False, help_text="Whether it has answers of automatic judges."
    )
    times = serializers.CharField(
        source="job.params.times", default=EXACT, help_text="How far times in tables are rounded."
    )
    digest = serializers.CharField(help_text="SHA-256 of the archive.")
    counts = serializers.DictField(help_text="Items, raters, responses, ratings, figures, answers of judges.")
    earlier = serializers.CharField(source="earlier.version", default=None, allow_null=True)
    difference = serializers.DictField(
        help_text="By the same names `added`, `removed` and `changed` since `earlier`; empty if not known."
    )


class NewReleaseSerializer(StrictSerializer):
    licence = serializers.ChoiceField(
        choices=["", *LICENCES], default="", help_text="SPDX identifier of the licence of the data."
    )
    texts_licence = serializers.ChoiceField(
        choices=["", *TEXT_LICENCES],
        default="",
        help_text="Of the texts of items: empty for that of the data, `none` where others have the rights.",
    )
    authors = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_AUTHOR), default=list, max_length=MOST_AUTHORS
    )
    times = serializers.ChoiceField(
        choices=ROUNDINGS, default=DAY, help_text="How far times in tables are rounded."
    )
    note = serializers.CharField(
        max_length=LONGEST_REASON, allow_blank=True, default="", help_text="What is new."
    )
    judges = serializers.BooleanField(
        default=False,
        help_text="Include the answers of automatic judges, how these came about, and their report.",
    )
    major = serializers.BooleanField(
        default=False, help_text="Results that used the last release no longer hold: 2.0 after 1.3."
    )


class FindingSerializer(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=list(HEADS))
    is_missing = serializers.BooleanField()
    is_note = serializers.BooleanField(help_text="Not missing, but to be read or considered.")
    head = serializers.CharField()
    why = serializers.CharField()


class ReleasesView(ListAPIView[Release]):
    serializer_class = ReleaseSerializer

    @study_operation(
        Act.VIEW, "releases_list", tags=SECTION, gives=ReleaseSerializer(many=True), refuses=(400,)
    )
    def get(self, request: Request, access: Access) -> Response:
        """Releases, the newest first."""
        return listed(self, Release.objects.filter(study=access.study).select_related("earlier", "job"))

    @study_operation(
        Act.MANAGE,
        "release_create",
        tags=SECTION,
        takes=NewReleaseSerializer,
        gives=STARTED,
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Make a release: 202 with the job that does it."""
        given = validated(NewReleaseSerializer, request)
        return started(request_release(study=access.study, actor=access.user, **given), request)


class FindingsView(APIView):
    @study_operation(Act.VIEW, "release_findings", tags=SECTION, gives=FindingSerializer(many=True))
    def get(self, request: Request, access: Access) -> Response:
        """What reviewers look for, and whether it is missing."""
        found = release_state(access.study, with_pay=access.may_manage).findings
        return Response(FindingSerializer(found, many=True).data)
