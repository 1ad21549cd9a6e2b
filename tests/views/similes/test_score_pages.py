"""The pages of scores: started, watched and stopped; how a score came about; components corrected."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from scipy.stats import pearsonr

from annotation.domain.base.states import JobState
from annotation.models import AuditEntry, Item, Job, Study, User
from annotation.selectors.studies.demo_study import SLUG
from annotation.services.base.jobs import PAUSED, claim, enqueue
from annotation.services.studies.demo import ensure_demo
from scoring.hauser.base import reasons
from scoring.hauser.metrics.combine import RATIO
from scoring.hauser.metrics.quality import Weights
from scoring.models import ItemComponents, Score, ScoredItem, ScoreRun
from scoring.selectors.base.reason_words import in_words
from scoring.selectors.similes.score_pages import human_means, human_order
from scoring.selectors.similes.weight_pages import weights_compared
from scoring.services.metrics.metrics import compute_metrics
from scoring.services.similes.run_environment import CAUTION
from scoring.services.similes.score_settings import ScoreSettings
from scoring.templatetags.score_words import run_name
from tests.support.people import Cast, make_cast
from tests.support.studies.marked_study import make_marked_study
from tests.support.studies.simile_study import lease_for, make_similes, score

pytestmark = pytest.mark.django_db
FORM = {"profile": "none", "base": "demo", "weights": "1, 0, 0", "extractor": "built-in"}


@pytest.fixture
def cast() -> Cast:
    made = make_cast(opened=False, items=0)
    make_similes(made.study)
    return made


@pytest.fixture
def client(cast: Cast) -> Client:
    browser = Client()
    browser.force_login(cast.users["researcher"])
    return browser


def path(study: Study, rest: str = "") -> str:
    return f"/studies/{study.slug}/scores/{rest}"


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_a_run_is_started_with_its_settings_and_shown_as_waiting(cast: Cast, client: Client) -> None:
    assert client.post(path(cast.study, "runs/"), FORM).status_code == 302
    job = cast.study.jobs.get()
    assert ScoreSettings.from_json(job.params).weights.relevance == 1
    assert "Waiting for a worker." in text_of(client.get(path(cast.study, "runs/")))


@pytest.mark.parametrize(
    "wrong",
    [
        {"weights": "1, 2"},
        {"base": "nowhere"},
        {"metrics": ["beauty"]},
        {"extractor": "trained:/etc"},
        {"extractor": "trained:absent"},
    ],
)
def test_settings_that_cannot_be_used_are_refused_on_the_page(
    cast: Cast, client: Client, wrong: dict[str, Any]
) -> None:
    answer = client.post(path(cast.study, "runs/"), FORM | wrong)
    assert answer.status_code == 422
    assert "Not started." in text_of(answer)
    assert str(settings.MODEL_FOLDER) not in answer.content.decode()
    assert not Job.objects.exists()


def test_a_job_is_paused_and_gone_on_with(cast: Cast, client: Client) -> None:
    client.post(path(cast.study, "runs/"), FORM)
    job = cast.study.jobs.get()
    act = path(cast.study, f"runs/{job.pk}/")
    client.post(act, {"act": "pause"})
    job.refresh_from_db()
    assert (job.state, job.error_code) == (JobState.CANCELLED, "paused")
    assert "Paused." in text_of(client.get(path(cast.study, "runs/")))
    client.post(act, {"act": "resume"})
    assert cast.study.jobs.latest("pk").params == job.params
    assert "Paused." not in text_of(client.get(path(cast.study, "runs/")))
    assert client.post(act, {"act": "delete"}).status_code == 404


def test_components_of_raters_are_offered_and_explained_where_tuples_are_marked(
    cast: Cast, client: Client
) -> None:
    assert 'name="components"' not in client.get(path(cast.study, "runs/")).content.decode()
    study = make_marked_study()
    client.force_login(User.objects.get(email="marked@example.org"))
    assert 'value="raters"' in client.get(path(study, "runs/")).content.decode()
    client.post(path(study, "runs/"), {**FORM, "components": "raters"})
    assert study.jobs.get().params["components"] == "raters"
    score(study, ScoreSettings("none", components="raters"))
    page = text_of(client.get(path(study, "items/s1/")))
    assert "components marked by raters (3 responses: R-001, R-002, R-003)" in " ".join(page.split())


def test_every_reason_that_is_computed_is_explained_in_words_on_the_page_of_its_item(
    cast: Cast, client: Client
) -> None:
    items = list(cast.study.items.order_by("position"))
    texts = ["", "It ran like\x01 a deer.", "I like him.", "It is like this.", "The bus climbed the hill."]
    for item, text in zip(items, texts, strict=False):
        item.fields = {**item.fields, "simile": text}
        item.save()
    alone = items[5]
    alone.group, alone.fields = "", {"simile": "The bus flew like an arrow."}
    alone.save()
    run = score(cast.study, ScoreSettings("none", metrics=("self_bleu_3", "bertscore_f1", "bleu_1")))
    codes = set(Score.objects.filter(run=run).exclude(reason="").values_list("reason", flat=True))
    assert {"empty_text", "control_characters", "no_group", "no_models"} <= codes
    codes |= {"source_too_long"} | {code for name, code in vars(reasons).items() if name.isupper()}
    assert codes == {code for code, _ in in_words(codes)}
    page = text_of(client.get(path(cast.study, f"items/{items[1].key}/")))
    assert "control_characters The text contains control characters." in page


def test_items_are_sorted_by_a_score_with_those_without_a_value_last(cast: Cast, client: Client) -> None:
    run = score(cast.study)
    Score.objects.filter(item__key="G0000-0", metric="informativeness").update(value=None, reason="no_words")
    found = client.get(path(cast.study, "items/"), {"sort": "informativeness"})
    keys = re.findall(r"items/(G\d+-\d)/\?run", found.content.decode())
    assert keys[:2] == ["G0000-3", "G0001-3"]
    assert keys[-1] == "G0000-0"
    assert run_name(run) in text_of(found)


def test_items_whose_texts_were_truncated_for_a_model_are_marked(cast: Cast, client: Client) -> None:
    run = score(cast.study)
    ScoredItem.objects.filter(run=run, item__key="G0000-3").update(truncated=["logic"])
    for page in ("items/", "groups/"):
        answer = client.get(path(cast.study, page))
        assert text_of(answer).count("truncated") == 1
        assert 'title="Logical consistency"' in answer.content.decode()
    api = cast.client("researcher")
    listed = api.get(f"{cast.base}/scores/?page_size=500").json()["results"]
    assert [(row["item"], row["metric"]) for row in listed if row["truncated"]] == [("G0000-3", "logic")]


def test_how_a_score_came_about_is_shown_with_its_numbers(cast: Cast, client: Client) -> None:
    score(cast.study, ScoreSettings("none", metrics=("length",)))
    answer = client.get(path(cast.study, "items/G0000-3/"))
    shown = text_of(answer)
    assert '<em class="vehicle">a kettle on a stove</em>' in answer.content.decode()
    assert "−ln(0 + 1)" in shown.replace("( ", "(")
    assert "Mean number of words (5)" in shown
    assert "no_models" in shown


def test_groups_show_the_order_of_the_run_next_to_that_of_the_raters(cast: Cast, client: Client) -> None:
    score(cast.study)
    answer = client.get(path(cast.study, "groups/"))
    first = re.findall(r"items/(G0000-\d)/", answer.content.decode())
    places = Score.objects.filter(metric="combined", item__group="G0000").order_by("value")
    assert first[0] == places[0].item.key
    assert "Human rank" in text_of(answer)


def test_a_quality_without_a_part_is_named_as_such_among_the_groups(cast: Cast, client: Client) -> None:
    score(cast.study)
    shown = text_of(client.get(path(cast.study, "groups/")))
    assert "Quality (without logical consistency, sentiment consistency)" in shown
    score(cast.study, ScoreSettings("none", weights=Weights(1, 0, 0)))
    assert "Quality (without" not in text_of(client.get(path(cast.study, "groups/")))


def test_codes_in_the_lists_of_scores_are_explained_in_words_below(cast: Cast, client: Client) -> None:
    Item.objects.filter(study=cast.study, key="G0000-0").update(
        fields={"simile": "It ran.", "literal": "It ran."}
    )
    score(cast.study)
    for page in ("items/", "groups/"):
        assert "no_comparator There is no comparator." in text_of(client.get(path(cast.study, page)))


def test_a_group_of_one_and_a_group_of_two_sentences_say_what_their_scores_mean(
    cast: Cast, client: Client
) -> None:
    first, second = cast.study.items.order_by("position")[:2]
    Item.objects.filter(pk=first.pk).update(group="alone")
    Item.objects.filter(pk=second.pk).update(fields={**second.fields, "literal": "Quite another sentence."})
    score(cast.study)
    shown = text_of(client.get(path(cast.study, "groups/")))
    assert shown.count("This group has only 1 candidate") == 1
    assert shown.count("The group has 2 literal sentences.") == 1
    assert "This group has only 1 candidate" in text_of(client.get(path(cast.study, f"items/{first.key}/")))


def test_candidates_without_all_three_ratings_have_no_place_and_do_not_change_the_others() -> None:
    means = {1: {"quality": 1.0, "creativity": 5.0, "informativeness": 5.0}}
    means[2] = {"quality": 5.0, "creativity": 4.0, "informativeness": 1.0}
    means[3] = {"quality": 5.0}
    assert human_order(means, sorted(RATIO)) == {1: 1, 2: 2}
    assert human_order({one: {"clarity": own["quality"]} for one, own in means.items()}, []) == {
        1: 3,
        2: 1,
        3: 1,
    }


def test_components_are_corrected_by_hand_and_only_that_group_is_computed_again(
    cast: Cast, client: Client
) -> None:
    score(cast.study)
    item = path(cast.study, "items/G0000-0/")
    client.post(item, {"topic-0": "The bus", "vehicle-0": "a snail", "event-0": "climbed"})
    stored = ItemComponents.objects.get(item__key="G0000-0")
    text = "The bus number 0 climbed the hill like a snail."
    vehicle = stored.pairs[0]["vehicle"]
    assert (stored.source, text[vehicle["start"] : vehicle["end"]]) == ("corrected", "a snail")
    assert AuditEntry.objects.filter(act="correct_components").exists()
    assert "components have changed" in text_of(client.get(item))
    score(cast.study)
    assert cast.study.jobs.latest("pk").total == 5
    assert "components have changed" not in text_of(client.get(item))
    client.post(item, {"act": "forget"})
    assert not ItemComponents.objects.filter(item__key="G0000-0").exists()


def test_a_corrected_part_is_found_as_whole_words_and_only_where_the_text_has_it(
    cast: Cast, client: Client
) -> None:
    found = cast.study.items.get(key="G0000-0")
    found.fields["simile"] = "The bus bellowed up the hill like a bell of brass."
    found.save()
    client.post(path(cast.study, "items/G0000-0/"), {"topic-0": "The bus", "vehicle-0": "bell"})
    vehicle = ItemComponents.objects.get(item=found).pairs[0]["vehicle"]
    assert (vehicle["start"], vehicle["end"]) == (36, 40)
    # Another text: the correction stays, its offsets do not.
    found.fields["simile"] = "Up the hill the bus went like a bell."
    found.save()
    score(cast.study)
    explanation = ScoredItem.objects.get(item=found).explanation
    assert explanation["components"]["pairs"][0]["vehicle"] == {"text": "bell", "start": None, "end": None}
    assert "components have changed" not in text_of(client.get(path(cast.study, "items/G0000-0/")))


def test_a_correction_without_a_vehicle_is_refused_and_an_empty_one_says_no_simile(
    cast: Cast, client: Client
) -> None:
    item = path(cast.study, "items/G0000-0/")
    assert "no vehicle" in text_of(client.post(item, {"topic-0": "The bus"}, follow=True))
    assert not ItemComponents.objects.exists()
    client.post(item, {})
    score(cast.study)
    assert Score.objects.get(item__key="G0000-0", metric="creativity").reason == "no_simile_by_hand"


@pytest.mark.parametrize("rest", ["", "items/", "items/G0000-0/", "groups/", "weights/", "runs/"])
def test_scores_by_the_embedded_models_say_so_on_every_page(cast: Cast, client: Client, rest: str) -> None:
    score(cast.study)
    ScoreRun.objects.update(caution=CAUTION)
    assert CAUTION.lower() in text_of(client.get(path(cast.study, rest))).lower()


def test_pages_without_a_run_say_where_to_start_one(cast: Cast, client: Client) -> None:
    for rest in ("", "items/", "items/G0000-0/", "groups/", "weights/"):
        assert f'href="{path(cast.study, "runs/")}"' in client.get(path(cast.study, rest)).content.decode()


def test_the_progress_of_a_running_job_is_shown_in_items(cast: Cast, client: Client) -> None:
    lease = lease_for(cast.study)
    lease.beat(4, 10, "Scoring")
    assert "4 of 10 items" in text_of(client.get(path(cast.study, "runs/")))


def test_the_time_left_of_a_running_job_is_shown(cast: Cast, client: Client) -> None:
    lease = lease_for(cast.study)
    lease.beat(4, 10, "Scoring")
    Job.objects.update(expected_end=timezone.now() + timedelta(minutes=12))
    assert "4 of 10 items , about 12 minutes left" in text_of(client.get(path(cast.study, "runs/")))


@pytest.mark.parametrize(
    ("state", "code", "word"),
    [
        (JobState.CANCELLED, "", "Cancelled"),
        (JobState.CANCELLED, PAUSED, "Paused"),
        (JobState.FAILED, "fault", "Failed"),
    ],
)
def test_a_run_that_ended_early_says_how_many_of_the_items_it_has(
    cast: Cast, client: Client, state: JobState, code: str, word: str
) -> None:
    run = score(cast.study)
    shown = cast.study.items.count()
    ScoredItem.objects.filter(run=run, item__in=list(cast.study.items.all()[:2])).delete()
    Job.objects.update(state=state, error_code=code)
    expected = f"{word} after {shown - 2} of {shown} items"
    for rest in ("runs/", "items/", "groups/"):
        assert expected in text_of(client.get(path(cast.study, rest))), rest


def test_a_run_of_all_items_is_not_called_partial(cast: Cast, client: Client) -> None:
    score(cast.study)
    Job.objects.update(state=JobState.CANCELLED)
    for rest in ("items/", "groups/"):
        assert "Cancelled after" not in text_of(client.get(path(cast.study, rest)))


def test_a_cancelled_job_says_how_far_it_came(cast: Cast, client: Client) -> None:
    lease_for(cast.study).beat(412, 1000, "Scoring")
    Job.objects.update(state=JobState.CANCELLED)
    page_text = text_of(client.get(path(cast.study, "runs/")))
    assert "Cancelled. 412 of 1,000 items The scores of these items are saved." in page_text


def test_the_api_starts_lists_and_reads_runs(cast: Cast, tmp_path: Path) -> None:
    api = cast.client("researcher")
    started = api.post(f"{cast.base}/runs/", {"profile": "none", "metrics": ["length"]}, format="json")
    assert (started.status_code, started.json()["kind"]) == (202, "score")
    refused = api.post(f"{cast.base}/runs/", {"knowledge_base": "nowhere"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "no_such_base")
    refused = api.post(f"{cast.base}/runs/", {"extractor": f"trained:{tmp_path}"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_extractor_name")
    score(cast.study)
    listed = api.get(f"{cast.base}/runs/").json()["results"]
    assert [run["profile"] for run in listed] == ["none"]
    assert api.get(listed[0]["url"]).json()["made_with"]["extractor"] == "built-in"


def test_the_weights_page_correlates_with_the_ratings_that_count() -> None:
    ensure_demo()
    study = Study.objects.get(slug=SLUG)
    run = score(study)
    # The parts that need models are given here: what is tried is the sum and its correlation.
    scores = {(one.item_id, one.metric): one for one in Score.objects.filter(run=run)}
    for (item, metric), one in scores.items():
        if metric in {"logic_normalised", "sentiment_normalised"}:
            one.value, one.reason = (item * 7 % 5) / 4 if metric[0] == "l" else (item * 3 % 4) / 3, ""
    Score.objects.bulk_update(scores.values(), ["value", "reason"])
    compared = weights_compared(study, run)
    assert compared["n"] == 40
    fit = dict(compared["ablation"])["relevance"]
    means = {item: own["quality"] for item, own in human_means(study, list(study.items.all())).items()}
    quality = [
        (scores[item, "logic_normalised"].value or 0) * 2 / 6
        + (scores[item, "sentiment_normalised"].value or 0) / 6
        for item in means
    ]
    assert fit.pearson.estimate == pytest.approx(pearsonr(quality, list(means.values())).statistic)
    assert fit.pearson.low < fit.pearson.estimate < fit.pearson.high
    browser = Client()
    browser.force_login(User.objects.get(email="owner@example.org"))
    page = " ".join(text_of(browser.get(path(study, "weights/"))).split())
    assert f"{fit.pearson.estimate:.3f} {fit.pearson.low:.2f} to {fit.pearson.high:.2f}" in page
    assert f"{compared['n_groups']} groups were resampled" in page
    assert f"The items have {compared['n_ratings']} ratings of this criterion." in page


def test_figures_of_scores_by_the_embedded_models_say_so_in_every_file() -> None:
    ensure_demo()
    study = Study.objects.get(slug=SLUG)
    score(study)
    ScoreRun.objects.update(caution=CAUTION)
    params = {"without": [], "replicates": 20}
    job = enqueue(kind="metrics", study=study, params=params, created_by=None, announce=False)
    lease = claim(job_id=job.pk)
    assert lease is not None
    report = compute_metrics(lease=lease)
    browser = Client()
    browser.force_login(User.objects.get(email="owner@example.org"))
    assert CAUTION in text_of(browser.get(f"/studies/{SLUG}/metrics/")).lower()
    for file_format in ("csv", "tex", "svg", "json"):
        answer = browser.get(f"/studies/{SLUG}/metrics/{report.pk}/correlations.{file_format}")
        assert CAUTION in b"".join(answer).decode(), file_format
    plain = browser.get(f"/studies/{SLUG}/metrics/{report.pk}/systems.csv")
    assert CAUTION not in b"".join(plain).decode()


@pytest.mark.parametrize("page", ["", "items/", "groups/", "runs/", "weights/"])
def test_a_run_has_a_readable_name_and_its_settings_are_listed_once(
    cast: Cast, client: Client, page: str
) -> None:
    run = score(cast.study)
    shown = text_of(client.get(path(cast.study, page)))
    assert "HAUSER: no models, knowledge base “demo”" in shown
    assert run.signature not in shown
    assert shown.count(run.name) == (1 if page in {"", "runs/"} else 0)
