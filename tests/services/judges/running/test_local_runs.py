"""Local judges: answers and probabilities of every criterion, by a model that is in a folder."""

from __future__ import annotations

import shutil

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import GroundworkError
from annotation.tasks import run_job
from scoring.models import Judge, JudgeCall, Judgement
from scoring.services.judges.judge_storing import JudgeNotes
from scoring.services.judges.running.adding import add_model_judge
from scoring.services.judges.running.runs import request_run
from scoring.services.judges.running.settings import CLASSIFIER, LocalSettings
from tests.services.judges.running.running_judges import CRITERIA, run
from tests.services.judges.running.tiny_models import causal_checkpoint, classifier_checkpoint
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db
POINTS = ["1", "2", "3", "4", "5"]


@pytest.fixture
def study():
    return make_cast(items=2).study


def judge_of(study, folder, criteria=CRITERIA, name="Local", **changes):
    asked = LocalSettings(str(folder), **changes)
    return add_model_judge(study=study, notes=JudgeNotes(name), criteria=criteria, asked=asked, actor=None)


def refusal(act, *arguments, **named):
    with pytest.raises(GroundworkError) as caught:
        act(*arguments, **named)
    return caught.value.code


def test_a_causal_model_answers_with_the_most_probable_point_and_its_probabilities(study, tmp_path):
    judge = judge_of(study, causal_checkpoint(tmp_path / "model"))
    job = run(judge)
    assert (job.state, job.done, job.total) == ("done", 2, 2)
    rows = list(Judgement.objects.filter(judge=judge))
    assert len(rows) == 4
    for row in rows:
        shares = row.probabilities or {}
        assert list(shares) == POINTS
        assert sum(shares.values()) == pytest.approx(1)
        assert row.value == float(max(shares, key=lambda value: shares[value]))
    assert Judge.objects.get().settings["revision"].startswith("sha256:")


def test_a_classifier_answers_with_the_mean_of_its_labels(study, tmp_path):
    folder = classifier_checkpoint(tmp_path / "model", POINTS)
    judge = judge_of(study, folder, ["quality"], kind=CLASSIFIER, reading="expected")
    run(judge)
    for row in Judgement.objects.filter(judge=judge):
        mean = sum(float(value) * share for value, share in (row.probabilities or {}).items())
        assert row.value == pytest.approx(mean, abs=1e-5)


def test_an_item_that_does_not_fit_the_model_has_a_reason_and_no_answer(study, tmp_path):
    item = study.items.first()
    item.fields = {"simile": "like the sea " * 800}
    item.save()
    judge = judge_of(study, causal_checkpoint(tmp_path / "model"))
    run(judge)
    assert set(Judgement.objects.filter(item=item).values_list("reason", flat=True)) == {"too_long"}


def test_a_run_does_not_go_on_with_another_model(study, tmp_path):
    folder = causal_checkpoint(tmp_path / "model")
    judge = judge_of(study, folder)
    run(judge)
    config = folder / "config.json"
    config.write_text(config.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    JudgeCall.objects.filter(judge=judge).update(state="planned")
    assert refusal(run, judge) == "other_model"


def test_what_a_local_judge_cannot_answer_is_refused_before_anything_is_stored(study, tmp_path):
    folder = tmp_path / "model"
    assert refusal(judge_of, study, folder, kind=CLASSIFIER) == "one_criterion"
    assert refusal(judge_of, study, folder, []) == "no_criteria"
    assert refusal(judge_of, study, folder, ["beauty"]) == "unknown_criterion"
    assert refusal(judge_of, study, folder, reading="median") == "bad_option"
    assert refusal(judge_of, study, "no name") == "bad_checkpoint_name"
    assert not Judge.objects.exists()
    assert refusal(run, judge_of(study, folder)) == "checkpoint_missing"


def test_labels_that_are_no_points_of_the_scale_need_their_values(study, tmp_path):
    folder = classifier_checkpoint(tmp_path / "model", ["a", "b", "c", "d", "e"])
    plain = judge_of(study, folder, ["quality"], kind=CLASSIFIER)
    assert refusal(run, plain) == "labels_not_mapped"
    labels = dict(zip("abcde", POINTS, strict=True))
    named = judge_of(study, folder, ["quality"], "Named", kind=CLASSIFIER, labels=labels)
    run(named)
    assert Judgement.objects.filter(judge=named).count() == 2


@pytest.mark.parametrize(
    ("lost", "code"),
    [
        ("", "checkpoint_missing"),
        ("config.json", "checkpoint_incomplete"),
        ("tokenizer.json", "checkpoint_incomplete"),
        ("model.safetensors", "no_safetensors"),
        ("contents", "checkpoint_unreadable"),
        ("labels", "labels_not_mapped"),
    ],
)
def test_what_is_wrong_with_a_model_is_reported_without_the_path_of_its_folder(study, tmp_path, lost, code):
    folder = classifier_checkpoint(tmp_path / "lab-judge", POINTS if lost != "labels" else list("abcde"))
    if lost == "contents":
        (folder / "config.json").write_text("{", encoding="utf-8")
    elif lost != "labels":
        _remove(folder / lost)
    judge = judge_of(study, folder, ["quality"], kind=CLASSIFIER)
    page = page_of_failed(study, judge, code)
    assert "lab-judge" in page
    assert str(tmp_path) not in page


def test_a_published_model_that_was_not_fetched_is_reported_without_the_path_of_the_folder_of_models(
    study, tmp_path, settings
):
    settings.MODEL_FOLDER = tmp_path / "models"
    page = page_of_failed(study, judge_of(study, "lab/judge"), "checkpoint_missing")
    assert "The checkpoint lab/judge@main is not in the folder of models (GROUNDWORK_MODELS)." in page
    assert str(tmp_path) not in page


def _remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def page_of_failed(study, judge, code):
    """Pages of a judge whose run failed, and of the jobs of its study, and what is stored of the job."""
    job = request_run(judge=judge, actor=None, announce=False)
    run_job(job.pk)
    job.refresh_from_db()
    assert job.error_code == code
    assert isinstance(job.error_sentence, dict), "a page cannot translate this"
    client = Client()
    client.force_login(study.memberships.get(role="owner").user)
    addresses = [
        reverse("study-judge", args=[study.slug, judge.pk]),
        reverse("study-jobs", args=[study.slug]),
    ]
    pages = [client.get(address).content.decode() for address in addresses]
    for page in pages:
        assert job.error_words[:20] in page
    return f"{job.error} {job.error_sentence} {pages}"
