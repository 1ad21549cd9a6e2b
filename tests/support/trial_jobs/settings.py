"""The embedded installation with the jobs of the tests."""

from __future__ import annotations

from config.settings import embedded
from config.settings.embedded import *  # noqa: F403

INSTALLED_APPS = [*embedded.INSTALLED_APPS, "tests.support.trial_jobs.apps.TrialJobs"]
