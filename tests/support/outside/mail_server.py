"""A real mail server on this machine, which takes mail, refuses it, or does not answer."""

from __future__ import annotations

import asyncio
import datetime
import email
import email.policy
import ipaddress
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.support.ports import free_port

USER, PASSWORD = "groundwork", "a password for mail"
QUEUED = "250 2.0.0 Ok: queued as 4F2A"
UNKNOWN = "550 5.1.1 There is nobody of this name"
FULL = "452 4.2.2 Mailbox full"


@dataclass
class MailServer:
    """`received` is what it took; the part before @ of an address says what it does."""

    received: list[EmailMessage] = field(default_factory=list)
    port: int = 0

    async def handle_RCPT(  # noqa: N802 - called by aiosmtpd
        self, _server: Any, _session: Any, envelope: Envelope, address: str, _options: Any
    ) -> str:
        if address.startswith("nobody"):
            return UNKNOWN
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Envelope) -> str:  # noqa: N802
        if envelope.rcpt_tos[0].startswith("full"):
            return FULL
        if envelope.rcpt_tos[0].startswith("slow"):
            await asyncio.sleep(3)
        content = envelope.content
        assert isinstance(content, bytes)
        self.received.append(email.message_from_bytes(content, policy=email.policy.default))
        return QUEUED

    def last_text(self) -> str:
        """What the last mail says."""
        return str(self.received[-1].get_content())


@contextmanager
def running(certificate: Path | None = None) -> Iterator[MailServer]:
    """Plain; with a certificate it wants STARTTLS and a log-in first."""
    server = MailServer(port=free_port())
    controller = Controller(server, hostname="127.0.0.1", port=server.port, **_secured(certificate))
    controller.start()
    try:
        yield server
    finally:
        controller.stop()


def _secured(certificate: Path | None) -> dict[str, Any]:
    if certificate is None:
        return {}
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return {
        "tls_context": context,
        "require_starttls": True,
        "auth_required": True,
        "authenticator": _check,
    }


def _check(server: SMTP, session: Any, envelope: Envelope, mechanism: str, data: LoginPassword) -> AuthResult:
    known = (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=known, handled=False)


def make_certificate(folder: Path) -> Path:
    """A certificate of this machine that signs itself, with its key, in one file."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(names, critical=True)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    form = serialization.PrivateFormat.PKCS8
    secret = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    path = folder / "mail.pem"
    path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return path
