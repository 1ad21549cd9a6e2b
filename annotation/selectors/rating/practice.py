"""The practice item of a study: the page of a form with texts that raters try, of which nothing is stored."""

from __future__ import annotations

from annotation.domain.items.media import media_blocks
from annotation.domain.questions.text_languages import form_texts, text_in
from annotation.models import Assignment, FormVersion, Item, Rater
from annotation.protocols.markup import unmark
from annotation.selectors.questions.form_versions import form_versions


def practice_page(rater: Rater, language: str = "") -> Assignment | None:
    """The page of the first form that has a practice item, as an assignment that is not stored.

    Its texts are in the language of the page where they are translated, and say so.
    """
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
    return Assignment(rater=rater, item=_item(rater, version, language), form=version.form, version=version)


def _item(rater: Rater, version: FormVersion, language: str) -> Item:
    translated = form_texts(version.translations.get(language, {}))
    files = {block["field"] for block in media_blocks(version.blocks)}
    fields: dict[str, str] = {}
    components = []
    for one in version.practice:
        name = one["field"]
        translation = "" if name in files else translated.get(("practice", name), "")
        text, marked = unmark(translation or one["text"], name)
        fields[name] = text_in("", text, own_language="", language=language) if translation else text
        components.extend(marked)
    return Item(study=rater.study, fields=fields, components=components)
