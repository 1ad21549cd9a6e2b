"""In which language a page speaks: the one that the reader has chosen, else what the browser asks for."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import translation

Handler = Callable[[HttpRequest], HttpResponseBase]
# Programs read the API; its answers do not depend on a browser.
API = "/api/"


def known_language(code: str) -> str:
    """The code of a language on offer; empty for any other."""
    return code if code in dict(settings.LANGUAGES) else ""


def begin_in(request: HttpRequest, preset: str) -> None:
    """Use the language that a study presets, unless the rater has chosen one or it is not on offer."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    if known_language(preset) and not known_language(chosen):
        translation.activate(preset)


class InterfaceLanguage:
    """English for the API; a page in the chosen language, else the first that the browser asks for."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        is_api = request.path_info.startswith(API)
        language = settings.LANGUAGE_CODE if is_api else translation.get_language_from_request(request)
        with translation.override(language):
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language())
        return response
