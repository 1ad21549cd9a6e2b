"""`items/`: the things to rate."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.describing import PERSON, refusals
from annotation.api.requests import caller
from annotation.models import Item
from annotation.permissions import Act, study_access
from annotation.selectors.overview import items_of


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

    def get_queryset(self) -> Any:
        access = study_access(caller(self.request), self.kwargs["slug"], Act.VIEW)
        return items_of(study=access.study)

    @extend_schema(
        operation_id="items_list",
        summary="The study's items in order",
        responses={200: ItemSerializer(many=True), **refusals(*PERSON)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class ItemView(APIView):
    @extend_schema(
        operation_id="item_get",
        summary="One item",
        responses={200: ItemSerializer, **refusals(*PERSON)},
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        access = study_access(caller(request), slug, Act.VIEW)
        item = items_of(study=access.study).filter(key=key).first()
        if item is None:
            raise Http404
        return Response(ItemSerializer(item).data)
