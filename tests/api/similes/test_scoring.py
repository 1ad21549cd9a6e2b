"""Scoring over the API: runs paused and gone on with, explanations read, files sent."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.domain.base.errors import LeaseLost
from annotation.domain.base.states import JobState
from annotation.io.base.writers import CONTENT_TYPES
from annotation.models import Job
from annotation.services.base.jobs import Lease, claim
from scoring.models import FileScoring, ScoredItem
from scoring.services.similes.scoring_uploads import compute_file
from tests.support.people import Cast, make_cast
from tests.support.studies.simile_study import make_similes, score

pytestmark = pytest.mark.django_db
LITERAL = "The old bus climbed the hill."
SENT = [
    {
        "literal": LITERAL,
        "candidates": [f"{LITERAL[:-1]} like a snail.", f"{LITERAL[:-1]} like a ke\x92ttle."],
    }
]
SCORINGS = "/api/v1/scorings/"


@pytest.fixture
def cast() -> Cast:
    made = make_cast(opened=False, items=0)
    make_similes(made.study)
    return made


def test_a_run_is_paused_and_gone_on_with_as_a_new_job(cast: Cast) -> None:
    api = cast.client("researcher")
    started = api.post(f"{cast.base}/runs/", {"profile": "none"}, format="json").json()
    assert api.post(f"{started['url']}resume/").json()["code"] == "job_under_way"
    paused = api.post(f"{started['url']}pause/")
    assert (paused.status_code, paused.json()["state"], paused.json()["error_code"]) == (
        200,
        "cancelled",
        "paused",
    )
    assert api.post(f"{started['url']}pause/").json()["code"] == "job_ended"
    resumed = api.post(f"{started['url']}resume/")
    assert (resumed.status_code, resumed.json()["state"]) == (202, "queued")
    first, second = cast.study.jobs.order_by("pk")
    assert (resumed.headers["Location"], second.params) == (resumed.json()["url"], first.params)
    Job.objects.filter(pk=second.pk).update(state=JobState.DONE)
    assert api.post(f"{resumed.json()['url']}resume/").json()["code"] == "job_done"


def test_how_scores_came_about_is_read_for_all_items_and_for_one(cast: Cast) -> None:
    run = score(cast.study)
    api = cast.client("researcher")
    listed = api.get(f"{cast.base}/runs/{run.pk}/items/").json()
    assert [row["item"] for row in listed["results"]][:2] == ["G0000-0", "G0000-1"]
    one = api.get(f"{cast.base}/runs/{run.pk}/items/G0000-3/").json()
    explanation = one["explanation"]
    text = cast.study.items.get(key="G0000-3").fields["simile"]
    vehicle = explanation["components"]["pairs"][0]["vehicle"]
    assert text[vehicle["start"] : vehicle["end"]] == "a kettle on a stove"
    assert {"pairs", "formula", "value", "reason"} <= explanation["relevance"].keys()
    assert {"raw", "low", "high"} <= explanation["normalised"]["relevance"].keys()
    assert explanation["logic"] == {"value": None, "reason": "no_models"}
    assert one == next(row for row in listed["results"] if row["item"] == "G0000-3")
    ScoredItem.objects.filter(item__key="G0000-3").delete()
    assert api.get(f"{cast.base}/runs/{run.pk}/items/G0000-3/").status_code == 404


def test_a_curve_over_the_corpus_is_asked_for(cast: Cast) -> None:
    run = score(cast.study)
    api = cast.client("researcher")
    asked = api.post(f"{cast.base}/runs/{run.pk}/corpus/", {"samples": 3}, format="json")
    assert (asked.status_code, asked.json()["kind"]) == (202, "corpus")
    refused = api.post(f"{cast.base}/runs/{run.pk}/corpus/", {"samples": 1}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_samples")


def sent(api: Any, content: Any = SENT, name: str = "similes.json", **settings: Any) -> Any:
    file = SimpleUploadedFile(name, json.dumps(content).encode())
    return api.post(SCORINGS, {"file": file, "profile": "none", **settings})


def scored(scoring: FileScoring) -> None:
    lease = claim(job_id=scoring.job_id)
    assert lease is not None
    compute_file(lease=lease)


def test_a_file_is_scored_and_given_back_to_its_sender_alone(cast: Cast) -> None:
    api, other = cast.client("researcher"), cast.client("owner")
    answer = sent(api, bad_texts="clean", weights="1,0,0")
    assert answer.status_code == 202
    address = answer.json()["url"]
    assert answer.headers["Location"] == address
    assert "cleaned of U+0092" in answer.json()["told"][0]
    waiting = api.get(f"{address}scores/")
    assert (waiting.status_code, waiting.json()["code"]) == (409, "not_done")
    assert sent(api, bad_texts="clean").json()["code"] == "scoring_under_way"
    scored(FileScoring.objects.get())
    assert api.get(address).json()["state"] == "done"
    rows = list(csv.DictReader(io.StringIO(b"".join(api.get(f"{address}scores/")).decode())))
    quality = {row["item"]: row["value"] for row in rows if row["metric"] == "quality"}
    assert set(quality) == {"G0001-1", "G0001-2"}
    assert set(quality.values()) == {"0.0", "1.0"}
    assert {row["reason"] for row in rows if row["metric"] == "logic"} == {"no_models"}
    first, *explanations = b"".join(api.get(f"{address}explanations/")).decode().splitlines()
    assert json.loads(first)["made_with"]["base"] == "demo"
    assert json.loads(explanations[1])["text"].endswith("like a ke’ttle.")
    assert [row["id"] for row in api.get(SCORINGS).json()["results"]] == [FileScoring.objects.get().pk]
    for rest in ("", "scores/", "explanations/"):
        assert other.get(f"{address}{rest}").status_code == 404
    assert other.delete(address).status_code == 404
    assert other.get(SCORINGS).json()["results"] == []
    assert api.delete(address).status_code == 204
    assert not Job.objects.filter(kind="score_file").exists()


@pytest.mark.parametrize(
    ("content", "settings", "status", "code"),
    [
        (SENT, {}, 422, "control_characters"),
        (SENT, {"bad_texts": "leave"}, 400, ""),
        ([{"candidates": ["It is like a snail."]}], {}, 422, "no_group"),
        (SENT, {"knowledge_base": "nowhere"}, 422, "no_such_base"),
        (
            [{"literal": LITERAL, "candidates": ["It is like a snail."] * 5001}],
            {},
            422,
            "too_many_candidates",
        ),
    ],
)
def test_a_file_that_cannot_be_scored_is_refused_and_not_stored(
    cast: Cast, content: Any, settings: dict[str, str], status: int, code: str
) -> None:
    answer = sent(cast.client("researcher"), content, **settings)
    assert answer.status_code == status
    assert code in answer.content.decode()
    assert not FileScoring.objects.exists()
    assert not Job.objects.filter(kind="score_file").exists()


def test_texts_that_are_skipped_are_listed_without_values_and_the_others_are_scored(cast: Cast) -> None:
    api = cast.client("researcher")
    texts = ["It is like a snail.", "It is like a \x00\ud800 kettle."]
    address = sent(api, [{"group": "a\x01\ud800b", "candidates": texts}], bad_texts="skip").json()["url"]
    scored(FileScoring.objects.get())
    rows = list(csv.DictReader(io.StringIO(b"".join(api.get(f"{address}scores/")).decode())))
    skipped = [row for row in rows if row["item"].endswith("-2")]
    assert {row["value"] for row in skipped} == {""}
    assert "control_characters" in {row["reason"] for row in skipped}
    assert any(row["value"] for row in rows if row["item"].endswith("-1"))
    for ending in CONTENT_TYPES:
        assert b"".join(api.get(f"{address}scores/?format={ending}")), ending
    explanations = b"".join(api.get(f"{address}explanations/")).decode().splitlines()
    assert len(explanations) == 3


def test_a_file_that_was_deleted_while_it_was_scored_stores_nothing(cast: Cast) -> None:
    sent(cast.client("researcher"), bad_texts="clean")
    scoring = FileScoring.objects.get()
    lease = claim(job_id=scoring.job_id)
    assert isinstance(lease, Lease)
    cast.client("researcher").delete(f"{SCORINGS}{scoring.pk}/")
    with pytest.raises(LeaseLost):
        lease.complete(lambda: None)
    assert not FileScoring.objects.exists()
