"""Theme and text size, stored in cookies of each browser."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

# Both cookies, which are also the fields of the form, and their values; the first is that of a new browser.
CHOICES = {"theme": ("system", "light", "dark"), "text_size": ("standard", "large", "larger")}
# Where the dark colours apply; `static/js/menu.js` has the same.
DARK_WHERE = {"system": "screen and (prefers-color-scheme: dark)", "light": "not all", "dark": "screen"}
YEAR = int(timedelta(days=365).total_seconds())


def display(request: HttpRequest) -> dict[str, str]:
    """What templates need of the browser's choice: a context processor."""
    chosen = {name: _chosen(request, name) for name in CHOICES}
    return chosen | {"dark_where": DARK_WHERE[chosen["theme"]]}


@require_POST
def set_display(request: HttpRequest) -> HttpResponse:
    """Store a theme or a text size in the browser, and return to the page."""
    chosen = {name: value for name, value in request.POST.items() if value in CHOICES.get(name, ())}
    if not chosen:
        return HttpResponseBadRequest(_("Choose a theme or a text size."))
    response = HttpResponseRedirect(_address(request))
    for name, value in chosen.items():
        response.set_cookie(
            name, str(value), max_age=YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
        )
    return response


def _chosen(request: HttpRequest, name: str) -> str:
    value = request.COOKIES.get(name, "")
    return value if value in CHOICES[name] else CHOICES[name][0]


def _address(request: HttpRequest) -> str:
    address = request.POST.get("next", "")
    allowed = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if allowed and address.startswith("/") else "/"
