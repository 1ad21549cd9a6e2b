"""Sign-in for software: exchange email and password for a token, and revoke it."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.core.exceptions import ValidationError
from rest_framework import serializers, status
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import APIException, AuthenticationFailed
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import operation
from annotation.api.base.requests import caller, validated
from annotation.api.base.throttles import LoginThrottle
from annotation.api.people.scoped_tokens import refuse_scoped
from annotation.api.people.token_authentication import ScopedTokenAuthentication
from annotation.models import ApiToken, User
from annotation.services.base.tokens import delete_sign_in_tokens, revoke_token, sign_in_token


class CredentialsSerializer(serializers.Serializer[Any]):
    email = serializers.CharField(max_length=254)
    password = serializers.CharField(max_length=4096, trim_whitespace=False, style={"input_type": "password"})
    code = serializers.CharField(
        max_length=64,
        required=False,
        help_text="Two-factor code, if the account has two-factor authentication.",
    )


class TokenSerializer(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="Shown only once.")
    expires_at = serializers.DateTimeField(help_text="Expiry time.")


class TooManyAttempts(APIException):
    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_code = "throttled"
    default_detail = "Too many sign-in attempts. Try again in a few minutes."


class NoSuchLogin(AuthenticationFailed):
    default_code = "wrong_credentials"
    default_detail = "The email or the password is wrong."


class SecondFactorNeeded(AuthenticationFailed):
    default_code = "second_factor"
    default_detail = "This account uses two-factor authentication. Send the current code as “code”."


class TokenView(APIView):
    """`auth/token/`: POST signs in, DELETE revokes the token."""

    authentication_classes = [ScopedTokenAuthentication, SessionAuthentication]
    throttle_classes = [LoginThrottle]
    throttle_scope = "login"

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method == "POST" else IsAuthenticated()]

    @operation(
        "token_create",
        takes=CredentialsSerializer,
        gives=TokenSerializer,
        person=(401,),
        refuses=(429,),
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Sign in with email and password to get a token."""
        given = validated(CredentialsSerializer, request)
        user = sign_in(request, **given)
        token, key = sign_in_token(user=user)
        return Response(TokenSerializer({"token": key, "expires_at": token.expires_at}).data)

    @operation("token_delete", gives={204: None}, person=(401, 403))
    def delete(self, request: Request) -> Response:
        """Revoke the token; in a signed-in browser, revoke all tokens of sign-ins."""
        refuse_scoped(request)
        if isinstance(request.auth, ApiToken):
            revoke_token(token=request.auth)
        else:
            delete_sign_in_tokens(user=caller(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


def sign_in(request: Request, *, email: str, password: str, code: str = "") -> User:
    """The user, under the same limits as the sign-in page; one answer for every kind of mismatch."""
    try:
        user = get_adapter().authenticate(request._request, email=email, password=password)
    except ValidationError as limited:
        raise TooManyAttempts from limited
    if user is None or not user.is_active:
        raise NoSuchLogin
    if is_mfa_enabled(user):
        if not ratelimit.consume(request._request, action="login_failed", key=f"second-factor-{user.pk}"):
            raise TooManyAttempts
        _check_second_factor(user, code)
    return user  # type: ignore[no-any-return]


def _check_second_factor(user: User, code: str) -> None:
    kinds = [Authenticator.Type.TOTP, Authenticator.Type.RECOVERY_CODES]
    factors = Authenticator.objects.filter(user=user, type__in=kinds)
    if not code or not any(factor.wrap().validate_code(code) for factor in factors):
        raise SecondFactorNeeded
