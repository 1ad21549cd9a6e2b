"""Published files of marked errors become texts and answers of a draft, or are refused by row and column."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.domain.base.errors import FileRefused, InvalidContent
from annotation.domain.questions.error_spans.marks import marks_in
from annotation.models import Rating, Study
from annotation.selectors.questions.errors.tables import error_texts_table
from annotation.selectors.questions.long_table import long_ratings
from annotation.services.items.published_errors import import_published_errors
from tests.support.studies.choice_study import draft

pytestmark = pytest.mark.django_db
WMT = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
POINTS = ("meaning", "wording", "grammar", "omission")
# Words, CJK, emoji of several code points, a combining accent, line breaks and what looks like a mark.
LETTERS = st.sampled_from(["a", " ", "村", "庄", "👩‍👩‍👧", "e\u0301", "\n", "ب", '"', "<v>", "="])
TEXTS = st.lists(LETTERS, min_size=1, max_size=12).map("".join).filter(lambda text: text.strip(" \n=") != "")


def file(folder: Path, columns: tuple[str, ...], *rows: tuple[Any, ...]) -> Path:
    path = folder / "published.csv"
    with path.open("w", encoding="utf-8", newline="") as written:
        csv.writer(written).writerows([columns, *rows])
    return path


def stored(study: Study) -> dict[tuple[str, str, str], Any]:
    return {(row["item"], row["rater"], row["criterion"]): row["value"] for row in long_ratings(study)}


def short(cell: str) -> list[tuple[str, str, str]]:
    return [(one["text"], one["severity"], one["category"]) for one in marks_in(cell)]


def test_marks_of_a_wmt_table_are_the_errors_of_one_answer_and_its_texts_the_item(tmp_path, capsys):
    study = draft("error_spans")
    path = file(
        tmp_path,
        (*WMT, "overall"),
        ("one", "tale", 1, 7, "P", "Ein Koffer.", "A <v>suit</v> case.", "Wording", "Minor", 60),
        ("one", "tale", 1, 7, "P", "Ein Koffer.", "A suit <v>case.</v>", "meaning", "MAJOR", 60),
        ("one", "tale", 1, 7, "Q", "Ein Koffer.", "A suit case.", "no-error", "no-error", 95),
        ("two", "tale", 1, 7, "P", "Ein Koffer.", "A trunk.", "No-error", "No-error", 100),
    )
    call_command("import_ratings", study.slug, str(path), "--marked-errors")
    assert "6 ratings imported" in capsys.readouterr().out
    first = study.items.get(system="one")
    assert first.key == "one/tale/7"
    assert first.group == study.items.get(system="two").group == "tale/7"
    assert first.fields == {"original": "Ein Koffer.", "rendering": "A suit case."}
    found = stored(study)
    assert short(found["one/tale/7", "P", "errors"]) == [
        ("suit", "minor", "wording"),
        ("case.", "major", "meaning"),
    ]
    assert found["one/tale/7", "Q", "errors"] == "[]"
    assert found["one/tale/7", "Q", "overall"] == 95


def test_spans_by_start_and_end_may_share_words_and_belong_to_texts_of_the_file_or_the_study(tmp_path):
    study = draft("error_spans")
    columns = ("item", "rater", "target", "start", "end", "category", "severity", "overall")
    path = file(
        tmp_path,
        columns,
        ("s", "P", "村庄像手提箱", 0, 4, "meaning", "major", 30),
        ("s", "P", "村庄像手提箱", 2, 6, "wording", "minor", 30),
        ("s", "Q", "村庄像手提箱", "", "", "", "", 80),
    )
    assert import_published_errors(study=study, path=path) == 4
    found = stored(study)
    assert short(found["s", "P", "errors"]) == [
        ("村庄像手", "major", "meaning"),
        ("像手提箱", "minor", "wording"),
    ]
    assert found["s", "Q", "errors"] == "[]"


@pytest.mark.parametrize(
    ("columns", "rows", "problems"),
    [
        (WMT, [("o", "d", 1, 1, "P", "s", "A <v>b", "wording", "minor")], [(2, "target", "bad_marks")]),
        (WMT, [("o", "d", 1, 1, "P", "s", "A b", "wording", "minor")], [(2, "target", "no_place")]),
        (
            WMT,
            [("o", "d", 1, 1, "P", "s", "<v>A</v> b", "style", "tiny")],
            [(2, "category", "unknown_category"), (2, "severity", "unknown_severity")],
        ),
        (
            WMT,
            [
                ("o", "d", 1, 1, "P", "s", "A b", "no-error", "no-error"),
                ("o", "d", 1, 1, "Q", "s", "A c", "no-error", "no-error"),
            ],
            [(3, "target", "text_differs")],
        ),
        (WMT[:-1], [("o", "d", 1, 1, "P", "s", "A b", "wording")], [(0, "severity", "missing_column")]),
        (
            ("item", "rater", "target", "start", "end", "category", "severity"),
            [("s", "P", "abc", 1, 9, "wording", "minor")],
            [(2, "start", "not_an_answer")],
        ),
        (
            ("item", "rater", "target", "start", "end", "category", "severity", "ESA score"),
            [("s", "P", "abc", 1, 2, "wording", "minor", 101)],
            [(2, "ESA score", "not_an_answer")],
        ),
        (
            ("item", "rater", "start", "end", "category", "severity"),
            [("s", "P", 1, 2, "wording", "minor")],
            [(2, "target", "no_text")],
        ),
    ],
)
def test_what_is_wrong_is_named_by_row_and_column_and_nothing_is_stored(tmp_path, columns, rows, problems):
    study = draft("error_spans")
    with pytest.raises(FileRefused) as refusal:
        import_published_errors(study=study, path=file(tmp_path, columns, *rows))
    assert [(one.row, one.column, one.code) for one in refusal.value.problems] == problems
    assert study.items.count() == Rating.objects.count() == 0


def test_a_study_that_asks_for_no_errors_takes_none(tmp_path):
    with pytest.raises(InvalidContent) as refusal:
        import_published_errors(study=draft("best_worst_novelty"), path=file(tmp_path, WMT))
    assert refusal.value.code == "no_errors_asked"


@st.composite
def answers(draw: st.DrawFn) -> list[tuple[Any, ...]]:
    """Texts of two systems, each marked by two raters: spans that overlap, none, or no answer at all."""
    rows = []
    for item in ("s-1", "s-2"):
        text = draw(TEXTS)
        for rater in ("P", "Q"):
            spans = []
            for _ in range(draw(st.integers(0, 3))):
                start = draw(st.integers(0, len(text) - 1))
                end = draw(st.integers(start + 1, len(text)))
                if text[start:end].strip():
                    severity = draw(st.sampled_from(["minor", "major", "critical"]))
                    spans.append((start, end, draw(st.sampled_from(POINTS)), severity))
            marked: list[tuple[Any, ...]] = [(item, rater, text, *span) for span in spans] or [
                (item, rater, text, "", "", "", "")
            ]
            overall = draw(st.integers(0, 100))
            rows += [(*row, item[-1], f"g{item}", overall) for row in marked]
    return rows


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=answers())
def test_our_own_table_of_texts_comes_in_again_equal(tmp_path, rows):
    number = Study.objects.count()
    first, second = (draft("error_spans", slug=f"round-{number + one}") for one in (0, 1))
    columns = (
        "item",
        "rater",
        "target",
        "start",
        "end",
        "category",
        "severity",
        "system",
        "group",
        "overall",
    )
    import_published_errors(study=first, path=file(tmp_path, columns, *rows))
    names, written = error_texts_table(first)
    table = [tuple("" if row[name] is None else row[name] for name in names) for row in written]
    import_published_errors(study=second, path=file(tmp_path, tuple(names), *table))
    _, written = error_texts_table(second)
    again = [tuple("" if row[name] is None else row[name] for name in names) for row in written]
    assert again == table
