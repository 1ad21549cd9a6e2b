"""Creation of studies from definitions, and copies of studies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.pay.wages import PayFor
from annotation.domain.people.demographics import DemographicKind, RaterQuestion
from annotation.domain.quality.calibration import RuleKind
from annotation.domain.quality.check_texts import read_translation
from annotation.domain.quality.checks import CheckKind
from annotation.io.studies.definitions import checked_definition, refused
from annotation.models import Form, Item, Study, User
from annotation.protocols.definition_forms import form_template
from annotation.selectors.studies.definition import definition_of
from annotation.services.base import audit
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.items.media.copying import CopiedContents, copied_contents, copy_media
from annotation.services.pay.pay_settings import set_pay
from annotation.services.people.demographics import set_questions
from annotation.services.quality.check_translations import translate_check
from annotation.services.quality.checks import create_check, create_check_form
from annotation.services.quality.qualification_setup import (
    add_calibration_item,
    item_to_pick,
    set_qualification,
    write_page,
)
from annotation.services.studies.forms import create_form, set_serving
from annotation.services.studies.lifecycle import create_study
from annotation.services.studies.texts.evaluation_sheet import copy_design_answers

Document = Mapping[str, Any]


@dataclass(frozen=True)
class CreatedDraft:
    """A draft created from a definition, and the parts left out because their items are missing."""

    study: Study
    left_out: tuple[str, ...]


def create_from_definition(
    *,
    definition: object,
    slug: str,
    owner: User,
    title: str = "",
    items: tuple[NewItem, ...] = (),
    number: int | None = None,
) -> CreatedDraft:
    """Create a draft study from a definition, completely or not at all.

    Parameters
    ----------
    definition : object
        As parsed from YAML or JSON.
    slug, owner
        The address and the owner of the study.
    title : str
        Replaces the title in the definition.
    items : tuple of NewItem
        Added before the parts that refer to items.
    number : int or None
        The number of its row that was reserved for it; None for the next.

    Returns
    -------
    CreatedDraft
        `left_out` lists the twins and calibration items whose item the study lacks.

    Raises
    ------
    InvalidContent
        `invalid_definition`: `fields` maps each wrong path to a sentence.
    """
    read = checked_definition(definition)
    texts = {**read["study"], **read["serving"], **_planting(read)}
    with transaction.atomic():
        with _at("study"):
            named = {"slug": slug, "title": title or texts["title"], "owner": owner, "pk": number}
            study = create_study(**{**texts, **named})
        for form in read["forms"]:
            created = create_form(study=study, template=form_template(form), overlap=form["overlap"])
            set_serving(form=created, overlap=form["overlap"], per_rater=form["per_rater"], actor=owner)
        if items:
            add_items(study=study, rows=items)
        _ask(study, read, owner)
        left_out = (*_plant(study, read, owner), *_qualify(study, read, owner))
        _set_pay(study, read, owner)
        audit.record(study=study, actor=owner, act="import_definition", left_out=list(left_out))
    return CreatedDraft(study, left_out)


def copy_study(
    *, study: Study, slug: str, title: str, owner: User, with_items: bool, with_pay: bool
) -> CreatedDraft:
    """Copy a study into a draft: the newest versions of its forms, its settings and design, without ratings.

    Of its human evaluation sheet, the answers about the design are copied.

    Parameters
    ----------
    study : Study
        A study in any state.
    slug, title, owner
        The address, title and owner of the copy.
    with_items, with_pay : bool
        Copy the items; copy the pay settings, for members who may see them.
    """
    media = copied_contents(study) if with_items else nullcontext(CopiedContents(None, frozenset()))
    with media as contents, transaction.atomic():
        copy = create_from_definition(
            definition=definition_of(study, with_pay=with_pay),
            slug=slug,
            title=title,
            owner=owner,
            items=tuple(map(NewItem.of, copied_items(study).filter(retired_at=None))) if with_items else (),
            number=contents.number,
        )
        if with_items:
            copy_media(source=study, target=copy.study, contents=contents)
        copy_design_answers(source=study, target=copy.study, actor=owner)
        audit.record(study=copy.study, actor=owner, act="copy_study", copied=study.slug)
    return copy


def copied_items(study: Study) -> QuerySet[Item]:
    """Return the items that a copy can have: of the main task, and those used as calibration items.

    Parameters
    ----------
    study : Study
        The study to copy.
    """
    chosen = Item.everything.filter(study=study).exclude(planted=True, calibration__picked__isnull=True)
    return chosen.exclude(calibration__picked=False).order_by("position", "pk")


def _planting(read: Document) -> dict[str, Any]:
    return {"check_every": read["checks"]["every"], "check_jitter": read["checks"]["jitter"]}


@contextmanager
def _at(path: str) -> Iterator[None]:
    """Add the path in the document to the error of a service."""
    try:
        yield
    except InvalidContent as refusal:
        inside = {f"{path}.{name}": sentence for name, sentence in refusal.fields.items()}
        raise refused(inside or {path: refusal.message}) from refusal


def _ask(study: Study, read: Document, owner: User) -> None:
    questions = [
        RaterQuestion(
            one["key"], one["text"], DemographicKind(one["kind"]), tuple(one["options"]), one["translations"]
        )
        for one in read["demographics"]
    ]
    if questions:
        with _at("demographics"):
            set_questions(study=study, actor=owner, questions=questions)


def _form(study: Study, key: str) -> Form:
    found = study.forms.filter(key=key).first()
    if found is None:
        raise InvalidContent(
            message("The study has no form “%(key)s”.", key=key),
            fields={"form": message("The study has no form “%(key)s”.", key=key)},
        )
    return found


def _plant(study: Study, read: Document, owner: User) -> Iterator[str]:
    for number, check in enumerate(read["checks"]["planted"]):
        path = f"checks.planted[{number}]"
        original = Item.objects.filter(study=study, key=check["original"]).first()
        if check["original"] and original is None:
            yield message(
                "%(path)s (twin “%(check)s” needs item “%(item)s”)",
                path=path,
                check=check["key"],
                item=check["original"],
            )
            continue
        with _at(path):
            form = (
                create_check_form(study=study, question=check["question"], options=check["options"])
                if check["question"]
                else _form(study, check["form"])
            )
            planted = create_check(
                study=study,
                actor=owner,
                key=check["key"],
                kind=CheckKind(check["kind"]),
                form=form,
                settings=check["settings"],
                texts=check["texts"],
                original=original,
            )
            for language, translation in check["translations"].items():
                texts = read_translation(translation)
                translate_check(check=planted, actor=owner, language=language, texts=texts)


def _qualify(study: Study, read: Document, owner: User) -> Iterator[str]:
    section = read["qualification"]
    if section is None:
        return
    names = ("tolerance", "share", "least", "attempts", "feedback", "items_per_attempt")
    rule = {name: section[name] for name in names}
    with _at("qualification"):
        qualification = set_qualification(study=study, actor=owner, kind=RuleKind(section["rule"]), **rule)
    for number, page in enumerate(section["pages"]):
        with _at(f"qualification.pages[{number}]"):
            write_page(qualification=qualification, actor=owner, **page)
    for number, one in enumerate(section["items"]):
        path = f"qualification.items[{number}]"
        if one["item"] and not Item.objects.filter(study=study, key=one["item"]).exists():
            yield message("%(path)s (calibration item “%(item)s” is missing)", path=path, item=one["item"])
            continue
        with _at(path):
            add_calibration_item(
                qualification=qualification,
                actor=owner,
                form=_form(study, one["form"]),
                reference=one["reference"],
                reason=one["reason"],
                translations=one["translations"],
                texts=one["texts"],
                picked=item_to_pick(qualification, one["item"]) if one["item"] else None,
            )


def _set_pay(study: Study, read: Document, owner: User) -> None:
    pay = read["pay"]
    if pay is None:
        return
    with _at("pay"):
        set_pay(
            study=study,
            actor=owner,
            currency=pay["currency"],
            paid_for=PayFor(pay["paid_for"]),
            amount=Decimal(pay["amount"]),
            floor=None if pay["floor"] is None else Decimal(pay["floor"]),
            page_seconds=pay["page_seconds"],
            shown=pay["shown"],
        )
