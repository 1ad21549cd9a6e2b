"""`exports/`: a table of a study as a file, streamed."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.strict import StrictSerializer
from annotation.io.base.writers import CONTENT_TYPES, write_rows
from annotation.permissions import Access, Act
from annotation.selectors.questions.documents import DOCUMENTS
from annotation.selectors.studies.exports import FOR_VIEWERS, without_comments
from annotation.services.base.audit import record_download
from scoring.selectors.reports.exports import EXPORTED, table_of


class ExportQuerySerializer(StrictSerializer):
    what = serializers.ChoiceField(choices=(*EXPORTED, *DOCUMENTS), default="ratings")
    format = serializers.ChoiceField(
        choices=tuple(CONTENT_TYPES), default="csv", help_text="Of a table; cmdag is JSON, bio is text."
    )
    all_revisions = serializers.BooleanField(default=False, help_text="Earlier revisions of ratings too.")
    bom = serializers.BooleanField(default=False, help_text="Begin CSV and TSV with a byte order mark.")


class ExportView(APIView):
    @study_operation(
        Act.READ,
        "exports_get",
        gives={
            (200, kind.partition(";")[0]): OpenApiResponse(
                OpenApiTypes.ANY if kind == "application/json" else OpenApiTypes.BINARY
            )
            for kind in (*CONTENT_TYPES.values(), *(one.content_type for one in DOCUMENTS.values()))
        },
        parameters=[ExportQuerySerializer],
        refuses=(400,),
    )
    def get(self, request: Request, access: Access) -> StreamingHttpResponse:
        """A table of the study as a file. The audit log records who took it."""
        asked = ExportQuerySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        wanted = asked.validated_data
        what, chosen = wanted["what"], wanted["format"]
        if what not in FOR_VIEWERS:
            access.require(Act.VIEW)
        if what in DOCUMENTS:
            document = DOCUMENTS[what]
            pieces, kind, ending = document.pieces(access.study), document.content_type, document.ending
        else:
            table = table_of(access.study, what, all_revisions=wanted["all_revisions"])
            columns, rows = table if access.may_view else without_comments(table)
            pieces = write_rows(rows, columns, chosen, bom=wanted["bom"])
            kind, ending = CONTENT_TYPES[chosen], chosen
        if request.method == "GET":
            record_download(study=access.study, actor=access.user, what=what, file_format=ending)
        return StreamingHttpResponse(
            pieces,
            content_type=kind,
            headers={
                "Content-Disposition": f'attachment; filename="{access.slug}-{what}.{ending}"',
                "Cache-Control": "no-store",
            },
        )
