"""Addresses of the API on the computing side, under `/api/v1/`."""

from __future__ import annotations

from django.urls import URLPattern, path

from annotation.api.base.operations import study_path
from scoring.api.base import jobs
from scoring.api.judges import endpoint_key, judges, model_judges
from scoring.api.metrics import mixed_model, score_files, scores
from scoring.api.raters import disagreement, estimated_classes, exclusion_rules, multiverse, rater_figures
from scoring.api.reports import (
    bundles,
    exports,
    generalisability,
    new_raters,
    power,
    published,
    releases,
    reports,
    share_links,
    sheet,
)
from scoring.api.similes import run_items, runs, scorings

urlpatterns: list[URLPattern] = [
    study_path("reports/", reports.ReportsView, "api_reports"),
    study_path("reports/<int:pk>/", reports.ReportView, "api_report"),
    study_path("scores/", scores.ScoresView, "api_scores"),
    study_path("scores/imports/", score_files.ScoreImportsView, "api_score_imports"),
    study_path("scores/imports/<int:pk>/", score_files.ScoreImportView, "api_score_import"),
    study_path("runs/", runs.RunsView, "api_score_runs"),
    study_path("runs/<int:pk>/", runs.RunView, "api_score_run"),
    study_path("runs/<int:pk>/items/", run_items.RunItemsView, "api_score_run_items"),
    study_path("runs/<int:pk>/items/<path:key>/", run_items.RunItemView, "api_score_run_item"),
    study_path("runs/<int:pk>/corpus/", runs.RunCorpusView, "api_score_run_corpus"),
    study_path("share-links/", share_links.ShareLinksView, "api_share_links"),
    study_path("share-links/<int:pk>/", share_links.ShareLinkView, "api_share_link"),
    study_path("exports/", exports.ExportView, "api_exports"),
    path("scorings/", scorings.ScoringsView.as_view(), name="api_scorings"),
    path("scorings/<int:pk>/", scorings.ScoringView.as_view(), name="api_scoring"),
    path("scorings/<int:pk>/scores/", scorings.ScoringScoresView.as_view(), name="api_scoring_scores"),
    path(
        "scorings/<int:pk>/explanations/",
        scorings.ScoringExplanationsView.as_view(),
        name="api_scoring_explanations",
    ),
    study_path("disagreement/", disagreement.DisagreementView, "api_disagreement"),
    study_path("disagreement/figures/", disagreement.FiguresView, "api_disagreement_figures"),
    study_path("disagreement/views/", disagreement.SavedViewsView, "api_saved_views"),
    study_path("disagreement/views/<int:pk>/", disagreement.SavedViewView, "api_saved_view"),
    study_path("exclusion-rules/", exclusion_rules.RulesView, "api_rules"),
    study_path("exclusion-rules/<int:pk>/", exclusion_rules.RuleView, "api_rule"),
    study_path("exclusion-rules/<int:pk>/preview/", exclusion_rules.RulePreviewView, "api_rule_preview"),
    study_path("exclusion-rules/<int:pk>/apply/", exclusion_rules.RuleApplyView, "api_rule_apply"),
    study_path("exclusion-rules/<int:pk>/lift/", exclusion_rules.RuleLiftView, "api_rule_lift"),
    study_path("multiverse/", multiverse.MultiverseView, "api_multiverse"),
    study_path("generalisability/", generalisability.GeneralisabilityView, "api_generalisability"),
    study_path("new-raters/", new_raters.NewRatersView, "api_new_raters"),
    study_path("mixed-model/", mixed_model.MixedModelView, "api_mixed_model"),
    study_path("judges/", judges.JudgesView, "api_judges"),
    study_path("judges/<int:pk>/", judges.JudgeView, "api_judge"),
    study_path("judges/<int:pk>/permission/", model_judges.JudgePermissionView, "api_judge_permission"),
    study_path("judges/<int:pk>/run/", model_judges.JudgeRunView, "api_judge_run"),
    study_path("judges/models/", model_judges.ModelJudgesView, "api_judge_models"),
    study_path("judges/chats/", model_judges.ChatJudgesView, "api_judge_chats"),
    study_path("judges/key/", endpoint_key.JudgeKeyView, "api_judge_key"),
    study_path("judges/imports/", judges.JudgeImportsView, "api_judge_imports"),
    study_path("judges/report/", judges.JudgeReportView, "api_judge_report"),
    study_path("power/", power.PowerView, "api_power"),
    study_path("raters/figures/", rater_figures.RaterFiguresView, "api_rater_figures"),
    study_path("raters/compared/", rater_figures.RatersComparedView, "api_raters_compared"),
    study_path("classes/", estimated_classes.EstimatedClassesView, "api_classes"),
    study_path("bundle/", bundles.BundleView, "api_bundle"),
    study_path("sheet/", sheet.SheetView, "api_sheet"),
    study_path("releases/", releases.ReleasesView, "api_releases"),
    study_path("releases/findings/", releases.FindingsView, "api_release_findings"),
    path("published/<str:name>/", published.PublishedView.as_view(), name="api_published"),
    path("jobs/<int:pk>/", jobs.JobView.as_view(), name="api_job"),
    path("jobs/<int:pk>/pause/", jobs.JobPauseView.as_view(), name="api_job_pause"),
    path("jobs/<int:pk>/resume/", jobs.JobResumeView.as_view(), name="api_job_resume"),
]
