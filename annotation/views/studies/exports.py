"""Exports: the page, and the files, streamed."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from annotation.domain.base.states import JobState
from annotation.io.base.writers import CONTENT_TYPES
from annotation.models import Case, Job
from annotation.permissions import Access, Act
from annotation.selectors.base.archives import archive_path, is_outdated
from annotation.selectors.base.audit_log import audit_table
from annotation.selectors.base.table_types import Table
from annotation.selectors.items.probing_table import probing_criterion
from annotation.selectors.people.platform_ids import identities_of
from annotation.selectors.questions.documents import DOCUMENTS
from annotation.selectors.questions.pilots.sources import sources_of
from annotation.selectors.questions.shown_options import has_options
from annotation.selectors.questions.tuple_tables import has_tuples
from annotation.selectors.studies.exports import FOR_VIEWERS, TABLES, ratings_table, without_comments
from annotation.services.base.audit import record_download
from annotation.services.pay.bonuses import export_platform_ids
from annotation.services.people.contact import export_contacts
from annotation.views.base.downloads import document_response, file_response
from annotation.views.base.page import page, study_page

# The kind of job that creates a data bundle.
BUNDLE = "bundle"


@study_page(get=Act.READ)
def exports(request: HttpRequest, access: Access) -> HttpResponse:
    bundle = _newest_bundle(access)
    context = {
        **page(access, "exports"),
        "formats": list(CONTENT_TYPES),
        "n_responses": sum(source.responses.count() for source in sources_of(access.study)),
        "has_tuples": has_tuples(access.study),
        "choices": has_options(access.study),
        "probing": probing_criterion(access.study) is not None,
        "adjudicated": Case.objects.filter(study=access.study).exists(),
        "bundle": bundle,
        "expired": bundle is not None and bundle.state == JobState.DONE and not archive_path(bundle).exists(),
        "outdated": bundle is not None and bundle.state == JobState.DONE and is_outdated(bundle),
        "n_identities": identities_of(access.study).count() if access.may_manage else 0,
    }
    return render(request, "annotation/studies/exports.html", context)


def _newest_bundle(access: Access) -> Job | None:
    """The newest bundle that the member may download; only admins and owners get those with pay."""
    jobs = Job.objects.filter(study=access.study, kind=BUNDLE)
    return (jobs if access.may_manage else jobs.filter(params__pay=False)).order_by("-pk").first()


@study_page(get=Act.READ)
def download(request: HttpRequest, access: Access, what: str) -> HttpResponseBase:
    """A table as a file: `?format=csv|tsv|jsonl|parquet|xlsx`, `bom=1`; `all_revisions=1` for the ratings.

    Written to the audit log.
    """
    if what not in FOR_VIEWERS:
        access.require(Act.VIEW)
    name, file_format = f"{access.slug}-{what}", request.GET.get("format", "csv")
    if what in DOCUMENTS:
        file_format = DOCUMENTS[what].ending
        response = document_response(access.study, DOCUMENTS[what], name)
    else:
        bom = bool(request.GET.get("bom"))
        table = _table(request, access, what)
        table = table if access.may_view else without_comments(table)
        response = file_response(table, file_format, name, bom=bom)
    if request.method == "GET":
        record_download(study=access.study, actor=access.user, what=what, file_format=file_format)
    return response


def _table(request: HttpRequest, access: Access, what: str) -> Table:
    if what == "ratings":
        return ratings_table(access.study, all_revisions=bool(request.GET.get("all_revisions")))
    if what == "audit":
        return audit_table(access.study, with_pay=access.may_manage)
    if what in TABLES:
        return TABLES[what](access.study)
    raise Http404("There is no such export.")


@study_page(post=Act.MANAGE)
def platform_ids(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The platform ID of each rater, separate from the data; the download is written to the audit log."""
    return _logged(request, access, "platform-ids", export_platform_ids)


@study_page(post=Act.MANAGE)
def contacts(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The contact of raters with an account, separate from the data; written to the audit log."""
    return _logged(request, access, "contacts", export_contacts)


def _logged(
    request: HttpRequest, access: Access, what: str, export: Callable[..., Table]
) -> HttpResponseBase:
    """A table of persons as a file, exported by a service that writes to the audit log."""
    file_format = request.POST.get("format", "csv")
    if file_format not in CONTENT_TYPES:
        raise Http404("There is no such format.")
    table = export(study=access.study, actor=access.user, file_format=file_format)
    return file_response(table, file_format, f"{access.slug}-{what}")
