"""Authentication of people by token or session, and of raters by the token of a personal link."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation.domain.base.sealing import digest_of
from annotation.models import Invitation

KEYWORD = "Invitation"


class InvitationAuthentication(BaseAuthentication):
    """`Authorization: Invitation <token>`: `request.auth` is the invitation, with its rater."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, Invitation] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != KEYWORD.lower().encode():
            return None
        if len(words) != 2 or not words[1].isascii() or b"\0" in words[1]:
            raise AuthenticationFailed(f"Send the header as: Authorization: {KEYWORD} <token>.")
        found = Invitation.objects.select_related("rater__study").filter(
            token_digest=digest_of(words[1].decode("ascii")), rater__isnull=False, revoked_at__isnull=True
        )
        invitation = found.first()
        if invitation is None:
            raise AuthenticationFailed("This invitation is unknown, not personal, or revoked.")
        return AnonymousUser(), invitation

    def authenticate_header(self, request: Request) -> str:
        return KEYWORD


class MayRate(BasePermission):
    """Allow raters with an invitation and signed-in people; the study checks their rights."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return isinstance(request.auth, Invitation) or request.user.is_authenticated


class InvitationScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Description for the API schema."""

    target_class = "annotation.api.people.authentication.InvitationAuthentication"
    name = "invitationAuth"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "A rater's personal token: `Authorization: Invitation <token>`.",
        }
