"""Studies of a protocol with demo items, ready to open."""

from __future__ import annotations

import random
from typing import Any

from django.conf import settings
from django.db import transaction

from annotation.models import Form, Study, User
from annotation.protocols.template import DEMO_MARK, DemoCheck, StudyTemplate
from annotation.protocols.translations.tables import ENGLISH, ProtocolTexts, protocol_texts
from annotation.selectors.quality.checks.texts import check_texts
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.items.media.demo_pictures import add_demo_pictures
from annotation.services.quality.check_translations import translate_check
from annotation.services.quality.checks import create_check, create_check_form
from annotation.services.studies.forms import set_serving
from annotation.services.studies.lifecycle import create_from_template


def create_demo_study(
    *,
    template: StudyTemplate,
    slug: str,
    title: str,
    owner: User,
    overlap: int | None = None,
    **fields: Any,
) -> Study:
    """Create a draft study of a protocol with its demo items and checks; its description says so.

    The parameters are those of `create_from_template`.

    Parameters
    ----------
    template : StudyTemplate
        The protocol.
    slug, title, owner, overlap, **fields
        As for `create_from_template`.

    Returns
    -------
    Study
        A draft that can be opened as it is.
    """
    demo = template.demo
    described = f"{fields.pop('description', '') or template.description} {DEMO_MARK}"
    planting = {"check_every": demo.check_every, "check_jitter": demo.check_jitter}
    with transaction.atomic():
        study = create_from_template(
            template=template,
            slug=slug,
            title=title,
            owner=owner,
            overlap=overlap,
            **{**planting, **fields, "description": described},
        )
        add_demo_items(study=study, template=template)
        if demo.pictures:
            add_demo_pictures(study=study, pictures=demo.pictures, actor=owner)
        for form in study.forms.all():
            set_serving(form=form, overlap=form.overlap, per_rater=demo.per_rater, actor=owner)
        translated = protocol_texts(template, own=study.language, offered=dict(settings.LANGUAGES))
        for check in demo.checks:
            _plant(study, translated.of_check(check), owner, translated)
    return study


def add_demo_items(*, study: Study, template: StudyTemplate) -> int:
    """Add the demo items of a protocol to a draft of it; return their number.

    Parameters
    ----------
    study : Study
        A draft made from the template.
    template : StudyTemplate
        The protocol.
    """
    own = _language_of_items(study)
    rows = [NewItem(**{**vars(item), "metadata": {**own, **item.metadata}}) for item in template.demo.items]
    return add_items(study=study, rows=rows)


def _language_of_items(study: Study) -> dict[str, str]:
    """The metadata of English items in a study in another language."""
    return {} if study.language == ENGLISH else {"language": ENGLISH}


def _plant(study: Study, demo: DemoCheck, owner: User, translated: ProtocolTexts) -> None:
    check = create_check(
        study=study,
        actor=owner,
        key=demo.key,
        kind=demo.kind,
        form=_form_for(study, demo),
        settings=demo.settings,
        texts=demo.texts,
    )
    if check.item is not None:
        check.item.metadata = _language_of_items(study)
        check.item.save(update_fields=["metadata"])
    for language, texts in translated.of_texts(check_texts(check)).items():
        translate_check(check=check, actor=owner, language=language, texts=texts)


def _form_for(study: Study, check: DemoCheck) -> Form:
    """The form of the study, or a form for the question of the check with its options in random order."""
    if not check.question:
        return study.forms.earliest("position")
    options = list(check.options)
    random.Random(f"{study.seed}/{check.key}").shuffle(options)
    return create_check_form(study=study, question=check.question, options=options)
