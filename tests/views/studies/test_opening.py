"""Before a study opens its page lists what raters and reviewers will miss; one press opens it with a link."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.models import Criterion, FormVersion, Invitation
from annotation.selectors.studies.opening_checklist import (
    NOTE,
    OPEN,
    STOPS,
    points_for_raters,
    points_for_reviewers,
)
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite, revoke
from annotation.services.quality.checks import create_check
from annotation.services.studies.lifecycle import change_state, opening_refusal
from annotation.services.studies.opening import open_with_link
from tests.support.people import Cast, make_cast
from tests.support.studies.choice_study import draft

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """A draft with a link that is revoked, so that it has none which works."""
    cast = make_cast(opened=False)
    revoke(invitation=cast.invitation, actor=cast.users["owner"])
    return cast


def as_member(cast: Cast, who: str) -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def heads(points, state: str) -> set[str]:
    return {point.head for point in points if point.state == state}


def test_one_press_opens_the_study_and_shows_the_link(cast):
    client = as_member(cast, "owner")
    page = client.post(reverse("study-open", args=[cast.slug]), follow=True)
    cast.study.refresh_from_db()
    assert cast.study.state == StudyState.OPEN
    link = Invitation.objects.get(study=cast.study, revoked_at=None)
    assert reverse("join", args=[link.token]) in page.content.decode()


def test_personal_links_have_a_heading_of_their_own_and_name_their_rater(cast):
    mine = invite(study=cast.study, actor=cast.users["owner"], label="Ada", personal=True)
    page = (
        as_member(cast, "owner").post(reverse("study-open", args=[cast.slug]), follow=True).content.decode()
    )
    for_anyone, personal = page.split("<h2>Personal links</h2>")
    open_link = Invitation.objects.get(study=cast.study, revoked_at=None, rater=None)
    assert open_link.token in for_anyone
    assert mine.token not in for_anyone
    assert mine.rater is not None
    assert personal.index(mine.rater.code) < personal.index("Ada") < personal.index(mine.token)


def test_a_link_that_works_already_is_not_replaced(cast):
    made = invite(study=cast.study, actor=cast.users["owner"])
    assert open_with_link(study=cast.study, actor=cast.users["owner"]) == made


def test_the_refusal_names_only_what_is_missing(cast):
    cast.study.items.all().delete()
    assert opening_refusal(cast.study) == "Add at least one item before you open the study."
    cast.study.forms.all().delete()
    assert opening_refusal(cast.study) == "Add at least one item and one form before you open the study."


def test_a_study_that_cannot_open_makes_no_link(cast):
    cast.study.items.all().delete()
    client = as_member(cast, "owner")
    page = client.post(reverse("study-open", args=[cast.slug]), follow=True)
    assert "at least one item" in page.content.decode()
    assert heads(page.context["for_raters"], STOPS) == {"No items"}
    assert not Invitation.objects.filter(study=cast.study, revoked_at=None).exists()


def test_a_study_without_a_form_is_reported_to_lack_that_alone(cast):
    cast.study.forms.all().delete()
    assert opening_refusal(cast.study) == "Add at least one form before you open the study."
    heads_for_reviewers = {one.head for one in points_for_reviewers(cast.study, with_pay=False)}
    assert "How many ratings are enough?" not in heads_for_reviewers
    cast.study.items.all().delete()
    assert opening_refusal(cast.study) == "Add at least one item and one form before you open the study."


def test_the_point_of_the_form_calls_nothing_a_scale_that_has_no_points(cast):
    version = cast.study.forms.get().versions.get()
    version.criteria.all().delete()
    Criterion.objects.create(version=version, key="why", name="Why", question="Why?", kind="text")
    point = next(one for one in points_for_raters(cast.study) if one.head == "Form")
    assert point.words == "1 criterion."


def test_what_raters_need_is_listed_with_the_page_that_changes_it(cast):
    study = cast.study
    study.consent, study.contact = "", ""
    study.save()
    points = points_for_raters(study)
    assert {"Attention checks", "Preview", "Texts for raters"} <= heads(points, OPEN)
    page = as_member(cast, "owner").get(reverse("study-open", args=[cast.slug])).content.decode()
    for point in points:
        assert reverse(point.page, args=[study.slug]) in page


def test_every_point_of_the_list_has_a_link_to_a_page_that_opens(cast):
    study, owner = cast.study, as_member(cast, "owner")
    study.consent, study.contact = "", ""
    study.save()
    invite(study=study, actor=cast.users["owner"], platform=Platform.PROLIFIC)
    points = [*points_for_raters(study), *points_for_reviewers(study, with_pay=True)]
    pages = {point.words.split(".")[0]: point.page for point in points if point.head == "Texts for raters"}
    assert pages == {
        "The consent form is empty": "study-texts",
        "Raters have no contact": "study-settings",
        "A platform link has no completion code": "study-links",
    }
    shown = owner.get(reverse("study-open", args=[cast.slug])).content.decode()
    for point in points:
        address = reverse(point.page, args=[cast.slug])
        assert f'<a href="{address}"' in shown
        assert owner.get(address, follow=True).status_code == 200, point


def test_a_text_that_the_form_shows_and_an_item_lacks_stops_the_opening(cast):
    item = cast.study.items.first()
    item.fields = {}
    item.save()
    assert "Missing texts" in heads(points_for_raters(cast.study), STOPS)


def test_the_same_text_in_two_items_is_named(cast):
    first, second = cast.study.items.order_by("position")[:2]
    second.fields = first.fields
    second.save()
    words = [one.words for one in points_for_raters(cast.study) if one.head == "Items with the same text"]
    assert words == [f"Raters may see the same text twice: {first.key} – {second.key}."]


def test_items_that_share_a_text_without_groups_are_noticed(cast):
    version = cast.study.forms.get().versions.get()
    version.blocks = [{"field": "literal", "role": "literal"}, *version.blocks]
    version.save()
    for place, item in enumerate(cast.study.items.order_by("position")):
        item.group, item.fields = "", {**item.fields, "literal": f"It rained {place // 2}."}
        item.save()
    assert "Groups" in heads(points_for_raters(cast.study), OPEN)
    cast.study.items.update(group="g")
    assert "Groups" not in heads(points_for_raters(cast.study), OPEN)


def test_sets_of_texts_need_neither_groups_nor_labels_of_their_options():
    study = draft("best_worst_novelty")
    texts = [f"text {number}" for number in range(6)]
    sets = [dict(zip("abcd", (*texts, *texts)[first : first + 4], strict=True)) for first in range(6)]
    add_items(
        study=study, rows=[NewItem(f"set-{n}", {**one, "a": texts[n % 3]}) for n, one in enumerate(sets)]
    )
    asked = {point.head: point for point in points_for_raters(study)}
    assert "Groups" not in asked
    assert "Scales without labels" not in asked
    assert asked["Form"].words == "1 criterion."


def test_reviewers_ask_about_precision_the_rule_and_the_pay(cast):
    found = heads(points_for_reviewers(cast.study, with_pay=True), OPEN)
    assert {"Was the exclusion rule declared before data collection?", "What are raters paid?"} <= found
    cast.study.forms.update(overlap=1)
    assert "How many ratings are enough?" in heads(points_for_reviewers(cast.study, with_pay=True), OPEN)


def test_a_researcher_sees_the_list_without_the_pay_and_cannot_open(cast):
    page = as_member(cast, "researcher").get(reverse("study-open", args=[cast.slug]))
    assert "What are raters paid?" not in page.content.decode()
    assert as_member(cast, "researcher").post(reverse("study-open", args=[cast.slug])).status_code == 403


@pytest.mark.parametrize("state", [StudyState.PAUSED, StudyState.CLOSED])
@pytest.mark.parametrize("who", ["admin", "owner"])
def test_a_study_that_is_no_draft_is_not_opened_by_this_page(cast, state, who):
    for to in (StudyState.OPEN, state):
        change_state(study=cast.study, to=to, actor=cast.users["owner"])
    page = as_member(cast, who).post(reverse("study-open", args=[cast.slug]), follow=True)
    assert "The study is no longer a draft." in page.content.decode()
    cast.study.refresh_from_db()
    assert cast.study.state == state
    assert not cast.study.invitations.filter(revoked_at=None, rater=None).exists()


def test_a_link_with_a_limit_is_not_taken_for_that_of_the_study(cast):
    pilot = invite(study=cast.study, actor=cast.users["owner"], cap=5)
    assert open_with_link(study=cast.study, actor=cast.users["owner"]) not in (None, pilot)


def test_a_study_with_a_link_for_a_platform_gets_no_link_for_everybody(cast):
    crowd = invite(study=cast.study, actor=cast.users["owner"], platform=Platform.PROLIFIC, cap=30)
    assert open_with_link(study=cast.study, actor=cast.users["owner"]) == crowd


def test_the_list_says_whatever_else_keeps_the_study_from_opening(cast):
    create_check(
        study=cast.study,
        key="read",
        actor=cast.users["owner"],
        kind=CheckKind.INSTRUCTED,
        form=cast.study.forms.get(),
        settings={"told": {"quality": 2}},
        texts={"simile": "Choose 2."},
    )
    page = as_member(cast, "owner").get(reverse("study-open", args=[cast.slug]))
    assert page.context["stops"]
    assert "Attention checks" in heads(page.context["for_raters"], STOPS)
    assert page.context["refusal"] == opening_refusal(cast.study) != ""
    assert page.context["refusal"] in " ".join(unescape(page.content.decode()).split())


def test_a_criterion_without_a_question_is_a_hint(cast):
    FormVersion.objects.filter(form__study=cast.study).update(question="")
    Criterion.objects.filter(version__form__study=cast.study).update(question="")
    assert "Form" in heads(points_for_raters(cast.study), NOTE)
    FormVersion.objects.filter(form__study=cast.study).update(question="How novel is it?")
    assert "Form" not in heads(points_for_raters(cast.study), NOTE)
