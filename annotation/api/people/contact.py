"""`contact/`: whom raters can write to."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.refusal_schema import BODY, PERSON, refusals
from annotation.api.base.requests import caller, validated
from annotation.api.base.strict import StrictSerializer
from annotation.permissions import Act, study_access
from annotation.services.people.contact import LONGEST_CONTACT, set_contact


class ContactSerializer(StrictSerializer):
    contact = serializers.CharField(
        allow_blank=True, max_length=LONGEST_CONTACT, help_text="One line; empty: nobody is named."
    )


class ContactView(APIView):
    @extend_schema(
        operation_id="contact_set",
        summary="Say whom raters can write to",
        request=ContactSerializer,
        responses={200: ContactSerializer, **refusals(*BODY, *PERSON, 422)},
    )
    def put(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.MANAGE)
        given = validated(ContactSerializer, request)
        set_contact(study=access.study, actor=access.user, contact=given["contact"])
        body: dict[str, Any] = {"contact": access.study.contact}
        return Response(body)
