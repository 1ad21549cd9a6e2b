"""The jobs and the events of the computing side."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from annotation.services.base.job_kinds import JobKind, register
from annotation.services.base.webhook_events import register_event

register(JobKind("reliability", run="scoring.services.reports.reliability.compute_report"))
register(JobKind("metrics", run="scoring.services.metrics.metrics.compute_metrics"))
register(JobKind("comparison", run="scoring.services.metrics.metric_comparison.compute_comparison"))
register(JobKind("replication", run="scoring.services.reports.replications.compute_replication"))
register(JobKind("corpus", run="scoring.services.similes.corpus_curves.compute_corpus"))
register(JobKind("import_scores", run="scoring.services.metrics.score_files.store_file"))
register(JobKind("score_file", run="scoring.services.similes.scoring_uploads.compute_file"))
register(JobKind("bundle", run="scoring.services.reports.bundles.make_bundle"))
register(JobKind("item_figures", run="scoring.services.raters.item_figures.compute_figures"))
register(JobKind("exclusion_preview", run="scoring.services.raters.exclusion_preview.compute_preview"))
register(JobKind("multiverse", run="scoring.services.raters.multiverse.compute_multiverse"))
register(
    JobKind(
        "score",
        run="scoring.services.similes.score_runs.compute_scores",
        pause="annotation.services.base.jobs.stop_resumably",
        resume="scoring.services.similes.score_runs.resume_scores",
        helpers=True,
    )
)

register_event("import_scores", _("Scores are imported"), fields=("run", "count"))
register_event("report_ready", _("A report is ready"), fields=("kind", "report"))
register_event("scores_ready", _("A run of scores is done"), fields=("run",))
register_event("export_bundle", _("A bundle is ready"), fields=("job",))
