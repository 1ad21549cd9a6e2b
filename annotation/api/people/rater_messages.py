"""`messages/`: messages to raters."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.enumerations import DELIVERY_STATES, MESSAGE_KINDS
from annotation.api.base.operations import listed, study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import LONGEST_MESSAGE, LONGEST_MESSAGE_SUBJECT, MOST_RATERS_WRITTEN_TO
from annotation.domain.people.rater_messages import DeliveryState, MessageDraft, MessageKind
from annotation.models import MessageDelivery, RaterMessage
from annotation.permissions import Access, Act
from annotation.selectors.people.rater_messages import messages_of
from annotation.services.people.messages.creating import create_message, send_again

LONGEST_CODE = 64


class MessageTextSerializer(StrictSerializer):
    subject = serializers.CharField(max_length=LONGEST_MESSAGE_SUBJECT)
    text = serializers.CharField(max_length=LONGEST_MESSAGE)


class NewMessageSerializer(StrictSerializer):
    kind = serializers.ChoiceField(choices=MESSAGE_KINDS)
    raters = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_CODE),
        allow_empty=False,
        max_length=MOST_RATERS_WRITTEN_TO,
        help_text="Rater codes. Raters that the message does not reach are left out.",
    )
    texts = serializers.DictField(
        child=MessageTextSerializer(),
        required=False,
        help_text=(
            "Subject and text by language of raters’ pages, such as `en`. A language that is missing gets "
            "the proposed text; a question has none."
        ),
    )
    key = serializers.UUIDField(
        required=False, help_text="The same key again creates no second message and returns the first."
    )

    def validate_texts(self, texts: dict[str, Any]) -> dict[str, Any]:
        unknown = sorted(texts.keys() - dict(settings.LANGUAGES).keys())
        if unknown:
            raise serializers.ValidationError(f"{unknown[0]!r} is not a language of this server.")
        return texts


class MessageSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=MESSAGE_KINDS)
    texts = serializers.DictField(child=MessageTextSerializer())
    created_at = serializers.DateTimeField()
    states = serializers.SerializerMethodField(help_text="Number of raters by what became of the message.")

    def get_states(self, message: Any) -> dict[str, int]:
        return {state.value: getattr(message, f"n_{state.value}") for state in DeliveryState}


class DeliverySerializer(serializers.Serializer[MessageDelivery]):
    rater = serializers.CharField(source="rater.code")
    state = serializers.ChoiceField(choices=DELIVERY_STATES)
    language = serializers.CharField()
    reason = serializers.CharField(allow_blank=True, help_text="Code; empty where there is none.")
    tried_at = serializers.DateTimeField(allow_null=True)


class WholeMessageSerializer(MessageSerializer):
    deliveries = DeliverySerializer(many=True)


class SentAgainSerializer(serializers.Serializer[Any]):
    emails = serializers.IntegerField(help_text="Number of emails that are sent again.")


class MessagesView(ListAPIView[RaterMessage]):
    serializer_class = MessageSerializer

    @study_operation(Act.MANAGE, "messages_list", gives=MessageSerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access) -> Response:
        """The messages to raters, newest first."""
        return listed(self, messages_of(access.study))

    @study_operation(
        Act.MANAGE,
        "messages_create",
        takes=NewMessageSerializer,
        gives={201: MessageSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Write a message to raters; emails are sent in a job, and raters of a platform are listed."""
        given = validated(NewMessageSerializer, request)
        draft = MessageDraft(
            kind=MessageKind(given["kind"]),
            codes=given["raters"],
            texts=given.get("texts", {}),
            key=given.get("key") or uuid.uuid4(),
        )
        sent = create_message(
            study=access.study, actor=access.user, draft=draft, site=request.build_absolute_uri("/")
        )
        stored = messages_of(access.study).get(pk=sent.pk)
        return Response(MessageSerializer(stored).data, status=status.HTTP_201_CREATED)


class MessageView(APIView):
    @study_operation(Act.MANAGE, "messages_get", gives=WholeMessageSerializer)
    def get(self, request: Request, access: Access, number: int) -> Response:
        """One message, with what became of it for each rater."""
        found = messages_of(access.study).prefetch_related("deliveries__rater")
        return Response(WholeMessageSerializer(get_object_or_404(found, number=number)).data)

    @study_operation(Act.MANAGE, "messages_send_again", gives=SentAgainSerializer, refuses=(409,))
    def post(self, request: Request, access: Access, number: int) -> Response:
        """Send again the emails that the mail server refused, and those that wait; none that is in doubt."""
        found = get_object_or_404(messages_of(access.study).select_related("study"), number=number)
        return Response({"emails": send_again(sent=found, actor=access.user)})
