"""Sets for best–worst scaling: drawn from a file or the items of a draft, on the page and by the command."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test import Client

from annotation.domain.base.errors import FileRefused, InvalidContent, NotAllowedNow
from annotation.models import AuditEntry, Study
from annotation.selectors.items.set_balance import balance_of_study
from annotation.services.items.drawn_sets import SetDraw, TextsFile, draw_sets_of_items, import_drawn_sets
from annotation.services.items.item_storage import NewItem, add_items
from tests.support.studies.choice_study import draft, opened

pytestmark = pytest.mark.django_db


def texts(folder: Path, *rows: str) -> TextsFile:
    path = folder / "texts.csv"
    lines = rows or [f"T{number:02d},text {number},g{number % 2},yes" for number in range(12)]
    path.write_text("\n".join(["item,sentence,group,shared", *lines]) + "\n", encoding="utf-8")
    return TextsFile(path, text="sentence")


def members(study: Study) -> list[list[str]]:
    return [
        [metadata[letter] for letter in "abcd"] for metadata in study.items.values_list("metadata", flat=True)
    ]


def test_sets_of_a_file_are_items_that_name_their_texts_and_the_seed_draws_them_again(tmp_path):
    study = draft("best_worst_novelty")
    drawn = import_drawn_sets(study=study, file=texts(tmp_path), draw=SetDraw(seed=4))
    assert len(drawn.sets) == study.items.count() == 24
    first = study.items.get(key="set-01")
    assert all(first.fields[s] == f"text {int(first.metadata[s][1:])}" for s in "abcd")
    assert first.fields["shared"] == "yes"
    assert set(Counter(itertools.chain.from_iterable(members(study))).values()) == {8}
    entry = AuditEntry.objects.get(study=study, act="draw_sets").detail
    assert (entry["seed"], entry["size"], entry["items"]) == (4, 4, 12)
    again = draft("best_worst_novelty", slug="again")
    import_drawn_sets(study=again, file=texts(tmp_path), draw=SetDraw(seed=4))
    assert members(again) == members(study)
    opened(study)


def test_within_groups_the_set_has_the_group_of_its_texts(tmp_path):
    study = draft("best_worst_novelty")
    import_drawn_sets(study=study, file=texts(tmp_path), draw=SetDraw(1.5, within_groups=True))
    for item in study.items.all():
        assert {f"g{int(item.metadata[letter][1:]) % 2}" for letter in "abcd"} == {item.group}
    found = balance_of_study(study, 4)
    assert found is not None
    assert (found.sets, found.texts, found.pairs) == (18, 12, 30)


def test_all_pairs_count_of_texts_that_are_in_sets_of_several_groups():
    study = draft("best_worst_novelty")
    sets = {"poem 1": ("S1", "S2", "S3", "S4"), "poem 2": ("S1", "S5", "S6", "S7")}
    add_items(
        study=study,
        rows=[
            NewItem(
                f"set of {group}",
                dict.fromkeys("abcd", "text"),
                group,
                metadata=dict(zip("abcd", names, strict=True)),
            )
            for group, names in sets.items()
        ],
    )
    found = balance_of_study(study, 4)
    assert found is not None
    assert {one.times: one.pairs for one in found.meetings} == {0: 9, 1: 12}


def test_the_items_of_a_draft_are_replaced_by_sets_of_them():
    study = draft("best_worst_novelty")
    add_items(study=study, rows=[NewItem(f"T{n}", {"text": f"text {n}"}) for n in range(8)])
    draw_sets_of_items(study=study, text="text", draw=SetDraw(1), actor=study.memberships.get().user)
    assert study.items.count() == 8
    assert set(itertools.chain.from_iterable(members(study))) == {f"T{n}" for n in range(8)}


@pytest.mark.parametrize("number", [4, 8])
def test_a_draw_that_leaves_items_out_removes_no_items(number):
    study = draft("best_worst_novelty")
    add_items(study=study, rows=[NewItem(f"T{n}", {"text": f"text {n}"}) for n in range(number)])
    with pytest.raises(InvalidContent) as refused:
        draw_sets_of_items(study=study, text="text", draw=SetDraw(0.1), actor=study.memberships.get().user)
    assert refused.value.code == "too_few_sets"
    assert study.items.count() == number


def test_items_that_are_added_while_sets_are_drawn_are_not_lost():
    study = draft("best_worst_novelty")
    add_items(study=study, rows=[NewItem(f"T{n}", {"text": f"text {n}"}) for n in range(8)])
    late = [NewItem("late", {"text": "late"})]

    def add_before_the_lock(execute, sql, *rest):
        if sql.startswith("SAVEPOINT") and late:
            add_items(study=study, rows=[late.pop()])
        return execute(sql, *rest)

    owner = study.memberships.get().user
    with connection.execute_wrapper(add_before_the_lock), pytest.raises(NotAllowedNow) as refused:
        draw_sets_of_items(study=study, text="text", actor=owner)
    assert refused.value.code == "items_changed"
    assert study.items.count() == 9


def test_what_cannot_be_drawn_stores_nothing(tmp_path):
    study = draft("best_worst_novelty")
    owner = study.memberships.get().user
    with pytest.raises(FileRefused) as refusal:
        import_drawn_sets(study=study, file=texts(tmp_path, "T1,one,,", "T1,,,"))
    assert [problem.code for problem in refusal.value.problems] == ["empty_cell", "doubled_item"]
    with pytest.raises(InvalidContent, match="at least 4 items"):
        import_drawn_sets(study=study, file=texts(tmp_path, "T1,one,,", "T2,two,,"))
    add_items(study=study, rows=[NewItem(f"T{n}", {"text": f"text {n}"}) for n in range(8)])
    with pytest.raises(InvalidContent) as refused:
        draw_sets_of_items(study=study, text="literal", actor=owner)
    assert refused.value.code == "no_such_text"
    with pytest.raises(InvalidContent) as refused:
        draw_sets_of_items(study=study, text="text", draw=SetDraw(50), actor=owner)
    assert refused.value.code == "bad_set_factor"
    assert study.items.filter(key__startswith="T").count() == 8
    with pytest.raises(InvalidContent) as refused:
        import_drawn_sets(study=draft("preference", slug="pairs"), file=texts(tmp_path))
    assert refused.value.code == "no_order_asked"
    assert AuditEntry.objects.filter(act="draw_sets").count() == 0


def test_a_study_in_which_raters_work_takes_no_sets(tmp_path):
    study = draft("best_worst_novelty")
    import_drawn_sets(study=study, file=texts(tmp_path))
    with pytest.raises(NotAllowedNow):
        import_drawn_sets(study=opened(study), file=texts(tmp_path))


def test_the_page_draws_the_sets_that_it_has_shown():
    study = draft("best_worst_novelty")
    add_items(study=study, rows=[NewItem(f"T{n}", {"text": f"text {n}"}) for n in range(12)])
    client, address = Client(), f"/studies/{study.slug}/settings/sets/"
    client.force_login(study.memberships.get().user)
    shown = client.get(address, {"text": "text", "factor": "1.5", "seed": "9"})
    planned = shown.context["planned"]
    assert (planned.sets, planned.fewest, planned.most) == (18, 6, 6)
    assert shown.context["workload"].plan.seats == 18 * study.forms.get().overlap
    posted = client.post(address, {"text": "text", "factor": "1.5", "seed": "9"}, follow=True)
    assert "18 sets drawn." in posted.content.decode()
    assert posted.context["balance"] == planned
    refused = client.post(address, {"text": "text", "factor": "99", "seed": "9"})
    assert refused.status_code == 422
    assert study.items.count() == 18


def test_texts_imported_as_the_first_text_of_a_set_are_drawn_from():
    study = draft("best_worst_novelty")
    add_items(study=study, rows=[NewItem(f"T{n}", {"a": f"text {n}"}) for n in range(12)])
    client, address = Client(), f"/studies/{study.slug}/settings/sets/"
    client.force_login(study.memberships.get().user)
    assert client.get(address).context["planned"].sets == 24
    client.post(address, {"text": "a", "factor": "1", "seed": "9"})
    assert all(set(item.fields) == set("abcd") for item in study.items.all())
    assert study.items.count() == 12


def test_a_file_is_drawn_from_on_the_page_of_imports_and_by_the_command(tmp_path, capsys):
    study = draft("best_worst_novelty")
    file = texts(tmp_path)
    client = Client()
    client.force_login(study.memberships.get().user)
    sent = SimpleUploadedFile("texts.csv", file.path.read_bytes())
    asked = {"what": "sets", "file": sent, "text": "sentence", "factor": "1"}
    page = client.post(f"/studies/{study.slug}/settings/import/", asked, follow=True)
    assert "12 sets added from texts.csv." in page.content.decode()
    other = draft("best_worst_novelty", slug="other")
    call_command("import_items", other.slug, str(file.path), "--sets-of", "sentence", "--seed", "3")
    output = capsys.readouterr().out
    assert "24 sets drawn" in output
    assert "texts in 8 sets: 12" in output
    assert other.items.count() == 24
