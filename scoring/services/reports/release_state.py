"""What a release of a study would say now: its human evaluation sheet, and what reviewers will miss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Job, Study
from scoring.selectors.reports.heds.sheet import Sheet, answers_of, sheet_of, stored_sheet
from scoring.selectors.reports.study_facts import facts_of
from scoring.services.reports.bundles import ARCHIVED, current_reports, publication_of
from scoring.services.reports.release_findings import Finding, review_findings


@dataclass(frozen=True)
class ReleaseState:
    """The sheet, the findings, and the licence and authors that were declared last."""

    sheet: Sheet
    findings: tuple[Finding, ...]
    licence: str
    authors: Sequence[str]
    texts_licence: str

    @property
    def n_missing(self) -> int:
        """Findings that are missing."""
        return sum(finding.is_missing for finding in self.findings)


def release_state(study: Study, *, with_pay: bool) -> ReleaseState:
    """Collect the sheet and the findings of a study as reviewers will see them.

    Parameters
    ----------
    study : Study
        The study.
    with_pay : bool
        Whether the reader may know what raters are paid.
    """
    reports, _stale = current_reports(study)
    facts = facts_of(study, reports, with_pay=with_pay)
    sheet = sheet_of(study, facts, reports, answers_of(stored_sheet(study).answers), with_pay=with_pay)
    declared = _declared(study)
    licence, authors = declared.get("licence", ""), declared.get("authors", [])
    publication = publication_of(declared)
    found = review_findings(study, facts, list(reports.values()), sheet, publication, with_pay=with_pay)
    return ReleaseState(sheet, tuple(found), licence, authors, declared.get("texts_licence", ""))


def _declared(study: Study) -> dict[str, Any]:
    """The parameters of the newest bundle or release; empty before the first."""
    newest = Job.objects.filter(study=study, kind__in=ARCHIVED).order_by("-pk").first()
    return dict(newest.params) if newest else {}
