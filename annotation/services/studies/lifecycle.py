"""Studies: making them and moving them between their states."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from annotation.domain.base.errors import GroundworkError, InvalidContent, NotAllowedNow
from annotation.domain.base.states import STUDY_MOVES, DesignKind, Role, StudyState
from annotation.domain.base.text_validation import is_one_line
from annotation.domain.quality.check_placement import FixedInterval, refuse_adjacent_checks
from annotation.domain.quality.reading_speed import check_minimum
from annotation.domain.seats.designs import Design, FormLoad, refuse_impossible
from annotation.models import (
    Assignment,
    CalibrationItem,
    Membership,
    RaterKind,
    Rating,
    Response,
    Study,
    User,
)
from annotation.protocols.template import StudyTemplate
from annotation.services.base import audit
from annotation.services.base.drafts import lock_draft
from annotation.services.base.uploads.receiving import delete_files_with
from annotation.services.people.consent import store_consent_version
from annotation.services.quality.qualification_setup import check_qualification
from annotation.services.questions.text_languages import offered_translations
from annotation.services.seats.seat_creation import make_seats
from annotation.services.seats.stages import decide_all
from annotation.services.studies.forms import create_form
from annotation.services.studies.stage_setup import check_stages
from config.interface_language import known_language
from config.postgresql.shared_clock import shared_now

logger = logging.getLogger(__name__)
RESERVED_SLUGS = frozenset({"new"})


def free_slug(*, title: str) -> str:
    """An address made from a title that no study has."""
    base = slugify(title)[:50] or "study"
    taken = {*Study.objects.filter(slug__startswith=base).values_list("slug", flat=True), *RESERVED_SLUGS}
    numbered = (f"{base}-{number}" for number in range(2, len(taken) + 3))
    return base if base not in taken else next(slug for slug in numbered if slug not in taken)


def create_study(*, slug: str, title: str, owner: User, **fields: str | int | bool | None) -> Study:
    """Create a draft study with its owner.

    Parameters
    ----------
    slug, title, owner
        Its address, its name and its owner.
    **fields
        Further fields of `Study`, such as `description`, `consent`, `instructions`, `seat_minutes`.

    Raises
    ------
    InvalidContent
        The address is reserved (`slug_reserved`), the title is not one line (`bad_title`), a page would
        take longer than its item is reserved (`minimum_too_long`), or there are no pages in the
        `interface_language` (`language_not_offered`).
    """
    if slug in RESERVED_SLUGS:
        raise InvalidContent(f"{slug!r} is an address of its own: choose another.", code="slug_reserved")
    with transaction.atomic():
        fields.setdefault("seed", secrets.randbelow(2**31))
        study = Study(slug=slug, title=title, **fields)
        _check_title(study)
        _check_numbers(study)
        _check_languages(study)
        study.save(force_insert=True)
        Membership.objects.create(study=study, user=owner, role=Role.OWNER)
        audit.record(study=study, actor=owner, act="create_study")
    return study


def create_from_template(
    *,
    template: StudyTemplate,
    slug: str,
    title: str,
    owner: User,
    overlap: int | None = None,
    **fields: str | int | bool | None,
) -> Study:
    """Create a draft study with the texts, forms and design of a template.

    Parameters
    ----------
    template : StudyTemplate
        Has the forms, and the texts that `fields` does not give.
    slug, title, owner, **fields
        As for `create_study`; the fields replace the template's.
    overlap : int or None
        How many raters each item needs; None for as many as the protocol has.
    """
    texts: dict[str, str | int | bool | None] = {
        **asdict(template.serving),
        "description": template.description,
        "consent": template.consent,
        "instructions": template.instructions,
        "content_warning": template.content_warning,
        "least_seconds": template.least_seconds,
        "exempt_characters": template.exempt_characters,
    }
    with transaction.atomic():
        study = create_study(slug=slug, title=title, owner=owner, **{**texts, **fields})
        for form in template.forms:
            create_form(study=study, template=form, overlap=overlap or form.overlap or template.overlap)
    return study


def edit_study(*, study: Study, actor: User, **fields: str | int | bool | Mapping[str, Any] | None) -> Study:
    """Change fields of a draft, such as `title`, `description`, `consent`, `instructions`, `seat_minutes`.

    Parameters
    ----------
    study : Study
        The study.
    actor : User
        Who changes it.
    **fields
        Fields of `Study`, such as `title`, `description`, `consent`, `instructions`, `seat_minutes`.

    Raises
    ------
    NotAllowedNow
        The study is no draft any more: raters have agreed to its wording.
    InvalidContent
        The title is not one line (`bad_title`), a page would take longer than its item is held
        (`minimum_too_long`), two checks could meet (`no_room_for_checks`), or there are no pages in the
        `interface_language` (`language_not_offered`).
    """
    with transaction.atomic():
        study = lock_draft(study.pk, "The study is {state}: only a draft can be changed.")
        changed = sorted(name for name, value in fields.items() if getattr(study, name) != value)
        for name in changed:
            setattr(study, name, fields[name])
        _check_title(study)
        _check_numbers(study)
        _check_languages(study)
        if changed:
            study.save(update_fields=changed)
            audit.record(study=study, actor=actor, act="edit_study", fields=changed)
    return study


def delete_draft(*, study: Study, actor: User) -> None:
    """Delete a draft with its items, forms, links and trials; it leaves nothing but a line in the log.

    Raises
    ------
    NotAllowedNow
        The study is no draft, or ratings were imported into it: ratings are never deleted.
    """
    with transaction.atomic():
        study = lock_draft(study.pk, "The study is {state}: only a draft can be deleted.")
        if study.raters.exclude(kind=RaterKind.TRIAL).exists():
            raise NotAllowedNow(
                "The draft holds raters or imported ratings, and ratings are never deleted.",
                code="holds_ratings",
            )
        study.checks.all().delete()
        CalibrationItem.objects.filter(qualification__study=study).delete()
        trials = Response.objects.filter(assignment__rater__study=study)
        Rating.objects.filter(response__in=trials).delete()
        trials.delete()
        Assignment.objects.filter(rater__study=study).delete()
        study.raters.all().delete()
        delete_files_with(study)
        study.delete()
    logger.info("Draft %s was deleted by account %s.", study.slug, actor.pk)


def change_state(*, study: Study, to: StudyState, actor: User | None) -> Study:
    """Open, pause, close or reopen a study; opening makes the seats that are missing.

    Parameters
    ----------
    study, actor
        A study, and who changes it; None for the program itself.
    to : StudyState
        The state it is to have.

    Raises
    ------
    NotAllowedNow
        The move does not exist, or there is nothing to rate yet.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if to not in STUDY_MOVES[StudyState(study.state)]:
            raise NotAllowedNow(
                f"A study that is {study.state} cannot become {to.value}.", code="no_such_move"
            )
        if to is StudyState.OPEN:
            _prepare(study, actor)
        before, study.state = study.state, to.value
        if to is StudyState.CLOSED:
            _await_submissions(study)
            study.closed_at = shared_now()
        study.save(update_fields=["state", "opened_at", "closed_at"])
        audit.record(study=study, actor=actor, act="change_state", before=before, after=to.value)
    return study


