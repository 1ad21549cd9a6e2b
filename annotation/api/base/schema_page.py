"""The schema and its page: everything from this host, inline style on this page alone."""

from __future__ import annotations

from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView


class SchemaView(SpectacularAPIView):
    authentication_classes = []


@method_decorator(csp_update({"style-src": ["'self'", "'unsafe-inline'"]}), name="dispatch")
class DocsView(SpectacularSwaggerSplitView):
    """Swagger's page styles itself inline; its scripts are files."""

    authentication_classes = []
    metadata_class = None
    url_name = "api_schema"
