"""Versions are pooled and separated later by a declared, logged and reversible decision."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.models import AuditEntry, FormVersion, Study
from annotation.selectors.questions.counting import Counting, counted
from annotation.selectors.studies.definition import form_as_document
from annotation.services.studies.form_editing import change_form, newest_version
from annotation.services.studies.version_pooling import pool_with_previous, separate_from_previous
from scoring.selectors.data.staleness import is_stale
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import quick, unpacked
from tests.services.questions.rewording import rate, reword
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
ITEMS = ["L00", "L01", "L02", "L03"]


@pytest.fixture
def cast() -> Cast:
    """Version 1, its correction 1.1 and version 2, each answered by one rater more."""
    cast = make_cast()
    study, owner = cast.study, cast.users["owner"]
    rate(study, "R-11", ITEMS, study.forms.get().versions.get())
    rate(study, "R-12", ITEMS, reword(study, owner, "How good?", correction=True))
    rate(study, "R-13", ITEMS[:3], reword(study, owner, "How apt?", correction=False))
    return cast


def version(study: Study, number: int, correction: int = 0) -> FormVersion:
    return FormVersion.objects.get(form__study=study, number=number, correction=correction)


def used(study: Study) -> int:
    return counted(study, Counting.in_statistics(study)).count()


def pools(study: Study) -> list[int]:
    return list(FormVersion.objects.filter(form__study=study).values_list("pool", flat=True))


def test_pooled_later_all_answers_count_and_undone_the_newest_alone(cast):
    study, owner = cast.study, cast.users["owner"]
    before = pools(study)
    assert used(study) == 3
    pool_with_previous(version=version(study, 2), reason="Same meaning.", actor=owner)
    assert used(study) == 11
    separate_from_previous(version=version(study, 2), reason="On reflection, not.", actor=owner)
    assert (used(study), pools(study)) == (3, before)


def test_a_correction_declared_a_new_version_leaves_with_what_was_pooled_with_it(cast):
    study, owner = cast.study, cast.users["owner"]
    pool_with_previous(version=version(study, 2), reason="Same meaning.", actor=owner)
    separate_from_previous(version=version(study, 1, 1), reason="It was no typo.", actor=owner)
    assert used(study) == 7
    assert version(study, 1, 1).label == "1.1"


def test_the_decision_is_in_the_audit_log_with_its_reason(cast):
    study, owner = cast.study, cast.users["owner"]
    pool_with_previous(version=version(study, 2), reason="Same meaning.", actor=owner)
    entry = AuditEntry.objects.get(study=study, act="pool_versions")
    assert entry.actor == owner
    assert entry.detail == {"form": "similes", "version": "2", "previous": "1.1", "reason": "Same meaning."}


def test_without_a_reason_nothing_is_pooled(cast):
    with pytest.raises(InvalidContent) as refusal:
        pool_with_previous(version=version(cast.study, 2), reason=" ", actor=cast.users["owner"])
    assert refusal.value.code == "reason_needed"
    assert used(cast.study) == 3


def test_versions_that_ask_something_else_are_not_pooled(cast):
    study, owner = cast.study, cast.users["owner"]
    form = study.forms.get()
    changed = {**form_as_document(newest_version(form)), "cannot_rate": False}
    change_form(form=form, document=changed, actor=owner)
    with pytest.raises(InvalidContent) as refusal:
        pool_with_previous(version=version(study, 3), reason="Same.", actor=owner)
    assert refusal.value.code == "not_a_correction"


@pytest.mark.parametrize(
    ("act", "number", "correction", "code"),
    [
        (pool_with_previous, 1, 0, "no_earlier_version"),
        (pool_with_previous, 1, 1, "already_pooled"),
        (separate_from_previous, 2, 0, "not_pooled"),
    ],
)
def test_what_is_so_already_is_refused(cast, act, number, correction, code):
    with pytest.raises(NotAllowedNow) as refusal:
        act(version=version(cast.study, number, correction), reason="?", actor=cast.users["owner"])
    assert refusal.value.code == code


def test_a_published_study_keeps_its_versions_separate(cast):
    Study.objects.filter(pk=cast.study.pk).update(source="published:hauser")
    with pytest.raises(NotAllowedNow) as refusal:
        pool_with_previous(version=version(cast.study, 2), reason="?", actor=cast.users["owner"])
    assert refusal.value.code == "published_study"


def test_a_report_is_out_of_date_after_the_decision_and_the_new_one_recomputes(cast, tmp_path: Path):
    study, owner = cast.study, cast.users["owner"]
    before = compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))
    assert not is_stale(study, before)
    pool_with_previous(version=version(study, 2), reason="Same meaning.", actor=owner)
    assert is_stale(study, before)
    after = compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))
    assert after.data["by_version"] == {"similes 1": 4, "similes 1.1": 4, "similes 2": 3}
    status, printed = recompute(unpacked(study, tmp_path))
    assert status == 0, printed
