"""`power/`: the power of a planned study, by simulation."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.permissions import Access, Act
from scoring.api.base.jobs import STARTED, started
from scoring.selectors.metrics.power_plans import outcome_of, plans_of
from scoring.services.metrics.power import request_power
from scoring.services.metrics.power_fields import OF_QUESTION
from scoring.services.metrics.power_settings import CORRELATIONS, coefficient_keys

# Of any number; `read_settings` knows the limits of each.
MOST = 9_000


class NewPlanSerializer(StrictSerializer):
    question = serializers.ChoiceField(
        choices=list(OF_QUESTION),
        help_text="`systems`: do two systems differ; `metrics`: does one metric follow the ratings more "
        "closely than another; `coefficient`: is the interval of a coefficient above a bound; `pairs`: is "
        "one of two competitors preferred; `best_worst`: does one text score above another in sets.",
    )
    criterion = serializers.CharField(
        required=False,
        help_text="Answers are simulated as its ordinal mixed model has them; for `pairs` and `best_worst` "
        "as the newest reliability report has them.",
    )
    item = serializers.FloatField(
        min_value=-MOST,
        max_value=MOST,
        required=False,
        help_text="Variance between items, or pairs, without a criterion; for `best_worst` of a text between "
        "sets.",
    )
    rater = serializers.FloatField(min_value=-MOST, max_value=MOST, required=False)
    residual = serializers.FloatField(min_value=-MOST, max_value=MOST, required=False)
    mean = serializers.FloatField(min_value=-MOST, max_value=MOST, required=False)
    lowest = serializers.FloatField(min_value=-MOST, max_value=MOST, required=False)
    highest = serializers.FloatField(min_value=-MOST, max_value=MOST, required=False)
    step = serializers.FloatField(min_value=-MOST, max_value=MOST, required=False)
    shared = serializers.FloatField(
        min_value=-MOST,
        max_value=MOST,
        required=False,
        help_text="Share of the items' variance that is between groups.",
    )
    difference = serializers.FloatField(
        min_value=-MOST,
        max_value=MOST,
        required=False,
        help_text="Of systems, in points of the scale; for `best_worst` of strengths, in log odds.",
    )
    preferred = serializers.FloatField(
        min_value=-MOST,
        max_value=MOST,
        required=False,
        help_text="Share of answers that prefer the better one.",
    )
    ties = serializers.FloatField(min_value=-MOST, max_value=MOST, required=False)
    candidates = serializers.IntegerField(
        min_value=0, max_value=MOST, required=False, help_text="Texts or systems in best–worst sets."
    )
    size = serializers.IntegerField(min_value=0, max_value=MOST, required=False, help_text="Texts of a set.")
    spread = serializers.FloatField(
        min_value=-MOST,
        max_value=MOST,
        required=False,
        help_text="Variance between the other strengths, in squared log odds, without a criterion.",
    )
    crossed = serializers.BooleanField(required=False, help_text="Each group has items by both systems.")
    first = serializers.FloatField(
        min_value=-MOST, max_value=MOST, required=False, help_text="Correlation of a metric with the quality."
    )
    second = serializers.FloatField(min_value=-MOST, max_value=MOST, required=False)
    between = serializers.FloatField(min_value=-MOST, max_value=MOST, required=False)
    correlation = serializers.ChoiceField(choices=CORRELATIONS, required=False)
    coefficient = serializers.ChoiceField(choices=coefficient_keys(), required=False)
    bound = serializers.FloatField(min_value=-MOST, max_value=MOST, required=False)
    items = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=MOST), required=False, allow_empty=False
    )
    raters = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=MOST),
        required=False,
        allow_empty=False,
        help_text="Ratings per item.",
    )
    pool = serializers.IntegerField(
        min_value=0, max_value=MOST, required=False, help_text="Raters in the study."
    )
    in_group = serializers.IntegerField(
        min_value=0,
        max_value=MOST,
        required=False,
        help_text="Items of a group, of each system; 0 where there are no groups.",
    )
    studies = serializers.IntegerField(
        min_value=0, max_value=MOST, required=False, help_text="Simulated studies per design."
    )


class PlanSerializer(serializers.Serializer[Any]):
    created_at = serializers.DateTimeField()
    software = serializers.CharField()
    method = serializers.DictField(help_text="The settings, with `seed`, `replicates` and `confidence`.")
    designs = serializers.ListField(
        child=serializers.DictField(),
        help_text="Of each design `power`, the share of studies that find what is there, with limits because "
        "studies were drawn, and the medians of estimate and width.",
    )
    without_effect = serializers.DictField(
        allow_null=True, help_text="The first design where there is nothing to find; null for a coefficient."
    )
    enough = serializers.DictField(allow_null=True, help_text="The fewest ratings with a power of .8.")
    outcome = serializers.ListField(
        child=serializers.DictField(), help_text="What the newest results of the study say; empty before."
    )


class PowerView(APIView):
    @study_operation(Act.VIEW, "power_get", gives=PlanSerializer)
    def get(self, request: Request, access: Access) -> Response:
        """The newest plan; 404 before the first."""
        plan = plans_of(access.study).first()
        if plan is None:
            raise Http404
        outcome = outcome_of(plan)
        body = {
            "created_at": plan.created_at,
            "software": plan.software,
            "method": plan.method,
            **plan.tables,
            "outcome": outcome["rows"] if outcome else [],
        }
        return Response(PlanSerializer(body).data)

    @study_operation(Act.VIEW, "power_simulate", takes=NewPlanSerializer, gives=STARTED, refuses=(422,))
    def post(self, request: Request, access: Access) -> Response:
        """Simulate a plan: 202 with the job that does it."""
        asked = validated(NewPlanSerializer, request)
        return started(request_power(study=access.study, given=asked, actor=access.user), request)
