"""The Celery application: `celery -A config worker`."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery, bootsteps

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")

app = Celery("groundwork")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


class SweepStep(bootsteps.StartStopStep):
    """Every worker looks for jobs that nobody holds, when it starts and at intervals."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, parent: Any) -> None:
        from django.conf import settings

        from annotation.tasks import sweep_jobs

        parent.timer.call_after(0.1, sweep_jobs, kwargs={"starting": True})
        self.entry = parent.timer.call_repeatedly(settings.JOB_SWEEP_SECONDS, sweep_jobs)

    def stop(self, parent: Any) -> None:  # noqa: ARG002
        if getattr(self, "entry", None) is not None:
            self.entry.cancel()


app.steps["consumer"].add(SweepStep)
