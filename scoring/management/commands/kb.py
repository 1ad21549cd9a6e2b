"""`manage.py kb {import,build,collect,list,show}`: knowledge bases of this installation."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from scoring.hauser.knowledge.collecting.simile_files import READ_FORMS
from scoring.hauser.knowledge.corpus import Layout
from scoring.hauser.knowledge.file_format import About, KnowledgeBaseError
from scoring.hauser.knowledge.import_file import COLUMNS, Progress
from scoring.hauser.knowledge.lookup import KnowledgeBase, PairCounts
from scoring.hauser.knowledge.problems import in_words
from scoring.services.similes.knowledge_bases import (
    build_base,
    collect_base,
    import_base,
    known_bases,
    open_base,
)

Table = list[tuple[str, ...]]


class Command(BaseCommand):
    help = "Import, build, collect, list and show simile knowledge bases for relevance and creativity."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        _import_arguments(acts.add_parser("import", help="import a table of triples, such as MAPS-KB"))
        _build_arguments(acts.add_parser("build", help="build from a corpus of sentences"))
        _collect_arguments(acts.add_parser("collect", help="collect from files of published similes"))
        _json_argument(acts.add_parser("list", help="list all knowledge bases"))
        _show_arguments(acts.add_parser("show", help="show source and content of a knowledge base"))

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['act']}")(options)
        except KnowledgeBaseError as refusal:
            raise CommandError(f"{refusal} [{refusal.code}]", returncode=2) from refusal

    def _import(self, options: dict[str, Any]) -> None:
        with _bar("rows read") as progress:
            about = import_base(
                source=options["file"], name=options["name"], replace=options["replace"], progress=progress
            )
        self._made(about)

    def _build(self, options: dict[str, Any]) -> None:
        if options["processes"] < 1:
            raise CommandError("--processes must be at least 1 [bad_option]", returncode=2)
        with _bar("text read") as progress:
            about = build_base(
                corpora=options["corpora"],
                name=options["name"],
                layout=Layout(options["field"], options["wrapped"], options["similes"]),
                exclude=options["exclude"],
                processes=options["processes"],
                replace=options["replace"],
                progress=progress,
            )
        self._made(about)

    def _collect(self, options: dict[str, Any]) -> None:
        with _bar("similes read") as progress:
            about = collect_base(
                sources=options["sources"],
                name=options["name"],
                exclude=options["exclude"],
                replace=options["replace"],
                progress=progress,
            )
        for source in about.origin.sources:
            self.stdout.write(f"read: {source.file}")
        self._made(about)

    def _list(self, options: dict[str, Any]) -> None:
        known = known_bases()
        if options["json"]:
            stated = {
                name: {"error": str(one), "code": one.code}
                if isinstance(one, KnowledgeBaseError)
                else _as_json(one)
                for name, one in known.items()
            }
            self._write_json(stated, options["json"])
            return
        heading = ("name", "kind", "triples", "pairs", "vehicles", "sources")
        self._table([heading, *(_line(name, about) for name, about in known.items())])

    def _show(self, options: dict[str, Any]) -> None:
        if options["topic"] and not options["vehicle"]:
            message = "--topic needs --vehicle [bad_option]"
            raise CommandError(message, returncode=2)
        with open_base(options["name"]) as base:
            found = _found(base, options["topic"], options["vehicle"])
            if options["json"]:
                self._write_json({**_as_json(base.about), **found}, options["json"])
                return
            self._table(_facts(base.about))
            for line in _found_lines(found):
                self.stdout.write(line)

    def _made(self, about: About) -> None:
        size = about.size
        self.stdout.write(
            f"Knowledge base {about.name!r}: {size.triples:,} triples, {size.pairs:,} pairs, "
            f"{size.vehicles:,} vehicles."
        )
        counted = about.counted
        if "sentences" in counted:
            read = f"{counted['sentences']:,} sentences read, {counted['similes']:,} with a simile"
            self.stdout.write(f"{read}; {counted['excluded']:,} excluded.")
        if "repeated" in counted:
            self.stdout.write(
                f"{counted['similes']:,} similes; {counted['repeated']:,} repeated, {counted['without']:,} "
                f"without a vehicle, {counted['excluded']:,} excluded."
            )
        bad = counted["bad_rows"]
        total = sum(bad["by_code"].values())
        if total:
            self.stderr.write(f"{total:,} rows could not be used. First rows:")
            for problem in bad["shown"]:
                self.stderr.write(in_words(problem))

    def _table(self, rows: Table) -> None:
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            self.stdout.write("  ".join(cells).rstrip())

    def _write_json(self, content: dict[str, Any], file: str) -> None:
        text = json.dumps(content, ensure_ascii=False, indent=1)
        if file == "-":
            self.stdout.write(text)
        else:
            Path(file).write_text(f"{text}\n", encoding="utf-8")


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help=f"CSV with the columns {', '.join(COLUMNS)}")
    _name_arguments(parser)


def _build_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "corpora", type=Path, nargs="+", metavar="CORPUS", help="text or JSONL file, or .gz of either"
    )
    _name_arguments(parser)
    parser.add_argument("--field", default="text", help="field of the text in JSONL (default: text)")
    parser.add_argument(
        "--wrapped", action="store_true", help="paragraphs end at empty lines, not at each line end"
    )
    parser.add_argument(
        "--similes", action="store_true", help="treat each sentence with a comparator as a simile"
    )
    _exclude_argument(parser)
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="number of processes"
    )


def _collect_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "sources", type=Path, nargs="+", metavar="SOURCE", help=f"file or folder of similes: {READ_FORMS}"
    )
    _name_arguments(parser)
    _exclude_argument(parser)


def _exclude_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--exclude", type=Path, metavar="FILE", help="text file of sentences to exclude")


def _show_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="name of the knowledge base")
    parser.add_argument(
        "--vehicle", default="", help="show how often this vehicle occurs, and with which topics"
    )
    parser.add_argument("--topic", default="", help="with --vehicle: show the triples of the pair")
    _json_argument(parser)


def _name_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", required=True, help="name of the knowledge base")
    parser.add_argument("--replace", action="store_true", help="replace the knowledge base with this name")


def _json_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", metavar="FILE", help="write JSON; - for standard output")


@contextmanager
def _bar(what: str) -> Iterator[Progress]:
    """A progress bar of the bytes read; nothing without a terminal."""
    with tqdm(desc=what, unit="B", unit_scale=True, disable=None) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield show


def _line(name: str, about: About | KnowledgeBaseError) -> tuple[str, ...]:
    if isinstance(about, KnowledgeBaseError):
        return (name, about.code, "", "", "", "")
    size, origin = about.size, about.origin
    numbers = (f"{number:,}" for number in (size.triples, size.pairs, size.vehicles))
    return (name, origin.kind, *numbers, ", ".join(source.file for source in origin.sources))


def _facts(about: About) -> Table:
    origin, size = about.origin, about.size
    sources = [
        ("source", f"{source.file}, {source.bytes:,} bytes, SHA-256 {source.sha256}")
        for source in origin.sources
    ]
    formula = "eq. (2), with plausibilities" if origin.has_plausibility else "eq. (3), counts only"
    return [
        ("name", about.name),
        ("kind", origin.kind),
        *sources,
        ("settings", ", ".join(f"{key} {value}" for key, value in origin.settings.items())),
        ("created", f"{about.made_at} with {origin.software}"),
        ("content", f"{size.triples:,} triples, {size.pairs:,} pairs, {size.vehicles:,} vehicles"),
        ("total n", f"{size.frequency:,}"),
        ("relevance", formula),
        ("fingerprint", about.fingerprint),
    ]


def _found(base: KnowledgeBase, topic: str, vehicle: str) -> dict[str, Any]:
    if not vehicle:
        return {}
    found: dict[str, Any] = {"vehicle": vehicle, "frequency": base.vehicle(vehicle).frequency}
    if not topic:
        topics = [{"topic": counts.topic, **_counts(counts)} for counts in base.topics(vehicle, most=20)]
        return {**found, "topics": topics}
    triples = [triple._asdict() for triple in base.triples(topic, vehicle)]
    return {**found, "topic": topic, "pair": _counts(base.pair(topic, vehicle)), "found": triples}


def _counts(counts: PairCounts) -> dict[str, Any]:
    return {"n": counts.frequency, "n_times_p": counts.weighted, "triples": counts.triples}


def _found_lines(found: dict[str, Any]) -> Iterator[str]:
    if not found:
        return
    yield f"\n{found['vehicle']!r} as a vehicle: {found['frequency']:,} times"
    for one in found.get("topics", ()):
        yield f"  {one['topic'] or '(no topic)'}: {one['n']:,}"
    if "pair" in found:
        pair = found["pair"]
        weighted = "" if pair["n_times_p"] is None else f", Σ n·P = {pair['n_times_p']:.4g}"
        yield f"of the topic {found['topic']!r}: {pair['n']:,} times in {pair['triples']:,} triples{weighted}"
    for triple in found.get("found", ()):
        sure = "" if triple["plausibility"] is None else f", plausibility {triple['plausibility']:.3f}"
        yield f"  {triple['property'] or '(no property)'}: {triple['frequency']:,}{sure}"


def _as_json(about: About) -> dict[str, Any]:
    return {**asdict(about), "fingerprint": about.fingerprint}
