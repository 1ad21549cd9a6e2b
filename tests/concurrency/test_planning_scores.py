"""A run of scores is planned while others write."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest
from django.db import connection, connections, transaction

from annotation.domain.base.errors import NotAllowedNow
from annotation.models import Job, Study, User
from annotation.services.base.jobs import claim, enqueue
from scoring.models import FileScoring
from scoring.selectors.similes import similes as candidates
from scoring.services.similes.score_settings import ScoreSettings
from scoring.services.similes.scoring_uploads import send_file
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


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_the_second_of_two_files_that_are_sent_at_once_is_refused(tmp_path: Path) -> None:
    owner = User.objects.create(email="sender@example.org")
    file = tmp_path / "texts.jsonl"
    file.write_text('{"group": "a", "text": "It ran like a deer."}\n', encoding="utf-8")
    refused: list[str] = []

    def send() -> None:
        send_file(owner=owner, path=file, name=file.name, asked=ScoreSettings("none"), bad_texts="refuse")

    def send_too() -> None:
        try:
            send()
        except NotAllowedNow as refusal:
            refused.append(refusal.code)
        connections.close_all()

    sending = Thread(target=send_too)
    with transaction.atomic():
        send()
        sending.start()
        sending.join(0.5)
    sending.join(10)
    assert refused == ["scoring_under_way"]
    assert FileScoring.objects.count() == 1
