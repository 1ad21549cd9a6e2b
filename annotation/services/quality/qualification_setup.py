"""The qualification of a draft: its rule, background pages and calibration items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from django.db import transaction
from django.db.models import Max, Model, QuerySet

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import LONGEST_REFERENCE_REASON, LONGEST_TEXT, LONGEST_TITLE
from annotation.domain.base.messages import joined, message
from annotation.domain.base.states import DesignKind, Purpose
from annotation.domain.quality.calibration import (
    RuleKind,
    qualification_of,
    read_reference,
    text_problems,
    why_incomplete,
)
from annotation.domain.questions.text_languages import with_translation, without_texts
from annotation.models import (
    BackgroundPage,
    CalibrationItem,
    Form,
    FormVersion,
    Item,
    Qualification,
    Study,
    User,
)
from annotation.protocols.markup import unmark
from annotation.services.base import audit
from annotation.services.base.drafts import lock_draft
from annotation.services.items.item_storage import CALIBRATION_KEY
from annotation.services.quality.planted_items import missing_texts
from annotation.services.questions.criteria import questions_of
from annotation.services.questions.text_languages import offered_translations

Row = TypeVar("Row", bound=Model)


def set_qualification(
    *,
    study: Study,
    actor: User,
    kind: RuleKind,
    tolerance: float | None = None,
    share: float | None = None,
    least: float | None = None,
    attempts: int | None = 1,
    feedback: bool = True,
    items_per_attempt: int | None = None,
) -> Qualification:
    """Ask raters of a draft to qualify, or change by which rule they do.

    Parameters
    ----------
    study, actor
        A draft, and who sets the rule.
    kind : RuleKind
        By ratings near the reference values, by rank correlation with them, or by a researcher's decision.
    tolerance, share, least : float or None
        What the rule needs.
    attempts : int or None
        How often a rater may try; None for no limit.
    feedback : bool
        Whether the reference and its reason are shown after each answer.
    items_per_attempt : int or None
        How many of the calibration items an attempt has; None for all. A further attempt has those first
        that the rater has not had.

    Raises
    ------
    NotAllowedNow
        The study is no draft (`not_a_draft`).
    InvalidContent
        The rule cannot be used (`invalid_qualification`).
    """
    qualification_of(kind, tolerance=tolerance, share=share, least=least, attempts=attempts)
    if items_per_attempt is not None and items_per_attempt < 1:
        sentence = message("An attempt needs at least 1 item.")
        fields = {"items_per_attempt": sentence}
        raise InvalidContent(sentence, code="invalid_qualification", fields=fields)
    near = kind is RuleKind.NEAR
    rule = {
        "rule": kind.value,
        "tolerance": tolerance if near else None,
        "share": share if near else None,
        "least": least if kind is RuleKind.RANK else None,
    }
    settings = {
        **rule,
        "attempts": attempts,
        "feedback": feedback,
        "items_per_attempt": items_per_attempt,
    }
    with _draft(study) as locked:
        qualification, _ = Qualification.objects.update_or_create(study=locked, defaults=settings)
        audit.record(study=locked, actor=actor, act="set_qualification", **settings)
    return qualification


def remove_qualification(*, qualification: Qualification, actor: User) -> None:
    """Remove the qualification of a draft; items picked from the study are rated like all others again.

    Raises
    ------
    NotAllowedNow
        The study is no draft.
    """
    with _draft(qualification.study) as study:
        for calibration in qualification.items.select_related("item"):
            _take_out(calibration)
        qualification.delete()
        audit.record(study=study, actor=actor, act="remove_qualification")


def write_page(
    *,
    qualification: Qualification,
    actor: User,
    title: str,
    text: str,
    page: BackgroundPage | None = None,
    translations: Mapping[str, Mapping[str, str]] | None = None,
) -> BackgroundPage:
    """Add a background page to a draft, or change one.

    Parameters
    ----------
    qualification, actor
        Of a draft, and who writes.
    title, text : str
        Both needed; the text as `annotation.domain.questions.background_text` reads it.
    page : BackgroundPage or None
        The one to change.
    translations : mapping or None
        Language of raters’ pages → `title` and `text` in it; None keeps those of what does not change.

    Raises
    ------
    NotAllowedNow
        The study is no draft.
    InvalidContent
        The title or the text is empty or too long (`invalid_page`), or there are no pages in a language
        (`language_not_offered`).
    """
    problems = text_problems({"title": (title, LONGEST_TITLE), "text": (text, LONGEST_TEXT)})
    if problems:
        raise InvalidContent(joined(problems.values()), code="invalid_page", fields=problems)
    with _draft(qualification.study) as study:
        written = page or BackgroundPage(
            qualification=qualification, position=_next_place(qualification.pages.all())
        )
        new = {"title": title.strip(), "text": text.strip()}
        changed = [name for name, value in new.items() if getattr(written, name) != value]
        remaining = without_texts(written.translations, changed) if translations is None else translations
        written.title, written.text = new["title"], new["text"]
        written.translations = offered_translations(remaining)
        written.save()
        audit.record(study=study, actor=actor, act="write_background_page", title=written.title)
    return written


def delete_page(*, page: BackgroundPage, actor: User) -> None:
    """Delete a background page of a draft.

    Raises
    ------
    NotAllowedNow
        The study is no draft.
    """
    with _draft(page.qualification.study) as study:
        page.delete()
        audit.record(study=study, actor=actor, act="delete_background_page", title=page.title)


def add_calibration_item(
    *,
    qualification: Qualification,
    actor: User,
    form: Form,
    reference: Mapping[str, object],
    reason: str = "",
    texts: Mapping[str, str] | None = None,
    picked: Item | None = None,
    translations: Mapping[str, Mapping[str, str]] | None = None,
) -> CalibrationItem:
    """Add a calibration item to a draft: an item of the study or a new one.

    An item picked from the study is no longer rated, so that no rater rates an item whose value they know.

    Parameters
    ----------
    qualification, actor
        Of a draft, and who adds the item.
    form : Form
        On whose page it is answered.
    reference : mapping
        Criterion key to value.
    reason : str
        Why these values: raters read it where feedback is on.
    texts : mapping of str to str, optional
        What a written item shows; `{vehicle:a bell}` marks a component.
    picked : Item, optional
        An ordinary item of the study.
    translations : mapping, optional
        Language of raters’ pages → the `reason` in it.

    Raises
    ------
    NotAllowedNow
        The study is no draft, or the picked item holds ratings (`item_rated`).
    InvalidContent
        A text is missing (`no_text`), the reason is too long (`invalid_reason`) or the reference cannot
        be met (`invalid_reference`), or there are no pages in a language (`language_not_offered`).
    """
    problems = text_problems({"reason": (reason or "-", LONGEST_REFERENCE_REASON)})
    if problems:
        raise InvalidContent(joined(problems.values()), code="invalid_reason", fields=problems)
    with _draft(qualification.study) as study:
        item = _planted(study, form, texts or {}) if picked is None else _taken_from_the_study(study, picked)
        read = read_reference(reference, questions_of(form), item.fields)
        calibration = CalibrationItem.objects.create(
            qualification=qualification,
            item=item,
            form=form,
            reference=read,
            reason=reason.strip(),
            translations=offered_translations(translations or {}),
            picked=picked is not None,
            position=_next_place(qualification.items.all()),
        )
        audit.record(study=study, actor=actor, act="add_calibration_item", item=item.key)
    return calibration


def translate_reason(*, calibration: CalibrationItem, actor: User, language: str, reason: str) -> None:
    """Translate why a calibration item of a draft has its reference values.

    Parameters
    ----------
    calibration, actor
        Of a draft, and who translates.
    language : str
        One of raters’ pages.
    reason : str
        The reason in it; empty for no translation.

    Raises
    ------
    NotAllowedNow
        The study is no draft.
    InvalidContent
        There are no pages in the language (`language_not_offered`).
    """
    with _draft(calibration.qualification.study) as study:
        texts = with_translation(calibration.translations, language, {"reason": reason})
        calibration.translations = offered_translations(texts)
        calibration.save(update_fields=["translations"])
        audit.record(study=study, actor=actor, act="translate_reason", item=calibration.item.key)


def item_to_pick(qualification: Qualification, key: str) -> Item:
    """The ordinary item of a study that a key names.

    Parameters
    ----------
    qualification : Qualification
        Qualification of the study.
    key : str
        Item ID of an item that is no check and no calibration item.

    Raises
    ------
    InvalidContent
        There is none (`no_such_item`).
    """
    found = Item.objects.filter(study=qualification.study_id, key=key).first()
    if found is None:
        raise InvalidContent(message("The study has no item “%(key)s”.", key=key), code="no_such_item")
    return found


def delete_calibration_item(*, calibration: CalibrationItem, actor: User) -> None:
    """Remove a calibration item from a draft; one picked from the study is rated like all others again.

    Raises
    ------
    NotAllowedNow
        The study is no draft.
    """
    with _draft(calibration.qualification.study) as study:
        key = calibration.item.key
        _take_out(calibration)
        audit.record(study=study, actor=actor, act="delete_calibration_item", item=key)


def check_qualification(study: Study) -> None:
    """Refuse to open a study whose raters could never qualify.

    Parameters
    ----------
    study : Study
        About to open.

    Raises
    ------
    NotAllowedNow
        `qualification_incomplete`: calibration items are missing, or no correlation with their
        references exists; where each form has its own panel, for one of these forms.
    """
    qualification = Qualification.objects.filter(study=study).first()
    if qualification is None:
        return
    items = list(qualification.items.values_list("form", "reference"))
    panels: list[Form | None] = list(study.forms.all()) if study.design == DesignKind.PANELS else [None]
    for panel in panels:
        references = [reference for form, reference in items if panel is None or form == panel.pk]
        problem = why_incomplete(
            RuleKind(qualification.rule), references, per_attempt=qualification.items_per_attempt
        )
        if problem:
            raise NotAllowedNow(_incomplete(panel, problem), code="qualification_incomplete")


def _incomplete(panel: Form | None, problem: str) -> str:
    if panel is None:
        return message("The qualification is incomplete. %(problem)s", problem=problem)
    return message(
        "The qualification for “%(form)s” is incomplete. %(problem)s", form=panel.title, problem=problem
    )


@contextmanager
def _draft(study: Study) -> Iterator[Study]:
    with transaction.atomic():
        yield lock_draft(
            study.pk, message("You can only change the qualification while the study is a draft.")
        )


def _next_place(rows: QuerySet[Row]) -> int:
    last: int | None = rows.aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1


def _planted(study: Study, form: Form, texts: Mapping[str, str]) -> Item:
    """A new item with the texts that the form shows, under an item ID that no import can use."""
    blocks = FormVersion.objects.filter(form=form).latest("number", "correction").blocks
    shown = [block["field"] for block in blocks if not block.get("optional")]
    lacking = [name for name in shown if not texts.get(name, "").strip()]
    if lacking or not any(text.strip() for text in texts.values()):
        raise InvalidContent(
            missing_texts(lacking),
            code="no_text",
            fields=dict.fromkeys(lacking, message("Enter a text.")),
        )
    keys = set(
        Item.everything.filter(study=study, key__startswith=CALIBRATION_KEY).values_list("key", flat=True)
    )
    numbered = (f"{CALIBRATION_KEY}{number}" for number in range(1, len(keys) + 2))
    written = {name: unmark(text, name) for name, text in texts.items() if text.strip()}
    return Item.everything.create(
        study=study,
        key=next(key for key in numbered if key not in keys),
        fields={name: text for name, (text, _) in written.items()},
        components=[part for _, parts in written.values() for part in parts],
        planted=True,
    )


def _taken_from_the_study(study: Study, picked: Item) -> Item:
    item = Item.objects.get(study=study, pk=picked.pk)
    if item.assignments.filter(purpose=Purpose.MAIN).exists():
        raise NotAllowedNow(
            message("%(key)s already has ratings. Choose an item without ratings.", key=item.key),
            code="item_rated",
        )
    item.planted = True
    item.save(update_fields=["planted"])
    return item


def _take_out(calibration: CalibrationItem) -> None:
    item = calibration.item
    calibration.delete()
    if calibration.picked:
        Item.everything.filter(pk=item.pk).update(planted=False)
    else:
        item.delete()
