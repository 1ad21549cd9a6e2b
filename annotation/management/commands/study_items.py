"""`manage.py study_items ratings|retire|restore|correct|media STUDY`: items of a study, and their files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.management.studies import all_or_nothing, study_named
from annotation.models import Item, Study
from annotation.selectors.items.selection import select_items
from annotation.services.items.corrections import correct_item
from annotation.services.items.media.local_files import import_media
from annotation.services.seats.item_changes import ItemAct, change_items

CORRECT, MEDIA = "correct", "media"


class Command(BaseCommand):
    help = "Raise ratings per item, retire, restore or correct items, or add the media files that they name."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        ratings = acts.add_parser(ItemAct.RATINGS.value, help="request more ratings per item")
        retire = acts.add_parser(ItemAct.RETIRE.value, help="remove the open rating slots of items")
        restore = acts.add_parser(ItemAct.RESTORE.value, help="request ratings of retired items again")
        for one in (ratings, retire, restore):
            one.add_argument("study", help="slug of the study")
            which = one.add_mutually_exclusive_group(required=True)
            which.add_argument("--all", action="store_true", help="all items")
            which.add_argument("--group", default="", help="the items of a group")
            which.add_argument("--item", action="append", default=[], help="an item ID; can be repeated")
        ratings.add_argument("--to", type=int, required=True, help="ratings per item to reach")
        ratings.add_argument("--form", default="", help="key of the form, if the study has several")
        ratings.add_argument(
            "--for-new-items", action="store_true", help="items that are added later need as many, too"
        )
        retire.add_argument("--reason", default="", help="reason for the audit log")
        correct = acts.add_parser(CORRECT, help="correct the group, system or metadata of an item")
        correct.add_argument("study", help="slug of the study")
        correct.add_argument("item", help="item ID")
        correct.add_argument("--group", help="new group")
        correct.add_argument("--system", help="new system")
        correct.add_argument(
            "--meta",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="can be repeated; no value removes",
        )

        media = acts.add_parser(MEDIA, help="add pictures, recordings, videos, and their descriptions")
        media.add_argument("study", help="slug of the study")
        media.add_argument("paths", nargs="+", type=Path, help="files, ZIP archives, tables or folders")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        act = {CORRECT: _corrected, MEDIA: _with_media}.get(options["act"], _changed)
        with all_or_nothing():
            self.stdout.write(act(study, options))


def _changed(study: Study, options: dict[str, Any]) -> str:
    items = select_items(study, every=options["all"], group=options["group"], keys=options["item"])
    given = {name: options[name] for name in ("form", "to", "for_new_items", "reason") if name in options}
    act = ItemAct(options["act"])
    slots = change_items(study=study, act=act, items=items, actor=None, **given)
    return f"{slots} rating slots {'removed' if act is ItemAct.RETIRE else 'added'} in {study.slug!r}."


def _with_media(study: Study, options: dict[str, Any]) -> str:
    missing = [str(path) for path in options["paths"] if not path.exists()]
    if missing:
        raise CommandError(f"There is no file or folder {missing[0]!r}.", returncode=2)
    came = import_media(study=study, paths=options["paths"])
    return f"{came.added} media files added to {study.slug!r}, {came.described} described."


def _corrected(study: Study, options: dict[str, Any]) -> str:
    item = Item.objects.filter(study=study, key=options["item"]).first()
    if item is None:
        raise CommandError(f"The study {study.slug!r} has no item {options['item']!r}.", returncode=2)
    metadata = dict(item.metadata)
    for one in options["meta"]:
        name, _, value = one.partition("=")
        metadata.pop(name, None)
        metadata |= {name: value} if value else {}
    correct_item(item=item, actor=None, group=options["group"], system=options["system"], metadata=metadata)
    return f"Item {item.key!r} corrected."
