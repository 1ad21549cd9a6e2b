"""The size of the corpus: asked for, computed once for the same data, shown and taken away as files."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import numpy as np
import pytest
from django.test import Client

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.models import Exclusion, Job, Study, User
from annotation.services.base.jobs import claim
from annotation.services.studies.demo import SLUG, ensure_demo
from scoring.models import Report, Score, ScoreRun
from scoring.selectors.data.staleness import is_stale
from scoring.selectors.similes.score_pages import human_means
from scoring.services.similes.corpus_curves import compute_corpus, request_corpus
from scoring.services.similes.run_environment import CAUTION
from scoring.stats.base.association import associations
from tests.support.layout import folded
from tests.support.people import make_cast
from tests.support.studies.simile_study import make_similes, score

pytestmark = pytest.mark.django_db
PATH = f"/studies/{SLUG}/scores/corpus/"


@pytest.fixture
def run() -> ScoreRun:
    ensure_demo()
    return score(Study.objects.get(slug=SLUG))


@pytest.fixture
def client(run: ScoreRun) -> Client:
    browser = Client()
    browser.force_login(User.objects.get(email="researcher@example.org"))
    return browser


def computed(run: ScoreRun, **asked: Any) -> Report:
    job = request_corpus(run=run, actor=None, **asked)
    lease = claim(job_id=job.pk)
    assert lease is not None
    return compute_corpus(lease=lease)


def figure(report: Report, metric: str, size: int) -> dict[str, Any]:
    wanted = (metric, size, "pearson")
    return next(row for row in report.figures if (row["metric"], row["size"], row["coefficient"]) == wanted)


def correlation_of_scores(run: ScoreRun, metric: str, criterion: str) -> float:
    """Of the scores as the run stored them."""
    scores = dict(Score.objects.filter(run=run, metric=metric).values_list("item_id", "value"))
    means = human_means(run.study, list(run.study.items.all()))
    both = [(scores[item], own[criterion]) for item, own in means.items() if scores[item] is not None]
    table = np.array(both, dtype=float)
    return float(associations(table[:, :1], table[:, 1:], "pearson")[0, 0])


def test_with_the_whole_corpus_the_correlations_are_those_of_the_stored_scores(run: ScoreRun) -> None:
    report = computed(run)
    whole = report.data["knowledge_base"]["similes"]
    for metric, criterion, stored in (
        ("creativity", "creativity", "creativity"),
        ("relevance", "quality", "relevance_normalised"),
    ):
        found = figure(report, metric, whole)
        assert found["estimate"] == pytest.approx(correlation_of_scores(run, stored, criterion))
        assert (found["samples"], found["sd"], found["reason"]) == (1, None, "")
    # Without models there is no logical consistency, and so no quality.
    assert figure(report, "quality", whole)["reason"] == "too_few_items"
    smaller = figure(report, "creativity", 30)
    assert (smaller["samples"], len(smaller["values"])) == (5, 5)
    assert smaller["least"] <= smaller["estimate"] <= smaller["greatest"]
    # The other parts of quality are taken as the run has them.
    for number, scored in enumerate(run.scored_items.order_by("item_id")):
        scored.explanation["normalised"]["logic"]["value"] = (number * 7 % 5) / 4
        scored.explanation["normalised"]["sentiment"]["value"] = (number * 3 % 4) / 3
        scored.save()
    with_all_parts = figure(computed(run), "quality", whole)
    assert (with_all_parts["reason"], with_all_parts["n_items"]) == ("", 40)


def test_the_same_data_are_not_computed_twice_and_other_ratings_make_it_stale(run: ScoreRun) -> None:
    first, second = computed(run), computed(run)
    assert (second.fingerprint, second.figures) == (first.fingerprint, first.figures)
    assert not is_stale(run.study, first)
    Exclusion.objects.create(study=run.study, item=run.study.items.earliest("position"), reason="bad")
    assert is_stale(run.study, first)
    third = computed(run)
    assert third.fingerprint != first.fingerprint
    assert figure(third, "creativity", 30)["n_items"] == figure(first, "creativity", 30)["n_items"] - 1


def test_what_cannot_be_asked_or_computed_is_refused_with_a_code() -> None:
    cast = make_cast(opened=False, items=0)
    make_similes(cast.study)
    run = score(cast.study)
    for asked, code in (({"samples": 2}, "bad_samples"), ({"base": "nowhere"}, "no_such_base")):
        with pytest.raises(InvalidContent) as refused:
            request_corpus(run=run, actor=None, **asked)
        assert refused.value.code == code
    imported = ScoreRun.objects.create(study=run.study, name="imported")
    with pytest.raises(InvalidContent) as refused:
        request_corpus(run=imported, actor=None)
    assert refused.value.code == "imported_scores"
    with pytest.raises(GroundworkError) as nothing:
        computed(run)
    assert nothing.value.code == "no_ratings"
    browser = Client()
    browser.force_login(cast.users["researcher"])
    address = f"/studies/{cast.slug}/scores/corpus/"
    answer = browser.post(address, {"run": run.pk, "samples": "many"}, follow=True)
    assert "samples per size" in answer.content.decode()
    assert Job.objects.filter(kind="corpus").count() == 1


def test_a_curve_is_asked_for_and_shown_on_its_page_with_its_files(run: ScoreRun, client: Client) -> None:
    asked = client.post(PATH, {"run": run.pk, "base": "demo", "samples": "3"})
    assert asked.status_code == 302
    job = Job.objects.get(kind="corpus")
    assert job.params == {"run": run.pk, "base": "demo", "samples": 3}
    assert "Waiting for a worker." in client.get(PATH).content.decode()
    lease = claim(job_id=job.pk)
    assert lease is not None
    report = compute_corpus(lease=lease)
    shown = client.get(PATH, {"coefficient": "spearman"}).content.decode()
    estimate = next(
        row["estimate"]
        for row in report.figures
        if (row["metric"], row["size"], row["coefficient"]) == ("creativity", 30, "spearman")
    )
    assert f"{estimate:.3f}" in shown
    assert re.search(r'curve--creativity"><line class="spread"', folded(shown))
    assert "curve--quality" not in shown
    rows = list(csv.DictReader(io.StringIO(downloaded(client, f"{PATH}{report.pk}.csv"))))
    assert len(rows) == len(report.figures)
    assert {row["knowledge_base"] for row in rows} == {"demo"}
    assert '"seed"' in downloaded(client, f"{PATH}{report.pk}.json")
    assert "creativity" in downloaded(client, f"{PATH}{report.pk}.svg?coefficient=spearman")
    assert client.get(f"{PATH}{report.pk}.xml").status_code == 404
    ScoreRun.objects.update(caution=CAUTION)
    report = computed(ScoreRun.objects.get())
    for address in (PATH, *(f"{PATH}{report.pk}.{ending}" for ending in ("csv", "json", "svg"))):
        assert CAUTION in downloaded(client, address).lower(), address


def downloaded(client: Client, address: str) -> str:
    answer: Any = client.get(address)
    assert answer.status_code == 200
    return b"".join(answer).decode()


@pytest.mark.parametrize("sent", [{"samples": "9" * 5000}, {"samples": "3", "run": "9" * 5000}])
def test_a_number_of_thousands_of_digits_is_no_number(client: Client, sent: dict[str, str]) -> None:
    assert client.post(PATH, sent).status_code == 302
    assert client.get(PATH, {"run": "9" * 5000}).status_code == 200
