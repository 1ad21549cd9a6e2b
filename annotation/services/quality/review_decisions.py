"""Decisions about raters with flags, one or several: keep until flags are new or worse, or exclude."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.quality.reviewed_flags import figures_seen
from annotation.models import Exclusion, Rater, RaterKind, Study, User
from annotation.selectors.quality.rater_profile import RaterProfile, profiles
from annotation.services.base import audit
from annotation.services.quality.exclusions import exclude_rater, reason_given


def keep_rater(*, rater: Rater, flags: Collection[str], actor: User) -> list[str]:
    """Retain a rater despite the flags that were seen, and record it in the audit log.

    Parameters
    ----------
    rater : Rater
        Whose responses stay included.
    flags : collection of str
        Keys of the flags on the page; those that the rater no longer has are ignored.
    actor : User
        Member who decides.

    Returns
    -------
    list of str
        The flags that no longer list the rater.

    Raises
    ------
    InvalidContent
        `no_such_flag`: the rater has none of these flags any more.
    """
    found = profiles(rater.study, [rater])[0]
    accepted = [one.key for one in found.flagged if one.key in flags]
    if not accepted:
        raise InvalidContent(
            message("%(rater)s no longer has these flags.", rater=rater.code), code="no_such_flag"
        )
    with transaction.atomic():
        _raters_named(rater.study, [rater.code], lock=True)
        _record_review(found, accepted, actor)
    return accepted


def list_rater_again(*, rater: Rater, actor: User) -> None:
    """Undo `keep_rater`: the flags of a rater are listed again.

    Parameters
    ----------
    rater : Rater
        A rater retained by `keep_rater`.
    actor : User
        Member who decides.
    """
    audit.record(study=rater.study, actor=actor, act="list_rater_again", rater=rater.code)


def keep_raters(*, study: Study, codes: Collection[str], actor: User) -> list[str]:
    """Retain several raters despite their current flags; raters without flags are ignored.

    Parameters
    ----------
    study : Study
        Theirs.
    codes : collection of str
        Rater codes, at least one.
    actor : User
        Member who decides.

    Returns
    -------
    list of str
        Codes of the raters with flags, who are now retained.

    Raises
    ------
    InvalidContent
        `no_rater` or `unknown_rater`.
    NotAllowedNow
        None of them has a flag (`no_flags`).
    """
    # Before the transaction: profiles of many raters take long, and raters save answers meanwhile.
    found = {one.rater.code: one for one in profiles(study, _raters_named(study, codes))}
    retained = [code for code, one in found.items() if one.flagged]
    if not retained:
        raise NotAllowedNow(
            message("None of the selected raters has a flag, so nothing was changed."), code="no_flags"
        )
    with transaction.atomic():
        # Checks that they are still raters of the study; a flag raised meanwhile lists a rater again.
        _raters_named(study, retained, lock=True)
        for code in retained:
            _record_review(found[code], [one.key for one in found[code].flagged], actor)
    return retained


def _record_review(found: RaterProfile, flags: Sequence[str], actor: User) -> None:
    """Store the flags with their values: the rater is listed again when one is clearly worse."""
    figures = {key: asdict(one) for key, one in figures_seen(found.profile, frozenset(flags)).items()}
    rater = found.rater
    audit.record(
        study=rater.study, actor=actor, act="keep_rater", rater=rater.code, flags=list(flags), figures=figures
    )


def exclude_raters(*, study: Study, codes: Collection[str], reason: str, actor: User) -> list[str]:
    """Exclude several raters with one reason; those that are excluded already stay as they are.

    Parameters
    ----------
    study : Study
        Theirs.
    codes : collection of str
        Rater codes, at least one.
    reason : str
        Why; needed.
    actor : User
        Member who decides.

    Returns
    -------
    list of str
        The codes of the raters who were excluded.

    Raises
    ------
    InvalidContent
        No reason is given (`no_reason`), `no_rater` or `unknown_rater`.
    NotAllowedNow
        All of them are excluded already (`excluded_already`).
    """
    reason = reason_given(reason)
    with transaction.atomic():
        chosen = _raters_named(study, codes)
        active = Exclusion.objects.filter(rater__in=chosen, lift__isnull=True)
        excluded = set(active.values_list("rater", flat=True))
        new = [one for one in chosen if one.pk not in excluded]
        if not new:
            raise NotAllowedNow(message("All selected raters are already excluded."), code="excluded_already")
        for rater in new:
            exclude_rater(rater=rater, reason=reason, actor=actor)
    return [one.code for one in new]


def _raters_named(study: Study, codes: Collection[str], *, lock: bool = False) -> list[Rater]:
    """The chosen raters in the order in which they are locked."""
    if not codes:
        raise InvalidContent(message("Select at least one rater."), code="no_rater")
    possible = {code for code in codes if "\x00" not in code}
    rows = Rater.objects.select_related("study").exclude(kind=RaterKind.TRIAL)
    if lock:
        rows = rows.select_for_update(of=("self",))
    found = list(rows.filter(study=study, code__in=possible).order_by("pk"))
    unknown = sorted(set(codes) - {one.code for one in found})
    if unknown:
        raise InvalidContent(
            message("Nothing was changed: the study has no rater “%(code)s”.", code=unknown[0]),
            code="unknown_rater",
        )
    return found
