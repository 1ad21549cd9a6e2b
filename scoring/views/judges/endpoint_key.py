"""`/studies/<study>/judges/key/`: the study’s own key of the chat endpoint."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from annotation.permissions import Access, Act
from annotation.views.base.page import refusal_shown, study_page
from scoring.services.judges.running.endpoint_keys import remove_key, set_key


@study_page(post=Act.OWN)
def endpoint_key(request: HttpRequest, access: Access) -> HttpResponse:
    """Set or replace the key, or remove it."""
    with refusal_shown(request):
        if request.POST.get("act") == "remove":
            remove_key(study=access.study, actor=access.user)
            messages.success(request, _("Key removed."))
        else:
            set_key(study=access.study, actor=access.user, key=request.POST.get("key", ""))
            messages.success(request, _("Key saved."))
    return redirect("study-judges", slug=access.slug)
