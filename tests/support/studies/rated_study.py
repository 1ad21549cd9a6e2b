"""A study that was rated, with the scores of a metric."""

from __future__ import annotations

import numpy as np

from annotation.models import Item, Study
from annotation.services.base.jobs import claim
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from scoring.models import Report, Score, ScoreRun
from scoring.services.reports.reliability import compute_report, request_report
from tests.support.people import make_cast

SYSTEMS = ("crow", "heron", "owl")


def rated_study(*, items: int = 12, with_scores: bool = True) -> Study:
    """Items of three systems in groups of three, each rated by two people."""
    study = make_cast().study
    study.items.all().delete()
    made = Item.objects.bulk_create(
        Item(study=study, key=f"I{n:02d}", group=f"G{n // 3}", system=SYSTEMS[n % 3], position=n, fields={})
        for n in range(items)
    )
    version = study.forms.get().versions.get()
    criteria = list(version.criteria.all())
    raters = [study.raters.create(code=f"M-{n}") for n in range(2)]
    generator = np.random.default_rng(4)
    store_responses(
        loaded=[
            LoadedResponse(
                item=item,
                rater=rater,
                version=version,
                values={criterion: int(generator.integers(1, 6)) for criterion in criteria},
            )
            for item in made
            for rater in raters
        ]
    )
    if with_scores:
        run = ScoreRun.objects.create(study=study, name="tried")
        Score.objects.bulk_create(
            Score(run=run, item=item, metric=metric, value=float(generator.normal()))
            for item in made
            for metric in ("length", "overlap")
        )
    return study


def report_of(study: Study) -> Report:
    """The reliability report of a study, computed with few bootstrap samples."""
    lease = claim(job_id=request_report(study=study, actor=None, replicates=50, announce=False).pk)
    assert lease is not None
    return compute_report(lease=lease)
