"""How accounts are made: by an administrator on the command line or by invitation, never by anybody."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from rest_framework.authtoken.models import Token

from annotation.models import ApiToken, User


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    def set_password(self, user: User, password: str) -> None:
        """Set a new password; what was signed in to with the old one, programmes too, must sign in again."""
        super().set_password(user, password)
        Token.objects.filter(user=user).delete()
        ApiToken.objects.filter(user=user).delete()

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False
