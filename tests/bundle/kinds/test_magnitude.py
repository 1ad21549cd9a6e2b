"""Magnitude estimates go out and in as numbers; reports and `recompute` take their logarithms."""

from __future__ import annotations

import math

import pytest

from annotation.models import Criterion, Form, FormVersion, Item, Rater, Study, User
from annotation.selectors.questions.long_table import long_ratings, ratings_frame
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.rating_files import import_ratings
from annotation.services.studies.lifecycle import create_study
from scoring.selectors.data.answers import study_answers
from scoring.services.data.counting import select_ratings
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import exported, quick, unpacked

pytestmark = pytest.mark.django_db


def study_with_magnitudes(slug: str, **settings: object) -> Study:
    owner, _ = User.objects.get_or_create(email="someone@example.org")
    study = create_study(slug=slug, title="Magnitudes", owner=owner)
    form = Form.objects.create(study=study, key="ratings", title="Ratings")
    version = FormVersion.objects.create(form=form)
    Criterion.objects.create(
        version=version,
        key="apt",
        name="Apt",
        kind="magnitude",
        minimum=0.0001,
        maximum=999_999,
        settings={"magnitude": settings} if settings else {},
    )
    return study


def rated(slug: str, **settings: object) -> Study:
    """Each rater has a scale of their own: the second one's numbers are ten times the first one's."""
    study = study_with_magnitudes(slug, **settings)
    criterion = Criterion.objects.select_related("version").get(version__form__study=study)
    raters = [Rater.objects.create(study=study, code=f"R-{n}", state="active") for n in range(3)]
    loaded = [
        LoadedResponse(
            item=Item.objects.get_or_create(study=study, key=f"I-{n:02d}", defaults={"position": n})[0],
            rater=rater,
            version=criterion.version,
            values={criterion: (n + 1.5) * 10**place + (n * (place + 2)) % 5 * 0.25},
        )
        for n in range(12)
        for place, rater in enumerate(raters)
    ]
    store_responses(loaded=loaded)
    return study


@pytest.mark.parametrize("standardised", [False, True])
def test_a_report_takes_logarithms_and_comes_out_again_without_this_software(tmp_path, standardised):
    study = rated("magnitudes", standardised=True) if standardised else rated("magnitudes")
    report = compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))
    figures = {row["coefficient"]: row for row in report.figures}
    assert figures["icc2"]["reason"] == figures["alpha"]["reason"] == ""
    assert (figures["icc2"]["estimate"] > 0.8) == standardised
    assert figures["fleiss"]["reason"] == "continuous_scale"
    status, printed = recompute(unpacked(study, tmp_path))
    assert status == 0, printed


def test_what_counts_is_in_logarithms_less_the_raters_mean_where_the_form_says_so():
    plain, own = rated("plain"), rated("own", standardised=True)
    frame = ratings_frame(plain)
    given = frame["value"].map(math.log)
    assert select_ratings(plain, frame, pool_versions=False)[0]["value"].tolist() == given.tolist()
    centred = select_ratings(own, ratings_frame(own), pool_versions=False)[0]
    assert centred.groupby("rater")["value"].mean().abs().max() < 1e-9
    assert sorted(study_answers(plain).answers.values["apt"]) == pytest.approx(sorted(given))


@pytest.mark.parametrize("file_format", ["csv", "jsonl", "parquet", "xlsx"])
def test_numbers_are_the_same_after_export_and_import(tmp_path, file_format):
    study, again = rated("first"), study_with_magnitudes("again")
    import_ratings(study=again, path=exported(study, tmp_path, file_format))
    values = [
        sorted((row["item"], row["rater"], row["value"]) for row in long_ratings(one))
        for one in (study, again)
    ]
    assert values[0] == values[1] != []
