"""`exports/`: a table of a study as a file, streamed."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation.api.describing import PERSON, refusals
from annotation.api.requests import caller
from annotation.api.strict import StrictSerializer
from annotation.io.writers import CONTENT_TYPES, write_rows
from annotation.permissions import Act, study_access
from scoring.selectors.exports import EXPORTED, table_of


class ExportQuerySerializer(StrictSerializer):
    what = serializers.ChoiceField(choices=EXPORTED, default="ratings")
    format = serializers.ChoiceField(choices=tuple(CONTENT_TYPES), default="csv")
    all_revisions = serializers.BooleanField(default=False, help_text="Earlier revisions of ratings too.")
    bom = serializers.BooleanField(default=False, help_text="Begin CSV and TSV with a byte order mark.")


class ExportView(APIView):
    @extend_schema(
        operation_id="exports_get",
        summary="A table of the study as a file",
        parameters=[ExportQuerySerializer],
        responses={
            **{
                (200, kind.partition(";")[0]): OpenApiResponse(OpenApiTypes.BINARY)
                for kind in CONTENT_TYPES.values()
            },
            **refusals(400, *PERSON),
        },
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        access = study_access(caller(request), slug, Act.VIEW)
        asked = ExportQuerySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        wanted = asked.validated_data
        columns, rows = table_of(access.study, wanted["what"], all_revisions=wanted["all_revisions"])
        name = f"{slug}-{wanted['what']}.{wanted['format']}"
        return StreamingHttpResponse(
            write_rows(rows, columns, wanted["format"], bom=wanted["bom"]),
            content_type=CONTENT_TYPES[wanted["format"]],
            headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
        )
