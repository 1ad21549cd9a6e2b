"""Sentences that follow each other in a template: a full-width mark brings its own room, others a space."""

from __future__ import annotations

import pytest
from django.template import Context, Template


def shown(content: str, **values: str) -> str:
    return Template(f"{{% sentences %}}{content}{{% endsentences %}}").render(Context(values))


@pytest.mark.parametrize(
    ("content", "joined"),
    [
        ("One.\n  Two.", "One.\n  Two."),
        ("保存しました。\n  続けてください。", "保存しました。続けてください。"),
        ("<b>已保存。</b>\n  <a href='/x'>继续</a>", "<b>已保存。</b><a href='/x'>继续</a>"),
        ("<span>已保存。\n </span>\n  <a href='/x'>继续</a>", "<span>已保存。</span><a href='/x'>继续</a>"),
    ],
)
def test_only_a_full_width_mark_takes_the_line_break_away(content: str, joined: str) -> None:
    assert shown(content) == joined


def test_a_tag_over_several_lines_stays_as_it_is() -> None:
    tag = "<a href='/x'\n    class='btn'>"
    assert shown(f"已保存。\n {tag}继续</a>") == f"已保存。{tag}继续</a>"


def test_values_are_escaped_as_ever() -> None:
    assert shown("{{ name }}。\n {{ name }}", name="<b>") == "&lt;b&gt;。&lt;b&gt;"
