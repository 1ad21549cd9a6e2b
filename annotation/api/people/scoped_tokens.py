"""`auth/tokens/`: tokens that may do less than their owner."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.refusal_schema import BODY, refusals
from annotation.api.base.requests import caller, validated
from annotation.api.base.strict import StrictSerializer
from annotation.models import ApiToken
from annotation.services.base.tokens import Scope, make_token, revoke_token

SCOPES = [scope.value for scope in Scope]


class ScopedTokenSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=SCOPES))
    created_at = serializers.DateTimeField()


class MadeTokenSerializer(ScopedTokenSerializer):
    token = serializers.CharField(help_text="Told this once.")


class NewTokenSerializer(StrictSerializer):
    name = serializers.CharField(max_length=120)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=SCOPES), min_length=1, max_length=len(SCOPES)
    )


class TokensView(APIView):
    @extend_schema(
        operation_id="tokens_list",
        summary="The caller's tokens with scopes",
        responses={200: ScopedTokenSerializer(many=True), **refusals(401, 403)},
    )
    def get(self, request: Request) -> Response:
        refuse_scoped(request)
        return Response(ScopedTokenSerializer(list(caller(request).api_tokens.all()), many=True).data)

    @extend_schema(
        operation_id="tokens_make",
        summary="Make a token with scopes; it is told this once",
        request=NewTokenSerializer,
        responses={201: MadeTokenSerializer, **refusals(*BODY, 401, 403, 422)},
    )
    def post(self, request: Request) -> Response:
        refuse_scoped(request)
        given = validated(NewTokenSerializer, request)
        token, key = make_token(user=caller(request), **given)
        body = {**ScopedTokenSerializer(token).data, "token": key}
        return Response(body, status=status.HTTP_201_CREATED)


class ScopedTokenView(APIView):
    @extend_schema(
        operation_id="tokens_revoke",
        summary="Revoke a token with scopes",
        request=None,
        responses={204: None, **refusals(401, 403, 404)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        refuse_scoped(request)
        revoke_token(token=get_object_or_404(ApiToken, pk=pk, user=caller(request)))
        return Response(status=status.HTTP_204_NO_CONTENT)


def refuse_scoped(request: Request) -> None:
    """Tokens of a log-in are not in the hands of a token that may do less."""
    if isinstance(request.auth, ApiToken):
        raise PermissionDenied("Tokens are managed with a log-in, not with a token that has scopes.")
