"""The item's page, the raters side by side, and the audit log."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEntry, Exclusion, Item, Rating, Response, Study, User
from annotation.selectors.quality.rater_profile import profile_of
from annotation.services.quality.exclusions import exclude_items, exclude_rater, lift_exclusion
from annotation.templatetags.components import minus
from scoring.models import ItemFigure, RaterFigure
from scoring.selectors.raters.rater_list import COLUMNS
from tests.support.studies.disagreement_study import figures_of, make_study, owner_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study(groups=4)


@pytest.fixture
def client(study: Study) -> Client:
    client = Client()
    client.force_login(owner_of(study))
    return client


def text_of(client: Client, name: str, *arguments: object, query: str = "") -> str:
    answer = client.get(reverse(name, args=arguments) + query)
    assert answer.status_code == 200
    return answer.content.decode()


def rows_of(answer: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))


def test_the_item_page_shows_every_rating_and_the_group(study: Study, client: Client) -> None:
    figures_of(study)
    page = text_of(client, "study-item", study.slug, "G00-0")
    assert all(code in page for code in ("R-001", "R-002", "R-003"))
    assert "A remark." in page
    assert "5 candidates in this group" in page
    assert "Quality (mean rating)" in page
    assert "Contribution to 1 − α" in page
    assert "Never excluded." in page


def test_the_item_page_shows_the_metadata(study: Study, client: Client) -> None:
    Item.objects.filter(study=study, key="G00-0").update(metadata={"source": "novel <1>", "year": 1999})
    page = text_of(client, "study-item", study.slug, "G00-0")
    assert '<dt dir="auto">source</dt>' in page
    assert '<dd class="verbatim" dir="auto">novel &lt;1&gt;</dd>' in page
    assert '<dd class="verbatim" dir="auto">1999</dd>' in page
    assert "<h2>Metadata</h2>" not in text_of(client, "study-item", study.slug, "G00-1")


def test_an_answer_is_excluded_and_lifted_with_its_history(study: Study, client: Client) -> None:
    answer = Response.objects.filter(assignment__item__key="G00-0").earliest("pk")
    address = reverse("study-exclude-response", args=[study.slug, answer.pk])
    client.post(address, {"reason": " "})
    assert not Exclusion.objects.exists()
    client.post(address, {"reason": "Two keys at once."})
    exclusion = Exclusion.objects.get(response=answer)
    assert "Two keys at once." in text_of(client, "study-item", study.slug, "G00-0")
    address = reverse("study-lift-exclusion", args=[study.slug, exclusion.pk])
    assert "Enter a reason." in client.post(address, {"reason": " "}, follow=True).content.decode()
    assert not hasattr(Exclusion.objects.get(pk=exclusion.pk), "lift")
    client.post(address, {"reason": "It can be read."})
    page = text_of(client, "study-item", study.slug, "G00-0")
    assert "lifted" in page
    assert "Two keys at once." in page
    assert Rating.objects.count() == 120


def test_the_list_of_raters_says_how_to_fill_the_columns_that_are_empty(study: Study, client: Client) -> None:
    missing = "Compute the statistics to see severity"
    page = text_of(client, "study-raters", study.slug)
    assert missing in page
    assert "Compute statistics" in page
    figures_of(study)
    assert missing not in text_of(client, "study-raters", study.slug)


def test_raters_sort_by_every_column(study: Study, client: Client) -> None:
    figures_of(study)
    for column in COLUMNS:
        assert text_of(client, "study-raters", study.slug, query=f"?sort=-{column}").count("R-00") >= 3
    severity = dict(RaterFigure.objects.values_list("rater__code", "severity"))
    page = text_of(client, "study-raters", study.slug, query="?sort=-severity")
    body = page[page.index("<tbody>") :]
    listed = sorted(severity, key=body.index)
    assert listed == sorted(severity, key=lambda code: -(severity[code] or 0))


def test_two_raters_are_compared_over_what_both_rated(study: Study, client: Client) -> None:
    values = {
        code: np.array(
            Rating.objects.filter(response__assignment__rater__code=code, criterion__key="quality")
            .order_by("response__assignment__item__position")
            .values_list("value", flat=True)
        )
        for code in ("R-001", "R-002")
    }
    difference = float((values["R-002"] - values["R-001"]).mean())
    page = text_of(client, "study-raters-compared", study.slug, query="?a=R-002&b=R-001")
    assert minus(f"{difference:.2f}") in page
    assert f"{float((values['R-001'] == values['R-002']).mean()):.2f}" in page
    same = text_of(client, "study-raters-compared", study.slug, query="?a=R-001&b=R-001")
    assert "Choose two different raters." in same


def test_an_exclusion_is_named_where_it_leaves_nothing_to_compare(study: Study, client: Client) -> None:
    compared = "?a=R-001&b=R-002"
    out = exclude_rater(rater=study.raters.get(code="R-002"), reason="Careless.", actor=owner_of(study))
    page = text_of(client, "study-raters-compared", study.slug, query=compared)
    assert "R-002 is excluded." in page
    assert "no item in common" not in page
    exclude_rater(rater=study.raters.get(code="R-001"), reason="Careless.", actor=owner_of(study))
    page = text_of(client, "study-raters-compared", study.slug, query=compared)
    assert "R-001 and R-002 are excluded." in page
    lift_exclusion(exclusion=out, reason="Not so.", actor=owner_of(study))
    assert "R-001 is excluded." in text_of(client, "study-raters-compared", study.slug, query=compared)


def test_excluded_items_and_no_item_in_common_are_distinguished(study: Study, client: Client) -> None:
    compared = "?a=R-001&b=R-002"
    keys = list(study.items.values_list("key", flat=True))
    exclude_items(study=study, keys=keys, reason="Not similes.", actor=owner_of(study))
    page = text_of(client, "study-raters-compared", study.slug, query=compared)
    assert "these items or ratings are excluded, late" in page
    study.raters.create(code="R-009")
    page = text_of(client, "study-raters-compared", study.slug, query="?a=R-001&b=R-009")
    assert "These two raters have no items in common." in page


def test_a_profile_says_that_the_other_raters_are_excluded(study: Study) -> None:
    first, *others = study.raters.order_by("code")
    reason = lambda: profile_of(first)["correlation"].reason  # noqa: E731
    assert reason() == ""
    for one in others:
        exclude_rater(rater=one, reason="Careless.", actor=owner_of(study))
    assert reason() == "others_left_out"
    Response.objects.filter(assignment__rater__in=others).update(current=False)
    assert reason() == "no_other_raters"


def test_contacts_are_those_with_a_log_in_and_taking_them_is_logged(study: Study, client: Client) -> None:
    account = User.objects.create_user("rater@example.org", "simile-and-metaphor-42")
    study.raters.filter(code="R-002").update(user=account)
    rows = rows_of(client.post(reverse("study-contacts", args=[study.slug]), {"format": "csv"}))
    assert [(row["rater"], row["email"]) for row in rows] == [("R-002", "rater@example.org")]
    assert AuditEntry.objects.filter(study=study, act="export_contacts").count() == 1


def test_the_audit_log_is_filtered_and_exported(study: Study, client: Client) -> None:
    client.post(
        reverse("study-exclude-items", args=[study.slug]), {"item": "G00-0", "reason": "Not a simile."}
    )
    page = text_of(client, "study-audit", study.slug, query="?act=exclude_items&q=simile")
    assert "Not a simile." in page
    shown = text_of(client, "study-audit", study.slug, query="?until=2020-01-01")
    assert "No entries match these filters." in shown
    address = reverse("study-audit-download", args=[study.slug, "csv"])
    rows = rows_of(client.get(f"{address}?act=exclude_items"))
    assert [row["act"] for row in rows] == ["exclude_items"]
    whole = rows_of(client.get(reverse("study-download", args=[study.slug, "audit"])))
    assert len(whole) == AuditEntry.objects.filter(study=study).count()
    exclusions = rows_of(client.get(reverse("study-download", args=[study.slug, "exclusions"])))
    assert [(row["target"], row["item"], row["rule"]) for row in exclusions] == [("item", "G00-0", "by_hand")]


def test_the_interval_of_a_mean_rating_ends_at_the_ends_of_its_scale(study: Study) -> None:
    Rating.objects.filter(response__assignment__item__key="G00-0").update(value=5)
    figures_of(study)
    found = ItemFigure.objects.filter(summary__made__study=study, low__isnull=False)
    assert found
    within = found.filter(low__gte=1, mean__gte=F("low"), high__gte=F("mean"), high__lte=5)
    assert within.count() == found.count()
    assert {one.high for one in found.filter(summary__key="G00-0")} == {5.0}
