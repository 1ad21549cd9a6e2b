"""Addresses of the API on the computing side, under `/api/v1/`."""

from __future__ import annotations

from django.urls import URLPattern, path

from scoring.api import bundles, exports, jobs, published, reports, run_items, runs, scores, scorings

urlpatterns: list[URLPattern] = [
    path("studies/<slug:slug>/reports/", reports.ReportsView.as_view(), name="api_reports"),
    path("studies/<slug:slug>/reports/<int:pk>/", reports.ReportView.as_view(), name="api_report"),
    path("studies/<slug:slug>/scores/", scores.ScoresView.as_view(), name="api_scores"),
    path("studies/<slug:slug>/runs/", runs.RunsView.as_view(), name="api_score_runs"),
    path("studies/<slug:slug>/runs/<int:pk>/", runs.RunView.as_view(), name="api_score_run"),
    path(
        "studies/<slug:slug>/runs/<int:pk>/items/",
        run_items.RunItemsView.as_view(),
        name="api_score_run_items",
    ),
    path(
        "studies/<slug:slug>/runs/<int:pk>/items/<path:key>/",
        run_items.RunItemView.as_view(),
        name="api_score_run_item",
    ),
    path(
        "studies/<slug:slug>/runs/<int:pk>/corpus/", runs.RunCorpusView.as_view(), name="api_score_run_corpus"
    ),
    path("studies/<slug:slug>/exports/", exports.ExportView.as_view(), name="api_exports"),
    path("scorings/", scorings.ScoringsView.as_view(), name="api_scorings"),
    path("scorings/<int:pk>/", scorings.ScoringView.as_view(), name="api_scoring"),
    path("scorings/<int:pk>/scores/", scorings.ScoringScoresView.as_view(), name="api_scoring_scores"),
    path(
        "scorings/<int:pk>/explanations/",
        scorings.ScoringExplanationsView.as_view(),
        name="api_scoring_explanations",
    ),
    path("studies/<slug:slug>/bundle/", bundles.BundleView.as_view(), name="api_bundle"),
    path("published/<str:name>/", published.PublishedView.as_view(), name="api_published"),
    path("jobs/<int:pk>/", jobs.JobView.as_view(), name="api_job"),
    path("jobs/<int:pk>/pause/", jobs.JobPauseView.as_view(), name="api_job_pause"),
    path("jobs/<int:pk>/resume/", jobs.JobResumeView.as_view(), name="api_job_resume"),
]
