"""The key of the chat endpoint of a study: sent to its endpoint, and found nowhere else."""

from __future__ import annotations

import logging

import pytest
from django.core import serializers
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEntry, Job
from annotation.services.base.key_rotation import reseal_secrets
from annotation.tasks import run_job
from scoring.models import Judge, JudgeCall, JudgeKey, Judgement
from scoring.services.judges.running import runs
from scoring.services.judges.running.endpoint_keys import set_key
from scoring.services.judges.running.runs import request_run
from tests.services.judges.running.running_judges import allowed_judge, run
from tests.support.outside.chat_server import KEY, chat_server
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db
OWN = "own-key-of-this-study-4f7Q"
NEW_SECRET = "the secret key after the first one, for tests only, 0123456789"


@pytest.fixture
def server(settings):
    with chat_server() as running_server:
        settings.JUDGE_ADDRESS = running_server.base
        settings.JUDGE_KEY = KEY
        settings.JUDGE_PRIVATE = True
        yield running_server


@pytest.fixture
def cast():
    return make_cast(items=3)


def page_of(cast, who="owner", page="study-judges"):
    client = Client()
    client.force_login(cast.users[who])
    return " ".join(client.get(reverse(page, args=[cast.slug])).content.decode().split())


def post(cast, **sent):
    client = Client()
    client.force_login(cast.users["owner"])
    return client.post(reverse("study-judge-key", args=[cast.slug]), sent, follow=True).content.decode()


def given(cast, key=OWN):
    return set_key(study=cast.study, actor=cast.users["owner"], key=key)


def everything_stored() -> str:
    models = (Judge, JudgeCall, JudgeKey, Judgement, AuditEntry, Job)
    return str(serializers.serialize("json", [row for model in models for row in model.objects.all()]))


def worked(judge) -> Job:
    """The judge’s job as a worker leaves it."""
    job = request_run(judge=judge, actor=None, announce=False)
    run_job(job.pk)
    job.refresh_from_db()
    return job


def test_the_owner_sets_a_key_which_is_sent_in_place_of_that_of_the_installation(server, cast):
    assert "The key of the installation is used." in page_of(cast)
    page = post(cast, act="set", key=f" {OWN} ")
    assert "Key saved." in page
    assert OWN not in page
    assert "<bdi>…4f7Q</bdi>" in page_of(cast)
    run(allowed_judge(cast.study, cast.users["owner"]))
    assert server.keys == {f"Bearer {OWN}"}
    assert "Key removed." in post(cast, act="remove")
    assert not JudgeKey.objects.exists()
    run(allowed_judge(cast.study, cast.users["owner"], "Second", seed=9))
    assert server.keys == {f"Bearer {OWN}", f"Bearer {KEY}"}
    assert "Key of the chat endpoint" not in page_of(cast, "admin")


def test_pages_say_what_to_do_where_there_is_no_key(server, cast, settings):
    settings.JUDGE_KEY = ""
    assert "There is no key. If the endpoint asks for one" in page_of(cast)
    judge = allowed_judge(cast.study, cast.users["owner"])
    client = Client()
    client.force_login(cast.users["researcher"])
    page = client.get(reverse("study-judge", args=[cast.slug, judge.pk])).content.decode()
    assert "No key is sent to the chat endpoint." in page
    server.script = {"moon 0": ["refused"]}
    assert worked(judge).error_code == "judge_key_refused"


def test_a_key_that_is_replaced_during_a_run_is_sent_with_the_next_call(server, cast, monkeypatch):
    given(cast)
    store = runs._Run._store

    def store_and_replace(self, call, called):
        store(self, call, called)
        given(cast, f"{OWN}-2")

    monkeypatch.setattr(runs._Run, "_store", store_and_replace)
    run(allowed_judge(cast.study, cast.users["owner"]))
    assert server.keys == {f"Bearer {OWN}", f"Bearer {OWN}-2"}


