"""Addresses."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("annotation.urls")),
    path("", include("scoring.urls")),
    path("account/", include("allauth.urls")),
]
