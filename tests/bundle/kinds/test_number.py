"""Typed numbers go the way of all numbers: into files and back, reports, drawings and bundles."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.domain.questions.kinds.typed.number import HIGHEST, LOWEST
from annotation.models import Criterion, Form, FormVersion, Item, Rater, Study, User
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.studies.definition import definition_of
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.rating_files import import_ratings
from annotation.services.studies.definitions import create_from_definition
from annotation.services.studies.lifecycle import create_study
from scoring.selectors.agreement.rater_tables import distributions
from scoring.selectors.similes.item_page import responses_to
from scoring.selectors.similes.item_ratings import ratings_by_scale
from scoring.services.data.tables import declared_scales
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import exported, quick, unpacked

pytestmark = pytest.mark.django_db
SETTINGS = {"number": {"unit": {"en": "years"}, "decimals": True}}


def study_asking_ages(slug: str, low: float = LOWEST, high: float = HIGHEST) -> Study:
    owner, _ = User.objects.get_or_create(email="someone@example.org")
    study = create_study(slug=slug, title="Ages", owner=owner)
    form = Form.objects.create(study=study, key="ratings", title="Ratings")
    Criterion.objects.create(
        version=FormVersion.objects.create(form=form),
        key="age",
        name="Age",
        kind="number",
        minimum=low,
        maximum=high,
        settings=SETTINGS,
    )
    return study


@pytest.fixture
def rated() -> Study:
    """Three raters give 24 items ages from 2 to 14.5."""
    study = study_asking_ages("ages")
    criterion = Criterion.objects.select_related("version").get(version__form__study=study)
    raters = [Rater.objects.create(study=study, code=f"R-{n}", state="active") for n in range(3)]
    items = [Item.objects.create(study=study, key=f"I-{n:02d}", position=n) for n in range(24)]
    store_responses(
        loaded=[
            LoadedResponse(
                item=item,
                rater=rater,
                version=criterion.version,
                values={criterion: 2 + item.position / 2 + item.position * (place + 2) % 5 * 0.25},
            )
            for item in items
            for place, rater in enumerate(raters)
        ]
    )
    return study


def values_of(study: Study) -> list[tuple[Any, ...]]:
    return sorted((row["item"], row["rater"], row["value"]) for row in long_ratings(study))


@pytest.mark.parametrize("file_format", ["csv", "xlsx"])
def test_numbers_are_the_same_after_export_and_import(rated, tmp_path, file_format):
    again = study_asking_ages("again")
    import_ratings(study=again, path=exported(rated, tmp_path, file_format))
    assert values_of(again) == values_of(rated)


def test_a_report_has_alpha_the_icc_and_the_held_out_correlation_and_bins_by_what_was_given(rated, tmp_path):
    report = compute_report(lease=quick(request_report(study=rated, actor=None, announce=False)))
    reasons = {row["coefficient"]: row["reason"] for row in report.figures}
    held_out = [key for key in reasons if key.startswith("held_out")]
    assert held_out
    assert {reasons[key] for key in ("alpha", "icc2", *held_out)} == {""}
    assert reasons["exact"] == reasons["ac2"] == "continuous_scale"
    (shown,) = distributions(report)
    assert shown["in_bins"]
    assert shown["values"][0] == "2–4"
    assert len(shown["values"]) < 12
    status, printed = recompute(unpacked(rated, tmp_path))
    assert status == 0, printed


def test_without_ends_the_drawing_of_an_item_lies_between_the_numbers_given(rated):
    item = Item.objects.get(study=rated, key="I-23")
    (scale,) = ratings_by_scale(responses_to(rated, item))
    given = sorted(scale.given)
    bars = scale.drawing["bars"]
    assert (bars[0]["x"], bars[-1]["x"] + bars[-1]["width"]) == (0, 180)
    assert [tick["value"] for tick in scale.drawing["ticks"]] == [given[0], given[-1]]
    assert declared_scales(rated)["ratings", "age"].bounded is False
    assert declared_scales(study_asking_ages("bounded", 0, 120))["ratings", "age"].bounded is True


@pytest.mark.parametrize("ends", [(LOWEST, HIGHEST), (LOWEST, 100), (0, HIGHEST), (0.5, 99.5)])
def test_a_definition_brings_the_ends_and_the_unit_back(ends):
    study = study_asking_ages("first", *ends)
    owner = User.objects.get(email="someone@example.org")
    definition = definition_of(study, with_pay=False)
    again = create_from_definition(definition=definition, slug="second", owner=owner).study
    criterion = Criterion.objects.get(version__form__study=again)
    assert (criterion.minimum, criterion.maximum, criterion.settings) == (*ends, SETTINGS)
