"""Addresses of the computing side."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from scoring.views.judges import add_judge, endpoint_key, judges, model_judges
from scoring.views.metrics import comparison, metrics, mixed_model, repeated_run, score_files, scores
from scoring.views.raters import disagreement, estimated_classes, multiverse, rater, raters, rules
from scoring.views.reports import (
    bundles,
    exports,
    generalisability,
    likert_means,
    new_raters,
    paper,
    perspectives,
    planner,
    power,
    reliability,
    replications,
    share_links,
)
from scoring.views.reports.demo_result import demo_result
from scoring.views.reports.release import releases, sheet
from scoring.views.similes import corpus, item, score_runs, scored_items

# Below `studies/<study>/`.
study_urls: list[URLPattern] = [
    path("reliability/", reliability.reliability, name="study-reliability"),
    path("reliability/likert-means/", likert_means.likert_means, name="study-likert-means"),
    path("reliability/likert-means.csv", likert_means.download, name="study-likert-means-download"),
    path("reliability/<int:pk>.<str:file_format>", reliability.download, name="study-report-download"),
    path("settings/share-links/", share_links.share_links, name="study-share-links"),
    path("settings/share-links/<int:pk>/revoke/", share_links.revoke, name="study-share-link-revoke"),
    path("exports/", exports.exports, name="study-exports"),
    path("exports/<str:what>/", exports.download, name="study-download"),
    path("bundle/", bundles.start, name="study-bundle"),
    path("bundle/<int:pk>.zip", bundles.download, name="study-bundle-file"),
    path("sheet/", sheet.sheet, name="study-sheet"),
    path("sheet.json", sheet.download, name="study-sheet-json"),
    path("releases/", releases.releases, name="study-releases"),
    path("releases/<int:pk>/upload/", releases.upload, name="study-release-upload"),
    path("releases/<int:pk>.zip", releases.download, name="study-release-file"),
    path("paper/", paper.paper, name="study-paper"),
    path("paper/<slug:name>.tex", paper.table, name="study-paper-table"),
    path("items/<path:key>/", item.item, name="study-item"),
    path("responses/<int:pk>/exclude/", item.exclude_answer, name="study-exclude-response"),
    path("exclusions/<int:pk>/lift/", item.lift, name="study-lift-exclusion"),
    path("raters/", raters.raters, name="study-raters"),
    path("raters/<str:code>/", rater.rater, name="study-rater"),
    path("raters-compared/", raters.compare, name="study-raters-compared"),
    path("disagreement/", disagreement.items, name="study-disagreement"),
    path("disagreement/items.<str:file_format>", disagreement.download, name="study-disagreement-download"),
    path("disagreement/refresh/", disagreement.refresh, name="study-disagreement-refresh"),
    path("disagreement/views/", disagreement.save, name="study-view-save"),
    path("disagreement/views/<int:pk>/", disagreement.forget, name="study-view-forget"),
    path("disagreement/exclude/", disagreement.exclude, name="study-exclude-items"),
    path("disagreement/adjudicate/", disagreement.adjudicate, name="study-disagreement-adjudicate"),
    path("disagreement/rules/", rules.RulesView.as_view(), name="study-rules"),
    path("disagreement/rules/<int:pk>/", rules.RuleView.as_view(), name="study-rule"),
    path(
        "disagreement/rules/<int:pk>/<str:what>.<str:file_format>", rules.download, name="study-rule-download"
    ),
    path("disagreement/multiverse/", multiverse.multiverse, name="study-multiverse"),
    path(
        "disagreement/multiverse/<int:pk>.<str:file_format>",
        multiverse.download,
        name="study-multiverse-download",
    ),
    path("reliability/new-raters/", new_raters.new_raters, name="study-new-raters"),
    path("reliability/groups/", perspectives.perspectives, name="study-perspectives"),
    path("reliability/repeated/", repeated_run.repeated_run, name="study-repeated-run"),
    path(
        "reliability/repeated/results.<str:file_format>",
        repeated_run.download,
        name="study-repeated-run-download",
    ),
    path("reliability/classes/", estimated_classes.estimated_classes, name="study-classes"),
    path(
        "reliability/classes/<str:what>.<str:file_format>",
        estimated_classes.download,
        name="study-classes-download",
    ),
    path("planner/", planner.planner, name="study-planner"),
    path("planner/power/", power.power, name="study-power"),
    path("planner/power/<int:pk>.<str:file_format>", power.download, name="study-power-download"),
    path("planner/generalisability/", generalisability.generalisability, name="study-generalisability"),
    path(
        "planner/generalisability/<int:pk>/<slug:what>.<str:file_format>",
        generalisability.download,
        name="study-generalisability-download",
    ),
    path("heat-map/", planner.crossed, name="study-crossed"),
    path("heat-map/<int:pk>.<str:file_format>", planner.crossed_download, name="study-crossed-download"),
    path("metrics/", metrics.metrics, name="study-metrics"),
    path("systems/", metrics.systems, name="study-systems"),
    path("systems/model/", mixed_model.mixed_model, name="study-mixed-model"),
    path(
        "systems/model/<int:pk>/<slug:what>.<str:file_format>",
        mixed_model.download,
        name="study-mixed-model-download",
    ),
    path("judges/", judges.judges, name="study-judges"),
    path("judges/add/", add_judge.from_file, name="study-judge-add"),
    path("judges/add/metric/", add_judge.from_metric, name="study-judge-add-metric"),
    path("judges/add/model/", model_judges.add_local, name="study-judge-add-model"),
    path("judges/add/chat/", model_judges.add_chat, name="study-judge-add-chat"),
    path("judges/key/", endpoint_key.endpoint_key, name="study-judge-key"),
    path("judges/<int:pk>/", model_judges.judge, name="study-judge"),
    path("judges/<int:pk>/run/", model_judges.run, name="study-judge-run"),
    path("judges/<int:pk>/model/", model_judges.model, name="study-judge-model"),
    path("judges/<int:pk>/forbid/", model_judges.forbid, name="study-judge-forbid"),
    path("judges/<int:pk>/delete/", judges.delete, name="study-judge-delete"),
    path(
        "judges/report/<int:pk>/<str:what>.<str:file_format>",
        judges.download,
        name="study-judges-download",
    ),
    path("metrics/compare/", comparison.compare, name="study-compare"),
    path("metrics/compare/start/", comparison.start, name="study-compare-start"),
    path("metrics/compare/<int:pk>.<str:file_format>", comparison.download, name="study-compare-download"),
    path("metrics/start/", metrics.start, name="study-metrics-start"),
    path("metrics/<int:pk>/<str:what>.<str:file_format>", metrics.download, name="study-metrics-download"),
    path("scores/", scores.scores, name="study-scores"),
    path("scores/directions/", scores.directions, name="study-directions"),
    path("scores/import/", score_files.upload, name="study-scores-import"),
    path("scores/import/<int:pk>/", score_files.columns, name="study-scores-file"),
    path("scores/import/<int:pk>/problems.csv", score_files.problems_file, name="study-scores-problems"),
    path("scores/runs/", score_runs.runs, name="study-score-runs"),
    path("scores/runs/<int:pk>/", score_runs.act, name="study-score-act"),
    path("scores/items/", scored_items.items, name="study-score-items"),
    path("scores/items/<path:key>/", scored_items.item, name="study-score-item"),
    path("scores/weights/", scored_items.weights, name="study-score-weights"),
    path("scores/corpus/", corpus.corpus, name="study-score-corpus"),
    path("scores/corpus/<int:pk>.<str:file_format>", corpus.download, name="study-score-corpus-download"),
    path("scores/groups/", scored_items.groups, name="study-score-groups"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("studies/<slug:slug>/", include(study_urls)),
    path("shared-result/<str:token>/", share_links.shared_result, name="shared-result"),
    path("result/", demo_result, name="demo-result"),
    path("replications/", replications.index, name="replications"),
    path("replications/<str:name>/", replications.replication, name="replication"),
    path("replications/<str:name>/start/", replications.start, name="replication-start"),
    path(
        "replications/<str:name>/cells.<str:file_format>", replications.download, name="replication-download"
    ),
]
