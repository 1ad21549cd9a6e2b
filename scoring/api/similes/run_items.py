"""`runs/<id>/items/`: how the scores of each item were computed."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.refusal_schema import PERSON, refusals
from annotation.api.base.requests import caller
from annotation.models import User
from annotation.permissions import Act, study_access
from scoring.models import ScoredItem, ScoreRun


class ScoredItemSerializer(serializers.Serializer[ScoredItem]):
    item = serializers.CharField(source="item.key")
    group = serializers.CharField(source="item.group", allow_blank=True)
    truncated = serializers.ListField(
        child=serializers.CharField(),
        help_text="Metrics that rest on a text of which a model saw only the beginning.",
    )
    explanation = serializers.DictField(
        child=serializers.JSONField(),
        help_text="`components` with their offsets; `relevance` with the triples found; `logic` and "
        "`sentiment` with the texts and probabilities; `normalised` with least and greatest of the group; "
        "`quality` with weights and parts; `creativity`, `informativeness`, and `combined` with ranks. "
        "Each has `value`, or null and a `reason`.",
    )
    caution = serializers.CharField(source="run.caution", allow_blank=True)


class RunItemsView(ListAPIView[ScoredItem]):
    serializer_class = ScoredItemSerializer

    def get_queryset(self) -> Any:
        found = scored_items(caller(self.request), self.kwargs["slug"], self.kwargs["pk"])
        return found.order_by("item__position", "item_id")

    @extend_schema(
        operation_id="run_items_list",
        summary="How the scores of a run's items came about",
        responses={200: ScoredItemSerializer(many=True), **refusals(400, *PERSON)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class RunItemView(APIView):
    @extend_schema(
        operation_id="run_item_get",
        summary="How the scores of one item came about",
        responses={200: ScoredItemSerializer, **refusals(*PERSON)},
    )
    def get(self, request: Request, slug: str, pk: int, key: str) -> Response:
        found = scored_items(caller(request), slug, pk).filter(item__key=key).first()
        if found is None:
            raise Http404
        return Response(ScoredItemSerializer(found).data)


def scored_items(user: User, slug: str, pk: int) -> QuerySet[ScoredItem]:
    """What a run of a study has stored of its items."""
    access = study_access(user, slug, Act.VIEW)
    run = get_object_or_404(ScoreRun, study=access.study, pk=pk)
    return ScoredItem.objects.filter(run=run).select_related("item", "run")
