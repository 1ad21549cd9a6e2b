"""What data hubs, archives and other tools read of a bundle is valid and true of its tables."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from datetime import datetime
from pathlib import Path

import mlcroissant
import pyarrow.parquet
import pytest
import yaml
from datasets import load_dataset

from scoring.bundle.release.publication import Publication
from tests.bundle.studies import rich_cast, unpacked, with_choice

pytestmark = pytest.mark.django_db
AUTHORS = ("Duarte, Ines (0000-0002-1825-0097)", "Simile group")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The bundle of a study with scales and a choice, published under a licence by two authors."""
    study = rich_cast().study
    with_choice(study)
    return unpacked(study, tmp_path, publication=Publication.read("CC-BY-4.0", AUTHORS))


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_table_is_described_with_its_columns_in_order(folder: Path) -> None:
    described = json.loads((folder / "csv-metadata.json").read_text())
    tables = {one["url"]: one["tableSchema"]["columns"] for one in described["tables"]}
    assert set(tables) == {f"data/{path.name}" for path in (folder / "data").glob("*.csv")}
    for url, columns in tables.items():
        with (folder / url).open(encoding="utf-8", newline="") as file:
            assert [one["titles"] for one in columns] == [
                name.removeprefix("'") for name in next(csv.reader(file))
            ], url
        numbers = [one["titles"] for one in columns if one["datatype"] in ("integer", "number")]
        for row in rows_of(folder / url):
            assert all(row[name] == "" or float(row[name]) is not None for name in numbers), url


def test_labels_are_those_of_the_ratings_that_count(folder: Path) -> None:
    expected = defaultdict(list)
    for row in rows_of(folder / "data/ratings.csv"):
        if row["value"] and row["excluded"] == row["late"] == "false":
            place = row["item"].removeprefix("'"), row["form"], row["pooled_version"], row["criterion"]
            expected[place].append((row["rater"], row["value"]))
    entries = json.loads((folder / "labels.json").read_text()).values()
    found = {}
    for entry in entries:
        about = entry["other_info"]
        place = about["item"], about["form"], about["pooled_version"], about["criterion"]
        found[place] = entry
    assert {
        place: list(zip(one["annotators"].split(","), one["annotations"].split(","), strict=True))
        for place, one in found.items()
    } == expected
    for place, one in found.items():
        shares = [value for _, value in expected[place]]
        assert one["number of annotations"] == len(shares)
        assert one["soft_label"] == {
            label: pytest.approx(shares.count(label) / len(shares)) for label in one["soft_label"]
        }
        assert sum(one["soft_label"].values()) == pytest.approx(1)
    assert set(found[next(place for place in found if place[3] == "clear")]["soft_label"]) == {"yes", "no"}
    assert set(found[next(place for place in found if place[3] == "quality")]["soft_label"]) == set("12345")


def test_croissant_names_the_origin_the_authors_and_the_licence_of_the_data(folder: Path) -> None:
    described = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    metadata = described.metadata
    assert metadata.ctx.issues.errors == set()
    assert metadata.ctx.is_v1_1()
    assert metadata.license == ["https://creativecommons.org/licenses/by/4.0/"]
    assert [one.name for one in metadata.creators] == ["Duarte, Ines", "Simile group"]
    assert metadata.data_collection == (folder / "methods.md").read_text().strip()
    assert metadata.data_annotation_platform == ["Groundwork"]
    n_without = sum(
        row["cannot_rate"] == "true" and row["criterion"] == "quality"
        for row in rows_of(folder / "data/ratings.csv")
    )
    assert metadata.data_collection_missing_data.startswith(f"{n_without} responses")


def test_citation_file_and_deposit_name_the_authors(folder: Path) -> None:
    cited = yaml.safe_load((folder / "CITATION.cff").read_text())
    assert (cited["cff-version"], cited["type"], cited["license"]) == ("1.2.0", "dataset", "CC-BY-4.0")
    person = {"family-names": "Duarte", "given-names": "Ines"}
    assert cited["authors"] == [
        {**person, "orcid": "https://orcid.org/0000-0002-1825-0097"},
        {"name": "Simile group"},
    ]
    deposit = json.loads((folder / ".zenodo.json").read_text())
    assert (deposit["upload_type"], deposit["license"]) == ("dataset", "cc-by-4.0")
    assert [one["name"] for one in deposit["creators"]] == ["Duarte, Ines", "Simile group"]
    assert "author = {Duarte, Ines and {Simile group}}" in (folder / "README.md").read_text()


def test_the_data_card_declares_the_columns_that_the_tables_have(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    card = yaml.safe_load((folder / "README.md").read_text().split("---\n")[1])
    assert (card["license"], card["size_categories"]) == ("cc-by-4.0", ["n<1K"])
    for info in card["dataset_info"]:
        loaded = load_dataset(
            str(folder), info["config_name"], cache_dir=str(folder.parent / "cache"), split="train"
        )
        declared = {one["name"]: one["dtype"] for one in info["features"]}
        assert {name: one.dtype for name, one in loaded.features.items()} == declared


def test_without_authors_nothing_is_cited_and_no_licence_is_invented(tmp_path: Path) -> None:
    folder = unpacked(rich_cast().study, tmp_path)
    assert not (folder / "CITATION.cff").exists()
    assert not (folder / ".zenodo.json").exists()
    assert "license" not in json.loads((folder / "croissant.json").read_text())
    assert "No licence is declared" in (folder / "README.md").read_text()


def test_numbers_times_and_truth_values_have_their_types_in_parquet_and_in_every_description(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    folder = unpacked(rich_cast().study, tmp_path)
    expected = {
        "value": ("int64", "integer", "https://schema.org/Integer"),
        "seconds": ("double", "number", "https://schema.org/Float"),
        "late": ("bool", "boolean", "https://schema.org/Boolean"),
        "submitted_at": ("timestamp[us, tz=UTC]", "dateTime", "https://schema.org/DateTime"),
        "item": ("string", "string", "https://schema.org/Text"),
    }
    table = pyarrow.parquet.read_table(folder / "data/ratings.parquet")
    assert {name: str(table.schema.field(name).type) for name in expected} == {
        name: arrow for name, (arrow, _, _) in expected.items()
    }
    loaded = load_dataset(str(folder), "ratings", cache_dir=str(tmp_path / "cache"), split="train")
    written = rows_of(folder / "data/ratings.csv")
    assert [one["value"] for one in loaded] == [
        int(row["value"]) if row["value"] else None for row in written
    ]
    assert [one["submitted_at"] for one in loaded] == [
        datetime.fromisoformat(row["submitted_at"]) if row["submitted_at"] else None for row in written
    ]
    described = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    fields = {one.name: str(one.data_types[0]) for one in _ratings(described).fields}
    assert {name: fields[f"ratings/{name}"] for name in expected} == {
        name: kind for name, (_, _, kind) in expected.items()
    }
    records = list(described.records("ratings"))
    assert len(records) == len(written)
    tables = json.loads((folder / "csv-metadata.json").read_text())["tables"]
    columns = next(one["tableSchema"]["columns"] for one in tables if one["url"] == "data/ratings.csv")
    kinds = {one["titles"]: one["datatype"] for one in columns}
    assert {name: kinds[name] if name != "late" else kinds[name]["base"] for name in expected} == {
        name: kind for name, (_, kind, _) in expected.items()
    }


def _ratings(described: mlcroissant.Dataset) -> mlcroissant.RecordSet:
    return next(one for one in described.metadata.record_sets if one.name == "ratings")
