"""`study-definitions/`, `studies/<study>/definition/` and `…/copy/`: studies as documents."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.refusal_schema import BODY, PERSON, refusals
from annotation.api.base.requests import caller, validated
from annotation.api.base.strict import StrictSerializer
from annotation.api.studies.addresses import new_address
from annotation.domain.base.limits import LONGEST_TITLE
from annotation.permissions import Act, study_access
from annotation.protocols.definition_schema import SCHEMA
from annotation.selectors.studies.definition import definition_of
from annotation.services.studies.definitions import CreatedDraft, copy_study, create_from_definition


class FromDefinitionSerializer(StrictSerializer):
    slug = serializers.SlugField(max_length=60)
    title = serializers.CharField(
        max_length=LONGEST_TITLE, required=False, help_text="In place of the definition's."
    )
    definition = serializers.DictField(
        child=serializers.JSONField(allow_null=True), help_text="As study-definitions/schema/ describes it."
    )


class CopySerializer(StrictSerializer):
    slug = serializers.SlugField(max_length=60)
    title = serializers.CharField(max_length=LONGEST_TITLE)
    with_items = serializers.BooleanField(required=False)


class DefinedSerializer(serializers.Serializer[Any]):
    slug = serializers.SlugField()
    left_out = serializers.ListField(
        child=serializers.CharField(), help_text="What needs an item that the study has not."
    )


class DefinitionsView(APIView):
    @extend_schema(
        operation_id="study_definition_import",
        summary="Make a draft study from a definition; the caller owns it",
        request=FromDefinitionSerializer,
        responses={201: DefinedSerializer, **refusals(*BODY, 401, 403, 422)},
    )
    def post(self, request: Request) -> Response:
        given = validated(FromDefinitionSerializer, request)
        with new_address():
            made = create_from_definition(owner=caller(request), **given)
        return _made(made)


class DefinitionSchemaView(APIView):
    authentication_classes = []
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="study_definition_schema",
        summary="The JSON Schema of study definitions",
        responses={200: OpenApiTypes.OBJECT},
        auth=[],
    )
    def get(self, request: Request) -> Response:
        return Response(SCHEMA)


class DefinitionView(APIView):
    @extend_schema(
        operation_id="study_definition_export",
        summary="The definition of a study; what raters are paid is in it for admins and owners",
        responses={200: OpenApiTypes.OBJECT, **refusals(*PERSON)},
    )
    def get(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.VIEW)
        return Response(definition_of(access.study, with_pay=access.may_manage))


class CopyView(APIView):
    @extend_schema(
        operation_id="study_copy",
        summary="Make a draft like a study, with its items or without; nobody's ratings are copied",
        request=CopySerializer,
        responses={201: DefinedSerializer, **refusals(*BODY, *PERSON, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.VIEW)
        given = validated(CopySerializer, request)
        wanted = {"with_items": False, **given}
        with new_address():
            made = copy_study(study=access.study, owner=access.user, with_pay=access.may_manage, **wanted)
        return _made(made)


def _made(made: CreatedDraft) -> Response:
    body = DefinedSerializer({"slug": made.study.slug, "left_out": made.left_out}).data
    return Response(body, status=status.HTTP_201_CREATED)
