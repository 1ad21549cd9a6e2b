"""`invitations/`: invitation links, open and personal."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import listed, study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import (
    LONGEST_LINK_CODE,
    LONGEST_LINK_LABEL,
    LONGEST_PARAMETER,
    LONGEST_RETURN_ADDRESS,
    MOST_FAILED_CHECKS,
    MOST_PERSONAL_LINKS,
    MOST_RATERS_PER_LINK,
)
from annotation.domain.base.platforms import Platform
from annotation.models import Invitation
from annotation.permissions import Access, Act
from annotation.selectors.people.of_study import links_of_members
from annotation.services.people.invitations import change_link, invite, revoke, set_paused
from annotation.services.people.personal_links import create_personal_links

LONGEST_PERSON = 200


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
    expires_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="Nobody new joins after this time."
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


class InvitationLinkSerializer(serializers.Serializer[Invitation]):
    id = serializers.IntegerField(source="pk")
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    rater = serializers.CharField(
        source="rater.code", default=None, allow_null=True, help_text="Of a personal link."
    )
    platform = serializers.ChoiceField(choices=[one.value for one in Platform])
    cap = serializers.IntegerField(allow_null=True)
    joined = serializers.IntegerField(source="n_joined", help_text="Raters who joined by an open link.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    paused_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)


class InvitationChangeSerializer(StrictSerializer):
    """Every field may be left out, and stays as it is then."""

    label = serializers.CharField(  # type: ignore[assignment]
        max_length=LONGEST_LINK_LABEL, required=False, allow_blank=True
    )
    cap = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MOST_RATERS_PER_LINK
    )
    expires_at = serializers.DateTimeField(required=False, allow_null=True)
    completion_code = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_LINK_CODE,
        help_text="Of a link for a crowd platform.",
    )
    paused = serializers.BooleanField(required=False, help_text="Nobody new joins while a link is paused.")


class PeopleSerializer(StrictSerializer):
    names = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_PERSON),
        min_length=1,
        max_length=MOST_PERSONAL_LINKS,
        help_text="Names or codes of the people, each once. They are not stored.",
    )
    label = serializers.CharField(  # type: ignore[assignment]
        max_length=LONGEST_LINK_LABEL, required=False, allow_blank=True, help_text="A name for the list."
    )
    expires_at = serializers.DateTimeField(required=False, allow_null=True)
    panel = serializers.SlugField(required=False, help_text="Key of the form whose panel they join.")


class PersonalLinkSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    rater = serializers.CharField(help_text="Rater code.")
    token = serializers.CharField(help_text="Token for `join/<token>/`.")
    new = serializers.BooleanField(help_text="False if the person had the link before.")


class InvitationsView(ListAPIView[Invitation]):
    serializer_class = InvitationLinkSerializer

    @study_operation(
        Act.MANAGE, "invitations_list", gives=InvitationLinkSerializer(many=True), refuses=(400,)
    )
    def get(self, request: Request, access: Access) -> Response:
        """The links that members created, newest first, without their secrets."""
        return listed(self, _counted(access))

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


class InvitationView(APIView):
    @study_operation(
        Act.MANAGE,
        "invitation_change",
        takes=InvitationChangeSerializer,
        gives=InvitationLinkSerializer,
        refuses=(409, 422),
    )
    def patch(self, request: Request, access: Access, pk: int) -> Response:
        """Change a link, pause or resume it."""
        link = get_object_or_404(links_of_members(access.study), pk=pk)
        given = validated(InvitationChangeSerializer, request)
        paused = given.pop("paused", None)
        if given:
            unchanged = {name: getattr(link, name) for name in ("label", "cap", "expires_at")}
            link = change_link(invitation=link, actor=access.user, **{**unchanged, **given})
        if paused is not None:
            set_paused(invitation=link, paused=paused, actor=access.user)
        return Response(InvitationLinkSerializer(_counted(access).get(pk=pk)).data)


class InvitationRevocationView(APIView):
    @study_operation(Act.MANAGE, "invitation_revoke", gives=InvitationLinkSerializer)
    def post(self, request: Request, access: Access, pk: int) -> Response:
        """Make a link stop working for good; raters who joined by it continue."""
        revoke(invitation=get_object_or_404(links_of_members(access.study), pk=pk), actor=access.user)
        return Response(InvitationLinkSerializer(_counted(access).get(pk=pk)).data)


class PersonalInvitationsView(APIView):
    @study_operation(
        Act.MANAGE,
        "invitations_personal",
        takes=PeopleSerializer,
        gives={201: PersonalLinkSerializer(many=True)},
        refuses=(422,),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Create a personal link for each person of a list who has none; all or none."""
        given = validated(PeopleSerializer, request)
        if "panel" in given:
            given["panel"] = get_object_or_404(access.study.forms.all(), key=given["panel"])
        made = create_personal_links(study=access.study, actor=access.user, **given)
        body = [
            {"name": one.name, "rater": one.code, "token": one.invitation.token, "new": one.new}
            for one in made
        ]
        return Response(PersonalLinkSerializer(body, many=True).data, status=status.HTTP_201_CREATED)


def _counted(access: Access) -> QuerySet[Invitation]:
    return links_of_members(access.study).annotate(n_joined=Count("joined"))
