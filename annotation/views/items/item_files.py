"""`/studies/<study>/settings/import/<file>/`: what the columns of a kept file are, a preview, the import."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.errors import FileProblem, FileRefused, GroundworkError, InvalidContent
from annotation.io.items.item_columns import GROUP, ITEM, META, PLACES, SYSTEM, TEXT, by_their_names, items_by
from annotation.models import ImportFile
from annotation.permissions import Access, Act
from annotation.services.base.pending_uploads import rows_of, set_columns
from annotation.services.items.item_files import check_file, request_import
from annotation.views.base.downloads import file_response
from annotation.views.base.page import page, study_page

SHOWN_ROWS, SHOWN_VALUES, SHOWN_PROBLEMS = 5, 3, 100
LONGEST_SHOWN = 160
USES = [
    (ITEM, _("key of the item")),
    (GROUP, _("group")),
    (SYSTEM, _("system")),
    (TEXT, _("text, named")),
    (META, _("metadata, named")),
    ("", _("leave out")),
]


@study_page(get=Act.EDIT, post=Act.EDIT)
def columns(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    file = get_object_or_404(ImportFile, pk=pk, study=access.study, what=ImportFile.ITEMS)
    sent = request.method == "POST"
    mapping = _posted(file, request.POST) if sent else file.mapping or by_their_names(file.columns)
    update, skip = "update" in request.POST, "skip" in request.POST
    problems: list[FileProblem] = []
    context: dict[str, Any] = {"refusal": "", "told": {}, "checked": None}
    status = 200
    try:
        if sent and request.POST.get("act") == "import":
            job = request_import(file=file, mapping=mapping, update=update, skip=skip, actor=access.user)
            return redirect("job", pk=job.pk)
        if sent:
            context["checked"] = check_file(file=file, mapping=mapping, update=update)
            problems = context["checked"].problems
    except FileRefused as refusal:
        problems, status = refusal.problems, 422
        context["refusal"] = _("Nothing was stored: correct the rows below, or leave bad rows out.")
    except GroundworkError as refusal:
        context |= {"refusal": refusal.message, "told": refusal.fields}
        status = 422 if isinstance(refusal, InvalidContent) else 409
    rows = rows_of(file)
    context |= {
        **page(access, "items"),
        "file": file,
        "rows": [_row(place, column, mapping, rows) for place, column in enumerate(file.columns)],
        "uses": USES,
        "preview": [item for _, item in items_by(rows[:SHOWN_ROWS], mapping)] if _complete(mapping) else [],
        "problems": problems[:SHOWN_PROBLEMS]
        or ([FileProblem(file.name, **one) for one in file.problems[:SHOWN_PROBLEMS]] if not sent else []),
        "n_bad": len({problem.row for problem in problems}) or len({one["row"] for one in file.problems}),
        "update": update,
        "skip": skip,
    }
    return render(request, "annotation/items/item_file.html", context, status=status)


@study_page(get=Act.EDIT)
def problems_file(request: HttpRequest, access: Access, pk: int) -> HttpResponseBase:
    """What is wrong with which row, as a table to work through."""
    file = get_object_or_404(ImportFile, pk=pk, study=access.study, what=ImportFile.ITEMS)
    found = [FileProblem(file.name, **one) for one in file.problems]
    if _complete(file.mapping):
        found = check_file(file=file, mapping=file.mapping, update="update" in request.GET).problems
    names = ("row", "column", "code", "message")
    rows = ({name: getattr(problem, name) for name in names} for problem in found)
    return file_response((names, rows), "csv", f"{access.slug}-import-{file.pk}-problems")


def _complete(mapping: dict[str, str]) -> bool:
    return ITEM in mapping.values()


def _posted(file: ImportFile, posted: QueryDict) -> dict[str, str]:
    """The mapping that a page sent; kept, so that the file of problems knows it."""
    mapping = {}
    for index, column in enumerate(file.columns):
        use = posted.get(f"use-{index}", "")
        name = posted.get(f"name-{index}", "").strip() or column.removeprefix("meta.")
        mapping[column] = f"{use}{name}" if use in {TEXT, META} else use if use in PLACES else ""
    set_columns(file=file, mapping=mapping)
    return mapping


def _row(place: int, column: str, mapping: dict[str, str], rows: list[tuple[int, Any]]) -> dict[str, Any]:
    use = mapping.get(column, "")
    kind = next((kind for kind in (TEXT, META) if use.startswith(kind)), use)
    values = [str(row.get(column, ""))[:LONGEST_SHOWN] for _, row in rows[:SHOWN_VALUES]]
    return {
        "place": place,
        "column": column,
        "values": [value for value in values if value],
        "kind": kind,
        "name": use.removeprefix(TEXT).removeprefix(META) if kind in {TEXT, META} else "",
    }
