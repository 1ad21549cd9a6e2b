"""How many requests of the API one caller may make in a minute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from annotation.models import Invitation

if TYPE_CHECKING:  # the framework reads this module before it has views
    from rest_framework.views import APIView


class CallerThrottle(SimpleRateThrottle):
    """Counts by account, or by address where nobody is signed in; the count is shared by all processes.

    A rater with a personal token is not counted: an answer is never refused because others were sent.
    """

    scope = "caller"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        if isinstance(request.auth, Invitation):
            return None
        ident = request.user.pk if request.user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}
