"""`manage.py personal_data {export,erase,erased,repeat}`: the stored data of a person, and their erasure."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from annotation.domain.base.errors import GroundworkError
from annotation.management.studies import study_named
from annotation.models import Rater, Study
from annotation.selectors.people.erasures import erasures_of
from annotation.selectors.rating.personal_data import personal_data
from annotation.services.rating.erasure import erase_rater


class Command(BaseCommand):
    help = "Export or erase the data of a rater; list erased raters and erase them again."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        export = acts.add_parser("export", help="write all data of one rater as JSON")
        erase = acts.add_parser("erase", help="erase the data of one rater; this cannot be undone")
        for one in (export, erase):
            one.add_argument("study", help="slug of the study")
            one.add_argument("rater", help="rater code, such as R-003")
        erase.add_argument(
            "--no-input", action="store_false", dest="interactive", help="do not ask for confirmation"
        )
        export.add_argument("--out", help="output file (default: standard output)")
        erased = acts.add_parser("erased", help="list the raters whose data were erased, as JSON")
        erased.add_argument("--out", help="output file (default: standard output)")
        repeat = acts.add_parser(
            "repeat", help="erase the listed raters again after restoring an older backup"
        )
        repeat.add_argument("file", help="output of `personal_data erased`")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['act']}")(options)
        except GroundworkError as refusal:
            raise CommandError(refusal.message, returncode=2) from refusal

    def _export(self, options: dict[str, Any]) -> None:
        rater = _rater_named(study_named(options["study"]), options["rater"])
        self._write(personal_data(rater, with_review=True), options["out"])

    def _erase(self, options: dict[str, Any]) -> None:
        rater = _rater_named(study_named(options["study"]), options["rater"])
        if options["interactive"]:
            _confirm_erasure(rater)
        count = erase_rater(rater=rater, actor=None)
        self.stdout.write(
            f"Data of {rater.code} erased ({count} responses). "
            "Earlier backups and downloaded files still contain them."
        )

    def _erased(self, options: dict[str, Any]) -> None:
        found = [asdict(one) for study in Study.objects.order_by("slug") for one in erasures_of(study)]
        self._write(found, options["out"])

    def _repeat(self, options: dict[str, Any]) -> None:
        people = Rater.objects.select_related("study")
        for (slug, code), at in sorted(_read(Path(options["file"])).items()):
            rater = people.filter(study__slug=slug, code=code).first()
            if rater is None:
                self.stdout.write(f"{slug} has no rater {code}: nothing to erase.")
            elif rater.created_at > at:
                self.stdout.write(f"{slug} {code} joined after that code was erased: nothing to erase.")
            else:
                self.stdout.write(f"{slug} {code}: {erase_rater(rater=rater, actor=None)} responses erased.")

    def _write(self, document: Any, target: str | None) -> None:
        text = json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
        if target is None:
            self.stdout.write(text)
        else:
            Path(target).write_text(text + "\n", encoding="utf-8")


def _rater_named(study: Study, code: str) -> Rater:
    """The rater of a study with this code; the command ends where there is none."""
    rater = Rater.objects.select_related("study", "user").filter(study=study, code=code).first()
    if rater is None:
        raise CommandError(f"{study.slug} has no rater {code!r}.", returncode=2)
    return rater


def _read(path: Path) -> dict[tuple[str, str], datetime]:
    """When each rater's data were last erased, by study and code."""
    last: dict[tuple[str, str], datetime] = {}
    try:
        for one in json.loads(path.read_text(encoding="utf-8")):
            who, at = (str(one["study"]), str(one["rater"])), _moment(str(one["at"]))
            last[who] = max(at, last.get(who, at))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CommandError(
            f"{path} is not a list written by `personal_data erased`: {error}", returncode=2
        ) from error
    return last


def _moment(written: str) -> datetime:
    at = datetime.fromisoformat(written)
    if at.tzinfo is None:
        raise ValueError(f"{written!r} has no time zone")
    return at


def _confirm_erasure(rater: Rater) -> None:
    try:
        typed = input(f"This cannot be undone. To erase the data of {rater.code}, type the rater code: ")
    except EOFError:
        typed = ""
    if typed.strip() != rater.code:
        raise CommandError(
            "Nothing was erased: the code was not confirmed. Use `--no-input` to skip the confirmation. "
            "[not_confirmed]",
            returncode=2,
        )
