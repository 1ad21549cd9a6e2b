"""`scores/`: the values of automatic metrics, item by item."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base.refusal_schema import PERSON, refusals
from annotation.api.base.requests import caller
from annotation.permissions import Act, study_access
from scoring.models import Score
from scoring.selectors.data.scores import with_truncation


class ScoreSerializer(serializers.Serializer[Score]):
    item = serializers.CharField(source="item.key")
    metric = serializers.CharField()
    value = serializers.FloatField(allow_null=True, help_text="Null exactly when `reason` is set.")
    run = serializers.CharField(source="run.name")
    profile = serializers.CharField(source="run.profile")
    reason = serializers.CharField(allow_blank=True)
    truncated = serializers.SerializerMethodField(
        help_text="It rests on a text of which a model saw only the beginning."
    )
    caution = serializers.CharField(
        source="run.caution", allow_blank=True, help_text="To be said beside the score; empty for nothing."
    )

    def get_truncated(self, score: Any) -> bool:
        return score.metric in (score.cut or ())


class ScoresView(ListAPIView[Score]):
    serializer_class = ScoreSerializer

    def get_queryset(self) -> Any:
        access = study_access(caller(self.request), self.kwargs["slug"], Act.VIEW)
        found = Score.objects.filter(run__study=access.study)
        scores = with_truncation(found).select_related("item", "run")
        return scores.order_by("run", "item__position", "metric", "pk")

    @extend_schema(
        operation_id="scores_list",
        summary="Scores of the study's items",
        responses={200: ScoreSerializer(many=True), **refusals(400, *PERSON)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)
