"""Create an account: `manage.py add_user EMAIL [--name NAME]` prints its password."""

from __future__ import annotations

import getpass
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.base.errors import GroundworkError
from annotation.services.base.accounts import add_user


class Command(BaseCommand):
    help = "Create an account; a new password is printed unless --ask-password is given."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--name", default="")
        parser.add_argument(
            "--site-admin",
            action="store_true",
            help="can manage accounts and the site, but has no rights in studies",
        )
        parser.add_argument("--ask-password", action="store_true", help="read the password from the terminal")

    def handle(self, *args: Any, **options: Any) -> None:
        asked = options["ask_password"]
        password = self._ask() if asked else ""
        try:
            user, password = add_user(
                email=options["email"],
                name=options["name"],
                password=password,
                site_administrator=options["site_admin"],
            )
        except GroundworkError as problem:
            raise CommandError(problem.message, returncode=2) from problem
        self.stdout.write(f"{user.email} can sign in" + ("." if asked else f" with the password {password}"))

    @staticmethod
    def _ask() -> str:
        return getpass.getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
