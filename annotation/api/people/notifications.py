"""`notifications/`: of which events the caller is notified by email."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.enumerations import NOTICE_EVENTS
from annotation.api.base.fields import InterfaceLanguageField
from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.states import NoticeEvent
from annotation.models import NoticeChoice
from annotation.permissions import Access, Act
from annotation.services.people.notices import choose_notices


class NotificationsSerializer(StrictSerializer):
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=NOTICE_EVENTS),
        max_length=len(NoticeEvent),
        help_text="Events about which you get emails; none for no emails.",
    )
    interface_language = InterfaceLanguageField(
        help_text="Language of the emails; empty or omitted for the one chosen before, or English."
    )


class ChosenNotificationsSerializer(serializers.Serializer[Any]):
    events = serializers.ListField(child=serializers.ChoiceField(choices=NOTICE_EVENTS))
    sends_mail = serializers.BooleanField(help_text="Whether this server has a mail server.")


class NotificationsView(APIView):
    @study_operation(Act.VIEW, "notifications_get", gives=ChosenNotificationsSerializer)
    def get(self, request: Request, access: Access) -> Response:
        """The events about which the caller gets emails."""
        chosen = set(_own(access).values_list("event", flat=True))
        return _answer([event.value for event in NoticeEvent if event in chosen])

    @study_operation(
        Act.VIEW,
        "notifications_set",
        takes=NotificationsSerializer,
        gives=ChosenNotificationsSerializer,
        refuses=(409, 422),
    )
    def put(self, request: Request, access: Access) -> Response:
        """Choose the events about which the caller gets emails; other members are not affected."""
        given = validated(NotificationsSerializer, request)
        before = _own(access).values_list("language", flat=True).first()
        chosen = choose_notices(
            study=access.study,
            user=access.user,
            events=given["events"],
            language=given.get("interface_language") or before or settings.LANGUAGE_CODE,
            site=request.build_absolute_uri("/"),
        )
        return _answer([choice.event for choice in chosen])


def _own(access: Access) -> QuerySet[NoticeChoice]:
    return NoticeChoice.objects.filter(membership__study=access.study, membership__user=access.user)


def _answer(events: list[str]) -> Response:
    return Response({"events": events, "sends_mail": settings.SENDS_MAIL})
