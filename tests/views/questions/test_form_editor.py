"""Forms are written in the browser: part by part, seen as raters will see them, saved whole or not at all."""

from __future__ import annotations

import uuid

import pytest
from django.http import QueryDict
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.answers import Submission
from annotation.domain.questions.tuple_settings import TupleSettings
from annotation.models import FormVersion, Rating, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.quality.checks import create_check
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state, create_from_template, create_study
from tests.support.layout import folded
from tests.support.people import Cast, make_cast
from tests.views.questions.form_pages import client_of, fields, form_url

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(opened=False)


def test_a_form_is_made_from_nothing_part_by_part():
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    study = create_study(slug="blank", title="Blank", owner=owner)
    client, url = client_of(owner), reverse("study-form-new", args=["blank"])
    page = client.get(url)
    for act in ("add-criterion", "up-criterion.1", "remove-point.0.4", "add-point.1"):
        page = client.post(url, {**fields(page), "act": act})
    sent = fields(page) | {
        "title": "Jokes",
        "key": "jokes",
        "criterion-0-name": "Wit",
        "criterion-1-name": "Taste",
        "point-0-3-label": "very",
        "point-1-5-keyboard": "x",
    }
    preview = client.post(url, {**sent, "act": "preview"}).content.decode()
    assert 'aria-label="4 of 4, very"' in preview
    assert 'data-keyboard="x"' in preview
    assert client.post(url, {**sent, "act": "save"}).status_code == 302
    first, second = study.forms.get().versions.get().criteria.all()
    assert (first.name, first.minimum, first.maximum) == ("Wit", 1, 4)
    assert (second.name, second.minimum, second.maximum, second.points.count()) == ("Taste", 1, 6, 6)


def test_a_criterion_that_becomes_a_slider_keeps_its_outer_points_as_ends(cast):
    client, url = client_of(cast.users["owner"]), form_url(cast.study)
    sent = {**fields(client.get(url)), "criterion-0-kind": "slider", "act": "kind-criterion.0"}
    page = client.post(url, sent)
    points = page.context["document"]["criteria"][0]["points"]
    assert [(one["value"], one["label"], one["keyboard"]) for one in points] == [
        (sent[f"point-0-{place}-value"], sent[f"point-0-{place}-label"], "") for place in (0, 4)
    ]
    part = page.content.decode().partition('id="criterion-0"')[2].partition('id="criterion-1"')[0]
    assert "Highest value" in part
    assert not [act for act in ("add-point", "up-point", "down-point", "remove-point") if act in part]
    assert client.post(url, {**fields(page), "act": "save"}).status_code == 302
    slider = cast.study.forms.get().versions.latest("number").criteria.first()
    assert (slider.kind, slider.minimum, slider.maximum) == ("slider", 1, 5)


def test_a_new_form_is_previewed_before_it_has_names_and_not_saved_without_them(cast):
    client, url = client_of(cast.users["owner"]), reverse("study-form-new", args=[cast.slug])
    sent = fields(client.get(url))
    preview = client.post(url, {**sent, "act": "preview"}).content.decode()
    assert 'class="criterion' in preview
    assert "This form cannot be shown yet." not in preview
    refused = client.post(url, {**sent, "act": "save"})
    assert refused.status_code == 422
    assert 'href="#title"' in refused.content.decode()


@pytest.mark.parametrize(("typed", "proposed"), [("How good?", "How-good"), ("Çok güzel!", "Cok-guzel")])
def test_a_name_with_other_characters_is_refused_in_words_with_one_that_can_be_taken(cast, typed, proposed):
    client, url = client_of(cast.users["owner"]), reverse("study-form-new", args=[cast.slug])
    sent = {**fields(client.get(url)), "title": "Jokes", "criterion-0-name": "Wit", "key": typed}
    refused = client.post(url, {**sent, "act": "save"})
    message = next(one["message"] for one in refused.context["problems"] if one["field"] == "key")
    assert message == (
        f"Use only the letters A to Z, digits, hyphens and underscores, for example “{proposed}”."
    )
    assert refused.context["document"]["key"] == typed
    assert client.post(url, {**sent, "key": proposed, "act": "save"}).status_code == 302
    assert cast.study.forms.filter(key=proposed).exists()


def test_a_form_without_a_name_in_files_is_named_after_its_title_when_it_is_saved(cast):
    client, url = client_of(cast.users["owner"]), reverse("study-form-new", args=[cast.slug])
    sent = {**fields(client.get(url)), "title": "Bad jokes", "criterion-0-name": "Wit", "key": ""}
    assert client.post(url, {**sent, "act": "preview"}).context["document"]["key"] == ""
    assert client.post(url, {**sent, "act": "save"}).status_code == 302
    assert cast.study.forms.filter(key="Bad-jokes").exists()


