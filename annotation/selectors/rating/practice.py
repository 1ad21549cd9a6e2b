"""The practice item of a study: the page of a form with texts that raters try, of which nothing is stored."""

from __future__ import annotations

from annotation.models import Assignment, FormVersion, Item, Rater
from annotation.protocols.markup import unmark
from annotation.selectors.questions.form_versions import form_versions


def practice_page(rater: Rater) -> Assignment | None:
    """The page of the first form that has a practice item, as an assignment that is not stored."""
    version = next(
        (
            one
            for one in form_versions(study=rater.study)
            if one.practice and rater.panel_id in {None, one.form_id}
        ),
        None,
    )
    if version is None:
        return None
    return Assignment(rater=rater, item=_item(rater, version), form=version.form, version=version)


def _item(rater: Rater, version: FormVersion) -> Item:
    fields, components = {}, []
    for one in version.practice:
        fields[one["field"]], marked = unmark(one["text"], one["field"])
        components.extend(marked)
    return Item(study=rater.study, fields=fields, components=components)
