"""Registers the jobs of the tests, one kind for each queue, one whose time is short, a payment service."""

from __future__ import annotations

from django.apps import AppConfig

from annotation.domain.base.jobs.queues import Queue

SOFT_SECONDS, HARD_SECONDS = 2, 4


class TrialJobs(AppConfig):
    name = "tests.support.trial_jobs"
    label = "trial_jobs"

    def ready(self) -> None:
        from annotation.services.base.job_kinds import JobKind, register
        from annotation.services.pay.payers import register_payer

        register_payer("trial", "tests.support.payment_service.HttpPayer")
        work = "tests.support.trial_jobs.work.work"
        for queue in Queue:
            register(JobKind(f"trial_{queue}", run=work, queue=queue, soft_minutes=60, hard_minutes=60))
        register(
            JobKind(
                "trial_limited",
                run=work,
                queue=Queue.MODELS,
                soft_minutes=SOFT_SECONDS / 60,
                hard_minutes=HARD_SECONDS / 60,
            )
        )
