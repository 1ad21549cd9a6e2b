"""The components that every page may use: what they say to screen readers, escape and refuse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django import forms
from django.contrib.messages import constants
from django.contrib.messages.utils import get_level_tags
from django.core.paginator import Paginator
from django.template import Context, Template, TemplateSyntaxError
from django.template.loader import render_to_string

from annotation.templatetags.components import TONES

TEMPLATES = Path(__file__).parents[3] / "templates"


class Draft(forms.Form):
    title = forms.CharField(label="Title", help_text="Shown to <raters>.")
    open = forms.BooleanField(label="Open at once", help_text="It cannot be a draft again.", required=False)


def render(source: str, **context: object) -> str:
    """What a template without any `load` shows, with white space folded."""
    shown = Template(source).render(Context(context))
    return re.sub(r"\s+", " ", shown).strip()


def test_a_table_scrolls_under_its_label():
    shown = render(
        '{% data_table label=_("Raters") %}<tr><td>{{ code }}</td></tr>{% enddata_table %}', code="R-<1>"
    )
    assert '<div class="scroll" tabindex="0" role="region" aria-label="Raters">' in shown
    assert "<table> <tr><td>R-&lt;1&gt;</td></tr> </table>" in shown


def test_a_table_takes_the_name_of_its_heading():
    shown = render(
        '{% data_table labelledby="group-" number=n classes="heat" density="compact" %}{% enddata_table %}',
        n=12,
    )
    assert 'aria-labelledby="group-12"' in shown
    assert '<table data-density="compact" class="heat">' in shown
    assert "aria-label=" not in shown


def test_the_label_of_a_table_is_escaped():
    shown = render("{% data_table label=label %}{% enddata_table %}", label='"><script>')
    assert 'aria-label="&quot;&gt;&lt;script&gt;"' in shown


@pytest.mark.parametrize("arguments", ["", 'label="" ', 'label="Raters" labelledby="raters"'])
def test_a_table_has_one_name(arguments):
    with pytest.raises(TemplateSyntaxError, match="a label or a labelledby"):
        render("{% data_table " + arguments + " %}{% enddata_table %}")


@pytest.mark.parametrize(
    ("tone", "classes", "role"),
    [
        ("info", "notice", "status"),
        ("ok", "notice", "status"),
        ("warn", "notice notice--warn", "status"),
        ("error", "notice notice--error", "alert"),
    ],
)
def test_the_tone_of_a_notice_decides_its_role(tone, classes, role):
    shown = render("{% notice tone %}<b>{{ words }}</b>{% endnotice %}", tone=tone, words="A & B")
    assert shown.startswith(f'<div class="{classes}" role="{role}">')
    assert shown.endswith("<div><b>A &amp; B</b></div> </div>")


def test_an_urgent_notice_is_an_alert_that_can_have_the_focus():
    shown = render('{% notice "warn" html_id="waiting" hidden=True urgent=True %}…{% endnotice %}')
    assert shown.startswith(
        '<div class="notice notice--warn" id="waiting" role="alert" tabindex="-1" hidden>'
    )


def test_a_notice_of_an_unknown_tone_is_refused():
    with pytest.raises(TemplateSyntaxError, match="no tone “warning”: it is one of info, ok, warn, error"):
        render('{% notice "warning" %}…{% endnotice %}')


def test_every_tone_that_a_template_names_is_known():
    sources = (path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html"))
    named = {tone for source in sources for tone in re.findall(r'{% notice "(\w*)"', source)}
    assert named == set(TONES)


def test_messages_of_every_level_have_a_tone():
    levels = (constants.INFO, constants.SUCCESS, constants.WARNING, constants.ERROR)
    assert {get_level_tags()[level] for level in levels} == set(TONES)


def test_a_title_has_a_note_next_to_it_and_the_lead_below():
    shown = render(
        "{% page_title title note=n %} What {{ what }} is. {% endpage_title %}", title="<i>", n=0, what="<b>"
    )
    assert '<h1>&lt;i&gt;</h1> <span class="muted small">0</span> </div>' in shown
    assert shown.endswith('<p class="lede"> What &lt;b&gt; is. </p>')


def test_a_title_alone_has_neither_note_nor_lead():
    shown = render("{% page_title _('Jobs') note=run.name %} {% endpage_title %}", run=None)
    assert shown == '<div class="page__title"> <h1>Jobs</h1> </div>'


def test_a_pager_keeps_what_else_the_address_says():
    page = Paginator(range(30), 10).get_page(2)
    by_name = render("{% pager page sort=sort order='up' %}", page=page, sort="mean & more")
    assert 'href="?sort=mean+%26+more&amp;order=up&amp;page=1"' in by_name
    assert 'href="?sort=mean+%26+more&amp;order=up&amp;page=3"' in by_name
    assert "<span>2 / 3</span>" in by_name
    assert 'href="?state=open&amp;page=3"' in render("{% pager page query %}", page=page, query="state=open")
    assert 'href="?page=3"' in render("{% pager page %}", page=page)


def test_a_list_of_one_page_has_no_pager():
    assert render("{% pager page %}", page=Paginator(range(3), 10).get_page(1)) == ""


def test_a_field_has_its_label_help_and_errors():
    shown = render("{% field form.title %}", form=Draft({}))
    assert '<div class="field"> <label for="id_title">Title</label>' in shown
    assert '<span class="note" id="id_title_helptext">Shown to &lt;raters&gt;.</span>' in shown
    assert 'aria-describedby="id_title_helptext id_title_error"' in shown
    assert 'id="id_title_error"' in shown


def test_a_check_box_comes_before_its_label():
    shown = render("{% field form.open %}", form=Draft())
    assert re.search(
        r'<label class="check"><input type="checkbox"[^>]*><span>Open at once</span></label>', shown
    )
    assert '<p class="note" id="id_open_helptext">It cannot be a draft again.</p>' in shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("{{ -0.354|floatformat:2 }}", "−0.35"),
        ("{{ 0.354|floatformat:2 }}", "0.35"),
        ("{{ text|minus }}", "R-007, 2026-11-23: −0.350 (−3 to −.5)"),
    ],
)
def test_negative_numbers_have_a_minus_sign_and_names_and_dates_their_hyphens(source, shown):
    assert render(source, text="R-007, 2026-11-23: -0.350 (-3 to -.5)") == shown


def test_formats_have_their_own_spelling_on_labels():
    names = [render("{{ name|format_name }}", name=name) for name in ("csv", "jsonl", "parquet")]
    assert names == ["CSV", "JSONL", "Parquet"]


def test_counts_of_thousands_are_separated():
    many = {"n_ratings": 12345, "n_responses": 4115, "n_items": 1200, "n_raters": 1001, "identified": True}
    left_out = {"cannot_rate": 1234, "late": 2345, "older_versions": 3456}
    shown = render_to_string(
        "scoring/base/provenance_counts.html",
        {"data": {**many, "set_apart": left_out, "excluded": {}, "versions": []}},
    )
    for count in ("12,345", "4,115", "1,200", "1,001", "1,234", "2,345", "3,456"):
        assert count in shown
