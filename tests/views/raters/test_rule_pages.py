"""The page of an exclusion rule: its raters by code, the caution where it applies, no job before ratings."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import ExclusionRule, Job, Rater, Study
from annotation.services.quality.exclusion_rules import declare_rule
from tests.support.people import make_cast
from tests.support.studies.disagreement_study import (
    CRITERIA,
    HAUSER,
    client_of,
    figures_of,
    make_study,
    owner_of,
    previewed,
)

pytestmark = pytest.mark.django_db

CAUTION = "Selecting on agreement raises agreement."
SLOW: dict[str, Any] = {"kind": "too_fast", "seconds": 3}
EVERY_RATER: dict[str, Any] = {
    "kind": "held_out_below",
    "criterion": "quality",
    "value": 1,
}


def declared(study: Study, *conditions: dict[str, Any]) -> ExclusionRule:
    return declare_rule(
        study=study,
        name="A rule",
        conditions=conditions,
        reason="As planned.",
        criteria=CRITERIA,
        actor=owner_of(study),
    )


def shown(study: Study, rule: ExclusionRule) -> str:
    return client_of(study).get(reverse("study-rule", args=[study.slug, rule.pk])).content.decode()


def test_a_rule_declared_before_there_are_ratings_starts_no_preview() -> None:
    cast = make_cast(items=2)
    sent = {
        "name": "Checks",
        "reason": "Planned.",
        "use-failed_checks": "on",
        "failed_checks-failed": "2",
    }
    client = client_of(cast.study)
    page = client.post(reverse("study-rules", args=[cast.slug]), sent, follow=True).content.decode()
    assert ExclusionRule.objects.get().name == "Checks"
    assert "Rule declared. You can preview it once there are ratings." in page
    assert not Job.objects.filter(kind="exclusion_preview").exists()
    assert "Preview rule</button>" not in " ".join(page.split()).replace(" </button>", "</button>")


@pytest.mark.parametrize(
    ("conditions", "warns"),
    [([{"kind": "failed_checks", "failed": 1}], False), ([SLOW], False), ([SLOW, HAUSER[1]], True)],
)
def test_only_a_rule_on_agreement_warns_of_selecting_on_agreement(
    conditions: list[dict[str, Any]], warns: bool
) -> None:
    study = make_study(groups=3)
    figures_of(study)
    rule = declared(study, *conditions)
    previewed(rule)
    assert (CAUTION in shown(study, rule)) is warns
    disagreement = client_of(study).get(reverse("study-disagreement", args=[study.slug])).content.decode()
    assert "Exclusion rule preview" in disagreement
    assert (CAUTION in disagreement) is warns


def test_a_preview_names_its_raters_and_knows_when_it_is_applied() -> None:
    study = make_study(groups=2, raters=22)
    rule = declared(study, EVERY_RATER)
    previewed(rule)
    codes = sorted(Rater.objects.filter(study=study).values_list("code", flat=True))
    before = shown(study, rule)
    assert "Raters to be excluded" in before
    links = [f'href="{reverse("study-rater", args=[study.slug, code])}">{code}<' for code in codes]
    assert [link in before for link in links] == [True] * 20 + [False] * 2
    assert "and 2 more" in before
    assert "<h2>If applied</h2>" in before
    assert '<button class="btn btn--main" type="submit">' in before
    address = reverse("study-rule", args=[study.slug, rule.pk])
    assert client_of(study).post(address, {"act": "apply"}).status_code == 302
    after = shown(study, rule)
    assert "Excluded raters" in after
    assert links[0] in after
    assert "<h2>If applied</h2>" not in after
    assert "Apply rule again" in after
    assert "btn--main" not in after
