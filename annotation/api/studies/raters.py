"""`raters/` and `invitations/`: rater codes and invitation links."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base.enumerations import RATER_STATES
from annotation.api.base.operations import listed, study_operation
from annotation.domain.base.platforms import Outcome
from annotation.models import Rater, RaterKind
from annotation.permissions import Access, Act
from annotation.selectors.people.of_study import raters_of
from annotation.selectors.people.outcomes import outcome_of, with_outcomes


class RaterSerializer(serializers.Serializer[Rater]):
    rater = serializers.CharField(source="code", help_text="Rater code.")
    kind = serializers.ChoiceField(choices=RaterKind.values)
    state = serializers.ChoiceField(choices=RATER_STATES)
    simulated = serializers.BooleanField()
    excluded = serializers.BooleanField(help_text="Whether the rater is currently excluded.")
    n_answered = serializers.IntegerField()
    target = serializers.IntegerField(allow_null=True)
    consented_at = serializers.DateTimeField(allow_null=True, help_text="Time of the first consent.")
    consent_number = serializers.IntegerField(help_text="Version of the consent form that was accepted last.")
    finished_at = serializers.DateTimeField(allow_null=True)
    outcome = serializers.SerializerMethodField(help_text="How the participation ended; empty until then.")

    @extend_schema_field(serializers.ChoiceField(choices=[*(one.value for one in Outcome), ""]))
    def get_outcome(self, rater: Rater) -> str:
        return outcome_of(rater) or ""


class RatersView(ListAPIView[Rater]):
    serializer_class = RaterSerializer

    @study_operation(Act.READ, "raters_list", gives=RaterSerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access) -> Response:
        """The raters by rater code."""
        return listed(self, with_outcomes(raters_of(study=access.study)))
