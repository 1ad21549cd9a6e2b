"""Whatever is asked for, ended and interrupted meanwhile, and by however many workers: studies take turns."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator

import pytest
from django.conf import settings

from annotation.domain.base.jobs.queues import Queue
from annotation.models import Job, Study
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.base.queues.turns import claim_next, turn_over, waiting

pytestmark = pytest.mark.django_db
# With priorities of their own; the runs can be interrupted, the jobs of the other queue change no turn.
KINDS = ("score", "score", "corpus", "score_file")
ELSEWHERE = ("reliability", "multiverse")


class Trial:
    """Some workers at the queue of models, and what each study has waited for since it was last served."""

    def __init__(self, chance: random.Random, workers: int) -> None:
        self.chance = chance
        self.studies: list[Study | None] = [None]
        self.studies += [Study.objects.create(slug=f"s-{number}", title="S") for number in range(3)]
        self.at_work: list[Lease | None] = [None] * workers
        # For each study that waits, how often each other one was served since it began to wait.
        self.passed: dict[int | None, Counter[int | None]] = {}
        self.numbers: Iterator[int] = iter(range(10_000))

    def ask(self) -> None:
        kind = self.chance.choice((*KINDS, *ELSEWHERE))
        study = self.chance.choice(self.studies)
        params = {"n": next(self.numbers)}
        enqueue(kind=kind, study=study, params=params, created_by=None, announce=False)
        self.note_waiting()

    def serve_elsewhere(self) -> None:
        if (lease := claim_next(queue=Queue.REPORTS)) is not None:
            lease.complete(lambda: None)

    def step(self, worker: int) -> None:
        """End what a worker does, or interrupt it where its turn is over, and let it take what is next."""
        lease = self.at_work[worker]
        left: int | str | None = "nothing"
        if lease is not None:
            others = waiting([Queue.MODELS]).exclude(study=lease.job.study_id)
            is_over = turn_over(lease.job, time.monotonic() - settings.JOB_TURN_SECONDS - 1)
            assert is_over == others.exists()
            if is_over and lease.job.kind == "score" and self.chance.random() < 0.7:
                lease.give_back()
                left = lease.job.study_id
                self.passed.pop(left, None)  # it was served until now
            else:
                lease.complete(lambda: None)
        self.note_waiting()
        self.at_work[worker] = taken = claim_next(queue=Queue.MODELS)
        if taken is None:
            assert not waiting([Queue.MODELS]).exists()
            return
        # Who was interrupted for another study does not go on before it.
        assert taken.job.study_id != left
        self.note_served(taken.job.study_id)

    def note_waiting(self) -> None:
        now = set(waiting([Queue.MODELS]).values_list("study_id", flat=True))
        self.passed = {study: self.passed.get(study, Counter()) for study in now}

    def note_served(self, served: int | None) -> None:
        self.passed.pop(served, None)
        for others in self.passed.values():
            others[served] += 1
            # No study has a second turn while another study has waited through the first.
            assert others[served] <= 1, (served, self.passed)
        self.note_waiting()


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_no_study_is_served_twice_while_another_one_waits(seed: int, workers: int) -> None:
    trial = Trial(random.Random(seed), workers)
    for _ in range(60):
        act = trial.chance.random()
        if act < 0.5:
            trial.ask()
        elif act < 0.6:
            trial.serve_elsewhere()
        else:
            trial.step(trial.chance.randrange(workers))
    while waiting([Queue.MODELS]).exists():
        trial.step(trial.chance.randrange(workers))
    assert Job.objects.filter(kind__in=KINDS).exists()
    assert not Job.objects.filter(kind__in=KINDS, attempt__gt=1).exists()
