"""Published best–worst files become sets and answers of a draft, or are refused by their rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.domain.base.errors import FileRefused
from annotation.models import Rating, Study
from annotation.selectors.questions.long_table import long_ratings
from annotation.services.items.published_choices import import_published_choices
from tests.support.studies.choice_study import draft

pytestmark = pytest.mark.django_db
HEADER = "Item1,Item2,Item3,Item4,BestItem,WorstItem"


def file(folder: Path, *lines: str) -> Path:
    path = folder / "published.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def stored(study: Study) -> list[tuple[str, str, object]]:
    return sorted((row["item"], row["rater"], row["value"]) for row in long_ratings(study))


def test_rows_with_the_same_texts_are_answers_to_one_set(tmp_path):
    study = draft("best_worst_novelty")
    path = file(tmp_path, f"{HEADER},Annotator", "x,y,z,w,x,w,P", "w,z,y,x,z,x,Q", "x,y,z,v,v,z,P")
    assert import_published_choices(study=study, path=path) == 3
    first, second = study.items.order_by("position")
    assert first.fields == first.metadata == {"a": "x", "b": "y", "c": "z", "d": "w"}
    assert second.fields["d"] == "v"
    assert stored(study) == [("set-1", "P", "a>b=c>d"), ("set-1", "Q", "c>b=d>a"), ("set-2", "P", "d>a=b>c")]


def test_without_raters_the_answers_are_anonymous_and_the_command_takes_them(tmp_path, capsys):
    study = draft("best_worst_novelty")
    path = file(tmp_path, HEADER, "x,y,z,w,x,w", "x,y,z,w,z,x")
    call_command("import_ratings", study.slug, str(path), "--best-worst")
    assert "2 ratings imported" in capsys.readouterr().out
    study.refresh_from_db()
    assert not study.identified
    assert Rating.objects.count() == 2


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        ([HEADER, "x,y,z,w,u,w"], ["not_one_best_and_worst"]),
        ([HEADER, "x,y,z,w,x,x"], ["not_one_best_and_worst"]),
        ([HEADER, "x,y,z,x,x,y"], ["wrong_set"]),
        ([f"set,{HEADER}", "s,x,y,z,w,x,y", "s,x,y,z,v,x,y"], ["set_differs"]),
        (["Item1,Item2,Item3,BestItem", "x,y,z,x"], ["missing_column", "missing_column"]),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_stored(tmp_path, lines, codes):
    study = draft("best_worst_novelty")
    with pytest.raises(FileRefused) as refusal:
        import_published_choices(study=study, path=file(tmp_path, *lines))
    assert [problem.code for problem in refusal.value.problems] == codes
    assert study.items.count() == 0
