"""Addresses of the API below that of a study."""

from __future__ import annotations

from django.urls import URLPattern, path
from rest_framework.views import APIView


def study_path(route: str, view: type[APIView], name: str) -> URLPattern:
    """The address of a view below `studies/<study>/`."""
    return path(f"studies/<slug:slug>/{route}", view.as_view(), name=name)
