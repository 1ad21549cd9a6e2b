"""The list of coefficients in a bundle decides what the recomputing programme must come to."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from annotation.models import Criterion, Item, Rating, Study
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from scoring.bundle.recompute.bundle import Coefficients
from scoring.bundle.recompute.registry import COMPUTED
from scoring.services.reports.reliability import compute_report, request_report
from scoring.stats.agreement.coefficients import COEFFICIENTS, HEADLINE
from tests.bundle.recompute.recomputing import compared, recompute
from tests.bundle.studies import REPLICATES, quick, rich_cast, unpacked
from tests.stats.declared import COMPUTED as ON_SCALES
from tests.stats.declared import OF_CATEGORIES
from tests.stats.samples import likert
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    study = rich_cast().study
    job = request_report(study=study, actor=None, replicates=REPLICATES, announce=False)
    compute_report(lease=quick(job))
    return unpacked(study, tmp_path)


def rewrite(folder: Path, text: str | None) -> None:
    """Another list of coefficients, or none, and the sums to match."""
    sums, path = folder / "SHA256SUMS", folder / "coefficients.json"
    lines = [line for line in sums.read_text().splitlines() if not line.endswith("  coefficients.json")]
    if text is None:
        path.unlink()
    else:
        path.write_text(text)
        lines.append(f"{hashlib.sha256(text.encode()).hexdigest()}  coefficients.json")
    sums.write_text("\n".join(lines) + "\n")


def test_the_programme_has_code_for_every_coefficient_of_the_product():
    assert COEFFICIENTS.keys() == COMPUTED


def test_the_list_of_a_bundle_is_that_of_the_product(folder):
    read = Coefficients.read(folder)
    assert (read.known, read.headline) == (frozenset(COEFFICIENTS), HEADLINE)
    stored = json.loads((folder / "coefficients.json").read_text())
    assert [one["title"] for one in stored] == [one.title for one in COEFFICIENTS.values()]


def test_a_bundle_of_a_report_from_before_a_coefficient_comes_out(tmp_path):
    study = rich_cast().study
    job = request_report(study=study, actor=None, replicates=REPLICATES, announce=False)
    report = compute_report(lease=quick(job))
    report.figures = [row for row in report.figures if row["coefficient"] != "kappa_n"]
    report.save(update_fields=["figures"])
    folder = unpacked(study, tmp_path)
    assert Coefficients.read(folder).known == frozenset(COEFFICIENTS) - {"kappa_n"}
    status, printed = recompute(folder)
    assert status == 0, printed


def test_a_coefficient_without_code_is_a_difference_and_a_bundle_without_a_list_still_comes_out(folder):
    stored = json.loads((folder / "coefficients.json").read_text())

    rewrite(folder, json.dumps([*stored, {**stored[0], "key": "omega"}]))
    status, printed = recompute(folder)
    assert status == 1
    assert "omega has code in this programme: stored True, recomputed False" in printed
    assert compared(printed)["coefficients.json"] == len(COEFFICIENTS) + 1

    rewrite(folder, None)
    status, printed = recompute(folder)
    assert status == 0, printed
    assert compared(printed)["reports/reliability.json"] > 0


def complete_study() -> Study:
    """Twelve items that each of four raters has rated."""
    study = make_cast(slug="complete").study
    study.items.all().delete()
    version = study.forms.get().versions.get()
    criteria = list(version.criteria.filter(kind="likert"))
    items = [Item.objects.create(study=study, key=f"I-{n:02d}", position=n) for n in range(12)]
    raters = [study.raters.create(code=f"R-2{n}") for n in range(4)]
    values = likert(5, len(items), len(raters)).astype(int)
    loaded = [
        LoadedResponse(
            item=item,
            rater=rater,
            version=version,
            values={one: int(values[place, number]) for one in criteria},
        )
        for place, item in enumerate(items)
        for number, rater in enumerate(raters)
    ]
    store_responses(loaded=loaded)
    return study


def test_a_complete_design_of_persons_has_every_coefficient_and_they_come_out(tmp_path):
    study = complete_study()
    compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))

    folder = unpacked(study, tmp_path)
    status, printed = recompute(folder)

    assert status == 0, printed
    rows = json.loads((folder / "reports/reliability.json").read_text())["results"]
    assert {row["coefficient"] for row in rows} == {one.key for _, one in ON_SCALES}
    assert {row["reason"] for row in rows} == {""}
    assert {"two-way ANOVA"} == {row["variant"] for row in rows if row["coefficient"] == "icc2"}


def test_a_scale_from_0_to_100_comes_out_with_the_same_refusals(tmp_path):
    study = rich_cast().study
    Criterion.objects.filter(version__form__study=study, kind="likert").update(minimum=0, maximum=100)
    for rating in Rating.objects.filter(value__isnull=False):
        rating.value, rating.minimum, rating.maximum = 20 * (rating.value or 0), 0, 100
        rating.save(update_fields=["value", "minimum", "maximum"])
    compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))

    folder = unpacked(study, tmp_path)
    status, printed = recompute(folder)

    assert status == 0, printed
    rows = json.loads((folder / "reports/reliability.json").read_text())["results"]
    refused = {row["coefficient"] for row in rows if row["reason"] == "continuous_scale"}
    assert refused == OF_CATEGORIES
    assert {"fleiss", "ac1", "ac2", "exact"} <= refused
