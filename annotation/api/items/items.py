"""`items/`: the things to rate."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.parsers import BoundedUploadParser
from annotation.api.base.refusal_schema import BODY, PERSON, refusals
from annotation.api.base.requests import caller
from annotation.api.base.uploads import StoredSerializer, UploadSerializer, uploaded
from annotation.models import Item
from annotation.permissions import Act, study_access
from annotation.selectors.items.of_study import items_of
from annotation.services.items.rating_files import import_items


class ComponentSerializer(serializers.Serializer[Any]):
    field = serializers.CharField()
    part = serializers.CharField()
    start = serializers.IntegerField(allow_null=True, help_text="In Unicode code points of the field's text.")
    end = serializers.IntegerField(allow_null=True)
    text = serializers.CharField(allow_blank=True)


class ItemSerializer(serializers.Serializer[Item]):
    item = serializers.CharField(source="key")
    group = serializers.CharField(allow_blank=True)
    system = serializers.CharField(allow_blank=True)
    fields = serializers.DictField(child=serializers.CharField(allow_blank=True))  # type: ignore[assignment]
    components = ComponentSerializer(many=True)
    metadata = serializers.DictField(child=serializers.JSONField())
    n_responses = serializers.IntegerField(help_text="Current ones that count.")


class ItemsView(ListAPIView[Item]):
    serializer_class = ItemSerializer
    parser_classes = [BoundedUploadParser]

    def get_queryset(self) -> Any:
        access = study_access(caller(self.request), self.kwargs["slug"], Act.VIEW)
        return items_of(study=access.study)

    @extend_schema(
        operation_id="items_list",
        summary="The study's items in order",
        responses={200: ItemSerializer(many=True), **refusals(400, *PERSON)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="items_import",
        summary="Add the items of a file to a draft; all of them or none",
        request={"multipart/form-data": UploadSerializer},
        responses={201: StoredSerializer, **refusals(*BODY, *PERSON, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.EDIT)
        with uploaded(request) as (path, name):
            count = import_items(study=access.study, path=path, name=name, actor=access.user)
        return Response({"stored": count}, status=status.HTTP_201_CREATED)


class ItemView(APIView):
    @extend_schema(
        operation_id="item_get", summary="One item", responses={200: ItemSerializer, **refusals(*PERSON)}
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        access = study_access(caller(request), slug, Act.VIEW)
        item = items_of(study=access.study).filter(key=key).first()
        if item is None:
            raise Http404
        return Response(ItemSerializer(item).data)
