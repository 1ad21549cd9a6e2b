"""`manage.py rotate_secrets [--new-key | --check | --forget [--now]]`: the secret key, replaced."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.services.base.key_rotation import Counted, reseal_secrets
from config.command_line import command
from config.settings.secret_key_file import (
    FALLBACKS,
    fallbacks_age,
    forget_fallbacks,
    replace_key,
    uses_key_file,
)

RESTART = "Restart the web server and the workers"
DAY = 24 * 3600


class Command(BaseCommand):
    help = (
        "Encrypt links, webhook secrets, platform tokens, judge keys and second factors, and sign sessions, "
        "with the current secret key."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        group = parser.add_mutually_exclusive_group()
        group.add_argument(
            "--new-key", action="store_true", help="first step: create a new key, and keep the old one"
        )
        group.add_argument("--check", action="store_true", help="count what each key opens; change nothing")
        group.add_argument("--forget", action="store_true", help="last step: delete the old keys")
        parser.add_argument("--now", action="store_true", help="with --forget: also on the first day")

    def handle(self, *args: Any, **options: Any) -> None:
        var = Path(settings.VAR_DIR)
        if options["new_key"]:
            self._replace(var)
            return
        if options["forget"] and not options["now"]:
            _refuse_on_the_first_day(var)
        counts = reseal_secrets(dry_run=options["check"])
        for one in counts:
            self.stdout.write(_line(one, dry_run=options["check"]))
        if options["forget"]:
            forget_fallbacks(var)
            self.stdout.write(f"Old keys deleted. {RESTART}.")
        elif settings.SECRET_KEY_FALLBACKS and not options["check"]:
            self.stdout.write(_next(var))
        if any(one.unreadable for one in counts if one.what != "sessions"):
            raise CommandError(
                "Some of them cannot be decrypted with any key. Add their key to SECRET_KEY_FALLBACKS, "
                "or replace "
                "them as described in docs/secrets.md.",
                returncode=1,
            )

    def _replace(self, var: Path) -> None:
        if not uses_key_file(var):
            raise CommandError(
                "SECRET_KEY is set in the environment: put a new one there, and the old one into "
                f"SECRET_KEY_FALLBACKS. {RESTART}, then run `{command('rotate_secrets')}`.",
                returncode=2,
            )
        replace_key(var)
        self.stdout.write(
            f"New key created. The old one is saved in {var / FALLBACKS} and still accepted.\n"
            f"{RESTART} now, then run `{command('rotate_secrets')}`."
        )


def _refuse_on_the_first_day(var: Path) -> None:
    age = fallbacks_age(var)
    if age is not None and age < DAY:
        ago = f"{age / 3600:.0f} h" if age >= 2 * 3600 else f"{age / 60:.0f} min"
        raise CommandError(
            f"The key was replaced only {ago} ago. Running programs and password links in emails still "
            f"need the "
            "old one: wait three days, or add --now to delete it immediately. Nothing was changed.",
            returncode=2,
        )


def _line(one: Counted, *, dry_run: bool) -> str:
    words = "need the current key" if dry_run else "encrypted again"
    return f"{one.what}: {one.total}, {one.renewed} {words}, {one.unreadable} not readable with any key"


def _next(var: Path) -> str:
    how = f"run `{command('rotate_secrets --forget')}`" if (var / FALLBACKS).exists() else "unset them"
    return (
        "The old keys are still accepted. Password links in emails need them for three days; "
        f"after that {how} and restart."
    )
