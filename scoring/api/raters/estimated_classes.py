"""`classes/`: the classes of items and the errors of raters, estimated for a question with options."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.strict import refuse_unknown
from annotation.permissions import Access, Act
from scoring.services.raters.class_rows import item_classes, rater_rows
from scoring.services.raters.estimated_classes import class_questions
from scoring.stats.base.result import finite_or_none
from scoring.stats.raters.latent_classes.fit import MODELS


class EstimatedClassesSerializer(serializers.Serializer[Any]):
    """A fit of a model of classes; numbers are null where nothing was estimated."""

    fit = serializers.DictField(help_text="Likelihood, iterations, starts, `cautions` and `reason`.")
    prevalence = serializers.DictField(help_text="Share of each class.")
    items = serializers.ListField(
        child=serializers.DictField(), help_text="Those whose class is not the majority come first."
    )
    raters = serializers.ListField(
        child=serializers.DictField(), help_text="With the probability of each answer by class (`confusion`)."
    )


class EstimatedClassesView(APIView):
    @study_operation(
        Act.VIEW,
        "estimated_classes",
        gives=EstimatedClassesSerializer,
        parameters=[
            OpenApiParameter("criterion", str, required=True, description="A question with one option."),
            OpenApiParameter("model", str, enum=list(MODELS), description="By default `dawid_skene`."),
        ],
        refuses=(400, 409),
    )
    def get(self, request: Request, access: Access) -> Response:
        """Fit Dawid and Skene’s model, or MACE, to the answers that count."""
        asked = request.query_params
        refuse_unknown(asked, {"criterion", "model"})
        questions = class_questions(access.study)
        criterion, name = asked.get("criterion", ""), asked.get("model", "dawid_skene")
        if criterion not in questions.names:
            raise ValidationError({"criterion": ["Name a question with one option that has answers."]})
        model = next((one for one in MODELS if one == name), None)
        if model is None:
            raise ValidationError({"model": [f"It is one of {', '.join(MODELS)}."]})
        one = questions.estimate(criterion, model)
        shares = [finite_or_none(float(share)) for share in one.found.prevalence]
        return Response(
            {
                "fit": one.found.summary(),
                "prevalence": dict(zip(one.classes, shares, strict=True)),
                "items": [row.to_row() for row in item_classes(one)],
                "raters": rater_rows(one),
            }
        )
