"""What is in a bundle, what never is, and that other programmes read it."""

from __future__ import annotations

import csv
import hashlib
import json
import uuid
from pathlib import Path

import mlcroissant
import pytest
from datasets import load_dataset
from django.utils import timezone

from annotation.domain.base.codebook import RATINGS, WIDE
from annotation.domain.base.states import Purpose
from annotation.models import (
    Assignment,
    Check,
    Criterion,
    FormVersion,
    Item,
    PlatformIdentity,
    Rating,
    Response,
    Study,
)
from scoring.bundle.contents import ASKED
from tests.bundle.studies import FORMULA, PERSON, rich_cast, unpacked, with_choice, with_reports

pytestmark = pytest.mark.django_db


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def texts_of(folder: Path) -> dict[str, str]:
    """Every file as text; the binary ones as the text that can be read in them."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8", "replace") for path in files
    }


def test_no_person_is_named_in_any_file(tmp_path):
    cast = rich_cast()
    known = {PERSON, "Ada Lovelace", *(user.email for user in cast.users.values())}

    found = texts_of(unpacked(cast.study, tmp_path, ASKED[:2]))

    assert {(path, one) for path, text in found.items() for one in known if one in text} == set()
    # The rest of the remark and of the reason remains.
    assert "Ask M-0" in found["data/ratings.csv"]
    assert "as [removed]" in found["data/exclusions.csv"]
    assert "As M-0" in found["data/adjudicated.csv"]
    assert "As M-0" in found["data/adjudication_decisions.csv"]
    assert "As M-0" in found["data/adjudication_discussion.csv"]


def test_an_id_that_is_an_option_changes_no_chosen_value_and_no_part_of_a_word(tmp_path):
    study = rich_cast().study
    with_choice(study)
    version = study.forms.get().versions.get(number=2)
    option = version.criteria.get(key="clear").points.get(value="no")
    option.value = "metaphor"
    option.save()
    Rating.objects.filter(answer="no").update(answer="metaphor")
    text_criterion = Criterion.objects.create(version=version, key="why", name="Why", kind="text", position=6)
    response = Response.objects.filter(version=version, cannot_rate="")[0]
    Rating.objects.create(response=response, criterion=text_criterion, answer="metaphorical; metaphor, no")
    PlatformIdentity.objects.create(
        rater=study.raters.get(code="R-12"), study=study, platform="other", person="metaphor", task="no",
        invitation=study.invitations.all()[0],
    )  # fmt: skip

    rows = rows_of(unpacked(study, tmp_path) / "data/ratings.csv")

    assert {row["value"] for row in rows if row["criterion"] == "clear" and row["value"]} == {
        "yes",
        "metaphor",
    }
    assert [row["value"] for row in rows if row["criterion"] == "why" and row["value"]] == [
        "metaphorical; [removed], no"
    ]


def test_planted_pages_are_in_no_table_of_ratings_or_items(tmp_path):
    study = rich_cast().study
    form, rater = study.forms.get(), study.raters.get(code="R-12")
    planted = Item.everything.create(
        study=study, key="planted-page", fields={"simile": "Choose 2."}, planted=True
    )
    check = Check.objects.create(study=study, key="told", kind="instructed", form=form, item=planted)
    shown = Assignment.objects.create(
        rater=rater,
        item=planted,
        form=form,
        version=form.versions.get(number=1),
        purpose=Purpose.CHECK,
        check_planted=check,
        position=3,
    )
    answer = Response.objects.create(
        assignment=shown,
        version=shown.version,
        submission_key=uuid.uuid4(),
        submitted_at=timezone.now(),
    )
    Rating.objects.create(
        response=answer, criterion=shown.version.criteria.get(key="quality"), value=2, minimum=1, maximum=5
    )

    folder = unpacked(study, tmp_path)

    for name in ("ratings", "ratings_wide", "items", "scores"):
        assert "planted-page" not in (folder / f"data/{name}.csv").read_text()


def test_late_simulated_and_excluded_ratings_are_included_and_marked(tmp_path):
    study = rich_cast().study

    rows = rows_of(unpacked(study, tmp_path) / "data/ratings.csv")

    marks = {name: {row[name] for row in rows} for name in ("late", "simulated", "excluded", "cannot_rate")}
    assert set(map(frozenset, marks.values())) == {frozenset({"true", "false"})}
    assert {row["exclusion_rule"] for row in rows if row["excluded"] == "true"} == {
        "by_hand",
        "lacks_context",
    }
    # The lifted exclusion is in the list, and marks nothing.
    assert "R-14" not in {row["rater"] for row in rows if row["exclusion_rule"] == "by_hand"}
    exclusions = rows_of(tmp_path / study.slug / "data/exclusions.csv")
    assert {(row["rater"], bool(row["lifted_at"])) for row in exclusions if row["rater"]} == {
        ("R-14", True),
        ("R-10", False),
    }


def test_the_wide_table_has_the_ratings_that_count_side_by_side(tmp_path):
    study = rich_cast().study
    folder = unpacked(study, tmp_path)
    counting = [
        row
        for row in rows_of(folder / "data/ratings.csv")
        if row["excluded"] == row["late"] == "false" and row["criterion"] == "quality"
    ]

    wide = rows_of(folder / "data/ratings_wide.csv")

    assert list(wide[0]) == [*WIDE, *(f"R-1{number}" for number in range(6))]
    for row in (row for row in wide if row["criterion"] == "quality"):
        own = {one["rater"]: one["value"] for one in counting if one["item"] == row["item"] and one["value"]}
        assert {code: row[code] for code in own} == own
        assert int(row["n_ratings"]) == len(own)
        assert float(row["mean"]) == pytest.approx(sum(map(int, own.values())) / len(own))


def test_every_column_of_every_table_is_described_in_its_place(tmp_path):
    folder = unpacked(rich_cast().study, tmp_path)
    book = rows_of(folder / "data/codebook.csv")

    for path in folder.glob("data/*.csv"):
        if path.stem == "codebook":
            continue
        with path.open(encoding="utf-8", newline="") as file:
            header = next(csv.reader(file))
        own = [row for row in book if row["file"] == f"data/{path.stem}"]
        assert [row["column"].lstrip("'") for row in own] == [name.lstrip("'") for name in header], path
        assert [int(row["position"]) for row in own] == list(range(1, len(header) + 1))
        assert all(row["description"] for row in own)


def test_the_order_of_the_columns_of_ratings_is_that_of_the_contract(tmp_path):
    contract = (
        "study item group system form form_version rater criterion value cannot_rate reason remark revision"
        " current late simulated submitted_at seconds excluded exclusion_rule suggestion"
        " interface_language text_language form_correction pooled_version first_value heard"
    )
    folder = unpacked(rich_cast().study, tmp_path)
    with (folder / "data/ratings.csv").open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))

    assert header == contract.split() == list(RATINGS)


def test_the_sums_are_those_of_every_file(tmp_path):
    folder = unpacked(rich_cast().study, tmp_path)
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    stored = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}

    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    del files["SHA256SUMS"]
    assert stored == {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}


def test_croissant_metadata_are_valid_and_lead_to_the_rows(tmp_path):
    folder = unpacked(rich_cast().study, tmp_path)

    described = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))

    assert described.metadata.ctx.issues.errors == set()
    row = next(iter(described.records("ratings_wide")))
    assert row["ratings_wide/criterion"] == b"quality"
    assert row["ratings_wide/n_ratings"] >= 1


def test_the_folder_loads_as_a_data_set_offline(tmp_path, monkeypatch):
    monkeypatch.setattr("datasets.config.HF_HUB_OFFLINE", True)
    study = rich_cast().study
    folder = unpacked(study, tmp_path / "unpacked")

    loaded = load_dataset(str(folder), "ratings", cache_dir=str(tmp_path / "cache"))["train"]
    items = load_dataset(str(folder), "items", cache_dir=str(tmp_path / "cache"))["train"]

    assert loaded.column_names == list(RATINGS)
    assert loaded.num_rows == len(rows_of(folder / "data/ratings.csv"))
    # Parquet holds texts as they are; in a spreadsheet this key would be run.
    assert items[0]["item"] == FORMULA
    assert rows_of(folder / "data/items.csv")[0]["item"] == f"'{FORMULA}"


def test_forms_have_every_wording_with_its_rubric_and_examples(tmp_path):
    study = rich_cast().study
    example = {
        "criterion": "quality",
        "text": "As old as time.",
        "answer": "1",
        "right": True,
        "reason": "Stock.",
    }
    FormVersion.objects.filter(form__study=study, number=1).update(examples=[example])
    folder = unpacked(study, tmp_path)

    forms = json.loads((folder / "forms.json").read_text())

    assert [(one["form"], one["version"], one["question"]) for one in forms] == [
        ("similes", 1, "How good is it?"),
        ("similes", 2, "How good?"),
    ]
    assert forms[0]["criteria"][0]["points"][0]["label"] == "quality 1"
    assert [one["examples"] for one in forms] == [[example], []]


def test_a_report_of_older_data_is_left_out_and_named(tmp_path):
    study = rich_cast().study
    with_reports(study)
    Study.objects.filter(pk=study.pk).update(include_late=True)
    study.refresh_from_db()

    folder = unpacked(study, tmp_path)

    assert list(folder.glob("reports/*")) == []
    assert (
        "computed: comparisons of two metrics, metrics compared with ratings, reliability."
        in (folder / "README.md").read_text()
    )
