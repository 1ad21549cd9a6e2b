"""Creation of studies and changes of their state."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from annotation.domain.base.errors import GroundworkError, InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import STUDY_MOVES, STUDY_STATES, DesignKind, Role, StudyState
from annotation.domain.base.text_validation import is_one_line
from annotation.domain.quality.check_placement import FixedInterval, refuse_adjacent_checks
from annotation.domain.quality.reading_speed import check_minimum
from annotation.domain.questions.text_languages import STUDY_TEXTS, is_same_text, without_texts
from annotation.domain.seats.designs import Design, FormLoad, refuse_impossible
from annotation.models import Membership, Study, User
from annotation.protocols.template import StudyTemplate
from annotation.protocols.translations.tables import ENGLISH, protocol_texts
from annotation.services.base import audit
from annotation.services.base.drafts import CHANGES_IN_DRAFTS, lock_draft
from annotation.services.people.consent import store_consent_version
from annotation.services.quality.planted_items import refuse_checks_without_text
from annotation.services.quality.qualification_setup import check_qualification
from annotation.services.questions.text_languages import offered_translations
from annotation.services.seats.last_items import check_last_seat_minutes
from annotation.services.seats.pair_rounds import start_rounds
from annotation.services.seats.pairing_setup import check_pairs
from annotation.services.seats.seat_creation import make_seats
from annotation.services.seats.stages import decide_all
from annotation.services.studies.forms import create_form
from annotation.services.studies.stage_setup import check_stages
from annotation.services.studies.texts.item_texts import check_texts
from config.interface_language import known_language
from config.postgresql.shared_clock import shared_now

RESERVED_SLUGS = frozenset({"new"})
# What members read whose other tab, or another member, has made the same change.
ALREADY: Mapping[str, str] = {
    StudyState.OPEN: message("The study is already open."),
    StudyState.PAUSED: message("The study is already paused."),
    StudyState.CLOSED: message("The study is already closed."),
}


def free_slug(*, title: str) -> str:
    """A free address for a study, made from its title."""
    base = slugify(title)[:50] or "study"
    taken = {*Study.objects.filter(slug__startswith=base).values_list("slug", flat=True), *RESERVED_SLUGS}
    numbered = (f"{base}-{number}" for number in range(2, len(taken) + 3))
    return base if base not in taken else next(slug for slug in numbered if slug not in taken)


def create_study(*, slug: str, title: str, owner: User, **fields: str | int | bool | None) -> Study:
    """Create a draft study with its owner.

    Parameters
    ----------
    slug, title, owner
        Its address, title and owner.
    **fields
        Further fields of `Study`, such as `description`, `consent`, `instructions`, `seat_minutes`.

    Raises
    ------
    InvalidContent
        The address is reserved (`slug_reserved`), the title is not one line (`bad_title`), a page would
        take longer than its item is reserved (`minimum_too_long`), or the `interface_language` is not
        available (`language_not_offered`).
    """
    if slug in RESERVED_SLUGS:
        raise InvalidContent(
            message("The address “%(slug)s” is reserved. Choose another.", slug=slug), code="slug_reserved"
        )
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
    **fields: str | int | bool | Mapping[str, Any] | None,
) -> Study:
    """Create a draft study with the texts, forms and design of a template.

    Parameters
    ----------
    template : StudyTemplate
        Provides the forms, and the texts that are not in `fields`. The texts of a protocol come in the
        `language` of the study if it has them, and as translations into the other languages of raters’ pages.
    slug, title, owner, **fields
        As for `create_study`; the fields replace the template's, and `translations` those of the same text.
    overlap : int or None
        Ratings per item; None for the number of the protocol.
    """
    texts: dict[str, Any] = {
        **asdict(template.serving),
        "description": template.description,
        "consent": template.consent,
        "instructions": template.instructions,
        "content_warning": template.content_warning,
        "least_seconds": template.least_seconds,
        "exempt_characters": template.exempt_characters,
    }
    language = str(fields.get("language") or ENGLISH)
    translated = protocol_texts(template, own=language, offered=dict(settings.LANGUAGES))
    with transaction.atomic():
        study = create_study(
            slug=slug, owner=owner, **translated.of_study({**texts, **fields, "title": title})
        )
        for form in template.forms:
            wanted = overlap or form.overlap or template.overlap
            create_form(study=study, template=translated.of_form(form), overlap=wanted)
    return study


def edit_study(*, study: Study, actor: User, **fields: str | int | bool | Mapping[str, Any] | None) -> Study:
    """Change fields of a draft, such as `title`, `description`, `consent`, `instructions`, `seat_minutes`.

    A changed text loses its translations, unless `translations` are given too.

    Parameters
    ----------
    study : Study
        The study.
    actor : User
        The member who changes it.
    **fields
        Fields of `Study`, such as `title`, `description`, `consent`, `instructions`, `seat_minutes`.

    Raises
    ------
    NotAllowedNow
        The study is no longer a draft.
    InvalidContent
        The title is not one line (`bad_title`), a page would take longer than its item is reserved
        (`minimum_too_long`), two checks could be adjacent (`no_room_for_checks`), or the
        `interface_language` is not available (`language_not_offered`).
    """
    with transaction.atomic():
        study = lock_draft(study.pk, CHANGES_IN_DRAFTS)
        rewritten = [name for name in STUDY_TEXTS if not _is_unchanged(study, name, fields)]
        if rewritten:
            fields.setdefault("translations", without_texts(study.translations, rewritten))
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


def _is_unchanged(study: Study, name: str, fields: Mapping[str, Any]) -> bool:
    return is_same_text(getattr(study, name), str(fields.get(name, getattr(study, name))))


def change_state(*, study: Study, to: StudyState, actor: User | None) -> Study:
    """Open, pause, close or reopen a study; opening creates the missing rating slots.

    Parameters
    ----------
    study, actor
        The study, and the member who changes it; None for the program itself.
    to : StudyState
        The new state.

    Raises
    ------
    NotAllowedNow
        The change is not possible, or there is nothing to rate yet.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if to == study.state and to in ALREADY:
            raise NotAllowedNow(ALREADY[to], code="no_such_move")
        if to not in STUDY_MOVES[StudyState(study.state)]:
            raise NotAllowedNow(
                message(
                    "The state of the study cannot change from “%(before)s” to “%(after)s”.",
                    before=STUDY_STATES[study.state],
                    after=STUDY_STATES[to],
                ),
                code="no_such_move",
            )
        if study.deleted_after is not None:
            raise NotAllowedNow(
                message("The study is going to be deleted. Cancel the deletion first."),
                code="deletion_pending",
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
    """Wait for responses that are being stored: each locks the row of its rater."""
    list(study.raters.select_for_update().order_by("pk").values_list("pk", flat=True))


def _check_design(study: Study) -> None:
    """Refuse a design whose rating slots no number of raters can fill."""
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


def check_title_and_languages(study: Study) -> None:
    """Refuse a title of several lines, and translations into languages that raters' pages do not have.

    Parameters
    ----------
    study : Study
        With the texts that are about to be saved.

    Raises
    ------
    InvalidContent
        `bad_title`, `own_language` or `language_not_offered`.
    """
    _check_title(study)
    _check_languages(study)


def _check_title(study: Study) -> None:
    """Refuse a title with line breaks: it appears in headings and captions of exported files."""
    if not is_one_line(study.title):
        raise InvalidContent(
            message("The title must be on one line. Remove the line breaks."), code="bad_title"
        )


def _check_languages(study: Study) -> None:
    offered_translations(study.translations)
    if study.language in study.translations:
        sentence = message(
            "“%(language)s” is the language of the study itself. Remove these translations.",
            language=study.language,
        )
        raise InvalidContent(
            sentence, code="own_language", fields={f"translations.{study.language}": sentence}
        )
    for language, texts in study.translations.items():
        if texts.get("title") and not is_one_line(texts["title"]):
            sentence = message("The title must be on one line. Remove the line breaks.")
            raise InvalidContent(
                sentence, code="bad_title", fields={f"translations.{language}.title": sentence}
            )
    if study.interface_language != known_language(study.interface_language):
        offered = ", ".join(code for code, _ in settings.LANGUAGES)
        sentence = message(
            "Raters’ pages are not available in “%(language)s”. Choose one of these languages, or none: "
            "%(offered)s.",
            language=study.interface_language,
            offered=offered,
        )
        raise InvalidContent(sentence, code="language_not_offered", fields={"interface_language": sentence})


def _check_numbers(study: Study) -> None:
    check_minimum(study.least_seconds, seat_minutes=study.seat_minutes)
    check_last_seat_minutes(study, study.last_seat_minutes)
    if study.check_every is not None:
        refuse_adjacent_checks(FixedInterval(study.check_every, study.check_jitter))


def _check_checks(study: Study) -> None:
    """Refuse checks that no rater would see, or without a text: an open study cannot change them."""
    _check_numbers(study)
    one_a_batch = study.design == DesignKind.BATCHES and study.batch_size
    if study.check_every is None and not one_a_batch and study.checks.exists():
        raise NotAllowedNow(
            message(
                "The attention checks never appear. Set how often they appear under “Basic settings”, or "
                "remove "
                "them."
            ),
            code="checks_never_come",
        )
    refuse_checks_without_text(study)


def opening_refusal(study: Study) -> str:
    """The reason why a study cannot open; empty if it can.

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
    _refuse_empty(study)
    check_texts(study)
    check_stages(study)
    check_pairs(study)
    _check_design(study)
    _check_checks(study)
    check_qualification(study)
    if study.source:
        raise NotAllowedNow(message("You cannot open a study with published ratings."), code="published")


def _refuse_empty(study: Study) -> None:
    has_items, has_forms = study.items.exists(), study.forms.exists()
    if has_items and has_forms:
        return
    if has_items:
        sentence = message("Add at least one form before you open the study.")
    elif has_forms:
        sentence = message("Add at least one item before you open the study.")
    else:
        sentence = message("Add at least one item and one form before you open the study.")
    raise NotAllowedNow(sentence, code="study_empty")


def _prepare(study: Study, actor: User | None) -> None:
    _refuse_unready(study)
    study.opened_at = study.opened_at or timezone.now()
    make_seats(study=study)
    start_rounds(study=study)
    decide_all(study=study)
    store_consent_version(study=study, actor=actor)
