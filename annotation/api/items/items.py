"""`items/`: the items of a study."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.parsers import BoundedUploadParser
from annotation.api.base.requests import StoredSerializer, UploadSerializer
from annotation.api.base.strict import StrictSerializer
from annotation.api.base.uploads import UploadStateSerializer, taken
from annotation.models import Item
from annotation.permissions import Access, Act
from annotation.selectors.items.of_study import add_responses, items_of
from annotation.services.items.corrections import LONGEST_NAME, correct_item


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
    retired_at = serializers.DateTimeField(allow_null=True, help_text="Null while ratings are requested.")
    n_responses = serializers.IntegerField(help_text="Current responses that are not excluded.")


class DescriptionSerializer(StrictSerializer):
    group = serializers.CharField(allow_blank=True, max_length=LONGEST_NAME)
    system = serializers.CharField(allow_blank=True, max_length=LONGEST_NAME)
    metadata = serializers.DictField(
        child=serializers.JSONField(allow_null=True), help_text="Replaces the metadata as a whole."
    )


class ItemsView(ListAPIView[Item]):
    serializer_class = ItemSerializer
    parser_classes = [BoundedUploadParser]

    @study_operation(Act.READ, "items_list", gives=ItemSerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access) -> Response:
        """The study's items in order."""
        items = self.paginate_queryset(items_of(study=access.study)) or []
        add_responses(access.study, items)
        return self.get_paginated_response(self.get_serializer(items, many=True).data)

    @study_operation(
        Act.EDIT,
        "items_import",
        takes=UploadSerializer,
        gives={201: StoredSerializer, 202: UploadStateSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Add the items of a file, all or none; in an open study they get their rating slots at once."""
        access.require_for_items()
        return taken(
            request,
            act="items",
            study=access.study,
            answer=lambda outcome: Response(outcome, status=status.HTTP_201_CREATED),
        )


class ItemView(APIView):
    @study_operation(Act.READ, "item_get", gives=ItemSerializer)
    def get(self, request: Request, access: Access, key: str) -> Response:
        """One item."""
        item = items_of(study=access.study).filter(key=key).first()
        if item is None:
            raise Http404
        add_responses(access.study, [item])
        return Response(ItemSerializer(item).data)

    @study_operation(
        Act.MANAGE,
        "item_correct",
        takes=DescriptionSerializer(partial=True),
        gives=ItemSerializer,
        refuses=(422,),
    )
    def patch(self, request: Request, access: Access, key: str) -> Response:
        """Correct the group, the system or the metadata of an item in any state; its texts stay."""
        given = DescriptionSerializer(data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        item = items_of(study=access.study).filter(key=key).first()
        if item is None:
            raise Http404
        correct_item(item=item, actor=access.user, **given.validated_data)
        item = items_of(study=access.study).get(pk=item.pk)
        add_responses(access.study, [item])
        return Response(ItemSerializer(item).data)
