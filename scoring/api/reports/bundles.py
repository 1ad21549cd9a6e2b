"""`bundle/`: the whole study as an archive, made by a job."""

from __future__ import annotations

from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.permissions import Access, Act
from annotation.services.base.audit import record_download
from scoring.api.base.jobs import STARTED, started
from scoring.bundle.contents import ASKED
from scoring.bundle.release.publication import LICENCES, LONGEST_AUTHOR, MOST_AUTHORS, TEXT_LICENCES
from scoring.services.reports.bundles import newest_bundle, open_bundle, request_bundle


class BundleSerializer(StrictSerializer):
    formats = serializers.ListField(
        child=serializers.ChoiceField(choices=ASKED),
        default=list,
        help_text="Of the main tables, beside CSV and Parquet.",
    )
    bom = serializers.BooleanField(default=False, help_text="Begin CSV and TSV with a byte order mark.")
    judges = serializers.BooleanField(
        default=False,
        help_text="Include the answers of automatic judges, how these came about, and their report.",
    )
    licence = serializers.ChoiceField(
        choices=["", *LICENCES], default="", help_text="SPDX identifier of the licence of the data."
    )
    texts_licence = serializers.ChoiceField(
        choices=["", *TEXT_LICENCES],
        default="",
        help_text="Of the texts of items: empty for that of the data, `none` where others have the rights.",
    )
    authors = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_AUTHOR),
        default=list,
        max_length=MOST_AUTHORS,
        help_text="Authors of the data, such as `Duarte, Ines (0000-0002-1825-0097)`; a group has one name.",
    )


class BundleView(APIView):
    @study_operation(
        Act.VIEW, "bundle_get", gives={(200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY)}
    )
    def get(self, request: Request, access: Access) -> FileResponse:
        """The newest export bundle; 404 where there is none.

        It has the answers of automatic judges if the request that made it asked for them.
        """
        job = newest_bundle(access.study, with_pay=access.may_manage)
        file = None if job is None else open_bundle(job)
        if file is None:
            raise Http404
        if request.method == "GET":
            record_download(study=access.study, actor=access.user, what="bundle", file_format="zip")
        return FileResponse(
            file, as_attachment=True, filename=f"{access.slug}.zip", content_type="application/zip"
        )

    @study_operation(Act.VIEW, "bundle_create", takes=BundleSerializer, gives=STARTED, refuses=(409, 422))
    def post(self, request: Request, access: Access) -> Response:
        """Make an export bundle: 202 with the job that does it."""
        given = validated(BundleSerializer, request)
        job = request_bundle(study=access.study, actor=access.user, with_pay=access.may_manage, **given)
        return started(job, request)
