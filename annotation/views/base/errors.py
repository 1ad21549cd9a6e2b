"""Pages for requests that cannot be answered."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import defaults

from annotation.domain.base.errors import DiskFull
from annotation.io.base.full_disk import is_disk_full
from annotation.permissions import Act, ForSiteAdministrators, RoleRefused
from annotation.views.base.navigation import navigation

Handler = Callable[[HttpRequest, Exception], HttpResponse]


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "errors/csrf.html", {"reason": reason}, status=403)


def without_reading(handler: Handler) -> Handler:
    """Answer without reading the request, in which Django’s own pages look for a token."""

    @wraps(handler)
    def answer(request: HttpRequest, exception: Exception) -> HttpResponse:
        if not hasattr(request, "_post"):
            request._mark_post_parse_error()  # type: ignore[attr-defined]
        return handler(request, exception)

    return answer


def server_error(request: HttpRequest) -> HttpResponse:
    """The page for an error that is in the log; another one if the disk is full."""
    fault = sys.exception()
    if fault is None or not is_disk_full(fault):
        return defaults.server_error(request)
    return render(request, "errors/disk_full.html", {"code": DiskFull.code}, status=507)


@without_reading
def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for a refused action; members of the study see it with the study's navigation."""
    if isinstance(exception, RoleRefused) and exception.access.may(Act.ENTER):
        access = exception.access
        context = {"access": access, "study": access.study, "navigation": navigation(access)}
        return render(request, "errors/role_refused.html", context, status=403)
    context = {"for_administrators": isinstance(exception, ForSiteAdministrators)}
    return render(request, "403.html", context, status=403)


bad_request = without_reading(defaults.bad_request)
page_not_found = without_reading(defaults.page_not_found)
