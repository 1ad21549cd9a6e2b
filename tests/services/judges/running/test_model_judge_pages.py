"""Judges that answer by a model are added, allowed, started and watched on pages and by the API."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Criterion, Job
from annotation.services.base.jobs import cancel, claim
from scoring.backends.checkpoints import stored_checkpoints
from scoring.models import Judge, JudgeCall, Judgement
from scoring.services.judges.running.runs import run_judge
from tests.services.judges.running.running_judges import CRITERIA
from tests.services.judges.running.tiny_models import causal_checkpoint
from tests.support.outside.chat_server import KEY, ChatServer, chat_server
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
LOCAL = {"name": "Local", "checkpoint": "judge-1", "criteria": CRITERIA, "kind": "causal", "reading": "mode"}
CHAT = {
    "name": "Chat",
    "model": "judge-1",
    "criteria": CRITERIA,
    "samples": "2",
    "temperature": "0.5",
    "seed": "7",
    "per_minute": "600",
    "price_read": "2",
    "price_written": "8",
    "budget": "5",
}


@pytest.fixture
def server(settings):
    with chat_server() as running_server:
        settings.JUDGE_ADDRESS = running_server.base
        settings.JUDGE_KEY = KEY
        settings.JUDGE_PRIVATE = True
        yield running_server


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3)


@pytest.fixture
def store(settings, tmp_path) -> Path:
    """A folder of models with one checkpoint."""
    settings.MODEL_FOLDER = tmp_path / "models"
    causal_checkpoint(settings.MODEL_FOLDER / "judge-1")
    return Path(settings.MODEL_FOLDER)


def signed_in(cast: Cast, who: str) -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def address(cast: Cast, name: str, *more: int) -> str:
    return reverse(name, args=[cast.slug, *more])


def run_queued() -> None:
    lease = claim(job_id=Job.objects.filter(kind="judge").latest("pk").pk)
    assert lease is not None
    run_judge(lease=lease)


def page_of(client: Client, cast: Cast, judge: Judge) -> str:
    page = client.get(address(cast, "study-judge", judge.pk))
    assert page.status_code == 200
    return page.content.decode()


def added_chat(cast: Cast) -> Judge:
    answer = signed_in(cast, "owner").post(address(cast, "study-judge-add-chat"), CHAT)
    assert answer.status_code == 302, answer.content.decode()
    return Judge.objects.get(name="Chat")


def allowed(cast: Cast, judge: Judge, **sent: str) -> Any:
    return signed_in(cast, "owner").post(address(cast, "study-judge-run", judge.pk), sent, follow=True)


def test_a_local_model_is_added_shows_its_prompt_and_is_started(cast, store):
    client = signed_in(cast, "researcher")
    form = client.get(address(cast, "study-judge-add-model")).content.decode()
    assert '<option value="judge-1"></option>' in form
    assert client.post(address(cast, "study-judge-add-model"), LOCAL).status_code == 302
    judge = Judge.objects.get()
    page = page_of(client, cast, judge)
    assert "Criterion “Quality” (key: quality)" in page
    assert "Each criterion has a prompt of its own." in page
    assert str(store) not in page
    assert not Job.objects.filter(kind="judge").exists()
    client.post(address(cast, "study-judge-run", judge.pk))
    assert "Waiting for a worker." in page_of(client, cast, judge)
    run_queued()
    page = " ".join(page_of(client, cast, judge).split())
    assert "<dt>Calls made</dt> <dd> 3 of 3 </dd>" in page
    assert "<dt>Answers to criteria</dt><dd>6</dd>" in page
    assert "Continue judge" not in page


def test_a_model_that_is_missing_is_refused_when_it_is_named(cast, store):
    client = signed_in(cast, "owner")
    (store / "empty").mkdir()
    for name, code, words in (
        ("judge-2", "checkpoint_missing", "is not in the folder of models. Choose one of judge-1."),
        ("lab/judge@main", "checkpoint_missing", "is not in the folder of models. Choose one of judge-1."),
        ("empty", "checkpoint_incomplete", "has no config.json"),
    ):
        sent = {**LOCAL, "checkpoint": name}
        answer = client.post(address(cast, "study-judge-add-model"), sent)
        assert (answer.status_code, words in answer.content.decode()) == (422, True)
        api = client.post(
            f"/api/v1/studies/{cast.slug}/judges/models/", sent, content_type="application/json"
        )
        assert api.json()["code"] == code
    assert not Judge.objects.exists()


def test_the_model_of_a_judge_changes_until_it_has_an_answer(cast, store):
    shutil.copytree(store / "judge-1", store / "judge-2")
    client = signed_in(cast, "researcher")

    def change(name: str) -> str:
        page = address(cast, "study-judge-model", judge.pk)
        return str(client.post(page, {"checkpoint": name}, follow=True).content.decode())

    client.post(address(cast, "study-judge-add-model"), LOCAL)
    judge = Judge.objects.get()
    client.post(address(cast, "study-judge-run", judge.pk))
    assert "The judge is running." in change("judge-2")
    cancel(job=Job.objects.get(kind="judge"))
    # A run that ended before its first answer has planned calls for the revision of the first model.
    JudgeCall.objects.create(judge=judge, item=cast.study.items.first(), state="planned", key="0" * 64)
    Judge.objects.filter(pk=judge.pk).update(settings=judge.settings | {"revision": "sha256:0123"})
    assert "Choose one of judge-1, judge-2." in change("none")
    assert "Model changed." in change("judge-2")
    judge.refresh_from_db()
    assert judge.settings["model"]["checkpoint"] == str(store / "judge-2")
    assert "revision" not in judge.settings
    assert not JudgeCall.objects.exists()
    entry = cast.study.audit.get(act="change_judge_model")
    assert entry.detail == {"name": "Local", "before": "judge-1", "after": "judge-2"}
    api = f"/api/v1/studies/{cast.slug}/judges/{judge.pk}/"
    back = client.patch(api, {"checkpoint": "judge-1"}, content_type="application/json")
    assert (back.status_code, back.json()["name"]) == (200, "Local")
    judge.refresh_from_db()
    assert judge.settings["model"]["checkpoint"] == str(store / "judge-1")
    add_answer(judge)
    assert "Change model" not in page_of(client, cast, judge)
    assert "The judge has answers of its model." in change("judge-2")
    refused = client.patch(api, {"checkpoint": "judge-2"}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "judge_has_answers")


def add_answer(judge: Judge) -> None:
    criterion = Criterion.objects.get(pk=judge.settings["criteria"][0])
    item = judge.study.items.earliest("pk")
    Judgement.objects.create(judge=judge, item=item, criterion=criterion, value=4, minimum=1, maximum=5)


def test_a_page_reads_no_folder_outside_the_folder_of_models(cast, store, tmp_path):
    outside = causal_checkpoint(tmp_path / "elsewhere")
    client = signed_in(cast, "owner")
    for name in (str(outside), "../elsewhere", "~/models", "a/b/c", "ä" * 150):
        answer = client.post(address(cast, "study-judge-add-model"), {**LOCAL, "checkpoint": name})
        assert answer.status_code == 422
        assert "Enter the name of a model in the folder of models" in answer.content.decode()
        sent = {**LOCAL, "checkpoint": name}
        api = client.post(
            f"/api/v1/studies/{cast.slug}/judges/models/", sent, content_type="application/json"
        )
        assert api.json()["code"] == "bad_checkpoint_name"
    assert not Judge.objects.exists()
    assert stored_checkpoints(store) == ["judge-1"]
    revision = store / "lab--judge" / ("a" * 40)
    revision.mkdir(parents=True)
    (revision / "config.json").touch()
    assert stored_checkpoints(store) == ["judge-1", f"lab/judge@{'a' * 40}"]


def test_what_was_entered_stays_in_a_refused_form(cast, store):
    client = signed_in(cast, "owner")
    answer = client.post(address(cast, "study-judge-add-model"), {**LOCAL, "kind": "classifier"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "A classifier answers one criterion." in page
    assert 'value="judge-1"' in page
    missing = client.post(address(cast, "study-judge-add-model"), {**LOCAL, "criteria": []})
    assert missing.status_code == 422
    assert not Judge.objects.exists()


def test_no_text_leaves_before_the_owner_has_seen_the_prompt_and_confirmed_both(server, cast):
    judge = added_chat(cast)
    page = page_of(signed_in(cast, "owner"), cast, judge)
    assert "Simile: The lamp hung like moon 0." in page
    assert "the texts of 3 items to <bdi>127.0.0.1" in page
    assert "Allow and start" in page
    for sent in ({}, {"consent": "1"}):
        assert (
            "must first allow that the texts of items are sent"
            in allowed(cast, judge, **sent).content.decode()
        )
    assert "consent form must say" in allowed(cast, judge, texts="1").content.decode()
    assert not Job.objects.filter(kind="judge").exists()
    assert server.asked == []
    allowed(cast, judge, texts="1", consent="1")
    run_queued()
    assert len(server.asked) == 6


def test_a_member_who_is_no_owner_can_neither_add_nor_allow_a_chat_judge(server, cast):
    judge = added_chat(cast)
    for who in ("researcher", "admin"):
        client = signed_in(cast, who)
        assert client.post(address(cast, "study-judge-add-chat"), CHAT).status_code == 403
        assert "Chat endpoint</a>" not in client.get(address(cast, "study-judge-add")).content.decode()
        page = page_of(client, cast, judge)
        assert "An owner of the study must first allow" in page
        assert "Allow and start" not in page
        sent = {"texts": "1", "consent": "1"}
        answer = client.post(address(cast, "study-judge-run", judge.pk), sent, follow=True)
        assert "Only an owner of the study may decide" in answer.content.decode()
    assert "texts_may_be_sent" not in Judge.objects.get().settings


def test_the_page_counts_refusals_unreadable_answers_repeated_calls_and_cost(server, cast):
    server.script = {"moon 0": ["declined"], "moon 1": ["prose"]}
    judge = added_chat(cast)
    allowed(cast, judge, texts="1", consent="1")
    run_queued()
    Judge.objects.filter(pk=judge.pk).update(settings={**Judge.objects.get().settings})
    page = " ".join(page_of(signed_in(cast, "researcher"), cast, judge).split())
    assert "<dt>Calls answered</dt><dd>6</dd>" in page
    assert "<dt>Refused by the model</dt><dd>2</dd>" in page
    assert "<dt>Could not be read</dt><dd>2</dd>" in page
    assert "neither a JSON object nor a list of criteria</dt><dd>2</dd>" in page
    assert "<dt>Calls repeated after a crash</dt><dd>0</dd>" in page
    assert "<dt>Cost at most</dt><dd>0.00" in page
    assert "Missing for another reason" not in page
    settings, n = Judge.objects.get().settings, Judgement.objects.count()
    free = {**settings, "chat": {**settings["chat"], "price_read": "0", "price_written": "0"}}
    Judge.objects.filter(pk=judge.pk).update(settings=free)
    Judgement.objects.filter(judge=judge).update(reason="too_long", value=None)
    page = " ".join(page_of(signed_in(cast, "researcher"), cast, judge).split())
    assert f"<dt>Missing for another reason</dt><dd>{n}</dd>" in page
    assert '<details class="confirm" open>' in page
    assert "<dt>Cost at most</dt><dd>unknown, without prices</dd>" in page
    assert KEY not in page


def test_a_cancelled_run_is_continued_and_a_withdrawn_permission_stops_it(server, cast):
    judge = added_chat(cast)
    allowed(cast, judge, texts="1", consent="1")
    cancel(job=Job.objects.get(kind="judge"))
    owner = signed_in(cast, "owner")
    assert "Start judge" in page_of(owner, cast, judge)
    owner.post(address(cast, "study-judge-run", judge.pk))
    run_queued()
    Judgement.objects.filter(judge=judge, sample=2).delete()
    judge.calls.filter(sample=2).update(state="failed")
    assert "Continue judge" in page_of(owner, cast, judge)
    owner.post(address(cast, "study-judge-forbid", judge.pk))
    page = page_of(owner, cast, judge)
    assert "Allow and start" in page
    assert "Continue judge" not in page
    owner.post(address(cast, "study-judge-run", judge.pk))
    assert len(server.asked) == 6


def test_chat_judges_are_not_offered_where_the_installation_has_no_endpoint(cast, settings):
    settings.JUDGE_ADDRESS = ""
    owner = signed_in(cast, "owner")
    assert "Chat judges are off." in owner.get(address(cast, "study-judge-add")).content.decode()
    assert "Chat judges are off." in owner.get(address(cast, "study-judge-add-chat")).content.decode()
    assert owner.post(address(cast, "study-judge-add-chat"), CHAT).status_code == 422
    assert not Judge.objects.exists()


def test_the_api_adds_allows_runs_and_tells_how_far_a_judge_is(server: ChatServer, cast, store):
    owner, base = cast.client("owner"), f"{cast.base}/judges/"
    local = owner.post(f"{base}models/", LOCAL, format="json")
    assert local.status_code == 201, local.json()
    assert local.json()["settings"]["model"]["checkpoint"] == "judge-1"
    sent = {"name": "Chat", "model": "judge-1", "criteria": list(CRITERIA), "budget": "5", "price_read": "1"}
    made = owner.post(f"{base}chats/", sent, format="json")
    assert made.status_code == 201, made.json()
    own = f"{base}{made.json()['id']}/"
    shown = owner.get(own).json()
    assert (shown["run"]["asked"], shown["run"]["planned"], shown["job"]) == (0, 3, None)
    assert "Simile: The lamp hung like moon 0." in shown["prompts"][0]
    assert owner.post(f"{own}run/").json()["code"] == "texts_may_not_leave"
    refused = owner.post(f"{own}permission/", {}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "consent_says_nothing_of_judges")
    assert owner.post(f"{own}permission/", {"consent_names_it": True}, format="json").status_code == 200
    assert owner.post(f"{own}run/").status_code == 202
    run_queued()
    shown = cast.client("researcher").get(own).json()
    assert (shown["run"]["answered"], shown["run"]["answers"], shown["job"]["state"]) == (3, 6, "done")
    assert owner.delete(f"{own}permission/").status_code == 204
    assert owner.post(f"{own}run/").status_code == 409
