"""Files with ratings of items: `ratings/`, `imports/tuples/`, `imports/errors/` and `imports/probing/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.parsers import BoundedUploadParser
from annotation.api.base.requests import StoredSerializer, UploadSerializer, validated
from annotation.api.base.uploads import UploadStateSerializer, taken
from annotation.domain.questions.cmdag_records import LOCATIONS
from annotation.permissions import Access, Act
from annotation.services.items.tuple_files import EARLIER


class TuplesFileSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(help_text="CMDAG's own JSON: a list of objects with metaphor_id, context, …")
    rater = serializers.CharField(
        required=False, max_length=64, help_text=f"Rater code for the tuples; by default `{EARLIER}`."
    )


class LocatedSerializer(serializers.Serializer[Any]):
    """`wholly`, `partly`, `not`."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {where: serializers.IntegerField() for where in LOCATIONS}


class TuplesStoredSerializer(serializers.Serializer[Any]):
    items = serializers.IntegerField()
    tuples = serializers.IntegerField()
    located = LocatedSerializer(
        help_text="Numbers of tuples by whether tenor and vehicle were found in the text."
    )


class ProbingFileSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(help_text="File with the columns of the published sets.")
    answers = serializers.BooleanField(
        required=False, help_text="Store `human_idx` as ratings of an anonymous rater."
    )


class FileProblemSerializer(serializers.Serializer[Any]):
    file = serializers.CharField()
    row = serializers.IntegerField()
    column = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    message = serializers.CharField()


class QuestionsStoredSerializer(serializers.Serializer[Any]):
    questions = serializers.IntegerField()
    answers = serializers.IntegerField()
    refused = FileProblemSerializer(
        many=True, help_text="Answers that match no option; their questions are imported."
    )


class TuplesFileView(APIView):
    parser_classes = [BoundedUploadParser]

    @study_operation(
        Act.EDIT,
        "tuples_import",
        takes=TuplesFileSerializer,
        gives={201: TuplesStoredSerializer, 202: UploadStateSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Import sentences with their tuples from a CMDAG JSON file into a draft."""
        given = validated(TuplesFileSerializer, request)
        options = {"rater": given.get("rater", EARLIER)}
        return taken(request, act="tuples", study=access.study, options=options, answer=_stored)


class ErrorsFileView(APIView):
    parser_classes = [BoundedUploadParser]

    @study_operation(
        Act.EDIT,
        "errors_import",
        takes=UploadSerializer,
        gives={201: StoredSerializer, 202: UploadStateSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Import texts with marked errors from a published file into a draft."""
        return taken(request, act="errors", study=access.study, answer=_stored)


class ProbingFileView(APIView):
    parser_classes = [BoundedUploadParser]

    @study_operation(
        Act.EDIT,
        "probing_import",
        takes=ProbingFileSerializer,
        gives={201: QuestionsStoredSerializer, 202: UploadStateSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Import questions from a file of a probing set into a draft."""
        given = validated(ProbingFileSerializer, request)
        options = {"answers": given.get("answers", False)}
        return taken(request, act="probing", study=access.study, options=options, answer=_stored)


class RatingsView(APIView):
    parser_classes = [BoundedUploadParser]

    @study_operation(
        Act.EDIT,
        "ratings_import",
        takes=UploadSerializer,
        gives={201: StoredSerializer, 202: UploadStateSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Import a ratings file into a study without raters; all or nothing."""
        return taken(request, act="ratings", study=access.study, answer=_stored)


def _stored(outcome: Mapping[str, Any]) -> Response:
    return Response(outcome, status=status.HTTP_201_CREATED)
