"""A run of scores is planned while others write."""

from __future__ import annotations

import pytest

from annotation.models import Job, Study
from annotation.services.base.jobs import claim, enqueue
from scoring.selectors.similes import similes as candidates
from tests.concurrency.simultaneous import at_once
from tests.support.studies.simile_study import make_similes

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_job_renews_its_lease_between_items_though_another_process_has_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = Study.objects.create(slug="buses", title="Buses")
    make_similes(study, groups=400)
    monkeypatch.setattr(candidates, "CHUNK_SIZE", 500)
    lease = claim(job_id=enqueue(kind="score", study=study, params={}, created_by=None).pk)
    assert lease is not None
    read: list[int] = []
    for number, (_, simile) in enumerate(candidates.similes(study, study.items.all())):
        if number % 500 == 1:
            at_once([lambda: Study.objects.filter(pk=study.pk).update(description=f"Item {len(read)}")])
            lease.renew()
        read.append(int(simile.key))
    assert read == list(study.items.order_by("position", "pk").values_list("pk", flat=True))
    assert Job.objects.get(pk=lease.job.pk).attempt == 1
