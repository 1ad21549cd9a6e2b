"""The one way in which mail is sent. Who sends goes on without it: there is always a link to copy."""

from __future__ import annotations

import logging
import smtplib

from django.core.mail import EmailMessage, get_connection

from annotation.domain.base.errors import GroundworkError

logger = logging.getLogger(__name__)
LONGEST_REPLY = 300


class MailNotSent(GroundworkError):
    """The server did not take a mail; the message quotes what it said."""

    code = "mail_not_sent"


def send_mail(*, to: str, subject: str, text: str) -> str:
    """Hand one mail to the mail server, and return what it said.

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
        log-in (`mail_login_refused`), or refuses the mail (`mail_refused`).
    """
    try:
        with get_connection() as connection:
            EmailMessage(subject, text, to=[to], connection=connection).send()
            reply = getattr(getattr(connection, "connection", None), "reply", None)
    except smtplib.SMTPAuthenticationError as refusal:
        raise _not_sent("mail_login_refused", "refused the log-in", _words(*refusal.args)) from refusal
    except smtplib.SMTPRecipientsRefused as refusal:
        answers = [_words(*answer) for answer in refusal.recipients.values()]
        raise _not_sent("mail_refused", "refused the address", "; ".join(answers)) from refusal
    except smtplib.SMTPServerDisconnected as problem:
        raise _not_sent("mail_server_away", "ended the connection", str(problem)) from problem
    except smtplib.SMTPResponseException as refusal:
        said = _words(refusal.smtp_code, refusal.smtp_error)
        raise _not_sent("mail_refused", "refused the mail", said) from refusal
    except (OSError, smtplib.SMTPException) as problem:
        raise _not_sent("mail_server_away", "cannot be reached", str(problem)) from problem
    return _words(*reply) if reply else ""


def _words(code: int, text: bytes | str) -> str:
    said = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
    return f"{code} {' '.join(said.split())}"[:LONGEST_REPLY]


def _not_sent(code: str, what: str, said: str) -> MailNotSent:
    # What a server says may quote the address, so the log names the kind of refusal alone.
    logger.warning("A mail was not sent: %s.", code)
    return MailNotSent(f"The mail server {what}: {said or 'it said nothing'}.", code=code)
