"""Preferences: pairs from a file or a ranking, answered on the real pages, as wins and strengths."""

from __future__ import annotations

import csv
from copy import copy
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from annotation.models import (
    AdaptivePairing,
    Assignment,
    AuditEntry,
    FormVersion,
    Item,
    Rater,
    Rating,
    ScalePoint,
    Study,
    User,
)
from annotation.protocols.preference import PREFERENCE_TIES
from annotation.selectors.questions.choice_table import choices_table
from annotation.selectors.questions.shown_options import shown_order
from annotation.services.items.drawn_pairs import Draw, Ranking, import_drawn_pairs
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.studies.demo_studies import add_demo_items
from tests.support.studies.choice_study import answer_all, draft, joined, opened, report_of

pytestmark = pytest.mark.django_db


def ranking(folder: Path, length: int = 100) -> Path:
    path = folder / "ranked.csv"
    lines = [f"E{number:03d},expression {number},{length - number}" for number in range(length)]
    path.write_text("\n".join(["item,expression,overall", *lines]) + "\n", encoding="utf-8")
    return path


def prefer(study: Study, better) -> None:
    """A rater who prefers the side that `better` names."""
    answer_all(*joined(study), lambda item, _: {"answer-preference": better(item)})


def test_pairs_are_drawn_by_the_rule_of_the_paper_and_their_wins_are_counted_for_each_p(tmp_path):
    study = draft("preference")
    ranked = Ranking(ranking(tmp_path), text="expression", by="overall")
    assert import_drawn_pairs(study=study, ranking=ranked, draw=Draw(seed=8)) == 50
    assert AuditEntry.objects.get(study=study, act="draw_pairs").detail["seed"] == 8
    for item in study.items.all():
        places = {side: item.metadata[f"place_{side}"] for side in "ab"}
        high, low = places.pop(item.metadata["high"]), *places.values()
        assert high <= item.metadata["percent"] < low
        assert item.fields["a"] == f"expression {item.metadata['place_a'] - 1}"
    wins = {10: 8, 20: 6, 30: 6, 40: 6, 50: 7}

    def as_printed(item: Item) -> str:
        won = int(item.key[-2:]) <= wins[item.metadata["percent"]]
        return item.metadata["high"] if won else "ab".replace(item.metadata["high"], "")

    study = opened(study)
    prefer(study, as_printed)
    tables = report_of(study).tables
    assert {row["percent"]: (row["wins"], row["n"]) for row in tables["wins_by_percent"]} == {
        percent: (number, 10) for percent, number in wins.items()
    }
    rows = list(choices_table(study)[1])
    assert all(row["shown"].split("|")[int(row["place"]) - 1] == row["value"] for row in rows)
    texts = dict(study.items.values_list("key", "fields"))
    assert all(row["chosen"] == texts[row["item"]][row["value"]] for row in rows)
    # Every expression is in a pair or two: no strengths can be had, and the report says so.
    assert {row["reason"] for row in tables["strengths"]} == {"not_connected"}
    first = tables["first_shown"][0]
    shown_first = [rating.shown[0] == rating.answer for rating in Rating.objects.all()]
    assert (first["wins"], first["n"]) == (sum(shown_first), 50)


