"""`imports/tuples/` and `imports/probing/`: files of published sets, with what annotators said in them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.parsers import BoundedUploadParser
from annotation.api.base.refusal_schema import BODY, PERSON, refusals
from annotation.api.base.requests import caller, validated
from annotation.api.base.uploads import uploaded
from annotation.domain.questions.cmdag_records import LOCATIONS
from annotation.permissions import Act, study_access
from annotation.services.items.probing_files import import_probing
from annotation.services.items.tuple_files import EARLIER, import_tuples


class TuplesFileSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(help_text="CMDAG's own JSON: a list of objects with metaphor_id, context, …")
    rater = serializers.CharField(
        required=False, max_length=64, help_text=f"Whose tuples they are; `{EARLIER}` where left out."
    )


class LocatedSerializer(serializers.Serializer[Any]):
    """`wholly`, `partly`, `not`."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {where: serializers.IntegerField() for where in LOCATIONS}


class TuplesStoredSerializer(serializers.Serializer[Any]):
    items = serializers.IntegerField()
    tuples = serializers.IntegerField()
    located = LocatedSerializer(help_text="Tuples by how tenor and vehicle were found in the text.")


class ProbingFileSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(help_text="With the columns of the published sets.")
    answers = serializers.BooleanField(
        required=False, help_text="Store `human_idx` as the answers of an anonymous rater."
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
        many=True, help_text="Answers that are no option; their questions are kept."
    )


class TuplesFileView(APIView):
    parser_classes = [BoundedUploadParser]

    @extend_schema(
        operation_id="tuples_import",
        summary="Add the sentences of a file in CMDAG's JSON to a draft, with their tuples",
        request={"multipart/form-data": TuplesFileSerializer},
        responses={201: TuplesStoredSerializer, **refusals(*BODY, *PERSON, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.EDIT)
        given = validated(TuplesFileSerializer, request)
        code = given.get("rater", EARLIER)
        with uploaded(request) as (path, name):
            loaded = import_tuples(study=access.study, path=path, name=name, rater=code, actor=access.user)
        return Response(TuplesStoredSerializer(loaded).data, status=status.HTTP_201_CREATED)


class ProbingFileView(APIView):
    parser_classes = [BoundedUploadParser]

    @extend_schema(
        operation_id="probing_import",
        summary="Add the questions of a file of a probing set to a draft",
        request={"multipart/form-data": ProbingFileSerializer},
        responses={201: QuestionsStoredSerializer, **refusals(*BODY, *PERSON, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.EDIT)
        given = validated(ProbingFileSerializer, request)
        answers = given.get("answers", False)
        with uploaded(request) as sent:
            loaded = import_probing(study=access.study, paths=[sent], answers=answers, actor=access.user)
        return Response(QuestionsStoredSerializer(loaded).data, status=status.HTTP_201_CREATED)
