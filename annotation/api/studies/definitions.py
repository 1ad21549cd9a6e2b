"""`study-definitions/`, `studies/<study>/definition/` and `…/copy/`: studies as documents."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import operation, study_operation
from annotation.api.base.requests import caller, validated
from annotation.api.base.strict import StrictSerializer
from annotation.api.studies.study_serializers import new_address
from annotation.domain.base.limits import LONGEST_TITLE
from annotation.permissions import Access, Act
from annotation.protocols.definition_schema import SCHEMA
from annotation.selectors.studies.definition import definition_of
from annotation.services.studies.definitions import CreatedDraft, copy_study, create_from_definition


class FromDefinitionSerializer(StrictSerializer):
    slug = serializers.SlugField(max_length=60)
    title = serializers.CharField(
        max_length=LONGEST_TITLE, required=False, help_text="Replaces the title of the definition."
    )
    definition = serializers.DictField(
        child=serializers.JSONField(allow_null=True),
        help_text="Study definition; see study-definitions/schema/ for its schema.",
    )


class CopySerializer(StrictSerializer):
    slug = serializers.SlugField(max_length=60)
    title = serializers.CharField(max_length=LONGEST_TITLE)
    with_items = serializers.BooleanField(required=False)


class DefinedSerializer(serializers.Serializer[Any]):
    slug = serializers.SlugField()
    left_out = serializers.ListField(
        child=serializers.CharField(),
        help_text="Parts left out because they need items that the study does not have.",
    )


class DefinitionsView(APIView):
    @operation(
        "study_definition_import",
        takes=FromDefinitionSerializer,
        gives={201: DefinedSerializer},
        person=(401, 403),
        refuses=(422,),
    )
    def post(self, request: Request) -> Response:
        """Create a draft study from a definition; the caller owns it."""
        given = validated(FromDefinitionSerializer, request)
        with new_address():
            made = create_from_definition(owner=caller(request), **given)
        return _made(made)


class DefinitionSchemaView(APIView):
    authentication_classes = []
    permission_classes = [AllowAny]

    @operation("study_definition_schema", gives=OpenApiTypes.OBJECT, person=(), auth=[])
    def get(self, request: Request) -> Response:
        """The JSON Schema of study definitions."""
        return Response(SCHEMA)


class DefinitionView(APIView):
    @study_operation(Act.VIEW, "study_definition_export", gives=OpenApiTypes.OBJECT)
    def get(self, request: Request, access: Access) -> Response:
        """The definition of a study; for admins and owners, it includes the pay."""
        return Response(definition_of(access.study, with_pay=access.may_manage))


class CopyView(APIView):
    @study_operation(
        Act.VIEW, "study_copy", takes=CopySerializer, gives={201: DefinedSerializer}, refuses=(422,)
    )
    def post(self, request: Request, access: Access) -> Response:
        """Copy a study to a new draft, with or without its items; ratings are not copied."""
        given = validated(CopySerializer, request)
        wanted = {"with_items": False, **given}
        with new_address():
            made = copy_study(study=access.study, owner=access.user, with_pay=access.may_manage, **wanted)
        return _made(made)


def _made(made: CreatedDraft) -> Response:
    body = DefinedSerializer({"slug": made.study.slug, "left_out": made.left_out}).data
    return Response(body, status=status.HTTP_201_CREATED)
