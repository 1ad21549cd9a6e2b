"""Attention checks come where the seeded rule says, are judged once, and count nowhere."""

from __future__ import annotations

import contextlib
import uuid
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NoSeatLeft, NotAllowedNow
from annotation.domain.base.states import Purpose, StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Check, CheckVerdict, Item, Rater, Response, Seat, Study
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.questions.shown_options import has_options
from annotation.selectors.studies.exports import checks_table, items_table
from annotation.selectors.studies.opening_checklist import STOPS, points_for_raters
from annotation.selectors.studies.progress import totals
from annotation.services.quality.checks import create_check, create_check_form
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment, open_assignment, reserve_ahead
from annotation.services.rating.submission import submit
from annotation.services.studies.deletion import delete_draft
from annotation.services.studies.lifecycle import change_state, edit_study
from scoring.selectors.reports.study_facts import facts_of
from tests.support.people import Cast, invited, make_cast

pytestmark = pytest.mark.django_db
TEXT = {"simile": "Please choose 4 for quality here."}


@pytest.fixture
def cast() -> Cast:
    cast = make_cast(items=12, overlap=2, opened=False)
    Study.objects.filter(pk=cast.study.pk).update(check_every=4)
    return cast


def add(cast: Cast, kind: CheckKind, settings: dict[str, Any], **rest) -> Check:
    rest.setdefault("form", cast.study.forms.get())
    if kind is not CheckKind.REPEAT:
        rest.setdefault("texts", TEXT)
    key = rest.pop("key", kind.value)
    return create_check(
        study=cast.study, actor=cast.users["owner"], key=key, kind=kind, settings=settings, **rest
    )


def opened(cast: Cast) -> Study:
    return change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])


def answer(page, **values: object) -> Response:
    given = {"quality": "3", "creativity": "3"} if page.form.key == "similes" else {}
    submission = Submission(
        page_key=uuid.uuid4(), answers={**given, **{key: str(value) for key, value in values.items()}}
    )
    return submit(assignment=page, version=page.version, submission=submission).response


def walk(rater: Rater, on_check=None, on_item=None) -> list[str]:
    """Answer to the end; the purposes of the pages in the order in which they came."""
    purposes: list[str] = []
    while True:
        try:
            page = open_assignment(assignment=next_assignment(rater=rater))
        except NoSeatLeft:
            return purposes
        purposes.append(page.purpose)
        act = on_check if page.purpose == Purpose.CHECK else on_item
        answer(page, **(act(page) if act else {}))


def test_checks_come_where_the_rule_says_and_count_nowhere(cast):
    add(cast, CheckKind.INSTRUCTED, {"told": {"quality": 4}})
    add(cast, CheckKind.REPEAT, {"criteria": ["quality"], "tolerance": 1})
    study = opened(cast)
    rater = consent(invitation=cast.invitation)
    assert rater.target == 14
    purposes = walk(rater, on_check=lambda page: {"quality": 4} if page.item.planted else {})
    assert [place for place, purpose in enumerate(purposes, start=1) if purpose == "check"] == [5, 10]
    assert (totals(study).saved, len(list(long_ratings(study)))) == (12, 24)
    assert "check:" not in str([*long_ratings(study), *items_table(study)[1]])
    assert [item.planted for item in study.items.all()] == [False] * 12
    verdicts = dict(CheckVerdict.objects.values_list("assignment__check_planted__key", "passed"))
    assert verdicts == {"instructed": True, "repeat": True}


def test_a_reload_shows_the_same_page_and_the_verdict_is_of_the_first_answer(cast):
    add(cast, CheckKind.INSTRUCTED, {"told": {"quality": 4}})
    opened(cast)
    rater = consent(invitation=cast.invitation)
    for _ in range(4):
        answer(next_assignment(rater=rater))
    check = next_assignment(rater=rater)
    assert next_assignment(rater=rater) == check
    assert check.purpose == Purpose.CHECK
    answer(check, quality=2)
    answer(check, quality=4)
    verdict = CheckVerdict.objects.get()
    assert (verdict.passed, verdict.reason, verdict.chance) == (False, "not_as_told", 0.2)
    assert check.responses.count() == 2


