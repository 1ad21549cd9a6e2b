"""Published studies over the API: the caller's copy of the files becomes a closed study of theirs."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.models import Membership, Study, User

pytestmark = [pytest.mark.django_db, pytest.mark.published_data]


@pytest.fixture
def caller() -> APIClient:
    client = APIClient()
    client.force_authenticate(User.objects.create_user(email="reader@example.org", name="Reader"))
    return client


def send(client: APIClient, name: str, *files: Path):
    opened = [file.open("rb") for file in files]
    try:
        return client.post(reverse("api_published", args=[name]), {"file": opened}, format="multipart")
    finally:
        for file in opened:
            file.close()


def test_the_caller_owns_the_loaded_study(caller, published_data):
    file = published_data / "hauser" / "human_annotated.csv"
    answer = send(caller, "hauser", file)
    assert (answer.status_code, answer.json()) == (201, {"study": "hauser", "loaded": True})
    assert Membership.objects.get(study__slug="hauser").role == "owner"
    again = send(caller, "hauser", file)
    assert (again.status_code, again.json()) == (200, {"study": "hauser", "loaded": False})


def test_what_another_loaded_is_not_shown(caller, published_data):
    file = published_data / "hauser" / "human_annotated.csv"
    send(caller, "hauser", file)
    other = APIClient()
    other.force_authenticate(User.objects.create_user(email="other@example.org", name="Other"))
    answer = send(other, "hauser", file)
    assert (answer.status_code, answer.json()["code"]) == (409, "loaded_by_another")


def test_a_broken_file_is_refused_and_stores_nothing(caller, published_data, tmp_path):
    text = (published_data / "hauser" / "human_annotated.csv").read_text(encoding="utf-8")
    broken = tmp_path / "human_annotated.csv"
    broken.write_text(text.replace("meteor", "meteors", 1), encoding="utf-8")
    answer = send(caller, "hauser", broken)
    assert answer.status_code == 422
    assert "meteor" in answer.json()["message"]
    assert not Study.objects.exists()


def test_a_file_that_was_not_sent_is_named(caller, published_data):
    answer = send(caller, "hanna", published_data / "hanna" / "ratings_long.csv")
    assert answer.status_code == 422
    assert "hanna_metric_scores.csv" in answer.json()["message"]
