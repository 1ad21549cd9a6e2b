"""Addresses."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from annotation.api.base.schema_page import DocsView, SchemaView
from annotation.api.studies.studies import NothingView
from annotation.views.base import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("annotation.urls")),
    path("", include("scoring.urls")),
    path("api/v1/", include("annotation.api.urls")),
    path("api/v1/", include("scoring.api.urls")),
    re_path(r"^api/v1/[\s\S]*/$", NothingView.as_view(), name="api_nothing"),
    path("api/schema/", SchemaView.as_view(), name="api_schema"),
    path("api/docs/", DocsView.as_view(), name="api_docs"),
    path("language/", require_POST(set_language), name="set_language"),
    path("account/", include("config.account_urls")),
    path("health/live", health.live, name="health_live"),
    path("health/ready", health.ready, name="health_ready"),
]

handler400 = "annotation.views.base.errors.bad_request"
handler403 = "annotation.views.base.errors.permission_denied"
handler404 = "annotation.views.base.errors.page_not_found"
handler500 = "annotation.views.base.errors.server_error"
