"""Which instructions raters read under each version of a form."""

from __future__ import annotations

from annotation.models import FormVersion, Study


def study_instructions(study: Study) -> dict[str, str]:
    """The instructions of a study as raters read them now: language → text, those without a text left out."""
    translated = {language: texts.get("instructions", "") for language, texts in study.translations.items()}
    return {
        language: text
        for language, text in {study.language: study.instructions, **translated}.items()
        if text
    }


def instructions_under(version: FormVersion, study: Study) -> dict[str, str]:
    """The instructions that raters of a form version read.

    Parameters
    ----------
    version : FormVersion
        A version of a form of the study.
    study : Study
        The study; its instructions apply to each version without stored instructions.

    Returns
    -------
    dict of str to str
        Language → text.
    """
    stored: dict[str, str] | None = version.instructions
    return study_instructions(study) if stored is None else stored
