"""HANNA's published ratings and metrics: the length of the text as a judge of six criteria."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from annotation.models import Study
from annotation.services.base.jobs import claim
from scoring.models import Report, Score
from scoring.selectors.judges.judge_pages import cautions
from scoring.services.judges.judge_report import compute_judges, request_judges
from scoring.services.judges.judge_storing import JudgeNotes
from scoring.services.judges.metric_judges import judge_of_metric

pytestmark = [pytest.mark.django_db, pytest.mark.published_data]
CRITERIA = ("relevance", "coherence", "empathy", "surprise", "engagement", "complexity")
REPLICATES = 50


def compared(study: Study) -> Report:
    job = request_judges(study=study, actor=None, epsilon=0.1)
    job.params["replicates"] = REPLICATES
    job.save(update_fields=["params"])
    lease = claim(job_id=job.pk)
    assert lease is not None
    return compute_judges(lease=lease)


def test_on_hanna_length_passes_and_so_does_one_value_throughout(published_data):
    call_command("import_published", "hanna", f"--data={published_data / 'hanna'}")
    study = Study.objects.get()
    score = Score.objects.filter(metric__icontains="length").select_related("run")[0]
    for criterion in CRITERIA:
        judge_of_metric(
            run=score.run,
            metric=score.metric,
            criterion=criterion,
            notes=JudgeNotes(f"Length as {criterion}"),
            actor=None,
        )
    report = compared(study)
    assert report.tables["criteria"] == list(CRITERIA)
    constants = [row for row in report.tables["test"] if row["constant"]]
    assert {row["reason"] for row in constants} == {"anonymous_raters"}
    shares = [row["all_ratings_share"] for row in constants]
    assert (round(min(shares), 2), round(max(shares), 2)) == (0.60, 0.73)
    assert all(row["passes"] for row in report.tables["test"])
    warned = [one["criterion"] for one in cautions(report) if one["code"] == "constant_passes"]
    assert warned == sorted(CRITERIA)
