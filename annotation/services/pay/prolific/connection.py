"""The connection of a study with an account on Prolific."""

from __future__ import annotations

import re

from django.conf import settings
from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.pay.payment_states import PaymentState
from annotation.io.pay.prolific import Prolific
from annotation.models import Payment, ProlificConnection, Study, User
from annotation.selectors.pay.payments import with_state
from annotation.services.base import audit

TOKEN = re.compile(r"[!-~]{8,400}")
PAYER = "prolific"


def connect(*, study: Study, actor: User, token: str) -> ProlificConnection:
    """Store the token of an account, after Prolific has accepted it; it replaces an earlier one.

    Parameters
    ----------
    study, actor
        The study, and who connects it.
    token : str
        As Prolific shows it. It is stored encrypted and never shown again.

    Raises
    ------
    InvalidContent
        `bad_prolific_token`: the text cannot be a token.
    NotAllowedNow
        `payments_in_doubt`: it is of another account than the present one, as of `disconnect`.
    GroundworkError
        Of the interface: the token is not accepted, or no answer came. Nothing is stored.
    """
    token = token.strip()
    if not TOKEN.fullmatch(token):
        sentence = message("Enter the token as Prolific shows it, without spaces.")
        raise InvalidContent(sentence, code="bad_prolific_token", fields={"token": sentence})
    account = client_with(token).account()
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        made = ProlificConnection.objects.filter(study=study).first() or ProlificConnection(study=study)
        if made.pk and made.account != account:
            refuse_without_results(study)
        made.token, made.account, made.connected_by = token, account, actor
        made.save()
        audit.record(study=study, actor=actor, act="connect_prolific")
    return made


def disconnect(*, study: Study, actor: User) -> None:
    """Delete the token; what was read and paid before stays.

    Parameters
    ----------
    study, actor
        The study, and who ends the connection.

    Raises
    ------
    NotAllowedNow
        `payments_in_doubt`: payments by this account have no result yet, which could not be asked for then.
    """
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        refuse_without_results(study)
        if ProlificConnection.objects.filter(study=study).delete()[0]:
            audit.record(study=study, actor=actor, act="disconnect_prolific")


def refuse_without_results(study: Study) -> None:
    """Refuse what would keep payments through Prolific from being read back.

    Parameters
    ----------
    study : Study
        Locked by the caller's transaction.

    Raises
    ------
    NotAllowedNow
        `payments_in_doubt`: payments have been sent, and have no result yet.
    """
    unknown = with_state(Payment.objects.filter(study=study, entries__batch__payer=PAYER))
    if unknown.filter(state__in=(PaymentState.SENT, PaymentState.IN_DOUBT)).exists():
        raise NotAllowedNow(
            message(
                "Payments sent to Prolific have no result yet. First read them back, or mark them as "
                "confirmed or failed."
            ),
            code="payments_in_doubt",
        )


def client_of(study: Study) -> Prolific:
    """The interface with the token of a study.

    Parameters
    ----------
    study : Study
        Which is connected.

    Raises
    ------
    NotAllowedNow
        `not_connected`: the study has no token, or one that the keys of this installation do not decrypt.
    """
    connection = ProlificConnection.objects.filter(study=study).first()
    token = connection.token if connection else ""
    if not token:
        raise NotAllowedNow(
            message("This study is not connected to Prolific. Enter a token first."), code="not_connected"
        )
    return client_with(token)


def client_with(token: str) -> Prolific:
    """The interface with a token.

    Parameters
    ----------
    token : str
        Of an account.
    """
    return Prolific(token=token, address=settings.PROLIFIC_ADDRESS, private_allowed=settings.WEBHOOKS_PRIVATE)
