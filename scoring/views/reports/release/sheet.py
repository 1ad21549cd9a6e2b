"""`/studies/<study>/sheet/`: the human evaluation sheet, filled from the study, with what members answer."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.sheet.questions import SECTIONS
from annotation.permissions import Access, Act
from annotation.services.base.audit import record_download
from annotation.services.studies.texts.evaluation_sheet import save_sheet
from annotation.views.base.page import study_page
from scoring.bundle.release.heds import sheet_json
from scoring.selectors.reports.heds.sheet import Sheet, answers_of, sheet_of, stored_sheet
from scoring.selectors.reports.study_facts import facts_of
from scoring.services.reports.bundles import current_reports
from scoring.views.base.downloads import json_attachment
from scoring.views.base.page import page

TEXT, CHOICE = "text-", "choice-"
MOST_DIGITS = 9


@study_page(get=Act.VIEW, post=Act.EDIT)
def sheet(request: HttpRequest, access: Access) -> HttpResponse:
    """The sheet, and saving all answers: `text-<place>` and `choice-<place>`, with the revision `seen`."""
    if request.method != "POST":
        stored = stored_sheet(access.study)
        return _page(request, access, stored.answers, stored.revision)
    given, seen = _given(request), request.POST.get("seen", "")
    try:
        revision = int(seen) if seen.isdecimal() and len(seen) <= MOST_DIGITS else None
        save_sheet(study=access.study, actor=access.user, answers=given, seen=revision)
    except GroundworkError as refusal:
        return _page(request, access, given, seen, refusal)
    messages.success(request, _("Answers saved."))
    return redirect("study-sheet", slug=access.slug)


@study_page(get=Act.VIEW)
def download(request: HttpRequest, access: Access) -> HttpResponse:
    """The sheet as JSON, with the contact details that members entered; written to the audit log."""
    found = filled_sheet(access, stored_sheet(access.study).answers)
    if request.method == "GET":
        record_download(study=access.study, actor=access.user, what="heds", file_format="json")
    name = f"{access.slug}-heds"
    return json_attachment(sheet_json(found, study=access.slug, title=access.study.title), name)


def filled_sheet(access: Access, answers: dict[str, dict[str, str]]) -> Sheet:
    """The sheet with these answers of members, as a member may read it."""
    reports, _stale = current_reports(access.study)
    facts = facts_of(access.study, reports, with_pay=access.may_manage)
    return sheet_of(access.study, facts, reports, answers_of(answers), with_pay=access.may_manage)


def _given(request: HttpRequest) -> dict[str, dict[str, str]]:
    given: dict[str, dict[str, str]] = {}
    for name, value in request.POST.items():
        for prefix, part in ((TEXT, "text"), (CHOICE, "choice")):
            if name.startswith(prefix):
                given.setdefault(name.removeprefix(prefix), {})[part] = str(value)
    return given


def _page(
    request: HttpRequest,
    access: Access,
    answers: dict[str, dict[str, str]],
    seen: int | str,
    refusal: GroundworkError | None = None,
) -> HttpResponse:
    found = filled_sheet(access, answers)
    context: dict[str, Any] = {
        **page(access, "sheet"),
        "sheet": found,
        "sections": [
            (
                number,
                SECTIONS[number],
                found.sections.get(number, ()),
                found.criteria if number == "4" else (),
            )
            for number in SECTIONS
        ],
        "seen": seen,
        "refusal": refusal,
    }
    status = 200 if refusal is None else 422 if refusal.fields else 409
    return render(request, "scoring/reports/release/sheet.html", context, status=status)
