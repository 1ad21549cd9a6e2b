"""The return from the provider: a sign-in, or a page with the reason for refusing it."""

from __future__ import annotations

import logging
import secrets
from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base import AuthError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from requests import RequestException

from annotation.accounts.institution_provider import InstitutionProvider, institution_set_up, provider_of
from annotation.domain.base.errors import GroundworkError
from annotation.services.people.institution import account_of

logger = logging.getLogger(__name__)


class InstitutionAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    def get_provider(self, request: HttpRequest, provider: str, client_id: str | None = None) -> Any:  # noqa: ARG002
        return provider_of(request)

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Find or create the account; the sign-in continues with it, including two-factor authentication."""
        expected = sociallogin.state.get("nonce")
        if not expected or not secrets.compare_digest(str(sociallogin.nonce), expected):
            raise ImmediateHttpResponse(invalid(request))
        try:
            link = account_of(identity=sociallogin.identity, institution=institution_set_up())
        except GroundworkError as refusal:
            raise ImmediateHttpResponse(
                sign_in_refused(request, refusal.code, refusal.message, status=403)
            ) from refusal
        sociallogin.account, sociallogin.user = link, link.user

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: InstitutionProvider,  # noqa: ARG002
        error: str | None = None,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> None:
        """Show a page of this site for every failure on the way to the provider and back."""
        extra_context = extra_context or {}
        if isinstance(exception, RequestException):
            answer = unavailable(request)
        elif exception is not None:
            answer = invalid(request)
        elif "state_id" in extra_context:
            answer = sign_in_refused(
                request,
                "sso_expired",
                _(
                    "This sign-in has expired, was started in another browser, or is already complete. "
                    "Start again."
                ),
                status=400,
            )
        elif error == AuthError.CANCELLED:
            answer = sign_in_refused(
                request,
                "sso_cancelled",
                _("You cancelled the sign-in at your institution. Start again to sign in."),
                status=403,
            )
        else:
            answer = unavailable(request)
        raise ImmediateHttpResponse(answer)


def unavailable(request: HttpRequest) -> HttpResponse:
    """The page for a provider that does not answer, or not as OpenID Connect requires."""
    message = _("The institution’s sign-in service does not respond. Try again in a few minutes.")
    return sign_in_refused(request, "sso_unavailable", message, status=503)


def invalid(request: HttpRequest) -> HttpResponse:
    """The page for an answer of the provider that cannot be trusted."""
    message = _("The response of the institution’s sign-in service could not be verified. Start again.")
    return sign_in_refused(request, "sso_invalid", message, status=400)


def sign_in_refused(request: HttpRequest, code: str, message: str, *, status: int) -> HttpResponse:
    """The page with the reason for a refused sign-in."""
    logger.warning("A sign-in with the institution ended with %s.", code)
    return render(request, "errors/sign_in.html", {"code": code, "message": message}, status=status)
