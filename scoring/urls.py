"""Addresses of the computing side."""

from __future__ import annotations

from django.urls import URLPattern, path

from scoring.views import reliability, scores

urlpatterns: list[URLPattern] = [
    path("studies/<slug:slug>/reliability/", reliability.ReliabilityView.as_view(), name="study-reliability"),
    path(
        "studies/<slug:slug>/reliability/<int:pk>.<str:file_format>",
        reliability.download,
        name="study-report-download",
    ),
    path("studies/<slug:slug>/scores/", scores.scores, name="study-scores"),
    path("studies/<slug:slug>/scores/file/", scores.download, name="study-scores-download"),
]
