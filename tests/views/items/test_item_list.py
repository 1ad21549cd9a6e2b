"""The list of items: what is searched for is found in any script; its text is the one that raters read."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.base import audit
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.studies.lifecycle import create_from_template

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner@example.org", "simile-and-metaphor-42")


def page(owner: User, name: str, study: Study, **query: str) -> str:
    client = Client()
    client.force_login(owner)
    return client.get(reverse(name, args=[study.slug]), query).content.decode()


def drafted(owner: User, protocol: str, **fields: Any) -> Study:
    study = create_from_template(template=TEMPLATES[protocol], slug="draft", title="Draft", owner=owner)
    add_items(study=study, rows=[NewItem(key="S1", fields=fields, metadata={})])
    return study


@pytest.mark.parametrize("words", ["海洋", "“Like”", "CAFÉ".lower(), 'so "called"', "a 100% thing_"])
def test_items_are_found_by_words_in_any_script(owner: User, words: str) -> None:
    study = drafted(
        owner, "cmdag_refined", sentence='他的温柔像海洋 “Like” a 100% thing_ café so "called"', earlier="–"
    )
    add_items(
        study=study, rows=[NewItem(key="S2", fields={"sentence": "a thing", "earlier": "–"}, metadata={})]
    )
    shown = page(owner, "study-items", study, q=words)
    assert ">S1</a>" in shown
    assert ">S2</a>" not in shown


def test_a_list_without_items_names_the_file_that_waits_for_its_columns(owner: User) -> None:
    study = create_from_template(template=TEMPLATES["hauser"], slug="draft", title="Draft", owner=owner)
    client = Client()
    client.force_login(owner)
    file = SimpleUploadedFile("mine.csv", b"id,plain,figure\na,It rained.,It rained like drums.\n")
    sent = client.post(reverse("study-import", args=[study.slug]), {"what": "columns", "file": file})
    assert f'href="{sent.headers["Location"]}"' in page(owner, "study-items", study)


def test_the_audit_log_is_searched_in_any_script(owner: User) -> None:
    study = drafted(owner, "cmdag_refined", sentence="梦是碗。", earlier="–")
    audit.record(study=study, actor=owner, act="exclude_items", reason="没有隐喻")
    assert "没有隐喻" in page(owner, "study-audit", study, q="隐喻", act="exclude_items")
    assert "没有隐喻" not in page(owner, "study-audit", study, q="比喻", act="exclude_items").replace(
        "q=", ""
    )


def test_the_text_of_an_item_is_the_figure_that_raters_read(owner: User) -> None:
    study = drafted(owner, "cmdag_refined", sentence="梦是碗。", earlier="what was found")
    shown = page(owner, "study-items", study)
    assert "梦是碗。" in shown
    assert "what was found" not in shown


def test_a_pair_is_listed_with_both_its_sides(owner: User) -> None:
    study = drafted(owner, "preference", a="The lake was glass.", b="The lake slept.")
    assert "The lake was glass. / The lake slept." in page(owner, "study-items", study)
