"""Wiring: settings, addresses, and the worker's application."""

import gc
import os

# Small matrices on busy cores: several threads of linear algebra wait for each other, ten times as long.
# To be set before numpy is loaded, so here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from config.celery import app as celery_app

# A start makes hundreds of thousands of objects that stay: after every 700 new ones, as Python has it, the
# search for those that nothing leads to takes a tenth of the start.
gc.set_threshold(50_000)

__all__ = ["celery_app"]
