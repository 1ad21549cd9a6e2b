"""The documentation, as pages of the program."""

from __future__ import annotations

from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.io.base.help.contents import by_address, entries
from annotation.io.base.help.rendering import rendered


@require_safe
def help_page(request: HttpRequest, address: str = "") -> HttpResponse:
    """Show a page of the documentation; everybody may read it."""
    entry = by_address().get(address)
    if entry is None:
        raise Http404
    position = entries().index(entry)
    context = {
        "entry": entry,
        "page": rendered(entry),
        "groups": [(name, list(pages)) for name, pages in groupby(entries(), lambda page: page.group)],
        "previous": entries()[position - 1] if position else None,
        "next": entries()[position + 1] if position + 1 < len(entries()) else None,
    }
    return render(request, "annotation/base/help.html", context)
