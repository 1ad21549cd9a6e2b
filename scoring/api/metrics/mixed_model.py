"""`mixed-model/`: the ordinal mixed model of each criterion."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.permissions import Access, Act
from scoring.api.base.jobs import STARTED, started
from scoring.api.data.stored_tables import RefusedCriterionSerializer, StoredTablesSerializer, stored_tables
from scoring.selectors.metrics.mixed_models import latest_models
from scoring.services.metrics.mixed_model import request_mixed_model


class MixedModelSerializer(StoredTablesSerializer):
    method = serializers.DictField(help_text="`seed` and `confidence`.")
    models = serializers.ListField(
        child=serializers.DictField(),
        help_text="Of each criterion: `systems` with plain and adjusted means, `differences` with "
        "simultaneous intervals, `raters` with their severity, `variances`, `thresholds` and `effects` in "
        "logits, and `rater_thresholds`, those of each rater, or the `reason` why there are none.",
    )
    refused = RefusedCriterionSerializer(many=True)


class MixedModelView(APIView):
    @study_operation(Act.READ, "mixed_model_get", gives=MixedModelSerializer)
    def get(self, request: Request, access: Access) -> Response:
        """The newest models; 404 before the first."""
        body = stored_tables(access.study, latest_models(access.study))
        return Response(MixedModelSerializer(body).data)

    @study_operation(Act.VIEW, "mixed_model_compute", gives=STARTED)
    def post(self, request: Request, access: Access) -> Response:
        """Fit the model of each criterion: 202 with the job that does it."""
        return started(request_mixed_model(study=access.study, actor=access.user), request)
