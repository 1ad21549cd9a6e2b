"""Exports: the page, with the first rows of each file, and the files, streamed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.states import JobState
from annotation.io.base.writers import CONTENT_TYPES
from annotation.io.studies.first_rows import Cells, first_rows, size_by_first_rows
from annotation.models import Job
from annotation.permissions import Access, Act
from annotation.selectors.base.archives import archive_size, is_outdated
from annotation.selectors.base.audit_log import audit_table
from annotation.selectors.base.table_types import Table
from annotation.selectors.questions.documents import DOCUMENTS
from annotation.selectors.questions.long_table import n_rating_rows
from annotation.selectors.studies.exports import FOR_VIEWERS, without_comments
from annotation.services.base.audit import record_download
from annotation.views.base.downloads import document_response, file_response
from annotation.views.base.page import study_page
from scoring.bundle.release.publication import LICENCES
from scoring.selectors.reports.exported_files import (
    AUDIT,
    JUDGEMENTS,
    PLATFORM_IDS,
    ExportedFile,
    exported_files,
)
from scoring.selectors.reports.exports import EXPORTED, table_of
from scoring.services.reports.bundles import KIND
from scoring.views.base.page import page

RATINGS = "ratings"
# The same ratings, long and wide.
SHAPES = (RATINGS, "ratings_wide")
ROWS_SHOWN, LINES_SHOWN = 5, 20
# Rows that are read to count them, where the database cannot.
MOST_COUNTED = 10_000
# Rows that are written to know the size of a file.
ROWS_WEIGHED = 500
# Characters of a cell on the page.
LONGEST_CELL = 160


@dataclass(frozen=True)
class Preview:
    """How a file begins; `n_rows` is None if it has more than `MOST_COUNTED` rows.

    `size` is that of the file in bytes, if it is known; `is_estimate` if it follows from the first rows.
    """

    cells: Cells = ()
    n_rows: int | None = None
    text: str = ""
    size: int | None = None
    is_estimate: bool = False

    @property
    def header(self) -> tuple[str, ...]:
        return self.cells[0]

    @property
    def rows(self) -> Cells:
        return self.cells[1:]

    @property
    def n_shown(self) -> int:
        return len(self.rows)


@study_page(get=Act.READ)
def exports(request: HttpRequest, access: Access) -> HttpResponse:
    """The files and how one of them begins: `?what=`, and `format`, `all_revisions` and `bom` of the file.

    The page's own requests, when another format is chosen, are answered with that part alone. Without a
    script, `preview=1` asks for it.
    """
    return exports_page(request, access)


def exports_page(
    request: HttpRequest, access: Access, *, refusal: GroundworkError | None = None
) -> HttpResponse:
    """The page; with a refusal, what was typed for a bundle, and what is wrong with it."""
    groups = exported_files(access.study, team=access.may_view, manages=access.may_manage)
    file = _chosen(request, access, groups)
    context: dict[str, Any] = {
        **page(access, "exports"),
        "groups": list(groups.items()),
        "file": file,
        "shapes": SHAPES,
        "formats": list(CONTENT_TYPES),
        "format": _format_of(request, file),
        "most_counted": MOST_COUNTED,
        "longest_cell": LONGEST_CELL,
        "all_revisions": bool(request.GET.get("all_revisions")),
        "bom": bool(request.GET.get("bom")),
    }
    alone = bool(request.headers.get("HX-Request"))
    if not file.is_personal and (alone or request.GET.get("preview")):
        context["preview"] = _preview(request, access, file)
    if alone:
        return render(request, "scoring/reports/exports/preview.html", context)
    context |= _bundle(access)
    context["judged"] = any(one.key == JUDGEMENTS for files in groups.values() for one in files)
    if refusal is not None:
        context |= {
            "refusal": refusal.message,
            "licence": request.POST.get("licence", ""),
            "texts_licence": request.POST.get("texts_licence", ""),
            "authors": request.POST.get("authors", ""),
            "with_judges": bool(request.POST.get("judges")),
        }
    status = 200 if refusal is None else 422
    return render(request, "scoring/reports/exports/exports.html", context, status=status)


def _chosen(request: HttpRequest, access: Access, groups: Mapping[str, list[ExportedFile]]) -> ExportedFile:
    what = request.GET.get("what", RATINGS)
    _require(access, what)
    found = (file for files in groups.values() for file in files if file.key == what)
    if (file := next(found, None)) is None:
        raise Http404("This study has no such export.")
    return file


def _require(access: Access, what: str) -> None:
    """Refuse a file to a member who may not have it."""
    if what not in FOR_VIEWERS:
        access.require(Act.MANAGE if what == PLATFORM_IDS else Act.VIEW)


def _format_of(request: HttpRequest, file: ExportedFile) -> str:
    if file.is_document:
        return DOCUMENTS[file.key].ending
    chosen = request.GET.get("format", "csv")
    if chosen not in CONTENT_TYPES:
        raise Http404("There is no such format.")
    return chosen


def _preview(request: HttpRequest, access: Access, file: ExportedFile) -> Preview:
    if file.is_document:
        return Preview(text=_first_lines(DOCUMENTS[file.key].pieces(access.study)))
    (columns, rows), file_format = _table(request, access, file.key), _format_of(request, file)
    rows = iter(rows)
    first = list(islice(rows, ROWS_WEIGHED))
    n_rows = _n_rows(request, access, file, len(first), rows)
    return Preview(
        cells=first_rows((columns, first), file_format, most=ROWS_SHOWN),
        n_rows=n_rows,
        size=size_by_first_rows((columns, first), file_format, n_rows),
        is_estimate=n_rows != len(first),
    )


def _n_rows(
    request: HttpRequest, access: Access, file: ExportedFile, shown: int, others: Iterable[Any]
) -> int | None:
    if file.key == RATINGS and request.GET.get("all_revisions"):
        return n_rating_rows(access.study, all_revisions=True)
    if file.n_rows is not None:
        return file.n_rows
    n_others = sum(1 for _ in islice(others, MOST_COUNTED))
    return None if n_others == MOST_COUNTED else shown + n_others


def _first_lines(pieces: Iterator[bytes]) -> str:
    text = b""
    for piece in pieces:
        text += piece
        if text.count(b"\n") >= LINES_SHOWN:
            break
    return "".join(text.decode("utf-8").splitlines(keepends=True)[:LINES_SHOWN])


def _bundle(access: Access) -> dict[str, Any]:
    """The newest bundle that the member may download; only admins and owners get those with pay."""
    jobs = Job.objects.filter(study=access.study, kind=KIND)
    bundle = (jobs if access.may_manage else jobs.filter(params__pay=False)).order_by("-pk").first()
    done = bundle if bundle is not None and bundle.state == JobState.DONE else None
    size = None if done is None else archive_size(done)
    declared = bundle.params if bundle is not None else {}
    return {
        "bundle": bundle,
        "licences": LICENCES.values(),
        "licence": declared.get("licence", ""),
        "texts_licence": declared.get("texts_licence", ""),
        "authors": "\n".join(declared.get("authors", ())),
        "bundle_size": size,
        "expired": done is not None and size is None,
        "outdated": done is not None and is_outdated(done),
    }


@study_page(get=Act.READ)
def download(request: HttpRequest, access: Access, what: str) -> HttpResponseBase:
    """A table as a file: `?format=csv|tsv|jsonl|parquet|xlsx`, `bom=1`; `all_revisions=1` for the ratings.

    Written to the audit log.
    """
    _require(access, what)
    name, file_format = f"{access.slug}-{what}", request.GET.get("format", "csv")
    if what in DOCUMENTS:
        file_format = DOCUMENTS[what].ending
        response = document_response(access.study, DOCUMENTS[what], name)
    else:
        bom = bool(request.GET.get("bom"))
        response = file_response(_table(request, access, what), file_format, name, bom=bom)
    if request.method == "GET":
        record_download(study=access.study, actor=access.user, what=what, file_format=file_format)
    return response


def _table(request: HttpRequest, access: Access, what: str) -> Table:
    """The table of a file, as the member may read it."""
    if what == AUDIT:
        table = audit_table(access.study, with_pay=access.may_manage)
    elif what in EXPORTED:
        table = table_of(access.study, what, all_revisions=bool(request.GET.get("all_revisions")))
    else:
        raise Http404("There is no such export.")
    return table if access.may_view else without_comments(table)
