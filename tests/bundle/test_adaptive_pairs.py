"""Rounds of adaptive pairs go into exports and bundles, and a bundle chooses their pairs again."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from annotation.models import Study
from annotation.selectors.seats.pairing.counts import known_counts
from annotation.selectors.seats.pairing.tables import pair_counts_table, pair_rounds_table
from annotation.selectors.studies.definition import definition_of
from annotation.services.items.rating_files import import_items, import_ratings
from annotation.services.rating.erasure import erase_rater
from annotation.services.studies.definitions import create_from_definition
from scoring.selectors.reports.exported_files import exported_files
from tests.bundle.recompute.recomputing import compared, recompute
from tests.bundle.studies import unpacked
from tests.support.people import Cast
from tests.support.studies.pairs.adaptive_study import (
    QUESTION,
    adaptive_cast,
    prefer_until_nothing_is_left,
    rounds,
)
from tests.support.studies.staged_study import rater_of

pytestmark = pytest.mark.django_db


def rated(raters: str = "ABCDE") -> Cast:
    cast = adaptive_cast(candidates=4, budget=14, per_round=3)
    for code in raters:
        prefer_until_nothing_is_left(rater_of(cast.study, code))
    return cast


def test_the_tables_say_what_each_round_chose_and_from_which_counts() -> None:
    study = rated().study
    found = rounds(study)
    rows = list(pair_rounds_table(study)[1])
    assert [(one["round"], json.loads(one["items"]), one["stopped"]) for one in rows] == [
        (one.number, one.items, one.stopped) for one in found
    ]
    assert rows[-1]["stopped"] == "budget"
    counts = list(pair_counts_table(study)[1])
    assert sum(one["round"] == 1 for one in counts) == 6
    last = {row[0]: row for row in known_counts(found).values()}
    assert sum(row[6] for row in last.values()) == 14
    offered = exported_files(study, team=False, manages=False)["ratings"]
    assert {one.key for one in offered} >= {"pair_rounds", "pair_counts"}


def test_a_bundle_chooses_the_pairs_of_each_round_again_and_notices_a_changed_choice(tmp_path: Path) -> None:
    folder = unpacked(rated().study, tmp_path)
    status, printed = recompute(folder)
    assert status == 0, printed
    assert compared(printed)["data/pair_rounds.csv"] > 20
    path = folder / "data" / "pair_rounds.csv"
    rows = list(csv.DictReader(path.open(encoding="utf-8-sig")))
    rows[1]["items"] = json.dumps(json.loads(rows[1]["items"])[::-1])
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    status, printed = recompute(folder)
    assert status == 1
    assert "round 2 items" in printed


def test_rounds_whose_counts_were_erased_are_not_chosen_again(tmp_path: Path) -> None:
    cast = rated()
    rater = cast.study.raters.get(code="A")
    n = len(rounds(cast.study))
    erase_rater(rater=rater, actor=cast.users["owner"])
    status, printed = recompute(unpacked(cast.study, tmp_path))
    assert status == 0, printed
    assert f"{n} of rounds of adaptive pairs whose counts were erased" in printed


def test_a_study_made_from_the_files_of_a_bundle_has_the_same_pairs_forms_and_ratings(tmp_path: Path) -> None:
    cast = rated()
    first = unpacked(cast.study, tmp_path / "first")
    (form,) = json.loads((first / "forms.json").read_text(encoding="utf-8"))
    assert form["pairing"] == {"criterion": QUESTION, "budget": 14, "per_round": 3}
    definition = definition_of(cast.study, with_pay=False)
    definition["forms"][0]["pairing"] = form["pairing"]
    Study.objects.filter(pk=cast.study.pk).update(slug="before")
    again = create_from_definition(definition=definition, slug="pairs", owner=cast.users["owner"]).study
    import_items(study=again, path=first / "data" / "items.csv")
    import_ratings(study=again, path=first / "data" / "ratings.csv")
    second = unpacked(again, tmp_path / "second")
    for name in ("forms.json", "data/items.csv", "data/ratings.csv"):
        assert (second / name).read_bytes() == (first / name).read_bytes(), name
    assert recompute(second)[0] == 0


def test_rounds_with_another_budget_than_the_form_are_noticed(tmp_path: Path) -> None:
    folder = unpacked(rated().study, tmp_path)
    path = folder / "forms.json"
    forms = json.loads(path.read_text(encoding="utf-8"))
    forms[0]["pairing"]["budget"] += 1
    path.write_text(json.dumps(forms), encoding="utf-8")
    status, printed = recompute(folder)
    assert status == 1
    assert "preference settings of rounds: stored [], recomputed ['budget']" in printed
