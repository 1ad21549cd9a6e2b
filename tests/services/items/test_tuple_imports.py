"""Annotated sentences in CMDAG's JSON: in, out again equal, and as the tables of tuples."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.domain.base.errors import FileRefused, GroundworkError, InvalidContent
from annotation.domain.base.states import SeatState, StudyState
from annotation.domain.questions.kinds.marking.tuples import TUPLES
from annotation.models import (
    AuditEntry,
    Criterion,
    Exclusion,
    FormVersion,
    Item,
    Rater,
    Response,
    ScalePoint,
    Seat,
    Study,
    User,
)
from annotation.protocols.cmdag import CMDAG_REFINED, CMDAG_STAGES
from annotation.protocols.hauser import HAUSER
from annotation.selectors.questions.cmdag import cmdag_records
from annotation.selectors.questions.documents import DOCUMENTS
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.questions.tuple_tables import located_rows, location_counts, part_rows, span_rows
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.tuple_files import import_tuples
from annotation.services.rating.next_item import next_assignment
from annotation.services.studies.lifecycle import change_state, create_from_template
from tests.support.studies.staged_study import answer, rater_of

pytestmark = pytest.mark.django_db

PARALLEL = "我的颊像溶了的雪，我的心像热了的酒"


def record(
    number: int | str, context: str, tenor: str, vehicle: str, ground: str, sub_id: int
) -> dict[str, Any]:
    return {
        "metaphor_id": number,
        "context": context,
        "tenor": tenor,
        "vehicle": vehicle,
        "ground": ground,
        "sub_id": sub_id,
    }


RECORDS = [
    record(12, "记忆是漏水的屋顶，梦是接水的碗。", "记忆", "漏水的屋顶", "不可靠的保存、渐渐的流失", 0),
    record(12, "记忆是漏水的屋顶，梦是接水的碗。", "梦", "碗", "不可靠的保存", 0),
    record(11, PARALLEL, "我的脸颊;我的心", "溶了的雪;热了的酒", "温暖的感觉;炙热的感觉", 3),
    record(13, "父亲把沉默折好，放进口袋。", "寂静", "手帕", "可折的样子、可折的样子", 1),
    record(12, "又是记忆，又是雨。", "记忆", "雨滴", "凉", 1),
    {**record("a7", "𝄞是河，河是𝄞。", "𝄞", "河", "", 0), "source": "lyrics"},
    record(12, "记忆是漏水的屋顶，梦是接水的碗。", "记忆", "屋顶", "漏", 7),
]


@pytest.fixture
def study() -> Study:
    owner = User.objects.create_user(email="owner@example.org", name="Owner")
    return create_from_template(template=CMDAG_REFINED, slug="sentences", title="Sentences", owner=owner)


def written(folder: Path, content: object) -> Path:
    path = folder / "records.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_tuples_of_two_stages_come_out_with_their_form(study: Study) -> None:
    owner = User.objects.get(email="owner@example.org")
    staged = create_from_template(template=CMDAG_STAGES, slug="staged", title="Staged", owner=owner)
    item = Item.objects.create(study=staged, key="1", fields={"sentence": "梦是碗。"}, position=0)
    rater = Rater.objects.create(study=staged, code="R-1", state="active")
    answers = []
    for form in staged.forms.all():
        version = form.versions.get()
        marks = [
            {"tuple": 1, "part": "tenor", "start": 0, "end": 1, "text": "梦"},
            {"tuple": 1, "part": "vehicle", "start": 2, "end": 3, "text": "碗"},
        ]
        asked = {one.key: one for one in version.criteria.all()}
        values: dict[Criterion, int | str] = {asked["metaphor"]: "yes", asked["tuples"]: json.dumps(marks)}
        answers.append(LoadedResponse(item=item, rater=rater, version=version, values=values))
    store_responses(loaded=answers)
    records = cmdag_records(staged)
    assert [one["form"] for one in records] == ["preliminary", "refined"]
    assert {"rater", "form"} & cmdag_records(staged)[0].keys() == {"form"}
    assert {one["tenor"] for one in records} == {"梦"}


@pytest.mark.parametrize(("when", "stored"), [(">=3.5", 4), ("<=2.5", 2), (">=3", 3), ("5", 5)])
def test_the_answer_that_leads_to_the_tuples_is_a_point_of_its_scale(study, tmp_path, when, stored):
    Criterion.objects.filter(key="metaphor").update(kind="likert", minimum=1, maximum=5)
    Criterion.objects.filter(asked_after="metaphor").update(asked_when=when)
    import_tuples(study=study, path=written(tmp_path, RECORDS))
    rows = [row for row in long_ratings(study) if row["criterion"] == "metaphor"]
    assert {row["value"] for row in rows} == {stored}


def test_records_go_out_as_they_came_in_keys_and_order_and_all(study, tmp_path):
    import_tuples(study=study, path=written(tmp_path, RECORDS))
    found = cmdag_records(study)
    assert [list(one.items()) for one in found] == [list(one.items()) for one in RECORDS]
    out = tmp_path / "out.json"
    call_command("export", "sentences", "--what=cmdag", f"--out={out}")
    assert out.read_text(encoding="utf-8") == json.dumps(RECORDS, ensure_ascii=False, indent=4)


def test_what_is_located_is_counted_and_listed(study, tmp_path):
    loaded = import_tuples(study=study, path=written(tmp_path, RECORDS))
    assert (loaded.items, loaded.tuples) == (5, 8)
    assert loaded.located == {"wholly": 5, "partly": 2, "not": 1} == location_counts(study)
    listed = {(row["item"], row["tuple"]): (row["located"], row["missing"]) for row in located_rows(study)}
    assert listed["11", 1] == ("partly", "tenor|ground")
    assert listed["13", 1] == ("not", "tenor|vehicle|ground")
    assert AuditEntry.objects.get(act="import_tuples").detail["partly"] == 2


def test_offsets_count_code_points_and_an_id_with_two_contexts_is_two_items(study, tmp_path):
    import_tuples(study=study, path=written(tmp_path, RECORDS))
    spans = [(row["part"], row["start"], row["end"]) for row in span_rows(study) if row["item"] == "a7"]
    assert spans == [("tenor", 0, 1), ("vehicle", 2, 3)]
    assert set(study.items.values_list("key", flat=True)) == {"12", "11", "13", "12-2", "a7"}
    grounds = [row["text"] for row in part_rows(study) if row["part"] == "ground" and row["item"] == "12"]
    assert grounds == ["不可靠的保存|渐渐的流失", "不可靠的保存", "漏"]


def test_a_file_of_tuples_goes_into_the_agreement_of_its_raters(study, tmp_path):
    import_tuples(study=study, path=written(tmp_path, RECORDS))
    path, out = tmp_path / "tuples.jsonl", io.StringIO()
    call_command("export", "sentences", "--what=tuples", "--format=jsonl", f"--out={path}")
    first = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert list(first)[:7] == ["item", "rater", "tuple", "part", "start", "end", "text"]
    call_command("tuples_agreement", str(path), "--json=-", stdout=out)
    assert {one["reason"] for one in json.loads(out.getvalue())["results"]} == {"too_few_raters"}


def test_bio_tags_are_next_to_the_characters(study, tmp_path):
    import_tuples(study=study, path=written(tmp_path, RECORDS[5:6]))
    text = b"".join(DOCUMENTS["bio"].pieces(study)).decode()
    assert text.splitlines()[:6] == [
        "# item = a7",
        "# rater = earlier",
        "# offset\tcharacter\t1:tenor\t1:vehicle",
        "0\t𝄞\tB-tenor\tO",
        "1\t是\tO\tO",
        "2\t河\tO\tB-vehicle",
    ]


def test_what_is_excluded_is_marked_in_tables_and_left_out_of_records(study, tmp_path):
    import_tuples(study=study, path=written(tmp_path, RECORDS))
    gone = Response.objects.get(assignment__item__key="a7")
    Exclusion.objects.create(study=study, response=gone, rule="by_hand", reason="test")
    assert {row["excluded"] for row in span_rows(study) if row["item"] == "a7"} == {True}
    assert "a7" not in {one["metaphor_id"] for one in cmdag_records(study)}
    assert b"a7" not in b"".join(DOCUMENTS["bio"].pieces(study))


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ([], "empty_file"),
        ({"a": 1}, "damaged_file"),
        (["x"], "not_an_object"),
        ([{**RECORDS[0], "metaphor_id": None}], "bad_metaphor_id"),
        ([{**RECORDS[0], "context": " "}], "no_context"),
        ([{**RECORDS[0], "tenor": ["x"]}], "not_text"),
        ([{**RECORDS[0], "tenor": "a\0b"}], "unstorable_text"),
        ([{**RECORDS[0], "half \ud800": "x"}], "unstorable_text"),
        ([{**RECORDS[0], "notes": {"by": ["half \ud800"]}}], "unstorable_text"),
        ([{**RECORDS[0], "tenor": "", "vehicle": " ", "ground": ""}], "empty_tuple"),
        # A line end, the spaces of Chinese text, of typesetting and of web pages, and a semicolon between.
        ([{**RECORDS[0], "tenor": "\r\n", "vehicle": "\u3000；\u2003", "ground": "\u00a0"}], "empty_tuple"),
    ],
)
def test_a_file_that_is_no_such_list_is_refused_whole(study, tmp_path, content, code):
    with pytest.raises(FileRefused) as caught:
        import_tuples(study=study, path=written(tmp_path, content))
    assert caught.value.problems[0].code == code
    assert not study.items.exists()


def test_the_code_of_a_members_trial_is_refused(study, tmp_path):
    with pytest.raises(InvalidContent) as caught:
        import_tuples(study=study, path=written(tmp_path, RECORDS), rater="T-12")
    assert caught.value.code == "code_taken"
    assert not study.items.exists()


def test_tuples_go_to_the_form_that_asks_for_all_their_parts(study, tmp_path):
    owner = User.objects.get()
    staged = create_from_template(template=CMDAG_STAGES, slug="staged", title="Staged", owner=owner)
    import_tuples(study=staged, path=written(tmp_path, RECORDS))
    found = Response.objects.filter(assignment__item__study=staged)
    assert set(found.values_list("version__form__key", flat=True)) == {"refined"}
    assert cmdag_records(staged) == RECORDS
    without_ground = create_from_template(template=CMDAG_STAGES, slug="parts", title="Parts", owner=owner)
    import_tuples(study=without_ground, path=written(tmp_path, [{**RECORDS[0], "ground": ""}]))
    found = Response.objects.filter(assignment__item__study=without_ground)
    assert found.get().version.form.key == "preliminary"


def test_imported_tuples_are_among_those_of_the_stage_once_the_item_comes_to_it(study, tmp_path):
    owner = User.objects.get()
    staged = create_from_template(template=CMDAG_STAGES, slug="staged", title="Staged", owner=owner)
    import_tuples(study=staged, path=written(tmp_path, RECORDS[4:5]))
    staged = change_state(study=staged, to=StudyState.OPEN, actor=owner)
    refined = Seat.objects.filter(form__study=staged, form__key="refined")
    assert not refined.exists()
    found = [
        {"tuple": 1, "part": part, "text": text} for part, text in (("tenor", "记忆"), ("vehicle", "雨"))
    ]
    for code in ("A", "B"):
        page = next_assignment(rater=rater_of(staged, code))
        answer(page, {"metaphor": "yes", "tuples": json.dumps(found)})
    assert refined.filter(state=SeatState.FILLED).count() == 1
    assert refined.count() == 3


def test_tuples_with_parts_that_no_form_asks_for_are_refused_naming_what_each_lacks(study, tmp_path):
    owner = User.objects.get()
    staged = create_from_template(template=CMDAG_STAGES, slug="staged", title="Staged", owner=owner)
    ScalePoint.objects.filter(
        criterion__version__form__study=staged, criterion__version__form__key="refined", value="vehicle"
    ).delete()
    with pytest.raises(InvalidContent) as caught:
        import_tuples(study=staged, path=written(tmp_path, RECORDS))
    assert caught.value.code == "parts_lacking"
    assert "“Possible tuples” of the form “First stage” lacks ground" in caught.value.message
    assert "“Tuples” of the form “Second stage” lacks vehicle" in caught.value.message
    assert not staged.items.exists()


def test_a_form_that_names_no_parts_asks_for_the_usual_ones(study, tmp_path):
    ScalePoint.objects.filter(criterion__version__form__study=study, criterion__key="tuples").delete()
    import_tuples(study=study, path=written(tmp_path, RECORDS))
    assert cmdag_records(study) == RECORDS


def test_tuples_go_to_the_current_version_of_the_form(study, tmp_path):
    form = study.forms.get()
    former = form.versions.get()
    newest = FormVersion.objects.create(form=form, number=2, blocks=former.blocks)
    criterion = Criterion.objects.create(version=newest, key="tuples", name="Tuples", kind=TUPLES.key)
    ScalePoint.objects.create(criterion=criterion, value="tenor", position=0)
    with pytest.raises(InvalidContent, match="lacks vehicle, ground"):
        import_tuples(study=study, path=written(tmp_path, RECORDS))


def test_only_a_draft_that_asks_for_tuples_takes_them(study, tmp_path):
    path = written(tmp_path, RECORDS)
    Rater.objects.create(study=study, code="R-001")
    with pytest.raises(GroundworkError) as caught:
        import_tuples(study=study, path=path)
    assert caught.value.code == "not_empty"
    owner = User.objects.get()
    other = create_from_template(template=HAUSER, slug="similes", title="Similes", owner=owner)
    with pytest.raises(GroundworkError) as caught:
        import_tuples(study=other, path=path)
    assert caught.value.code == "no_tuples_criterion"


def test_the_command_says_what_was_located_and_what_is_wrong(study, tmp_path):
    out = io.StringIO()
    call_command("import_tuples", "sentences", str(written(tmp_path, RECORDS)), "--rater=R-007", stdout=out)
    assert "8 tuples; tenor and vehicle located: 5 wholly, 2 partly, 1 not (" in out.getvalue()
    assert study.raters.get().code == "R-007"
    with pytest.raises(CommandError, match="Nothing was saved"):
        call_command("import_tuples", "sentences", str(written(tmp_path, RECORDS)))


def test_the_page_takes_a_file_and_says_what_was_located(study):
    client = Client()
    client.force_login(User.objects.get())
    address = reverse("study-import", args=[study.slug])
    assert "Annotated sentences" in client.get(address).content.decode()
    upload = SimpleUploadedFile("mine.json", json.dumps(RECORDS).encode())
    answer = client.post(address, {"what": "tuples", "file": upload}, follow=True)
    assert "5 sentences with 8 tuples" in answer.content.decode()
    assert "5 completely, 2 partly, 1 not at all" in answer.content.decode()
    exports = client.get(reverse("study-exports", args=[study.slug])).content.decode()
    for what in ("tuples", "tuple_parts", "located", "cmdag", "bio"):
        download = reverse("study-download", args=[study.slug, what])
        assert f"?what={what}" in exports
        assert client.get(download).status_code == 200
    found = b"".join(client.get(reverse("study-download", args=[study.slug, "cmdag"])))
    assert json.loads(found) == RECORDS


def test_the_api_gives_the_same_records(study, tmp_path):
    import_tuples(study=study, path=written(tmp_path, RECORDS))
    client = APIClient()
    client.force_authenticate(User.objects.get())
    answer = client.get(reverse("api_exports", args=[study.slug]), {"what": "cmdag"})
    assert answer["Content-Disposition"] == 'attachment; filename="sentences-cmdag.json"'
    assert json.loads(b"".join(answer)) == RECORDS
    lines = client.get(reverse("api_exports", args=[study.slug]), {"what": "tuples", "format": "jsonl"})
    assert len(b"".join(lines).splitlines()) == len(list(span_rows(study)))
