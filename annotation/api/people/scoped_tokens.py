"""`auth/tokens/`: tokens with scopes."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import operation
from annotation.api.base.requests import caller, validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import LONGEST_TOKEN_DAYS
from annotation.models import ApiToken
from annotation.services.base.tokens import Scope, make_token, revoke_token

SCOPES = [scope.value for scope in Scope]


class ScopedTokenSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    prefix = serializers.CharField(help_text="First characters of the token; empty for old tokens.")
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=SCOPES))
    signs_in = serializers.BooleanField(
        help_text="Whether the token was created by signing in through the API."
    )
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(help_text="Expiry time.")
    ends_soon = serializers.BooleanField(help_text="Whether the token expires within 14 days.")


class MadeTokenSerializer(ScopedTokenSerializer):
    token = serializers.CharField(help_text="Shown only once.")


class NewTokenSerializer(StrictSerializer):
    name = serializers.CharField(max_length=120)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=SCOPES), min_length=1, max_length=len(SCOPES)
    )
    days = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LONGEST_TOKEN_DAYS,
        help_text="Days until it expires; by default GROUNDWORK_TOKEN_DAYS (90).",
    )


class TokensView(APIView):
    @operation("tokens_list", gives=ScopedTokenSerializer(many=True), person=(401, 403))
    def get(self, request: Request) -> Response:
        """The caller's tokens, including those of sign-ins."""
        refuse_scoped(request)
        return Response(ScopedTokenSerializer(list(caller(request).api_tokens.all()), many=True).data)

    @operation(
        "tokens_make",
        takes=NewTokenSerializer,
        gives={201: MadeTokenSerializer},
        person=(401, 403),
        refuses=(422,),
    )
    def post(self, request: Request) -> Response:
        """Create a token with scopes; it is shown only once."""
        refuse_scoped(request)
        given = validated(NewTokenSerializer, request)
        token, key = make_token(user=caller(request), **given)
        body = {**ScopedTokenSerializer(token).data, "token": key}
        return Response(body, status=status.HTTP_201_CREATED)


class ScopedTokenView(APIView):
    @operation("tokens_revoke", gives={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Revoke a token."""
        refuse_scoped(request)
        revoke_token(token=get_object_or_404(ApiToken, pk=pk, user=caller(request)))
        return Response(status=status.HTTP_204_NO_CONTENT)


def refuse_scoped(request: Request) -> None:
    """Refuse tokens with scopes, which cannot manage tokens."""
    if isinstance(request.auth, ApiToken) and not request.auth.signs_in:
        raise PermissionDenied("Sign in to manage tokens. A token with scopes cannot manage tokens.")
