"""Orders go out and in again as files, into reports, and into bundles that compute the figures again."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from annotation.io.base.writers import write_rows
from annotation.models import Criterion, Form, FormVersion, Item, Rater, ScalePoint, Study, User
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.studies.exports import ratings_table
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.rating_files import import_ratings
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.studies.lifecycle import create_study
from scoring.models import Score, ScoreRun
from scoring.services.choices.inversions import find_inversions
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import change_numbers, compared, found_changed, recompute, reported
from tests.bundle.studies import quick, unpacked

pytestmark = pytest.mark.django_db
OPTIONS = ("a", "b", "c", "d")
SYSTEMS = ("crow", "heron", "owl", "wren")
SETTINGS = {"order": {"ranking": {"ties": True}}, "top": {"ranking": {"top": 2}}, "all": {}}


def study_of_orders(slug: str) -> Study:
    owner, _ = User.objects.get_or_create(email="someone@example.org")
    study = create_study(slug=slug, title="Orders", owner=owner)
    form = Form.objects.create(study=study, key="ratings", title="Ratings")
    version = FormVersion.objects.create(form=form)
    for key, settings in SETTINGS.items():
        one = Criterion.objects.create(
            version=version, key=key, name=key, kind="ranking", settings=settings, required=False
        )
        for place, value in enumerate(OPTIONS):
            ScalePoint.objects.create(criterion=one, value=value, position=place)
    return study


def order(rng: np.random.Generator, key: str) -> str:
    ranked = np.array(OPTIONS)[np.argsort(rng.normal([0, 0.7, 1.4, 2.1], 1.5))].tolist()
    if key == "top":
        return ">".join([*ranked[:2], "=".join(sorted(ranked[2:]))])
    if key == "order" and rng.random() < 0.4:
        return ">".join([ranked[0], "=".join(sorted(ranked[1:3])), ranked[3]])
    return ">".join(ranked)


@pytest.fixture
def rated() -> Study:
    study, rng = study_of_orders("orders"), np.random.default_rng(5)
    criteria = list(Criterion.objects.filter(version__form__study=study).select_related("version"))
    raters = [Rater.objects.create(study=study, code=f"R-{n}", state="active") for n in range(4)]
    items = [
        Item.objects.create(
            study=study,
            key=f"I-{n:02d}",
            position=n,
            group=f"G-{n // 2}" if n % 3 else "",
            metadata=dict(zip(OPTIONS, np.roll(SYSTEMS, n), strict=True)),
        )
        for n in range(14)
    ]
    loaded = [
        LoadedResponse(
            item=item,
            rater=rater,
            version=criteria[0].version,
            values={one: order(rng, one.key) for one in criteria},
        )
        for item in items
        for rater in raters
        if rng.random() < 0.9
    ]
    store_responses(loaded=loaded)
    return study


def values_of(study: Study) -> list[tuple[str, str, str, object]]:
    return sorted((row["item"], row["rater"], row["criterion"], row["value"]) for row in long_ratings(study))


@pytest.mark.parametrize("file_format", ["csv", "jsonl", "xlsx"])
def test_an_order_is_the_same_after_export_and_import(rated, tmp_path, file_format):
    path = tmp_path / f"ratings.{file_format}"
    columns, rows = ratings_table(rated)
    path.write_bytes(b"".join(write_rows(rows, columns, file_format)))
    again = study_of_orders("again")
    import_ratings(study=again, path=path)
    assert values_of(again) == values_of(rated)


def test_a_report_has_agreement_candidates_and_pairs_and_says_why_tied_ranks_have_no_strengths(rated):
    report = compute_report(lease=quick(request_report(study=rated, actor=None, announce=False)))
    found = {(row["criterion"], row["coefficient"]): row for row in report.figures}
    assert {key for _, key in found} == {"kendall_w", "kendall_tau", "pair_order"}
    assert all(row["low"] < row["estimate"] < row["high"] for row in found.values())
    reasons = {row["criterion"]: row["reason"] for row in report.tables["order_candidates"]}
    assert reasons == {"order": "tied_ranks", "top": "", "all": ""}
    assert {row["candidate"] for row in report.tables["order_candidates"]} == set(SYSTEMS)
    assert len(report.tables["order_pairs"]) == 18
    client = Client()
    client.force_login(rated.memberships.get().user)
    page = client.get(reverse("study-reliability", args=[rated.slug])).content.decode()
    assert all(f'<th scope="row">{system}</th>' in page for system in SYSTEMS)
    file = client.get(reverse("study-report-download", args=[rated.slug, report.pk, "candidates.csv"]))
    assert file.getvalue().decode().count("\n") == 13


def test_the_page_of_metrics_counts_the_pairs_that_a_metric_inverts(rated):
    run = ScoreRun.objects.create(study=rated, name="by length")
    Score.objects.bulk_create(
        Score(run=run, item=item, metric=f"length.{option}", value=place)
        for item in rated.items.all()
        for place, option in enumerate(OPTIONS)
    )
    found = [row for row in find_inversions(rated) if row["criterion"] == "all"]
    assert {row["metric"] for row in found} == {"length"}
    assert len(found) == 6
    # Raters prefer the first options, and the metric the last ones.
    assert sum(row["inverted"] for row in found) > 0.7 * sum(row["n"] for row in found) > 30
    client = Client()
    client.force_login(rated.memberships.get().user)
    page = client.get(reverse("study-metrics", args=[rated.slug])).content.decode()
    assert 'id="inversions"' in page


def scored(study: Study, name: str, seed: int, *, missing: float = 0.0) -> None:
    """A run of scores of options: ties, some without a value."""
    run, rng = ScoreRun.objects.create(study=study, name=name), np.random.default_rng(seed)
    Score.objects.bulk_create(
        Score(run=run, item=item, metric=f"{metric}.{option}", value=value)
        for item in study.items.all()
        for metric in ("length", "rouge.l")
        for option, value in zip(OPTIONS, rng.integers(0, 3, 4).tolist(), strict=True)
        if rng.random() >= missing
    )


def test_a_bundle_has_the_inversions_of_the_newest_scores_and_counts_them_again(rated, tmp_path: Path):
    scored(rated, "first", 1)
    old = find_inversions(rated)
    scored(rated, "second", 2, missing=0.3)
    exclude_rater(rater=rated.raters.get(code="R-3"), reason="careless", actor=rated.memberships.get().user)
    found = find_inversions(rated)
    assert {row["metric"] for row in found} == {"length", "rouge.l"}
    assert found != old
    folder = unpacked(rated, tmp_path)
    file = folder / "reports" / "inversions.json"
    assert json.loads(file.read_text())["tables"]["inversions"] == found
    changed = json.loads(file.read_text())
    for name in ("n", "inverted", "tied", "answers", "against"):
        changed["tables"]["inversions"][0][name] += 1
    file.write_text(json.dumps(changed))
    status, printed = recompute(folder)
    assert (status, compared(printed)["reports/inversions.json"]) == (1, 5 * len(found) + 1)
    # The changed numbers differ, and no others.
    assert reported(printed) == {"n", "inverted", "tied", "answers", "against"}
    assert len(re.findall(r"(?<=\s)(?:n|inverted|tied|answers|against): stored ", printed)) == 5


def test_the_newest_score_of_an_option_counts(rated):
    """A run that puts the options as the raters do, after one that puts them the other way round."""
    for name, sign in (("old", 1), ("new", -1)):
        run = ScoreRun.objects.create(study=rated, name=name)
        Score.objects.bulk_create(
            Score(run=run, item=item, metric=f"length.{option}", value=sign * place)
            for item in rated.items.all()
            for place, option in enumerate(OPTIONS)
        )
    found = find_inversions(rated)
    assert sum(row["inverted"] for row in found) < 0.5 * sum(row["n"] for row in found)


def test_a_bundle_computes_orders_again_without_excluded_raters_and_finds_changed_numbers(
    rated, tmp_path: Path
):
    exclude_rater(rater=rated.raters.get(code="R-3"), reason="careless", actor=rated.memberships.get().user)
    compute_report(lease=quick(request_report(study=rated, actor=None, announce=False)))
    folder = unpacked(rated, tmp_path)
    status, printed = recompute(folder)
    assert status == 0, printed
    assert "kendall" not in printed
    changed = [change_numbers(folder, table) for table in ("order_candidates", "order_pairs")]
    assert found_changed(folder) == set.union(*changed)


def test_a_ranking_of_three_has_mean_ranks_and_no_best_worst_scores(tmp_path: Path):
    study, rng = study_of_orders("three"), np.random.default_rng(2)
    one = Criterion.objects.select_related("version").get(version__form__study=study, key="all")
    one.points.filter(value="d").delete()
    raters = [Rater.objects.create(study=study, code=f"R-{n}", state="active") for n in range(2)]
    items = [Item.objects.create(study=study, key=f"I-{n}", position=n) for n in range(6)]
    store_responses(
        loaded=[
            LoadedResponse(
                item=item, rater=rater, version=one.version, values={one: ">".join(rng.permutation([*"abc"]))}
            )
            for item in items
            for rater in raters
        ]
    )
    report = compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))
    assert {row["candidate"] for row in report.tables["order_candidates"]} == {"a", "b", "c"}
    assert len(report.tables["order_pairs"]) == 3
    assert "best_worst_scores" not in report.tables
    assert found_changed(unpacked(study, tmp_path)) == set()
