"""Title, description and instructions of a study in which raters work."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import TAKING_ANSWERS
from annotation.domain.base.text_validation import validated_text
from annotation.domain.questions.text_languages import is_same_text, plain_lines
from annotation.domain.questions.wording.changes import TextChange, changed_instructions
from annotation.models import Form, FormVersion, Study, User
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.questions.seen_instructions import study_instructions
from annotation.selectors.questions.wording_change import WordingChange, wording_change
from annotation.selectors.studies.definition import form_as_document, template_of
from annotation.services.base import audit
from annotation.services.studies.forms import add_version
from annotation.services.studies.lifecycle import check_title_and_languages

CHANGEABLE = ("title", "description", "instructions")
# Earlier instructions are stored with their versions; for these only the log has the earlier wording.
LOGGED_TEXTS = ("title", "description", "translations")
# Name of a text → the text; and the same by language.
Texts = Mapping[str, str]
Translations = Mapping[str, Texts]


@dataclass(frozen=True)
class TextsPreview:
    """What saving changed texts of a study does.

    Parameters
    ----------
    instructions
        The instructions that change, one for each language.
    forms
        Each form with responses, and the effect on its statistics; empty where no instructions change.
    """

    instructions: tuple[TextChange, ...]
    forms: tuple[tuple[Form, WordingChange], ...]


def preview_texts(*, study: Study, texts: Texts, translations: Translations | None = None) -> TextsPreview:
    """Report how saving these texts would affect the statistics; nothing is stored.

    Parameters
    ----------
    study, texts, translations
        As for `change_open_texts`.

    Raises
    ------
    NotAllowedNow, InvalidContent
        As `change_open_texts`.
    """
    _refuse_unless_running(study)
    changed = _with_texts(study, texts, translations or {})
    check_title_and_languages(changed)
    found = changed_instructions(study_instructions(study), study_instructions(changed), study.language)
    effects = []
    for version in form_versions(study=study) if found else ():
        document = form_as_document(version)
        effect = wording_change(version.form, document, document)
        if effect is not None:
            effects.append((version.form, effect))
    return TextsPreview(tuple(found), tuple(effects))


def change_open_texts(
    *,
    study: Study,
    actor: User,
    texts: Texts,
    translations: Translations | None = None,
    correction: bool | None = None,
    reason: str = "",
    seen: str = "",
) -> Study:
    """Change title, description and instructions of an open or paused study.

    Title and description are only changed. Instructions are part of what raters judge by: each form gets a
    correction or a new version, and its earlier versions store the instructions that their raters read.

    Parameters
    ----------
    study, actor
        An open or paused study, and the member who changes it.
    texts : mapping of str to str
        `title`, `description`, `instructions`; those that are missing do not change.
    translations : mapping of str to mapping, or None
        Language → the same texts; what is missing does not change. A new version removes translations of
        changed instructions that are not given; a correction does not.
    correction : bool or None
        The meaning of the instructions is the same: answers are analysed together. False for a new version.
        Needed where the instructions change and a form has responses.
    reason : str
        For the audit log.
    seen : str
        `texts_digest` when the texts were shown; empty for no comparison.

    Returns
    -------
    Study
        With the new texts.

    Raises
    ------
    NotAllowedNow
        The study is not open or paused (`not_running`), or its texts have changed since they were shown
        (`texts_changed`).
    InvalidContent
        The instructions change, and `correction` does not say whether they mean the same
        (`meaning_needed`); `bad_title`, `own_language` or `language_not_offered`.
    """
    with transaction.atomic():
        locked = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        _check_seen(locked, seen)
        effects = preview_texts(study=locked, texts=texts, translations=translations)
        _check_meaning(effects, correction)
        changed = _with_texts(locked, texts, translations or {}, correction=bool(correction))
        names = [
            name for name in (*CHANGEABLE, "translations") if getattr(changed, name) != getattr(locked, name)
        ]
        if not names:
            return locked
        versions = _add_versions(locked, correction=bool(correction)) if effects.instructions else {}
        changed.save(update_fields=names)
        audit.record(
            study=changed,
            actor=actor,
            act="change_texts",
            fields=names,
            before={name: getattr(locked, name) for name in names if name in LOGGED_TEXTS},
            after={name: getattr(changed, name) for name in names if name in LOGGED_TEXTS},
            versions=versions,
            reason=validated_text(reason),
        )
    return changed


def _check_seen(locked: Study, seen: str) -> None:
    if seen and seen != texts_digest(locked):
        raise NotAllowedNow(
            message(
                "Nothing was saved. Another study member has changed these texts. Compare yours with "
                "the current ones and save again."
            ),
            code="texts_changed",
        )


def _check_meaning(effects: TextsPreview, correction: bool | None) -> None:
    if effects.forms and correction is None:
        needed = message(
            "Raters have answered under the present instructions. Say whether the new ones are a "
            "correction with the same meaning, or a new version."
        )
        raise InvalidContent(needed, code="meaning_needed", fields={"meaning": needed})


def texts_digest(study: Study) -> str:
    """Digest of the texts of a study, to detect changes since they were shown.

    Parameters
    ----------
    study : Study
        As it was read.
    """
    own = [*(getattr(study, name) for name in CHANGEABLE), study.translations]
    return hashlib.sha256(json.dumps(own, sort_keys=True).encode()).hexdigest()[:16]


def _refuse_unless_running(study: Study) -> None:
    if study.source or study.state not in TAKING_ANSWERS:
        raise NotAllowedNow(
            message("You can only change these texts while the study is a draft, open or paused."),
            code="not_running",
        )


def _with_texts(study: Study, texts: Texts, translations: Translations, *, correction: bool = False) -> Study:
    """A copy of the study with the texts, which is not saved yet."""
    changed = deepcopy(study)
    for name in CHANGEABLE:
        if name in texts:
            setattr(changed, name, _changed_to(getattr(study, name), texts[name]))
    if changed.instructions != study.instructions and not correction:
        for translation in changed.translations.values():
            translation.pop("instructions", None)
    for language, given in translations.items():
        translation = changed.translations.setdefault(language, {})
        before = study.translations.get(language, {})
        translation |= {
            name: _changed_to(before.get(name, ""), given[name]) for name in CHANGEABLE if name in given
        }
    changed.translations = _filled(changed.translations)
    if changed.translations == _filled(study.translations):
        changed.translations = study.translations
    return changed


def _changed_to(before: str, text: str) -> str:
    return before if is_same_text(before, text) else plain_lines(text)


def _filled(translations: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The translations that have a text; names without one are left out."""
    found = {
        language: {name: text for name, text in translation.items() if text}
        for language, translation in translations.items()
    }
    return {language: translation for language, translation in found.items() if translation}


def _add_versions(study: Study, *, correction: bool) -> dict[str, str]:
    """Store the present instructions with the versions of their answers, and begin a version of each form."""
    newest = form_versions(study=study)
    earlier = FormVersion.objects.filter(form__study=study, form__planted=False, instructions__isnull=True)
    earlier.update(instructions=study_instructions(study))
    added = {}
    for one in newest:
        version = add_version(
            form=one.form,
            template=template_of(one),
            number=one.number if correction else one.number + 1,
            correction=one.correction + 1 if correction else 0,
            pool=one.pool if correction else 0,
        )
        added[one.form.key] = version.label
    return added
