"""The methods paragraph and the LaTeX tables of a study for a paper."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.models import Study
from annotation.permissions import Access, Act
from annotation.views.base.page import study_page
from scoring.selectors.reports.methods import methods_paragraph
from scoring.selectors.reports.paper_tables import PaperTable, paper_tables
from scoring.selectors.reports.study_facts import facts_of
from scoring.services.reports.bundles import current_reports
from scoring.views.base.downloads import attachment
from scoring.views.base.page import page


@study_page(get=Act.READ)
def paper(request: HttpRequest, access: Access) -> HttpResponse:
    reports, stale = current_reports(access.study)
    facts = facts_of(access.study, reports, with_pay=access.may_manage)
    context = {
        **page(access, "exports"),
        "methods": methods_paragraph(access.study, facts),
        "tables": [
            table for report in reports.values() for table in paper_tables(access.study.title, report)
        ],
        "stale": sorted({report.kind for report in stale}),
    }
    return render(request, "scoring/reports/paper.html", context)


@study_page(get=Act.READ)
def table(request: HttpRequest, access: Access, name: str) -> HttpResponse:
    """One of the tables as a LaTeX file."""
    found = next((one for one in _tables(access.study) if one.name == name), None)
    if found is None:
        raise Http404("This table does not exist. Compute the report that it comes from.")
    return attachment(found.latex, "application/x-tex", f"{access.slug}-{name}.tex")


def _tables(study: Study) -> list[PaperTable]:
    reports, _ = current_reports(study)
    return [table for report in reports.values() for table in paper_tables(study.title, report)]
