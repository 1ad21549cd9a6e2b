"""The legend of keys: it names what the keys of this page do, and no key that does nothing here."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Criterion, FormVersion, ScalePoint, Study
from tests.support.people import join, make_cast
from tests.support.studies.choice_study import draft

pytestmark = pytest.mark.django_db
ROW = re.compile(r"<div[^>]*>\s*<dt>(.*?)</dt>\s*<dd>(.*?)</dd>\s*</div>", re.DOTALL)
DIALOG = re.compile(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", re.DOTALL)


def rows(pattern: re.Pattern[str], html: str) -> dict[str, str]:
    """What each key does, by the signs of the key."""
    plain = [[re.sub(r"<[^>]*>|\s+", " ", part) for part in found] for found in pattern.findall(html)]
    return {"".join(keys.split()): " ".join(does.split()) for keys, does in plain}


def study_of(protocol: str) -> Study:
    study = draft(protocol)
    fields = {block["field"] for form in study.forms.all() for block in form.versions.get().blocks}
    study.items.create(key="i", group="g", system="s", fields=dict.fromkeys(fields, "A bell."), position=0)
    return study


def legend_of(study: Study) -> tuple[dict[str, str], dict[str, str]]:
    """The line under the page, and the list of all keys, as a member's preview shows them."""
    member = Client()
    member.force_login(study.memberships.get(role="owner").user)
    html = member.get(reverse("rate", args=[study.slug]), follow=True).content.decode()
    line, dialog = html[html.index('<dl class="keys"') :].split("<dialog", 1)
    return rows(ROW, line), rows(DIALOG, dialog)


def test_points_of_several_scales_are_chosen_and_gone_through() -> None:
    line, dialog = legend_of(study_of("hauser"))
    assert (line["1–5"], line["↑↓"]) == ("choose a point", "criterion")
    assert dialog["1–5"] == "choose a point for the current criterion"
    assert dialog["←→"] == "go to the next lower or higher point"


def test_one_scale_alone_has_no_other_criterion_to_go_to() -> None:
    line, dialog = legend_of(study_of("miyazawa"))
    assert line["1–5"] == "choose a point"
    assert {"↑↓"} & (line.keys() | dialog.keys()) == set()


def test_options_are_called_options() -> None:
    line, dialog = legend_of(study_of("simile_probing"))
    assert line["1–5"] == "choose an option"
    assert dialog["1–5"] == "choose an option for the current criterion"
    assert dialog["←→"] == "go to the previous or next option"
    assert "point" not in " ".join([*line.values(), *dialog.values()])


def test_boxes_of_a_multiple_choice_are_not_passed_with_arrows() -> None:
    line, dialog = legend_of(study_of("simile_probing_categories"))
    assert "choose an option" in line.values()
    assert "←→" not in dialog


def test_a_page_with_scale_and_options_names_both() -> None:
    study = study_of("hanna")
    version = study.forms.get().versions.get()
    choice = Criterion.objects.create(version=version, key="kind", name="Kind", kind="choice", position=9)
    for place, value in enumerate(("old", "new"), start=1):
        ScalePoint.objects.create(
            criterion=choice, value=value, label=value, keyboard=str(place), position=place
        )
    line, dialog = legend_of(study)
    assert (line["1–5"], line["↑↓"]) == ("choose a point or an option", "criterion")
    assert dialog["←→"] == "go to the previous or next point or option"


def test_a_form_without_cannot_rate_offers_it_nowhere() -> None:
    cast = make_cast()
    FormVersion.objects.update(cannot_rate=False)
    assert join(cast.invitation)[1].get(f"/api/v1/rate/{cast.slug}/next/").json()["reasons"] == []
    client = Client()
    client.post(reverse("join", args=[cast.invitation.token]))
    page = client.get(reverse("rate", args=[cast.slug]), follow=True)
    shown = page.content.decode()
    assert [one for one in ('name="cannot_rate"', "an’t rate") if one in shown] == []
    sent = {name: page.context[name] for name in ("submission_key", "version", "seen_revision")}
    refused = client.post(page.context["action"], sent)
    assert refused.status_code == 422
    assert [criterion["error"] for criterion in refused.context["criteria"]] == ["Answer this question."] * 2


def test_a_question_in_words_has_no_digit_that_answers_it() -> None:
    study = study_of("hanna")
    study.forms.get().versions.get().criteria.update(kind="text")
    ScalePoint.objects.filter(criterion__version__form__study=study).delete()
    line, dialog = legend_of(study)
    assert [key for key in (*line, *dialog) if key.startswith("1–")] == []
