"""`disagreement/`: the items on which raters disagree, by the parameters of the page's URL."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.pagination import Pages
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.errors import NotAllowedNow
from annotation.models import Study
from annotation.permissions import Access, Act
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
    *(OpenApiParameter(name, str, description=description) for name, description in TEXTS.items()),
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

    @study_operation(
        Act.READ,
        "disagreement_list",
        gives=ItemFiguresSerializer(many=True),
        parameters=PARAMETERS,
        refuses=(400, 409),
    )
    def get(self, request: Request, access: Access) -> Response:
        """Items with their figures; the filters and orders of the page."""
        figure_set = _computed(access.study)
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
    @study_operation(Act.READ, "disagreement_figures_get", gives=FiguresSerializer, refuses=(409,))
    def get(self, request: Request, access: Access) -> Response:
        """When the figures of items and raters were computed, and of what."""
        figure_set = _computed(access.study)
        body = {
            **vars(figure_set),
            "stale": out_of_date(access.study, figure_set),
            "metrics": sorted(figure_set.metrics),
        }
        return Response(FiguresSerializer(body).data)

    @study_operation(Act.VIEW, "disagreement_figures_compute", gives=STARTED)
    def post(self, request: Request, access: Access) -> Response:
        """Compute the figures of items and raters: 202 with the job that does it."""
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
    @study_operation(Act.READ, "views_list", gives=SavedViewSerializer(many=True))
    def get(self, request: Request, access: Access) -> Response:
        """Views of the item list that were saved under a name."""
        return Response(SavedViewSerializer(SavedView.objects.filter(study=access.study), many=True).data)

    @study_operation(
        Act.VIEW, "views_save", takes=NewViewSerializer, gives={201: SavedViewSerializer}, refuses=(422,)
    )
    def post(self, request: Request, access: Access) -> Response:
        """Keep a view under a name; another of that name is replaced."""
        given = validated(NewViewSerializer, request)
        query = plain_query(given["query"])
        view = save_view(study=access.study, name=given["name"], query=query, actor=access.user)
        return Response(SavedViewSerializer(view).data, status=status.HTTP_201_CREATED)


class SavedViewView(APIView):
    @study_operation(Act.VIEW, "views_forget", gives={204: None})
    def delete(self, request: Request, access: Access, pk: int) -> Response:
        """Forget a view."""
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
