"""`sets/`: sets for best–worst scaling, drawn from the items of a draft."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.items.drawn_sets import LARGEST_FACTOR, USUAL_FACTOR
from annotation.permissions import Access, Act
from annotation.services.items.drawn_sets import SetDraw, draw_sets_of_items


class SetDrawSerializer(StrictSerializer):
    text = serializers.CharField(max_length=120, help_text="The text of the items that is compared.")
    factor = serializers.FloatField(
        min_value=0.1, max_value=LARGEST_FACTOR, default=float(USUAL_FACTOR), help_text="Sets per item."
    )
    within_groups = serializers.BooleanField(
        default=False, help_text="Whether the items of a set are of one group."
    )
    seed = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, allow_null=True, default=None, help_text="Null for a new one."
    )


class MeetingSerializer(serializers.Serializer[Any]):
    sets = serializers.IntegerField(help_text="Number of sets.")
    pairs = serializers.IntegerField(help_text="Pairs of items that are together in so many sets.")


class DrawnSetsSerializer(serializers.Serializer[Any]):
    sets = serializers.IntegerField(help_text="Sets drawn; they are the items of the draft now.")
    meetings = MeetingSerializer(many=True)


class SetsView(APIView):
    @study_operation(
        Act.EDIT, "sets_draw", takes=SetDrawSerializer, gives={201: DrawnSetsSerializer}, refuses=(409, 422)
    )
    def post(self, request: Request, access: Access) -> Response:
        """Replace the items of a draft by sets of them, for a question that compares several texts."""
        given = validated(SetDrawSerializer, request)
        draw = SetDraw(given["factor"], given["within_groups"], given["seed"])
        drawn = draw_sets_of_items(study=access.study, text=given["text"], draw=draw, actor=access.user)
        meetings = [{"sets": times, "pairs": pairs} for times, pairs in drawn.meetings.items()]
        answer = {"sets": len(drawn.sets), "meetings": meetings}
        return Response(DrawnSetsSerializer(answer).data, status=status.HTTP_201_CREATED)
