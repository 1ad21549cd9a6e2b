"""`scores/imports/`: columns of scores from a file, checked at once and stored by a job as one run."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.parsers import BoundedUploadParser
from annotation.api.base.requests import validated
from annotation.api.base.uploads import taken
from annotation.api.items.item_files import ImportAskedSerializer, MappedUploadSerializer, import_asked
from annotation.domain.base.limits import LONGEST_MAPPING
from annotation.models import ImportFile
from annotation.permissions import Access, Act


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

    @study_operation(
        Act.EDIT,
        "scores_import",
        takes=ScoreImportSerializer,
        gives={202: ImportAskedSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Check columns of scores as a whole and store them by a job."""
        wanted = validated(ScoreImportSerializer, request)
        options = {
            "mapping": wanted.get("mapping") or None,
            "run": wanted.get("run", ""),
            "replace": wanted.get("replace", False),
            "skip": wanted.get("skip_bad_rows", False),
        }
        return taken(request, act="mapped_scores", study=access.study, options=options, answer=import_asked)


class ScoreImportView(APIView):
    @study_operation(Act.VIEW, "scores_import_get", gives=ScoresImportedSerializer)
    def get(self, request: Request, access: Access, pk: int) -> Response:
        """What came of an import of scores."""
        file = get_object_or_404(ImportFile, pk=pk, study=access.study, what=ImportFile.SCORES)
        return Response(ScoresImportedSerializer(file).data)
