"""Authors of a form read what is wrong in the words of its labels, and name files by names."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from annotation.forms.form_document import document_from
from annotation.templatetags.editor_words import place_in_form


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("title", "Title"),
        ("criteria", "Criteria"),
        ("criteria[1].key", "Criterion 2, Short name in files"),
        ("criteria[1].points[2].label", "Criterion 2, point 3, Label"),
        ("blocks[0].label", "Text 1, Heading"),
        ("criteria[0].settings.unsure", "Criterion 1, Value of the “not sure” option (always shown last)"),
        ("criteria[0].points[1]", "Criterion 1, point 2"),
    ],
)
def test_a_path_is_named_as_the_page_labels_it(path: str, words: str) -> None:
    assert place_in_form(path) == words


@pytest.mark.parametrize(
    ("name", "typed", "key"),
    [
        ("Sound quality", "", "sound-quality"),
        ("Quality", "q1", "q1"),
        ("", "", "criterion-1"),
        ("质量", "", "criterion-1"),
    ],
)
def test_a_name_in_files_follows_the_name_unless_it_is_typed(name: str, typed: str, key: str) -> None:
    posted = QueryDict(mutable=True)
    posted.update({"criterion-0-name": name, "criterion-0-key": typed})
    assert document_from(posted)["criteria"][0]["key"] == key


def test_a_name_in_files_by_position_is_not_one_that_another_criterion_has() -> None:
    posted = QueryDict(mutable=True)
    posted.update({"criterion-0-name": "美感", "criterion-0-key": "criterion-2", "criterion-1-name": "质量"})
    assert [one["key"] for one in document_from(posted)["criteria"]] == ["criterion-2", "criterion-3"]


def test_a_text_that_is_a_candidate_is_the_option_of_its_name_unless_another_is_entered() -> None:
    posted = QueryDict(mutable=True)
    posted.update({"block-0-field": "a", "block-0-role": "side", "block-0-value": ""})
    posted.update({"block-1-field": "b", "block-1-role": "side", "block-1-value": "second"})
    posted.update({"block-2-field": "c", "block-2-role": "text", "block-2-value": ""})
    assert [block["value"] for block in document_from(posted)["blocks"]] == ["a", "second", ""]
