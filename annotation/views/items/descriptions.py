"""`/studies/<study>/settings/items/<item>/`: what describes an item; and the texts of one of a draft."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import InvalidContent
from annotation.forms.items import DescriptionForm
from annotation.models import Item
from annotation.permissions import Access, Act
from annotation.selectors.questions.form_versions import required_texts
from annotation.services.items.corrections import correct_item
from annotation.services.items.draft_items import delete_item, enter_texts
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, refusal_shown, study_page


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


@study_page(post=Act.EDIT)
def draft_item(request: HttpRequest, access: Access, key: str) -> HttpResponse:
    """Enter the missing texts of an item of a draft, or delete the item."""
    item = get_object_or_404(Item, study=access.study, key=key)
    act = request.POST.get("act")
    if act not in {"enter", "delete"}:
        raise BadRequest("The page says neither to enter texts nor to delete the item.")
    with refusal_shown(request):
        if act == "delete":
            delete_item(item=item, actor=access.user)
            messages.success(request, _("Item %(item)s deleted.") % {"item": key})
            return redirect("study-items", slug=access.slug)
        texts = {name: request.POST.get(f"text-{name}", "") for name in required_texts(access.study)}
        enter_texts(item=item, texts=texts, actor=access.user)
        messages.success(request, _("Text of item %(item)s saved.") % {"item": key})
    return redirect("study-item", slug=access.slug, key=key)
