"""Sending mail. Callers continue if it fails, since there is always a link to copy."""

from __future__ import annotations

import logging
import smtplib

from django.core.mail import EmailMessage, get_connection

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message

logger = logging.getLogger(__name__)
LONGEST_REPLY = 300
NO_REPLY = message("no reply")


class MailNotSent(GroundworkError):
    """The mail server did not accept a mail; the message quotes its reply.

    With `may_have_arrived`, the connection ended after the mail was handed over, so the server may have it.
    With `concerns_address`, the server refused this mail, and may accept one to another address.
    """

    code = "mail_not_sent"
    may_have_arrived = False

    @property
    def concerns_address(self) -> bool:
        return self.code == "mail_refused"


def send_mail(*, to: str, subject: str, text: str) -> str:
    """Send one mail to the mail server, and return its reply.

    Parameters
    ----------
    to, subject, text : str
        One address, and plain text.

    Returns
    -------
    str
        The answer of the server, such as `250 2.0.0 Ok: queued as 4F2A`; empty where it gives none.

    Raises
    ------
    MailNotSent
        The server cannot be reached in time or ends the connection (`mail_server_away`), refuses the
        sign-in (`mail_login_refused`), or refuses the mail (`mail_refused`).
    """
    handed_over = False
    try:
        with get_connection() as connection:
            handed_over = True
            EmailMessage(subject, text, to=[to], connection=connection).send()
            reply = getattr(getattr(connection, "connection", None), "reply", None)
    except smtplib.SMTPAuthenticationError as refusal:
        sentence = message("The mail server refused the sign-in: %(reply)s.", reply=_words(*refusal.args))
        raise _not_sent("mail_login_refused", sentence) from refusal
    except smtplib.SMTPRecipientsRefused as refusal:
        answers = [_words(*answer) for answer in refusal.recipients.values()]
        sentence = message("The mail server refused the address: %(reply)s.", reply="; ".join(answers))
        raise _not_sent("mail_refused", sentence) from refusal
    except smtplib.SMTPServerDisconnected as problem:
        sentence = message("The mail server ended the connection: %(reply)s.", reply=str(problem) or NO_REPLY)
        raise _not_sent("mail_server_away", sentence, handed_over=handed_over) from problem
    except smtplib.SMTPResponseException as refusal:
        reply = _words(refusal.smtp_code, refusal.smtp_error)
        sentence = message("The mail server refused the email: %(reply)s.", reply=reply)
        raise _not_sent("mail_refused", sentence) from refusal
    except (OSError, smtplib.SMTPException) as problem:
        sentence = message("The mail server cannot be reached: %(reply)s.", reply=str(problem) or NO_REPLY)
        raise _not_sent("mail_server_away", sentence, handed_over=handed_over) from problem
    return _words(*reply) if reply else ""


def _words(code: int, text: bytes | str) -> str:
    reply = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
    return f"{code} {' '.join(reply.split())}"[:LONGEST_REPLY]


def _not_sent(code: str, sentence: str, *, handed_over: bool = False) -> MailNotSent:
    # The reply of a server may quote the address, so the log has only the code.
    logger.warning("A mail was not sent: %s.", code)
    problem = MailNotSent(sentence, code=code)
    problem.may_have_arrived = handed_over
    return problem
