"""Each criterion asked on pages of its own: the crossed design of any protocol."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from annotation.domain.base.errors import InvalidContent
from annotation.protocols.template import CriterionTemplate, FormTemplate, StudyTemplate


def asked_apart(template: StudyTemplate) -> StudyTemplate:
    """A template whose forms have one criterion each.

    Parameters
    ----------
    template : StudyTemplate
        Its demo is left as it is: checks of a demo may ask for several criteria at once.

    Raises
    ------
    InvalidContent
        A criterion is asked after another, so both belong on one page (`asked_together`).
    """
    return replace(template, forms=[part for form in template.forms for part in _parts(form)])


def _parts(form: FormTemplate) -> Iterator[FormTemplate]:
    if len(form.criteria) == 1:
        yield form
        return
    for criterion in form.criteria:
        if criterion.asked_after:
            raise InvalidContent(
                f"{criterion.name} is asked only after {criterion.asked_after}: "
                "the criteria of this protocol cannot be asked apart.",
                code="asked_together",
            )
        yield _part(form, criterion)


def _part(form: FormTemplate, criterion: CriterionTemplate) -> FormTemplate:
    blocks = [block for block in form.blocks if block.get("of", criterion.key) == criterion.key]
    key = f"{form.key}-{criterion.key}"[:60].rstrip("-")
    return replace(
        form, key=key, title=f"{form.title}: {criterion.name}", criteria=[criterion], blocks=blocks
    )
