"""Addresses of the API on the computing side, under `/api/v1/`."""

from __future__ import annotations

from django.urls import URLPattern, path

from scoring.api.base import jobs
from scoring.api.metrics import score_files, scores
from scoring.api.raters import disagreement, exclusion_rules, multiverse, rater_figures
from scoring.api.reports import bundles, exports, published, reports
from scoring.api.similes import run_items, runs, scorings

urlpatterns: list[URLPattern] = [
    path("studies/<slug:slug>/reports/", reports.ReportsView.as_view(), name="api_reports"),
    path("studies/<slug:slug>/reports/<int:pk>/", reports.ReportView.as_view(), name="api_report"),
    path("studies/<slug:slug>/scores/", scores.ScoresView.as_view(), name="api_scores"),
    path(
        "studies/<slug:slug>/scores/imports/",
        score_files.ScoreImportsView.as_view(),
        name="api_score_imports",
    ),
    path(
        "studies/<slug:slug>/scores/imports/<int:pk>/",
        score_files.ScoreImportView.as_view(),
        name="api_score_import",
    ),
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
    path(
        "studies/<slug:slug>/disagreement/", disagreement.DisagreementView.as_view(), name="api_disagreement"
    ),
    path(
        "studies/<slug:slug>/disagreement/figures/",
        disagreement.FiguresView.as_view(),
        name="api_disagreement_figures",
    ),
    path(
        "studies/<slug:slug>/disagreement/views/",
        disagreement.SavedViewsView.as_view(),
        name="api_saved_views",
    ),
    path(
        "studies/<slug:slug>/disagreement/views/<int:pk>/",
        disagreement.SavedViewView.as_view(),
        name="api_saved_view",
    ),
    path("studies/<slug:slug>/exclusion-rules/", exclusion_rules.RulesView.as_view(), name="api_rules"),
    path(
        "studies/<slug:slug>/exclusion-rules/<int:pk>/", exclusion_rules.RuleView.as_view(), name="api_rule"
    ),
    path(
        "studies/<slug:slug>/exclusion-rules/<int:pk>/preview/",
        exclusion_rules.RulePreviewView.as_view(),
        name="api_rule_preview",
    ),
    path(
        "studies/<slug:slug>/exclusion-rules/<int:pk>/apply/",
        exclusion_rules.RuleApplyView.as_view(),
        name="api_rule_apply",
    ),
    path(
        "studies/<slug:slug>/exclusion-rules/<int:pk>/lift/",
        exclusion_rules.RuleLiftView.as_view(),
        name="api_rule_lift",
    ),
    path("studies/<slug:slug>/multiverse/", multiverse.MultiverseView.as_view(), name="api_multiverse"),
    path(
        "studies/<slug:slug>/raters/figures/",
        rater_figures.RaterFiguresView.as_view(),
        name="api_rater_figures",
    ),
    path(
        "studies/<slug:slug>/raters/compared/",
        rater_figures.RatersComparedView.as_view(),
        name="api_raters_compared",
    ),
    path("studies/<slug:slug>/bundle/", bundles.BundleView.as_view(), name="api_bundle"),
    path("published/<str:name>/", published.PublishedView.as_view(), name="api_published"),
    path("jobs/<int:pk>/", jobs.JobView.as_view(), name="api_job"),
    path("jobs/<int:pk>/pause/", jobs.JobPauseView.as_view(), name="api_job_pause"),
    path("jobs/<int:pk>/resume/", jobs.JobResumeView.as_view(), name="api_job_resume"),
]
