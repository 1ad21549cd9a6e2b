"""Export bundles: asking a worker for one, writing it, and finding it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from django.utils import timezone

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.base.states import JobState
from annotation.domain.base.timestamps import EXACT
from annotation.models import Job, Study, User
from annotation.selectors.base.archives import archive_path, part_path
from annotation.selectors.people.erasures import last_erasure
from annotation.services.base import audit
from annotation.services.base.archives import delete_parts
from annotation.services.base.jobs import Lease, enqueue
from scoring.bundle.archive import Progress, write_archive
from scoring.bundle.contents import ASKED, Contents
from scoring.bundle.redaction import Redactor
from scoring.bundle.release.publication import Publication
from scoring.models import Report
from scoring.selectors.base.figures import has_these_definitions
from scoring.selectors.data.staleness import data_state
from scoring.selectors.reports.heds.sheet import answers_of, sheet_of, stored_sheet
from scoring.selectors.reports.study_facts import facts_of
from scoring.services.base.report_store import study_of
from scoring.services.choices.inversions import find_inversions

KIND = "bundle"
# Kinds of jobs that write archives of a study.
ARCHIVED = (KIND, "release")
# Reports whose numbers can be computed from the files of a bundle; exceptions are listed there.
EXPORTED = ("reliability", "new_raters", "metrics", "comparison")
# Only in bundles that were asked to have automatic judges.
WITH_JUDGES = "judges"
# Bundles stored per study; older ones are deleted when a new one is made.
MOST_STORED = 3
# How often a bundle is written if answers are saved meanwhile.
ATTEMPTS = 3


def request_bundle(
    *,
    study: Study,
    actor: User | None,
    formats: Sequence[str] = (),
    bom: bool = False,
    with_pay: bool = False,
    judges: bool = False,
    licence: str = "",
    authors: Sequence[str] = (),
    texts_licence: str = "",
) -> Job:
    """Ask a worker for an export bundle, unless a job for the same bundle is under way.

    Parameters
    ----------
    study : Study
        Study to export.
    actor : User or None
        User who asks for it.
    formats : sequence of str
        Formats of the main tables besides CSV and Parquet: any of `tsv`, `jsonl`, `xlsx`.
    bom : bool
        Begin CSV and TSV files with a byte order mark.
    with_pay : bool
        Include the raters' pay; only for users who may manage the study.
    judges : bool
        Include the answers of automatic judges, how these came about, and their report.
    licence : str
        SPDX identifier of the licence of the data; empty for none.
    authors : sequence of str
        Authors of the data, each as `Duarte, Ines (0000-0002-1825-0097)`.
    texts_licence : str
        Licence of the texts of items, as for `Publication.read`.

    Raises
    ------
    InvalidContent
        `unknown_format`, `unknown_licence`, `bad_author`, `bad_orcid` or `too_many_authors`.
    """
    unknown = sorted(set(formats) - set(ASKED))
    if unknown:
        refused = message(
            "The format %(format)s does not exist. Choose from %(known)s.",
            format=repr(unknown[0]),
            known=", ".join(ASKED),
        )
        raise InvalidContent(refused, code="unknown_format")
    Publication.read(licence, authors, texts_licence)
    params = {"formats": [name for name in ASKED if name in formats], "bom": bom, "pay": with_pay}
    if judges:
        params["judges"] = True
    if licence or any(author.strip() for author in authors):
        params |= {"licence": licence, "authors": [author.strip() for author in authors if author.strip()]}
    if texts_licence:
        params["texts_licence"] = texts_licence
    return enqueue(kind=KIND, study=study, params=params, created_by=actor)


def make_bundle(*, lease: Lease) -> Path:
    """Write the bundle of a job outside any transaction and store it while the lease still holds.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `bundle`.

    Raises
    ------
    GroundworkError
        `data_changed`: answers were saved during each attempt to write it.
    LeaseLost
        Another worker has taken the job over, or it was cancelled; nothing is stored.
    """
    job, study = lease.job, study_of(lease.job)
    target = archive_path(job)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = part_path(job, lease.token)
    delete_parts(study)
    try:
        _write(study, partial, lease)
        lease.complete(lambda: _keep(job, study, partial, target))
    finally:
        partial.unlink(missing_ok=True)
    delete_outdated(study)
    for older in bundles_of(study)[MOST_STORED:]:
        archive_path(older).unlink(missing_ok=True)
    return target


def _write(study: Study, partial: Path, lease: Lease) -> None:
    asked = lease.job.params
    with partial.open("w+b") as file:
        write_bundle(
            study=study,
            target=file,
            formats=asked.get("formats", ()),
            bom=bool(asked.get("bom")),
            with_pay=bool(asked.get("pay")),
            judges=bool(asked.get("judges")),
            publication=publication_of(asked),
            progress=lease.beat,
        )


def publication_of(params: Mapping[str, Any]) -> Publication:
    """The licences and authors that were asked for.

    Parameters
    ----------
    params : mapping
        Parameters of a job that writes a bundle or a release.
    """
    return Publication.read(
        params.get("licence", ""), params.get("authors", ()), params.get("texts_licence", "")
    )


def write_bundle(
    *,
    study: Study,
    target: IO[bytes],
    formats: Sequence[str],
    bom: bool,
    with_pay: bool,
    progress: Progress,
    judges: bool = False,
    publication: Publication | None = None,
    version: str = "",
    times: str = EXACT,
) -> None:
    """Write a bundle of the data as they are.

    Parameters
    ----------
    study : Study
        Study to export.
    target : binary file
        File of the archive; written again where new answers were saved meanwhile, if possible.
    formats, bom, with_pay, judges
        As for `request_bundle`.
    progress : callable
        Called with files done, files in all and the file that is being written.
    publication : Publication or None
        Licence and authors of the data; None where nothing is declared.
    version : str
        Version of a release; empty for a bundle that is not a release.
    times : str
        `exact`, or the start of the `hour` or `day` for every moment in a table.

    Raises
    ------
    GroundworkError
        `data_changed`: answers were saved during each attempt, so ratings and figures would not match.
    """
    kinds = ("metrics", WITH_JUDGES) if judges else ("metrics",)
    for _ in range(ATTEMPTS):
        before = [data_state(study, kind) for kind in kinds]
        made = bundle_contents(
            study, formats, publication or Publication(), bom=bom, with_pay=with_pay, judges=judges
        )
        contents = replace(made, version=version, times=times)
        write_archive(contents, target, progress)
        if [data_state(study, kind) for kind in kinds] == before:
            return
        if not target.seekable():
            break
        target.seek(0)
        target.truncate()
    changed = message(
        "Responses, scores or answers of judges were saved while the data bundle was created."
        " Wait until running jobs have ended, or pause the study, and try again."
    )
    raise GroundworkError(changed, code="data_changed")


def bundles_of(study: Study) -> list[Job]:
    """The jobs that wrote bundles of a study, newest first; their archives may have been deleted.

    Parameters
    ----------
    study : Study
        Study of the bundles.
    """
    return list(Job.objects.filter(study=study, kind=KIND, state=JobState.DONE).order_by("-pk"))


def has_pay(job: Job) -> bool:
    """Whether a bundle contains the raters' pay; also True for a job that does not say.

    Parameters
    ----------
    job : Job
        Job of kind `bundle`.
    """
    return bool(job.params.get("pay", True))


def newest_bundle(study: Study, *, with_pay: bool) -> Job | None:
    """The newest job whose archive is still there.

    Parameters
    ----------
    study : Study
        Study of the bundle.
    with_pay : bool
        Include bundles with what raters are paid.
    """
    delete_outdated(study)
    stored = (job for job in bundles_of(study)[:MOST_STORED] if archive_path(job).is_file())
    return next((job for job in stored if with_pay or not has_pay(job)), None)


def open_bundle(job: Job) -> IO[bytes] | None:
    """Open the archive of a job, or return None where it was replaced, or data were erased since.

    Parameters
    ----------
    job : Job
        Job of kind `bundle`.
    """
    if job.study is not None:
        delete_outdated(job.study)
    path = archive_path(job)
    return path.open("rb") if path.is_file() else None


def delete_outdated(study: Study) -> None:
    """Delete bundles and releases that were started before a rater’s data were last erased.

    Parameters
    ----------
    study : Study
        Study of the bundles and releases.
    """
    last = last_erasure(study)
    if last is None:
        return
    old = Job.objects.filter(study=study, kind__in=ARCHIVED, state=JobState.DONE, started_at__lte=last)
    for job in old:
        archive_path(job).unlink(missing_ok=True)


def _keep(job: Job, study: Study, partial: Path, target: Path) -> None:
    audit.record(study=study, actor=job.created_by, act="export_bundle", job=job.pk)
    partial.replace(target)


def bundle_contents(
    study: Study, formats: Sequence[str], publication: Publication, *, bom: bool, with_pay: bool, judges: bool
) -> Contents:
    """What a bundle of the data as they are would hold.

    Parameters
    ----------
    study, formats, publication, bom, with_pay, judges
        As for `write_bundle`.
    """
    exported = (*EXPORTED, WITH_JUDGES) if judges else EXPORTED
    fresh, stale = current_reports(study, exported)
    redactor, facts = Redactor.of(study), facts_of(study, fresh, with_pay=with_pay)
    answers = answers_of(stored_sheet(study).answers)
    return Contents(
        study=study,
        facts=replace(facts, pilot_pooled_because=redactor.note(facts.pilot_pooled_because)),
        with_pay=with_pay,
        with_judges=judges,
        reports=fresh,
        stale=stale,
        excluded_kinds=_excluded_kinds(study, exported),
        inversions=find_inversions(study),
        redactor=redactor,
        formats=tuple(formats),
        bom=bom,
        publication=publication,
        sheet=sheet_of(study, facts, fresh, answers, with_pay=with_pay),
        at=timezone.now(),
    )


def current_reports(study: Study, kinds: Sequence[str] = EXPORTED) -> tuple[dict[str, Report], list[Report]]:
    """The newest up-to-date reports by the name of their file, and the newest outdated ones.

    There is one of each kind that can be recomputed, and a comparison for each two metrics.

    Parameters
    ----------
    study : Study
        Study of the reports.
    kinds : sequence of str
        Kinds of reports.
    """
    newest: dict[tuple[str, ...], Report] = {}
    for report in Report.objects.filter(study=study, kind__in=kinds).order_by("-pk"):
        newest.setdefault(_about(report), report)
    state = {kind: data_state(study, kind) for kind in {report.kind for report in newest.values()}}
    fresh: dict[str, Report] = {}
    stale: list[Report] = []
    for report in sorted(newest.values(), key=lambda one: one.pk):
        if report.data_state != state[report.kind] or not has_these_definitions(report):
            stale.append(report)
            continue
        number = sum(one.kind == report.kind for one in fresh.values()) + 1
        fresh[f"comparison-{number}" if report.kind == "comparison" else report.kind] = report
    return fresh, stale


def _excluded_kinds(study: Study, exported: Sequence[str]) -> tuple[str, ...]:
    """List the kinds of reports of the study that no bundle contains."""
    kinds = Report.objects.filter(study=study).exclude(kind__in=exported).order_by("kind")
    return tuple(kinds.values_list("kind", flat=True).distinct())


def _about(report: Report) -> tuple[str, ...]:
    """The key by which a bundle contains only the newest report."""
    if report.kind != "comparison":
        return (report.kind,)
    return (report.kind, *report.method["metrics"], report.method["level"], report.method["coefficient"])
