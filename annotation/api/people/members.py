"""`members/`: who has which role in a study."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.enumerations import MEMBER_ROLES
from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.states import Role
from annotation.models import Membership, User
from annotation.permissions import Access, Act
from annotation.services.people.members import NO_MEMBER, add_member, remove_member


class MemberSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk")
    email = serializers.EmailField(source="user.email")
    name = serializers.CharField(source="user.name", allow_blank=True)
    role = serializers.ChoiceField(choices=MEMBER_ROLES)
    declares_rules = serializers.BooleanField(
        help_text="Whether a researcher may declare, apply and lift exclusion rules. Admins and owners may "
        "without it."
    )


class MemberEditSerializer(StrictSerializer):
    email = serializers.EmailField(help_text="Email address of an account.")
    role = serializers.ChoiceField(choices=MEMBER_ROLES)
    declares_rules = serializers.BooleanField(
        required=False, help_text="For researchers only; default false."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.get("declares_rules") and attrs["role"] != Role.RESEARCHER:
            raise ValidationError({"declares_rules": ["Only researchers are given this right."]})
        return attrs


class MembersView(APIView):
    @study_operation(Act.VIEW, "members_list", gives=MemberSerializer(many=True))
    def get(self, request: Request, access: Access) -> Response:
        """The members of a study with their roles, by email address."""
        found = access.study.memberships.select_related("user").order_by("user__email")
        return Response(MemberSerializer(found, many=True).data)

    @study_operation(
        Act.OWN, "members_set", takes=MemberEditSerializer, gives=MemberSerializer, refuses=(409,)
    )
    def put(self, request: Request, access: Access) -> Response:
        """Give an account a role, or change the role and the right of a member."""
        given = validated(MemberEditSerializer, request)
        user = User.objects.filter(email__iexact=given["email"]).first()
        if user is None:
            raise NotAllowedNow(NO_MEMBER, code="no_such_member")
        made = add_member(
            study=access.study,
            user=user,
            role=Role(given["role"]),
            actor=access.user,
            declares_rules=given.get("declares_rules", False),
        )
        return Response(MemberSerializer(made).data)


class MemberView(APIView):
    @study_operation(Act.OWN, "members_remove", gives={204: None}, refuses=(409,))
    def delete(self, request: Request, access: Access, pk: int) -> Response:
        """Remove a member."""
        found = get_object_or_404(Membership.objects.select_related("user"), pk=pk, study=access.study)
        remove_member(study=access.study, membership=found, actor=access.user)
        return Response(status=status.HTTP_204_NO_CONTENT)
