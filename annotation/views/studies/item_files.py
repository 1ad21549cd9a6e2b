"""`/studies/<study>/settings/import/<file>/`: the columns of a pending file, a preview, and the import."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from annotation.domain.base.errors import FileProblem, FileRefused, GroundworkError, InvalidContent
from annotation.domain.base.orders import GroupPlacement
from annotation.domain.base.states import JobState, StudyState
from annotation.io.items.column_profiles import ColumnProfile, profile_columns, sample_values
from annotation.io.items.guessed_columns import assigned_as_before, guess_columns
from annotation.io.items.item_columns import (
    GROUP,
    GROUP_AND_TEXT,
    ITEM,
    META,
    ROW_NUMBERS,
    SYSTEM,
    TEXT,
    items_by,
)
from annotation.models import ImportFile, Item, Job, Study
from annotation.permissions import Access, Act
from annotation.selectors.questions.form_versions import shown_fields
from annotation.selectors.questions.shown_options import texts_in_order
from annotation.selectors.studies.new_study_preview import preview_of_stored
from annotation.services.base.pending_uploads import rows_of, set_columns
from annotation.services.items.item_files import check_file, request_import
from annotation.views.base.downloads import file_response
from annotation.views.base.jobs import ended_soon
from annotation.views.base.page import page, study_page
from annotation.views.base.uploads import items_added

SHOWN_ROWS, SHOWN_VALUES, SHOWN_PROBLEMS = 5, 3, 100
LONGEST_SHOWN = 160
TEXT_ROLES = {
    "figure": _("text to be rated (%(name)s)"),
    "literal": _("shown first, in small print (%(name)s)"),
}
Uses = list[tuple[str, Any]]


@study_page(get=Act.EDIT, post=Act.EDIT)
def columns(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    file = get_object_or_404(ImportFile, pk=pk, study=access.study, what=ImportFile.ITEMS)
    sent, act = request.method == "POST", request.POST.get("act")
    rows, shown = rows_of(file), shown_fields(access.study)
    uses, earlier = _uses(shown), _earlier_file(file)
    if sent:
        access.require_for_items()
        mapping = _posted(file, request.POST, uses)
    else:
        mapping = file.mapping or _proposed(file, earlier, rows, shown)
    update, skip = "update" in request.POST, "skip" in request.POST
    problems: list[FileProblem] = []
    context: dict[str, Any] = {"refusal": "", "checked": None}
    status = 200
    try:
        if act == "import":
            job = request_import(file=file, mapping=mapping, update=update, skip=skip, actor=access.user)
            return _imported_soon(request, access, job) or redirect("job", pk=job.pk)
        if sent and act != "preview":
            context["checked"] = check_file(file=file, mapping=mapping, update=update)
            problems = context["checked"].problems
    except FileRefused as refusal:
        problems, status = refusal.problems, 422
        context["refusal"] = _("Nothing was saved. Correct the rows below, or skip rows with errors.")
    except GroundworkError as refusal:
        context["refusal"] = refusal.message
        status = 422 if isinstance(refusal, InvalidContent) else 409
    context |= {
        **page(access, "items"),
        **_shown_columns(access.study, file, mapping, rows, uses),
        "file": file,
        "earlier": earlier,
        "uses": uses,
        "unmapped": [
            name for name in shown if {TEXT + name, GROUP_AND_TEXT + name}.isdisjoint(mapping.values())
        ],
        "takes_sets": texts_in_order(access.study) > 0,
        **_shown_problems(file, problems, with_stored=not sent),
        "update": update,
        "skip": skip,
    }
    return render(request, "annotation/items/item_file.html", context, status=status)


@study_page(get=Act.EDIT)
def problems_file(request: HttpRequest, access: Access, pk: int) -> HttpResponseBase:
    """The problems of each row as a table."""
    file = get_object_or_404(ImportFile, pk=pk, study=access.study, what=ImportFile.ITEMS)
    found = [FileProblem.from_stored({"file": file.name, **one}) for one in file.problems]
    if _complete(file.mapping):
        found = check_file(file=file, mapping=file.mapping, update="update" in request.GET).problems
    names = ("row", "column", "code", "message")
    rows = ({name: getattr(problem, name) for name in names} for problem in found)
    return file_response((names, rows), "csv", f"{access.slug}-import-{file.pk}-problems")


def _earlier_file(file: ImportFile) -> ImportFile | None:
    """The file from which items of the study were last imported, if it has a column of the same name."""
    stored = file.study.import_files.filter(what=ImportFile.ITEMS, stored__isnull=False).exclude(pk=file.pk)
    last = stored.defer("rows", "problems").order_by("-pk").first()
    return None if last is None or last.mapping.keys().isdisjoint(file.columns) else last


def _proposed(
    file: ImportFile, earlier: ImportFile | None, rows: list[tuple[int, Any]], shown: Mapping[str, str]
) -> dict[str, str]:
    guessed = guess_columns(file.columns, rows, shown)
    return assigned_as_before(guessed, earlier.mapping) if earlier else guessed


def _shown_problems(
    file: ImportFile, problems: Sequence[FileProblem], *, with_stored: bool
) -> dict[str, Any]:
    """The first problems that were found, or else those of reading the file, and the number of bad rows."""
    stored = file.problems[:SHOWN_PROBLEMS] if with_stored else []
    return {
        "problems": problems[:SHOWN_PROBLEMS]
        or [FileProblem.from_stored({"file": file.name, **one}) for one in stored],
        "n_bad": len({problem.row for problem in problems}) or len({one["row"] for one in file.problems}),
    }


def _complete(mapping: dict[str, str]) -> bool:
    return ITEM in mapping.values()


def _shown_columns(
    study: Study, file: ImportFile, mapping: dict[str, str], rows: list[tuple[int, Any]], uses: Uses
) -> dict[str, Any]:
    """What depends on the chosen columns: their rows, warnings, the first items and the rating page."""
    profiles = profile_columns(file.columns, rows)
    first = [item for _, item in items_by(rows[:SHOWN_ROWS], mapping)] if _complete(mapping) else []
    return {
        "rows": [
            {**_row(place, column, mapping, rows, uses), "holds": profiles[column]}
            for place, column in enumerate(file.columns)
        ],
        "numbered": mapping.get(ROW_NUMBERS) == ITEM,
        "counting": next((one for one in file.columns if _counts_rows(one, mapping, profiles)), None),
        "needs_group": not _makes_groups(mapping) and study.keep_groups != GroupPlacement.FREE,
        "empty_texts": list(_empty_texts(rows, mapping)),
        "preview": first,
        **preview_of_stored(study, Item(study=study, **first[0]) if first else None),
    }


def _counts_rows(column: str, mapping: Mapping[str, str], profiles: Mapping[str, ColumnProfile]) -> bool:
    """Whether a column that is used as the item ID only counts the rows."""
    return mapping.get(column) == ITEM and profiles[column].is_row_index


def _empty_texts(rows: list[tuple[int, Any]], mapping: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The columns of texts with empty cells, with the first rows of these."""
    for column, use in mapping.items():
        if use.startswith((TEXT, GROUP_AND_TEXT)):
            empty = [number for number, row in rows if not str(row.get(column, "")).strip()]
            if empty:
                yield {"column": column, "n": len(empty), "rows": empty[:SHOWN_ROWS]}


