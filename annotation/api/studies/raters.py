"""`raters/` and `invitations/`: rater codes and invitation links."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.enumerations import RATER_STATES
from annotation.api.base.operations import listed, study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import (
    LONGEST_LINK_CODE,
    LONGEST_LINK_LABEL,
    LONGEST_PARAMETER,
    LONGEST_RETURN_ADDRESS,
    MOST_FAILED_CHECKS,
    MOST_RATERS_PER_LINK,
)
from annotation.domain.base.platforms import Outcome, Platform
from annotation.models import Rater, RaterKind
from annotation.permissions import Access, Act
from annotation.selectors.people.of_study import raters_of
from annotation.selectors.people.outcomes import outcome_of, with_outcomes
from annotation.services.people.invitations import invite


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


class InvitationRequestSerializer(StrictSerializer):
    label = serializers.CharField(  # type: ignore[assignment]
        max_length=LONGEST_LINK_LABEL, required=False, allow_blank=True, help_text="A name for the link."
    )
    personal = serializers.BooleanField(required=False, help_text="One link for one rater.")
    cap = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MOST_RATERS_PER_LINK,
        help_text="Maximum number of raters.",
    )
    platform = serializers.ChoiceField(choices=[one.value for one in Platform], required=False)
    completion_code = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_LINK_CODE)
    screenout_code = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_LINK_CODE)
    no_consent_code = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_LINK_CODE)
    failed_checks_code = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_LINK_CODE)
    failed_checks_from = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MOST_FAILED_CHECKS,
        help_text="Minimum number of failed attention checks for the code for failed checks.",
    )
    completion_url = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_RETURN_ADDRESS
    )
    screenout_url = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_RETURN_ADDRESS)
    no_consent_url = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_RETURN_ADDRESS
    )
    failed_checks_url = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_RETURN_ADDRESS
    )
    person_param = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_PARAMETER)
    task_param = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_PARAMETER)
    session_param = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_PARAMETER)

    def validate_platform(self, value: str) -> Platform:
        return Platform(value)


class InvitationCreatedSerializer(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="Token for `join/<token>/`.")
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    rater = serializers.CharField(allow_null=True, help_text="Rater code of a personal link.")


class RatersView(ListAPIView[Rater]):
    serializer_class = RaterSerializer

    @study_operation(Act.VIEW, "raters_list", gives=RaterSerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access) -> Response:
        """The raters by rater code."""
        return listed(self, with_outcomes(raters_of(study=access.study)))


class InvitationsView(APIView):
    @study_operation(
        Act.MANAGE,
        "invitations_create",
        takes=InvitationRequestSerializer,
        gives={201: InvitationCreatedSerializer},
        refuses=(422,),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Create an invitation link, open or personal."""
        given = validated(InvitationRequestSerializer, request)
        made = invite(study=access.study, actor=access.user, **given)
        body = {"token": made.token, "label": made.label, "rater": made.rater.code if made.rater else None}
        return Response(InvitationCreatedSerializer(body).data, status=status.HTTP_201_CREATED)
