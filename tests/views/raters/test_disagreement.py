"""The item list: its address is the view, every column sorts and filters, and nothing stale looks fresh."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Exclusion, ExclusionLift, Job, Rating, Study
from scoring.models import FigureSet, ItemFigure, SavedView, Score, ScoreChunk, ScoreRun
from scoring.selectors.raters.item_matches import ItemKeys, item_keys
from scoring.selectors.raters.item_query import columns_of, read_view
from scoring.selectors.raters.item_rows import file_table
from scoring.selectors.similes.item_page import newest_scores
from tests.support.studies.disagreement_study import figures_of, make_study, owner_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    study = make_study()
    run = ScoreRun.objects.create(study=study, name="one")
    Score.objects.bulk_create(
        Score(run=run, item=item, metric="length", value=float(number % 7))
        for number, item in enumerate(study.items.order_by("position"))
        if number % 10
    )
    return study


@pytest.fixture
def made(study: Study) -> FigureSet:
    return figures_of(study)


@pytest.fixture
def client(study: Study) -> Client:
    client = Client()
    client.force_login(owner_of(study))
    return client


def keys(made: FigureSet, query: str) -> list[str]:
    return item_keys(made, read_view(QueryDict(query), made))


def values_of(study: Study, criterion: str) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    rows = Rating.objects.filter(criterion__key=criterion).values_list(
        "response__assignment__item__key", "value"
    )
    for key, value in rows:
        assert value is not None
        found.setdefault(key, []).append(value)
    return found


def test_stored_figures_are_those_of_the_ratings(study: Study, made: FigureSet) -> None:
    for criterion in ("quality", "creativity"):
        values = values_of(study, criterion)
        for figure in ItemFigure.objects.filter(summary__made=made, criterion=criterion).select_related(
            "summary"
        ):
            own = values[figure.summary.key]
            assert figure.mean == pytest.approx(np.mean(own))
            assert figure.sd == pytest.approx(np.std(own, ddof=1))
            assert (figure.n, figure.range) == (3, max(own) - min(own))
            assert figure.counts == {str(value): own.count(value) for value in sorted(set(own))}


@pytest.mark.parametrize("sign", ["", "-"])
def test_every_column_sorts_with_missing_values_last(made: FigureSet, sign: str) -> None:
    for column in columns_of(made, "length"):
        view = read_view(QueryDict(f"metric=length&sort={sign}{column}"), made)
        assert not view.problems
        assert ItemKeys(made, view).count() == 60
    ordered = keys(made, f"metric=length&sort={sign}quality.divergence")
    without_score = {f"G{number // 5:02d}-{number % 5}" for number in range(0, 60, 10)}
    assert set(ordered[-6:]) == without_score


@pytest.mark.parametrize("sign", ["", "-"])
def test_each_column_sorts_as_the_stored_figures_do_and_ties_go_by_position(
    made: FigureSet, sign: str
) -> None:
    summaries = list(made.summaries.order_by("position"))
    figures = {(one.summary_id, one.criterion): one for one in ItemFigure.objects.all()}
    for column in columns_of(made):
        criterion, _, name = column.rpartition(".")
        values = {
            one.key: getattr(figures[one.pk, criterion] if criterion else one, name) for one in summaries
        }
        known = [one.key for one in summaries if values[one.key] is not None]
        unknown = [one.key for one in summaries if values[one.key] is None]
        if sign:
            known.reverse()
            known.sort(key=values.__getitem__)
            known.reverse()
        else:
            known.sort(key=values.__getitem__)
        assert keys(made, f"sort={sign}{column}") == known + unknown, column


def test_sorts_combine_and_ties_go_to_the_second(study: Study, made: FigureSet) -> None:
    quality, creativity = values_of(study, "quality"), values_of(study, "creativity")
    ordered = keys(made, "sort=-quality.range,creativity.mean")
    sort_keys = [(-np.ptp(quality[key]), np.mean(creativity[key])) for key in ordered]
    assert sort_keys == sorted(sort_keys)


def test_filters_combine(study: Study, made: FigureSet) -> None:
    quality = values_of(study, "quality")
    found = keys(made, "where=quality.sd>=1&where=n_cannot<1&system=tuned&split=quality&q=CANDIDATE")
    lacking = {f"G{number // 5:02d}-{number % 5}" for number in range(60) if number % 20 < 2}
    wanted = {
        key
        for key, own in quality.items()
        if np.std(own, ddof=1) >= 1
        and min(own) <= 2
        and max(own) >= 4
        and key not in lacking
        and key[-1] in "14"
    }
    assert set(found) == wanted
    assert wanted


def test_bounds_of_opposition_can_be_moved(study: Study, made: FigureSet) -> None:
    quality = values_of(study, "quality")
    found = keys(made, "split=quality&low=1&high=5")
    assert set(found) == {key for key, own in quality.items() if min(own) <= 1 and max(own) >= 5}
    assert set(found) < set(keys(made, "split=quality"))


def test_the_stored_divergence_is_that_of_the_library(study: Study, made: FigureSet) -> None:
    from scoring.stats.raters.disagreement import divergence, standard_of

    scores = dict(Score.objects.values_list("item__key", "value"))
    means = {key: float(np.mean(own)) for key, own in values_of(study, "quality").items()}
    human = np.array([means[key] for key in sorted(means)])
    metric = np.array([scores.get(key, np.nan) for key in sorted(means)], dtype=np.float64)
    standard = standard_of(human, metric)
    assert standard is not None
    divergences = divergence(human, metric, standard)
    wanted = [key for key, value in zip(sorted(means), divergences, strict=True) if value > 1]
    assert sorted(keys(made, "metric=length&where=quality.divergence>1")) == wanted
    assert wanted
    _, rows = file_table(made, read_view(QueryDict("metric=length&sort=key"), made))
    shown = [row["quality.divergence"] for row in rows]
    assert shown == [None if np.isnan(value) else value for value in divergences]


def test_a_divergence_from_scores_that_are_being_replaced_is_shown_as_out_of_date(
    study: Study, made: FigureSet, client: Client
) -> None:
    """A run counts as computed once more only when it has ended; its scores are new before that."""
    address, warning = reverse("study-disagreement", args=[study.slug]), "These results are out of date."
    run = ScoreRun.objects.get()
    job = Job.objects.create(study=study, kind="score")
    chunk = ScoreChunk.objects.create(job=job, run=run, number=0)
    assert warning not in client.get(f"{address}?metric=length").content.decode()
    run.scores.filter(value=3).update(value=9)
    chunk.done_at = timezone.now()
    chunk.save()
    assert warning in client.get(f"{address}?metric=length").content.decode()


def test_figures_that_newer_ones_just_replaced_list_nothing(made: FigureSet) -> None:
    view = read_view(QueryDict("metric=length&sort=-quality.divergence&where=quality.sd>=0"), made)
    FigureSet.objects.all().delete()
    assert item_keys(made, view) == []


def test_what_cannot_be_read_is_reported_and_left_out(made: FigureSet) -> None:
    view = read_view(
        QueryDict("sort=nonsense&where=quality.sd>x&where=key>1&split=taste&metric=none&low=a"), made
    )
    assert len(view.problems) == 6
    assert ItemKeys(made, view).count() == 60


def test_a_view_written_out_is_read_back_the_same(made: FigureSet) -> None:
    query = "q=bus&system=tuned&state=included&split=any&low=1.5&where=quality.sd>=1"
    query += "&sort=-quality.sd,key&metric=length&show=mean"
    view = read_view(QueryDict(query), made)
    assert not view.problems
    assert read_view(QueryDict(view.query()), made) == view


def test_the_state_is_that_of_this_moment(study: Study, made: FigureSet, client: Client) -> None:
    chosen = ["G00-0", "G03-2"]
    client.post(reverse("study-exclude-items", args=[study.slug]), {"item": chosen, "reason": "Not similes."})
    assert keys(made, "state=excluded&sort=key") == chosen
    assert len(keys(made, "state=included")) == 58
    assert Rating.objects.count() == 360
    for one in Exclusion.objects.filter(item__key="G00-0"):
        ExclusionLift.objects.create(exclusion=one)
    assert keys(made, "state=excluded") == ["G03-2"]


def test_stale_figures_say_so(study: Study, made: FigureSet, client: Client) -> None:
    address, warning = reverse("study-disagreement", args=[study.slug]), "These results are out of date."
    assert warning not in client.get(address).content.decode()
    Exclusion.objects.create(study=study, rater=study.raters.first(), reason="Asleep.")
    assert warning in client.get(address).content.decode()
    again = figures_of(study)
    assert warning not in client.get(address).content.decode()
    assert list(FigureSet.objects.filter(study=study)) == [again]
    assert set(ItemFigure.objects.values_list("n", flat=True)) == {2}


def test_the_file_holds_every_item_of_the_view(made: FigureSet, study: Study, client: Client) -> None:
    address = reverse("study-disagreement-download", args=[study.slug, "csv"])
    answer: Any = client.get(f"{address}?split=quality&sort=-quality.sd")
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))
    assert [row["item"] for row in rows] == keys(made, "split=quality&sort=-quality.sd")
    assert {row["quality.opposed"].lower() for row in rows} == {"true"}
    columns, _ = file_table(made, read_view(QueryDict("metric=length"), made))
    assert "quality.divergence" in columns


def test_a_view_is_saved_under_a_name_and_forgotten(study: Study, made: FigureSet, client: Client) -> None:
    query = "split=quality&sort=-quality.sd"
    client.post(reverse("study-view-save", args=[study.slug]), {"name": "Split", "query": query})
    view = SavedView.objects.get()
    page = client.get(reverse("study-disagreement", args=[study.slug]) + f"?{view.query}")
    assert "Split" in page.content.decode()
    answer = client.post(reverse("study-view-forget", args=[study.slug, view.pk]), follow=True)
    assert not SavedView.objects.exists()
    assert "View deleted." in answer.content.decode()


@pytest.mark.parametrize("there", ["nan", "-1", "[]", "//x.org/", "https://x.org/", "/\\x.org"])
def test_only_an_address_of_this_site_is_gone_back_to(
    study: Study, made: FigureSet, client: Client, there: str
) -> None:
    for page in ("study-disagreement-refresh", "study-adjudication-send"):
        answer = client.post(reverse(page, args=[study.slug]), {"next": there})
        assert answer.status_code == 302
        assert answer["Location"].startswith(f"/studies/{study.slug}/")
    own = reverse("study-raters", args=[study.slug])
    answer = client.post(reverse("study-disagreement-refresh", args=[study.slug]), {"next": own})
    assert answer["Location"] == own


def test_the_page_shows_ratings_and_pages_on(study: Study, made: FigureSet, client: Client) -> None:
    first = client.get(
        reverse("study-disagreement", args=[study.slug])
        + "?sort=key&show=mean&show=from_alpha&metric=length&show=divergence"
    )
    assert 'aria-label="Quality: ' in first.content.decode()
    second = client.get(
        reverse("study-disagreement", args=[study.slug]) + "?sort=key&page=2"
    ).content.decode()
    assert "G11-4" in second
    assert "G00-0<" not in second


def test_nothing_computed_yet_offers_to_compute(study: Study, client: Client) -> None:
    page = client.get(reverse("study-disagreement", args=[study.slug])).content.decode()
    assert "No results yet." in page
    client.post(reverse("study-disagreement-refresh", args=[study.slug]))
    assert study.jobs.get().kind == "item_figures"


def test_the_page_of_an_item_tells_the_scores_of_the_newest_run(study: Study) -> None:
    item = study.items.order_by("position")[1]
    for value in (0.25, 0.75):
        run = ScoreRun.objects.create(study=study, name=f"run {value}")
        Score.objects.create(run=run, item=item, metric="length", value=value)
    assert newest_scores(study, [item])[item.pk]["length"].value == 0.75


def test_words_that_no_database_keeps_are_refused_and_store_nothing(study: Study, client: Client) -> None:
    client.post(reverse("study-view-save", args=[study.slug]), {"name": "A\0B", "query": ""})
    assert not SavedView.objects.exists()
    key = study.items.order_by("position")[0].key
    for sent in ({"item": key, "reason": "no\0text"}, {"item": key + "\0", "reason": "a reason"}):
        assert client.post(reverse("study-exclude-items", args=[study.slug]), sent).status_code == 302
    assert not Exclusion.objects.exists()
    rule = {"name": "A\0B", "reason": "why", "kind": "lacks_context"}
    assert client.post(reverse("study-rules", args=[study.slug]), rule).status_code == 422
    assert not study.exclusion_rules.exists()


@pytest.mark.parametrize("until", ["9999-12-31", "0001-01-01"])
def test_the_log_is_read_until_the_last_day_that_there_is(study: Study, client: Client, until: str) -> None:
    assert client.get(reverse("study-audit", args=[study.slug]), {"until": until}).status_code == 200
