"""A pilot is pooled with its main study by a declared, logged and reversible decision."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.states import Role, StudyState
from annotation.models import (
    AuditEntry,
    Exclusion,
    FormVersion,
    Item,
    Membership,
    PilotMatch,
    Rater,
    Study,
    User,
)
from annotation.selectors.questions.counting import submitted
from annotation.selectors.questions.long_table import long_ratings, ratings_frame
from annotation.selectors.questions.pilots.sources import sources_of
from annotation.selectors.studies.progress import totals
from annotation.services.items.draft_items import delete_item
from annotation.services.people.retention import erase_expired, set_retention
from annotation.services.studies.deletion import _admit_raters, request_deletion
from annotation.services.studies.lifecycle import change_state
from annotation.services.studies.pilots.main_study import MainItems, create_main_study
from annotation.services.studies.pilots.pilot_pooling import pool_pilot, separate_pilot
from scoring.models import Report
from scoring.selectors.data.staleness import is_stale
from scoring.selectors.reports.methods import methods_paragraph
from scoring.selectors.reports.study_facts import facts_of
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import quick, unpacked
from tests.services.questions.rewording import rate, reword
from tests.services.studies.pilots.two_studies import ITEMS, WHY, again, came_from_prolific, pooled
from tests.support.people import Cast
from tests.views.questions.form_pages import client_of

pytestmark = pytest.mark.django_db


def places(rows: Any) -> set[tuple[str, str, str]]:
    return {(row["study"], row["rater"], row["item"]) for row in rows}


def by_hand(cast: Cast, main: Study) -> set[tuple[str, str, str]]:
    """Every answer of both studies, read one by one, under the names that it has when both are pooled."""
    return {
        (study.slug, f"{before}{one.assignment.rater.code}", one.assignment.item.key)
        for study, before in ((main, ""), (cast.study, f"{cast.slug}:"))
        for one in submitted(study).select_related("assignment__rater", "assignment__item")
    }


def test_pooled_the_answers_of_both_count_and_separated_those_of_the_main_study_alone(cast, main):
    owner = cast.users["owner"]
    alone = list(long_ratings(main))
    assert {row["study"] for row in alone} == {"main"}
    main = pooled(main, owner)
    rows = list(long_ratings(main))
    assert places(rows) == by_hand(cast, main)
    # Two people have the code R-11, one in each study.
    assert len(ratings_frame(main).groupby("rater")) == 4
    assert [row["item"] for row in rows] == sorted(row["item"] for row in rows)
    assert {row["form_version"] for row in rows} == {1}
    assert list(long_ratings(cast.study)) == [
        row for row in long_ratings(cast.study) if row["study"] == cast.slug
    ]
    assert totals(main).saved == 6
    separate_pilot(study=main, reason="On reflection, not.", actor=owner)
    assert list(long_ratings(again(main))) == alone


def test_what_the_pilot_excludes_and_an_item_that_the_main_study_excludes_do_not_count(cast, main):
    Exclusion.objects.create(study=cast.study, rater=cast.study.raters.get(code="R-12"), reason="Fast.")
    Exclusion.objects.create(study=main, item=main.items.get(key="L02"), reason="Typo.")
    rows = [row for row in long_ratings(pooled(main, cast.users["owner"])) if not row["excluded"]]
    assert {(row["rater"], row["item"]) for row in rows if row["study"] == cast.slug} == {
        (f"{cast.slug}:R-11", key) for key in ("L00", "L01", "L03")
    }


def test_a_person_who_rates_in_both_is_one_rater_and_answers_an_item_once(cast, main):
    for study in (cast.study, main):
        came_from_prolific(study.raters.get(code="R-11"))
    rows = list(long_ratings(pooled(main, cast.users["owner"])))
    own = [row for row in rows if row["rater"] == "R-11"]
    assert {(row["study"], row["item"]) for row in own} == {
        (cast.slug, "L00"), *(("main", key) for key in ITEMS[1:])
    }  # fmt: skip
    assert {row["rater"] for row in rows} == {"R-11", "R-22", f"{cast.slug}:R-12"}


def test_a_rater_that_the_main_study_excludes_is_excluded_with_the_answers_to_the_pilot(cast, main):
    for study in (cast.study, main):
        came_from_prolific(study.raters.get(code="R-11"))
    Exclusion.objects.create(study=main, rater=main.raters.get(code="R-11"), reason="Too fast.")
    main = pooled(main, cast.users["owner"])
    rows = list(long_ratings(main))
    assert {row["study"] for row in rows if row["rater"] == "R-11"} == {"main", cast.slug}
    assert {row["excluded"] for row in rows if row["rater"] == "R-11"} == {True}
    source = sources_of(main)[1]
    assert set(source.responses.filter(source.counts).values_list("assignment__rater__code", flat=True)) == {
        "R-12"
    }


def test_two_raters_of_the_pilot_who_are_one_person_answer_an_item_once(cast, main):
    """One of them is known by account, the other by platform ID."""
    own = main.raters.get(code="R-22")
    came_from_prolific(own)
    came_from_prolific(cast.study.raters.get(code="R-11"))
    Rater.objects.filter(pk=own.pk).update(user=cast.users["owner"])
    Rater.objects.filter(study=cast.study, code="R-12").update(user=cast.users["owner"])
    rows = [row for row in long_ratings(pooled(main, cast.users["owner"])) if row["rater"] == "R-22"]
    answered = [(row["item"], row["form"], row["criterion"]) for row in rows]
    assert sorted(set(answered)) == sorted(answered)
    assert {row["item"] for row in rows} == {"L00", "L01", "L02", "L03"}


def test_another_wording_of_the_pilot_stays_out(cast, main):
    newer = reword(cast.study, cast.users["owner"], "How apt?", correction=False)
    rate(cast.study, "R-13", ITEMS, newer)
    rows = list(long_ratings(pooled(main, cast.users["owner"])))
    assert f"{cast.slug}:R-13" not in {row["rater"] for row in rows}
    assert f"{cast.slug}:R-12" in {row["rater"] for row in rows}


def refused(study: Study, actor: User, reason: str = WHY) -> str:
    with pytest.raises(GroundworkError) as refusal:
        pool_pilot(study=study, reason=reason, actor=actor)
    return refusal.value.code


def test_it_is_refused_with_the_reason(cast, main):
    owner = cast.users["owner"]
    assert refused(main, owner, " ") == "reason_needed"
    assert refused(cast.study, owner) == "no_pilot"
    assert refused(main, cast.users["researcher"]) == "pilot_not_managed"
    stranger = cast.users["stranger"]
    Membership.objects.create(study=main, user=stranger, role=Role.OWNER)
    assert refused(main, stranger) == "pilot_not_managed"
    Study.objects.filter(pk=cast.study.pk).update(identified=False)
    assert refused(main, owner) == "raters_differ"
    Study.objects.filter(pk=cast.study.pk).update(identified=True)
    item = Item.objects.get(study=cast.study, key="L03")
    Item.objects.filter(pk=item.pk).update(fields={**item.fields, "other": "Words."})
    with pytest.raises(GroundworkError, match="L03") as differ:
        pool_pilot(study=main, reason=WHY, actor=owner)
    assert differ.value.code == "texts_differ"
    main.forms.get().versions.update(question="Other words?")
    Item.objects.filter(pk=item.pk).update(fields=item.fields)
    assert refused(main, owner) == "no_same_version"
    assert not AuditEntry.objects.filter(act="pool_pilot").exists()


def test_the_decision_is_in_both_logs_and_makes_reports_outdated_as_does_an_answer_in_the_pilot(cast, main):
    owner = cast.users["owner"]
    report = compute_report(lease=quick(request_report(study=main, actor=None, announce=False)))
    assert not is_stale(again(main), report)
    main = pooled(main, owner)
    assert is_stale(main, report)
    assert AuditEntry.objects.get(study=main, act="pool_pilot").detail == {"pilot": cast.slug, "reason": WHY}
    assert AuditEntry.objects.get(study=cast.study, act="pooled_in_main").detail["main_study"] == "main"
    assert refused(main, owner) == "pilot_pooled"
    report = compute_report(lease=quick(request_report(study=main, actor=None, announce=False)))
    assert (report.data["n_responses"], report.data["n_raters"], report.data["n_items"]) == (12, 4, 4)
    assert not is_stale(main, report)
    rate(cast.study, "R-14", ["L05"], cast.study.forms.get().versions.get())
    assert is_stale(main, report)


def reported(main: Study) -> Report:
    return compute_report(lease=quick(request_report(study=main, actor=None, announce=False)))


def test_reports_stay_up_to_date_when_ids_are_erased_and_are_outdated_when_another_person_rates_in_both(
    cast, main
):
    owner = cast.users["owner"]
    for study in (cast.study, main):
        came_from_prolific(study.raters.get(code="R-11"))
    main = pooled(main, owner)
    report = reported(main)
    assert (report.data["n_responses"], is_stale(main, report)) == (9, False)
    set_retention(study=cast.study, actor=owner, periods={"keep_ids_days": 0})
    change_state(study=cast.study, to=StudyState.CLOSED, actor=None)
    assert erase_expired(study=cast.study, now=timezone.now() + timedelta(days=1))
    assert not is_stale(main, report)
    assert reported(main).data["n_responses"] == 9
    PilotMatch.objects.create(
        rater=cast.study.raters.get(code="R-12"), main_rater=main.raters.get(code="R-22")
    )
    assert is_stale(main, report)


@pytest.mark.parametrize(
    "change",
    [
        lambda main, owner: reword(main, owner, "How apt is it?", correction=False),
        lambda main, owner: delete_item(item=main.items.get(key="L00"), actor=owner),
    ],
)
def test_reports_are_outdated_when_a_draft_without_answers_changes(cast, change):
    given: dict[str, Any] = {"items": MainItems.ALL, "refuse_raters": True, "with_pay": False}
    owner = cast.users["owner"]
    made = create_main_study(pilot=cast.study, slug="main", title="Main", owner=owner, **given).study
    main = pooled(again(made), owner)
    report = reported(main)
    assert (report.data["n_responses"], is_stale(main, report)) == (6, False)
    n_rows = len(list(long_ratings(main)))
    change(main, owner)
    assert len(list(long_ratings(main))) < n_rows
    assert is_stale(main, report)


def test_the_methods_paragraph_and_the_bundle_say_it_and_the_program_recomputes_it(
    cast, main, tmp_path: Path
):
    main = pooled(main, cast.users["owner"], f"{cast.users['owner'].email} saw that “nothing” changed.")
    compute_report(lease=quick(request_report(study=main, actor=None, announce=False)))
    text = methods_paragraph(main, facts_of(main, {}, with_pay=False))
    assert "We collected 12 responses about 6 items" in text
    assert "12 responses about 4 items from 4 raters" in text
    assert f"A pilot study, “{cast.study.title}”, came before; 6 responses in it" in text
    facts = replace(
        facts_of(main, {}, with_pay=False), checks=4, checks_passed=3, page_seconds=12.0, withdrawn=1
    )
    of_this_study = methods_paragraph(main, facts)
    for sentence in (
        "Of 4 attention checks with a verdict in this study raters passed 75.0%.",
        "Raters of this study took 12 s for the median page.",
        "1 rater withdrew from this study.",
    ):
        assert sentence in of_this_study
    separate = methods_paragraph(main, replace(facts, pilot_pooled_at=None))
    assert "with a verdict raters passed 75.0%. Raters took 12 s" in separate
    folder = unpacked(main, tmp_path)
    status, printed = recompute(folder)
    assert status == 0, printed
    named = json.loads((folder / "study.json").read_text())["pilot"]
    assert (named["responses"], named["n_responses"]) == ("pooled", 6)
    assert cast.users["owner"].email not in (folder / "methods.md").read_text() + json.dumps(named)
    with (folder / "data/ratings.csv").open(encoding="utf-8", newline="") as file:
        assert {row["study"] for row in csv.DictReader(file)} == {"main", cast.slug}
    changed = (folder / "methods.md").read_text().replace("; 6 responses in it", "; 7 responses in it")
    (folder / "methods.md").write_text(changed)
    status, printed = recompute(folder)
    assert status != 0
    assert "responses in the pilot" in printed


def test_a_pilot_is_not_deleted_while_it_is_pooled_nor_pooled_while_it_is_deleted(cast, main):
    owner = cast.users["owner"]
    change_state(study=cast.study, to=StudyState.CLOSED, actor=None)
    main = pooled(main, owner)
    with pytest.raises(GroundworkError) as refusal:
        request_deletion(study=cast.study, title=cast.study.title, actor=owner)
    assert refusal.value.code == "pilot_pooled"
    page = reverse("study-delete", args=[cast.slug])
    assert "refuses the raters of this study" in client_of(owner).get(page).content.decode()
    separate_pilot(study=main, reason="The pilot goes.", actor=owner)
    request_deletion(study=cast.study, title=cast.study.title, actor=owner)
    assert refused(again(main), owner) == "pilot_leaves"


def test_when_the_pilot_is_gone_the_main_study_no_longer_says_that_it_refuses_its_raters(cast, main):
    _admit_raters(cast.study)
    assert not again(main).refuse_pilot_raters
    assert AuditEntry.objects.get(study=main, act="lose_pilot").detail == {"pilot": cast.slug}


def test_an_admin_of_both_declares_it_on_the_page_which_says_what_fits(cast, main):
    admin = cast.users["admin"]
    Membership.objects.create(study=main, user=admin, role=Role.ADMIN)
    client, page = client_of(admin), reverse("study-settings", args=["main"])
    shown = client.get(page).content.decode()
    assert "no statistic of this study uses them" in shown
    sent = reverse("study-pilot-pooling", args=["main"])
    shown = client.post(sent, {"act": "pool", "reason": WHY}, follow=True).content.decode()
    assert "Pilot pooled." in shown
    assert WHY in shown
    assert client.get(reverse("api_pilot", args=["main"])).json()["responses"] == "pooled"
    shown = client.post(sent, {"act": "separate", "reason": "No."}, follow=True).content.decode()
    assert "Pilot separated." in shown


def test_pooling_that_fits_nothing_is_not_offered_and_warns_where_it_is_declared(cast, main):
    client = client_of(cast.users["owner"])
    settings, overview = (reverse(name, args=["main"]) for name in ("study-settings", "study"))
    assert "Pool with the pilot" in client.get(settings).content.decode()
    pooled(main, cast.users["owner"])
    assert "no response of the pilot fits" not in client.get(overview).content.decode()
    FormVersion.objects.filter(form__study=main).update(question="Another one?")
    assert "no response of the pilot fits" in client.get(overview).content.decode()
    shown = client.get(settings).content.decode()
    assert "No response of the pilot fits." in shown
    assert "Analyse separately from the pilot" in shown
    separate_pilot(study=main, reason=WHY, actor=cast.users["owner"])
    shown = client.get(settings).content.decode()
    assert "is in this study word for word" in shown
    assert "Pool with the pilot" not in shown
