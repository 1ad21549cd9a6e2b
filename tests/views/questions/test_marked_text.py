"""A text with marked tuples, to be read: the text itself, a label for each span, nothing of markup in it."""

from __future__ import annotations

import re

from django.template.loader import render_to_string

from annotation.domain.questions.marked_text import marked_text, summarize_tuples
from annotation.domain.questions.tuples import marks_text

TEXT = "Fog & <dusk> are wool."
MARKS = marks_text(
    [
        {"tuple": 1, "part": "tenor", "start": 0, "end": 12, "text": "Fog & <dusk>"},
        {"tuple": 2, "part": "tenor", "start": 0, "end": 3, "text": "Fog"},
        {"tuple": 1, "part": "vehicle", "start": 17, "end": 21, "text": "wool"},
        {"tuple": 1, "part": "mood", "start": None, "end": None, "text": "<quiet>"},
    ]
)


def without_labels(html: str) -> str:
    bare = re.sub(r'<span class="mk__l[^>]*><span dir="auto">[^<]*</span></span>', "", html)
    return re.sub(r"<[^>]*>", "", bare).strip()


def test_the_marked_text_is_the_text_with_a_label_where_each_span_begins():
    html = render_to_string(
        "annotation/questions/marked_text.html", {"marked": marked_text(TEXT, MARKS), "written_in": "en"}
    )
    assert without_labels(html) == "Fog &amp; &lt;dusk&gt; are wool."
    labels = re.findall(r'<span dir="auto">([^<]*)</span></span>', html)
    assert labels == ["tenor 1", "tenor 2", "vehicle 1"]
    assert html.count("<span") == html.count("</span")
    assert 'dir="auto" lang="en"' in html


def test_tuples_are_shown_with_what_is_marked():
    html = render_to_string("annotation/questions/tuple_summary.html", {"tuples": summarize_tuples(MARKS)})
    assert html.count("<li>") == 2
    assert html.count("(marked in the text)") == 3
    assert "&lt;quiet&gt;" in html
