"""`manage.py study_definition …`: a study without items and people, as a file; a pilot and its main study."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import IntegrityError
from django.http import Http404

from annotation.domain.base.errors import GroundworkError
from annotation.io.base.standard_input import file_or_input
from annotation.io.base.strict_documents import FORMATS, write_document
from annotation.io.studies.definitions import read_definition
from annotation.management.studies import all_or_nothing, study_named
from annotation.models import User
from annotation.permissions import Act, study_access
from annotation.protocols.definition_schema import SCHEMA
from annotation.selectors.questions.pilots.pilot_answers import pooling_preview
from annotation.selectors.studies.definition import definition_of
from annotation.services.studies.definitions import create_from_definition
from annotation.services.studies.pilots.main_study import MainItems, create_main_study
from annotation.services.studies.pilots.pilot_pooling import PoolingAct, change_pooling, pilot_of

SLUG = re.compile(r"[-a-zA-Z0-9_]{1,60}")


class Command(BaseCommand):
    help = "Write a study definition to a file, create a study from one or from its pilot, or pool both."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        export = acts.add_parser("export", help="write the definition of a study")
        export.add_argument("study", help="slug of the study")
        export.add_argument("--format", choices=FORMATS, default="yaml")
        export.add_argument("--out", default="-", help="output file (default: standard output)")
        taken = acts.add_parser("import", help="create a draft study from a definition")
        taken.add_argument("file", help="YAML or JSON file; - for standard input")
        taken.add_argument("--slug", required=True, help="slug of the new study")
        taken.add_argument("--owner", required=True, help="email of the owner")
        taken.add_argument("--title", default="", help="replaces the title of the definition")
        acts.add_parser("schema", help="print the JSON Schema of definitions")
        main = acts.add_parser("main", help="create the main study of a pilot study as a draft")
        main.add_argument("study", help="slug of the pilot study")
        main.add_argument("--slug", required=True, help="slug of the main study")
        main.add_argument("--title", required=True, help="title of the main study")
        main.add_argument("--owner", required=True, help="email address of its owner")
        main.add_argument(
            "--items",
            choices=[one.value for one in MainItems],
            default=MainItems.ACTIVE.value,
            help="all items, those not retired, or those of them without a response",
        )
        main.add_argument("--admit-pilot-raters", action="store_true", help="raters of the pilot can join")
        pooling = acts.add_parser("pooling", help="which responses of its pilot fit a main study")
        pool = acts.add_parser(PoolingAct.POOL.value, help="pool a main study with its pilot")
        separate = acts.add_parser(PoolingAct.SEPARATE.value, help="analyse both separately again")
        for one in (pooling, pool, separate):
            one.add_argument("study", help="slug of the main study")
        for one in (pool, separate):
            one.add_argument("--reason", required=True, help="for both audit logs")
            one.add_argument("--by", required=True, help="email address of the member who declares it")

    def handle(self, *args: Any, **options: Any) -> None:
        acts = {
            "export": self._export,
            "import": self._import,
            "schema": self._schema,
            "main": self._main,
            "pooling": self._pooling,
            PoolingAct.POOL.value: self._change_pooling,
            PoolingAct.SEPARATE.value: self._change_pooling,
        }
        acts[options["act"]](options)

    def _export(self, options: dict[str, Any]) -> None:
        study = study_named(options["study"])
        text = write_document(definition_of(study, with_pay=True), file_format=options["format"])
        if options["out"] == "-":
            self.stdout.write(text, ending="")
        else:
            Path(options["out"]).write_text(text, encoding="utf-8")

    def _import(self, options: dict[str, Any]) -> None:
        owner = _owner_of_new(options)
        try:
            with file_or_input(options["file"], file_format="yaml") as (path, name):
                definition = read_definition(path.read_bytes(), name=name)
            made = create_from_definition(
                definition=definition, slug=options["slug"], title=options["title"], owner=owner
            )
        except OSError as problem:
            raise CommandError(f"{options['file']}: {problem.strerror}.", returncode=2) from problem
        except IntegrityError as taken:
            raise CommandError(
                f"The slug {options['slug']!r} is already taken. Choose another --slug.", returncode=2
            ) from taken
        except GroundworkError as refusal:
            raise CommandError(f"Nothing was saved.\n{refusal.message}", returncode=2) from refusal
        self.stdout.write(f"Draft {made.study.slug!r} created.")
        for one in made.left_out:
            self.stdout.write(f"Not imported: {one}. Set it up after importing the items.")

    def _main(self, options: dict[str, Any]) -> None:
        pilot, owner = study_named(options["study"]), _owner_of_new(options)
        try:
            with all_or_nothing():
                made = create_main_study(
                    pilot=pilot,
                    slug=options["slug"],
                    title=options["title"],
                    owner=owner,
                    items=MainItems(options["items"]),
                    refuse_raters=not options["admit_pilot_raters"],
                    with_pay=True,
                )
        except IntegrityError as taken:
            raise CommandError(
                f"The slug {options['slug']!r} is already taken. Choose another --slug.", returncode=2
            ) from taken
        slug, count = made.study.slug, made.study.items.count()
        self.stdout.write(f"Draft {slug!r} created as the main study of {pilot.slug!r}: {count} items.")
        self.stdout.write("The responses of the pilot stay in the pilot, and its statistics are separate.")
        for one in made.left_out:
            self.stdout.write(f"Not copied: {one}.")

    def _pooling(self, options: dict[str, Any]) -> None:
        study = study_named(options["study"])
        with all_or_nothing():
            pilot = pilot_of(study)
        fits, since = pooling_preview(study, pilot), study.pilot_pooled_at
        state = "separate from" if since is None else f"since {since:%Y-%m-%d} pooled with"
        self.stdout.write(f"{study.slug!r} is {state} its pilot {pilot.slug!r}.")
        self.stdout.write(f"Responses that fit: {fits.responses}, about {fits.items} common items.")
        if fits.absent:
            self.stdout.write(f"Items of the pilot that are not in this study: {fits.absent}.")
        for heading, names in (
            ("Items with other texts", fits.differing),
            ("Form versions that differ", fits.other_versions),
        ):
            if names:
                self.stdout.write(f"{heading}: {', '.join(names)}.")

    def _change_pooling(self, options: dict[str, Any]) -> None:
        member = User.objects.filter(email__iexact=options["by"], is_active=True).first()
        try:
            access = study_access(member or AnonymousUser(), options["study"], Act.MANAGE)
        except (Http404, PermissionDenied) as refusal:
            raise CommandError(
                f"{options['by']!r} is no admin or owner of a study {options['study']!r}.", returncode=2
            ) from refusal
        act = PoolingAct(options["act"])
        with all_or_nothing():
            change_pooling(study=access.study, act=act, reason=options["reason"], actor=access.user)
        done = "pooled with" if act is PoolingAct.POOL else "separated from"
        self.stdout.write(f"{access.slug!r} {done} its pilot. Compute its reports again.")

    def _schema(self, options: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(SCHEMA, indent=2))


def _owner_of_new(options: dict[str, Any]) -> User:
    """The owner of a study that is created, with a valid slug."""
    owner = User.objects.filter(email__iexact=options["owner"]).first()
    if owner is None:
        raise CommandError(
            f"There is no account {options['owner']!r}. Create it with add_user.", returncode=2
        )
    if not SLUG.fullmatch(options["slug"]):
        raise CommandError("A slug has 1 to 60 letters, digits, hyphens or underscores.", returncode=2)
    return owner
