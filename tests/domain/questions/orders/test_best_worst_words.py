"""The words “Best” and “Worst” can be replaced in each language, on the page of raters and in the editor."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from annotation.domain.questions.kinds.registry import KINDS
from annotation.templatetags.editor_words import words_by_language
from tests.domain.questions.any_kind import criterion, problems

KIND = KINDS["best_worst"]
POSTED = {
    "best_en": "Most novel",
    "worst_en": " Least novel ",
    "best_zh_hans": "最新颖",
    "worst_zh_hans": "最老套",
}
OWN = {"best": {"en": "Most novel", "zh-hans": "最新颖"}, "worst": {"en": "Least novel", "zh-hans": "最老套"}}


def page(language: str, own: dict[str, dict[str, str]]) -> str:
    points = [{"value": value, "label": f"Text {value}"} for value in "abc"]
    context = KIND.template_context([], {"best_worst": own}, ())
    shown = {"key": "asked", "answer_name": "answer-asked", "points": points, "given": [], **context}
    with translation.override(language):
        return render_to_string("annotation/questions/best_worst/answer.html", {"criterion": shown})


def test_words_are_stored_by_language_and_come_back_to_the_editor():
    assert KIND.posted_settings(POSTED, []) == {"best_worst": OWN}
    assert KIND.stored_settings({"best_worst": OWN}) == {"best_worst": OWN}
    fields = {
        one["field"]: (one["best"], one["worst"])
        for one in words_by_language(criterion(KIND) | {"settings": {"best_worst": OWN}})
    }
    assert fields["en"] == ("Most novel", "Least novel")
    assert fields["zh_hans"] == ("最新颖", "最老套")


@pytest.mark.parametrize(
    ("own", "path"),
    [
        ({"best": {"en": "Most novel"}, "worst": {}}, "best"),
        ({"best": {"en": "x" * 41}, "worst": {"en": "y"}}, "best"),
    ],
)
def test_one_word_alone_and_long_words_are_refused(own, path):
    settings = criterion(KIND)["settings"] | {"best_worst": own}
    assert f"criteria[0].settings.best_worst.{path}" in problems(criterion(KIND, settings=settings))


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Most novel"), ("zh-hans", "最新颖"), ("ja", "Most novel")]
)
def test_raters_read_the_words_in_the_language_of_their_page(language, words):
    shown = page(language, OWN)
    assert f'aria-label="{words}: 1"' in shown
    assert f'<span aria-hidden="true">{words}</span>' in shown


def test_without_words_of_its_own_the_page_says_best_and_worst():
    shown = page("en", {"best": {}, "worst": {}})
    assert 'aria-label="Best: option 1"' in shown
    assert '<span aria-hidden="true">Worst</span>' in shown
