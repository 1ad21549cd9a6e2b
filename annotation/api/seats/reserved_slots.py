"""`reserved-slots/` and `last-items/`: who holds rating slots, releasing them, and how long they are held."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import listed, study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import MOST_ITEMS_NAMED, MOST_MINUTES
from annotation.models import Rater
from annotation.permissions import Access, Act
from annotation.selectors.seats.reserved_slots import slot_holders
from annotation.services.seats.last_items import set_last_seat_minutes
from annotation.services.seats.slot_release import release_slots

LONGEST_CODE = 64


class SlotHolderSerializer(serializers.Serializer[Rater]):
    rater = serializers.CharField(source="code", help_text="Rater code.")
    n_reserved = serializers.IntegerField(help_text="Number of reserved rating slots.")
    reserved_until = serializers.DateTimeField(help_text="When the last of the reservations ends.")
    last_seen_at = serializers.DateTimeField(allow_null=True, help_text="When the rater was last active.")


class SlotReleaseSerializer(StrictSerializer):
    raters = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_CODE),
        allow_empty=False,
        max_length=MOST_ITEMS_NAMED,
        help_text="Rater codes.",
    )


class SlotsReleasedSerializer(serializers.Serializer[Any]):
    released = serializers.IntegerField(help_text="Number of released rating slots.")


class LastItemsSerializer(StrictSerializer):
    last_seat_minutes = serializers.IntegerField(
        min_value=1,
        max_value=MOST_MINUTES,
        allow_null=True,
        help_text="Reservation time while few rating slots are left; null for the usual one.",
    )


class LastItemsView(APIView):
    @study_operation(
        Act.MANAGE,
        "last_items_set",
        takes=LastItemsSerializer,
        gives=LastItemsSerializer,
        refuses=(409, 422),
    )
    def put(self, request: Request, access: Access) -> Response:
        """Set the reservation time of the last items, in a study that is not closed."""
        minutes = validated(LastItemsSerializer, request)["last_seat_minutes"]
        set_last_seat_minutes(study=access.study, actor=access.user, minutes=minutes)
        return Response({"last_seat_minutes": access.study.last_seat_minutes})


class ReservedSlotsView(ListAPIView[Rater]):
    serializer_class = SlotHolderSerializer

    @study_operation(Act.REVIEW, "reserved_slots_list", gives=SlotHolderSerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access) -> Response:
        """The raters with reserved rating slots, those first who were active longest ago."""
        return listed(self, slot_holders(access.study))

    @study_operation(
        Act.REVIEW,
        "reserved_slots_release",
        takes=SlotReleaseSerializer,
        gives=SlotsReleasedSerializer,
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Release the reserved rating slots of raters; what they still send is saved."""
        given = validated(SlotReleaseSerializer, request)
        released = release_slots(study=access.study, codes=given["raters"], actor=access.user)
        return Response({"released": released})
