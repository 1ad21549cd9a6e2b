"""The planner takes a pilot or typed variances; the heat map shows items that cross two factors."""

from __future__ import annotations

from itertools import product

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.messages import Message
from annotation.models import Item, Study, User
from annotation.services.base.jobs import claim
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from scoring.models import Report
from scoring.services.reports.reliability import compute_report, request_report
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db

NOUNS, PHRASES = ("bell", "river", "stone"), ("hums", "sinks")


@pytest.fixture
def study() -> Study:
    """Three nouns by two phrases, each combination rated by three people."""
    study = make_cast().study
    study.items.all().delete()
    items = Item.objects.bulk_create(
        Item(
            study=study,
            key=f"{noun} {phrase}",
            position=place,
            fields={},
            metadata={"noun": noun, "phrase": phrase, "number": place},
        )
        for place, (noun, phrase) in enumerate(product(NOUNS, PHRASES))
    )
    version = study.forms.get().versions.get()
    criteria = list(version.criteria.all())
    raters = [study.raters.create(code=f"M-{n}") for n in range(3)]
    store_responses(
        loaded=[
            LoadedResponse(
                item=item,
                rater=rater,
                version=version,
                values=dict.fromkeys(criteria, 1 + (place + (n if place % 2 else 0)) % 5),
            )
            for place, item in enumerate(items)
            for n, rater in enumerate(raters)
        ]
    )
    return study


@pytest.fixture
def researcher(study: Study) -> Client:
    client = Client()
    client.force_login(User.objects.get(memberships__study=study, memberships__role="researcher"))
    return client


def report_of(study: Study) -> Report:
    lease = claim(job_id=request_report(study=study, actor=None, replicates=50, announce=False).pk)
    assert lease is not None
    return compute_report(lease=lease)


def test_typed_variances_give_the_raters_of_spearman_and_brown(researcher, study):
    typed = {"item": "1", "rater": "0", "residual": "1", "target": "0.8", "items": "50"}
    page = researcher.get(reverse("study-planner", args=[study.slug]), typed)
    # ρ = .5 for one rating, so k = .8/.2 · (1 − .5)/.5 = 4.
    assert page.context["shown"].plan.raters_needed == (4, 4)
    assert page.context["shown"].enough["raters"] == 4
    assert "you need <b>4</b> raters per item" in page.content.decode()
    assert not [
        assumption for assumption in page.context["shown"].assumptions if not isinstance(assumption, Message)
    ]


def test_the_number_of_raters_that_is_needed_has_a_row_of_its_own(researcher, study):
    typed = {"item": "1", "rater": "0", "residual": "1", "target": "0.87", "items": "50", "price": "0.5"}
    shown = researcher.get(reverse("study-planner", args=[study.slug]), typed).context["shown"]
    # k = .87/.13 = 6.7, which is none of the designs that are always shown.
    assert (shown.enough["raters"], shown.enough["ratings"], shown.enough["cost"]) == (7, "350", "175.00")
    assert [row["raters"] for row in shown.rows] == [1, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20]


def test_what_is_no_number_is_reported_and_nothing_is_planned(researcher, study):
    page = researcher.get(reverse("study-planner", args=[study.slug]), {"item": "much"})
    assert page.status_code == 200
    assert "Variance between items: &#x27;much&#x27; is not a number" in page.content.decode()
    assert page.context["shown"].plan is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"target": "1"},
        {"items": "1"},
        {"residual": "-1"},
        {"target": "nan"},
        {"item": "0", "rater": "0", "residual": "0"},
    ],
)
def test_numbers_out_of_range_are_refused_in_words(researcher, study, wrong):
    page = researcher.get(reverse("study-planner", args=[study.slug]), wrong)
    assert isinstance(page.context["shown"].problem, Message)


def test_a_pilot_gives_its_own_variances(researcher, study):
    report = report_of(study)
    page = researcher.get(reverse("study-planner", args=[study.slug]))
    assert page.context["shown"].criterion == "quality"
    assert not [
        assumption for assumption in page.context["shown"].assumptions if not isinstance(assumption, Message)
    ]
    assert "Variances from a two-way analysis of 6 items" in page.content.decode()
    (icc2,) = [row for row in report.figures if (row["criterion"], row["coefficient"]) == ("quality", "icc2")]
    assert (
        f"the CI of ICC2 ({icc2['low']:.3f} to {icc2['high']:.3f}, confidence 95%)" in page.content.decode()
    )


def test_the_heat_map_is_ordered_by_its_sums(researcher, study):
    report = report_of(study)
    table = report.tables["crossed"]["criteria"]["quality"]
    assert report.tables["crossed"]["factors"] == ["noun", "phrase"]
    sums = [sum(row) for row in table["means"]]
    columns = [sum(column) for column in zip(*table["means"], strict=True)]
    assert (sums, columns) == (sorted(sums, reverse=True), sorted(columns, reverse=True))
    page = researcher.get(reverse("study-crossed", args=[study.slug])).content.decode()
    assert all(label in page for label in (*NOUNS, *PHRASES))
    for file_format, start in (("svg", b"<?xml"), ("pdf", b"%PDF")):
        address = reverse("study-crossed-download", args=[study.slug, report.pk, file_format])
        assert researcher.get(address).content.startswith(start)


def test_items_that_do_not_cross_have_no_heat_map(researcher, study):
    item = study.items.first()
    assert item is not None
    Item.objects.filter(pk=item.pk).update(metadata={"noun": "moon", "phrase": "hums"})
    assert report_of(study).tables["crossed"] == {}
    assert "No heat map yet." in researcher.get(reverse("study-crossed", args=[study.slug])).content.decode()


def test_the_numbers_of_a_column_have_the_same_digits(researcher, study):
    typed = {"item": "1", "rater": "0.2", "residual": "0.8", "items": "2000", "price": "0.1", "seconds": "60"}
    page = researcher.get(reverse("study-planner", args=[study.slug]), typed)
    for column, decimals in (("reliability", 3), ("cost", 2), ("hours", 1)):
        texts = [row[column] for row in page.context["shown"].rows]
        assert {len(text.partition(".")[2]) for text in texts} == {decimals}
    first = page.context["shown"].rows[0]
    assert (first["reliability"], first["cost"], first["hours"]) == ("0.500", "200.00", "33.3")
    assert page.context["shown"].rows[-1]["cost"] == "4,000.00"
