"""The Celery application: `celery -A config worker`."""

from __future__ import annotations

import os
import sys
from typing import Any

from celery import Celery, bootsteps
from django.conf import settings

from config.operations.worker_log import follow_settings
from config.operations.worker_presence import PresenceStep
from config.settings.env import SettingError
from config.settings.places import ROOT

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")


def _created() -> Celery:
    """Restore the import path, in which Celery puts the current folder first."""
    before = list(sys.path)
    made = Celery("groundwork")
    sys.path[:] = before if str(ROOT) in before else [*before, str(ROOT)]
    return made


app = _created()


@app.on_configure.connect
def refuse_wrong_settings(**kwargs: Any) -> None:  # noqa: ARG001
    """End a worker that has a wrong setting with one sentence; other programs read the settings before."""
    try:
        _ = settings.CELERY_BROKER_URL
    except SettingError as error:
        sys.exit(str(error))


app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
follow_settings()


class SweepStep(bootsteps.StartStopStep):
    """Every worker looks for jobs without a holder, when it starts and at intervals."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, parent: Any) -> None:
        from annotation.tasks import sweep_jobs

        parent.timer.call_after(0.1, sweep_jobs, kwargs={"starting": True})
        self.entry = parent.timer.call_repeatedly(settings.JOB_SWEEP_SECONDS, sweep_jobs)

    def stop(self, parent: Any) -> None:  # noqa: ARG002
        if getattr(self, "entry", None) is not None:
            self.entry.cancel()


app.steps["consumer"].add(SweepStep)
app.steps["consumer"].add(PresenceStep)
