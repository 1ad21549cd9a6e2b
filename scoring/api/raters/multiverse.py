"""`multiverse/`: the headline figures under each set of exclusions."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.permissions import Access, Act
from scoring.api.base.jobs import STARTED, started
from scoring.selectors.base.reports import latest_report
from scoring.selectors.raters.multiverse import multiverse_stale
from scoring.services.raters.multiverse import KIND, request_multiverse


class WorldSerializer(serializers.Serializer[Any]):
    key = serializers.CharField(help_text="`none`, `declared`, `rule:KEY`, `all` or `standing`.")
    name = serializers.CharField()
    before_opening = serializers.BooleanField(allow_null=True)
    counts = serializers.DictField(child=serializers.IntegerField())
    means = serializers.DictField(
        help_text="By criterion `mean`, `least`, `greatest`, `sd`. Where `geometric` is true, the means are "
        "geometric and the SD is that of natural logarithms."
    )
    figures = serializers.ListField(child=serializers.DictField(), help_text="α and held-out correlations.")
    metrics = serializers.ListField(child=serializers.DictField())


class MultiverseSerializer(serializers.Serializer[Any]):
    created_at = serializers.DateTimeField()
    stale = serializers.BooleanField(help_text="Data, exclusions, rules or scores have changed since.")
    software = serializers.CharField()
    method = serializers.DictField()
    worlds = WorldSerializer(many=True)


class MultiverseView(APIView):
    @study_operation(Act.VIEW, "multiverse_get", gives=MultiverseSerializer)
    def get(self, request: Request, access: Access) -> Response:
        """The newest table; 404 before the first."""
        report = latest_report(access.study, KIND)
        if report is None:
            raise Http404
        body = {
            "created_at": report.created_at,
            "stale": multiverse_stale(access.study, report),
            "software": report.software,
            "method": report.method,
            "worlds": report.tables["worlds"],
        }
        return Response(MultiverseSerializer(body).data)

    @study_operation(Act.VIEW, "multiverse_compute", gives=STARTED)
    def post(self, request: Request, access: Access) -> Response:
        """Compute the table: 202 with the job that does it."""
        return started(request_multiverse(study=access.study, actor=access.user), request)
