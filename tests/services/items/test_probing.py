"""Probing questions: in from files, served on the real pages, judged by the key, and out again."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from annotation.domain.base.errors import FileRefused
from annotation.io.base.writers import write_rows
from annotation.io.items.probing_file import COLUMNS
from annotation.models import Item, Rating, Response, Study, User
from annotation.selectors.items.probing_table import probing_table, refused_answers
from annotation.services.items.probing_files import import_probing
from scoring.services.reports.published.simile_probing import import_simile_probing
from tests.support.studies.choice_study import answer_all, draft, joined, opened, report_of

pytestmark = pytest.mark.django_db
HEADER = ",".join(COLUMNS)
ROWS = (
    "The soup was as _ as the harbour .,soup,harbour,was,murky,wide,fresh,foreign,0,0",
    '"He stayed as _ as a heron , he said .",He,heron,stayed,grey,still,tall,wet,21,1',
    "The week went as _ as a coin .,week,coin,went,roundly,richly,quickly,dearly,0,2",
)
SETS = ("Quizzes.csv", "General_Corpus.csv")


def file_of(folder: Path, *rows: str, name: str = "Own.csv") -> Path:
    path = folder / name
    path.write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
    return path


def exported(study: Study) -> list[dict[str, str]]:
    columns, rows = probing_table(study)
    text = b"".join(write_rows(rows, columns, "csv")).decode()
    return list(csv.DictReader(text.splitlines()))


def published(folder: Path, name: str) -> list[dict[str, str]]:
    path = folder / "simile_probing" / name
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_questions_come_in_with_their_options_and_key_and_a_wrong_answer_is_reported_by_its_row(tmp_path):
    study = draft("simile_probing")
    path = file_of(tmp_path, *ROWS)
    loaded = import_probing(study=study, paths=[(path, path.name)], answers=True)
    assert (loaded.questions, loaded.answers) == (3, 2)
    (refused,) = loaded.refused
    assert str(refused) == "Own.csv, row 3, column 'human_idx': '21' is not one of the options 0 to 3"
    assert refused_answers(study) == [str(refused)]
    heron = study.items.get(key="Q0002")
    assert heron.fields == {
        "sentence": "He stayed as _ as a heron , he said .",
        "options": "grey\nstill\ntall\nwet",
    }
    assert (heron.metadata["right"], heron.system) == ("1", "Own")
    assert sorted(Rating.objects.values_list("answer", flat=True)) == ["0", "0"]
    assert Response.objects.get(assignment__item=heron).cannot_rate == "other"


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("A _ .,a,b,is,x,y,z,w,0,4", "ans_idx"),
        ("A _ .,a,b,is,x,y,z,w,0,", "ans_idx"),
        ("A _ .,a,b,is,x,,z,w,0,1", "option1"),
        (" ,a,b,is,x,y,z,w,0,1", "sentence"),
    ],
)
def test_a_question_that_lacks_something_is_refused_with_the_whole_file(tmp_path, row, column):
    study = draft("simile_probing")
    path = file_of(tmp_path, ROWS[0], row)
    with pytest.raises(FileRefused) as refusal:
        import_probing(study=study, paths=[(path, path.name)])
    assert [(problem.row, problem.column) for problem in refusal.value.problems] == [(3, column)]
    assert not Item.objects.exists()


def test_the_page_takes_a_file_and_tells_what_it_refused(tmp_path):
    study = draft("simile_probing")
    client = Client()
    client.force_login(User.objects.get(email="owner@example.org"))
    address = f"/studies/{study.slug}/settings/import/"
    assert "Questions file" in client.get(address).content.decode()
    content = file_of(tmp_path, *ROWS).read_bytes()
    sent = {"what": "probing", "file": SimpleUploadedFile("Own.csv", content)}
    page_text = client.post(address, sent, follow=True).content.decode()
    assert "3 questions added from Own.csv." in page_text
    assert "1 answer rejected. Own.csv, row 3" in page_text


def test_what_goes_out_has_the_columns_that_came_in_and_the_answers_next_to_them(tmp_path):
    study = draft("simile_probing", overlap=2)
    path = file_of(tmp_path, *ROWS)
    import_probing(study=study, paths=[(path, path.name)])
    before = exported(study)
    given = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    given[1]["human_idx"] = ""
    assert [{name: row[name] for name in COLUMNS} for row in before] == given
    study = opened(study)
    given_here = [
        {"Q0001": "0", "Q0002": "1", "Q0003": "unsure"},
        {"Q0001": "0", "Q0002": "2", "Q0003": "2"},
    ]
    for chosen in given_here:
        assert served(study, chosen) == [303] * 3
    after = exported(study)
    assert [row["human_idx"] for row in after] == ["0", "", ""]
    assert [row["answer.R-002"] for row in after] == ["0", "2", "2"]
    report = report_of(study)
    estimates = {row["coefficient"]: (row["estimate"], row["reason"]) for row in report.figures}
    assert {name for name, (_, reason) in estimates.items() if reason == "options_differ"} == {
        "alpha",
        "fleiss",
        "ac1",
    }
    assert estimates["exact"] == (pytest.approx(1 / 3), "")
    assert estimates["brennan_prediger"] == (pytest.approx((1 / 3 - 1 / 5) / (4 / 5)), "")
    rows = {(row["who"], row["name"]): row for row in report.tables["accuracy"]}
    assert rows["answers", ""]["right"] == 4
    assert rows["rater", "R-001"]["unsure"] == 1
    majority = rows["majority", ""]
    assert (majority["right"], majority["tie"], majority["n"]) == (1, 2, 3)
    client = Client()
    client.force_login(User.objects.get(email="owner@example.org"))
    page = f"/studies/{study.slug}/reliability/"
    shown = client.get(page).content.decode()
    assert "4 of 6" in shown
    # A screen reader distinguishes the tables of a criterion by their names.
    named = re.findall(r'role="region"\s+aria-label="([^"]*)"', shown)
    assert {"Property", "Accuracy: Property"} <= set(named)
    assert len(set(named)) == len(named)
    pk = study.reports.get().pk
    lines = client.get(f"{page}{pk}.accuracy.csv").getvalue().decode().splitlines()
    assert len(lines) == 1 + len(rows)
    assert "R-002" in client.get(f"{page}{pk}.accuracy.tex").content.decode()


def served(study: Study, answers: dict[str, str]) -> list[int]:
    """Every question answered by the option that the file says; what no option says is given up."""

    def choose(item: Item, options: dict[str, str]) -> dict[str, str]:
        number = answers[item.key]
        if not options:
            return {"answer-property": "", "cannot_rate": "lacks_context"}
        if number.isdecimal() and number in options:
            assert options[number] == item.fields["options"].splitlines()[int(number)]
        return {"answer-property": number}

    return answer_all(*joined(study), choose)


def accuracy(study: Study) -> dict[str, tuple[int, int]]:
    rows = report_of(study).tables["accuracy"]
    by_set = [row for row in rows if row["who"] == "answers" and row["by"] == "system"]
    return {row["category"]: (row["right"], row["n"]) for row in by_set}


def check_served(folder: Path, tmp_path: Path, parts: dict[str, slice]) -> dict[str, tuple[int, int]]:
    """Serve parts of both sets; returns right and asked for each."""
    study = draft("simile_probing")
    paths, answers, direct = [], [], {}
    for name, part in parts.items():
        rows = published(folder, name)[part]
        path = tmp_path / name
        path.write_bytes(b"".join(write_rows(rows, COLUMNS, "csv")))
        paths.append((path, name))
        answers += [row["human_idx"] for row in rows]
        direct[Path(name).stem] = (sum(row["human_idx"] == row["ans_idx"] for row in rows), len(rows))
    loaded = import_probing(study=study, paths=paths)
    assert [problem.column for problem in loaded.refused] == ["human_idx"]
    by_key = {f"Q{number:04d}": answer for number, answer in enumerate(answers, start=1)}
    statuses = served(opened(study), by_key)
    # The answer 21 is refused by the page too.
    assert sorted(statuses) == [303] * len(answers) + [422]
    found = accuracy(study)
    assert found == direct
    return found


@pytest.mark.published_data
def test_published_questions_are_served_and_judged_as_the_files_say(published_data, tmp_path):
    check_served(published_data, tmp_path, {"Quizzes.csv": slice(365, 380), "General_Corpus.csv": slice(10)})


@pytest.mark.slow
@pytest.mark.published_data
def test_all_published_questions_give_the_printed_accuracy(published_data, tmp_path):
    found = check_served(published_data, tmp_path, dict.fromkeys(SETS, slice(None)))
    assert found == {"Quizzes": (719, 858), "General_Corpus": (518, 775)}


@pytest.mark.published_data
def test_the_published_files_come_out_as_they_went_in_but_for_the_refused_answer(published_data, capsys):
    folder = published_data / "simile_probing"
    call_command("import_published", "simile_probing", data=folder)
    assert "Quizzes.csv, row 377, column 'human_idx': '21'" in capsys.readouterr().err
    study, loaded = import_simile_probing(data=folder)
    assert not loaded
    rows = exported(study)
    original = [row for name in SETS for row in published(published_data, name)]
    assert [index for index, row in enumerate(original) if row["human_idx"] == "21"] == [375]
    original[375]["human_idx"] = ""
    assert [{name: row[name] for name in COLUMNS} for row in rows] == original
    assert accuracy(study) == {"Quizzes": (719, 858), "General_Corpus": (518, 775)}
