"""`manage.py verify`: whether everything that is stored fits together."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotation.selectors.studies.verify.breach import Breach
from scoring.services.reports.verification import CHECKS, verify


class Command(BaseCommand):
    help = (
        "Check all data, change nothing, and name each row that breaks a rule; exit status 1 if there is any."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="the breaches as a list for a program")

    def handle(self, *args: Any, **options: Any) -> None:
        breaches = verify()
        if options["json"]:
            self.stdout.write(
                json.dumps([asdict(breach) for breach in breaches], indent=1, ensure_ascii=False)
            )
        elif breaches:
            self.stdout.write("\n".join(map(_in_words, breaches)))
        else:
            self.stdout.write(f"Nothing is wrong: {len(CHECKS)} groups of rules hold.")
        if breaches:
            self.stdout.flush()
            raise SystemExit(1)


def _in_words(breach: Breach) -> str:
    where = f"study {breach.study}, {breach.row}" if breach.study else breach.row
    more = f" And {breach.rows - 1} more rows." if breach.rows > 1 else ""
    return f"{where}: {breach.message} ({breach.code}){more}\n  {breach.mend}"
