"""WSGI entry point."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")

application = get_wsgi_application()

# What is loaded by now stays: the collector need not look through it while requests are answered.
gc.collect()
gc.freeze()
