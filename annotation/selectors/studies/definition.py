"""A study as a definition: everything except its items and people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from enum import Enum
from typing import Any

from annotation.domain.seats.stages import StagePeople, StageRule
from annotation.models import (
    AdaptivePairing,
    CalibrationItem,
    Check,
    Criterion,
    Form,
    FormVersion,
    Item,
    Pay,
    Qualification,
    StageFeed,
    Study,
)
from annotation.protocols.definition_forms import form_document
from annotation.protocols.definition_schema import FORMAT, SCHEMA, VERSION
from annotation.protocols.markup import mark
from annotation.protocols.template import (
    CriterionTemplate,
    FeedTemplate,
    FormTemplate,
    PairingTemplate,
    Point,
)
from annotation.selectors.people.demographics import questions_of
from annotation.selectors.quality.checks.texts import checks_with_texts, own_question, translated_check
from annotation.selectors.questions.form_versions import form_versions

Document = dict[str, Any]
SECTIONS = SCHEMA["properties"]


def definition_of(study: Study, *, with_pay: bool) -> Document:
    """The definition of a study, with the newest version of each form; pay is for admins and owners only."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "study": _settings(study, "study"),
        "serving": _settings(study, "serving"),
        "forms": [form_as_document(version) for version in form_versions(study=study)],
        "demographics": [
            {
                "key": one.key,
                "text": one.text,
                "kind": one.kind.value,
                "options": list(one.options),
                "translations": dict(one.translations),
            }
            for one in questions_of(study)
        ],
        "checks": {
            "every": study.check_every,
            "jitter": study.check_jitter,
            "planted": [_check(check) for check in checks_with_texts(study)],
        },
        "qualification": _qualification(study),
        "pay": _pay(study) if with_pay else None,
    }


def template_of(version: FormVersion) -> FormTemplate:
    """A form version as a template, `criteria__points` prefetched."""
    return FormTemplate(
        key=version.form.key,
        title=version.shown_title,
        question=version.question,
        blocks=version.blocks,
        cannot_rate=version.cannot_rate,
        criteria=[criterion_of(criterion) for criterion in version.criteria.all()],
        fed_by=feed_of(version.form),
        pairing=pairing_template(version.form),
        examples=version.examples,
        practice=version.practice,
        translations=version.translations,
    )


def feed_of(form: Form) -> FeedTemplate | None:
    """The earlier stage of a form as a template, `fed_by__source` loaded; None if it receives all items."""
    feed: StageFeed | None = getattr(form, "fed_by", None)
    if feed is None:
        return None
    return FeedTemplate(
        form=feed.source.key,
        criterion=feed.criterion,
        value=feed.value,
        rule=StageRule(feed.rule),
        people=StagePeople(feed.people),
        suggestions=feed.suggestions,
        matches=feed.matches,
    )


def pairing_template(form: Form) -> PairingTemplate | None:
    """The adaptive pairs of a form as a template; None if each item has the same number of ratings."""
    pairing: AdaptivePairing | None = getattr(form, "pairing", None)
    if pairing is None:
        return None
    return PairingTemplate(pairing.criterion, pairing.budget, pairing.per_round)


def criterion_of(criterion: Criterion) -> CriterionTemplate:
    """A criterion as a template, `points` prefetched."""
    ends = (criterion.minimum, criterion.maximum)
    return CriterionTemplate(
        key=criterion.key,
        name=criterion.name,
        question=criterion.question,
        kind=criterion.question_kind,
        required=criterion.required,
        asked_after=criterion.asked_after,
        asked_when=criterion.asked_when,
        settings=criterion.settings,
        bounds=None if ends[0] is None or ends[1] is None else (ends[0], ends[1]),
        points=[
            Point(point.value, point.label, point.description, point.keyboard)
            for point in criterion.points.all()
        ],
    )


def _settings(study: Study, section: str) -> Document:
    """Fields of the study; enumerations as plain text."""
    given = {name: getattr(study, name) for name in SECTIONS[section]["properties"]}
    return {name: value.value if isinstance(value, Enum) else value for name, value in given.items()}


def form_as_document(version: FormVersion) -> Document:
    """A form version in the shape of a definition, `form` and `criteria__points` loaded."""
    form = version.form
    document = form_document(template_of(version), overlap=form.overlap, per_rater=form.per_rater)
    return {**document, "blocks": complete_blocks(document["blocks"])}


def complete_blocks(blocks: Iterable[Mapping[str, Any]]) -> list[Document]:
    """Blocks of a form with every setting, also those that are not stored, in the order of definitions."""
    parts = SECTIONS["forms"]["items"]["properties"]["blocks"]["items"]["properties"]
    return [{name: block.get(name, part.get("default")) for name, part in parts.items()} for block in blocks]


def _check(check: Check) -> Document:
    own = own_question(check)
    return {
        "key": check.key,
        "kind": check.kind,
        "form": "" if check.form.planted else check.form.key,
        "question": own.question if own else "",
        "options": [point.value for point in own.points.all()] if own else [],
        "texts": _marked(check.item) if check.item else {},
        "original": check.original.key if check.original else "",
        "settings": dict(check.settings),
        "translations": translated_check(check),
    }


def _marked(item: Item) -> dict[str, str]:
    return {name: mark(text, name, item.components) for name, text in item.fields.items()}


def _qualification(study: Study) -> Document | None:
    found = Qualification.objects.filter(study=study).first()
    if found is None:
        return None
    return {
        "rule": found.rule,
        "tolerance": found.tolerance,
        "share": found.share,
        "least": found.least,
        "attempts": found.attempts,
        "feedback": found.feedback,
        "items_per_attempt": found.items_per_attempt,
        "pages": [
            {"title": page.title, "text": page.text, "translations": dict(page.translations)}
            for page in found.pages.all()
        ],
        "items": [_calibration(one) for one in found.items.select_related("item", "form")],
    }


def _calibration(one: CalibrationItem) -> Document:
    """An item of the study is given by its ID, without its texts."""
    item = one.item
    return {
        "form": one.form.key,
        "item": item.key if one.picked else "",
        "texts": {} if one.picked else _marked(item),
        "reference": dict(one.reference),
        "reason": one.reason,
        "translations": {
            language: {"reason": texts["reason"]}
            for language, texts in one.translations.items()
            if texts.get("reason")
        },
    }


def _pay(study: Study) -> Document | None:
    pay = Pay.objects.filter(study=study).first()
    if pay is None:
        return None
    return {
        "currency": pay.currency,
        "paid_for": pay.paid_for,
        "amount": _amount(pay.amount),
        "floor": None if pay.floor is None else _amount(pay.floor),
        "page_seconds": pay.page_seconds,
        "shown": pay.shown,
    }


def _amount(amount: Decimal) -> str:
    return f"{amount.normalize():f}"
