"""Progress, exports, statistics and pages agree on which responses count."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.plugin import DjangoDbBlocker

from annotation.domain.questions.kinds.text import TEXT
from annotation.models import (
    FormVersion,
    Response,
    Study,
)
from annotation.selectors.items.of_study import add_responses, items_of
from annotation.selectors.pay.workload_preview import disputed_items
from annotation.selectors.questions.counting import (
    ON_SCALES,
    PROGRESS,
    Counting,
    count_of_earlier_versions,
    counted,
    counted_in_steps,
)
from annotation.selectors.questions.long_table import long_ratings, ratings_frame
from annotation.selectors.rating.annotations import annotations_in
from annotation.selectors.studies.progress import coverage, totals
from scoring.selectors.data.answers import active_exclusions, study_answers
from scoring.selectors.raters.rater_list import compare_raters
from scoring.selectors.similes.item_page import responses_to
from scoring.selectors.similes.score_pages import human_means
from scoring.services.data.counting import select_ratings
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import unpacked
from tests.support.people import Cast
from tests.support.running.tables import rows_of_a_module
from tests.support.studies.counting_study import Pairs, expected, make_counting_cast
from tests.support.studies.disagreement_study import _lease

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def cast_of_the_module(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cast]:
    with rows_of_a_module(django_db_blocker):
        yield make_counting_cast()


@pytest.fixture
def cast(cast_of_the_module: Cast, db: None) -> Cast:
    return copy.deepcopy(cast_of_the_module)


def pairs(responses: Any) -> Pairs:
    return Counter(responses.values_list("assignment__rater__code", "assignment__item__key"))


def frame_pairs(frame: Any) -> Pairs:
    return Counter(set(zip(frame["rater"], frame["item"], strict=True)))


def set_late(study: Study, late: bool) -> None:
    Study.objects.filter(pk=study.pk).update(include_late=late)
    study.refresh_from_db()


@pytest.mark.parametrize("late", [False, True])
def test_every_statistic_uses_the_newest_version_with_a_response_that_counts(cast, late):
    study = cast.study
    set_late(study, late)
    wanted = expected(late=late, versions=(2,))
    assert pairs(counted(study, Counting.in_statistics(study))) == wanted
    on_scales = Counting.in_statistics(study, yields=ON_SCALES)
    assert pairs(counted(study, on_scales)) == pairs(counted_in_steps(study, on_scales)) == wanted
    selected, data = select_ratings(study, ratings_frame(study), pool_versions=False)
    assert frame_pairs(selected) == wanted
    assert data["n_responses"] == wanted.total()
    found = study_answers(study)
    out = active_exclusions(study, found)
    answers = found.answers
    gone = out.items[answers.item] | out.raters[answers.rater] | out.responses
    codes, keys = answers.rater_labels[answers.rater[~gone]], answers.item_labels[answers.item[~gone]]
    assert Counter(zip(codes, keys, strict=True)) == wanted
    answered: list[Any] = [one for item in study.items.all() for one in responses_to(study, item)]
    shown = [one for one in answered if one.counts]
    assert Counter((one.assignment.rater.code, one.assignment.item.key) for one in shown) == wanted


def test_the_overview_says_how_many_responses_statistics_leave_out_for_a_newer_version(cast, client):
    study = cast.study
    older = expected(late=False).total() - expected(late=False, versions=(2,)).total()
    assert count_of_earlier_versions(study) == older > 0
    client.force_login(cast.users["owner"])
    page = client.get(reverse("study", args=[study.slug])).content.decode()
    assert f"{older} included responses answer an earlier version of a form." in " ".join(page.split())
    FormVersion.objects.filter(form__study=study).update(pool=1)
    assert count_of_earlier_versions(study) == 0


@pytest.mark.parametrize("late", [False, True])
def test_pages_about_ratings_use_what_the_statistics_use(cast, late):
    study = cast.study
    set_late(study, late)
    rated = expected(late=late, versions=(2,)) - Counter({("R-D", "L01"): 1})
    per_item = Counter(item for _, item in rated)
    assert {one.key: one.n for one in disputed_items(study, "quality")} == dict(per_item)
    assert set(human_means(study, list(study.items.all()))) == {
        study.items.get(key=key).pk for key in per_item
    }
    both = compare_raters(study, study.raters.get(code="R-C"), study.raters.get(code="R-D"))
    of_c, of_d = ({item for rater, item in rated if rater == code} for code in ("R-C", "R-D"))
    shared = of_c & of_d
    assert {one["n"] for one in both["criteria"]} == {len(shared)}


@pytest.mark.parametrize("late", [False, True])
def test_pooled_versions_count_together_in_reports_and_exports(cast, late):
    study = cast.study
    set_late(study, late)
    wanted = expected(late=late)
    assert pairs(counted(study, Counting.in_statistics(study, pooled=True))) == wanted
    selected, _ = select_ratings(study, ratings_frame(study), pool_versions=True)
    assert frame_pairs(selected) == wanted
    rows = [row for row in long_ratings(study) if not row["excluded"] and (late or not row["late"])]
    assert Counter({(row["rater"], row["item"]): 1 for row in rows}) == wanted


@pytest.mark.parametrize("late", [False, True])
def test_a_late_response_never_fills_the_number_of_ratings_an_item_needs(cast, late):
    study = cast.study
    set_late(study, late)
    wanted = expected(late=False)
    assert pairs(counted(study, PROGRESS)) == wanted
    per_item = Counter(item for _, item in wanted)
    listed: list[Any] = list(items_of(study=study))
    add_responses(study, listed)
    assert {item.key: item.n_responses for item in listed} == {
        item.key: per_item[item.key] for item in study.items.all()
    }
    covers = [cover for form in coverage(study) for cover in form.covers]
    assert sum(cover.responses * cover.items for cover in covers) == wanted.total()
    assert totals(study).saved == wanted.total()
    client = Client()
    client.force_login(cast.users["owner"])
    page = client.get(reverse("study-items", args=[study.slug]))
    assert {item.key: item.n_responses for item in page.context["items"]} == {
        item.key: per_item[item.key] for item in study.items.all()
    }


def test_adjudicators_see_late_responses_and_every_version(cast):
    assert pairs(annotations_in(cast.study)) == expected(late=True)


def test_a_rule_that_is_ignored_takes_nothing_out(cast):
    study = cast.study
    rule = study.exclusion_rules.get()
    without = Counting(late=False, pooled=True, without_rule=rule.pk)
    fast = Counter({("R-F", "L00"): 1})
    assert pairs(counted(study, without)) - pairs(counted(study, PROGRESS)) == fast


@pytest.mark.parametrize("late", [False, True])
def test_the_report_and_the_program_in_the_bundle_count_the_same(cast, late, tmp_path: Path):
    study = cast.study
    set_late(study, late)
    report = compute_report(
        lease=_lease(request_report(study=study, actor=None, replicates=50, announce=False).pk)
    )
    wanted = counted(study, Counting.in_statistics(study, yields=ON_SCALES))
    assert report.data["n_responses"] == wanted.count()
    assert report.data["n_raters"] == wanted.values("assignment__rater").distinct().count()
    assert report.data["n_items"] == wanted.values("assignment__item").distinct().count()
    status, printed = recompute(unpacked(study, tmp_path))
    assert status == 0, printed


def test_a_newer_version_without_a_question_of_a_kind_hides_no_older_answers_of_that_kind(cast):
    """Version 2 asks nothing on a scale: statistics of scales go on with version 1."""
    study = cast.study
    second = FormVersion.objects.get(form__study=study, number=2)
    for response in Response.objects.filter(version=second):
        response.ratings.all().delete()
    second.criteria.update(kind=TEXT.key, minimum=None, maximum=None)
    for response in Response.objects.filter(version=second, cannot_rate=""):
        for criterion in second.criteria.all():
            response.ratings.create(criterion=criterion, answer="words")
    older = expected(late=False, versions=(1,))
    on_scales = Counting.in_statistics(study, yields=ON_SCALES)
    assert pairs(counted(study, on_scales)) == pairs(counted_in_steps(study, on_scales)) == older
    assert pairs(counted(study, Counting.in_statistics(study))) == expected(late=False, versions=(2,))
    found = study_answers(study)
    out = active_exclusions(study, found)
    gone = out.items[found.answers.item] | out.raters[found.answers.rater] | out.responses
    assert (~gone).sum() == older.total()