def test_the_preview_is_the_rating_page_of_the_first_item(cast):
    client = client_of(cast.users["owner"])
    url = form_url(cast.study)
    live = client.post(url, {**fields(client.get(url)), "act": "preview"}, headers={"HX-Request": "true"})
    shown = live.content.decode()
    assert "<html" not in shown
    rating = client.get(client.get(reverse("rate", args=[cast.slug])).headers["Location"])
    for context in ("criteria", "blocks"):
        ours, theirs = live.context[context], rating.context[context]
        assert [str(one.get("name", one.get("segments"))) for one in ours] == [
            str(one.get("name", one.get("segments"))) for one in theirs
        ]
    start = rating.content.decode().index('<fieldset class="criterion"')
    end = rating.content.decode().index('<div class="rate__foot">')
    assert "".join(rating.content.decode()[start:end].split()) in "".join(shown.split())


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("criterion-0-key", "creativity", "criterion-1-key"),
        ("point-0-1-value", "many", "point-0-1-value"),
        ("criterion-1-asked_after", "nobody", "criterion-1-asked_after"),
        ("title", "", "title"),
        ("point-0-0-label", "half \0", "point-0-0-label"),
        ("point-0-0-value", "9" * 5000, "point-0-0-value"),
    ],
)
def test_what_cannot_be_asked_is_pointed_out_and_not_saved(cast, field, value, named):
    client, url = client_of(cast.users["owner"]), form_url(cast.study)
    before = list(FormVersion.objects.values_list("pk", flat=True))
    page = client.post(url, {**fields(client.get(url)), field: value, "act": "save"})
    assert page.status_code == 422
    assert named in [one["field"] for one in page.context["problems"]]
    content = page.content.decode()
    start = content.index(f'id="{named}"')
    assert 'aria-invalid="true"' in content[start : start + 200]
    assert f'<p class="err" id="{named}-error">' in content
    assert list(FormVersion.objects.values_list("pk", flat=True)) == before


def test_a_change_in_an_open_study_is_a_new_version_and_leaves_the_old_one_as_it_was(cast):
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    cast.invitation.refresh_from_db()
    answer = cast.client("rater").post(
        f"/api/v1/join/{cast.invitation.token}/", {"agree": True}, format="json"
    )
    assert answer.status_code == 201
    rater = cast.study.raters.get()
    page = next_assignment(rater=rater)
    submit(
        assignment=page,
        version=page.version,
        submission=Submission(page_key=uuid.uuid4(), answers={"quality": "5", "creativity": "1"}),
    )
    client, url = client_of(cast.users["admin"]), form_url(cast.study)
    same = client.post(url, {**fields(client.get(url)), "act": "save"})
    assert (same.status_code, FormVersion.objects.count()) == (302, 1)
    sent = fields(client.get(url)) | {"point-0-4-label": "splendid", "act": "save"}
    assert client_of(cast.users["researcher"]).post(url, sent).status_code == 403
    asked = client.post(url, sent)
    assert (asked.status_code, FormVersion.objects.count()) == (200, 1)
    assert client.post(url, {**fields(asked), "act": "save-version"}).status_code == 302
    old, new = FormVersion.objects.order_by("number")
    assert [one.criteria.all()[0].points.all()[4].label for one in (old, new)] == ["quality 5", "splendid"]
    assert set(Rating.objects.values_list("criterion__version", flat=True)) == {old.pk}
    assert next_assignment(rater=rater).version == new


def test_an_open_study_takes_no_form_whose_texts_its_items_lack(cast):
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    client, url = client_of(cast.users["owner"]), form_url(cast.study)
    sent = fields(client.get(url)) | {"block-1-field": "gloss", "block-1-role": "text", "act": "save"}
    page = client.post(url, sent)
    assert page.status_code == 422
    assert "a text that a form shows" in page.context["refusal"]
    assert FormVersion.objects.count() == 1


def test_a_criterion_that_a_check_asks_for_stays(cast):
    create_check(
        study=cast.study,
        actor=cast.users["owner"],
        key="again",
        kind=CheckKind.REPEAT,
        form=cast.study.forms.get(),
        settings={"criteria": ["creativity"]},
    )
    client, url = client_of(cast.users["owner"]), form_url(cast.study)
    page = client.post(url, {**fields(client.get(url)), "act": "remove-criterion.1"})
    refused = client.post(url, {**fields(page), "act": "save"})
    assert refused.status_code == 422
    assert "check again" in refused.content.decode()
    assert cast.study.forms.get().versions.get().criteria.count() == 2


