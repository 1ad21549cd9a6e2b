"""`runs/<id>/items/`: how the scores of each item were computed."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import listed, study_operation
from annotation.models import Study
from annotation.permissions import Access, Act
from scoring.models import ScoredItem, ScoreRun


class ScoredItemSerializer(serializers.Serializer[ScoredItem]):
    item = serializers.CharField(source="item.key")
    group = serializers.CharField(source="item.group", allow_blank=True)
    truncated = serializers.ListField(
        child=serializers.CharField(),
        help_text="Metrics for which a model read only the beginning of the text.",
    )
    explanation = serializers.DictField(
        child=serializers.JSONField(),
        help_text="`components` with their offsets; `relevance` with the triples found; `logic` and "
        "`sentiment` with the texts and probabilities; `normalised` with minimum and maximum of the group; "
        "`quality` with weights and sub-scores; `creativity`, `informativeness`, and `combined` with ranks. "
        "Each has `value`, or null and a `reason`.",
    )
    caution = serializers.CharField(source="run.caution", allow_blank=True)


class RunItemsView(ListAPIView[ScoredItem]):
    serializer_class = ScoredItemSerializer

    @study_operation(Act.VIEW, "run_items_list", gives=ScoredItemSerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access, pk: int) -> Response:
        """How the scores of a run's items were computed."""
        return listed(self, scored_items(access.study, pk).order_by("item__position", "item_id"))


class RunItemView(APIView):
    @study_operation(Act.VIEW, "run_item_get", gives=ScoredItemSerializer)
    def get(self, request: Request, access: Access, pk: int, key: str) -> Response:
        """How the scores of one item were computed."""
        found = scored_items(access.study, pk).filter(item__key=key).first()
        if found is None:
            raise Http404
        return Response(ScoredItemSerializer(found).data)


def scored_items(study: Study, pk: int) -> QuerySet[ScoredItem]:
    """Items scored by a run of a study."""
    run = get_object_or_404(ScoreRun, study=study, pk=pk)
    return ScoredItem.objects.filter(run=run).select_related("item", "run")
