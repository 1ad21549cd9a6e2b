"""Django's backend for sending email, which also stores the server’s last reply."""

from __future__ import annotations

import smtplib
from typing import Any

from django.core.mail.backends.smtp import EmailBackend


class _KeepsReply:
    """Of a connection: `reply` is the code and the text with which the server took the last mail."""

    reply: tuple[int, bytes] | None = None

    def data(self, msg: Any) -> tuple[int, bytes]:
        self.reply = super().data(msg)  # type: ignore[misc]
        return self.reply


class _Connection(_KeepsReply, smtplib.SMTP):
    """Plain, or encrypted by STARTTLS."""


class _TlsConnection(_KeepsReply, smtplib.SMTP_SSL):
    """Encrypted from the first byte."""


class Backend(EmailBackend):
    """Sends by SMTP with the settings of the environment (`config.settings.mail`)."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _TlsConnection if self.use_ssl else _Connection
