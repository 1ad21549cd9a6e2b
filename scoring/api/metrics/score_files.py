"""`scores/imports/`: scores from a file, checked at once and stored by a job as one run."""

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
        help_text="JSON: column → item, metric:NAME or nothing. Default: `item` and all columns of numbers.",
    )
    run = serializers.CharField(
        required=False, max_length=120, help_text="Run name. Default: name of the file without its extension."
    )
    replace = serializers.BooleanField(required=False, help_text="Replace the imported run with this name.")


class ScoresImportedSerializer(serializers.Serializer[ImportFile]):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    n_rows = serializers.IntegerField()
    stored = serializers.IntegerField(
        allow_null=True, help_text="Items with imported scores; null before the import."
    )
    skipped = serializers.IntegerField(allow_null=True, help_text="Rows with errors that were skipped.")


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
        """Check a file of scores and import it in the background."""
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
        """Result of an import of scores."""
        file = get_object_or_404(ImportFile, pk=pk, study=access.study, what=ImportFile.SCORES)
        return Response(ScoresImportedSerializer(file).data)