@pytest.mark.parametrize(("given", "passed"), [(3, True), (4, True), (5, False)])
def test_gold_allows_its_tolerance(cast, given, passed):
    add(cast, CheckKind.GOLD, {"reference": {"quality": 3}, "tolerance": 1})
    opened(cast)
    walk(consent(invitation=cast.invitation), on_check=lambda _: {"quality": given})
    assert CheckVerdict.objects.get().passed is passed


def test_a_repeat_is_compared_with_the_raters_own_earlier_answer(cast):
    add(cast, CheckKind.REPEAT, {"criteria": ["quality"], "tolerance": 0})
    opened(cast)
    rater = consent(invitation=cast.invitation)
    walk(rater, on_check=lambda _: {"quality": 5})
    verdict = CheckVerdict.objects.get()
    repeated = verdict.assignment.item
    assert rater.assignments.filter(item=repeated, purpose=Purpose.MAIN).count() == 1
    assert verdict.detail["criteria"]["quality"] == {"given": 5, "earlier": 3, "difference": 2}
    assert verdict.passed is False


def test_a_twin_waits_for_its_original_whichever_comes_second(cast):
    original = cast.study.items.order_by("position").last()
    add(cast, CheckKind.TWIN, {"criteria": ["quality"]}, original=original)
    opened(cast)
    seen: list[tuple[str, int]] = []

    def note(page):
        kind = "twin" if page.item.planted else "original" if page.item == original else "other"
        seen.append((kind, CheckVerdict.objects.filter(assignment__rater=page.rater).count()))
        return {"quality": 2 if kind == "twin" else 4}

    for _ in range(2):
        walk(consent(invitation=cast.invitation), on_check=note, on_item=note)
    assert list(CheckVerdict.objects.values_list("passed", "reason")) == [(True, "twin_lower")] * 2


def test_questions_of_their_own_are_asked_on_planted_forms(cast):
    noun = create_check_form(
        study=cast.study, question="Which part of speech is “lamp”?", options=["verb", "noun"]
    )
    add(cast, CheckKind.KNOWLEDGE, {"right": "noun"}, form=noun, key="noun")
    study = opened(cast)
    assert [form.key for form in study.forms.all()] == ["similes"]
    walk(consent(invitation=cast.invitation), on_check=lambda _: {"answer": "verb"})
    verdict = CheckVerdict.objects.get()
    assert (verdict.passed, verdict.chance) == (False, 0.5)


def test_the_export_of_checks_has_each_answered_one(cast):
    add(cast, CheckKind.INSTRUCTED, {"told": {"quality": 4}})
    study = opened(cast)
    rater = consent(invitation=cast.invitation)
    walk(rater, on_check=lambda _: {"quality": 4})
    columns, rows = checks_table(study)
    (row,) = rows
    assert set(row) == set(columns)
    assert (row["rater"], row["check"], row["passed"], row["chance"]) == (rater.code, "instructed", True, 0.2)


def test_each_batch_has_one_check(cast):
    Study.objects.filter(pk=cast.study.pk).update(design="batches", batch_size=4, check_every=None)
    add(cast, CheckKind.INSTRUCTED, {"told": {"quality": 4}})
    opened(cast)
    rater = consent(invitation=cast.invitation)
    purposes = walk(rater, on_check=lambda _: {"quality": 4})
    assert len(purposes) == 15
    assert [purposes[start : start + 5].count("check") for start in (0, 5, 10)] == [1, 1, 1]
    assert purposes[0] != "check"
    positions = list(rater.assignments.order_by("submitted_at").values_list("position", flat=True))
    assert positions == list(range(1, 16))


@pytest.mark.parametrize(
    ("kind", "settings", "rest", "code"),
    [
        (CheckKind.INSTRUCTED, {"told": {"quality": 9}}, {}, "invalid_check"),
        (CheckKind.GOLD, {"reference": {"quality": 3}, "tolerance": 9}, {}, "check_tells_nothing"),
        (CheckKind.GOLD, {"reference": {"quality": 3.5}, "tolerance": 0.4}, {}, "check_passes_nobody"),
        (CheckKind.INSTRUCTED, {"told": {"quality": 4}}, {"texts": {}}, "check_incomplete"),
        (CheckKind.TWIN, {"criteria": ["quality"]}, {}, "check_incomplete"),
        (CheckKind.INSTRUCTED, {"told": {"quality": 4}}, {"texts": {"simile": " "}}, "check_incomplete"),
    ],
)
@pytest.mark.parametrize("listed", [True, False], ids=["the form lists its texts", "it shows all texts"])
def test_a_check_that_cannot_work_is_refused_and_nothing_is_stored(cast, kind, settings, rest, code, listed):
    if not listed:
        cast.study.forms.get().versions.update(blocks=[])
    with pytest.raises(InvalidContent) as caught:
        add(cast, kind, settings, **rest)
    assert caught.value.code == code
    assert not Check.objects.exists()
    assert not Item.everything.filter(planted=True).exists()


