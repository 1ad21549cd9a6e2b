"""The connection of a study with an account on a crowd platform."""

from __future__ import annotations

import re

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.crowd import OFFERS, STUDY_JOB
from annotation.domain.pay.payment_states import PaymentState
from annotation.io.pay.crowd import CrowdClient, NotSent, Refused, Unknown
from annotation.models import CrowdConnection, Job, Payment, Study, User
from annotation.selectors.pay.crowd import connection_of
from annotation.selectors.pay.payments import with_state
from annotation.services.base import audit
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.pay.crowd.clients import check_available, client_with

TOKEN = re.compile(r"[!-~]{8,400}")


def request_connection(*, study: Study, platform: Platform, actor: User, token: str) -> Job:
    """Store a new token next to the current one, and enqueue its test: the platform must accept it first.

    Parameters
    ----------
    study, platform, actor
        The study, where the account is, and who connects them.
    token : str
        As the platform shows it; for Mechanical Turk the ID of an access key and its secret, with a colon
        between them. It is stored encrypted and never shown again.

    Raises
    ------
    InvalidContent
        `bad_prolific_token` or `bad_mturk_token`: the text cannot be a token.
    NotAllowedNow
        `mturk_not_installed`: this installation cannot speak to the platform.
    """
    token = token.strip()
    check_available(platform)
    if not TOKEN.fullmatch(token) or (platform is Platform.MTURK and ":" not in token.strip(":")):
        sentence = message(
            "Enter the token as %(platform)s shows it, without spaces.", platform=name(platform)
        )
        raise InvalidContent(sentence, code=f"bad_{platform.value}_token", fields={"token": sentence})
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        rows = CrowdConnection.objects.filter(study=study, platform=platform.value, is_accepted=False)
        rows.delete()
        made = CrowdConnection(study=study, platform=platform.value, is_accepted=False, connected_by=actor)
        made.token = token
        made.save()
        # The row distinguishes this job from jobs that test other tokens.
        params = {"platform": platform.value, "act": "connect", "row": made.pk}
        return enqueue(kind=STUDY_JOB, study=study, params=params, created_by=actor)


def try_connection(*, lease: Lease, platform: Platform) -> None:
    """Ask the platform whether it accepts the token of a job; only then it replaces an earlier one.

    A token that cannot be used is deleted.

    Parameters
    ----------
    lease, platform
        Lease of a job from `request_connection`, and its platform.

    Raises
    ------
    NotAllowedNow
        `payments_in_doubt`: it is of another account than the present one, as of `disconnect`;
        `changed_elsewhere`: it was removed or replaced meanwhile.
    GroundworkError
        Of the interface: the token is not accepted, or no answer came.
    """
    study = Study.objects.get(jobs__pk=lease.job.pk)
    row = _tested(lease)
    try:
        account = client_with(platform, row.token).account()
        with transaction.atomic():
            Study.objects.select_for_update(no_key=True).get(pk=study.pk)
            # Replaced or removed during the call: the connection that is used stays.
            row = _tested(lease)
            before = connection_of(study, platform)
            if before is not None and before.account != account:
                refuse_without_results(study, platform)
            lease.complete(lambda: _accept(row, before, account))
    except (NotSent, Refused, Unknown, NotAllowedNow):
        CrowdConnection.objects.filter(pk=row.pk, is_accepted=False).delete()
        raise


def _tested(lease: Lease) -> CrowdConnection:
    row = CrowdConnection.objects.filter(pk=lease.job.params["row"], is_accepted=False).first()
    if row is None:
        raise NotAllowedNow(
            message("The token was removed or replaced meanwhile. Enter it again."), code="changed_elsewhere"
        )
    return row


def _accept(row: CrowdConnection, before: CrowdConnection | None, account: str) -> None:
    if before is not None:
        before.delete()
    CrowdConnection.objects.filter(pk=row.pk).update(is_accepted=True, account=account)
    audit.record(study=row.study, actor=row.connected_by, act=f"connect_{row.platform}")


def disconnect(*, study: Study, platform: Platform, actor: User) -> None:
    """Delete the token; what was read and paid before stays.

    Parameters
    ----------
    study, platform, actor
        The study, where the account is, and who ends the connection.

    Raises
    ------
    NotAllowedNow
        `payments_in_doubt`: payments by this account have no result yet, which could not be asked for then.
    """
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        refuse_without_results(study, platform)
        if CrowdConnection.objects.filter(study=study, platform=platform.value).delete()[0]:
            audit.record(study=study, actor=actor, act=f"disconnect_{platform.value}")


def refuse_without_results(study: Study, platform: Platform) -> None:
    """Refuse what would keep payments through a platform from being read back.

    Parameters
    ----------
    study, platform
        The study, locked by the caller's transaction, and the platform, which names its payer.

    Raises
    ------
    NotAllowedNow
        `payments_in_doubt`: payments have been sent, and have no result yet.
    """
    unknown = with_state(Payment.objects.filter(study=study, entries__batch__payer=platform.value))
    if unknown.filter(state__in=(PaymentState.SENT, PaymentState.IN_DOUBT)).exists():
        raise NotAllowedNow(
            message(
                "Payments sent to %(platform)s have no result yet. First read them back, or mark them as "
                "confirmed or failed.",
                platform=name(platform),
            ),
            code="payments_in_doubt",
        )


def client_of(study: Study, platform: Platform) -> CrowdClient:
    """The interface of a platform with the token of a study.

    Parameters
    ----------
    study, platform
        Which are connected.

    Raises
    ------
    NotAllowedNow
        `not_connected`: the study has no token, or one that the keys of this installation do not decrypt.
    """
    return client_with(platform, token_of(study, platform))


def token_of(study: Study, platform: Platform) -> str:
    """The token of a study, decrypted; refused as by `client_of` where there is none.

    Parameters
    ----------
    study, platform
        Which are connected.

    Raises
    ------
    NotAllowedNow
        `not_connected`.
    """
    connection = connection_of(study, platform)
    token = connection.token if connection else ""
    if not token:
        raise NotAllowedNow(
            message(
                "This study is not connected to %(platform)s. Enter a token first.", platform=name(platform)
            ),
            code="not_connected",
        )
    return token


def name(platform: Platform) -> str:
    """The name of a platform in sentences.

    Parameters
    ----------
    platform : Platform
        One that has an interface.
    """
    return OFFERS[platform].name
