"""`webhooks/`: webhooks for events of a study."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.models import Webhook
from annotation.permissions import Access, Act
from annotation.services.base.webhook_events import registered_events
from annotation.services.base.webhooks import add_webhook, remove_webhook, replace_secret

SHOWN = 10
EVENTS = list(registered_events())


class DeliverySerializer(serializers.Serializer[Any]):
    event = serializers.CharField()
    created_at = serializers.DateTimeField()
    attempts = serializers.IntegerField()
    delivered_at = serializers.DateTimeField(allow_null=True)
    next_at = serializers.DateTimeField(allow_null=True, help_text="Time of the next attempt.")
    error = serializers.CharField(allow_blank=True)


class WebhookSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk")
    address = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(choices=EVENTS))
    deliveries = serializers.SerializerMethodField()

    def get_deliveries(self, webhook: Webhook) -> list[dict[str, Any]]:
        return [dict(one) for one in DeliverySerializer(webhook.deliveries.all()[:SHOWN], many=True).data]


class MadeWebhookSerializer(WebhookSerializer):
    secret = serializers.CharField(help_text="Secret that signs the messages; shown only once.")


class NewWebhookSerializer(StrictSerializer):
    address = serializers.CharField(max_length=500)
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=EVENTS), min_length=1, max_length=len(EVENTS)
    )


class WebhooksView(APIView):
    @study_operation(Act.MANAGE, "webhooks_list", gives=WebhookSerializer(many=True))
    def get(self, request: Request, access: Access) -> Response:
        """The webhooks of a study, with their latest messages."""
        return Response(WebhookSerializer(list(access.study.webhooks.all()), many=True).data)

    @study_operation(
        Act.MANAGE,
        "webhooks_add",
        takes=NewWebhookSerializer,
        gives={201: MadeWebhookSerializer},
        refuses=(422,),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Add a webhook."""
        given = validated(NewWebhookSerializer, request)
        made = add_webhook(study=access.study, actor=access.user, **given)
        return Response(MadeWebhookSerializer(made).data, status=status.HTTP_201_CREATED)


class WebhookSecretView(APIView):
    @study_operation(Act.MANAGE, "webhooks_secret", gives=MadeWebhookSerializer)
    def post(self, request: Request, access: Access, pk: int) -> Response:
        """Replace the secret; the new one is shown only once."""
        webhook = get_object_or_404(Webhook, pk=pk, study=access.study)
        replace_secret(webhook=webhook, actor=access.user)
        return Response(MadeWebhookSerializer(webhook).data)


class WebhookView(APIView):
    @study_operation(Act.MANAGE, "webhooks_remove", gives={204: None})
    def delete(self, request: Request, access: Access, pk: int) -> Response:
        """Remove a webhook."""
        remove_webhook(webhook=get_object_or_404(Webhook, pk=pk, study=access.study), actor=access.user)
        return Response(status=status.HTTP_204_NO_CONTENT)
