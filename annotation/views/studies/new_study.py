"""`/studies/new/`: a draft from a protocol or a blank one, with items or without."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.domain.base.errors import FileProblem, FileRefused, GroundworkError
from annotation.forms.new_study import BLANK, NewStudyForm
from annotation.io.base.uploads import on_disk
from annotation.models import Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.split_by_criterion import asked_apart
from annotation.services.items.rating_files import import_items
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import create_from_template, create_study, free_slug


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_study(request: HttpRequest) -> HttpResponse:
    sent = request.method == "POST"
    form = NewStudyForm(request.POST if sent else None, request.FILES if sent else None)
    problems: list[FileProblem] = []
    if sent and form.is_valid() and isinstance(request.user, User):
        try:
            study = _make(form, request.user)
            if not study.forms.exists():
                return redirect("study-forms", slug=study.slug)
            return redirect("study" if study.items.exists() else "study-import", slug=study.slug)
        except FileRefused as refusal:
            problems = refusal.problems
            form.add_error("items", _("Nothing was stored; see below what is wrong with the file."))
        except GroundworkError as refusal:
            form.add_error("items", refusal.message)
    status = 422 if form.errors else 200
    context = {"form": form, "problems": problems}
    return render(request, "annotation/studies/new_study.html", context, status=status)


def _make(form: NewStudyForm, owner: User) -> Study:
    with transaction.atomic():
        study = _begun(form, owner)
        if form.cleaned_data["items"]:
            with on_disk(form.cleaned_data["items"]) as (path, name):
                import_items(study=study, path=path, name=name, actor=owner)
    return study


def _begun(form: NewStudyForm, owner: User) -> Study:
    title, protocol = form.cleaned_data["title"], form.cleaned_data["protocol"]
    identity: dict[str, Any] = {"slug": free_slug(title=title), "title": title, "owner": owner}
    if protocol == BLANK:
        return create_study(**identity)
    template = TEMPLATES[protocol]
    create = create_demo_study if form.cleaned_data["demo"] else create_from_template
    return create(
        template=asked_apart(template) if form.cleaned_data["apart"] else template,
        overlap=form.cleaned_data["overlap"],
        **identity,
    )
