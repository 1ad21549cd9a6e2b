"""Choices, words and tuples on the rating page: shown as they were given, refused without a fault."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.states import StudyState
from annotation.models import Assignment, Rating, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.demo_studies import create_demo_study
from annotation.services.raters import invite
from annotation.services.studies import change_state

pytestmark = pytest.mark.django_db


def joined(protocol: str) -> tuple[Client, Assignment]:
    """Somebody who rates, and their first page."""
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    study = create_demo_study(template=TEMPLATES[protocol], slug="demo", title="Demo", owner=owner)
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    client = Client()
    link = reverse("join", args=[invite(study=study, actor=owner).token])
    key = client.get(link).context["join_key"]
    client.post(link, {"agree": "yes", "join_key": key}, follow=True)
    return client, Assignment.objects.get(submitted_at=None, position=1)


def save(client: Client, page: Assignment, **fields):
    sent = {
        "submission_key": str(uuid.uuid4()),
        "assignment": page.pk,
        "version": page.version_id,
        **{name.replace("__", "."): value for name, value in fields.items()},
    }
    return client.post(reverse("rate-assignment", args=["demo", page.pk]), sent)


def shown(client: Client, page: Assignment) -> str:
    return client.get(reverse("rate-assignment", args=["demo", page.pk])).content.decode()


def test_words_with_a_bar_and_several_choices_come_back_whole():
    client, page = joined("simile_probing_components")
    answers = {"answer-simile": "yes", "answer-topic": "bread | butter", "answer-vehicle": "salt"}
    assert save(client, page, **answers).status_code == 303
    assert ">bread | butter</textarea>" in shown(client, page)


def test_each_of_several_choices_is_shown_as_chosen():
    client, page = joined("simile_probing_categories")
    assert save(client, page, **{"answer-category": ["time", "sense"]}).status_code == 303
    assert Rating.objects.get().answer == "sense|time"
    assert shown(client, page).count(" checked>") == 2


def test_the_options_of_an_item_are_what_its_choices_say():
    client, page = joined("simile_probing")
    html = shown(client, page)
    assert all(f"<span>{option}</span>" in html for option in page.item.fields["options"].splitlines())
    assert "option 0" not in html


@pytest.mark.parametrize(
    "fields",
    [
        {"answer-tuples": "no tuples"},
        {"answer-tuples": '[{"tuple": 1}]'},
        {"answer-tuples.1.tenor": "only a tenor"},
        {"answer-tuples.1.mood": "tender"},
        {"answer-tuples.1.tenor": "a", "answer-tuples.1.vehicle": "b", "answer-tuples.1.ground": "c" * 9_990},
        {"answer-elsewhere.1.tenor": "a"},
    ],
)
def test_what_are_no_tuples_is_given_back_and_not_stored(fields):
    client, page = joined("cmdag_refined")
    refused = save(client, page, **{"answer-metaphor": "yes", **fields})
    assert refused.status_code == 422
    assert not Rating.objects.exists()
    if "answer-tuples.1.tenor" in fields:
        assert f'value="{fields["answer-tuples.1.tenor"]}"' in refused.content.decode()


def test_rows_keep_their_order_and_are_counted_anew():
    client, page = joined("cmdag_refined")
    parts = ("tenor", "vehicle", "ground")
    rows = {f"answer-tuples.{row}.{part}": f"{part} {row}" for row in (12, 3) for part in parts}
    assert save(client, page, **{"answer-metaphor": "yes", **rows}).status_code == 303
    assert Rating.objects.get(criterion__key="tuples").words == (
        "tenor 3 – vehicle 3 – ground 3; tenor 12 – vehicle 12 – ground 12"
    )


def test_a_chinese_item_is_marked_as_such_and_its_gloss_and_the_consent_are_not():
    client, page = joined("cmdag_refined")
    html = shown(client, page)
    assert f'lang="zh-hans">{page.item.fields["sentence"]}' in html
    assert f'lang="en">{page.item.fields["gloss"]}' in html
    assert 'lang="zh-hans" autocomplete' in html
    assert page.rater.study.language == "en"