def test_a_new_secret_key_encrypts_it_again_and_the_old_one_opens_it_until_then(server, cast, settings):
    given(cast)
    before = JudgeKey.objects.get().sealed_key
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = NEW_SECRET
    assert JudgeKey.objects.get().key == OWN
    assert {one.what: one.renewed for one in reseal_secrets()}["judge keys"] == 1
    settings.SECRET_KEY_FALLBACKS = []
    assert JudgeKey.objects.get().sealed_key != before
    run(allowed_judge(cast.study, cast.users["owner"]))
    assert server.keys == {f"Bearer {OWN}"}


def test_a_key_that_no_secret_key_opens_is_neither_sent_nor_passed_over(server, cast, settings):
    judge = allowed_judge(cast.study, cast.users["owner"])
    given(cast)
    settings.SECRET_KEY = NEW_SECRET
    assert worked(judge).error_code == "judge_key_unreadable"
    assert server.asked == []
    page = page_of(cast)
    assert "was encrypted with another secret key" in page
    assert "4f7Q" not in page
    assert [one.unreadable for one in reseal_secrets(dry_run=True) if one.what == "judge keys"] == [1]
    given(cast)
    run(judge)
    assert server.keys == {f"Bearer {OWN}"}


def test_a_key_is_not_sent_to_another_address_than_that_for_which_it_was_set(server, cast, settings):
    own, settings.JUDGE_ADDRESS = settings.JUDGE_ADDRESS, "https://models.example.org/v1"
    given(cast)
    settings.JUDGE_ADDRESS = own
    assert "was set for <bdi>models.example.org</bdi>" in page_of(cast)
    run(allowed_judge(cast.study, cast.users["owner"]))
    assert server.keys == {f"Bearer {KEY}"}


@pytest.mark.parametrize(
    "key", ["", "short", "two words of a key", "key\r\nX-Header: 1", "schlüssel-ä-lang", "k" * 401]
)
def test_what_cannot_be_a_key_is_refused_and_not_repeated(server, cast, key):
    page = post(cast, act="set", key=key)
    assert "Enter the key as the endpoint shows it" in page
    assert not key or key not in page
    answer = cast.client("owner").put(f"{cast.base}/judges/key/", {"key": key}, format="json")
    assert answer.status_code in {400, 422}
    assert not key or key not in answer.content.decode()
    assert not JudgeKey.objects.exists()


def test_the_api_sets_shows_and_removes_a_key_and_never_answers_with_it(server, cast):
    address, owner = f"{cast.base}/judges/key/", cast.client("owner")
    assert owner.get(address).json() == {
        "used": "installation",
        "host": server.base.split("/")[2],
        "last_four": "",
        "set_at": None,
        "other_host": "",
    }
    for answer in (owner.put(address, {"key": OWN}, format="json"), owner.get(address)):
        assert answer.status_code == 200
        assert (answer.json()["used"], answer.json()["last_four"]) == ("study", "4f7Q")
        assert OWN not in answer.content.decode()
    assert owner.delete(address).status_code == 204
    assert owner.get(address).json()["used"] == "installation"
    assert cast.client("admin").get(address).status_code == 403


def test_no_row_no_log_and_no_message_has_the_key_even_if_the_endpoint_repeats_it(server, cast, caplog):
    caplog.set_level(logging.DEBUG)
    server.script = {"moon 0": ["repeating"], "moon 1": ["repeating_refusal"]}
    post(cast, act="set", key=OWN)
    judge = allowed_judge(cast.study, cast.users["owner"])
    job = worked(judge)
    assert (job.state, server.keys) == ("failed", {f"Bearer {OWN}"})
    assert "[key]" in str(job.error)
    assert "[key]" in str(Judgement.objects.values_list("raw", flat=True).first())
    assert OWN not in everything_stored()
    assert OWN not in caplog.text
    for page in ("study-judges", "study-audit", "study-jobs"):
        assert OWN not in page_of(cast, page=page)
    assert OWN not in cast.client("owner").get(f"{cast.base}/judges/{judge.pk}/").content.decode()