def test_writers_are_compared_by_wins_and_strengths_on_the_page_and_in_files():
    study = draft("preference_ties", overlap=2)
    add_demo_items(study=study, template=PREFERENCE_TIES)
    study = opened(study)
    order = ["Ada", "Chi", "Bruno"]

    def mostly(item: Item) -> str:
        if item.group == "W1":
            return "tie"
        ahead = order.index(item.metadata["a"]) < order.index(item.metadata["b"])
        return "ab"[ahead == (item.group == "W4")]

    for _ in range(2):
        prefer(study, mostly)
    report = report_of(study)
    rates = {row["competitor"]: row for row in report.tables["win_rates"]}
    assert [rates[name]["wins"] for name in order] == [8, 6, 4]
    assert {row["ties"] for row in rates.values()} == {4}
    assert [row["competitor"] for row in report.tables["strengths"]] == order
    client = Client()
    client.force_login(User.objects.get(email="owner@example.org"))
    page = client.get(f"/studies/{study.slug}/reliability/").content.decode()
    assert "Bradley–Terry strengths" in page
    caution = "The pairs were chosen adaptively"
    assert caution not in page
    AdaptivePairing.objects.create(form=study.forms.get(), criterion="preference", budget=9, per_round=3)
    assert caution in client.get(f"/studies/{study.slug}/reliability/").content.decode()
    for name in ("wins", "strengths"):
        address = f"/studies/{study.slug}/reliability/{report.pk}.{name}"
        text = client.get(f"{address}.csv").getvalue().decode()
        assert "Ada" in text
        assert r"\toprule" in client.get(f"{address}.tex").content.decode()
        assert len(list(csv.DictReader(text.splitlines()))) == {"wins": 4, "strengths": 3}[name]


def test_a_report_of_choices_is_stored_and_shows_what_exclusions_change():
    study = draft("preference", overlap=3)
    add_demo_items(study=study, template=PREFERENCE_TIES)
    study = opened(study)
    for turn in range(3):
        prefer(study, lambda _, side="ab"[turn == 2]: side)
    first = report_of(study)
    again = report_of(study)
    assert (again.fingerprint, again.figures, again.tables) == (
        first.fingerprint,
        first.figures,
        first.tables,
    )
    rater = study.raters.get(code="R-003")
    owner = User.objects.get(email="owner@example.org")
    exclude_rater(rater=rater, reason="the other way round", actor=owner)
    after = report_of(study)
    exact = {row["coefficient"]: row["estimate"] for row in after.figures}["exact"]
    before = {row["coefficient"]: row["estimate"] for row in after.tables["before"]}["exact"]
    assert (before, exact) == (pytest.approx(1 / 3), 1.0)
    assert after.fingerprint != first.fingerprint


def test_the_page_draws_pairs_and_the_command_names_what_is_wrong(tmp_path, capsys):
    study = draft("preference")
    client = Client()
    client.force_login(User.objects.get(email="owner@example.org"))
    path = ranking(tmp_path, length=200)
    sent = {"what": "pairs", "file": SimpleUploadedFile("ranked.csv", path.read_bytes()), "by": "overall"}
    address = f"/studies/{study.slug}/settings/import/"
    assert "Text column: Enter the column name." in client.post(address, sent).content.decode()
    sent = {**sent, "text": "expression", "file": SimpleUploadedFile("ranked.csv", path.read_bytes())}
    assert "50 pairs added from ranked.csv." in client.post(address, sent, follow=True).content.decode()
    path.write_text("item,expression,overall\nE1,one,good\n", encoding="utf-8")
    with pytest.raises(Exception, match="row 2, column 'overall': 'good' is not a number"):
        call_command("draw_pairs", study.slug, str(path), text="expression", by="overall")


def test_the_order_stored_is_that_of_the_version_on_the_page():
    study = draft("preference")
    version = FormVersion.objects.get(form__study=study)
    first = version.criteria.get(key="preference")
    points, second = list(first.points.all()), copy(first)
    second.pk, second.key, second.position = None, "clearer", 99
    second.save()
    ScalePoint.objects.bulk_create(
        ScalePoint(criterion=second, value=one.value, position=one.position) for one in points
    )
    before = copy(version)
    version.blocks = [*version.blocks, *({**one, "of": "clearer"} for one in version.blocks)]
    rater = Rater(study=study, seed=5)
    pages = [Assignment(rater=rater, item=Item(study=study, key=f"I-{n}"), version=before) for n in range(20)]
    assert all(shown_order(first, page, version) == shown_order(second, page, version) for page in pages)
