"""Wiring: settings, addresses, and the worker's application."""

import os

# Small matrices on busy cores: several threads of linear algebra wait for each other, ten times as long.
# To be set before numpy is loaded, so here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from config.celery import app as celery_app

__all__ = ["celery_app"]
