"""A rater reads, answers calibration items, sees feedback, and passes, tries again, waits or leaves."""

from __future__ import annotations

import json
import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import StudyState
from annotation.domain.quality.calibration import RuleKind
from annotation.models import Qualification, Rater, Response, Seat, User
from annotation.protocols.cmdag import CMDAG_REFINED
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.quality.approval import decide, release_notes, write_note
from annotation.services.quality.qualification_setup import add_calibration_item, set_qualification
from annotation.services.studies.lifecycle import change_state, create_from_template
from tests.support.people import Cast, make_cast
from tests.support.studies.marked_study import SENTENCES, marks_of
from tests.support.studies.qualification_study import REFERENCES, attempt, qualify

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=2, overlap=2, opened=False)


def joined(cast: Cast, query: str = "", token: str = "") -> Client:
    browser = Client()
    address = reverse("join", args=[token or cast.invitation.token])
    assert browser.post(f"{address}?{query}", {"join_key": uuid.uuid4()}).status_code == 302
    return browser


def rate(browser: Client, cast: Cast, quality: int):
    """Answer the page that comes next; the page that follows the answer."""
    page = browser.get(reverse("rate", args=[cast.slug]), follow=True)
    sent = {
        "submission_key": page.context["submission_key"],
        "version": page.context["version"],
        "assignment": page.context["assignment"],
        "answer-quality": quality,
        "answer-creativity": 3,
    }
    return browser.post(page.context["action"], sent, follow=True)


def rater(cast: Cast) -> Rater:
    return Rater.objects.filter(study=cast.study).latest("pk")


def test_the_consent_page_says_what_comes_first(cast):
    qualify(cast, pages=2)
    page = Client().get(reverse("join", args=[cast.invitation.token])).content.decode()
    assert (
        "First, you read 2 background pages. Before you start, you rate 4 calibration items to qualify."
        in " ".join(page.split())
    )


def test_reading_goes_on_where_it_was_left(cast):
    qualify(cast, pages=3)
    browser = joined(cast)
    first = browser.get(reverse("rate", args=[cast.slug]), follow=True)
    assert (first.context["number"], first.context["total"]) == (1, 3)
    assert '<em class="vehicle">moon</em>' in first.content.decode()
    browser.post(reverse("rate-background", args=[cast.slug, 1]))
    left = browser.get(reverse("rate", args=[cast.slug]), follow=True)
    assert left.context["number"] == 2
    browser.post(reverse("rate-background", args=[cast.slug, 2]))
    done = browser.post(reverse("rate-background", args=[cast.slug, 3]), follow=True)
    assert "Calibration item 1 of 4" in done.content.decode()
    assert browser.get(reverse("rate-background", args=[cast.slug, 4])).status_code == 404


def test_after_each_item_the_rater_sees_the_reference_and_why(cast):
    qualify(cast)
    browser = joined(cast)
    shown = rate(browser, cast, 4)
    (one,) = shown.context["compared"]
    assert (one.name, one.given, one.reference, one.within) == ("Quality", "4", "5", True)
    assert "It is a 5." in shown.content.decode()
    onward = browser.get(shown.context["next_url"], follow=True)
    assert "Calibration item 2 of 4" in onward.content.decode()
    again = browser.get(reverse("rate-assignment", args=[cast.slug, rater(cast).assignments.all()[0].pk]))
    assert "so your first answer counts" in again.content.decode()


def test_without_feedback_nothing_of_the_reference_is_shown(cast):
    qualify(cast, feedback=False)
    browser = joined(cast)
    following = rate(browser, cast, 4)
    assert "Calibration item 2 of 4" in following.content.decode()
    assert "It is a 5." not in following.content.decode()
    answered = rater(cast).assignments.order_by("position")[0]
    asked = browser.get(reverse("rate-feedback", args=[cast.slug, answered.pk]), follow=True)
    assert "It is a 5." not in asked.content.decode()


