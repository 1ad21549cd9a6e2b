"""Encrypting and signing stored secrets again with the current secret key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from annotation.domain.base.sealing import Purpose, Unreadable, registered_sealed, seal, unseal
from annotation.models import CrowdConnection, Invitation, User, Webhook
from annotation.models.base.sealed import installation_keys

CHUNK = 500
# Keys in the data that django-allauth stores for a second factor.
OF_SECOND_FACTORS = ("secret", "seed", "migrated_codes")


@dataclass
class Counted:
    """Counts of one kind of secrets: all, those that needed the current key, and unreadable ones."""

    what: str
    total: int = 0
    renewed: int = 0
    unreadable: int = 0


def reseal_secrets(*, dry_run: bool = False) -> list[Counted]:
    """Encrypt links, webhook secrets, tokens, keys and second factors, and sign sessions again.

    Columns of other applications are those that they registered. The key is the current one. What is stored
    meanwhile by others stays as they stored it. What no key opens stays as it is.

    Parameters
    ----------
    dry_run : bool
        Count, and change nothing.
    """
    return [
        _reseal(Invitation, "sealed_token", "links", _by(Purpose.LINK), dry_run=dry_run),
        _reseal(Webhook, "sealed_secret", "webhook secrets", _by(Purpose.WEBHOOK), dry_run=dry_run),
        _reseal(
            CrowdConnection,
            "sealed_token",
            "platform tokens",
            _by(Purpose.PLATFORM),
            dry_run=dry_run,
        ),
        *(
            _reseal(apps.get_model(one.model), one.column, one.what, _by(one.purpose), dry_run=dry_run)
            for one in registered_sealed()
        ),
        _reseal(Authenticator, "data", "second factors", _factor, dry_run=dry_run),
        _reseal(Session, "session_data", "sessions", _session, dry_run=dry_run),
    ]


Renew = Callable[[Any], Any]


def _reseal(model: type[Model], column: str, what: str, renew: Renew, *, dry_run: bool) -> Counted:
    """Store each value of a column as `renew` gives it: None where it is fine, `Unreadable` where lost."""
    counted = Counted(what)
    rows = model._default_manager.all()
    if model is Session:
        rows = rows.filter(expire_date__gt=timezone.now())
    for chunk in _chunks(rows.values_list("pk", column)):
        with transaction.atomic():
            for pk, stored in chunk:
                counted.total += 1
                try:
                    fresh = renew(stored)
                except Unreadable:
                    counted.unreadable += 1
                    continue
                if fresh is None:
                    continue
                counted.renewed += 1
                if not dry_run:
                    rows.filter(pk=pk, **{column: stored}).update(**{column: fresh})
    return counted


def _chunks(rows: Iterable[Any]) -> Iterable[Sequence[Any]]:
    every = list(rows)
    return (every[start : start + CHUNK] for start in range(0, len(every), CHUNK))


def _by(purpose: Purpose) -> Renew:
    return lambda stored: _renewed(stored, purpose)


def _renewed(stored: str, purpose: Purpose) -> str | None:
    keys = installation_keys()
    try:
        unseal(stored, keys=keys[:1], purpose=purpose)
    except Unreadable:
        return seal(unseal(stored, keys=keys, purpose=purpose), keys=keys, purpose=purpose)
    return None


def _factor(data: dict[str, Any]) -> dict[str, Any] | None:
    fresh: dict[str, Any] = {}
    for name in OF_SECOND_FACTORS:
        stored = data.get(name)
        if isinstance(stored, list):
            renewed = [_renewed(one, Purpose.SECOND_FACTOR) for one in stored]
            if any(renewed):
                fresh[name] = [new or old for new, old in zip(renewed, stored, strict=True)]
        elif stored is not None and (new := _renewed(stored, Purpose.SECOND_FACTOR)):
            fresh[name] = new
    return {**data, **fresh} if fresh else None


def _session(stored: str) -> str | None:
    """Sign a session again; for a signed-in user, renew the keyed password check as well."""
    store = SessionStore()
    options: dict[str, Any] = {"salt": store.key_salt, "serializer": store.serializer}
    try:
        signing.loads(stored, fallback_keys=[], **options)
    except signing.BadSignature:
        pass
    else:
        return None
    try:
        data = signing.loads(stored, **options)
    except signing.BadSignature as problem:
        raise Unreadable("No key signed this session.") from problem
    user = User.objects.filter(pk=data.get(SESSION_KEY)).first() if SESSION_KEY in data else None
    if user is not None and data.get(HASH_SESSION_KEY) in set(user.get_session_auth_fallback_hash()):
        data[HASH_SESSION_KEY] = user.get_session_auth_hash()
    return signing.dumps(data, compress=True, **options)
