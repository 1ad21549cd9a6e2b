"""The list of coefficients in a bundle decides what the recomputing programme must come to."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from annotation.models import Criterion, Rating
from scoring.bundle.recompute.bundle import Coefficients
from scoring.bundle.recompute.registry import COMPUTED
from scoring.services.reports.reliability import compute_report, request_report
from scoring.stats.agreement.coefficients import COEFFICIENTS, HEADLINE
from tests.bundle.recomputing import compared, recompute
from tests.bundle.studies import REPLICATES, quick, rich_cast, unpacked

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
    assert refused == {"fleiss", "ac1", "ac2", "exact", "within_one", "kappa_n"}