def test_raters_who_pass_are_informed_and_begin_at_item_1(cast):
    qualify(cast)
    browser = joined(cast)
    for value in REFERENCES:
        last = rate(browser, cast, value)
    page_text = browser.get(last.context["next_url"]).content.decode()
    assert "You have qualified" in page_text
    assert "4 of 4 values are within 1 of the reference value (required: at least 75%)." in page_text
    page = browser.get(reverse("rate", args=[cast.slug]), follow=True)
    assert (page.context["position"], page.context["total"], page.context["done"]) == (1, 2, 0)
    assert page.context["saved_position"] is None
    assert page.context["previous_url"] is None


def test_who_fails_may_try_again_from_the_first_item(cast):
    qualify(cast, attempts=2, pages=1)
    browser = joined(cast)
    browser.post(reverse("rate-background", args=[cast.slug, 1]))
    for value in (1, 5, 1, 1):
        rate(browser, cast, value)
    page_text = browser.get(reverse("rate", args=[cast.slug]), follow=True).content.decode()
    assert "0 of 4 values are within 1" in page_text
    assert "You did not pass. You can try 1 more time." in page_text
    page = browser.post(reverse("rate-qualification", args=[cast.slug]), follow=True)
    assert "Calibration item 1 of 4" in page.content.decode()
    first = rater(cast).attempts.get(number=1).assignments.order_by("position")[0]
    over = browser.get(reverse("rate-assignment", args=[cast.slug, first.pk])).content.decode()
    assert "This attempt is complete" in over
    assert '<fieldset class="bare" disabled>' in over


def test_rater_and_researcher_read_whether_the_next_attempt_has_new_items(
    cast,
):
    made = qualify(cast, attempts=3, items_per_attempt=2, opened=False)
    setting_up = Client()
    setting_up.force_login(cast.users["owner"])
    address = reverse("study-qualification", args=[cast.slug])
    page = setting_up.get(address).content.decode()
    assert "enough items for 2 attempts with different items" in " ".join(page.split())
    Qualification.objects.filter(pk=made.pk).update(attempts=2)
    assert "different items" not in setting_up.get(address).content.decode()
    Qualification.objects.filter(pk=made.pk).update(attempts=3)
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    browser = joined(cast)
    page_texts = []
    for _ in range(2):
        for _ in range(2):
            rate(browser, cast, 1)
        result = browser.get(reverse("rate-qualification", args=[cast.slug]))
        page_texts.append(" ".join(result.content.decode().split()))
        browser.post(reverse("rate-qualification", args=[cast.slug]))
    assert "The next attempt has new items." in page_texts[0]
    assert "The next attempt has 2 items that you have already answered." in page_texts[1]
    for _ in range(2):
        rate(browser, cast, 1)
    profile = setting_up.get(reverse("study-rater", args=[cast.slug, rater(cast).code]))
    assert "2 items of this attempt were also in an earlier attempt." in " ".join(
        profile.content.decode().split()
    )


def test_feedback_shows_what_the_rater_marked_in_the_text():
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    study = create_from_template(template=CMDAG_REFINED, slug="marked", title="Marked", owner=owner)
    add_items(study=study, rows=[NewItem(key="S", fields={"sentence": SENTENCES[1], "earlier": "-"})])
    made = set_qualification(study=study, actor=owner, kind=RuleKind.NEAR, tolerance=0, share=1)
    texts = {"sentence": SENTENCES[0], "earlier": "-"}
    form, reference = study.forms.get(), {"metaphor": "yes"}
    add_calibration_item(qualification=made, actor=owner, form=form, texts=texts, reference=reference)
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    browser = Client()
    address = reverse("join", args=[invite(study=study, actor=owner).token])
    browser.post(address, {"join_key": uuid.uuid4()})
    page = browser.get(reverse("rate", args=[study.slug]), follow=True)
    sent = {name: page.context[name] for name in ("submission_key", "version", "assignment")}
    marks = marks_of(SENTENCES[0], [((0, 2), (3, 8), "老旧")])
    sent |= {"answer-metaphor": "yes", "answer-tuples": json.dumps(marks)}
    feedback = browser.post(page.context["action"], sent, follow=True).content.decode()
    assert re.search(r'class="mk mk--vehicle[^>]*>.*?漏水的屋顶</span', feedback, re.DOTALL)
    assert "老旧" in feedback


