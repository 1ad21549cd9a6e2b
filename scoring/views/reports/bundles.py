"""Export bundles: request and download."""

from __future__ import annotations

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.states import JobState
from annotation.models import Job
from annotation.permissions import Access, Act
from annotation.services.base.audit import record_download
from annotation.views.base.page import study_page
from scoring.services.reports.bundles import KIND, has_pay, open_bundle, request_bundle
from scoring.views.reports.exports import exports_page


@study_page(post=Act.VIEW)
def start(request: HttpRequest, access: Access) -> HttpResponse:
    """Request a bundle: `formats` besides CSV and Parquet, `bom`, `judges`, `licence`, `authors` by line."""
    try:
        request_bundle(
            study=access.study,
            actor=access.user,
            formats=request.POST.getlist("formats"),
            bom=bool(request.POST.get("bom")),
            with_pay=access.may_manage,
            judges=bool(request.POST.get("judges")),
            licence=request.POST.get("licence", ""),
            texts_licence=request.POST.get("texts_licence", ""),
            authors=request.POST.get("authors", "").splitlines(),
        )
    except GroundworkError as refusal:
        return exports_page(request, access, refusal=refusal)
    return redirect("study-exports", slug=access.slug)


@study_page(get=Act.VIEW)
def download(request: HttpRequest, access: Access, pk: int) -> FileResponse:
    """The archive that a job made; written to the audit log."""
    job = get_object_or_404(Job, study=access.study, kind=KIND, pk=pk, state=JobState.DONE)
    if has_pay(job):
        access.require(Act.MANAGE)
    file = open_bundle(job)
    if file is None:
        raise Http404("The data bundle has been deleted. Create a new one.")
    if request.method == "GET":
        record_download(study=access.study, actor=access.user, what="bundle", file_format="zip")
    response = FileResponse(
        file, as_attachment=True, filename=f"{access.slug}.zip", content_type="application/zip"
    )
    response["Cache-Control"] = "no-store"
    return response
