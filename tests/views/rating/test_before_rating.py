"""Before the first item: the warning, the consent text, the questions; and the least time of a page."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.domain.people.demographics import DemographicKind, RaterQuestion
from annotation.models import Assignment, ConsentText, DemographicAnswer, Rater, Response
from annotation.services.people.consent import change_text
from annotation.services.people.demographics import set_questions
from annotation.services.studies.lifecycle import change_state, edit_study
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
WARNING = "Some of the lamps fall."
AGE = RaterQuestion("age", "How old are you?", DemographicKind.NUMBER)
READS = RaterQuestion("reads", "Do you read poems?", DemographicKind.CHOICE, ("often", "seldom"))


def study_with(*questions: RaterQuestion, **fields) -> Cast:
    cast = make_cast(items=3, overlap=2, opened=False)
    if fields:
        edit_study(study=cast.study, actor=cast.users["owner"], **fields)
    set_questions(study=cast.study, actor=cast.users["owner"], questions=questions)
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    return cast


def join(cast: Cast) -> Client:
    browser = Client()
    page = browser.get(reverse("join", args=[cast.invitation.token]))
    sent = {"join_key": page.context["join_key"], "consent_number": cast.study.consent_number}
    assert browser.post(reverse("join", args=[cast.invitation.token]), sent).status_code == 302
    return browser


def newest(cast: Cast) -> Rater:
    return Rater.objects.filter(study=cast.study).latest("pk")


def at(browser: Client, cast: Cast):
    """Where the address of the next item leads."""
    return browser.get(reverse("rate", args=[cast.slug]), follow=True)


def send(browser: Client, cast: Cast, **changed):
    page = Assignment.objects.filter(rater=newest(cast)).latest("position")
    sent = {
        "submission_key": str(uuid.uuid4()),
        "version": page.version_id,
        "answer-quality": 4,
        "answer-creativity": 3,
        "seen_revision": 0,
        **changed,
    }
    return browser.post(reverse("rate-assignment", args=[cast.slug, page.pk]), sent)


def let_pass(cast: Cast, seconds: float) -> None:
    page = Assignment.objects.filter(rater=newest(cast)).latest("position")
    assert page.opened_at is not None
    Assignment.objects.filter(pk=page.pk).update(opened_at=page.opened_at - timedelta(seconds=seconds))


def test_the_warning_is_before_the_consent_text_and_in_the_guide():
    cast = study_with(content_warning=WARNING)
    text = Client().get(reverse("join", args=[cast.invitation.token])).content.decode()
    assert text.index(WARNING) < text.index("<h2>Consent</h2>") < text.index("I agree – start")
    browser = join(cast)
    assert WARNING in browser.get(reverse("rate-guide", args=[cast.slug])).content.decode()


def test_a_study_without_a_warning_shows_none():
    cast = study_with()
    assert (
        "Content warning" not in Client().get(reverse("join", args=[cast.invitation.token])).content.decode()
    )


def test_the_least_time_is_shown_beforehand_and_on_the_page():
    cast = study_with(least_seconds=45, exempt_characters=20)
    joining = Client().get(reverse("join", args=[cast.invitation.token])).content.decode()
    assert "at least 45 s" in joining
    assert "up to 20 characters" in joining
    browser = join(cast)
    assert "at least 45 s" in browser.get(reverse("rate-guide", args=[cast.slug])).content.decode()
    page = at(browser, cast)
    page_text = " ".join(page.content.decode().split())
    assert "Please take at least 45 seconds for this text. You can save your answers after that." in page_text
    # A second may pass on a busy machine between opening a page and counting what is left.
    at_first = page.context["seconds_left"]
    assert 40 <= at_first <= 45
    let_pass(cast, 20)
    assert 15 <= at(browser, cast).context["seconds_left"] <= at_first - 20


def test_a_page_of_very_short_texts_says_nothing_of_time_and_saves_at_once():
    cast = study_with(least_seconds=45, exempt_characters=100)
    browser = join(cast)
    assert "takes at least" not in at(browser, cast).content.decode()
    assert send(browser, cast).status_code == 303


def test_a_too_fast_answer_comes_back_as_it_was_and_is_taken_when_the_time_is_up():
    cast = study_with(least_seconds=30)
    browser = join(cast)
    at(browser, cast)
    let_pass(cast, 12)
    refused = send(browser, cast)
    text = refused.content.decode()
    assert refused.status_code == 422
    assert "at least 30 s" in text
    assert "in 18 s" in text
    assert [one["chosen"] for one in refused.context["criteria"]] == ["4", "3"]
    assert not Response.objects.exists()
    let_pass(cast, 19)
    assert send(browser, cast).status_code == 303
    stored = Response.objects.get()
    assert stored.hurried_after == pytest.approx(12, abs=2)
    assert stored.seconds == pytest.approx(31, abs=2)


def test_the_page_of_a_too_fast_answer_says_each_thing_once():
    cast = study_with(least_seconds=30)
    browser = join(cast)
    at(browser, cast)
    text = send(browser, cast).content.decode()
    assert text.count("at least 30 seconds") == 1
    assert text.count("Check your answers.") == 1
    assert re.findall(r"You can save in \d+ seconds", text) != []
    assert "Please take" not in text


def test_the_raters_page_says_which_answers_were_hurried():
    cast = study_with(least_seconds=30)
    browser = join(cast)
    at(browser, cast)
    send(browser, cast)
    let_pass(cast, 31)
    send(browser, cast)
    shown = member(cast, "researcher").get(reverse("study-rater", args=[cast.slug, newest(cast).code]))
    assert "first submitted after 0 s, then resubmitted unchanged" in shown.content.decode()


def test_questions_come_once_between_consent_and_the_first_item():
    cast = study_with(AGE, READS)
    browser = join(cast)
    asked = at(browser, cast)
    assert asked.redirect_chain[-1][0] == reverse("rate-about-you", args=[cast.slug])
    assert asked.content.decode().count("<span>Prefer not to say</span>") == 2
    address = reverse("rate-about-you", args=[cast.slug])
    saved = browser.post(address, {"answer-age": "34", "answer-reads": " "})
    assert saved["Location"] == reverse("rate", args=[cast.slug])
    stored = DemographicAnswer.objects.filter(rater=newest(cast)).values_list("value", "declined")
    assert list(stored) == [("34", False), ("", True)]
    assert at(browser, cast).context["position"] == 1
    assert browser.get(address)["Location"] == reverse("rate", args=[cast.slug])


@pytest.mark.parametrize(
    "sent",
    [
        {"answer-age": "34", "declined-age": "1", "answer-reads": " "},
        {"answer-age": "-5", "answer-reads": " "},
    ],
    ids=["an answer and declining it", "less than nought"],
)
def test_no_answer_is_thrown_away_or_taken_unlooked_at(sent):
    cast = study_with(AGE, READS)
    browser = join(cast)
    page = browser.post(reverse("rate-about-you", args=[cast.slug]), sent)
    assert page.status_code == 422
    assert [bool(one["error"]) for one in page.context["questions"]] == [True, False]
    assert not DemographicAnswer.objects.exists()


def test_a_question_left_open_is_marked_and_the_other_answers_remain():
    cast = study_with(AGE, READS)
    browser = join(cast)
    page = browser.post(reverse("rate-about-you", args=[cast.slug]), {"answer-age": "34"})
    assert page.status_code == 422
    assert [bool(one["error"]) for one in page.context["questions"]] == [False, True]
    assert 'value="34"' in page.content.decode()
    assert not DemographicAnswer.objects.exists()


def test_a_longer_answer_about_the_rater_is_refused_in_words_and_not_cut():
    cast = study_with(AGE)
    browser, address = join(cast), reverse("rate-about-you", args=[cast.slug])
    assert "maxlength" not in browser.get(address).content.decode()
    page = browser.post(address, {"answer-age": "3" * 501})
    assert page.status_code == 422
    assert "Use at most 500 characters." in page.content.decode()
    assert "3" * 501 in page.content.decode()


def test_after_a_change_the_next_page_asks_again_and_agreeing_leads_on():
    cast = study_with()
    browser = join(cast)
    first = at(browser, cast)
    change_text(study=cast.study, actor=cast.users["admin"], text="You agree to more.")
    # What was begun under the older text is saved; the item after it waits.
    saved = send(browser, cast)
    assert saved.status_code == 303
    asked = browser.get(saved["Location"], follow=True)
    assert asked.redirect_chain[-1][0] == reverse("rate-consent", args=[cast.slug])
    assert "You agree to more." in asked.content.decode()
    held = reverse("rate-assignment", args=[cast.slug, first.context["assignment"]])
    assert browser.get(held)["Location"] == reverse("rate-consent", args=[cast.slug])
    browser.post(reverse("rate-consent", args=[cast.slug]), {"consent_number": 2})
    assert at(browser, cast).context["position"] == 2
    assert newest(cast).consent_number == 2


def test_a_page_that_showed_the_older_text_agrees_to_that_one_only():
    cast = study_with()
    browser = Client()
    page = browser.get(reverse("join", args=[cast.invitation.token]))
    shown = page.context["study"].consent_number
    change_text(study=cast.study, actor=cast.users["admin"], text="You agree to more.")
    sent = {"join_key": page.context["join_key"], "consent_number": shown}
    browser.post(reverse("join", args=[cast.invitation.token]), sent)
    assert newest(cast).consent_number == 1
    assert "You agree to more." in at(browser, cast).content.decode()


def test_a_rater_who_does_not_agree_again_can_pause_and_withdraw():
    cast = study_with()
    browser = join(cast)
    change_text(study=cast.study, actor=cast.users["admin"], text="You agree to more.")
    assert reverse("rate-withdraw", args=[cast.slug]) in at(browser, cast).content.decode()
    for name in ("rate-withdraw", "rate-pause", "rate-guide"):
        assert browser.get(reverse(name, args=[cast.slug])).status_code == 200
    confirmed = browser.get(reverse("rate-withdraw", args=[cast.slug])).content.decode()
    assert "You agree." in confirmed
    assert "You agree to more." not in confirmed


def member(cast: Cast, who: str) -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def test_an_admin_puts_a_new_version_in_force_and_sees_who_agreed_to_which():
    cast = study_with()
    join(cast)
    admin, address = member(cast, "admin"), reverse("study-consent", args=[cast.slug])
    page = admin.post(address, {"text": "You agree to more."}, follow=True).content.decode()
    assert "Version 2 of the consent form published." in page
    assert page.index("Version 2") < page.index("Version 1")
    assert "accepted by 1 rater" in page
    shown = admin.get(reverse("study-rater", args=[cast.slug, newest(cast).code])).content.decode()
    assert "version 1," in shown
    assert admin.post(address, {"text": " "}).status_code == 422
    assert ConsentText.objects.filter(study=cast.study).count() == 2


def test_the_files_of_raters_and_of_their_answers_are_separate():
    cast = study_with(AGE)
    browser = join(cast)
    at(browser, cast)
    browser.post(reverse("rate-about-you", args=[cast.slug]), {"answer-age": "34"})
    client = member(cast, "researcher")

    def file(what: str) -> str:
        answer = client.get(reverse("study-download", args=[cast.slug, what]), {"format": "csv"})
        return answer.getvalue().decode()

    agreed = newest(cast).agreements.get().agreed_at.isoformat()
    assert f",1,{agreed}," in file("raters")
    assert ",age,number,How old are you?,34,false," in file("demographics")
    assert "34" not in file("ratings")
    assert "age" not in file("raters").splitlines()[0].split(",")


def test_questions_are_added_and_removed_in_a_draft_and_not_later():
    cast = make_cast(opened=False)
    client, address = member(cast, "researcher"), reverse("study-questions", args=[cast.slug])
    choice = {"text": READS.text, "key": "reads", "kind": "choice", "options": "often\n\n seldom "}
    assert client.post(address, choice).status_code == 302
    assert client.post(address, {"text": AGE.text, "key": "age", "kind": "number"}).status_code == 302
    assert client.get(address).context["questions"] == [READS, AGE]
    assert client.post(address, {"text": "Again?", "key": "age", "kind": "text"}).status_code == 422
    client.post(reverse("study-question-delete", args=[cast.slug, "reads"]))
    assert client.get(address).context["questions"] == [AGE]
    assert client.post(reverse("study-question-delete", args=[cast.slug, "reads"])).status_code == 404
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    refused = client.post(address, choice)
    assert (refused.status_code, refused.context["questions"]) == (422, [AGE])


def test_a_study_from_the_template_for_stories_has_its_warning_and_its_time():
    cast = make_cast()
    client = member(cast, "owner")
    made = client.post(
        "/api/v1/studies/",
        {"slug": "stories", "title": "Stories", "protocol": "hanna"},
        content_type="application/json",
    ).json()
    assert (made["least_seconds"], made["exempt_characters"]) == (30, 200)
    assert "violence" in made["content_warning"]
