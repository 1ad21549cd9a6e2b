"""`/studies/<study>/settings/items/<item>/`: the group, the system and the metadata of an item."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import InvalidContent
from annotation.forms.items import DescriptionForm
from annotation.models import Item
from annotation.permissions import Access, Act
from annotation.services.items.corrections import correct_item
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, study_page


@study_page(get=Act.MANAGE, post=Act.MANAGE)
def describe(request: HttpRequest, access: Access, key: str) -> HttpResponse:
    """Correct the group, the system and the metadata of an item."""
    item = get_object_or_404(Item, study=access.study, key=key)
    form = DescriptionForm(item, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            correct_item(item=item, actor=access.user, **form.description())
        except InvalidContent as refusal:
            form.add_error(None, translated(refusal.message))
        else:
            messages.success(request, _("Item %(item)s corrected.") % {"item": item.key})
            return redirect("study-item", slug=access.slug, key=item.key)
    context = {**page(access, "items"), "item": item, "form": form}
    return render(request, "annotation/items/describe.html", context, status=422 if form.errors else 200)