def test_forms_of_a_draft_are_moved_and_removed_with_their_trials():
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    study = create_demo_study(template=TEMPLATES["cmdag"], slug="two", title="Two", owner=owner)
    client = client_of(owner)
    new = reverse("study-form-new", args=["two"])
    sent = fields(client.get(new)) | {
        "title": "Jokes",
        "key": "jokes",
        "criterion-0-name": "Wit",
        "act": "save",
    }
    assert client.post(new, sent).status_code == 302
    before = [form.key for form in study.forms.all()]
    client.post(reverse("study-form-place", args=["two", "jokes"]), {"act": "up"})
    assert [form.key for form in study.forms.all()] == [*before[:-2], before[-1], before[-2]]
    assert client.get(reverse("rate", args=["two"])).status_code == 302
    for key in before:
        client.post(reverse("study-form-place", args=["two", key]), {"act": "remove"})
    assert not study.forms.exists()


def test_whatever_is_posted_the_page_answers(cast):
    client, url = client_of(cast.users["owner"]), form_url(cast.study)
    for query in (
        "act=remove-point.9.9",
        "act=up-block.3",
        "act=add-point.99",
        "act=%00",
        "point-0-0-value=1&act=save",
        "criterion-0-minimum=1e9&act=save",
        "block-0-field=%ed%a0%80&act=preview",
        "criterion-999-key=a&act=save",
    ):
        sent = QueryDict(query).dict()
        assert client.post(url, sent).status_code in {200, 422}, query


def test_a_form_that_asks_which_of_two_is_preferred_stays_one(cast):
    """Its kind and the sides of its texts are among what the page offers, so saving it changes nothing."""
    owner = cast.users["owner"]
    study = create_from_template(slug="pairs", title="Pairs", owner=owner, template=TEMPLATES["preference"])
    page = client_of(owner).get(form_url(study)).content.decode()
    assert '<option value="preference" selected>' in page
    assert page.count('<option value="side" selected>') == 2
    assert 'id="block-1-value" name="block-1-value" maxlength="60" value="b"' in folded(page)


def test_how_tuples_are_given_is_chosen_next_to_their_parts():
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    study = create_demo_study(template=TEMPLATES["cmdag_refined"], slug="refined", title="R", owner=owner)
    client, url = client_of(owner), form_url(study)
    shown = client.get(url).content.decode()
    assert folded(shown).count('-marked" checked>') == 2
    sent = fields(client.get(url)) | {
        "point-1-0-marked": "on",
        "point-1-1-optional": "on",
        "point-1-2-adjective_noun": "on",
        "criterion-1-nouns": "pace, control\r\n节奏、声音",
        "criterion-1-general_nouns": "感觉",
        "criterion-1-refuse_general": "on",
        "criterion-1-units": "words",
    }
    assert client.post(url, {**sent, "act": "save"}).status_code == 302
    stored = FormVersion.objects.get(form__study=study).criteria.get(key="tuples")
    assert TupleSettings.of(stored.settings) == TupleSettings(
        marked=("tenor",),
        optional=("vehicle",),
        adjective_noun=("ground",),
        nouns=("pace", "control", "节奏", "声音"),
        general_nouns=("感觉",),
        refuse_general=True,
        units="words",
    )
    refused = client.post(url, {**sent, "point-1-0-adjective_noun": "on", "act": "save"})
    assert refused.status_code == 422
    assert "Only written components can have two fields." in refused.content.decode()
    assert 'href="#point-1-0-adjective_noun"' in refused.content.decode()


def test_a_kind_that_is_chosen_shows_what_belongs_to_it_at_once():
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    study = create_study(slug="blank", title="Blank", owner=owner)
    client, url = client_of(owner), reverse("study-form-new", args=["blank"])
    chosen = fields(client.get(url)) | {"criterion-0-kind": "tuples", "act": "kind-criterion.0"}
    page = client.post(url, chosen, headers={"HX-Request": "true"})
    shown = page.content.decode()
    assert "<legend>Components</legend>" in shown
    assert 'id="criterion-0-nouns"' in shown
    assert [name for name in ("tenor", "vehicle", "ground") if f'value="{name}"' in shown] == [
        "tenor",
        "vehicle",
        "ground",
    ]
    assert page.context["document"]["criteria"][0]["settings"]["tuples"]["marked"] == ["tenor", "vehicle"]
    back = client.post(url, fields(page) | {"criterion-0-kind": "likert", "act": "kind-criterion.0"})
    assert [point["value"] for point in back.context["document"]["criteria"][0]["points"]] == list("12345")
    assert not study.forms.exists()


def test_points_that_were_written_stay_whatever_kind_is_chosen(cast):
    client, url = client_of(cast.users["owner"]), form_url(cast.study)
    before = fields(client.get(url))
    page = client.post(url, before | {"criterion-0-kind": "tuples", "act": "kind-criterion.0"})
    assert fields(page) == before | {"criterion-0-kind": "tuples"}
