"""A study is begun with a file of items or with the demo items of its protocol; one of both, exactly."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow
import pyarrow.ipc
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.domain.base.states import StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.forms.new_study import NewStudyForm
from annotation.forms.qualification import PageForm
from annotation.io.items.data_sets import read_data_set
from annotation.models import ImportFile, Seat, Study, User
from annotation.services.quality.checks import create_check
from annotation.services.studies.lifecycle import change_state
from tests.views.questions.form_pages import client_of, fields

pytestmark = pytest.mark.django_db
ITEMS = b"item,literal,simile\na,It rained.,It rained like drums.\n"


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner@example.org", "simile-and-metaphor-42")


def send(owner: User, **fields):
    client = Client()
    client.force_login(owner)
    return client.post(reverse("study-new"), {"title": "Lamps", "protocol": "hauser", **fields})


def a_file() -> SimpleUploadedFile:
    return SimpleUploadedFile("items.csv", ITEMS)


def test_demo_items_need_no_file_and_bring_the_protocols_number_of_raters(owner):
    assert send(owner, protocol="miyazawa", demo="on").status_code == 302
    study = Study.objects.get()
    assert (study.items.count(), study.checks.count(), study.batch_size) == (20, 3, 20)
    assert {form.overlap for form in study.forms.all()} == {10}
    assert "Demo material" in study.description


def test_items_of_ones_own_bring_no_demo_item_and_keep_the_design(owner):
    assert send(owner, items=a_file(), overlap="5").status_code == 302
    study = Study.objects.get()
    assert [item.key for item in study.items.all()] == ["a"]
    assert (study.forms.get().overlap, study.forms.get().per_rater) == (5, None)
    assert "Demo material" not in study.description


def test_a_file_and_demo_items_together_make_no_study(owner):
    page = send(owner, items=a_file(), demo="on")
    assert page.status_code == 422
    assert list(page.context["form"].errors) == ["items"]
    assert not Study.objects.exists()


def test_a_study_may_begin_without_items_and_without_a_protocol(owner):
    assert send(owner).status_code == 302
    assert Study.objects.get().items.count() == 0
    blank = send(owner, protocol="blank", items=a_file(), title="Blank")
    study = Study.objects.get(title="Blank")
    assert blank.headers["Location"] == reverse("study-form-new", args=[study.slug])
    assert (study.items.count(), study.forms.count()) == (1, 0)
    assert send(owner, protocol="blank", demo="on").status_code == 422


def test_what_only_forms_of_a_protocol_keep_is_not_dropped_in_silence(owner):
    page = send(owner, protocol="blank", apart="on")
    assert page.status_code == 422
    assert list(page.context["form"].errors) == ["apart"]
    assert not Study.objects.exists()


def test_the_ratings_each_item_needs_hold_for_forms_of_ones_own(owner):
    send(owner, protocol="blank", overlap="6", items=a_file())
    study = Study.objects.get()
    client, url = client_of(owner), reverse("study-form-new", args=[study.slug])
    sent = fields(client.get(url)) | {"title": "Jokes", "criterion-0-name": "Wit", "act": "save"}
    assert client.post(url, sent).status_code == 302
    assert study.forms.get().overlap == 6


def test_a_title_that_another_study_of_ones_own_has_is_warned_of(owner):
    send(owner)
    sent = {"title": "Lamps", "protocol": "hauser"}
    page = client_of(owner).post(reverse("study-new"), sent, follow=True)
    assert "You have another study with the title “\u2068Lamps\u2069”." in page.content.decode()
    assert sorted(Study.objects.values_list("slug", flat=True)) == ["lamps", "lamps-2"]


def test_a_study_begins_as_a_copy_of_one_of_ones_own_without_its_items(owner):
    send(owner, demo="on")
    copied = send(owner, title="Lamps again", protocol="study:lamps", overlap="7", items=a_file())
    assert copied.status_code == 302
    study = Study.objects.get(title="Lamps again")
    assert [item.key for item in study.items.all()] == ["a"]
    assert [(form.key, form.overlap) for form in study.forms.all()] == [("similes", 7)]
    assert study.memberships.get().user == owner


@pytest.mark.parametrize("with_file", [True, False])
def test_what_a_copy_lacks_is_listed_in_the_language_of_the_page(owner, with_file):
    send(owner, demo="on")
    study = Study.objects.get()
    item = study.items.earliest("pk")
    texts = {"form": study.forms.get(), "texts": item.fields, "settings": {"criteria": ["quality"]}}
    create_check(study=study, actor=owner, key="twin", kind=CheckKind.TWIN, original=item, **texts)
    sent = {"title": "Again", "protocol": "study:lamps", **({"items": a_file()} if with_file else {})}
    chinese = {"accept-language": "zh-hans"}
    page = client_of(owner).post(reverse("study-new"), sent, headers=chinese, follow=True)
    assert f"（对照题“twin”需要条目“{item.key}”）" in page.content.decode()


@pytest.mark.parametrize("wrong", [{"protocol": "study:lamps"}, {"protocol": "study:"}])
def test_a_study_of_another_owner_is_not_copied(owner, wrong):
    send(owner)
    stranger = User.objects.create_user("stranger@example.org", "simile-and-metaphor-42")
    assert "study:lamps" not in client_of(stranger).get(reverse("study-new")).content.decode()
    assert send(stranger, **wrong).status_code == 422
    assert Study.objects.count() == 1


def test_the_api_refuses_a_number_of_ratings_that_no_form_would_keep(owner):
    client = APIClient()
    client.force_authenticate(owner)
    answer = client.post("/api/v1/studies/", {"slug": "plain", "title": "Plain", "overlap": 5}, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["overlap"])
    assert not Study.objects.exists()


def test_the_api_makes_a_study_with_demo_items_of_a_protocol_only(owner):
    client = APIClient()
    client.force_authenticate(owner)
    sent = {"slug": "demo", "title": "Demo", "protocol": "cmdag", "demo_items": True}
    made = client.post("/api/v1/studies/", sent, format="json")
    assert made.status_code == 201, made.json()
    assert (made.json()["n_items"], made.json()["forms"][0]["overlap"]) == (8, 1)
    asked = {
        one["key"]: (one["asked_after"], one["asked_when"]) for one in made.json()["forms"][0]["criteria"]
    }
    assert (asked["reasonable"], asked["clarity"]) == (("", ""), ("reasonable", "yes"))
    without = client.post(
        "/api/v1/studies/", {"slug": "plain", "title": "Plain", "demo_items": True}, format="json"
    )
    assert without.status_code == 400
    assert set(without.json()["fields"]) == {"demo_items"}
    assert Study.objects.count() == 1


def test_criteria_asked_separately_have_a_form_and_seats_each(owner):
    assert send(owner, items=a_file(), apart="on", overlap="2").status_code == 302
    study = Study.objects.get()
    forms = list(study.forms.all())
    assert [form.title for form in forms] == [
        f"Similes: {name}" for name in ("Quality", "Creativity", "Informativeness")
    ]
    assert [form.versions.get().criteria.get().key for form in forms] == [
        "quality",
        "creativity",
        "informativeness",
    ]
    change_state(study=study, to=StudyState.OPEN, actor=owner)
    assert sorted(Seat.objects.values_list("form__key", "slot")) == [
        (form.key, slot) for form in sorted(forms, key=lambda one: one.key) for slot in (1, 2)
    ]


def test_criteria_of_which_one_depends_on_another_are_not_asked_separately(owner):
    page = send(owner, protocol="cmdag", items=a_file(), apart="on")
    assert page.status_code == 422
    assert "cannot be asked separately" in page.content.decode()
    assert not Study.objects.exists()


def test_demo_items_are_not_asked_separately(owner):
    assert send(owner, demo="on", apart="on").status_code == 422
    assert not Study.objects.exists()


def test_a_draft_says_beforehand_whether_late_answers_count(owner):
    send(owner, items=a_file())
    study = Study.objects.get()
    client = Client()
    client.force_login(owner)
    page = client.get(reverse("study-texts", args=[study.slug]))
    sent = {
        name: value
        for name, value in page.context["form"].initial.items()
        if value is not None and value is not False
    }
    served = {f"overlap-{form.key}": form.overlap for form in study.forms.all()}
    answer = client.post(reverse("study-texts", args=[study.slug]), {**sent, **served, "include_late": "on"})
    assert answer.status_code == 302, answer.context["form"].errors
    study.refresh_from_db()
    assert study.include_late


def test_the_page_after_a_stored_file_says_how_many_items_came_from_it(owner):
    sent = {"title": "Lamps", "protocol": "hauser", "items": a_file()}
    client = Client()
    client.force_login(owner)
    page = client.post(reverse("study-new"), sent, follow=True)
    assert page.redirect_chain == [(reverse("study-open", args=["lamps"]), 302)]
    assert "1 item added from items.csv." in page.content.decode()


@pytest.mark.parametrize(
    ("protocol", "header", "chosen"),
    [
        ("hauser", "item,literal,text", {"item": "item", "literal": "text:literal", "text": "text:simile"}),
        ("hauser", "id,literal,simile", {"id": "item", "literal": "text:literal", "simile": "text:simile"}),
        ("hanna", "item,prompt,story", {"item": "item", "prompt": "text:prompt", "story": "text:story"}),
    ],
)
def test_a_file_with_other_names_of_columns_waits_until_they_are_confirmed(owner, protocol, header, chosen):
    sent = SimpleUploadedFile("items.csv", f"{header}\na,It rained.,It rained like drums.\n".encode())
    page = send(owner, protocol=protocol, items=sent)
    study, file = Study.objects.get(), ImportFile.objects.get()
    assert page.headers["Location"] == reverse("study-import-file", args=[study.slug, file.pk])
    assert not study.items.exists()
    client = Client()
    client.force_login(owner)
    assert page.headers["Location"] in client.get(reverse("study-import", args=[study.slug])).content.decode()
    checklist = client.get(reverse("study-open", args=[study.slug])).content.decode()
    assert "Choose the contents of the columns of your file" in checklist
    shown = client.get(page.headers["Location"])
    assert {row["column"]: row["kind"] for row in shown.context["rows"]} == chosen
    assert shown.context["needs_group"] == (protocol == "hanna")


def test_a_column_that_is_no_text_is_never_taken_for_one(owner):
    content = b"item,literal,simile,length\na,It rained.,It rained like drums.,4\n"
    page = send(owner, items=SimpleUploadedFile("items.csv", content))
    assert "/import/" in page.headers["Location"]
    client = Client()
    client.force_login(owner)
    rows = client.get(page.headers["Location"]).context["rows"]
    assert [row["kind"] for row in rows] == ["item", "text:literal", "text:simile", "meta:"]


def test_a_file_that_cannot_be_read_makes_no_study(owner):
    page = send(owner, items=SimpleUploadedFile("items.csv", b"item,literal,simile\n"))
    assert page.status_code == 422
    assert [one.code for one in page.context["problems"]] == ["empty_file"]
    assert not Study.objects.exists()


def test_pasted_rows_are_taken_as_a_file_is(owner):
    assert send(owner, pasted=ITEMS.decode()).status_code == 302
    assert [item.key for item in Study.objects.get().items.all()] == ["a"]


def test_a_file_and_pasted_rows_together_make_no_study(owner):
    page = send(owner, items=a_file(), pasted=ITEMS.decode())
    assert list(page.context["form"].errors) == ["pasted"]
    assert not Study.objects.exists()


def test_a_blank_draft_takes_a_file_with_any_text(owner):
    sent = SimpleUploadedFile("items.csv", b"item,poem\na,It rained.\n")
    assert send(owner, protocol="blank", items=sent).status_code == 302


@pytest.fixture
def similes_on_disk(tmp_path: Path, settings) -> Path:
    """A folder as `datasets.save_to_disk` writes it, and a link to one outside."""
    settings.DATASETS = tmp_path / "offered"
    outside = tmp_path / "outside"
    rows = pyarrow.table({"id": ["a", "b"], "literal": ["x", "y"], "simile": ["like x", "like y"]})
    for place in (settings.DATASETS / "similes", outside):
        place.mkdir(parents=True)
        with pyarrow.ipc.new_stream(place / "data-00000-of-00001.arrow", rows.schema) as file:
            file.write_table(rows)
    (settings.DATASETS / "link").symlink_to(outside)
    return outside


def test_items_come_from_a_data_set_on_the_server(owner, similes_on_disk):
    answer = send(owner, data_set="similes")
    study = Study.objects.get()
    file = study.import_files.get()
    assert answer.headers["Location"] == reverse("study-import-file", args=[study.slug, file.pk])
    assert file.name == "similes.parquet"
    assert file.columns == ["id", "literal", "simile"]


def test_files_that_a_map_or_filter_left_behind_are_no_rows(similes_on_disk, settings):
    place = settings.DATASETS / "similes"
    rows = read_data_set(settings.DATASETS, "similes", most_bytes=10**6)
    shutil.copy(place / "data-00000-of-00001.arrow", place / "cache-5f3a.arrow")
    assert read_data_set(settings.DATASETS, "similes", most_bytes=10**6) == rows


@pytest.mark.parametrize("name", ["link", "../outside", "similes/..", "/etc"])
def test_nothing_outside_the_folder_of_data_sets_is_read(owner, similes_on_disk, name):
    page = send(owner, data_set=name)
    assert (page.status_code, list(page.context["form"].errors)) == (422, ["data_set"])
    assert not Study.objects.exists()


def test_a_protocol_comes_in_the_language_of_the_study(owner):
    assert send(owner, protocol="cmdag_stages", language="zh-hans").status_code == 302
    study = Study.objects.get()
    assert (study.language, sorted(study.translations)) == ("zh-hans", ["en", "ja"])
    assert "隐喻" in study.instructions
    assert send(owner, protocol="blank", language="ja").status_code == 302
    assert Study.objects.latest("pk").language == "ja"


def test_the_preview_is_in_the_language_of_the_study(owner):
    page = send(owner, act="preview", protocol="miyazawa", language="ja")
    assert "この表現はどのくらい比喩的だと感じますか。" in page.content.decode()
    assert "How figurative" not in page.content.decode()


@pytest.mark.parametrize("kind", [NewStudyForm, PageForm])
def test_a_title_that_is_too_long_is_refused_in_words_and_not_cut_by_the_browser(kind) -> None:
    form = kind({"title": "x" * 300})
    assert "maxlength" not in str(form["title"])
    assert form.errors["title"] == ["Ensure this value has at most 200 characters (it has 300)."]
