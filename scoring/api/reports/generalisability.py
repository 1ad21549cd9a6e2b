"""`generalisability/`: variance components and coefficients of each criterion, and of several together."""

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
from scoring.selectors.agreement.generalisability import latest_analyses
from scoring.selectors.data.staleness import is_stale
from scoring.services.agreement.generalisability import request_generalisability


class RefusedSetSerializer(serializers.Serializer[Any]):
    criterion = serializers.CharField()
    criteria = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField(help_text="Code of the reason.")
    message = serializers.CharField()


class GeneralisabilitySerializer(serializers.Serializer[Any]):
    created_at = serializers.DateTimeField()
    stale = serializers.BooleanField(help_text="Responses or exclusions have changed since.")
    software = serializers.CharField()
    method = serializers.DictField(help_text="`confidence`, and `sets`: criteria alone and together.")
    analyses = serializers.ListField(
        child=serializers.DictField(),
        help_text="Of each set of criteria: `components` with standard errors and intervals, and `readings` "
        "with the coefficients `at_hand` and a `d_study` of other numbers of raters; `cautions` has "
        "`few_raters` and `few_groups` where intervals are too narrow.",
    )
    refused = RefusedSetSerializer(many=True)


class GeneralisabilityView(APIView):
    @study_operation(Act.VIEW, "generalisability_get", gives=GeneralisabilitySerializer)
    def get(self, request: Request, access: Access) -> Response:
        """The newest analyses; 404 before the first."""
        report = latest_analyses(access.study)
        if report is None:
            raise Http404
        body = {
            "created_at": report.created_at,
            "stale": is_stale(access.study, report),
            "software": report.software,
            "method": report.method,
            "analyses": report.tables["analyses"],
            "refused": report.tables["refused"],
        }
        return Response(GeneralisabilitySerializer(body).data)

    @study_operation(Act.VIEW, "generalisability_compute", gives=STARTED)
    def post(self, request: Request, access: Access) -> Response:
        """Estimate the components of each criterion: 202 with the job that does it."""
        return started(request_generalisability(study=access.study, actor=access.user), request)
