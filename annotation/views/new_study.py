"""`/studies/new/`: a draft from a protocol and a file of items."""

from __future__ import annotations

import tempfile
from pathlib import Path

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.domain.errors import GroundworkError
from annotation.forms import NewStudyForm
from annotation.models import Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.imports import import_items
from annotation.services.studies import create_from_template


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_study(request: HttpRequest) -> HttpResponse:
    sent = request.method == "POST"
    form = NewStudyForm(request.POST if sent else None, request.FILES if sent else None)
    if sent and form.is_valid() and isinstance(request.user, User):
        try:
            return redirect("study", slug=_make(form, request.user).slug)
        except GroundworkError as refusal:
            form.add_error("items", refusal.message)
    status = 422 if form.errors else 200
    return render(request, "annotation/new_study.html", {"form": form}, status=status)


def _make(form: NewStudyForm, owner: User) -> Study:
    template = TEMPLATES[form.cleaned_data["protocol"]]
    upload: SimpleUploadedFile = form.cleaned_data["items"]
    if (upload.size or 0) > settings.UPLOAD_MAX_BYTES:
        raise GroundworkError("The file is larger than this installation takes.", code="too_large")
    with tempfile.TemporaryDirectory() as folder, transaction.atomic():
        path = Path(folder) / f"items{Path(upload.name or '').suffix.lower()}"
        with path.open("wb") as file:
            file.writelines(upload.chunks())
        study = create_from_template(
            template=template,
            slug=form.slug(),
            title=form.cleaned_data["title"],
            owner=owner,
            overlap=form.cleaned_data["overlap"],
        )
        import_items(study=study, path=path, name=upload.name or "", actor=owner)
    return study
