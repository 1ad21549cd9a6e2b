"""The language of a page: one on offer for pages of raters, English for all others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import translation

Handler = Callable[[HttpRequest], HttpResponseBase]
View = Callable[..., HttpResponseBase]


def for_raters(view: View) -> View:
    """Mark a view as one of raters: its texts are in the catalogues."""
    view.for_raters = True  # type: ignore[attr-defined]
    return view


def known_language(code: str) -> str:
    """The code of a language on offer; empty for any other."""
    return code if code in dict(settings.LANGUAGES) else ""


def begin_in(request: HttpRequest, preset: str) -> None:
    """Use the language that a study presets, unless the rater has chosen one or it is not on offer."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    if known_language(preset) and not known_language(chosen):
        translation.activate(preset)


def speak_as_chosen(request: HttpRequest) -> None:
    """Speak the language that the reader has chosen, else the first on offer that the browser asks for."""
    translation.activate(translation.get_language_from_request(request))


class InterfaceLanguage:
    """English, until the view that answers is one of raters."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with translation.override(settings.LANGUAGE_CODE):
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language())
        return response

    def process_view(self, request: HttpRequest, view: View, _: Any, __: Any) -> None:
        """Leave English on the pages of raters."""
        if getattr(view, "for_raters", False):
            speak_as_chosen(request)
