"""`item-changes/`: ratings per item, and retirement of items of an open study."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import MOST_ITEMS_NAMED, MOST_RATINGS_PER_ITEM
from annotation.permissions import Access, Act
from annotation.selectors.items.selection import select_items
from annotation.services.items.corrections import LONGEST_NAME
from annotation.services.seats.item_changes import ItemAct, change_items


class ItemChangeSerializer(StrictSerializer):
    """Which items, in exactly one of three ways, and what to do with them."""

    act = serializers.ChoiceField(choices=[act.value for act in ItemAct])
    all = serializers.BooleanField(required=False, help_text="All items.")
    group = serializers.CharField(required=False, max_length=LONGEST_NAME, help_text="The items of a group.")
    items = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_NAME),
        required=False,
        max_length=MOST_ITEMS_NAMED,
        help_text="Item IDs.",
    )
    form = serializers.SlugField(
        required=False, help_text="Key of the form; needed with `ratings` if the study has several."
    )
    to = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST_RATINGS_PER_ITEM, help_text="Ratings per item to reach."
    )
    for_new_items = serializers.BooleanField(
        required=False, help_text="With `ratings`: items that are added later need as many, too."
    )
    reason = serializers.CharField(required=False, max_length=LONGEST_NAME, help_text="With `retire`.")


class ItemsChangedSerializer(serializers.Serializer[Any]):
    slots = serializers.IntegerField(help_text="Number of rating slots that were added or removed.")


class ItemChangesView(APIView):
    @study_operation(
        Act.MANAGE,
        "items_change",
        takes=ItemChangeSerializer,
        gives=ItemsChangedSerializer,
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Raise the ratings per item, retire items or restore them, in an open or paused study."""
        given = validated(ItemChangeSerializer, request)
        items = select_items(
            access.study,
            every=given.pop("all", False),
            group=given.pop("group", ""),
            keys=given.pop("items", ()),
        )
        act = ItemAct(given.pop("act"))
        slots = change_items(study=access.study, act=act, items=items, actor=access.user, **given)
        return Response({"slots": slots})