def _makes_groups(mapping: Mapping[str, str]) -> bool:
    return any(use == GROUP or use.startswith(GROUP_AND_TEXT) for use in mapping.values())


def _uses(shown: Mapping[str, str]) -> Uses:
    """The possible uses of a column, including the texts that forms show, by name."""
    texts: Uses = [
        (TEXT + name, TEXT_ROLES.get(role, _("text shown to raters (%(name)s)")) % {"name": name})
        for name, role in shown.items()
    ]
    grouping: Uses = [
        (GROUP_AND_TEXT + name, _("group, and text shown to raters (%(name)s)") % {"name": name})
        for name, role in shown.items()
        if role != "figure"
    ]
    return [
        (ITEM, _("item ID")),
        (GROUP, _("group")),
        (SYSTEM, _("system, hidden from raters")),
        *texts,
        *grouping,
        (TEXT, _("another text") if texts else _("text")),
        (META, _("metadata, not shown")),
        ("", _("not used")),
    ]


def _imported_soon(request: HttpRequest, access: Access, job: Job) -> HttpResponse | None:
    """The page that checks and opens the study, if the items are stored within moments."""
    if not ended_soon(job) or job.state != JobState.DONE:
        return None
    file = ImportFile.objects.defer("rows").get(pk=job.params["file"])
    added, changed = file.stored or 0, file.updated or 0
    if added or not changed:
        messages.success(request, items_added(added, file.name, access.study))
    if changed:
        sentence = ngettext("%(number)s item changed.", "%(number)s items changed.", changed)
        messages.success(request, sentence % {"number": f"{changed:,}"})
    if access.study.state != StudyState.DRAFT:
        return redirect("study-items", slug=access.slug)
    has_form = access.study.forms.exists()
    return redirect("study-open" if has_form else "study-form-new", slug=access.slug)


def _posted(file: ImportFile, posted: QueryDict, uses: Uses) -> dict[str, str]:
    """The mapping that a page sent; stored for the table of problems."""
    mapping, known = {}, {use for use, _ in uses}
    for index, column in enumerate(file.columns):
        use = posted.get(f"use-{index}", "")
        name = posted.get(f"name-{index}", "").strip() or column.removeprefix("meta.")
        mapping[column] = f"{use}{name}" if use in {TEXT, META} else use if use in known else ""
    if "numbered" in posted and ITEM not in mapping.values():
        mapping[ROW_NUMBERS] = ITEM
    set_columns(file=file, mapping=mapping)
    return mapping


def _row(
    place: int, column: str, mapping: dict[str, str], rows: list[tuple[int, Any]], uses: Uses
) -> dict[str, Any]:
    use = mapping.get(column, "")
    known = use in {value for value, _ in uses}
    kind = use if known else next((kind for kind in (TEXT, META) if use.startswith(kind)), "")
    return {
        "place": place,
        "column": column,
        "values": sample_values(column, rows, most=SHOWN_VALUES, longest=LONGEST_SHOWN),
        "kind": kind,
        "name": use.removeprefix(TEXT).removeprefix(META) if kind in {TEXT, META} else "",
    }
