"""`/studies/<study>/releases/`: what reviewers will miss, the list of releases, and a new one."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.timestamps import DAY
from annotation.models import Release
from annotation.permissions import Access, Act
from annotation.selectors.base.archives import archive_size
from annotation.services.base.audit import record_download
from annotation.views.base.page import study_page
from scoring.bundle.release.publication import LICENCES
from scoring.models import Judge
from scoring.selectors.base.reports import unfinished_job
from scoring.services.reports import hub_uploads
from scoring.services.reports.hub_uploads import request_upload
from scoring.services.reports.release_files import release_files
from scoring.services.reports.release_state import release_state
from scoring.services.reports.releases import KIND, next_version, open_release, request_release
from scoring.views.base.page import page


@study_page(get=Act.VIEW, post=Act.MANAGE)
def releases(request: HttpRequest, access: Access) -> HttpResponse:
    """The page, and making a release, with the fields of the form; `files=1` lists what it would contain."""
    if request.method != "POST":
        return _page(request, access)
    try:
        request_release(
            study=access.study,
            actor=access.user,
            licence=request.POST.get("licence", ""),
            texts_licence=request.POST.get("texts_licence", ""),
            times=request.POST.get("times", DAY),
            authors=request.POST.get("authors", "").splitlines(),
            note=request.POST.get("note", ""),
            major=bool(request.POST.get("major")),
            judges=bool(request.POST.get("judges")),
        )
    except GroundworkError as refusal:
        return _page(request, access, refusal)
    return redirect("study-releases", slug=access.slug)


@study_page(get=Act.MANAGE)
def download(request: HttpRequest, access: Access, pk: int) -> FileResponse:
    """The archive of a release; written to the audit log."""
    release = get_object_or_404(Release.objects.select_related("job"), study=access.study, pk=pk)
    file = open_release(release)
    if file is None:
        raise Http404("This archive was deleted because a rater’s data were erased. Create a new release.")
    if request.method == "GET":
        record_download(study=access.study, actor=access.user, what="release", file_format="zip")
    name = f"{access.slug}-{release.version}.zip"
    response = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    response["Cache-Control"] = "no-store"
    return response


@study_page(post=Act.OWN)
def upload(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Upload a release to the data hub: `repository`, and `public` for a new data set that all may see."""
    release = get_object_or_404(Release.objects.select_related("study"), study=access.study, pk=pk)
    try:
        request_upload(
            release=release,
            actor=access.user,
            repository=request.POST.get("repository", "").strip(),
            private=not request.POST.get("public"),
        )
    except GroundworkError as refusal:
        return _page(request, access, refusal)
    return redirect("study-releases", slug=access.slug)


def _page(request: HttpRequest, access: Access, refusal: GroundworkError | None = None) -> HttpResponse:
    state = release_state(access.study, with_pay=access.may_manage)
    found = list(Release.objects.filter(study=access.study).select_related("job", "earlier"))
    given = request.POST if refusal is not None else {}
    listed = access.may_manage and bool(request.GET.get("files"))
    making = unfinished_job(access.study, KIND)
    context: dict[str, Any] = {
        **page(access, "release"),
        "findings": state.findings,
        "files": release_files(access.study, judges=bool(request.GET.get("judges"))) if listed else (),
        "n_missing": state.n_missing,
        "sheet": state.sheet,
        "releases": [(one, archive_size(one.job)) for one in found],
        "job": making or unfinished_job(access.study, hub_uploads.KIND),
        "being_made": making is not None,
        "may_upload": access.may_own and bool(settings.HUB_TOKEN),
        "repository": given.get("repository", ""),
        "versions": [_version(access, major=major) for major in (False, True)],
        "licences": LICENCES.values(),
        "licence": given.get("licence", state.licence),
        "texts_licence": given.get("texts_licence", state.texts_licence),
        "times": given.get("times", DAY),
        "authors": given.get("authors", "\n".join(state.authors)),
        "note": given.get("note", ""),
        "judged": Judge.objects.filter(study=access.study).exists(),
        "with_judges": bool(given.get("judges")),
        "refusal": refusal,
    }
    status = 200 if refusal is None else 422 if refusal.fields else 409
    return render(request, "scoring/reports/release/releases.html", context, status=status)


def _version(access: Access, *, major: bool) -> str:
    first, second = next_version(access.study, major=major)
    return f"{first}.{second}"