def test_checks_that_would_meet_are_refused_before_anybody_could_come(cast):
    draft = make_cast(slug="draft", opened=False)
    with pytest.raises(InvalidContent) as caught:
        edit_study(study=draft.study, actor=draft.users["owner"], check_every=3, check_jitter=2)
    assert caught.value.code == "no_room_for_checks"
    assert caught.value.fields == {"check_jitter": "Enter at most 1."}
    Study.objects.filter(pk=draft.study.pk).update(check_every=3, check_jitter=2)
    with pytest.raises(InvalidContent):
        change_state(study=draft.study, to=StudyState.OPEN, actor=draft.users["owner"])


def test_no_rater_is_tested_by_surprise(cast):
    opened(cast)
    with pytest.raises(NotAllowedNow):
        add(cast, CheckKind.INSTRUCTED, {"told": {"quality": 4}})


def test_a_draft_with_checks_can_be_deleted(cast):
    add(cast, CheckKind.INSTRUCTED, {"told": {"quality": 4}})
    delete_draft(study=cast.study, actor=cast.users["owner"])
    assert not Item.everything.exists()


def test_a_researcher_sets_checks_up_in_the_browser(cast):
    client = Client()
    client.force_login(cast.users["researcher"])
    address = reverse("study-checks", args=[cast.slug])
    sent = {"kind": "instructed", "key": "four", "text-simile": "Choose 4 here.", "value-quality": "4"}
    assert client.post(address, sent).status_code == 302
    asked = {
        "kind": "knowledge",
        "key": "noun",
        "text-simile": "The lamp hung like a moon.",
        "question": "Which part of speech is “lamp”?",
        "answers": "noun\nverb\nadverb",
    }
    assert client.post(address, asked).status_code == 302
    found = {check.key: check for check in Check.objects.all()}
    assert found["four"].settings == {"told": {"quality": 4}}
    assert found["noun"].settings["right"] == "noun"
    wrong = client.post(address, {**sent, "key": "nine", "value-quality": "9"})
    assert (wrong.status_code, "is not a possible value of" in wrong.content.decode()) == (422, True)
    client.post(reverse("study-check-delete", args=[cast.slug, "four"]))
    assert sorted(Check.objects.values_list("key", flat=True)) == ["noun"]


def test_a_check_is_as_late_as_the_items_reserved_with_it(cast):
    add(cast, CheckKind.INSTRUCTED, {"told": {"quality": 4}})
    opened(cast)
    found = {}
    # Whether another rater took the item after the check's time was over, before it, or not at all.
    for taken in (True, False, None):
        rater = consent(invitation=cast.invitation)
        pages: list[Assignment] = []
        while not any(page.purpose == Purpose.CHECK for page in pages):
            following = next_assignment(rater=rater)
            assert following is not None
            pages.append(open_assignment(assignment=following))
            if pages[-1].purpose == Purpose.MAIN:
                answer(pages[-1])
        check = pages[-1]
        reserved = reserve_ahead(assignment=check)
        assert reserved is not None
        assert reserved.purpose == Purpose.MAIN
        past = timezone.now() - timedelta(minutes=1)
        Assignment.objects.filter(pk=check.pk).update(held_until=past)
        if taken is not None:
            take_over(reserved, by=consent(invitation=cast.invitation), when=past, before=not taken)
        found[taken] = answer(Assignment.objects.get(pk=check.pk), quality=4).late
    assert found == {True: True, False: False, None: False}


def take_over(page: Assignment, *, by: Rater, when: datetime, before: bool) -> None:
    """Give the slot of a page to another rater, before or after `when`."""
    assert page.seat is not None
    Seat.objects.filter(pk=page.seat.pk).update(until=when, rater=by)
    mine = Assignment.objects.create(
        rater=by, item=page.item, form=page.form, version=page.version, seat=page.seat, purpose=Purpose.MAIN
    )
    created = when - timedelta(hours=1) if before else when
    Assignment.objects.filter(pk=mine.pk).update(created_at=created)


