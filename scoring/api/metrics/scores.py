"""`scores/`: the values of automatic metrics, item by item."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base.operations import listed, study_operation
from annotation.permissions import Access, Act
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
        help_text="Whether a model read only the beginning of the text."
    )
    caution = serializers.CharField(
        source="run.caution", allow_blank=True, help_text="Warning to show with the score; empty for none."
    )

    def get_truncated(self, score: Any) -> bool:
        return score.metric in (score.cut or ())


class ScoresView(ListAPIView[Score]):
    serializer_class = ScoreSerializer

    @study_operation(Act.READ, "scores_list", gives=ScoreSerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access) -> Response:
        """Scores of the study's items."""
        found = Score.objects.filter(run__study=access.study)
        scores = with_truncation(found).select_related("item", "run")
        return listed(self, scores.order_by("run", "item__position", "metric", "pk"))
