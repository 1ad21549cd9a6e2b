"""`disagreement/`: the items on which raters disagree, by the parameters of the page's URL."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.pagination import Pages
from annotation.api.base.refusal_schema import BODY, PERSON, refusals
from annotation.api.base.requests import caller
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.errors import NotAllowedNow
from annotation.models import Study
from annotation.permissions import Act, study_access
from scoring.api.base.jobs import STARTED, started
from scoring.models import FigureSet, ItemSummary, SavedView
from scoring.selectors.raters.item_figures import newest_set, out_of_date
from scoring.selectors.raters.item_matches import ItemKeys
from scoring.selectors.raters.item_query import STATES, ItemView, read_view
from scoring.selectors.raters.item_rows import rows_with_figures
from scoring.services.raters.item_figures import request_figures
from scoring.services.raters.saved_views import delete_view, plain_query, save_view

TEXTS = {
    "q": "Stands in the key or a text.",
    "group": "Of this group.",
    "system": "Of this system.",
    "split": "Raters are split on this criterion, or on `any`.",
    "metric": "Divergences are taken from its scores.",
    "sort": "Up to four columns, such as `system,-quality.sd`; a minus for the greatest first.",
}
PARAMETERS = [
    *(OpenApiParameter(name, str, description=told) for name, told in TEXTS.items()),
    OpenApiParameter("state", str, enum=[state for state in STATES if state]),
    OpenApiParameter("low", float, description="What is low where raters are split; else by the scale."),
    OpenApiParameter("high", float, description="What is high."),
    OpenApiParameter("where", str, many=True, description="A bound, such as `quality.sd>=1.2`."),
]


class CriterionFiguresSerializer(serializers.Serializer[Any]):
    n = serializers.IntegerField()
    n_cannot = serializers.IntegerField()
    mean = serializers.FloatField(allow_null=True)
    sd = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    minimum = serializers.FloatField(allow_null=True)
    maximum = serializers.FloatField(allow_null=True)
    range = serializers.FloatField(allow_null=True)
    apart = serializers.FloatField(allow_null=True)
    from_alpha = serializers.FloatField(allow_null=True)
    opposed = serializers.BooleanField()
    divergence = serializers.FloatField(
        allow_null=True, required=False, help_text="Where the address names a metric."
    )


class ItemFiguresSerializer(serializers.Serializer[Any]):
    item = serializers.CharField()
    group = serializers.CharField(allow_blank=True)
    system = serializers.CharField(allow_blank=True)
    answers = serializers.IntegerField()
    cannot_rate = serializers.IntegerField()
    lacks_context = serializers.IntegerField()
    apart = serializers.FloatField(allow_null=True)
    excluded = serializers.BooleanField()
    criteria = serializers.DictField(child=CriterionFiguresSerializer())


class ViewPages(Pages):
    others = frozenset((*TEXTS, "state", "low", "high", "where"))


class DisagreementView(ListAPIView[ItemSummary]):
    serializer_class = ItemFiguresSerializer
    pagination_class = ViewPages

    @extend_schema(
        operation_id="disagreement_list",
        summary="Items with their figures; the filters and orders of the page",
        parameters=PARAMETERS,
        responses={200: ItemFiguresSerializer(many=True), **refusals(400, *PERSON, 409)},
    )
    def get(self, request: Request, slug: str) -> Response:
        study = study_access(caller(request), slug, Act.VIEW).study
        figure_set = _computed(study)
        view = _asked(request, figure_set)
        keys: Any = ItemKeys(figure_set, view)
        return self.get_paginated_response(
            rows_with_figures(figure_set, view, self.paginate_queryset(keys) or [])
        )


class ScaleSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    minimum = serializers.FloatField()
    maximum = serializers.FloatField()
    alpha = serializers.FloatField(allow_null=True, help_text="Ordinal, without the excluded items.")


class FiguresSerializer(serializers.Serializer[Any]):
    created_at = serializers.DateTimeField()
    stale = serializers.BooleanField(help_text="The data have changed since.")
    n_items = serializers.IntegerField()
    systems = serializers.ListField(child=serializers.CharField())
    criteria = ScaleSerializer(many=True)
    metrics = serializers.ListField(child=serializers.CharField())
    software = serializers.CharField()


class FiguresView(APIView):
    @extend_schema(
        operation_id="disagreement_figures_get",
        summary="When the figures of items and raters were computed, and of what",
        responses={200: FiguresSerializer, **refusals(*PERSON, 409)},
    )
    def get(self, request: Request, slug: str) -> Response:
        study = study_access(caller(request), slug, Act.VIEW).study
        figure_set = _computed(study)
        body = {
            **vars(figure_set),
            "stale": out_of_date(study, figure_set),
            "metrics": sorted(figure_set.metrics),
        }
        return Response(FiguresSerializer(body).data)

    @extend_schema(
        operation_id="disagreement_figures_compute",
        summary="Compute the figures of items and raters: 202 with the job that does it",
        request=None,
        responses={**STARTED, **refusals(*PERSON)},
    )
    def post(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.VIEW)
        return started(request_figures(study=access.study, actor=access.user), request)


class SavedViewSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    query = serializers.CharField(
        allow_blank=True, help_text="Behind the question mark of `disagreement/`, as of the page."
    )
    created_at = serializers.DateTimeField()


class NewViewSerializer(StrictSerializer):
    name = serializers.CharField(max_length=80)
    query = serializers.CharField(max_length=2000, allow_blank=True)


class SavedViewsView(APIView):
    @extend_schema(
        operation_id="views_list",
        summary="Views of the item list that were kept under a name",
        responses={200: SavedViewSerializer(many=True), **refusals(*PERSON)},
    )
    def get(self, request: Request, slug: str) -> Response:
        study = study_access(caller(request), slug, Act.VIEW).study
        return Response(SavedViewSerializer(SavedView.objects.filter(study=study), many=True).data)

    @extend_schema(
        operation_id="views_save",
        summary="Keep a view under a name; another of that name is replaced",
        request=NewViewSerializer,
        responses={201: SavedViewSerializer, **refusals(*BODY, *PERSON, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.VIEW)
        sent = NewViewSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        query = plain_query(sent.validated_data["query"])
        name = sent.validated_data["name"]
        view = save_view(study=access.study, name=name, query=query, actor=access.user)
        return Response(SavedViewSerializer(view).data, status=status.HTTP_201_CREATED)


class SavedViewView(APIView):
    @extend_schema(
        operation_id="views_forget",
        summary="Forget a view",
        request=None,
        responses={204: None, **refusals(*PERSON)},
    )
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        access = study_access(caller(request), slug, Act.VIEW)
        delete_view(view=get_object_or_404(SavedView, study=access.study, pk=pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _computed(study: Study) -> FigureSet:
    figure_set = newest_set(study)
    if figure_set is None:
        raise NotAllowedNow(
            "The figures have not been computed yet: post to disagreement/figures/ first.", code="no_figures"
        )
    return figure_set


def _asked(request: Request, figure_set: FigureSet) -> ItemView:
    """The view of the URL; parts that a page would leave out are errors here."""
    view = read_view(request.query_params, figure_set)
    if view.problems:
        raise ValidationError({"view": list(view.problems)})
    if request.query_params.get("state", "") not in STATES:
        raise ValidationError({"state": ["It is included or excluded."]})
    return view
