"""Any protocol with each criterion on separate pages (crossed design)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.protocols.template import CriterionTemplate, FormTemplate, StudyTemplate


def split_by_criterion(template: StudyTemplate) -> StudyTemplate:
    """Split the forms of a template into forms with one criterion each.

    Parameters
    ----------
    template : StudyTemplate
        The template; its demo is unchanged, because demo checks may ask for several criteria at once.

    Raises
    ------
    InvalidContent
        Display logic links two criteria, so both belong on one page (`asked_together`).
    """
    return replace(template, forms=[part for form in template.forms for part in _parts(form)])


def _parts(form: FormTemplate) -> Iterator[FormTemplate]:
    if len(form.criteria) == 1:
        yield form
        return
    for criterion in form.criteria:
        if criterion.asked_after:
            raise InvalidContent(
                message(
                    "The criteria of this protocol cannot be asked separately, because “%(name)s” depends "
                    "on the "
                    "answer to “%(earlier)s”.",
                    name=criterion.name,
                    earlier=criterion.asked_after,
                ),
                code="asked_together",
            )
        yield _part(form, criterion)


def _part(form: FormTemplate, criterion: CriterionTemplate) -> FormTemplate:
    blocks = [block for block in form.blocks if block.get("of", criterion.key) == criterion.key]
    key = f"{form.key}-{criterion.key}"[:60].rstrip("-")
    return replace(
        form, key=key, title=f"{form.title}: {criterion.name}", criteria=[criterion], blocks=blocks
    )
