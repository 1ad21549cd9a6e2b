"""The jobs and the events of the computing side."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from annotation.services.announcing import register_event
from annotation.services.job_kinds import JobKind, register

register(JobKind("reliability", run="scoring.services.reliability.compute_report"))
register(JobKind("metrics", run="scoring.services.metrics.compute_metrics"))
register(JobKind("comparison", run="scoring.services.metric_comparison.compute_comparison"))
register(JobKind("replication", run="scoring.services.replications.compute_replication"))
register(JobKind("corpus", run="scoring.services.corpus_curves.compute_corpus"))
register(JobKind("import_scores", run="scoring.services.score_files.store_file"))
register(JobKind("score_file", run="scoring.services.sent_files.compute_file"))
register(JobKind("bundle", run="scoring.services.bundles.make_bundle"))
register(JobKind("item_figures", run="scoring.services.item_figures.compute_figures"))
register(JobKind("exclusion_preview", run="scoring.services.exclusion_preview.compute_preview"))
register(JobKind("multiverse", run="scoring.services.multiverse.compute_multiverse"))
register(
    JobKind(
        "score",
        run="scoring.services.score_runs.compute_scores",
        pause="annotation.services.jobs.stop_resumably",
        resume="scoring.services.score_runs.resume_scores",
        helpers=True,
    )
)

register_event("import_scores", _("Scores are imported"), fields=("run", "count"))
register_event("report_ready", _("A report is ready"), fields=("kind", "report"))
register_event("scores_ready", _("A run of scores is done"), fields=("run",))
register_event("export_bundle", _("A bundle is ready"), fields=("job",))
