"""`manage.py send_test_mail ADDRESS`: whether mail works, and what the server says."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.services.people.mail import MailNotSent, send_mail

SUBJECT = "Groundwork: test email"
TEXT = "This email was sent by `send_test_mail`. Groundwork can send email.\n"


class Command(BaseCommand):
    help = "Send an email with the settings EMAIL_… and report the reply of the mail server."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.SENDS_MAIL:
            raise CommandError("EMAIL_HOST is not set, so no email was sent [mail_not_set_up]", returncode=2)
        encrypted = (
            "TLS" if settings.EMAIL_USE_SSL else "STARTTLS" if settings.EMAIL_USE_TLS else "not encrypted"
        )
        server = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT} ({encrypted})"
        try:
            reply = send_mail(to=options["address"], subject=SUBJECT, text=TEXT)
        except MailNotSent as refusal:
            raise CommandError(f"{server}: {refusal.message} [{refusal.code}]", returncode=1) from refusal
        sender = settings.DEFAULT_FROM_EMAIL
        self.stdout.write(
            f"{server} accepted the email from {sender} to {options['address']}. Reply: {reply}"
        )
