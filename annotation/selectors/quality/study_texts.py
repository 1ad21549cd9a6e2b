"""All texts of a study that raters read and that can be translated, with their translations."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from annotation.domain.base.limits import (
    LONGEST_CONTACT,
    LONGEST_EXAMPLE_ANSWER,
    LONGEST_EXAMPLE_REASON,
    LONGEST_ITEM_TEXT,
    LONGEST_REFERENCE_REASON,
    LONGEST_REMARK,
    LONGEST_TEXT,
    LONGEST_TITLE,
    LONGEST_WARNING,
)
from annotation.domain.items.media import media_blocks
from annotation.domain.people.demographics import LONGEST_ANSWER, LONGEST_QUESTION
from annotation.domain.quality.check_texts import NAME, OPTIONS, TEXTS
from annotation.domain.questions.text_languages import Place, form_texts
from annotation.domain.questions.wording.changes import TextChange
from annotation.models import BackgroundPage, CalibrationItem, Check, DemographicQuestion, FormVersion, Study
from annotation.selectors.people.demographics import questions_of
from annotation.selectors.quality.checks.texts import check_texts, check_translations, checks_with_texts
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.questions.text_languages import form_document

LONGEST_LABEL = 120
OF_FORM = {"title", "question", "blocks", "criteria", "examples", "practice", "instructions"}
STUDY, CONTACT, FORM, QUESTION = "study", "contact", "form", "question"
PAGE, REASON, NOTE, CHECK = "page", "reason", "note", "check"
SAME_IN_EVERY_LANGUAGE = {(STUDY, "title"), (CONTACT, "text")}


@dataclass(frozen=True)
class StudyText:
    """One text as the study has it, and its translations by language.

    `place` begins with what the text belongs to: `("study", "title")`, `("form", KEY, "question")`.
    """

    place: Place
    label: str
    own: str
    translations: Mapping[str, str]
    longest: int = LONGEST_TEXT
    is_one_line: bool = False

    @property
    def name(self) -> str:
        """The place in one word, for fields and files."""
        return "/".join(quote(part, safe="") for part in self.place)

    def is_missing(self, language: str) -> bool:
        """Whether it lacks a translation; names and addresses are often the same in every language."""
        return self.place not in SAME_IN_EVERY_LANGUAGE and not self.translations.get(language)


@dataclass(frozen=True)
class TextGroup:
    """Texts that raters read together; `changes_later` where they may be changed in a study that is open.

    Those that are `managed` are changed by admins and owners only.
    """

    title: str
    texts: list[StudyText] = field(default_factory=list)
    changes_later: bool = False
    managed: bool = False


def text_groups(study: Study) -> list[TextGroup]:
    """The texts of a study in groups, in the order in which raters read them; empty ones are left out."""
    found = [
        *_of_study(study),
        _of_questions(study),
        *_of_qualification(study),
        *_of_forms(study),
        *_of_checks(study),
    ]
    filled = (replace(group, texts=[text for text in group.texts if text.own.strip()]) for group in found)
    return [group for group in filled if group.texts]


def all_texts(groups: Iterable[TextGroup]) -> Iterator[StudyText]:
    """The texts of all groups, in order."""
    for group in groups:
        yield from group.texts


def seen_originals(groups: Iterable[TextGroup]) -> str:
    """What tells whether the study’s own texts are still those that were shown."""
    own = [(text.name, text.own) for text in all_texts(groups)]
    return hashlib.sha256(json.dumps(own).encode()).hexdigest()[:16]


def n_missing(groups: Iterable[TextGroup], language: str) -> int:
    """How many texts lack a translation into a language, without title and contact."""
    return sum(text.is_missing(language) for text in all_texts(groups))


def missing_by_language(study: Study) -> dict[str, int]:
    """How many texts that raters read each further language of a study lacks, without title and contact."""
    if not _is_translated(study):
        return {}
    groups = text_groups(study)
    found = {language for text in all_texts(groups) for language in text.translations}
    return {language: n_missing(groups, language) for language in sorted(found | set(study.translations))}


def _is_translated(study: Study) -> bool:
    forms = FormVersion.objects.filter(form__study=OuterRef("pk")).exclude(translations={})
    questions = DemographicQuestion.objects.filter(study=OuterRef("pk")).exclude(translations={})
    pages = BackgroundPage.objects.filter(qualification__study=OuterRef("pk")).exclude(translations={})
    items = CalibrationItem.objects.filter(qualification__study=OuterRef("pk")).exclude(translations={})
    own = ~Q(translations={}) | ~Q(contact_translations={})
    checks = Check.objects.filter(study=OuterRef("pk")).exclude(translations={})
    parts = Exists(forms) | Exists(questions) | Exists(pages) | Exists(items) | Exists(checks)
    return Study.objects.filter(own | parts, pk=study.pk).exists()


def _of_study(study: Study) -> Iterator[TextGroup]:
    def text(name: str, label: str, longest: int = LONGEST_TEXT, *, is_one_line: bool = False) -> StudyText:
        translated = {
            language: texts[name] for language, texts in study.translations.items() if texts.get(name)
        }
        return StudyText((STUDY, name), label, getattr(study, name), translated, longest, is_one_line)

    yield TextGroup(
        _("Study"),
        [
            text("title", _("Title"), LONGEST_TITLE, is_one_line=True),
            text("description", _("Description")),
            text("content_warning", _("Content warning"), LONGEST_WARNING),
            text("instructions", _("Instructions")),
        ],
    )
    contact = StudyText(
        (CONTACT, "text"),
        _("Contact for raters"),
        study.contact,
        study.contact_translations,
        LONGEST_CONTACT,
        is_one_line=True,
    )
    yield TextGroup(_("Contact"), [contact], changes_later=True, managed=True)
    yield TextGroup(_("Consent"), [text("consent", _("Consent form"))])


def _of_qualification(study: Study) -> Iterator[TextGroup]:
    for number, page in enumerate(BackgroundPage.objects.filter(qualification__study=study), start=1):
        texts = [
            _named(page, PAGE, "title", _("Heading"), LONGEST_TITLE),
            _named(page, PAGE, "text", _("Text"), LONGEST_TEXT),
        ]
        yield TextGroup(_("Background page %(n)d") % {"n": number}, texts)
    items = list(CalibrationItem.objects.filter(qualification__study=study).select_related("item"))
    reasons = [_named(one, REASON, "reason", one.item.key, LONGEST_REFERENCE_REASON) for one in items]
    yield TextGroup(_("Reasons for the reference values"), reasons)
    notes = [_named(one, NOTE, "note", one.item.key, LONGEST_REMARK) for one in items]
    yield TextGroup(_("Notes on the calibration items"), notes, changes_later=True, managed=True)


def _named(
    row: BackgroundPage | CalibrationItem, what: str, name: str, label: str, longest: int
) -> StudyText:
    """A text of a row that has its translations by language and name."""
    given = {language: texts[name] for language, texts in row.translations.items() if texts.get(name)}
    return StudyText((what, str(row.pk), name), label, getattr(row, name), given, longest)


def _of_forms(study: Study) -> Iterator[TextGroup]:
    for version in form_versions(study=study):
        texts = form_texts(form_document(version))
        for block in media_blocks(version.blocks):
            # The name of a file is no text.
            texts.pop(("practice", block["field"]), None)
        translated = {
            language: form_texts(translation) for language, translation in version.translations.items()
        }
        whole = TextGroup(version.form.title, [], changes_later=True)
        groups: dict[Place, TextGroup] = {("question",): whole}
        for one in version.criteria.all():
            title = f"{version.form.title}: {one.name}"
            groups["criteria", one.key] = TextGroup(title, [], changes_later=True)
        about = {str(number): one["criterion"] for number, one in enumerate(version.examples, start=1)}
        for place, own in texts.items():
            key = ("criteria", about[place[1]]) if place[0] == "examples" else place[:2]
            group = groups.get(key, whole)
            given = {language: found[place] for language, found in translated.items() if place in found}
            where = (FORM, version.form.key, *place)
            group.texts.append(StudyText(where, _label_of(place), own, given, _longest_of(place)))
        yield from groups.values()


def labelled_texts(changes: Iterable[TextChange], document: Mapping[str, Any]) -> list[dict[str, str]]:
    """Changed texts of a form with what each is, such as “Creativity: Meaning of 5”.

    Parameters
    ----------
    changes : iterable of TextChange
        The changed texts.
    document : mapping
        The changed form in the shape of a definition.
    """
    names = {one["key"]: one["name"] for one in document["criteria"]}
    return [
        {"label": _label_in_form(one.place, names), "before": one.before, "after": one.after}
        for one in changes
    ]


def _label_in_form(place: Place, names: Mapping[str, str]) -> str:
    if place[0] not in OF_FORM:
        return f"{place[0]}: {_label_in_form(place[1:], names)}"
    if place[0] in {"title", "instructions"}:
        return _("Title") if place[0] == "title" else _("Instructions")
    if place[0] == "criteria":
        return f"{names.get(place[1], place[1])}: {_label_of(place)}"
    return _label_of(place)


def _longest_of(place: Place) -> int:
    if place[0] == "practice":
        return LONGEST_ITEM_TEXT
    if place[0] == "examples":
        longest = {"answer": LONGEST_EXAMPLE_ANSWER, "reason": LONGEST_EXAMPLE_REASON}
        return longest.get(place[-1], LONGEST_ITEM_TEXT)
    return LONGEST_LABEL if place[-1] in {"name", "label"} else LONGEST_TEXT


def _label_of(place: Place) -> str:
    of_fields = {"blocks": _("Heading of “%(field)s”"), "practice": _("Practice item: %(field)s")}
    if place[0] in of_fields:
        return of_fields[place[0]] % {"field": place[1]}
    if place[0] == "examples":
        return _example_label(place[2]) % {"n": int(place[1])}
    if place[0] == "question":
        return _("Text above the criteria")
    if place[-1] == "label":
        return _("Label of %(value)s") % {"value": place[3]}
    if place[-1] == "description":
        return _("Meaning of %(value)s") % {"value": place[3]}
    return _("Name") if place[-1] == "name" else _("Question")


def _example_label(part: str) -> str:
    labels = {
        "text": _("Example %(n)d: text"),
        "answer": _("Example %(n)d: rating"),
        "reason": _("Example %(n)d: reason"),
    }
    return labels[part]


def _of_checks(study: Study) -> Iterator[TextGroup]:
    for check in checks_with_texts(study):
        translated = check_translations(check)
        group = TextGroup(_("Attention check %(key)s") % {"key": check.key})
        for place, own in check_texts(check).items():
            given = {language: texts[place] for language, texts in translated.items() if place in texts}
            longest = LONGEST_ITEM_TEXT if place[0] == TEXTS else LONGEST_TEXT
            longest = LONGEST_LABEL if place == NAME or place[0] == OPTIONS else longest
            where = (CHECK, check.key, *place)
            group.texts.append(StudyText(where, _check_label(place), own, given, longest))
        yield group


def _check_label(place: Place) -> str:
    if place[0] == OPTIONS:
        return _("Option %(n)d") % {"n": int(place[1]) + 1}
    if place[0] == TEXTS:
        return _("Instruction in “%(field)s”") % {"field": place[1]}
    return _("Name") if place == NAME else _("Question")


def _of_questions(study: Study) -> TextGroup:
    texts = []
    for one in questions_of(study):
        given = {
            language: translation["text"]
            for language, translation in one.translations.items()
            if translation.get("text")
        }
        texts.append(StudyText((QUESTION, one.key, "text"), one.key, one.text, given, LONGEST_QUESTION))
        for number, option in enumerate(one.options):
            label = _("%(question)s: option %(n)d") % {"question": one.key, "n": number + 1}
            translated_options = {
                language: translation["options"][number]
                for language, translation in one.translations.items()
                if translation.get("options")
            }
            given = {language: words for language, words in translated_options.items() if words}
            where = (QUESTION, one.key, "options", str(number))
            texts.append(StudyText(where, label, option, given, LONGEST_ANSWER))
    return TextGroup(_("Demographic questions"), texts)
