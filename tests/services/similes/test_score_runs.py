"""Runs of scores: complete, once, shared between workers, and never a touch on ratings or corrections."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.domain.base.errors import GroundworkError, InvalidContent, LeaseLost
from annotation.domain.base.states import JobState
from annotation.models import Exclusion, Item, Rating, Study
from annotation.selectors.studies.demo_study import SLUG
from annotation.services.base.job_kinds import pause
from annotation.services.base.jobs import Lease, cancel, claim, shared_lease
from annotation.services.studies.demo import ensure_demo
from scoring.hauser.metrics.quality import Weights
from scoring.models import ItemComponents, MetricDirection, Score, ScoreChunk, ScoredItem, ScoreRun
from scoring.selectors.data.scores import scores_table
from scoring.selectors.data.staleness import data_state
from scoring.selectors.raters.item_figures import out_of_date
from scoring.services.raters.item_figures import KIND as FIGURES
from scoring.services.raters.item_figures import compute_figures
from scoring.services.similes.run_environment import toolkit
from scoring.services.similes.score_chunks import (
    CHUNK_ITEMS,
    ClaimedChunk,
    claimed_chunks,
    plan_chunks,
    take_chunk,
)
from scoring.services.similes.score_runs import compute_scores, ensure_run, request_scores
from scoring.services.similes.score_settings import ScoreSettings, checked_settings
from tests.support.studies.disagreement_study import figures_of, make_study
from tests.support.studies.simile_study import PLAIN, lease_for, make_similes, score

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return Study.objects.create(slug="buses", title="Buses")


def chunks_of_last_job(study: Study) -> int:
    return ScoreChunk.objects.filter(job=study.jobs.latest("pk")).count()


def values(study: Study) -> dict[tuple[str, str], tuple[float | None, str]]:
    found = Score.objects.filter(run__study=study).values_list("item__key", "metric", "value", "reason")
    return {(item, metric): (value, reason) for item, metric, value, reason in found}


def test_every_item_has_every_score_as_a_value_or_a_reason(study):
    make_similes(study)
    run = score(study)
    metrics = set(Score.objects.filter(run=run).values_list("metric", flat=True))
    assert {"relevance", "logic", "sentiment_normalised", "quality", "creativity", "combined"} <= metrics
    assert Score.objects.filter(run=run).count() == 10 * len(metrics)
    assert ScoredItem.objects.filter(run=run).count() == 10
    assert set(Score.objects.filter(metric="logic").values_list("reason", flat=True)) == {"no_models"}
    assert (run.profile, run.revision, run.caution) == ("none", 1, "")
    assert run.made_with["knowledge_base"]["name"] == "demo"


def test_the_job_ends_with_its_last_chunk_and_counts_items(study):
    make_similes(study, groups=60)
    score(study)
    job = study.jobs.get()
    assert (job.state, job.done, job.total) == (JobState.DONE, 300, 300)
    assert ScoreChunk.objects.filter(job=job, done_at=None).count() == 0
    assert chunks_of_last_job(study) == -(-300 // (CHUNK_ITEMS + 2))


def test_running_again_on_unchanged_items_does_no_work(study):
    make_similes(study)
    score(study)
    before = list(Score.objects.order_by("pk").values_list("pk", flat=True))
    score(study)
    assert chunks_of_last_job(study) == 0
    assert list(Score.objects.order_by("pk").values_list("pk", flat=True)) == before
    assert ScoreRun.objects.get().revision == 1


def test_a_changed_text_has_its_group_computed_again_and_no_other(study):
    items = make_similes(study)
    score(study)
    unchanged = set(Score.objects.filter(item__group="G0001").values_list("pk", flat=True))
    items[0].fields["simile"] = "The bus number 0 climbed the hill like a wolf."
    items[0].save()
    score(study)
    assert ScoreChunk.objects.get(job=study.jobs.latest("pk")).items == [item.pk for item in items[:5]]
    assert set(Score.objects.filter(item__group="G0001").values_list("pk", flat=True)) == unchanged
    assert ScoreRun.objects.get().revision == 2


def test_a_candidate_that_comes_into_a_group_of_its_own_is_computed_again(study):
    (item,) = make_similes(study, groups=1, each=1)
    Item.objects.filter(pk=item.pk).update(group="", fields={"simile": "It ran like a deer."})
    score(study, ScoreSettings("none", weights=Weights(1, 0, 0)))
    assert values(study)["G0000-0", "quality"] == (None, "no_parts")
    Item.objects.filter(pk=item.pk).update(group="deer")
    score(study, ScoreSettings("none", weights=Weights(1, 0, 0)))
    assert values(study)["G0000-0", "quality"] == (0.5, "")


def test_other_weights_make_a_second_run(study):
    make_similes(study)
    score(study)
    score(study, replace(PLAIN, weights=Weights(1, 0, 0)))
    assert ScoreRun.objects.count() == 2
    assert Score.objects.filter(metric="quality", value__isnull=False).count() == 10


def test_an_exclusion_changes_no_score_and_excluded_items_are_scored():
    ensure_demo()
    study = Study.objects.get(slug=SLUG)
    excluded = study.items.earliest("position")
    ratings = list(Rating.objects.order_by("pk").values_list("pk", "value"))
    score(study)
    before = values(study)
    Exclusion.objects.create(study=study, item=excluded, reason="lacks context")
    score(study)
    assert values(study) == before
    assert (excluded.key, "relevance") in before
    assert chunks_of_last_job(study) == 0
    # The demo's components are marked.
    assert not ItemComponents.objects.exclude(source="given").exists()
    assert list(Rating.objects.order_by("pk").values_list("pk", "value")) == ratings


def test_a_correction_by_hand_is_used_and_outlasts_every_run(study):
    item = make_similes(study)[0]
    score(study)
    vehicle = {"text": "a kettle on a stove and a pot", "start": None, "end": None}
    pair = {"topic": None, "vehicle": vehicle, "event": None, "property": None, "comparator": None}
    ItemComponents.objects.filter(item=item).update(source="corrected", pairs=[pair], reason="")
    score(study)
    score(study, replace(PLAIN, weights=Weights(1, 0, 0)))
    stored = ItemComponents.objects.get(item=item)
    assert (stored.source, stored.pairs) == ("corrected", [pair])
    lengths = Score.objects.filter(item=item, metric="informativeness").values_list("value", flat=True)
    assert set(lengths) == {8}


def test_bad_texts_are_stored_as_reasons_and_the_rest_is_scored(study):
    items = make_similes(study)
    items[0].fields = {"literal": "", "simile": " "}
    items[1].fields["simile"] = "A\x07bell."
    Item.objects.bulk_update(items[:2], ["fields"])
    score(study)
    found = values(study)
    assert found[items[0].key, "creativity"] == (None, "empty_text")
    assert found[items[1].key, "creativity"] == (None, "control_characters")
    assert found[items[2].key, "creativity"][0] is not None
    assert study.jobs.get().state == JobState.DONE


def planned(study: Study):
    lease = lease_for(study)
    with toolkit(PLAIN) as kit:
        run = ensure_run(study, kit)
    plan_chunks(lease=lease, study=study, run=run, asked=PLAIN)
    return lease


def helper(lease: Lease) -> Lease:
    shared = shared_lease(job_id=lease.job.pk)
    assert shared is not None
    return shared


def taken(lease: Lease) -> ClaimedChunk:
    held = take_chunk(lease.job)
    assert held is not None
    return held


def run_out(chunk: ScoreChunk) -> None:
    ScoreChunk.objects.filter(pk=chunk.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_workers_that_share_a_run_take_different_chunks_and_that_of_a_dead_one_is_taken_up(study):
    make_similes(study, groups=60)
    lease = planned(study)
    other = helper(lease)
    assert other.token == lease.token
    first, second, third = taken(lease), taken(other), taken(lease)
    assert len({first.chunk.pk, second.chunk.pk, third.chunk.pk}) == 3
    assert take_chunk(other.job) is None
    run_out(first.chunk)
    again = taken(other)
    assert again.chunk.pk == first.chunk.pk
    with pytest.raises(LeaseLost):
        first.finish()


def test_a_chunk_held_since_before_the_clock_was_set_back_is_taken_up(study):
    make_similes(study)
    lease = planned(study)
    first = taken(lease)
    assert (take_chunk(lease.job), claimed_chunks(lease.job).count()) == (None, 1)
    ScoreChunk.objects.filter(pk=first.chunk.pk).update(lease_until=timezone.now() + timedelta(hours=1))
    assert claimed_chunks(lease.job).count() == 0
    assert taken(lease).chunk.pk == first.chunk.pk


def test_a_run_that_keeps_its_worker_long_waits_for_its_next_turn_when_another_study_asks(study):
    make_similes(study, groups=60)
    job = request_scores(study=study, actor=None, asked=PLAIN)
    first = claim(job_id=job.pk)
    assert first is not None
    first.needed_elsewhere = lambda: True
    compute_scores(lease=first, sharing=False)
    job.refresh_from_db()
    assert (job.state, job.attempt, job.done) == (JobState.QUEUED, 0, 130)
    second = claim(job_id=job.pk)
    assert second is not None
    compute_scores(lease=second, sharing=False)
    job.refresh_from_db()
    assert (job.state, job.attempt, job.done, job.total) == (JobState.DONE, 1, 300, 300)


def test_a_run_continues_with_the_worker_that_remains(study):
    make_similes(study, groups=60)
    lease = planned(study)
    held = taken(lease)
    other = helper(lease)
    other.needed_elsewhere = lambda: True
    compute_scores(lease=other, helping=True)
    held.renew()
    lease.renew()
    lease.job.refresh_from_db()
    assert (lease.job.state, lease.job.done) == (JobState.RUNNING, 130)


def test_a_worker_that_comes_late_finds_nothing_to_do_and_does_not_end_the_job(study):
    make_similes(study)
    lease = planned(study)
    held = taken(lease)
    compute_scores(lease=helper(lease), helping=True)
    lease.job.refresh_from_db()
    assert lease.job.state == JobState.RUNNING
    held.release()
    compute_scores(lease=helper(lease), helping=True)
    lease.job.refresh_from_db()
    assert (lease.job.state, Score.objects.exists()) == (JobState.DONE, True)


def test_a_helper_does_nothing_before_the_run_is_planned(study):
    make_similes(study)
    lease = lease_for(study)
    compute_scores(lease=helper(lease), helping=True)
    assert not ScoreRun.objects.exists()


@pytest.mark.parametrize("stop", [pause, cancel])
def test_what_a_stopped_worker_still_computes_is_not_stored_and_the_next_job_goes_on(study, stop):
    make_similes(study, groups=60)
    lease = planned(study)
    stop(job=lease.job)
    with pytest.raises(LeaseLost):
        compute_scores(lease=lease, helping=True)
    assert not Score.objects.exists()
    score(study)
    assert ScoredItem.objects.count() == 300


def test_a_paused_run_goes_on_where_it_was(study):
    make_similes(study, groups=60)
    score(study)
    gone = Score.objects.filter(item__group="G0007")
    ScoredItem.objects.filter(item__group="G0007").delete()
    gone.delete()
    score(study)
    assert study.jobs.latest("pk").total == 5
    assert gone.exists()


def test_an_interrupted_job_is_not_gone_on_with_by_a_worker_with_other_software(study):
    make_similes(study)
    lease = planned(study)
    ScoreRun.objects.update(key="0" * 64)
    with pytest.raises(GroundworkError) as caught:
        compute_scores(lease=lease)
    assert caught.value.code == "other_software"


def test_the_directions_of_computed_metrics_are_declared_where_no_one_has(study):
    make_similes(study)
    MetricDirection.objects.create(study=study, metric="creativity", direction="unsigned")
    score(study)
    declared = dict(MetricDirection.objects.values_list("metric", "direction"))
    assert (declared["combined"], declared["relevance"], declared["creativity"]) == (
        "lower",
        "higher",
        "unsigned",
    )


def test_a_run_that_computed_something_makes_reports_on_metrics_stale(study):
    items = make_similes(study)
    score(study)
    before = data_state(study, "metrics")
    score(study)
    assert data_state(study, "metrics") == before
    items[0].fields["simile"] = "The bus is like a wolf."
    items[0].save()
    score(study)
    assert data_state(study, "metrics") != before


def test_an_empty_study_and_unknown_settings_are_refused(study):
    with pytest.raises(InvalidContent, match="no items"):
        request_scores(study=study, actor=None, asked=PLAIN)
    with pytest.raises(InvalidContent) as caught:
        checked_settings(profile="none", base="nowhere")
    assert caught.value.code == "no_such_base"
    assert ScoreSettings.from_json(PLAIN.as_json()) == PLAIN


def test_the_export_says_run_profile_and_reason(study):
    make_similes(study)
    run = score(study)
    columns, rows = scores_table(study)
    row = next(row for row in rows if row["metric"] == "logic")
    assert columns[:6] == ("item", "metric", "value", "run", "profile", "reason")
    assert (row["run"], row["profile"], row["reason"]) == (run.name, "none", "no_models")


def test_two_jobs_of_the_same_settings_are_one(study):
    make_similes(study)
    first = request_scores(study=study, actor=None, asked=PLAIN, announce=False)
    assert request_scores(study=study, actor=None, asked=PLAIN, announce=False) == first
    assert claim(job_id=first.pk) is not None


def test_scores_of_truncated_texts_say_so_in_the_export(study):
    items = make_similes(study)
    run = score(study)
    ScoredItem.objects.filter(run=run, item=items[0]).update(truncated=["logic"])
    _, rows = scores_table(study)
    cut = [(row["item"], row["metric"]) for row in rows if row["truncated"]]
    assert cut == [(items[0].key, "logic")]


def test_scores_ask_for_the_figures_again_where_they_were_asked_for_before(study):
    rated = make_study(groups=2)
    figures_of(rated)
    score(rated)
    waiting = rated.jobs.get(kind=FIGURES, state=JobState.QUEUED)
    lease = claim(job_id=waiting.pk)
    assert lease is not None
    made = compute_figures(lease=lease)
    assert not out_of_date(rated, made)
    assert not rated.jobs.filter(state=JobState.QUEUED).exists()

    make_similes(study)
    score(study)
    assert not study.jobs.filter(kind=FIGURES).exists()
