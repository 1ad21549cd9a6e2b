"""`/studies/new/`: a draft from a protocol and a file of items, or its demo items."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.domain.errors import FileProblem, FileRefused, GroundworkError
from annotation.models import Study, User
from annotation.protocols.apart import asked_apart
from annotation.protocols.registry import TEMPLATES
from annotation.services.demo_studies import create_demo_study
from annotation.services.imports import import_items
from annotation.services.studies import create_from_template, free_slug
from annotation.study_forms import NewStudyForm
from annotation.views.uploads import on_disk


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_study(request: HttpRequest) -> HttpResponse:
    sent = request.method == "POST"
    form = NewStudyForm(request.POST if sent else None, request.FILES if sent else None)
    problems: list[FileProblem] = []
    if sent and form.is_valid() and isinstance(request.user, User):
        try:
            return redirect("study", slug=_make(form, request.user).slug)
        except FileRefused as refusal:
            problems = refusal.problems
            form.add_error("items", _("Nothing was stored; see below what is wrong with the file."))
        except GroundworkError as refusal:
            form.add_error("items", refusal.message)
    status = 422 if form.errors else 200
    context = {"form": form, "problems": problems}
    return render(request, "annotation/new_study.html", context, status=status)


def _make(form: NewStudyForm, owner: User) -> Study:
    template = TEMPLATES[form.cleaned_data["protocol"]]
    given: dict[str, Any] = {
        "template": asked_apart(template) if form.cleaned_data["apart"] else template,
        "slug": free_slug(title=form.cleaned_data["title"]),
        "title": form.cleaned_data["title"],
        "owner": owner,
        "overlap": form.cleaned_data["overlap"],
    }
    if form.cleaned_data["demo"]:
        return create_demo_study(**given)
    with on_disk(form.cleaned_data["items"]) as (path, name), transaction.atomic():
        study = create_from_template(**given)
        import_items(study=study, path=path, name=name, actor=owner)
    return study
