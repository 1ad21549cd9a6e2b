"""`manage.py score STUDY|FILE`: HAUSER scores of simile candidates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from tqdm import tqdm

from annotation.domain.base.errors import GroundworkError
from annotation.io.base.readers import READERS
from annotation.io.base.standard_input import DASH, file_or_input
from annotation.io.base.writers import write_rows
from annotation.models import Job, Study
from annotation.services.base.jobs import claim
from scoring.hauser.components.extractors import BUILT_IN
from scoring.io.similes import BAD_TEXTS, Candidates, read_similes
from scoring.models import ScoreRun
from scoring.selectors.base.reason_words import in_words
from scoring.selectors.data.scores import scores_table
from scoring.services.similes.file_scores import (
    FileScores,
    format_of,
    score_file,
    whole_file,
    write_explanations,
    write_scores,
)
from scoring.services.similes.knowledge_bases import DEMO_BASE
from scoring.services.similes.score_runs import compute_scores, request_scores
from scoring.services.similes.score_settings import (
    COMPONENTS,
    FROM_DATA,
    REFERENCE_SETS,
    ScoreSettings,
    checked_settings,
    profiles,
)

SHOWN = ("quality", "creativity", "informativeness", "combined")


class Command(BaseCommand):
    help = "Score similes of a file or a study: quality, creativity, informativeness and their sub-scores."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "source",
            metavar="FILE",
            help="file of candidates with literal sentences (- for standard input), or slug of a study",
        )
        parser.add_argument("--format", choices=sorted(READERS), default="", help="format of standard input")
        parser.add_argument("--profile", default="embedded", help=f"models to use: {', '.join(profiles())}")
        parser.add_argument("--kb", default=DEMO_BASE, metavar="NAME", help="knowledge base (default: demo)")
        parser.add_argument(
            "--weights", default="", metavar="A,B,C", help="weights of the sub-scores (default: 3/6,2/6,1/6)"
        )
        parser.add_argument(
            "--extractor",
            default=BUILT_IN,
            help="extractor of components: built-in, spacy:PIPELINE if spaCy is installed, or trained:FOLDER",
        )
        parser.add_argument(
            "--components",
            choices=COMPONENTS,
            default=FROM_DATA,
            help="for a study: components marked in the data or by most raters; others are extracted",
        )
        parser.add_argument(
            "--metrics", default="", metavar="NAMES", help="additional metrics, separated by commas"
        )
        parser.add_argument(
            "--reference-set", choices=REFERENCE_SETS, default="group", help="comparison texts"
        )
        parser.add_argument(
            "--out", metavar="FILE", help="CSV, TSV, JSONL or Parquet file (default: print a short table)"
        )
        parser.add_argument(
            "--bad-texts",
            choices=BAD_TEXTS,
            default="refuse",
            help="for a file: what to do with texts that are empty or contain control characters",
        )
        parser.add_argument(
            "--queue", action="store_true", help="for a study: let the workers compute the scores"
        )
        parser.add_argument("--explain", metavar="FILE", help="write how each score was computed as JSONL")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if _is_file(options["source"]):
                self._score_file(options)
            else:
                self._score_study(options)
        except GroundworkError as refusal:
            raise CommandError(f"{refusal.message} [{refusal.code}]", returncode=2) from refusal

    def _score_file(self, options: dict[str, Any]) -> None:
        settings = _settings(options)
        if settings.components != FROM_DATA:
            message = "--components raters needs a study, because files have no raters. [no_tuples]"
            raise CommandError(message, returncode=2)
        if options["out"]:
            format_of(Path(options["out"]))
        with file_or_input(options["source"], file_format=options["format"]) as (path, name):
            read = read_similes(
                path, name=name, file_format=options["format"], bad_texts=options["bad_texts"]
            )
        self._tell_bad_texts(read)
        groups = read.groups
        total = sum(len(group.candidates) for group in groups)
        with tqdm(total=total, desc="candidates", unit="", disable=None) as bar:
            found = score_file(groups=groups, settings=settings, progress=bar.update)
        if options["explain"]:
            write_explanations(found, Path(options["explain"]))
        if options["out"]:
            write_scores(found, Path(options["out"]), _run_name(options["source"], settings))
        self._tell(found, brief=bool(options["out"]))

    def _score_study(self, options: dict[str, Any]) -> None:
        study = _study(options["source"])
        if options["out"]:
            format_of(Path(options["out"]))
        asked = _settings(options)
        job = request_scores(study=study, actor=None, asked=asked, announce=options["queue"])
        if options["queue"]:
            self.stdout.write(f"Job {job.pk} queued.")
            return
        run = self._scored_here(study, job)
        if options["out"]:
            columns, rows = scores_table(study, run)
            with whole_file(Path(options["out"])) as file:
                file.writelines(write_rows(rows, columns, format_of(Path(options["out"]))))
        job.refresh_from_db()
        self.stdout.write(f"{run.name}: {job.total} items scored, other items unchanged.")
        self._caution(run.caution, run.made_with["models"].get("reason", ""))

    def _scored_here(self, study: Study, job: Job) -> ScoreRun:
        lease = claim(job_id=job.pk)
        if lease is None:
            raise CommandError(f"A worker is already scoring this study (job {job.pk}).", returncode=1)
        with tqdm(total=study.items.count(), desc="items", unit="", disable=None) as bar:
            try:
                run = compute_scores(lease=lease, progress=bar.update)
            except GroundworkError as refusal:
                lease.fail(code=refusal.code, message=refusal.message)
                raise
        if run is None:
            raise CommandError(f"Job {job.pk} was not completed.", returncode=1)
        return run

    def _caution(self, caution: str, reason: str) -> None:
        if caution:
            self.stderr.write(f"{caution[:1].upper()}{caution[1:]}.")
        if reason:
            self.stderr.write(f"Logical and sentiment consistency have no value: {reason}.")

    def _tell_bad_texts(self, read: Candidates) -> None:
        for line in read.messages:
            self.stderr.write(line)
        if read.cleaned:
            self.stderr.write(f"{read.cleaned} texts: control characters removed.")
        if read.skipped:
            self.stderr.write(f"{read.skipped} texts cannot be scored. See the column “reason”.")

    def _tell(self, found: FileScores, *, brief: bool) -> None:
        members = [one for group in found.scored for one in group]
        self._caution(found.caution, found.made_with["models"].get("reason", ""))
        cut = sum(bool(member.truncated) for member in members)
        if cut:
            self.stderr.write(f"{cut} candidates were truncated for the models. See the column “truncated”.")
        if brief:
            self.stdout.write(f"Scored {len(members)} candidates in {len(found.groups)} groups.")
        else:
            self.stdout.write("\t".join(("item", *SHOWN)))
            for member in members:
                self.stdout.write("\t".join((member.key, *(_cell(member.scores[name]) for name in SHOWN))))
        for code, words in in_words(member.scores[name].reason for member in members for name in SHOWN):
            self.stderr.write(f"{code}: {words}")


def _is_file(source: str) -> bool:
    """Whether the source is a file: a study's slug contains no dot."""
    return source == DASH or Path(source).suffix != "" or Path(source).is_file()


def _study(slug: str) -> Study:
    """Find the study; the error also covers a missing file whose name has no dot."""
    try:
        study = Study.objects.filter(slug=slug).first()
    except DatabaseError as fault:
        message = f"There is no file {slug!r}. The database is not set up. [no_such_study]"
        raise CommandError(message, returncode=2) from fault
    if study is None:
        message = f"There is no file and no study named {slug!r}. [no_such_study]"
        raise CommandError(message, returncode=2)
    return study


def _settings(options: dict[str, Any]) -> ScoreSettings:
    return checked_settings(
        profile=options["profile"],
        base=options["kb"],
        weights=options["weights"],
        extractor=options["extractor"],
        metrics=[name.strip() for name in options["metrics"].split(",") if name.strip()],
        reference_set=options["reference_set"],
        components=options["components"],
    )


def _run_name(source: str, settings: ScoreSettings) -> str:
    return f"{'standard input' if source == DASH else Path(source).name}, {settings.profile}, {settings.base}"


def _cell(score: Any) -> str:
    return score.reason if score.value is None else f"{score.value:.4f}"
