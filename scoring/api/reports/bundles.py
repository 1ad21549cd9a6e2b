"""`bundle/`: the whole study as an archive, made by a job."""

from __future__ import annotations

from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.refusal_schema import BODY, PERSON, refusals
from annotation.api.base.requests import caller
from annotation.api.base.strict import StrictSerializer
from annotation.permissions import Act, study_access
from scoring.api.base.jobs import STARTED, started
from scoring.bundle.contents import ASKED
from scoring.services.reports.bundles import newest_bundle, open_bundle, request_bundle


class BundleSerializer(StrictSerializer):
    formats = serializers.ListField(
        child=serializers.ChoiceField(choices=ASKED),
        default=list,
        help_text="Of the main tables, beside CSV and Parquet.",
    )
    bom = serializers.BooleanField(default=False, help_text="Begin CSV and TSV with a byte order mark.")


class BundleView(APIView):
    @extend_schema(
        operation_id="bundle_get",
        summary="The newest export bundle; 404 where there is none",
        responses={(200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY), **refusals(*PERSON)},
    )
    def get(self, request: Request, slug: str) -> FileResponse:
        access = study_access(caller(request), slug, Act.VIEW)
        job = newest_bundle(access.study, with_pay=access.may_manage)
        file = None if job is None else open_bundle(job)
        if file is None:
            raise Http404
        return FileResponse(file, as_attachment=True, filename=f"{slug}.zip", content_type="application/zip")

    @extend_schema(
        operation_id="bundle_create",
        summary="Make an export bundle: 202 with the job that does it",
        request=BundleSerializer,
        responses={**STARTED, **refusals(*BODY, *PERSON, 409)},
    )
    def post(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.VIEW)
        asked = BundleSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        job = request_bundle(
            study=access.study, actor=caller(request), with_pay=access.may_manage, **asked.validated_data
        )
        return started(job, request)
