"""The page of an item shows members the picture or the player of each file that the item names."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import MediaFile
from tests.support.media.media_study import picture_cast, recording_cast

pytestmark = pytest.mark.django_db


def shown(cast, who: str) -> tuple[Client, str]:
    client = Client()
    client.force_login(cast.users[who])
    page = client.get(reverse("study-item", args=[cast.slug, cast.study.items.order_by("position")[0].key]))
    assert page.status_code == 200
    return client, page.content.decode()


def test_a_picture_is_shown_with_its_words_and_loads_for_members_alone(tmp_path):
    cast = picture_cast(tmp_path)
    client, page = shown(cast, "researcher")
    found = re.search(r'<img class="media__picture" src="([^"]+)" alt="A field of green 0"', page)
    assert found is not None
    assert client.get(found[1])["Content-Type"] == "image/png"
    assert Client().get(found[1]).status_code != 200


def test_a_recording_has_a_player_and_its_transcript(tmp_path):
    page = shown(recording_cast(tmp_path), "owner")[1]
    assert re.search(r'<audio controls preload="metadata" src="[^"]+"', page)
    assert "Like rain on a roof 0." in page


def test_a_missing_file_is_named_in_place_of_the_picture(tmp_path):
    cast = picture_cast(tmp_path)
    MediaFile.objects.all().delete()
    assert "The file p0.png is missing." in shown(cast, "owner")[1]