def _await_submissions(study: Study) -> None:
    """Wait for answers that are being stored: each holds the row of its rater while it is."""
    list(study.raters.select_for_update().order_by("pk").values_list("pk", flat=True))


def _check_design(study: Study) -> None:
    """A design that no number of raters can fill is refused before anybody comes."""
    forms = tuple(
        FormLoad(key=form.key, overlap=form.overlap, per_rater=form.per_rater) for form in study.forms.all()
    )
    kind = DesignKind.POOL if study.design == DesignKind.PANELS else DesignKind(study.design)
    design = Design(
        kind=kind,
        items=study.items.count(),
        forms=forms,
        batch_size=study.batch_size,
        batches_per_rater=study.batches_per_rater,
        mixed=study.mixed,
    )
    refuse_impossible(design)


def check_texts(study: Study) -> None:
    """Refuse a study with an item that lacks a text of a form (`items_without_text`).

    A form that names no texts shows all there are.

    Parameters
    ----------
    study : Study
        About to open, or open with a form that has changed.

    Raises
    ------
    NotAllowedNow
        `items_without_text`.
    """
    shown = [
        [block["field"] for block in form.versions.latest("number").blocks if not block.get("optional")]
        for form in study.forms.all()
    ]
    wanted = list(dict.fromkeys(field for fields in shown for field in fields))
    lacking: list[str] = []
    missing: set[str] = set()
    for item in study.items.order_by("position").only("study", "key", "fields").iterator():
        empty = {field for field in wanted if not item.fields.get(field)}
        if empty or (shown and not item.fields):
            lacking.append(item.key)
            missing |= empty
    if lacking:
        texts = ", ".join(field for field in wanted if field in missing) or "any text"
        named = ", ".join(lacking[:5]) + (" …" if len(lacking) > 5 else "")
        have = "1 item has" if len(lacking) == 1 else f"{len(lacking)} items have"
        raise NotAllowedNow(
            f"{have} nothing to show for {texts}: {named}. "
            "Import the items with their texts before the study opens.",
            code="items_without_text",
        )


