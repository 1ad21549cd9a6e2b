"""`contact/`: the contact for raters."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import LONGEST_CONTACT
from annotation.permissions import Access, Act
from annotation.services.people.contact import set_contact


class ContactSerializer(StrictSerializer):
    contact = serializers.CharField(
        allow_blank=True, max_length=LONGEST_CONTACT, help_text="One line; empty for no contact."
    )
    translations = serializers.DictField(
        child=serializers.CharField(allow_blank=True, max_length=LONGEST_CONTACT),
        required=False,
        help_text="Language → translated contact; a changed contact loses translations that are not sent.",
    )


class ContactView(APIView):
    @study_operation(
        Act.MANAGE, "contact_set", takes=ContactSerializer, gives=ContactSerializer, refuses=(422,)
    )
    def put(self, request: Request, access: Access) -> Response:
        """Set the contact for raters."""
        given = validated(ContactSerializer, request)
        set_contact(
            study=access.study,
            actor=access.user,
            contact=given["contact"],
            translations=given.get("translations"),
        )
        study = access.study
        body: dict[str, Any] = {"contact": study.contact, "translations": study.contact_translations}
        return Response(body)
