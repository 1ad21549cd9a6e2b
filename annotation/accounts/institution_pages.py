"""Signing in with the institution: going to the provider, and coming back."""

from __future__ import annotations

import secrets

from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from requests import RequestException

from annotation.accounts.institution_adapter import invalid, unavailable
from annotation.accounts.institution_provider import InstitutionClient, provider_of


@never_cache
@require_GET
def start(request: HttpRequest) -> HttpResponse:
    """Send the browser to the provider.

    A link and no form: a browser would not follow a form from here to wherever the provider leads
    (`form-action` of the content security policy). It can only sign its own user in.
    """
    provider, nonce = provider_of(request), secrets.token_urlsafe(24)
    try:
        answer: HttpResponse = provider.redirect(
            request,
            process=AuthProcess.LOGIN,
            next_url=get_next_redirect_url(request),
            auth_params={"nonce": nonce},
            nonce=nonce,
        )
    except (RequestException, OAuth2Error):
        return unavailable(request)
    return answer


@never_cache
@require_GET
def callback(request: HttpRequest) -> HttpResponse:
    """Take the provider's answer."""
    client = InstitutionClient(request, provider_of(request).sub_id)
    try:
        answer: HttpResponse = OAuth2CallbackView.adapter_view(client)(request)
    except (KeyError, ValueError):
        # allauth reads the answers of a provider without asking whether they have what it expects.
        return invalid(request)
    return answer
