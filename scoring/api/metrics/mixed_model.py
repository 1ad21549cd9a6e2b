"""`mixed-model/`: the ordinal mixed model of each criterion."""

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
from scoring.selectors.data.staleness import is_stale
from scoring.selectors.metrics.mixed_models import latest_models
from scoring.services.metrics.mixed_model import request_mixed_model


class RefusedCriterionSerializer(serializers.Serializer[Any]):
    criterion = serializers.CharField()
    reason = serializers.CharField(help_text="Code of the reason.")
    message = serializers.CharField()


class MixedModelSerializer(serializers.Serializer[Any]):
    created_at = serializers.DateTimeField()
    stale = serializers.BooleanField(help_text="Responses or exclusions have changed since.")
    software = serializers.CharField()
    method = serializers.DictField(help_text="`seed` and `confidence`.")
    models = serializers.ListField(
        child=serializers.DictField(),
        help_text="Of each criterion: `systems` with plain and adjusted means, `differences` with "
        "simultaneous intervals, `raters` with their severity, `variances`, and `thresholds` and `effects` "
        "in logits.",
    )
    refused = RefusedCriterionSerializer(many=True)


class MixedModelView(APIView):
    @study_operation(Act.READ, "mixed_model_get", gives=MixedModelSerializer)
    def get(self, request: Request, access: Access) -> Response:
        """The newest models; 404 before the first."""
        report = latest_models(access.study)
        if report is None:
            raise Http404
        body = {
            "created_at": report.created_at,
            "stale": is_stale(access.study, report),
            "software": report.software,
            "method": report.method,
            "models": report.tables["models"],
            "refused": report.tables["refused"],
        }
        return Response(MixedModelSerializer(body).data)

    @study_operation(Act.VIEW, "mixed_model_compute", gives=STARTED)
    def post(self, request: Request, access: Access) -> Response:
        """Fit the model of each criterion: 202 with the job that does it."""
        return started(request_mixed_model(study=access.study, actor=access.user), request)
