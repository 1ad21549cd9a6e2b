"""The translations of one study's forms given to another: a file of ratings has none."""

from __future__ import annotations

from annotation.models import FormVersion, Study


def translate_as(copy: Study, original: Study) -> None:
    """Give each form version of a copy the translations of the original's.

    The column `text_language` of ratings follows from them and from the language of the page.
    """
    for version in FormVersion.objects.filter(form__study=original).select_related("form"):
        FormVersion.objects.filter(
            form__study=copy, form__key=version.form.key, number=version.number
        ).update(translations=version.translations)
