"""A page for addresses that accept only forms, instead of an empty answer."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import render

Answer = Callable[[HttpRequest], HttpResponseBase]


def in_words(get_response: Answer) -> Answer:
    """Middleware that gives answers with status 405 a page; the API has its own."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not isinstance(response, HttpResponseNotAllowed) or request.path.startswith("/api/"):
            return response
        page = render(request, "errors/not_allowed.html", status=405)
        page["Allow"] = response["Allow"]
        return page

    return answer
