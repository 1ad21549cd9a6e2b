"""Around rating: instructions with rubric and examples, the practice item, breaks, a rater's own figures."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.domain.pay.wages import PayFor
from annotation.models import Assignment, FormVersion, Rater, Response, Study
from annotation.selectors.pay.costs import estimated_per_hour
from annotation.selectors.rating.own_work import own_work
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import pay, worked
from tests.views.questions.form_pages import client_of, fields, form_url

pytestmark = pytest.mark.django_db
EXAMPLE = {
    "criterion": "creativity",
    "text": "He ran like {vehicle:water downhill}.",
    "answer": "4",
    "right": True,
    "reason": "You see it, and few would say it.",
}
BAD = {
    **EXAMPLE,
    "text": "It was like {vehicle:a spoon of noon}.",
    "answer": "5",
    "right": False,
    "reason": "Odd.",
}


def test_the_consent_page_of_a_study_without_instructions_has_no_heading_for_them():
    cast = make_cast()
    address = f"/join/{cast.invitation.token}/"
    for instructions, headings in (("Read the sentence.", 1), ("", 0)):
        Study.objects.filter(pk=cast.study.pk).update(instructions=instructions)
        assert Client().get(address).content.decode().count("<h2>Instructions</h2>") == headings


def with_guide(*, practice: bool = False, **study: Any) -> Cast:
    cast = make_cast(opened=False, items=8)
    FormVersion.objects.filter(form__study=cast.study).update(
        examples=[EXAMPLE, BAD],
        practice=[{"field": "simile", "text": "It rang like {vehicle:a bell}."}] if practice else [],
    )
    type(cast.study).objects.filter(pk=cast.study.pk).update(**study)
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    return cast


def joined(cast: Cast) -> Client:
    client = Client()
    client.post(reverse("join", args=[cast.invitation.token]))
    return client


def save(client: Client, address: str, **headers: str) -> Any:
    shown = client.get(address).context
    sent = {
        "submission_key": str(shown["submission_key"]),
        "version": shown["version"],
        "seen_revision": shown["seen_revision"],
        "answer-quality": 4,
        "answer-creativity": 2,
    }
    return client.post(address, sent, headers=headers)


def test_the_guide_shows_the_rubric_and_good_and_bad_ratings_with_their_reasons() -> None:
    cast = with_guide()
    quality = cast.study.forms.get().versions.get().criteria.get(key="quality")
    quality.points.filter(value="1").update(description="It says nothing.")
    quality.points.filter(value="3").update(label="Middling")
    response = joined(cast).get(reverse("rate-guide", args=[cast.slug]))
    page = response.content.decode()
    assert "It says nothing." in page
    # A point with a name alone is one of the rubric too.
    (rubric,) = [one.points for one in response.context["criteria"] if one.name == quality.name]
    assert {"1", "3"} <= {point.value for point in rubric}
    assert "<b>Middling</b" in page
    good, bad = page.index("Worked examples"), page.index("Ratings that do not fit")
    assert good < page.index("You see it, and few would say it.") < bad < page.index("Odd.")
    assert '<em class="vehicle">water downhill</em>' in page


def test_a_guide_without_instructions_says_what_it_holds() -> None:
    cast = with_guide(instructions="")
    client, address = joined(cast), reverse("rate-guide", args=[cast.slug])
    default_text = "Rate each item by the criteria on this page."
    assert default_text in client.get(address).content.decode()
    type(cast.study).objects.filter(pk=cast.study.pk).update(instructions="Read slowly.")
    assert default_text not in client.get(address).content.decode()


def test_examples_are_written_with_the_form_stored_with_its_version_and_shown_to_members() -> None:
    cast = make_cast(opened=False)
    client, url = client_of(cast.users["owner"]), form_url(cast.study)
    page = client.post(url, {**fields(client.get(url)), "act": "add-example"})
    page = client.post(url, {**fields(page), "act": "add-practice"})
    sent = {
        **fields(page),
        **{f"example-0-{name}": value for name, value in EXAMPLE.items() if name != "right"},
    }
    sent |= {"practice-0-field": "simile", "practice-0-text": "It rang.", "act": "save"}
    refused = client.post(url, {**sent, "example-0-answer": "9"})
    assert refused.status_code == 422
    assert 'href="#example-0-answer"' in refused.content.decode()
    assert client.post(url, {**sent, "example-0-right": "on"}).status_code == 302
    stored = cast.study.forms.get().versions.latest("number")
    assert stored.examples == [EXAMPLE]
    assert stored.practice == [{"field": "simile", "text": "It rang."}]
    form = cast.client("researcher").get(cast.base + "/").json()["forms"][0]
    assert (form["examples"], form["practice"]) == (stored.examples, stored.practice)
    again = client.post(url, {**fields(client.get(url)), "act": "remove-example.0"})
    assert again.context["document"]["examples"] == []


def test_a_practice_item_comes_before_the_first_and_leaves_nothing_behind() -> None:
    cast = with_guide(practice=True)
    client, rate, practice = (
        joined(cast),
        reverse("rate", args=[cast.slug]),
        reverse("rate-practice", args=[cast.slug]),
    )
    assert client.get(rate).headers["Location"] == practice
    page = client.get(practice).content.decode()
    assert '<em class="vehicle">a bell</em>' in page
    assert page.index("Try answer") < page.index('name="skip"'), "Enter presses the first button of a form"
    refused = client.post(practice, {"answer-quality": "7"})
    assert refused.status_code == 422
    assert 'href="#asked-creativity"' in refused.content.decode(), "the marked questions are named"
    assert client.get(rate).headers["Location"] == practice
    tried = client.post(practice, {"answer-quality": "4", "answer-creativity": "2"})
    assert "Your practice answer is not stored." in tried.content.decode()
    # The keys can be tried too, and Enter begins once the answer has been tried.
    assert "Keyboard shortcuts" in tried.content.decode()
    assert '<input type="hidden" name="skip" value="yes">' in tried.content.decode()
    assert not Response.objects.exists()
    first = client.get(rate).headers["Location"]
    assert first != practice
    save(client, first)
    assert client.get(rate).headers["Location"] != practice


def test_raters_begin_after_the_practice_item_was_taken_back() -> None:
    cast = with_guide(practice=True)
    client, url = client_of(cast.users["owner"]), form_url(cast.study)
    page = client.post(url, {**fields(client.get(url)), "act": "remove-practice.0"})
    client.post(url, {**fields(page), "act": "save", "agreed": "on"})
    assert cast.study.forms.get().versions.latest("number").practice == []
    first = joined(cast).get(reverse("rate", args=[cast.slug])).headers["Location"]
    assert first != reverse("rate-practice", args=[cast.slug])


def test_practice_may_be_skipped_and_raters_who_have_rated_before_are_not_sent_to_it() -> None:
    cast = with_guide(practice=True)
    client, rate, practice = (
        joined(cast),
        reverse("rate", args=[cast.slug]),
        reverse("rate-practice", args=[cast.slug]),
    )
    assert client.post(practice, {"skip": "yes"}).headers["Location"] == rate
    first = client.get(rate).headers["Location"]
    assert first != practice
    save(client, first)
    rater = Rater.objects.latest("pk")
    other = Client()
    other.get(reverse("join", args=[rater.invitation.token]))
    assert other.get(rate).headers["Location"] != practice


@pytest.mark.parametrize("headers", [{}, {"Prefer": "return=representation"}])
def test_a_break_is_suggested_after_so_many_pages_with_and_without_scripts(headers: dict[str, str]) -> None:
    cast = with_guide(break_after=2)
    client, rate = joined(cast), reverse("rate", args=[cast.slug])
    pause = reverse("rate-pause", args=[cast.slug])
    after = [save(client, client.get(rate).headers["Location"], **headers) for _ in range(4)]
    suggested = [one.headers.get("Location", "").startswith(pause) for one in after]
    assert suggested == [False, True, False, True]
    waiting = Assignment.objects.get(rater=Rater.objects.latest("pk"), submitted_at=None)
    assert waiting.opened_at is None, "the time of a break must not count as the next item's"
    assert "Time for a break?" in client.get(after[1].headers["Location"]).content.decode()
    first = Assignment.objects.filter(rater=Rater.objects.latest("pk")).earliest("position")
    corrected = save(client, reverse("rate-assignment", args=[cast.slug, first.pk]), **headers)
    assert not corrected.headers.get("Location", "").startswith(pause)


def test_the_time_left_is_shown_by_the_own_pace_and_not_before_it_is_known() -> None:
    cast = make_cast(items=10)
    pay(cast, "0.20", shown=True)
    rater = worked(cast, 60, 60, 60, 3000)
    few = own_work(fresh(rater))
    assert (few.minutes_left, few.per_hour) == (None, None)
    worked(cast, 60, rater=rater, ended=1)
    enough = own_work(fresh(rater))
    # Five pages of a minute are left: one long one does not change the pace.
    assert enough.minutes_left == 5
    # What the pages took so far is paid, long ones too, as *Pay* says: 1.00 for 2,040 seconds.
    assert str(enough.per_hour) == "1.76"
    assert (enough.done, enough.total, enough.sessions) == (5, 10, 2)


def test_pay_by_the_hour_is_shown_where_it_can_be_known_before() -> None:
    cast = make_cast(items=10)
    pay_rate = pay(cast, "0.20", shown=True, page_seconds=36)
    page = Client().get(reverse("join", args=[cast.invitation.token])).content.decode()
    assert "That is about 20.00 EUR per hour." in page
    pay_rate.paid_for = PayFor.RATER
    assert str(estimated_per_hour(pay_rate, 36, 10)) == "2.00"
    pay_rate.paid_for = PayFor.SITTING
    assert estimated_per_hour(pay_rate, 36, 10) is None


def fresh(rater: Rater) -> Rater:
    return Rater.objects.select_related("study__pay").get(pk=rater.pk)
