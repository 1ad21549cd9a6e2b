"""`raters/figures/` and `raters/compared/`: figures of all raters, and two raters compared."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.pagination import Pages
from annotation.api.base.strict import refuse_unknown
from annotation.models import Rater, RaterKind
from annotation.permissions import Access, Act
from annotation.selectors.quality.rater_profile import RaterProfile
from scoring.models import RaterFigure
from scoring.selectors.raters.item_figures import newest_set
from scoring.selectors.raters.rater_list import COLUMNS, compare_raters, flags_of, list_raters, rater_table

SORTS = [*COLUMNS, *(f"-{column}" for column in COLUMNS)]
COMPUTED = (
    "n_checks",
    "n_failed",
    "n_shared",
    "severity",
    "severity_low",
    "severity_high",
    "held_out",
    "flat",
    "longest_run",
)


class RaterFiguresSerializer(serializers.Serializer[Any]):
    """Figures are null where they cannot be computed, or have not been."""

    rater = serializers.CharField(help_text="The pseudonym.")
    done = serializers.IntegerField()
    cannot = serializers.IntegerField()
    seconds = serializers.FloatField(allow_null=True, help_text="Median of an answer.")
    last = serializers.DateTimeField(allow_null=True)
    excluded = serializers.BooleanField()
    flags = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="Signs of careless answering; null for viewers, who do not see page activity.",
    )
    n_checks = serializers.IntegerField(allow_null=True)
    n_failed = serializers.IntegerField(allow_null=True)
    n_shared = serializers.IntegerField(allow_null=True)
    severity = serializers.FloatField(allow_null=True)
    severity_low = serializers.FloatField(allow_null=True)
    severity_high = serializers.FloatField(allow_null=True)
    held_out = serializers.FloatField(allow_null=True)
    flat = serializers.FloatField(allow_null=True)
    longest_run = serializers.IntegerField(allow_null=True)


class SortedPages(Pages):
    others = frozenset({"sort"})


class RaterFiguresView(ListAPIView[Rater]):
    serializer_class = RaterFiguresSerializer
    pagination_class = SortedPages

    @study_operation(
        Act.READ,
        "raters_figures",
        gives=RaterFiguresSerializer(many=True),
        parameters=[OpenApiParameter("sort", str, enum=SORTS, description="As on the page.")],
        refuses=(400,),
    )
    def get(self, request: Request, access: Access) -> Response:
        """How much, how fast, how severe and how consistent each rater is."""
        study = access.study
        sort = request.query_params.get("sort", "code")
        if sort not in SORTS:
            raise ValidationError({"sort": [f"It is one of {', '.join(SORTS)}."]})
        figure_set = newest_set(study)
        listed = self.paginate_queryset(list_raters(study, figure_set, sort)) or []
        rows = rater_table(study, figure_set, listed)
        profiled = flags_of(study, [row["rater"] for row in rows])
        return self.get_paginated_response(
            [_row(row, _flags(access, profiled[row["rater"].pk])) for row in rows]
        )


def _flags(access: Access, profile: RaterProfile) -> list[str] | None:
    return [one.key for one in profile.flagged] if access.may_view else None


class CompareSerializer(serializers.Serializer[Any]):
    criteria = serializers.ListField(
        child=serializers.DictField(),
        help_text="Agreement and a table of values against values, each; where the scale has no categories, "
        "the `reason` why there is no table.",
    )
    apart = serializers.ListField(
        child=serializers.DictField(), help_text="The answers that differ most: `first` of a, `second` of b."
    )


class RatersComparedView(APIView):
    @study_operation(
        Act.READ,
        "raters_compared",
        gives=CompareSerializer,
        parameters=[
            OpenApiParameter(name, str, required=True, description="A pseudonym.") for name in ("a", "b")
        ],
        refuses=(400,),
    )
    def get(self, request: Request, access: Access) -> Response:
        """Two raters over the items that both rated."""
        asked = request.query_params
        refuse_unknown(asked, {"a", "b"})
        first, second = asked.get("a", ""), asked.get("b", "")
        if not first or not second or first == second:
            raise ValidationError({"a": ["Name two different raters, a and b."]})
        if "\x00" in first + second:
            raise ValidationError({"a": ["A character in it is no text (NUL)."]})
        people = access.study.raters.exclude(kind=RaterKind.TRIAL)
        pair = [get_object_or_404(people, code=code) for code in (first, second)]
        return Response(CompareSerializer(compare_raters(access.study, *pair)).data)


def _row(row: dict[str, Any], flags: list[str] | None) -> dict[str, Any]:
    figure: RaterFigure | None = row["figure"]
    values = {name: getattr(figure, name) if figure else None for name in COMPUTED}
    own = {name: row[name] for name in ("done", "cannot", "seconds", "last", "excluded")}
    return dict(RaterFiguresSerializer({"rater": row["code"], **own, **values, "flags": flags}).data)
