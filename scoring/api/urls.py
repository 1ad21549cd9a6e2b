"""Addresses of the API on the computing side, under `/api/v1/`."""

from __future__ import annotations

from django.urls import URLPattern, path

from scoring.api import bundles, exports, jobs, published, reports, runs, scores

urlpatterns: list[URLPattern] = [
    path("studies/<slug:slug>/reports/", reports.ReportsView.as_view(), name="api_reports"),
    path("studies/<slug:slug>/reports/<int:pk>/", reports.ReportView.as_view(), name="api_report"),
    path("studies/<slug:slug>/scores/", scores.ScoresView.as_view(), name="api_scores"),
    path("studies/<slug:slug>/runs/", runs.RunsView.as_view(), name="api_score_runs"),
    path("studies/<slug:slug>/runs/<int:pk>/", runs.RunView.as_view(), name="api_score_run"),
    path("studies/<slug:slug>/exports/", exports.ExportView.as_view(), name="api_exports"),
    path("studies/<slug:slug>/bundle/", bundles.BundleView.as_view(), name="api_bundle"),
    path("published/<str:name>/", published.PublishedView.as_view(), name="api_published"),
    path("jobs/<int:pk>/", jobs.JobView.as_view(), name="api_job"),
]
