"""The page of ranked groups: how sure the mean ratings behind the human ranks are."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from scipy.stats import t as student

from annotation.models import Rating
from scoring.selectors.similes.score_pages import rated_means
from tests.support.studies.disagreement_study import client_of, make_study
from tests.support.studies.simile_study import score

pytestmark = pytest.mark.django_db


def test_mean_ratings_have_their_number_and_an_interval_within_the_scale_or_a_reason() -> None:
    study = make_study(groups=1, raters=3)
    item = study.items.get(key="G00-2")
    given = Rating.objects.filter(response__assignment__item=item, response__current=True)
    for name, values in (("quality", (3, 4, 5)), ("creativity", (2, 2, 2))):
        for one, value in zip(given.filter(criterion__key=name).order_by("pk"), values, strict=True):
            Rating.objects.filter(pk=one.pk).update(value=value)
    found = rated_means(study, [item])[item.pk]
    half = student.ppf(0.975, 2) / 3**0.5
    assert (found["quality"].mean, found["quality"].n) == (4.0, 3)
    assert found["quality"].interval.low == pytest.approx(4 - half)
    assert found["quality"].interval.high == 5, "not outside the scale"
    assert found["creativity"].interval.reason == "constant_ratings"
    score(study)
    page = client_of(study).get(reverse("study-score-groups", args=[study.slug])).content.decode()
    page = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert f"4.00 n = 3, {4 - half:.2f} to 5.00" in page
    assert "2.00 n = 3, – no 95% CI: ratings do not vary" in page
