"""Each outcome goes back to the platform with its own code, and without one with no other's."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.models import AuditEntry, Invitation, Rater, Study
from annotation.selectors.studies.exports import TABLES
from annotation.services.people.invitations import invite
from annotation.services.quality.checks import create_check
from annotation.services.quality.exclusions import exclude_rater, lift_exclusion
from annotation.services.rating.withdrawal import withdraw
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast
from tests.views.people.platform_visits import PROLIFIC, come, link

pytestmark = pytest.mark.django_db
CODES: dict[str, Any] = {
    "completion_code": "DONE1",
    "screenout_code": "OUT1",
    "no_consent_code": "NO1",
    "failed_checks_code": "FAIL1",
    "failed_checks_from": 1,
}
SHOWN = ("DONE1", "OUT1", "NO1", "FAIL1")


def codes_in(page: str) -> list[str]:
    return [code for code in SHOWN if code in page]


def outcomes(cast: Cast) -> dict[str, str]:
    _, rows = TABLES["raters"](cast.study)
    return {row["rater"]: row["outcome"] for row in rows}


@pytest.fixture
def checked() -> Cast:
    """Two items, and after them a page that says what to choose."""
    cast = make_cast(items=2, overlap=4, opened=False)
    Study.objects.filter(pk=cast.study.pk).update(check_every=2)
    create_check(
        study=cast.study,
        actor=cast.users["owner"],
        key="told",
        kind=CheckKind.INSTRUCTED,
        form=cast.study.forms.get(),
        settings={"told": {"quality": 4}},
        texts={"simile": "Choose 4 for quality."},
    )
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    return cast


def answer(browser: Client, page: Any, *, quality: int = 3) -> None:
    sent = {name: page.context[name] for name in ("submission_key", "version", "assignment", "seen_revision")}
    browser.post(page.context["action"], sent | {"answer-quality": quality, "answer-creativity": 3})


def rate_all(browser: Client, cast: Cast, *, quality: int) -> str:
    for _ in range(3):
        answer(browser, browser.get(reverse("rate", args=[cast.slug]), follow=True), quality=quality)
    return browser.get(reverse("rate", args=[cast.slug])).content.decode()


@pytest.mark.parametrize(
    ("quality", "code", "outcome"), [(4, "DONE1", "finished"), (2, "FAIL1", "failed_checks")]
)
def test_failed_checks_have_a_code_of_their_own(checked, quality, code, outcome):
    invitation = link(checked, Platform.PROLIFIC, **CODES)
    browser, _ = come(invitation, PROLIFIC)
    page = rate_all(browser, checked, quality=quality)
    assert codes_in(page) == [code]
    assert ("answered too many of them incorrectly" in page) == (outcome == "failed_checks")
    assert outcomes(checked)[Rater.objects.get(came_by=invitation).code] == outcome


def test_without_its_code_an_outcome_shows_no_other(checked):
    invitation = link(checked, Platform.PROLIFIC, **{**CODES, "failed_checks_code": ""})
    browser, _ = come(invitation, PROLIFIC)
    page = rate_all(browser, checked, quality=2)
    assert codes_in(page) == []
    assert "Please return the task on Prolific" in page


def test_finished_work_without_a_code_is_not_returned(checked):
    browser, _ = come(link(checked, Platform.PROLIFIC, screenout_code="OUT1"), PROLIFIC)
    page = rate_all(browser, checked, quality=4)
    assert (codes_in(page), "Please return" in page) == ([], False)
    assert "All answers that we have received are saved. If Prolific asks for a code" in page


def test_mechanical_turk_is_sent_the_outcome_with_the_work(checked):
    invitation = link(checked, Platform.MTURK, failed_checks_from=1)
    work = {"workerId": "A1", "hitId": "H1", "assignmentId": "S1", "turkSubmitTo": "https://www.mturk.com"}
    browser, _ = come(invitation, work)
    assert 'name="outcome" value="failed_checks"' in rate_all(browser, checked, quality=2)


def test_a_leaver_goes_back_as_one_who_does_not_agree(checked):
    invitation = link(checked, Platform.PROLIFIC, **CODES)
    browser, _ = come(invitation, PROLIFIC)
    rater = Rater.objects.get(came_by=invitation)
    withdraw(rater=rater)
    assert codes_in(browser.get(reverse("rate", args=[checked.slug])).content.decode()) == ["NO1"]
    assert outcomes(checked)[rater.code] == "no_consent"


def test_a_closed_study_sends_a_known_rater_back_by_what_they_did(checked):
    invitation = link(checked, Platform.PROLIFIC, **CODES)
    browser, _ = come(invitation, PROLIFIC)
    rate_all(browser, checked, quality=4)
    change_state(study=checked.study, to=StudyState.CLOSED, actor=checked.users["owner"])
    _, late = come(invitation, {**PROLIFIC, "PROLIFIC_PID": "late"})
    _, back = come(invitation, PROLIFIC, browser)
    assert [codes_in(page.content.decode()) for page in (back, late)] == [["DONE1"], ["OUT1"]]


@pytest.mark.parametrize(
    ("quality", "code", "outcome"), [(4, "OUT1", "screened_out"), (2, "FAIL1", "failed_checks")]
)
def test_a_closed_study_never_sends_an_excluded_rater_back_as_finished(checked, quality, code, outcome):
    invitation = link(checked, Platform.PROLIFIC, **CODES)
    browser, _ = come(invitation, PROLIFIC)
    rate_all(browser, checked, quality=quality)
    rater = Rater.objects.get(came_by=invitation)
    excluded = exclude_rater(rater=rater, actor=checked.users["owner"], reason="Random answers")
    change_state(study=checked.study, to=StudyState.CLOSED, actor=checked.users["owner"])
    _, back = come(invitation, PROLIFIC, browser)
    assert (codes_in(back.content.decode()), outcomes(checked)[rater.code]) == ([code], outcome)
    lift_exclusion(exclusion=excluded, actor=checked.users["owner"], reason="A mistake")
    assert (outcomes(checked)[rater.code] == "finished") == (outcome == "screened_out")


def test_a_link_that_is_opened_later_changes_no_outcome(checked):
    first = link(checked, Platform.PROLIFIC, **CODES)
    later = link(
        checked,
        Platform.PROLIFIC,
        completion_code="SECOND1",
        failed_checks_code="SECOND2",
        failed_checks_from=9,
    )
    browser, _ = come(first, PROLIFIC)
    rate_all(browser, checked, quality=2)
    come(later, PROLIFIC, browser)
    page = browser.get(reverse("rate", args=[checked.slug])).content.decode()
    assert outcomes(checked)[Rater.objects.get(came_by=first).code] == "failed_checks"
    assert ("SECOND1" in page, "SECOND2" in page, codes_in(page)) == (False, True, [])


def test_a_paused_study_pays_no_rater_who_is_still_at_work(checked):
    invitation = link(checked, Platform.PROLIFIC, **CODES)
    browser, _ = come(invitation, PROLIFIC)
    change_state(study=checked.study, to=StudyState.PAUSED, actor=checked.users["owner"])
    _, back = come(invitation, PROLIFIC, browser)
    assert (back.status_code, codes_in(back.content.decode())) == (409, [])


@pytest.mark.parametrize(
    ("language", "heading", "again"),
    [
        ("en", "No items right now", "Check again"),
        ("zh-hans", "目前没有可评分的条目", "再次查看"),
        ("ja", "現在、評価できるアイテムはありません", "もう一度確認する"),
    ],
)
def test_no_code_is_shown_while_others_hold_what_is_left(language, heading, again):
    cast = make_cast(items=2, overlap=1)
    invitation = link(cast, Platform.PROLIFIC, **CODES)
    browser, _ = come(invitation, PROLIFIC)
    browser.cookies["django_language"] = language
    other, _ = come(invitation, {**PROLIFIC, "PROLIFIC_PID": "other"})
    shown, held = (one.get(reverse("rate", args=[cast.slug]), follow=True) for one in (browser, other))
    answer(browser, shown)
    page = browser.get(reverse("rate", args=[cast.slug])).content.decode()
    assert codes_in(page) == []
    assert f"<h1>{heading}</h1>" in page
    assert "60" in page
    assert f'href="{reverse("rate", args=[cast.slug])}">{again}</a>' in page
    assert set(outcomes(cast).values()) == {""}
    answer(other, held)
    assert codes_in(browser.get(reverse("rate", args=[cast.slug])).content.decode()) == ["DONE1"]


def test_a_return_address_that_needs_a_code_leads_nowhere_without_one(checked):
    ways = {"person_param": "w", "screenout_url": "https://crowd.example/end?cc={code}"}
    invitation = link(checked, Platform.OTHER, cap=0, **ways)
    _, refused = come(invitation, {"w": "one"})
    assert "crowd.example" not in refused.content.decode()


@pytest.mark.parametrize(
    ("ways", "code"),
    [
        ({"completion_code": "C1", "screenout_code": "c1 "}, "duplicate_code"),
        ({"failed_checks_code": "F1"}, "no_failed_checks_number"),
    ],
)
def test_codes_that_do_not_distinguish_outcomes_are_refused(checked, ways, code):
    with pytest.raises(InvalidContent) as caught:
        link(checked, Platform.PROLIFIC, **ways)
    assert caught.value.code == code
    sent = {"platform": "prolific", **ways}
    answer = checked.client("admin").post(f"{checked.base}/invitations/", sent, format="json")
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert not Invitation.objects.filter(platform="prolific").exists()


def test_the_settings_page_makes_a_link_with_four_codes_and_the_log_names_none_of_them(checked):
    admin = Client()
    admin.force_login(checked.users["admin"])
    admin.post(reverse("study-links", args=[checked.slug]), {"kind": "prolific", "label": "W", **CODES})
    made = Invitation.objects.get(label="W")
    assert {name: getattr(made, name) for name in CODES} == CODES
    detail = AuditEntry.objects.filter(act="invite").latest("pk").detail
    assert detail["codes"] == ["finished", "screened_out", "no_consent", "failed_checks"]
    assert not codes_in(str(detail))


def test_the_api_lists_the_outcome_of_each_rater(checked):
    invitation = invite(
        study=checked.study, actor=checked.users["admin"], platform=Platform.PROLIFIC, **CODES
    )
    browser, _ = come(invitation, PROLIFIC)
    listed = lambda: checked.client("researcher").get(f"{checked.base}/raters/").json()["results"]  # noqa: E731
    assert {one["outcome"] for one in listed()} == {""}
    rate_all(browser, checked, quality=4)
    assert "finished" in {one["outcome"] for one in listed()}
