"""Who calls by a token: of a log-in, or one with scopes."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from annotation.models import ApiToken, User
from annotation.services.base.tokens import PREFIX, Scope, digest_of

LOOKING = ("GET", "HEAD", "OPTIONS")


class ScopedTokenAuthentication(TokenAuthentication):
    """`Authorization: Token …` with the token of a log-in, or one that has scopes."""

    def authenticate(self, request: Request) -> tuple[User, Any] | None:
        found = super().authenticate(request)
        if found is not None and isinstance(found[1], ApiToken):
            needed = Scope.READ if request.method in LOOKING else Scope.WRITE
            # Who may write may look: what was written could not be checked otherwise.
            if not {needed, Scope.WRITE} & set(found[1].scopes):
                raise PermissionDenied(f"This token has not the scope “{needed.value}”.", code="no_scope")
        return found

    def authenticate_credentials(self, key: str) -> tuple[User, Any]:
        if not key.startswith(PREFIX):
            return super().authenticate_credentials(key)
        token = ApiToken.objects.select_related("user").filter(digest=digest_of(key)).first()
        if token is None or not token.user.is_active:
            raise AuthenticationFailed("This token is not known, or has been revoked.")
        return token.user, token


class ScopedTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the schema describes it."""

    target_class = "annotation.api.people.token_authentication.ScopedTokenAuthentication"
    name = "tokenAuth"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Authorization: Token <token>`: of a log-in, or one with scopes.",
        }
