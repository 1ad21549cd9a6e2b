"""Pages inside a crowd platform: who may frame them, and where their forms may go."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from csp.decorators import csp_replace, csp_update
from django.conf import settings
from django.http import HttpResponseBase
from django.views.decorators.clickjacking import xframe_options_exempt

View = Callable[..., HttpResponseBase]


def framed_by_platforms(view: View) -> View:
    """Let only Mechanical Turk show the page in its frame."""
    framed = csp_replace({"frame-ancestors": list(settings.MTURK_ORIGINS)})(xframe_options_exempt(view))

    @wraps(view)
    def shown(*args: Any, **kwargs: Any) -> HttpResponseBase:
        return framed(*args, **kwargs)

    return shown


def posts_to_platforms(view: View) -> View:
    """Let a form of the page send finished work to Mechanical Turk."""
    return csp_update({"form-action": list(settings.MTURK_ORIGINS)})(view)
