"""Answers of a slider go the way of all numbers: out and in again as files, into reports, into bundles."""

from __future__ import annotations

from operator import itemgetter

import pytest

from annotation.models import Criterion, Form, FormVersion, Item, Rater, Rating, ScalePoint, Study, User
from annotation.selectors.questions.long_table import long_ratings
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.rating_files import import_ratings
from annotation.services.studies.lifecycle import create_study
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import exported, quick, unpacked

pytestmark = pytest.mark.django_db


def study_with_slider(slug: str) -> Study:
    owner, _ = User.objects.get_or_create(email="someone@example.org")
    study = create_study(slug=slug, title="Sliders", owner=owner)
    form = Form.objects.create(study=study, key="ratings", title="Ratings")
    version = FormVersion.objects.create(form=form)
    half = {"slider": {"step": 0.5}}
    criterion = Criterion.objects.create(
        version=version, key="apt", name="Apt", kind="slider", minimum=0, maximum=100, settings=half
    )
    for place, value in enumerate(("0", "100")):
        ScalePoint.objects.create(criterion=criterion, value=value, position=place)
    return study


@pytest.fixture
def rated() -> Study:
    study = study_with_slider("sliders")
    criterion = Criterion.objects.select_related("version").get(version__form__study=study)
    raters = [Rater.objects.create(study=study, code=f"R-{n}", state="active") for n in range(3)]
    items = [Item.objects.create(study=study, key=f"I-{n:02d}", position=n) for n in range(12)]
    loaded = [
        LoadedResponse(
            item=item,
            rater=rater,
            version=criterion.version,
            values={criterion: place * 8 + (place * (number + 2)) % 5 * 0.5},
            first_values={"apt": place * 8} if number else {},
        )
        for place, item in enumerate(items)
        for number, rater in enumerate(raters)
    ]
    store_responses(loaded=loaded)
    return study


def values_of(study: Study) -> list[tuple[str, str, object, object]]:
    rows = [(row["item"], row["rater"], row["value"], row["first_value"]) for row in long_ratings(study)]
    return sorted(rows, key=itemgetter(0, 1))


@pytest.mark.parametrize("file_format", ["csv", "jsonl", "parquet", "xlsx"])
def test_what_a_slider_gave_is_the_same_after_export_and_import(rated, tmp_path, file_format):
    again = study_with_slider("again")
    import_ratings(study=again, path=exported(rated, tmp_path, file_format))
    assert values_of(again) == values_of(rated)
    assert {type(value) for _, _, value, _ in values_of(again)} == {int, float}
    assert [first for *_, first in values_of(again)][3:6] == [None, 8, 8]


def in_whole_numbers(study: Study) -> None:
    Criterion.objects.filter(version__form__study=study).update(maximum=10)
    for rating in Rating.objects.filter(criterion__version__form__study=study):
        rating.value, rating.maximum = round((rating.value or 0) / 10), 10
        rating.save(update_fields=["value", "maximum"])


@pytest.mark.parametrize("whole", [False, True])
def test_a_slider_has_no_categories_whatever_its_answers_with_and_without_this_software(
    rated, tmp_path, whole
):
    if whole:
        in_whole_numbers(rated)
    report = compute_report(lease=quick(request_report(study=rated, actor=None, announce=False)))
    reasons = {row["coefficient"]: row["reason"] for row in report.figures}
    assert reasons["icc2"] == reasons["alpha"] == ""
    assert {reasons[key] for key in ("exact", "within_one", "fleiss", "ac1", "ac2", "kappa_n")} == {
        "continuous_scale"
    }
    status, printed = recompute(unpacked(rated, tmp_path))
    assert status == 0, printed