def _check_title(study: Study) -> None:
    """It stands in headings and captions of what is handed over."""
    if not is_one_line(study.title):
        raise InvalidContent("The title is one line: take the line breaks out.", code="bad_title")


def _check_languages(study: Study) -> None:
    offered_translations(study.translations)
    if study.language in study.translations:
        told = f"The study’s own texts are in {study.language!r} already: leave this language out."
        raise InvalidContent(told, code="own_language", fields={f"translations.{study.language}": told})
    for language, texts in study.translations.items():
        if texts.get("title") and not is_one_line(texts["title"]):
            told = "A title is one line."
            raise InvalidContent(told, code="bad_title", fields={f"translations.{language}.title": told})
    if study.interface_language != known_language(study.interface_language):
        offered = ", ".join(code for code, _ in settings.LANGUAGES)
        told = f"There are no pages in {study.interface_language!r} here: choose one of {offered}, or none."
        raise InvalidContent(told, code="language_not_offered", fields={"interface_language": told})


def _check_numbers(study: Study) -> None:
    check_minimum(study.least_seconds, seat_minutes=study.seat_minutes)
    if study.check_every is not None:
        refuse_adjacent_checks(FixedInterval(study.check_every, study.check_jitter))


def _check_checks(study: Study) -> None:
    """Checks that no rater would ever meet are refused: in an open study they cannot be changed."""
    _check_numbers(study)
    one_a_batch = study.design == DesignKind.BATCHES and study.batch_size
    if study.check_every is None and not one_a_batch and study.checks.exists():
        raise NotAllowedNow(
            "The study has attention checks, but not how often one comes: say so under “Attention checks”, "
            "or remove them.",
            code="checks_never_come",
        )


def opening_refusal(study: Study) -> str:
    """Why a study cannot open as it is; empty where it can.

    Parameters
    ----------
    study : Study
        A draft.
    """
    try:
        _refuse_unready(study)
    except GroundworkError as refusal:
        return refusal.message
    return ""


def _refuse_unready(study: Study) -> None:
    if not study.items.exists() or not study.forms.exists():
        raise NotAllowedNow(
            "A study needs at least one item and one form before it opens.", code="study_empty"
        )
    check_texts(study)
    check_stages(study)
    _check_design(study)
    _check_checks(study)
    check_qualification(study)
    if study.source:
        raise NotAllowedNow("Published ratings stay closed: nobody can add to them.", code="published")


def _prepare(study: Study, actor: User | None) -> None:
    _refuse_unready(study)
    study.opened_at = study.opened_at or timezone.now()
    make_seats(study=study)
    decide_all(study=study)
    store_consent_version(study=study, actor=actor)
