"""What a bundle says can be computed again from its files, without this software."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django.plugin import DjangoDbBlocker

from annotation.models import Criterion, FinalAnswer, Job, Rating, Study
from scoring.bundle.figures import RECOMPUTE
from scoring.models import Report, Score
from scoring.selectors.data.staleness import data_state
from scoring.selectors.metrics.metric_pages import best_of, criteria_matrix
from scoring.services.metrics.metrics import compute_metrics, request_metrics
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import compared, is_the_same, recompute
from tests.bundle.studies import quick, rich_cast, unpacked, with_choice, with_reports
from tests.support.people import make_cast
from tests.support.running.tables import rows_of_a_module
from tests.support.studies.marked_study import make_marked_study

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def bundles(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Two bundles with reports of every kind, made once: every test changes a copy."""
    made = tmp_path_factory.mktemp("bundles")
    for name in ("scales", "options beside them"):
        with rows_of_a_module(django_db_blocker):
            study = rich_cast().study
            if name != "scales":
                with_choice(study)
            with_reports(study)
            unpacked(study, made / name)
    return made


@pytest.fixture
def folder(bundles: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bundles / "scales" / "lamps", tmp_path / "bundle"))


@pytest.fixture
def folder_with_options(bundles: Path, tmp_path: Path) -> Path:
    """The bundle of a study with a question with options and with scales."""
    return Path(shutil.copytree(bundles / "options beside them" / "lamps", tmp_path / "bundle"))


def test_every_number_comes_out_again_without_this_software(folder):
    status, printed = recompute(folder)

    assert status == 0, printed
    numbers = compared(printed)
    stored = json.loads((folder / "reports/reliability.json").read_text())
    # An estimate, its limits, its confidence and three counts of each figure, at the least.
    assert numbers["reports/reliability.json"] >= 7 * len(stored["results"])
    assert {"before", "versions", "pairs", "distributions"} <= stored["tables"].keys()
    assert any(row["variant"].startswith("REML") for row in stored["results"])
    files = {path.relative_to(folder).as_posix() for path in folder.glob("reports/*")}
    tables = {path.relative_to(folder).as_posix() for path in folder.glob("tables/*.tex")}
    assert numbers.keys() == files | tables | {
        *("SHA256SUMS", "coefficients.json", "data/ratings_wide.csv", "methods.md"),
    }
    assert {"tables/before-after.tex", "tables/systems.tex", "tables/reliability.tex"} <= tables


def test_a_metric_named_like_a_criterion_is_not_mistaken_for_it(tmp_path):
    """HAUSER's metrics are called quality, creativity and informativeness, as criteria are."""
    study = rich_cast().study
    compute_metrics(lease=quick(request_metrics(study=study, actor=None)))
    before = criteria_matrix(Report.objects.get(study=study, kind="metrics"), "item", "spearman")
    Score.objects.filter(run__study=study, metric="length").update(metric="quality")
    compute_metrics(lease=quick(request_metrics(study=study, actor=None)))
    compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))

    status, printed = recompute(unpacked(study, tmp_path))

    assert status == 0, printed
    report = Report.objects.filter(study=study, kind="metrics").latest("pk")
    assert estimates(criteria_matrix(report, "item", "spearman")) == estimates(before)
    best = {one["criterion"]: one["best"] for one in best_of(report, "item", "spearman")}
    assert all(abs(row["estimate"]) < 1 for rows in best.values() for row in rows)
    assert all(len({row["metric"] for row in rows}) == len(rows) for rows in best.values())


def estimates(matrix: dict[str, Any]) -> dict[str, list[float | None]]:
    return {row["metric"]: [cell and cell["estimate"] for cell in row["cells"]] for row in matrix["rows"]}


def test_a_changed_rating_a_changed_figure_and_a_changed_table_are_found(folder):
    ratings, report = folder / "data/ratings.csv", folder / "reports/metrics.json"
    table = folder / "tables/systems.tex"
    ratings.write_text(
        re.sub(r"quality,([1-4]),", lambda hit: f"quality,{int(hit[1]) + 1},", ratings.read_text(), count=1)
    )
    report.write_text(re.sub(r'("estimate": 0\.\d\d)\d', r"\g<1>", report.read_text(), count=1))
    table.write_text(re.sub(r"& (\d\.\d\d)\d", r"& \g<1>", table.read_text(), count=1))

    status, printed = recompute(folder)

    assert status == 1
    for name in ("SHA256SUMS", "data/ratings_wide.csv", "reports/reliability.json", "reports/metrics.json"):
        line = next(line for line in printed.splitlines() if line.startswith(name))
        assert line.split()[1] > line.split()[2] or int(line.split()[1]) > int(line.split()[2]), printed


def test_a_question_with_options_comes_out_together_with_the_scales(folder_with_options):
    status, printed = recompute(folder_with_options)

    assert status == 0, printed
    stored = json.loads((folder_with_options / "reports/reliability.json").read_text())
    assert {row["criterion"] for row in stored["results"]} == {"quality", "creativity", "clear"}
    assert is_the_same(printed), printed


