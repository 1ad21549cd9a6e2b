"""Whatever people of a study wrote takes the direction of its own letters, on every page."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import (
    BackgroundPage,
    CalibrationItem,
    Case,
    Comment,
    Criterion,
    DemographicQuestion,
    Exclusion,
    ExclusionRule,
    Form,
    FormVersion,
    Item,
    Rating,
    Response,
    ScalePoint,
    Study,
    Verdict,
)
from annotation.selectors.questions import rubrics
from tests.support.every_page import asks
from tests.support.page_direction import without_direction
from tests.support.studies.adjudication_study import decide_all, make_case_study, owner_of
from tests.support.studies.disagreement_study import figures_of

HEBREW = "זיכרון הוא גג דולף"
LINES = f"{HEBREW},\n\nוהלילה ארוך."
SLUG = "hebrew"
OF_RATERS = ("rate-guide", "rate-pause", "rate-withdraw")
OF_MEMBERS = ("study-questions", "study-definition")
OF_THE_FORM = ("study-form", "study-form-stage", "study-form-pairs")
# A paragraph to be copied into a paper: nothing may be added to it.
COPIED = "study-paper"
# Pages without a word of their study.
SILENT = frozenset(
    {"tokens", "site-system", "site-accounts", "site-account", "site-account-delete", "site-log"}
    | {"replications", "replication", "help", "help-page"}
    # Parts of pages that show codes and figures alone.
    | {"study-counts", "study-raters-to-review", "study-raters-flags", "study-rater-panel"}
)


def write(study: Study) -> None:
    """Every text of the study in Hebrew."""
    Study.objects.filter(pk=study.pk).update(
        title=HEBREW, description=LINES, consent=LINES, instructions=LINES, content_warning=LINES
    )
    study.consent_texts.update(text=LINES)
    Form.objects.filter(study=study).update(title=HEBREW)
    FormVersion.objects.filter(form__study=study).update(
        question=HEBREW,
        blocks=[{"field": "simile", "label": HEBREW, "role": "figure", "mark": ["vehicle"]}],
    )
    Criterion.objects.filter(version__form__study=study).update(name=HEBREW, question=LINES)
    ScalePoint.objects.filter(criterion__version__form__study=study).update(label=HEBREW, description=LINES)
    Item.everything.filter(study=study).update(fields={"simile": LINES}, group=HEBREW, system=HEBREW)
    Response.objects.filter(assignment__form__study=study).update(remark=LINES)
    BackgroundPage.objects.filter(qualification__study=study).update(title=HEBREW, text=LINES)
    CalibrationItem.objects.filter(qualification__study=study).update(reason=LINES, note=LINES)
    Verdict.objects.filter(case__study=study).update(note=LINES)
    case = Case.objects.filter(study=study).latest("pk")
    Comment.objects.create(case=case, text=LINES)
    DemographicQuestion.objects.create(study=study, key="age", text=HEBREW, kind="number")
    ExclusionRule.objects.create(study=study, key="fast", name=HEBREW, reason=LINES)
    Exclusion.objects.create(study=study, rater=study.raters.first(), reason=LINES)


@pytest.mark.django_db
def test_every_text_of_a_study_has_its_own_direction() -> None:
    pages = asks(SLUG, items=3, raters=2)
    study = Study.objects.get(slug=SLUG)
    rater, _ = pages["rate"]
    member, _ = pages["study"]
    pages |= {name: (rater, reverse(name, args=[SLUG])) for name in OF_RATERS}
    pages |= {name: (member, reverse(name, args=[SLUG])) for name in OF_MEMBERS}
    pages |= {name: (member, reverse(name, args=[SLUG, "similes"])) for name in OF_THE_FORM}
    write(study)
    rule, page = study.exclusion_rules.get(), BackgroundPage.objects.get(qualification__study=study)
    pages["study-rule"] = (member, reverse("study-rule", args=[SLUG, rule.pk]))
    pages["study-background-page"] = (member, reverse("study-background-page", args=[SLUG, page.pk]))
    del pages[COPIED]
    assert_directions(pages, silent=SILENT)


@pytest.mark.django_db
def test_every_answer_and_option_has_its_own_direction() -> None:
    study = make_case_study("answers")
    Item.objects.filter(study=study).update(fields={"sentence": LINES, "a": HEBREW, "b": LINES})
    ScalePoint.objects.filter(criterion__version__form__study=study).update(label=HEBREW)
    Criterion.objects.filter(version__form__study=study).update(name=HEBREW)
    Form.objects.filter(study=study).update(title=HEBREW)
    Response.objects.filter(assignment__form__study=study).update(remark=LINES)
    Rating.objects.filter(criterion__key="paraphrase", criterion__version__form__study=study).update(
        answer=LINES
    )
    figures_of(study)
    case = decide_all(study, owner_of(study), ["I-0", "I-1"], note=LINES)
    member = Client()
    member.force_login(owner_of(study))
    named = ("study-adjudication", "study-disagreement", "study-items", "study")
    pages = {name: (member, reverse(name, args=["answers"])) for name in named}
    pages["study-case"] = (member, reverse("study-case", args=["answers", case]))
    pages["study-item"] = (member, reverse("study-item", args=["answers", "I-0"]))
    pages["study-rater"] = (member, reverse("study-rater", args=["answers", "R-001"]))
    assert_directions(pages)


def assert_directions(pages: dict[str, tuple[Client, str]], silent: frozenset[str] = frozenset()) -> None:
    # Criteria were read before they were written in Hebrew.
    rubrics._criteria.cache_clear()
    found = {name: without_direction(read(*where)) for name, where in pages.items()}
    lost = [f"{name}: {one}" for name, (_, places) in found.items() for one in places]
    assert lost == [], "\n".join(sorted(set(lost)))
    assert {name for name, (seen, _) in found.items() if not seen} == silent


def read(client: Client, path: str) -> str:
    answer = client.get(path, follow=True)
    assert answer.status_code == 200, path
    return answer.content.decode()
