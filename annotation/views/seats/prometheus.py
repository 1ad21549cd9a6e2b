"""`/metrics`: what Prometheus asks for, with the token of this installation."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.operations.request_metrics import of_all_processes


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Every measurement in Prometheus' text format; there is no such page for anybody without the token."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    expected = settings.METRICS_TOKEN
    if not expected or scheme != "Bearer" or not constant_time_compare(token.strip(), expected):
        raise Http404("No such page.")
    # A web process whose metrics are never read does not load it.
    from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

    from annotation.selectors.seats.measurements import Installation

    registry = of_all_processes()
    registry.register(Installation())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)
