"""Answers are not stored in caches, since they are for the requesting user only."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import add_never_cache_headers

Handler = Callable[[HttpRequest], HttpResponseBase]


def forbid_storing(get_response: Handler) -> Handler:
    """Forbid storing pages unless a view sets its own rule: after signing out, “Back” shows nothing."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return answered
