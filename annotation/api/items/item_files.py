"""`imports/`: item files, checked at once and imported by a job."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.parsers import BoundedUploadParser
from annotation.api.base.requests import UploadSerializer, validated
from annotation.api.base.uploads import taken
from annotation.domain.base.bounded_json import has_half_character, load_json
from annotation.domain.base.limits import LONGEST_MAPPING
from annotation.domain.base.text_validation import HALF_CHARACTER, validated_text
from annotation.models import ImportFile
from annotation.permissions import Access, Act


def read_mapping(text: str) -> dict[str, str]:
    """Column → content, from JSON in a form field."""
    try:
        read = load_json(text)
    except ValueError as problem:
        raise serializers.ValidationError(f"This is not valid JSON: {str(problem)[:200]}") from problem
    if has_half_character(read):
        raise serializers.ValidationError(f"This text is invalid: {HALF_CHARACTER}.", code="lone_surrogate")
    if not isinstance(read, dict) or not all(isinstance(use, str) for use in read.values()):
        raise serializers.ValidationError("Send an object that maps each column to its content.")
    for word in (*read, *read.values()):
        validated_text(word)
    return read


class MappedUploadSerializer(UploadSerializer):
    """A file with the contents of its columns; rows with errors can be skipped."""

    skip_bad_rows = serializers.BooleanField(
        required=False, help_text="Skip rows with errors and import the rest."
    )

    def validate_mapping(self, value: str) -> dict[str, str]:
        return read_mapping(value)


class ImportRequestSerializer(MappedUploadSerializer):
    mapping = serializers.CharField(
        required=False,
        max_length=LONGEST_MAPPING,
        help_text="JSON: column → item, group, system, text:NAME, group+text:NAME, meta:NAME or "
        "empty; by default by name.",
    )
    update_items = serializers.BooleanField(required=False, help_text="Update existing items.")


class ImportedSerializer(serializers.Serializer[ImportFile]):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    n_rows = serializers.IntegerField()
    stored = serializers.IntegerField(
        allow_null=True, help_text="Added items; null until the file is imported."
    )
    updated = serializers.IntegerField(allow_null=True)
    skipped = serializers.IntegerField(allow_null=True, help_text="Skipped rows with errors.")


class ImportAskedSerializer(serializers.Serializer[Any]):
    """The job and ID of an import; while the file is still read, its job and the address of the result."""

    job = serializers.IntegerField()
    id = serializers.IntegerField(required=False, help_text="Missing until the file has been read.")
    upload = serializers.IntegerField(required=False)
    url = serializers.URLField(required=False, help_text="Address of the result of the import.")


def import_asked(outcome: Mapping[str, Any]) -> Response:
    """The response after a file was checked and its import job started."""
    return Response({"job": outcome["job"], "id": outcome["file"]}, status=status.HTTP_202_ACCEPTED)


class ImportsView(APIView):
    parser_classes = [BoundedUploadParser]

    @study_operation(
        Act.EDIT,
        "items_import_mapped",
        takes=ImportRequestSerializer,
        gives={202: ImportAskedSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Check an item file and import it by a job."""
        access.require_for_items()
        wanted = validated(ImportRequestSerializer, request)
        options = {
            "mapping": wanted.get("mapping") or None,
            "update": wanted.get("update_items", False),
            "skip": wanted.get("skip_bad_rows", False),
        }
        return taken(request, act="mapped", study=access.study, options=options, answer=import_asked)


class ImportView(APIView):
    @study_operation(Act.VIEW, "items_import_get", gives=ImportedSerializer)
    def get(self, request: Request, access: Access, pk: int) -> Response:
        """The result of an import."""
        file = get_object_or_404(ImportFile, pk=pk, study=access.study, what=ImportFile.ITEMS)
        return Response(ImportedSerializer(file).data)
