"""`generalisability/`: variance components and coefficients of each criterion, and of several together."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.permissions import Access, Act
from scoring.api.base.jobs import STARTED, started
from scoring.api.base.stored_tables import RefusedCriterionSerializer, StoredTablesSerializer, stored_tables
from scoring.selectors.agreement.generalisability import latest_analyses
from scoring.services.agreement.generalisability import request_generalisability


class RefusedSetSerializer(RefusedCriterionSerializer):
    criteria = serializers.ListField(child=serializers.CharField())


class GeneralisabilitySerializer(StoredTablesSerializer):
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
        body = stored_tables(access.study, latest_analyses(access.study))
        return Response(GeneralisabilitySerializer(body).data)

    @study_operation(Act.VIEW, "generalisability_compute", gives=STARTED)
    def post(self, request: Request, access: Access) -> Response:
        """Estimate the components of each criterion: 202 with the job that does it."""
        return started(request_generalisability(study=access.study, actor=access.user), request)