def test_who_fails_for_good_is_sent_back_where_they_came_from(cast):
    qualify(cast)
    link = invite(
        study=cast.study,
        actor=cast.users["admin"],
        platform=Platform.OTHER,
        person_param="who",
        screenout_code="OUT",
        screenout_url="https://crowd.example.org/back?code={code}",
        completion_code="DONE",
    )
    browser = joined(cast, "who=p1", link.token)
    for value in (1, 5, 1, 1):
        rate(browser, cast, value)
    page = browser.get(reverse("rate", args=[cast.slug]), follow=True)
    assert "Not qualified" in page.content.decode()
    assert page.context["way_back"].address == "https://crowd.example.org/back?code=OUT"
    assert "DONE" not in page.content.decode()
    refused = browser.post(reverse("rate-qualification", args=[cast.slug]), follow=True)
    assert "Not qualified" in refused.content.decode()
    came_again = browser.get(f"{reverse('join', args=[link.token])}?who=p1", follow=True)
    assert "Not qualified" in came_again.content.decode()
    assert not Seat.objects.filter(rater__isnull=False).exists()


def test_without_a_rule_the_rater_waits_and_sees_what_was_decided(cast):
    qualify(cast, RuleKind.HAND, attempts=1)
    browser = joined(cast)
    for value in REFERENCES:
        rate(browser, cast, value)
    waiting = browser.get(reverse("rate", args=[cast.slug]), follow=True).content.decode()
    assert "Waiting for approval" in waiting
    admin = cast.users["admin"]
    decide(attempt=rater(cast).attempts.get(), approved=False, reason="Too few 5s.", actor=admin)
    page_text = browser.get(reverse("rate", args=[cast.slug]), follow=True).content.decode()
    assert "Too few 5s." in page_text


def test_notes_are_shown_once_released_and_to_no_rater_who_may_still_try(cast):
    made = qualify(cast, attempts=2)
    admin = cast.users["admin"]
    write_note(calibration=made.items.all()[0], note="We agreed on 5.", actor=admin)
    passed, failed = joined(cast), joined(cast)
    people = list(Rater.objects.filter(study=cast.study).order_by("pk"))
    attempt(people[0])
    attempt(people[1], (1, 5, 1, 1))
    address = reverse("rate-notes", args=[cast.slug])
    assert passed.get(address).status_code == 404
    release_notes(qualification=made, released=True, actor=admin)
    shown = passed.get(address)
    assert "We agreed on 5." in shown.content.decode()
    assert [note.compared[0].given for note in shown.context["notes"]] == ["5", "1", "3", "4"]
    assert failed.get(address).status_code == 404
    guides = [one.get(reverse("rate-guide", args=[cast.slug])).content.decode() for one in (passed, failed)]
    assert [address in guide for guide in guides] == [True, False]


def test_a_paused_study_gives_out_no_calibration_item_but_takes_the_one_held(cast):
    qualify(cast)
    browser = joined(cast)
    page = browser.get(reverse("rate", args=[cast.slug]), follow=True)
    change_state(study=cast.study, to=StudyState.PAUSED, actor=cast.users["owner"])
    shown = rate(browser, cast, 5)
    assert shown.context["compared"][0].given == "5"
    assert Response.objects.filter(assignment=page.context["assignment"]).count() == 1
    assert browser.get(reverse("rate", args=[cast.slug])).status_code == 409


@pytest.mark.parametrize("name", ["rate-assignment", "rate-feedback", "rate-background"])
@pytest.mark.parametrize("number", [2**63, 10**23])
def test_a_number_that_no_database_holds_is_the_number_of_no_page(cast, name, number):
    qualify(cast)
    assert joined(cast).get(reverse(name, args=[cast.slug, number])).status_code == 404


def test_no_feedback_of_another_rater_is_shown(cast):
    qualify(cast)
    rate(joined(cast), cast, 5)
    theirs = rater(cast).assignments.get()
    assert joined(cast).get(reverse("rate-feedback", args=[cast.slug, theirs.pk])).status_code == 404
