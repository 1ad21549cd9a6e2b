"""Authentication by a token of a sign-in or by a token with scopes."""

from __future__ import annotations

from typing import Any

from django.db.models import CharField
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from annotation.domain.base.sealing import digest_of
from annotation.models import ApiToken, User
from annotation.selectors.base.prepared_queries import Compiled
from annotation.services.base.tokens import Scope

LOOKING = ("GET", "HEAD", "OPTIONS")
_TOKEN = Compiled(
    lambda digest: ApiToken.objects.select_related("user").filter(digest=digest), digest=CharField()
)


class ScopedTokenAuthentication(TokenAuthentication):
    """`Authorization: Token …`: found by its digest, so that timing reveals nothing."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        found = super().authenticate(request)
        if found is not None:
            needed = Scope.READ if request.method in LOOKING else Scope.WRITE
            # Who may write may look: what was written could not be checked otherwise.
            if not {needed, Scope.WRITE} & set(found[1].scopes):
                raise PermissionDenied(
                    f"This token does not have the scope “{needed.value}”.", code="no_scope"
                )
        return found

    def authenticate_credentials(self, key: str) -> tuple[User, ApiToken]:
        token = _TOKEN.first(digest=digest_of(key))
        if token is None or not token.user.is_active:
            raise AuthenticationFailed("This token is unknown or has been revoked.")
        if token.is_expired:
            ended = f"This token expired on {token.expires_at:%Y-%m-%d}."
            raise AuthenticationFailed(f"{ended} Create a new token or sign in again.", code="token_expired")
        return token.user, token


class ScopedTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Description for the API schema."""

    target_class = "annotation.api.people.token_authentication.ScopedTokenAuthentication"
    name = "tokenAuth"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Authorization: Token <token>`: of a sign-in, or one with scopes.",
        }
