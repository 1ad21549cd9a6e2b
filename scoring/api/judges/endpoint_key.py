"""`judges/key/`: the study’s own key of the chat endpoint, which no answer contains."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.permissions import Access, Act
from scoring.api.judges.serializers import TAGS
from scoring.selectors.judges.endpoint_key import KeyUsed, key_state
from scoring.services.judges.running.endpoint_keys import LONGEST_KEY, remove_key, set_key


class JudgeKeySerializer(StrictSerializer):
    key = serializers.CharField(
        max_length=LONGEST_KEY, write_only=True, help_text="As the endpoint shows it; never shown again."
    )


class JudgeKeyStateSerializer(serializers.Serializer[Any]):
    used = serializers.ChoiceField(
        [(one.value, one.value) for one in KeyUsed],
        help_text="Whose key is sent: of the `study` or the `installation`, `none`, or `unreadable`.",
    )
    host = serializers.CharField(help_text="Host of the endpoint; empty where there is none.")
    last_four = serializers.CharField(help_text="End of the study’s key, if it has 12 characters or more.")
    set_at = serializers.DateTimeField(allow_null=True, help_text="When the study’s key was set.")
    other_host = serializers.CharField(
        help_text="The host for which the study’s key was set, if that is no longer the endpoint."
    )


class JudgeKeyView(APIView):
    @study_operation(Act.OWN, "judges_key_get", tags=TAGS, gives=JudgeKeyStateSerializer)
    def get(self, request: Request, access: Access) -> Response:
        """Which key is sent to the chat endpoint; never the key."""
        return Response(JudgeKeyStateSerializer(key_state(access.study)).data)

    @study_operation(
        Act.OWN,
        "judges_key_set",
        tags=TAGS,
        takes=JudgeKeySerializer,
        gives=JudgeKeyStateSerializer,
        refuses=(409, 422),
    )
    def put(self, request: Request, access: Access) -> Response:
        """Set or replace the study’s key of the chat endpoint; it is stored encrypted."""
        set_key(study=access.study, actor=access.user, **validated(JudgeKeySerializer, request))
        return Response(JudgeKeyStateSerializer(key_state(access.study)).data)

    @study_operation(Act.OWN, "judges_key_remove", tags=TAGS, gives={204: None})
    def delete(self, request: Request, access: Access) -> Response:
        """Delete the study’s key; judges then use that of the installation, if it has one."""
        remove_key(study=access.study, actor=access.user)
        return Response(status=status.HTTP_204_NO_CONTENT)