def test_a_client_cannot_tell_a_check_by_what_it_is_sent(cast):
    add(cast, CheckKind.INSTRUCTED, {"told": {"quality": 4}})
    noun = create_check_form(
        study=cast.study, question="Which part of speech is “lamp”?", options=["verb", "noun"]
    )
    add(cast, CheckKind.KNOWLEDGE, {"right": "noun"}, form=noun, key="noun")
    opened(cast)
    rater = consent(invitation=cast.invitation)
    client, purposes = invited(rater.invitation.token), []
    for _ in range(12):
        sent = client.get(f"/api/v1/rate/{cast.slug}/next/").json()
        page = rater.assignments.get(pk=sent["assignment"])
        assert sent["held_until"] is not None
        assert "check" not in str({**sent, "blocks": None, "answer": None}).lower()
        purposes.append(page.purpose)
        answer(page, **({"answer": "verb"} if page.form.planted else {}))
    assert set(purposes) == {Purpose.MAIN, Purpose.CHECK}


def test_two_twins_of_one_original_are_both_judged(cast):
    original = cast.study.items.order_by("position").last()
    for key in ("one", "two"):
        add(cast, CheckKind.TWIN, {"criteria": ["quality"]}, original=original, key=key)
    opened(cast)
    # The first rater meets the original after both, the second perhaps between them.
    for _ in range(2):
        walk(consent(invitation=cast.invitation), on_check=lambda _: {"quality": 1})
    assert CheckVerdict.objects.filter(passed=True).count() == 4


def test_a_study_whose_checks_would_never_come_does_not_open(cast):
    add(cast, CheckKind.INSTRUCTED, {"told": {"quality": 4}})
    Study.objects.filter(pk=cast.study.pk).update(check_every=None)
    with pytest.raises(NotAllowedNow) as refused:
        opened(cast)
    assert refused.value.code == "checks_never_come"


def test_a_study_with_a_check_without_text_does_not_open(cast):
    add(cast, CheckKind.INSTRUCTED, {"told": {"quality": 4}}, key="guess")
    Item.everything.filter(planted=True).update(fields={"simile": " "})
    point = next(one for one in points_for_raters(Study.objects.get()) if one.head == "Attention checks")
    assert (point.state, "guess" in point.words) == (STOPS, True)
    with pytest.raises(NotAllowedNow) as refused:
        opened(cast)
    assert (refused.value.code, "“guess”" in refused.value.message) == ("checks_without_text", True)


def test_a_question_of_a_check_has_words(cast):
    with pytest.raises(InvalidContent) as refused:
        create_check_form(study=cast.study, question=" ", options=["noun", "verb"])
    assert refused.value.code == "check_incomplete"


def test_every_batch_has_its_check_however_many_pages_it_was_dealt():
    cast = make_cast(items=8, overlap=2, opened=False)
    Study.objects.filter(pk=cast.study.pk).update(design="batches", batch_size=7, batches_per_rater=1)
    create_check(
        study=cast.study,
        actor=cast.users["owner"],
        key="told",
        kind=CheckKind.INSTRUCTED,
        settings={"told": {"quality": 4}},
        form=cast.study.forms.get(),
        texts={"simile": "Choose 4"},
    )
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    for _ in range(4):
        rater = consent(invitation=cast.invitation)
        seen = []
        with contextlib.suppress(NoSeatLeft):
            while True:
                page = next_assignment(rater=rater)
                seen.append(page.purpose)
                answers = {"quality": "3", "creativity": "3"}
                submission = Submission(page_key=uuid.uuid4(), answers=answers)
                submit(assignment=page, version=page.version, submission=submission)
        assert (len(seen), seen.count(Purpose.CHECK)) == (5, 1)
        assert seen[-1] == Purpose.MAIN


def test_the_form_of_a_planted_question_is_no_form_of_the_study(cast):
    """It is not among the listed forms of the study, in a paper, or among what can be exported."""
    create_check_form(study=cast.study, question="Which part of speech is “lamp”?", options=["verb", "noun"])
    assert [version.form.key for version in form_versions(study=cast.study)] == ["similes"]
    facts = facts_of(cast.study, {}, with_pay=False)
    assert [version.form.key for version in facts.versions] == ["similes"]
    assert not has_options(cast.study)
