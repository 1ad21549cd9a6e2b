"""Addresses of the collecting side."""

from __future__ import annotations

from django.urls import URLPattern

rating_urls: list[URLPattern] = []

study_urls: list[URLPattern] = []

urlpatterns = [*rating_urls, *study_urls]
