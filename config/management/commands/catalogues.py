"""`manage.py catalogues`: the translations of the interface, brought up to what the sources say."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

WITHOUT_BABEL = "The catalogues are updated with Babel, a tool for development: `make setup` installs it."


class Command(BaseCommand):
    help = "Read what raters' pages say, update the .po file of each language, and compile it."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--add", metavar="LANGUAGE", help="begin a catalogue, such as de or zh_Hant")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            from config.catalogues import files
            from config.catalogues.extraction import sentences
        except ImportError as problem:
            raise CommandError(f"{WITHOUT_BABEL} [no_babel]", returncode=2) from problem
        sources, added = sentences(), options["add"]
        if added and added not in files.languages():
            files.store(added, files.new_catalogue(added))
        for language in files.languages():
            catalogue = files.update(files.read_catalogue(language), sources)
            files.store(language, catalogue)
            left = files.untranslated(catalogue)
            self.stdout.write(f"{language}: {len(catalogue)} sentences, {len(left)} not translated")
            for sentence in left:
                self.stdout.write(f"  {sentence}")
