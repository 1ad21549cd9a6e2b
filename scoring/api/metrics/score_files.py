"""`scores/imports/`: columns of scores from a file, checked at once and stored by a job as one run."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.parsers import BoundedUploadParser
from annotation.api.base.refusal_schema import BODY, PERSON, refusals
from annotation.api.base.requests import caller
from annotation.api.base.uploads import uploaded
from annotation.api.items.item_files import ImportAskedSerializer, MappedUploadSerializer
from annotation.domain.base.limits import LONGEST_MAPPING
from annotation.models import ImportFile
from annotation.permissions import Act, study_access
from scoring.services.metrics.score_files import import_at_once


class ScoreImportSerializer(MappedUploadSerializer):
    mapping = serializers.CharField(
        required=False,
        max_length=LONGEST_MAPPING,
        help_text="JSON: column → item, metric:NAME or nothing; else `item`, and every column of numbers.",
    )
    run = serializers.CharField(
        required=False, max_length=120, help_text="Its name; else that of the file without its ending."
    )
    replace = serializers.BooleanField(required=False, help_text="An imported run of that name.")


class ScoresImportedSerializer(serializers.Serializer[ImportFile]):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    n_rows = serializers.IntegerField()
    stored = serializers.IntegerField(allow_null=True, help_text="Items with scores; null before.")
    skipped = serializers.IntegerField(allow_null=True, help_text="Bad rows left out.")


class ScoreImportsView(APIView):
    parser_classes = [BoundedUploadParser]

    @extend_schema(
        operation_id="scores_import",
        summary="Check columns of scores as a whole and store them by a job",
        request={"multipart/form-data": ScoreImportSerializer},
        responses={202: ImportAskedSerializer, **refusals(*BODY, *PERSON, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.EDIT)
        sent = ScoreImportSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        wanted: dict[str, Any] = sent.validated_data
        with uploaded(request) as (path, name):
            file, job = import_at_once(
                study=access.study,
                actor=access.user,
                path=path,
                name=name,
                mapping=wanted.get("mapping") or None,
                run=wanted.get("run", ""),
                replace=wanted.get("replace", False),
                skip=wanted.get("skip_bad_rows", False),
            )
        return Response({"job": job.pk, "id": file.pk}, status=status.HTTP_202_ACCEPTED)


class ScoreImportView(APIView):
    @extend_schema(
        operation_id="scores_import_get",
        summary="What came of an import of scores",
        responses={200: ScoresImportedSerializer, **refusals(*PERSON)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        access = study_access(caller(request), slug, Act.VIEW)
        file = get_object_or_404(ImportFile, pk=pk, study=access.study, what=ImportFile.SCORES)
        return Response(ScoresImportedSerializer(file).data)
