"""Which versions of a form are analysed together: declared by a member, logged, and reversible."""

from __future__ import annotations

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import validated_text
from annotation.domain.questions.wording.changes import is_wording_only
from annotation.models import FormVersion, Study, User
from annotation.selectors.studies.definition import form_as_document
from annotation.services.base import audit


def pool_with_previous(*, version: FormVersion, reason: str, actor: User) -> FormVersion:
    """Analyse a version of a form, and those pooled with it, together with the version before it.

    Responses stay with the version that the rater saw. Reports computed before are marked as out of date.

    Parameters
    ----------
    version : FormVersion
        A version that is analysed separately from the one before it.
    reason : str
        Why the answers mean the same; needed.
    actor : User
        The member who declares it.

    Raises
    ------
    NotAllowedNow
        The study is published (`published_study`), the form has no earlier version (`no_earlier_version`),
        or they are pooled already (`already_pooled`).
    InvalidContent
        The reason is empty (`reason_needed`), or the versions differ in more than their wording
        (`not_a_correction`).
    """
    with transaction.atomic():
        version, versions = _locked(version)
        at = [one.pk for one in versions].index(version.pk)
        if at == 0:
            raise NotAllowedNow(
                message(
                    "This is the first version of the form. There is no earlier version to pool it with."
                ),
                code="no_earlier_version",
            )
        earlier = versions[at - 1]
        if earlier.pool == version.pool:
            raise NotAllowedNow(message("These versions are already pooled."), code="already_pooled")
        if not is_wording_only(form_as_document(earlier), form_as_document(version)):
            raise InvalidContent(
                message(
                    "These versions cannot be pooled: they differ in what raters were asked, not only in the "
                    "wording. Analyse them separately."
                ),
                code="not_a_correction",
            )
        _record(version, "pool_versions", reason, actor, previous=earlier.label)
        _move(versions, version, earlier.pool)
    return version


def separate_from_previous(*, version: FormVersion, reason: str, actor: User) -> FormVersion:
    """Analyse a version of a form, and later versions pooled with it, separately from the one before it.

    Parameters
    ----------
    version : FormVersion
        A version that is pooled with the one before it.
    reason : str
        Why the answers do not mean the same; needed.
    actor : User
        The member who declares it.

    Raises
    ------
    NotAllowedNow
        The study is published (`published_study`), or the versions are not pooled (`not_pooled`).
    InvalidContent
        The reason is empty (`reason_needed`).
    """
    with transaction.atomic():
        version, versions = _locked(version)
        if version.pool == version.place:
            raise NotAllowedNow(
                message("This version is not pooled with an earlier version."), code="not_pooled"
            )
        at = [one.pk for one in versions].index(version.pk)
        _record(version, "separate_versions", reason, actor, previous=versions[at - 1].label)
        _move(versions, version, version.place)
    return version


def _locked(version: FormVersion) -> tuple[FormVersion, list[FormVersion]]:
    """The version as it is now, among all versions of its form in order."""
    study = Study.objects.select_for_update(no_key=True).get(pk=version.form.study_id)
    if study.source:
        raise NotAllowedNow(
            message("You cannot change the form versions of a published study."), code="published_study"
        )
    versions = list(
        FormVersion.objects.filter(form=version.form_id)
        .select_related("form__study", "form__fed_by__source", "form__pairing")
        .prefetch_related("criteria__points")
        .order_by("number", "correction")
    )
    return next(one for one in versions if one.pk == version.pk), versions


def _record(version: FormVersion, act: str, reason: str, actor: User, *, previous: str) -> None:
    why = validated_text(reason)
    if not why:
        needed = message("Enter a reason. It is saved in the audit log.")
        raise InvalidContent(needed, code="reason_needed", fields={"reason": needed})
    audit.record(
        study=version.form.study,
        actor=actor,
        act=act,
        form=version.form.key,
        version=version.label,
        previous=previous,
        reason=why,
    )


def _move(versions: list[FormVersion], version: FormVersion, pool: int) -> None:
    """Give a version and the later ones of its pool another pool."""
    former = version.pool
    moved = [one for one in versions if one.pool == former and one.place >= version.place]
    for one in moved:
        one.pool = pool
    FormVersion.objects.bulk_update(moved, ["pool"])
