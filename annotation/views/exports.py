"""Exports: the page, and the files, streamed."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from annotation.io.writers import CONTENT_TYPES, write_rows
from annotation.models import Job, Study
from annotation.permissions import Access, Act, study_access
from annotation.selectors.audit_log import audit_table
from annotation.selectors.calibration_tables import qualification_table
from annotation.selectors.choice_table import choices_table
from annotation.selectors.consent import raters_table
from annotation.selectors.demographics import demographics_table
from annotation.selectors.documents import DOCUMENTS, Document
from annotation.selectors.exclusion_tables import exclusions_table, rules_table
from annotation.selectors.exports import TUPLE_TABLES, Table, checks_table, items_table, ratings_table
from annotation.selectors.platform_ids import identities_of
from annotation.selectors.probing import probing_criterion, probing_table
from annotation.selectors.progress import totals
from annotation.selectors.shown_options import has_options
from annotation.selectors.tuples import has_tuples
from annotation.services.contacts import export_contacts
from annotation.services.pay import export_platform_ids
from annotation.views.studies import page

# The job that makes an archive of everything.
BUNDLE = "bundle"
TABLES: dict[str, Callable[[Study], Table]] = {
    "items": items_table,
    "checks": checks_table,
    "qualification": qualification_table,
    "raters": raters_table,
    "demographics": demographics_table,
    **TUPLE_TABLES,
    "choices": choices_table,
    "probing": probing_table,
    "exclusions": exclusions_table,
    "rules": rules_table,
}


@login_required
@require_safe
def exports(request: HttpRequest, slug: str) -> HttpResponse:
    access = study_access(request.user, slug, Act.VIEW)
    context = {
        **page(access, "exports"),
        "formats": list(CONTENT_TYPES),
        "totals": totals(access.study),
        "has_tuples": has_tuples(access.study),
        "choices": has_options(access.study),
        "probing": probing_criterion(access.study) is not None,
        "bundle": _newest_bundle(access),
        "n_identities": identities_of(access.study).count() if access.may_manage else 0,
    }
    return render(request, "annotation/exports.html", context)


def _newest_bundle(access: Access) -> Job | None:
    """The newest one that may be taken: those with pay are for who manages the study."""
    jobs = Job.objects.filter(study=access.study, kind=BUNDLE)
    return (jobs if access.may_manage else jobs.filter(params__pay=False)).order_by("-pk").first()


@login_required
@require_safe
def download(request: HttpRequest, slug: str, what: str) -> HttpResponseBase:
    """A table as a file: `?format=csv|tsv|jsonl|parquet|xlsx`, `bom=1`; `all_revisions=1` for the ratings."""
    access = study_access(request.user, slug, Act.VIEW)
    if what in DOCUMENTS:
        return document_response(access.study, DOCUMENTS[what], f"{slug}-{what}")
    if what == "ratings":
        table = ratings_table(access.study, all_revisions=bool(request.GET.get("all_revisions")))
    elif what == "audit":
        table = audit_table(access.study, with_pay=access.may_manage)
    elif what in TABLES:
        table = TABLES[what](access.study)
    else:
        raise Http404("There is no such export.")
    bom = bool(request.GET.get("bom"))
    return file_response(table, request.GET.get("format", "csv"), f"{slug}-{what}", bom=bom)


@login_required
@require_POST
def platform_ids(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Which rater is whom on a platform: apart from the data, and written to the audit log."""
    access = study_access(request.user, slug, Act.MANAGE)
    file_format = request.POST.get("format", "csv")
    if file_format not in CONTENT_TYPES:
        raise Http404("There is no such format.")
    table = export_platform_ids(study=access.study, actor=access.user, file_format=file_format)
    return file_response(table, file_format, f"{slug}-platform-ids")


@login_required
@require_POST
def contacts(request: HttpRequest, slug: str) -> HttpResponseBase:
    """How raters with a log-in can be written to: apart from the data, and written to the audit log."""
    access = study_access(request.user, slug, Act.MANAGE)
    file_format = request.POST.get("format", "csv")
    if file_format not in CONTENT_TYPES:
        raise Http404("There is no such format.")
    table = export_contacts(study=access.study, actor=access.user, file_format=file_format)
    return file_response(table, file_format, f"{slug}-contacts")


def file_response(table: Table, file_format: str, name: str, *, bom: bool = False) -> StreamingHttpResponse:
    """Stream a table under a file name; `bom` as for `write_rows`."""
    if file_format not in CONTENT_TYPES:
        raise Http404("There is no such format.")
    columns, rows = table
    response = StreamingHttpResponse(
        write_rows(rows, columns, file_format, bom=bom), content_type=CONTENT_TYPES[file_format]
    )
    response["Content-Disposition"] = f'attachment; filename="{name}.{file_format}"'
    response["Cache-Control"] = "no-store"
    return response


def document_response(study: Study, document: Document, name: str) -> StreamingHttpResponse:
    """Stream a document under a file name."""
    response = StreamingHttpResponse(document.pieces(study), content_type=document.content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}.{document.ending}"'
    response["Cache-Control"] = "no-store"
    return response
