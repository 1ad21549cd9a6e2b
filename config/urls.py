"""Addresses."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from annotation.views import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("annotation.urls")),
    path("", include("scoring.urls")),
    path("account/", include("allauth.urls")),
    path("health/live", health.live, name="health_live"),
    path("health/ready", health.ready, name="health_ready"),
]
