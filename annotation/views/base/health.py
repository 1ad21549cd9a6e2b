"""Is the server alive, and can it do its work? Asked by start-up, containers and monitors."""

from __future__ import annotations

from dataclasses import asdict

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.selectors.base.readiness import FAILED, readiness


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """The process answers. Touches nothing else, so that a database away does not restart the server."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """Whether every part that the work needs is in order; each is named with its state and a sentence.

    The code and the sentence of the whole are those of the first part that has failed.
    """
    checks = readiness()
    failed = next((check for check in checks if check.state == FAILED), None)
    parts = {
        check.part: {name: value for name, value in asdict(check).items() if name != "part"}
        for check in checks
    }
    return JsonResponse(
        {
            "code": failed.code if failed else "ready",
            "message": failed.message if failed else "ok",
            "fields": {},
            "checks": parts,
        },
        status=503 if failed else 200,
    )
