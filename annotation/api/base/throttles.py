"""How many requests of the API one caller may make in a minute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle, SimpleRateThrottle

from annotation.models import Invitation
from config.client_address import network_of

if TYPE_CHECKING:  # the framework reads this module before it has views
    from rest_framework.views import APIView


class NetworkThrottle(BaseThrottle):
    """Knows callers who are not signed in by their network: one machine may have all addresses of a /64."""

    def get_ident(self, request: Request) -> str:
        return network_of(request._request)


class CallerThrottle(NetworkThrottle, SimpleRateThrottle):
    """Counts by account, or by network without a signed-in user; all processes share the count.

    A rater with a personal token is not counted: an answer is never refused because others were sent.
    """

    scope = "caller"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        if isinstance(request.auth, Invitation):
            return None
        ident = request.user.pk if request.user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}


class LoginThrottle(NetworkThrottle, ScopedRateThrottle):
    """Counts attempts to sign in; giving a token back is free."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        return request.method != "POST" or super().allow_request(request, view)