def test_an_older_bundle_that_does_not_say_what_answers_yield_comes_out(folder_with_options):
    folder = folder_with_options
    study_file, sums = folder / "study.json", folder / "SHA256SUMS"
    facts = json.loads(study_file.read_text(encoding="utf-8"))
    for scale in facts["scales"]:
        del scale["yields"]
    before = hashlib.sha256(study_file.read_bytes()).hexdigest()
    study_file.write_text(json.dumps(facts), encoding="utf-8")
    after = hashlib.sha256(study_file.read_bytes()).hexdigest()
    sums.write_text(sums.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")

    status, printed = recompute(folder)

    assert status == 0, printed
    assert is_the_same(printed), printed


def test_a_study_of_choices_alone_comes_out(tmp_path):
    study = rich_cast().study
    with_choice(study)
    scales = Criterion.objects.filter(version__form__study=study, kind="likert")
    Rating.objects.filter(criterion__in=scales).delete()
    FinalAnswer.objects.filter(criterion__in=scales).delete()
    scales.delete()
    compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))

    status, printed = recompute(unpacked(study, tmp_path))

    assert status == 0, printed
    assert is_the_same(printed), printed


def test_a_study_of_marked_tuples_comes_out(tmp_path):
    study = make_marked_study()
    compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))

    status, printed = recompute(unpacked(study, tmp_path))

    assert status == 0, printed
    assert is_the_same(printed), printed


def test_figures_of_words_that_are_removed_from_a_bundle_are_left_by_name(tmp_path):
    study = make_marked_study()
    owner = study.memberships.get().user
    one = Rating.objects.filter(criterion__kind="tuples")[0]
    content = [{**mark, "text": mark["text"].replace("漏失", owner.email)} for mark in one.content or ()]
    assert content != one.content
    Rating.objects.filter(pk=one.pk).update(content=content)
    compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))

    status, printed = recompute(unpacked(study, tmp_path))

    assert status == 0, printed
    assert re.search(r"not recomputed: \d+ of f1, 1 of fingerprint, \d+ of precision, \d+ of recall", printed)
    assert is_the_same(printed, "Every number that was recomputed"), printed


def test_a_report_of_another_kind_is_named_and_no_part_of_the_bundle(tmp_path):
    study = rich_cast().study
    compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))
    of_reliability = Report.objects.get()
    for kind in ("corpus", "multiverse"):
        Report.objects.create(
            study=study,
            job=Job.objects.create(kind=kind, study=study),
            kind=kind,
            figures=[],
            data_state=data_state(study, kind),
            fingerprint="0",
            software=of_reliability.software,
        )

    folder = unpacked(study, tmp_path)

    assert [path.name for path in folder.glob("reports/*")] == ["reliability.json"]
    readme = (folder / "README.md").read_text()
    assert (
        "Not part of a bundle: results by size of the knowledge base, results under different exclusions."
        in readme
    )
    assert "data have changed" not in readme
    # One that comes from elsewhere is not computed, and does not end the programme.
    (folder / "reports/corpus.json").write_text(
        '{"kind": "corpus", "results": [{"estimate": 1}], "tables": {}}'
    )
    (folder / "SHA256SUMS").write_text(sums_of(folder))
    status, printed = recompute(folder)
    assert status == 0, printed
    assert "not recomputed: 1 of a report of kind corpus" in printed


def sums_of(folder: Path) -> str:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n"
        for path in files
    )


def test_a_study_without_answers_has_nothing_that_differs(tmp_path):
    status, printed = recompute(unpacked(make_cast().study, tmp_path))

    assert status == 0, printed
    assert is_the_same(printed), printed


def test_a_folder_without_study_json_is_refused(tmp_path):
    shutil.copytree(RECOMPUTE, tmp_path / "recompute")

    status, printed = recompute(tmp_path)

    assert status == 2
    assert "no study.json" in printed


def test_the_programme_knows_nothing_of_this_software():
    sources = [path.read_text(encoding="utf-8") for path in RECOMPUTE.rglob("*.py")]

    found = (re.findall(r"^\s*(?:from|import) (\w+)", source, flags=re.MULTILINE) for source in sources)
    imported = {name for names in found for name in names}
    allowed = {"pandas", "numpy", "scipy", "krippendorff"}
    assert imported - sys.stdlib_module_names <= allowed


@pytest.mark.slow
@pytest.mark.published_data
@pytest.mark.parametrize("name", ["hauser", "hanna", "miyazawa"])
def test_every_number_of_a_published_study_comes_out_again(name, published_data, tmp_path):
    call_command("import_published", name, data=published_data / name)
    study = Study.objects.get(source=f"published:{name}")
    compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))
    compute_metrics(lease=quick(request_metrics(study=study, actor=None)))

    status, printed = recompute(unpacked(study, tmp_path))

    assert status == 0, printed
    assert compared(printed).keys() >= {"reports/reliability.json", "reports/metrics.json"}
