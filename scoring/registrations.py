"""The jobs and the events of the computing side."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from annotation.domain.base.jobs.queues import Queue
from annotation.domain.people.holdings import Holding, register_holding
from annotation.services.base.job_kinds import JobKind, register
from annotation.services.base.uploads.acts import UploadAct, register_act
from annotation.services.base.webhook_events import register_event

register(
    JobKind(
        "import_scores",
        run="scoring.services.metrics.score_files.store_file",
        queue=Queue.SHORT,
        soft_minutes=60,
        hard_minutes=70,
        priority=1,
        right="edit",
    )
)
register(
    JobKind(
        "reliability",
        run="scoring.services.reports.reliability.compute_report",
        queue=Queue.REPORTS,
        soft_minutes=180,
        hard_minutes=190,
        priority=1,
        right="view",
    )
)
register(
    JobKind(
        "metrics",
        run="scoring.services.metrics.metrics.compute_metrics",
        queue=Queue.REPORTS,
        soft_minutes=180,
        hard_minutes=190,
        priority=1,
        right="view",
    )
)
register(
    JobKind(
        "comparison",
        run="scoring.services.metrics.metric_comparison.compute_comparison",
        queue=Queue.REPORTS,
        soft_minutes=180,
        hard_minutes=190,
        priority=1,
        right="view",
    )
)
register(
    JobKind(
        "mixed_model",
        run="scoring.services.metrics.mixed_model.compute_mixed_model",
        queue=Queue.REPORTS,
        soft_minutes=180,
        hard_minutes=190,
        priority=1,
        right="view",
    )
)
register(
    JobKind(
        "power",
        run="scoring.services.metrics.power.compute_power",
        queue=Queue.REPORTS,
        soft_minutes=60,
        hard_minutes=70,
        right="view",
    )
)
register(
    JobKind(
        "generalisability",
        run="scoring.services.agreement.generalisability.compute_generalisability",
        queue=Queue.REPORTS,
        soft_minutes=180,
        hard_minutes=190,
        priority=1,
        right="view",
    )
)
register(
    JobKind(
        "item_figures",
        run="scoring.services.raters.item_figures.compute_figures",
        queue=Queue.REPORTS,
        soft_minutes=180,
        hard_minutes=190,
        priority=1,
        right="view",
    )
)
register(
    JobKind(
        "exclusion_preview",
        run="scoring.services.raters.exclusion_preview.compute_preview",
        queue=Queue.REPORTS,
        soft_minutes=180,
        hard_minutes=190,
        priority=2,
        right="view",
    )
)
register(
    JobKind(
        "multiverse",
        run="scoring.services.raters.multiverse.compute_multiverse",
        queue=Queue.REPORTS,
        soft_minutes=360,
        hard_minutes=380,
        right="view",
    )
)
register(
    JobKind(
        "bundle",
        run="scoring.services.reports.bundles.make_bundle",
        queue=Queue.REPORTS,
        soft_minutes=180,
        hard_minutes=190,
        right="view",
        managed_by="pay",
    )
)
register(
    JobKind(
        "replication",
        run="scoring.services.reports.replications.compute_replication",
        queue=Queue.REPORTS,
        soft_minutes=360,
        hard_minutes=380,
        right="view",
    )
)
register(
    JobKind(
        "corpus",
        run="scoring.services.similes.corpus_curves.compute_corpus",
        queue=Queue.MODELS,
        soft_minutes=720,
        hard_minutes=740,
        right="view",
    )
)
register(
    JobKind(
        "score_file",
        run="scoring.services.similes.scoring_uploads.compute_file",
        queue=Queue.MODELS,
        soft_minutes=720,
        hard_minutes=740,
        priority=1,
        right="view",
    )
)
register(
    JobKind(
        "score",
        run="scoring.services.similes.score_runs.compute_scores",
        queue=Queue.MODELS,
        soft_minutes=4320,
        hard_minutes=4340,
        pause="annotation.services.base.jobs.stop_resumably",
        resume="scoring.services.similes.score_runs.resume_scores",
        helpers=True,
        right="view",
    )
)

register_holding(
    Holding(
        "figures",
        read="scoring.selectors.raters.own_figures.figures_of_rater",
        erase="scoring.services.raters.figure_erasure.erase_figures",
    )
)

register_act(
    UploadAct("scores", run="scoring.services.metrics.score_files.keep_for_columns", repeatable=True)
)
register_act(
    UploadAct("mapped_scores", run="scoring.services.metrics.score_files.take_mapped", repeatable=True)
)
register_act(
    UploadAct(
        "scoring",
        run="scoring.services.similes.scoring_uploads.take_candidates",
        reader="scoring.io.similes.read_similes",
        reader_options=("bad_texts",),
    )
)
register_act(
    UploadAct(
        "published",
        run="scoring.services.reports.published.registry.take_published",
        reader="scoring.io.published_studies.read_published",
        several=True,
        reader_options=("study",),
        repeatable=True,
    )
)

register_event("import_scores", _("Scores imported"), fields=("run", "count"))
register_event("report_ready", _("Report ready"), fields=("kind", "report"))
register_event("scores_ready", _("Scoring run completed"), fields=("run",))
register_event("export_bundle", _("Data bundle ready"), fields=("job",))
