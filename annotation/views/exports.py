"""Exports: the page, and the files, streamed."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.io.writers import CONTENT_TYPES, write_rows
from annotation.permissions import Act, study_access
from annotation.selectors.exports import Table, checks_table, items_table, ratings_table
from annotation.selectors.progress import totals
from annotation.views.studies import page


@login_required
@require_safe
def exports(request: HttpRequest, slug: str) -> HttpResponse:
    access = study_access(request.user, slug, Act.VIEW)
    context = {**page(access, "exports"), "formats": list(CONTENT_TYPES), "totals": totals(access.study)}
    return render(request, "annotation/exports.html", context)


@login_required
@require_safe
def download(request: HttpRequest, slug: str, what: str) -> HttpResponseBase:
    """A table as a file: `?format=csv|tsv|jsonl|parquet`, and `all_revisions=1` for the ratings."""
    access = study_access(request.user, slug, Act.VIEW)
    if what == "ratings":
        table = ratings_table(access.study, all_revisions=bool(request.GET.get("all_revisions")))
    elif what == "items":
        table = items_table(access.study)
    elif what == "checks":
        table = checks_table(access.study)
    else:
        raise Http404("There is no such export.")
    return file_response(table, request.GET.get("format", "csv"), f"{slug}-{what}")


def file_response(table: Table, file_format: str, name: str) -> StreamingHttpResponse:
    """Stream a table under a file name."""
    if file_format not in CONTENT_TYPES:
        raise Http404("There is no such format.")
    columns, rows = table
    response = StreamingHttpResponse(
        write_rows(rows, columns, file_format), content_type=CONTENT_TYPES[file_format]
    )
    response["Content-Disposition"] = f'attachment; filename="{name}.{file_format}"'
    response["Cache-Control"] = "no-store"
    return response
