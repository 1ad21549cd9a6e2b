"""Addresses of the computing side."""

from __future__ import annotations

from django.urls import URLPattern, path

from scoring.views.metrics import comparison, metrics, score_files, scores
from scoring.views.raters import disagreement, multiverse, raters, rules
from scoring.views.reports import bundles, paper, planner, reliability, replications
from scoring.views.similes import corpus, item, score_runs, scored_items

urlpatterns: list[URLPattern] = [
    path("studies/<slug:slug>/reliability/", reliability.reliability, name="study-reliability"),
    path(
        "studies/<slug:slug>/reliability/<int:pk>.<str:file_format>",
        reliability.download,
        name="study-report-download",
    ),
    path("studies/<slug:slug>/bundle/", bundles.start, name="study-bundle"),
    path("studies/<slug:slug>/bundle/<int:pk>.zip", bundles.download, name="study-bundle-file"),
    path("studies/<slug:slug>/paper/", paper.paper, name="study-paper"),
    path("studies/<slug:slug>/paper/<slug:name>.tex", paper.table, name="study-paper-table"),
    path("studies/<slug:slug>/items/<path:key>/", item.item, name="study-item"),
    path(
        "studies/<slug:slug>/responses/<int:pk>/exclude/", item.exclude_answer, name="study-exclude-response"
    ),
    path("studies/<slug:slug>/exclusions/<int:pk>/lift/", item.lift, name="study-lift-exclusion"),
    path("studies/<slug:slug>/raters/", raters.raters, name="study-raters"),
    path("studies/<slug:slug>/raters-compared/", raters.compare, name="study-raters-compared"),
    path("studies/<slug:slug>/disagreement/", disagreement.items, name="study-disagreement"),
    path(
        "studies/<slug:slug>/disagreement/items.<str:file_format>",
        disagreement.download,
        name="study-disagreement-download",
    ),
    path(
        "studies/<slug:slug>/disagreement/refresh/", disagreement.refresh, name="study-disagreement-refresh"
    ),
    path("studies/<slug:slug>/disagreement/views/", disagreement.save, name="study-view-save"),
    path("studies/<slug:slug>/disagreement/views/<int:pk>/", disagreement.forget, name="study-view-forget"),
    path("studies/<slug:slug>/disagreement/exclude/", disagreement.exclude, name="study-exclude-items"),
    path(
        "studies/<slug:slug>/disagreement/adjudicate/",
        disagreement.adjudicate,
        name="study-disagreement-adjudicate",
    ),
    path("studies/<slug:slug>/disagreement/rules/", rules.RulesView.as_view(), name="study-rules"),
    path("studies/<slug:slug>/disagreement/rules/<int:pk>/", rules.RuleView.as_view(), name="study-rule"),
    path(
        "studies/<slug:slug>/disagreement/rules/<int:pk>/<str:what>.<str:file_format>",
        rules.download,
        name="study-rule-download",
    ),
    path(
        "studies/<slug:slug>/disagreement/multiverse/",
        multiverse.multiverse,
        name="study-multiverse",
    ),
    path(
        "studies/<slug:slug>/disagreement/multiverse/<int:pk>.<str:file_format>",
        multiverse.download,
        name="study-multiverse-download",
    ),
    path("replications/", replications.index, name="replications"),
    path("replications/<str:name>/", replications.replication, name="replication"),
    path("replications/<str:name>/start/", replications.start, name="replication-start"),
    path(
        "replications/<str:name>/cells.<str:file_format>", replications.download, name="replication-download"
    ),
    path("studies/<slug:slug>/planner/", planner.planner, name="study-planner"),
    path("studies/<slug:slug>/heat-map/", planner.crossed, name="study-crossed"),
    path(
        "studies/<slug:slug>/heat-map/<int:pk>.<str:file_format>",
        planner.crossed_download,
        name="study-crossed-download",
    ),
    path("studies/<slug:slug>/metrics/", metrics.metrics, name="study-metrics"),
    path("studies/<slug:slug>/systems/", metrics.systems, name="study-systems"),
    path("studies/<slug:slug>/metrics/compare/", comparison.compare, name="study-compare"),
    path("studies/<slug:slug>/metrics/compare/start/", comparison.start, name="study-compare-start"),
    path(
        "studies/<slug:slug>/metrics/compare/<int:pk>.<str:file_format>",
        comparison.download,
        name="study-compare-download",
    ),
    path("studies/<slug:slug>/metrics/start/", metrics.start, name="study-metrics-start"),
    path(
        "studies/<slug:slug>/metrics/<int:pk>/<str:what>.<str:file_format>",
        metrics.download,
        name="study-metrics-download",
    ),
    path("studies/<slug:slug>/scores/", scores.scores, name="study-scores"),
    path("studies/<slug:slug>/scores/directions/", scores.directions, name="study-directions"),
    path("studies/<slug:slug>/scores/file/", scores.download, name="study-scores-download"),
    path("studies/<slug:slug>/scores/import/", score_files.upload, name="study-scores-import"),
    path("studies/<slug:slug>/scores/import/<int:pk>/", score_files.columns, name="study-scores-file"),
    path(
        "studies/<slug:slug>/scores/import/<int:pk>/problems.csv",
        score_files.problems_file,
        name="study-scores-problems",
    ),
    path("studies/<slug:slug>/scores/runs/", score_runs.runs, name="study-score-runs"),
    path("studies/<slug:slug>/scores/runs/<int:pk>/", score_runs.act, name="study-score-act"),
    path("studies/<slug:slug>/scores/items/", scored_items.items, name="study-score-items"),
    path("studies/<slug:slug>/scores/items/<path:key>/", scored_items.item, name="study-score-item"),
    path("studies/<slug:slug>/scores/weights/", scored_items.weights, name="study-score-weights"),
    path("studies/<slug:slug>/scores/corpus/", corpus.corpus, name="study-score-corpus"),
    path(
        "studies/<slug:slug>/scores/corpus/<int:pk>.<str:file_format>",
        corpus.download,
        name="study-score-corpus-download",
    ),
    path("studies/<slug:slug>/scores/groups/", scored_items.groups, name="study-score-groups"),
]
